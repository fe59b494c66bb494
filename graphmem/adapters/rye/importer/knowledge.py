"""Knowledge entries: Markdown under YAML, in front matter or in the first fenced block."""

from collections.abc import Iterator
from itertools import islice

from graphmem.adapters.rye.importer.item import Outline, ParsedItem, outline
from graphmem.adapters.rye.importer.links import MOST_LINKS, Link, link
from graphmem.adapters.rye.importer.metadata import line_of, read_yaml, texts, title_of
from graphmem.adapters.rye.items import TYPES
from graphmem.importing.front_matter import split
from graphmem.importing.refusing import Refused

# Lists of other items, and the relation each entry becomes.
LISTS = {
    "references": "REFERENCES",
    "related": "RELATED_TO",
    "see_also": "RELATED_TO",
    "requires": "REQUIRES",
    "depends_on": "DEPENDS_ON",
    "extends": "EXTENDS",
    "used_by": "USED_BY",
    "supersedes": "SUPERSEDES",
}
ANY_TYPE = ("knowledge", "directive", "tool")


def read(content: str) -> ParsedItem:
    """Read a knowledge entry in Markdown.

    Args:
        content: The file, its signature blanked.
    """
    parts = outline(content)
    try:
        fields, text = _metadata(content, parts)
    except Refused as error:
        problem = Refused(f"YAML: {error}", error.line)
        return ParsedItem({}, content.strip(), parts.title, problem=problem)
    title = title_of(fields) or parts.title
    return ParsedItem(
        fields, text.strip(), title, tuple(islice(_links(fields, content), MOST_LINKS))
    )


def read_whole(content: str) -> ParsedItem:
    """Read a knowledge entry that is YAML as a whole; its text is the file."""
    try:
        fields = read_yaml(content, 1)
    except Refused as error:
        return ParsedItem({}, content.strip(), problem=Refused(f"YAML: {error}", error.line))
    links = tuple(islice(_links(fields, content), MOST_LINKS))
    return ParsedItem(fields, content.strip(), title_of(fields), links)


def front_matter(content: str) -> tuple[dict[str, object], str]:
    """The fields between two lines of `---` at the beginning of a text, and the text after them.

    Raises:
        Refused: There are two such lines, and no YAML of fields between them.
    """
    parts = split(content)
    if parts is None:
        return {}, content
    return read_yaml(parts.yaml_text, parts.line) if parts.yaml_text.strip() else {}, parts.body


def _metadata(content: str, parts: Outline) -> tuple[dict[str, object], str]:
    fields, text = front_matter(content)
    if fields:
        return fields, text
    fences = [*parts.fences.get("yaml", []), *parts.fences.get("yml", [])]
    for fence in sorted(fences, key=lambda fence: fence.start):
        if parts.first_heading is None or fence.start < parts.first_heading:
            lines = content.split("\n")
            fields = read_yaml(fence.content, fence.start + 2)
            return fields, "\n".join((*lines[: fence.start], *lines[fence.end :]))
    return {}, content


def _links(fields: dict[str, object], content: str) -> Iterator[Link]:
    for name, relation in LISTS.items():
        for target in texts(fields.get(name)):
            yield from link(relation, ANY_TYPE, target, line_of(content, target))
    directive = fields.get("directive")
    yield from link(
        "TRANSCRIPT_OF", TYPES[0], directive, line_of(content, f"directive: {directive}")
    )
