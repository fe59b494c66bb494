"""Links between items: what one says of another, and which item it means."""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from graphmem.adapters.rye.items import TYPES

# What an item may do with another one, and the relation that says so.
VERBS = {"execute": "EXECUTES", "load": "LOADS", "sign": "SIGNS"}
# RyeOS's own items, which most projects use and do not hold.
SYSTEM = "rye/"

# What one item says of others beyond that is left out, since each is looked for in its text.
MOST_LINKS = 2_000

_ARGUMENTS = 300
_LINE_END = re.compile(r"\n")
_CALL = re.compile(rf"(?:\brye_|<)({'|'.join(VERBS)})(?=[\s(])")
_ENDS = re.compile(r"[)>]")
_TYPE = re.compile(r"\bitem_type\s*=\s*[\"'](\w+)[\"']")
_ID = re.compile(r"\bitem_id\s*=\s*[\"']([^\"'\n]+)[\"']")
# What a thread is told to run stands among the parameters of the tool that starts it.
_DIRECTIVE = re.compile(r"\bdirective_(?:name|id)[\"']?\s*[:=]\s*[\"']([^\"'\n]+)[\"']")
_IS_ID = re.compile(r"[\w.\-]+(?:/[\w.\-]+)*")
_FILE = re.compile(r"\.(?:md|txt|html?|pdf)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Link:
    """One item's word about another.

    Args:
        relation: The relation's type.
        types: What the other may be, likeliest first.
        target: Its id, or the last segments of one.
        line: Where that is said, from 1.
        note: How the other is used, such as the part of a prompt it becomes.
    """

    relation: str
    types: tuple[str, ...]
    target: str
    line: int
    note: str | None = None


@dataclass(slots=True)
class ItemIndex:
    """The items of an import, by type."""

    ids: Mapping[str, set[str]] = field(
        default_factory=lambda: {item_type: set() for item_type in TYPES}
    )
    by_name: dict[tuple[str, str], list[str]] = field(default_factory=dict)

    def add(self, item_type: str, item_id: str) -> None:
        """Note an item."""
        self.ids[item_type].add(item_id)
        self.by_name.setdefault((item_type, _name(item_id)), []).append(item_id)

    def end(self, link: Link, start: str) -> tuple[str, str]:
        """The type and id a link means; as it was written where the import holds no such item.

        An item of that id, else the one item whose id ends in these segments; of several the one
        that shares most of the beginning of the id that the link starts from.
        """
        for item_type in link.types:
            if link.target in self.ids[item_type]:
                return item_type, link.target
        for item_type in link.types:
            of_name = self.by_name.get((item_type, _name(link.target)), ())
            nearest = _nearest(start, (i for i in of_name if i.endswith(f"/{link.target}")))
            if nearest is not None:
                return item_type, nearest
        return link.types[0], link.target

    def lacks_the_system(self) -> bool:
        """Whether RyeOS's own items are not in this import."""
        return not any(
            identifier.startswith(SYSTEM) for ids in self.ids.values() for identifier in ids
        )


def calls_in(text: str, first_line: int) -> Iterator[Link]:
    """The items that a text's calls name: `rye_execute(…)`, `<load …>`, and threads' directives.

    Args:
        text: Prose with calls in it.
        first_line: The line of its file on which it begins.
    """
    calls = list(_CALL.finditer(text))
    ends = [mark.start() for mark in _LINE_END.finditer(text)]
    for index, call in enumerate(calls):
        next_start = calls[index + 1].start() if index + 1 < len(calls) else len(text)
        arguments = text[call.end() : min(call.end() + _ARGUMENTS, next_start)]
        arguments = _ENDS.split(arguments, maxsplit=1)[0]
        item_type, item_id = _TYPE.search(arguments), _ID.search(arguments)
        if item_type is not None and item_id is not None and item_type[1] in TYPES:
            line = first_line + bisect_left(ends, call.start())
            yield from link(VERBS[call[1]], item_type[1], item_id[1], line)
    for directive in _DIRECTIVE.finditer(text):
        line = first_line + bisect_left(ends, directive.start())
        yield from link("EXECUTES", "directive", directive[1], line)


def link(
    relation: str,
    types: str | tuple[str, ...],
    target: object,
    line: int | Callable[[], int],
    *,
    note: str | None = None,
) -> list[Link]:
    """A link, or none where the target is a placeholder, a pattern, a file or an address.

    The line is only looked for where there is a link.
    """
    item_id = target.strip().strip("/") if isinstance(target, str) else ""
    if not _IS_ID.fullmatch(item_id) or _FILE.search(item_id):
        return []
    at = line if isinstance(line, int) else line()
    return [Link(relation, (types,) if isinstance(types, str) else types, item_id, at, note)]


def _nearest(start: str, candidates: Iterator[str]) -> str | None:
    ranked = sorted((-_shared_segments(start, candidate), candidate) for candidate in candidates)
    if not ranked or (len(ranked) > 1 and ranked[0][0] == ranked[1][0]):
        return None
    return ranked[0][1]


def _shared_segments(item_id: str, other_id: str) -> int:
    """How many segments two ids have in common at their beginning."""
    pairs = zip(item_id.split("/"), other_id.split("/"), strict=False)
    return len(list(takewhile(lambda pair: pair[0] == pair[1], pairs)))


def _name(item_id: str) -> str:
    return item_id.rpartition("/")[2]


def without_repetitions(links: Sequence[Link]) -> list[Link]:
    """Each link once, at the line that says it first."""
    links_by_meaning: dict[tuple[str, tuple[str, ...], str], Link] = {}
    for link in links:
        links_by_meaning.setdefault((link.relation, link.types, link.target), link)
    return list(links_by_meaning.values())
