"""The clipboard of the person at this machine, for a secret that nobody else may see."""

from graphmem.errors import GraphmemError

# It takes what it copies as an argument of a process, which every user of the machine can read.
SHOWS_ITS_TEXT = "copy_klipper"
ADVICE = "install xclip, xsel or wl-clipboard"


class NoClipboard(GraphmemError):
    """No clipboard takes the text."""


def copy(text: str) -> None:
    """Put a secret on the clipboard, and look whether it is there.

    Raises:
        NoClipboard: There is no clipboard, or only one that would show the text to others.
    """
    import pyperclip

    set_text, get_text = pyperclip.determine_clipboard()
    if getattr(set_text, "__name__", "") == SHOWS_ITS_TEXT:
        raise NoClipboard(
            f"qdbus, the only way to the clipboard here, shows its text to other users; {ADVICE}"
        )
    try:
        set_text(text)
        # A program that cannot reach the screen fails in silence.
        is_there = get_text().strip() == text
    except (pyperclip.PyperclipException, OSError):
        is_there = False
    if not is_there:
        raise NoClipboard(f"no clipboard can be used here; where there is a screen, {ADVICE}")
