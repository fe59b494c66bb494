"""What a file says, whatever its type: metadata, text and links."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from markdown_it import MarkdownIt

from graphmem.adapters.rye.importer.links import Link
from graphmem.importing.refusing import Refused


@dataclass(frozen=True, slots=True)
class ParsedItem:
    """What a file says.

    Args:
        fields: Its metadata, as written.
        text: What it says beside them.
        title: A person's name for it; None for none.
        links: What it says of other items.
        problem: Why its metadata, or a part of them, could not be read; None where all was.
    """

    fields: Mapping[str, object]
    text: str
    title: str | None = None
    links: tuple[Link, ...] = ()
    problem: Refused | None = None


@dataclass(frozen=True, slots=True)
class Fence:
    """A fenced block of a Markdown text.

    Args:
        content: What stands between the fences.
        start: The line of the opening fence, from 0.
        end: The line after the closing fence, from 0.
    """

    content: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Outline:
    """The parts of a Markdown text that metadata hides in.

    Args:
        title: The first heading of the first level; None for none.
        paragraph: The first paragraph after it; None for none.
        fences: Blocks by their language, those inside other blocks left out.
        first_heading: The line of the first heading of any level, from 0; None for none.
    """

    title: str | None = None
    paragraph: str | None = None
    fences: Mapping[str, list[Fence]] = field(default_factory=dict)
    first_heading: int | None = None


def outline(markdown: str) -> Outline:
    """Find the headings and blocks of a Markdown text."""
    title: str | None = None
    paragraph: str | None = None
    first_heading: int | None = None
    fences: dict[str, list[Fence]] = {}
    tokens = _blocks().parse(markdown)
    for previous, token in zip([None, *tokens], tokens, strict=False):
        if token.type == "fence" and token.map and token.level == 0:
            language = token.info.strip().split(" ")[0].lower()
            fences.setdefault(language, []).append(Fence(token.content, *token.map))
        elif token.type == "heading_open" and token.map and first_heading is None:
            first_heading = token.map[0]
        elif token.type == "inline" and previous is not None:
            if previous.tag == "h1":
                title = title or token.content.strip()
            elif previous.tag == "p" and title is not None:
                paragraph = paragraph or token.content.strip()
    return Outline(title, paragraph, fences, first_heading)


@cache
def _blocks() -> MarkdownIt:
    """A parser of blocks alone: links and emphasis are of no concern here."""
    return MarkdownIt("commonmark").disable("inline")
