"""The web browser of a person who sits before this machine, if there is one."""

import os
import sys
import webbrowser

# They would take the terminal, and show nothing of a page that is a program.
TEXT_BROWSERS = {"www-browser", "links", "elinks", "lynx", "w3m"}


def has_screen() -> bool:
    """Whether a window can be opened here."""
    if sys.platform == "darwin":
        return "SSH_CONNECTION" not in os.environ
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def browser() -> webbrowser.BaseBrowser | None:
    """A web browser that has a window, or None."""
    if not has_screen():
        return None
    try:
        program = webbrowser.get()
    except webbrowser.Error:
        return None
    return None if getattr(program, "name", "") in TEXT_BROWSERS else program
