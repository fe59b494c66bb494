"""Directives: Markdown with a fenced block of XML that holds the metadata, and steps after it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import BytesIO
from itertools import chain, islice
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import iterparse

from graphmem.adapters.rye.importer import metadata
from graphmem.adapters.rye.importer.item import Fence, Outline, ParsedItem, outline
from graphmem.adapters.rye.importer.knowledge import front_matter
from graphmem.adapters.rye.importer.links import MOST_LINKS, VERBS, Link, calls_in, link
from graphmem.adapters.rye.items import TYPES
from graphmem.importing.refusing import Refused

ROOT = "directive"
# What the metadata's `<context>` says of other items.
CONTEXT = {
    "system": ("INCLUDES", "knowledge"),
    "before": ("INCLUDES", "knowledge"),
    "after": ("INCLUDES", "knowledge"),
    "suppress": ("SUPPRESSES", "knowledge"),
    "requires": ("REQUIRES", "directive"),
    "depends_on": ("DEPENDS_ON", "directive"),
    "used_by": ("USED_BY", "directive"),
    "suggests": ("SUGGESTS", "directive"),
    "conflicts_with": ("CONFLICTS_WITH", "directive"),
    "example_of": ("EXAMPLE_OF", "directive"),
}

_PLACES = frozenset({"system", "before", "after"})
_NOT_FIELDS = frozenset({"permissions", "context", "hooks"})
_DESCRIBED = frozenset({"metadata", "inputs", "outputs", "description", "permissions"})


def read(content: str) -> ParsedItem:
    """Read a directive; one whose XML is broken keeps its text, and what stands before the break.

    Args:
        content: The file, its signature blanked.
    """
    parts = outline(content)
    block = _block(content, parts)
    if block is None:
        return _without_xml(content, parts)
    lines = content.split("\n")
    root, problem = _xml(block.content, block.start + 2)
    is_complete = problem is None and root is not None
    other_blocks = [] if is_complete and _is_metadata(root) else [block.content]
    text_before, text_after = "\n".join(lines[: block.start]), "\n".join(lines[block.end :])
    declarations = [] if root is None or not is_complete else list(_declarations(root))
    text = "\n\n".join(
        part.strip()
        for part in (text_before, *declarations, *other_blocks, text_after)
        if part.strip()
    )
    fields = {} if root is None else _fields(root)
    if parts.paragraph and not fields.get("description"):
        fields["description"] = parts.paragraph
    links_in_xml = iter(()) if root is None else _links(root, content)
    links_in_calls = calls_in("\n".join(lines[block.start :]), block.start + 1)
    links = tuple(islice(chain(links_in_xml, links_in_calls), MOST_LINKS))
    return ParsedItem(fields, text, parts.title, links, problem)


def _block(content: str, parts: Outline) -> Fence | None:
    """The XML of a directive: the fenced block that begins with it, else where it stands."""
    fences = parts.fences.get("xml", [])
    for fence in fences:
        if f"<{ROOT}" in fence.content:
            return fence
    opening = content.find(f"<{ROOT} ")
    if opening < 0 or parts.fences:
        return None
    closing = content.find(f"</{ROOT}>", opening)
    end = len(content) if closing < 0 else closing + len(f"</{ROOT}>")
    start = content.count("\n", 0, opening)
    return Fence(content[opening:end], start - 1, content.count("\n", 0, end) + 1)


def _without_xml(content: str, parts: Outline) -> ParsedItem:
    """A directive whose metadata is front matter, or that has none."""
    try:
        fields, text, problem = *front_matter(content), None
    except Refused as error:
        fields, text, problem = {}, content, Refused(f"front matter: {error}", error.line)
    if parts.paragraph and not fields.get("description"):
        fields["description"] = parts.paragraph
    base = link("EXTENDS", ROOT, fields.get("extends"), metadata.line_of(content, "extends"))
    links = islice(chain(base, calls_in(content, 1)), MOST_LINKS)
    return ParsedItem(
        fields, text.strip(), metadata.title_of(fields) or parts.title, tuple(links), problem
    )


def _xml(source: str, first_line: int) -> tuple[Element | None, Refused | None]:
    """Parse XML as far as it goes; entities and document types are never followed."""
    root: Element | None = None
    trimmed = source.lstrip()
    first_line += source[: len(source) - len(trimmed)].count("\n")
    try:
        stream = BytesIO(trimmed.encode())
        for _, element in iterparse(stream, events=("start",), forbid_dtd=True):
            root = element if root is None else root
    except ParseError as error:
        line = first_line + error.position[0] - 1
        return root, Refused(f"XML: {str(error).partition(':')[0]}", line)
    except DefusedXmlException:
        return None, Refused("XML: document types and entities are not followed", first_line)
    return root, None


def _is_metadata(root: Element | None) -> bool:
    """Whether a block holds nothing but what is told apart from the text."""
    return root is not None and all(child.tag in _DESCRIBED for child in root)


def _fields(root: Element) -> dict[str, object]:
    metadata_element = root.find("metadata")
    fields: dict[str, object] = {}
    for child in (
        *(() if metadata_element is None else metadata_element),
        *root.findall("description"),
    ):
        words = (child.text or "").strip()
        if child.tag in _NOT_FIELDS:
            continue
        if words and len(child) == 0:
            fields.setdefault(
                child.tag, metadata.number_or_text(words) if child.tag != "version" else words
            )
        for name, value in child.attrib.items():
            fields[f"{child.tag}.{name}"] = metadata.number_or_text(value)
    fields |= {name: value for name, value in root.attrib.items() if value.strip()}
    for name in ("inputs", "outputs"):
        names = [element.get("name") or element.tag for element in root.findall(f"{name}/*")]
        fields |= {name: names} if names else {}
    capabilities = [permission.capability for permission in _permissions(root)]
    return fields | ({"permissions": capabilities} if capabilities else {})


def _declarations(root: Element) -> Iterator[str]:
    """The inputs and outputs as lines of Markdown, so that they are found as well."""
    for name in ("inputs", "outputs"):
        lines = []
        for element in root.findall(f"{name}/*"):
            words = " ".join("".join(element.itertext()).split())
            kind = f" ({element.get('type')})" if element.get("type") else ""
            lines.append(f"- {element.get('name') or element.tag}{kind}: {words}".rstrip(": "))
        if lines:
            yield f"{name.capitalize()}:\n\n" + "\n".join(lines)


@dataclass(frozen=True, slots=True)
class _Permission:
    """What a directive may do: a verb, a type of item, and an id or pattern."""

    verb: str
    item_type: str
    target: str

    @property
    def capability(self) -> str:
        """The permission as RyeOS writes a capability."""
        parts = (part for part in ("rye", self.verb, self.item_type, self.target) if part)
        return ".".join(part.replace("/", ".") for part in parts)


def _permissions(root: Element) -> Iterator[_Permission]:
    for permission_list in (*root.findall("metadata/permissions"), *root.findall("permissions")):
        for verb in permission_list:
            words = (verb.text or "").strip()
            if words and len(verb) == 0:
                yield _Permission(verb.tag, "", words)
            for element in verb:
                yield _Permission(verb.tag, element.tag, (element.text or "").strip())


def _links(root: Element, content: str) -> Iterator[Link]:
    def line(value: object) -> Callable[[], int]:
        return metadata.line_of(content, value)

    base = root.get("extends")
    yield from link("EXTENDS", ROOT, base, line(f'extends="{base}"'))
    for context in (*root.findall("metadata/context"), *root.findall("context")):
        for element in context:
            relation, item_type = CONTEXT.get(element.tag, (None, ROOT))
            if relation is not None and element.text:
                note = element.tag if element.tag in _PLACES else None
                yield from link(relation, item_type, element.text, line(element.text), note=note)
    for permission in _permissions(root):
        if permission.verb in VERBS and permission.item_type in TYPES:
            target, relation = permission.target, f"MAY_{permission.verb.upper()}"
            item_id = target if "/" in target else target.replace(".", "/")
            yield from link(relation, permission.item_type, item_id, line(f">{target}<"))
    for element in root.iter():
        kind, words = element.get("item_type"), (element.text or "").strip()
        if element.tag in VERBS and kind in TYPES and element.get("item_id") is None:
            yield from link(VERBS[element.tag], str(kind), words, line(f">{words}<"))
