"""Knowledge entries: Markdown under YAML, in front matter or in the first fenced block."""

from frontmatter.default_handlers import YAMLHandler

from graphmem.transfer.rye.item import Outline, Said, Unread, outline
from graphmem.transfer.rye.links import TYPES, Link, link
from graphmem.transfer.rye.metadata import Broken, line_of, read_yaml, texts, title_of

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


def read(content: str) -> Said:
    """Read a knowledge entry in Markdown.

    Args:
        content: The file, its signature blanked.
    """
    parts = outline(content)
    try:
        fields, text = _metadata(content, parts)
    except Broken as error:
        unread = Unread(error.line, f"YAML: {error}")
        return Said({}, content.strip(), parts.title, unread=unread)
    title = title_of(fields) or parts.title
    return Said(fields, text.strip(), title, tuple(_links(fields, content)))


def read_whole(content: str) -> Said:
    """Read a knowledge entry that is YAML as a whole; its text is the file."""
    try:
        fields = read_yaml(content, 1)
    except Broken as error:
        return Said({}, content.strip(), unread=Unread(error.line, f"YAML: {error}"))
    links = tuple(_links(fields, content))
    return Said(fields, content.strip(), title_of(fields), links)


def front_matter(content: str) -> tuple[dict[str, object], str]:
    """The fields between two lines of `---` at the beginning of a text, and the text after them.

    Raises:
        Broken: There are two such lines, and no YAML of fields between them.
    """
    handler = YAMLHandler()
    text = content.lstrip()
    if not handler.detect(text):
        return {}, content
    try:
        written, body = handler.split(text)
    except ValueError:  # the second line is missing
        return {}, content
    before = content[: len(content) - len(text)].count("\n")
    return read_yaml(written, before + 1) if written.strip() else {}, body


def _metadata(content: str, parts: Outline) -> tuple[dict[str, object], str]:
    fields, text = front_matter(content)
    if fields:
        return fields, text
    fences = [*parts.fences.get("yaml", []), *parts.fences.get("yml", [])]
    for fence in sorted(fences, key=lambda one: one.start):
        if parts.first_heading is None or fence.start < parts.first_heading:
            lines = content.split("\n")
            fields = read_yaml(fence.content, fence.start + 2)
            return fields, "\n".join((*lines[: fence.start], *lines[fence.end :]))
    return {}, content


def _links(fields: dict[str, object], content: str) -> list[Link]:
    found: list[Link] = []
    for name, relation in LISTS.items():
        for target in texts(fields.get(name)):
            found += link(relation, ANY_TYPE, target, line_of(content, target))
    said = fields.get("directive")
    found += link("TRANSCRIPT_OF", TYPES[0], said, line_of(content, f"directive: {said}"))
    return found
