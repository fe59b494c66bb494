"""How Neo4j Browser draws a store: each kind in a colour of its own, passages small and grey.

Browser runs the command of a setting of the server once somebody has logged in. A setting is read
when the server starts, so the kinds and their colours are kept in a file of the home: `graphmem db
browser` looks which there are, and the next start tells Browser of them. The style stands in the
command itself; nothing is fetched from anywhere.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from graphmem.model.json_object import compact_json
from graphmem.neo4j_process.machine.files import replace_file

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from graphmem.neo4j_process.home.paths import Home

SETTING = "browser.post_connect_cmd"
# Beyond so many kinds, as many colours are used again and again.
MOST_COLOURED_KINDS = 60
# Fill, border and text of the circles that Browser draws by itself.
COLOURS = (
    ("#4C8EDA", "#2870C2", "#FFFFFF"),
    ("#8DCC93", "#5DB665", "#2A2C34"),
    ("#F79767", "#F36924", "#FFFFFF"),
    ("#C990C0", "#B261A5", "#FFFFFF"),
    ("#F16667", "#EB2728", "#FFFFFF"),
    ("#57C7E3", "#23B3D7", "#2A2C34"),
    ("#FFC454", "#D7A013", "#2A2C34"),
    ("#569480", "#447666", "#FFFFFF"),
    ("#D9C8AE", "#C0A378", "#2A2C34"),
    ("#DA7194", "#CC3C6C", "#FFFFFF"),
    ("#ECB5C9", "#DA7298", "#2A2C34"),
)
# Until somebody has looked which kinds there are.
USUAL_KINDS = (
    "Decision", "Service", "Person", "Team", "Incident", "Runbook", "Requirement", "Experiment",
    "Vendor", "Term", "Product",
)  # fmt: skip
USUAL_TYPES = (
    "CAUSED", "DECIDED_BY", "DEPENDS_ON", "FIXED_BY", "IMPLEMENTS", "LED_TO", "MENTIONS",
    "OWNED_BY", "PART_OF", "RELATES_TO", "SUPERSEDES",
)  # fmt: skip
PASSAGE_COLOUR = "#E4E6EA"
_GREY = ("#A5ABB6", "#9AA1AC", "#FFFFFF")
_BASE: dict[str, dict[str, str]] = {
    "node": {
        "diameter": "50px", "color": _GREY[0], "border-color": _GREY[1], "border-width": "2px",
        "text-color-internal": _GREY[2], "font-size": "10px",
    },
    "relationship": {
        "color": "#A5ABB6", "shaft-width": "1px", "font-size": "8px", "padding": "3px",
        "text-color-external": "#000000", "text-color-internal": "#FFFFFF", "caption": "<type>",
    },
    "node.Entity": {
        "diameter": "65px", "color": _GREY[0], "border-color": _GREY[1],
        "text-color-internal": _GREY[2], "caption": "{name}",
    },
    "node.Passage": {
        "diameter": "20px", "color": PASSAGE_COLOUR, "border-color": "#C7CBD2",
        "text-color-internal": "#6B7280", "caption": "",
    },
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class BrowserStyle:
    """What a style tells kinds and relations by.

    Args:
        kinds: The colour of each kind, as a number of `COLOURS`.
        types: The types of relations that show their note beside their type.
    """

    kinds: Mapping[str, int] = field(
        default_factory=lambda: {kind: number for number, kind in enumerate(USUAL_KINDS)}
    )
    types: Sequence[str] = USUAL_TYPES

    def for_store(self, kinds: Sequence[str], types: Sequence[str]) -> BrowserStyle:
        """The style of a store's kinds, commonest first; each keeps the colour it has.

        Args:
            kinds: The kinds of the store.
            types: Its types of relations.
        """
        colours = {
            kind: self.kinds[kind] for kind in kinds[:MOST_COLOURED_KINDS] if kind in self.kinds
        }
        used_colours = list(colours.values())
        for kind in kinds[:MOST_COLOURED_KINDS]:
            if kind not in colours:
                colours[kind] = min(range(len(COLOURS)), key=used_colours.count)
                used_colours.append(colours[kind])
        return BrowserStyle(colours, tuple(types[:MOST_COLOURED_KINDS]))

    def rules(self) -> dict[str, dict[str, str]]:
        """The rules as GRASS has them, the language of Browser's styles."""
        rules = dict(_BASE)
        for kind, number in sorted(self.kinds.items()):
            fill, border, text = COLOURS[number % len(COLOURS)]
            rules[f"node.{_escape(kind)}"] = {
                "color": fill,
                "border-color": border,
                "text-color-internal": text,
            }
        for name in sorted(self.types):
            rules[f"relationship.{_escape(name)}"] = {"caption": f"{name} {{note}}"}
        return rules

    def commands(self) -> str:
        """The commands that have Browser draw so, and clear the page of what they answer."""
        rules = compact_json(self.rules())
        # Browser divides commands at semicolons, and cuts a command at its own name.
        rules = rules.replace(";", "\\u003b").replace(":style", ":\\u0073tyle")
        return f"style {rules}; clear"


def read(home: Home) -> BrowserStyle:
    """Read the style of a home; the usual one where none is written, or nobody can read it."""
    try:
        fields = json.loads(_file(home).read_text(encoding="utf-8"))
        kinds = {str(kind): int(number) for kind, number in fields["kinds"].items()}
        return BrowserStyle(kinds, tuple(map(str, fields["types"])))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return BrowserStyle()


def write(home: Home, style: BrowserStyle) -> None:
    """Keep a style for the next start of the server.

    Raises:
        OSError: The folder is gone or full.
    """
    fields = {"kinds": dict(style.kinds), "types": list(style.types)}
    replace_file(_file(home), json.dumps(fields, ensure_ascii=False, indent=1))


def settings(home: Home) -> dict[str, str]:
    """The setting by which the server has Browser draw in the style of a home."""
    return {SETTING: _as_value(read(home).commands())}


def is_configured(home: Home) -> bool:
    """Whether the server was started with the style that is written now."""
    try:
        lines = home.configuration.read_text(encoding="utf-8").splitlines()
    except OSError:
        return False
    return all(f"{name}={value}" in lines for name, value in settings(home).items())


def _file(home: Home) -> Path:
    return home.root / "browser.json"


def _escape(name: str) -> str:
    """A label or type as it stands in a selector, where a dot divides."""
    return name.replace(".", "\\.")


def _as_value(text: str) -> str:
    """A text as it stands in the configuration file, which reads escapes as Java does."""
    units = text.replace("\\", "\\\\").encode("utf-16-be")
    codes = (int.from_bytes(units[place : place + 2]) for place in range(0, len(units), 2))
    return "".join(chr(code) if 0x20 <= code < 0x7F else f"\\u{code:04x}" for code in codes)  # noqa: PLR2004 - what ASCII prints
