"""The page: one HTML file that holds its data, its program and the library that draws.

It asks nothing of any network: its Content-Security-Policy allows no request, and of programs only
the two it carries, by their checksums. What is stored is data to it: JSON that cannot leave its
element, shown as text only.
"""

import base64
import hashlib
from functools import cache
from html import escape
from importlib.resources import files
from string import Template

from graphmem.model.json_object import compact_json
from graphmem.view.picture import Picture

PROGRAM = ("labels.js", "drawing.js", "panels.js", "host.js", "view.js")
# What would end a script element, begin a comment in it, or end a line in older programs.
_UNSAFE = {
    character: f"\\u{ord(character):04x}" for character in ("<", ">", "&", "\u2028", "\u2029")
}


def html(picture: Picture | None) -> str:
    """Write the page of a picture; the same one for the same picture.

    Args:
        picture: What it shows; None for the page that waits for the host of an MCP app.
    """
    library = _asset("force-graph.min.js")
    program = "\n".join(('"use strict";', "(() => {", *map(_asset, PROGRAM), "})();"))
    page = Template(_asset("page.html")).substitute(
        policy=_policy(library, program),
        title=escape("graphmem" if picture is None else f"{picture.title} · graphmem"),
        style=_asset("view.css"),
        library=library,
        program=program,
        picture=json_for_script(None if picture is None else picture.to_json()),
    )
    return page.encode("utf-8", "replace").decode()


def json_for_script(value: object) -> str:
    """Write a value as JSON that can stand in a script element, whatever texts it holds."""
    json_text = compact_json(value)
    for character, substitute in _UNSAFE.items():
        json_text = json_text.replace(character, substitute)
    return json_text


def _policy(*programs: str) -> str:
    hashes = " ".join(f"'sha256-{_checksum(program)}'" for program in programs)
    return (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; "
        "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; "
        "trusted-types default"
    )


def _checksum(program: str) -> str:
    return base64.b64encode(hashlib.sha256(program.encode()).digest()).decode()


@cache
def _asset(name: str) -> str:
    """A file of the package, its line ends as the checksum needs them."""
    text = (files("graphmem.view") / "assets" / name).read_text(encoding="utf-8")
    return text.replace("\r\n", "\n").strip("\n")
