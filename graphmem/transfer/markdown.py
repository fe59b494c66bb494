"""Markdown files with front matter and links: one entity a file.

Front matter, in YAML, TOML or JSON: `name` (else the file's stem), `kind`, `title`, `aliases`,
`tags`, `status`, `category`, `confidence`, `source`, `created_at`, `valid_from`, `valid_until`,
`relations` (a list of `{relation, to, note?, weight?, confidence?}`), `lead_in`; any other field is
a custom attribute, a nested one as JSON text. `type` is the kind where there is no `kind`, and
`created`, `date created` or `date`, else the day with which the file's name begins, `created_at`
where there is none. `description` is an observation, so that its words are found. A link to another
note becomes a `MENTIONS` relation, unless a typed one joins the two, and a `#tag` in the text a
tag. The heading of a text is the title of a note that says none.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from graphmem import text
from graphmem.errors import InvalidInput
from graphmem.importing.fields import (
    as_json,
    is_kind,
    is_label,
    moment_or_none,
    own_attributes,
    source_or_none,
    uniform,
)
from graphmem.importing.format import Format
from graphmem.importing.front_matter import Field
from graphmem.importing.merging import unite_names
from graphmem.importing.opening import File, root_of
from graphmem.importing.reading import text_of
from graphmem.importing.refusing import Refused, refused
from graphmem.importing.row import LeftOut, Row
from graphmem.importing.walking import files_at, list_files, with_progress
from graphmem.model import Entity, limits
from graphmem.model.entity_fields import FIELD_NAMES
from graphmem.model.visible import visible
from graphmem.progress import SILENT, Progress
from graphmem.transfer import logseq
from graphmem.transfer.ignored import Ignored, folders_above
from graphmem.transfer.note_addresses import addresses_of, former_addresses_of
from graphmem.transfer.note_fields import front_matter, read_fields
from graphmem.transfer.note_markup import labels_of, without_imports
from graphmem.transfer.note_properties import properties_of
from graphmem.transfer.note_relations import relations, resolved, with_links
from graphmem.transfer.note_text import read_note_text
from graphmem.transfer.notes import Notes, day_of, is_note

ENTITY_FIELDS = (*(name for name in FIELD_NAMES if name != "text"), "aliases", "tags", "created_at")
# Of these a single value is read as a text, whatever it looks like.
TEXTS = frozenset({"kind", "title", "status", "category", "source", "lead_in"})
LISTS = frozenset({"aliases", "tags"})
# Markdown with components, such as Docusaurus has.
MDX = ".mdx"
# What other tools call the date of a note, the first that is there.
CREATED = ("created", "date created", "date")
# In other tools a sentence on what the note is about, which its text need not repeat.
DESCRIPTION = "description"
# Fields that other tools have for what is no label: a long address, or a list.
LABELS = frozenset({"category", "source", "status"})
# Fields of a file that become no attribute, beside those of an entity.
OF_A_NOTE = frozenset({"name", "relations"})
# Of these a list of one label, and a link to a note that stands for the label, is that label.
SINGLE_LABELS = frozenset({"kind", "category", "status"})
# Folders of package managers, full of files that others wrote.
DOWNLOADED = frozenset({"node_modules", "bower_components", "site-packages"})
# `tags: "#a #b"` are two tags, `tags: machine learning` is one.
_BETWEEN_TAGS = re.compile(r",|(?<=\s)(?=#)")
_WIKI_LINK = re.compile(r"\[\[([^\[\]]+)\]\]")


def rows(path: Path, progress: Progress = SILENT) -> Iterator[Row]:
    """Read one file, or all Markdown of a folder and its subfolders, in the order of paths.

    Left out are folders whose names begin with a dot, those of package managers, and what a
    `.gitignore` of the folder or of its repository names, of which each is a row.
    """
    if not path.is_dir():
        listing = files_at(path, takes=lambda _: True)
    else:
        root = root_of(path)
        rule_rows: list[Row] = []
        ignored = Ignored(root, folders_above(root), rule_rows)
        listing = list_files(
            root,
            takes=lambda parts: is_note(parts[-1]) and ignored.takes(parts),
            enters=lambda parts, names: ignored.entered(parts, _visible(parts, names)),
        )
        # Rules that are not followed leave nothing out, so all that is missing is gone.
        yield from (replace(row, is_read=True) for row in rule_rows)
        yield from (Row(place, LeftOut("ignored by git")) for place in sorted(ignored.places))
    yield from listing.refusals
    graph = logseq.Graph.around(root_of(path))
    notes = Notes(listing.files, *_names_labels_and_addresses(listing.files, graph))
    for file in with_progress(listing.files, progress):
        yield from _file(file, notes, graph)


FORMAT = Format(
    rows,
    "Markdown notes with front matter and links, such as an Obsidian vault",
    whole=True,
    sources_are_files=False,  # `source` is what the front matter says, if it says anything
    tells_moves=True,
)


def _visible(parts: tuple[str, ...], names: Sequence[str]) -> list[str]:
    """The folders that are no settings, bin, backups, repository or downloads of a tool."""
    return [
        name
        for name in names
        if not name.startswith(".")
        and name not in DOWNLOADED
        and (*parts, name)[-2:] != logseq.BACKUPS
    ]


def _names_labels_and_addresses(
    files: Sequence[File], graph: logseq.Graph | None
) -> tuple[dict[str, str], *tuple[dict[str, list[str]], ...]]:
    """The names that notes have other than by their files, and how links call them, by place.

    What cannot be read is refused later.
    """
    names: dict[str, str] = {}
    labels: dict[str, list[str]] = {}
    addresses, former = dict[str, list[str]](), dict[str, list[str]]()
    for file in files:
        try:
            content = text_of(file)
            if labels_of_note := list(labels_of(content)):
                labels[file.place] = labels_of_note
            addresses[file.place] = addresses_of(content)
            former[file.place] = former_addresses_of(content)
            parts = front_matter(content)
            if parts is not None and "name" in parts.text:  # reading YAML takes long
                fields, _ = read_fields(content)
                if "name" in fields:
                    names[file.place] = limits.name("name", _single(fields["name"]))
            stem = file.path.stem
            page_name = stem if graph is None else graph.page_name(stem)
            if file.place not in names and page_name != stem:
                names[file.place] = limits.name("name", page_name)
        except (Refused, InvalidInput):
            continue
    return names, labels, addresses, former


def _file(file: File, notes: Notes, graph: logseq.Graph | None) -> Iterator[Row]:
    place = file.place
    try:
        fields, content = read_fields(text_of(file))
        if file.path.suffix.lower() == MDX:
            content = without_imports(content)
        properties = properties_of(content, fields)
        own_fields = _fields(fields | properties.fields, content, notes.name_of(file))
        own_fields["attributes"] |= own_attributes(
            properties.attributes, convert=_attribute, taken=own_fields["attributes"]
        )
        entity = Entity.from_json(own_fields)
    except (Refused, InvalidInput) as error:
        yield refused(place, error)
        return
    first = notes.owner(entity.name, file)
    if first != place:
        reason = f"{first} has the same name; give one of them another `name` in its front matter"
        yield replace(refused(place, reason, name=entity.name), is_read=True)
        return
    note_text = read_note_text(content)
    tags = unite_names([entity.tags, note_text.tags]) if note_text.tags else entity.tags
    source = entity.source or source_or_none(place)
    title = entity.title or _title(note_text.title, entity.name)
    journal = None if graph is None else graph.journal_title(file.path.stem)
    others = [name for name in (journal, notes.page_name(file)) if name and name != entity.name]
    aliases = unite_names([entity.aliases, others]) if others else entity.aliases
    created_at = entity.created_at or moment_or_none(day_of(file))
    entity = replace(entity, aliases=aliases, tags=tags, created_at=created_at)
    yield Row(place, replace(entity, source=source, title=title))
    relation_list = fields["relations"].value if "relations" in fields else None
    links = (*note_text.links, *read_note_text(_linking(fields)).links)
    targets = dict.fromkeys(notes.target_of(link, file) for link in links)
    relation_list = resolved(relation_list, notes, file)
    yield from relations(entity.name, relation_list, [name for name in targets if name], place)


def _fields(fields_by_name: Mapping[str, Field], content: str, planned_name: str) -> dict[str, Any]:
    """The fields of an entity, called as planned if it names itself nothing; others: attributes."""
    values = {
        name: _value(fields_by_name[name]) for name in ENTITY_FIELDS if name in fields_by_name
    }
    fields = {
        name: value
        for name, value in values.items()
        if name not in LABELS or value in (None, "") or is_label(value)
    }
    other_fields = {
        key: field for key, field in fields_by_name.items() if key not in {*fields, *OF_A_NOTE}
    }
    kind = other_fields.get("type")
    label = _label(kind) if kind is not None and isinstance(kind.value, str | list) else None
    if fields.get("kind") is None and is_kind(label):
        fields["kind"] = label
        del other_fields["type"]
    dated = (name for name in CREATED if name in other_fields and _is_moment(other_fields[name]))
    if fields.get("created_at") in (None, "") and (creation := next(dated, None)):
        fields["created_at"] = other_fields.pop(creation).value
    if description := _sentence(other_fields.get(DESCRIPTION)):
        del other_fields[DESCRIPTION]
        fields["observations"] = [description]
    name = _single(fields_by_name["name"]) if "name" in fields_by_name else None
    return {name: value for name, value in fields.items() if value not in (None, "")} | {
        "name": planned_name if name in (None, "") else name,
        "text": content,
        "attributes": own_attributes(other_fields, convert=_attribute, taken=fields_by_name),
    }


def _sentence(field: Field | None) -> str | None:
    """A text in one line; None for what is none."""
    value = None if field is None else _single(field)
    return " ".join(value.split()) if isinstance(value, str) else None


def _is_moment(field: Field) -> bool:
    return moment_or_none(field.value) is not None


def _title(heading: str | None, name: str) -> str | None:
    """The title in a text as an entity may have it; None where that is its name."""
    if heading is None or text.normalised(heading) == text.normalised(name):
        return None
    return limits.or_none(limits.name, heading)


def _linking(fields: Mapping[str, Field]) -> str:
    """The fields that hold wiki links, as editors write `up: "[[Home]]"`, as a text."""
    field_values = (with_links(field.value) for field in fields.values())
    lists = (value if isinstance(value, list) else [value] for value in field_values)
    items = (item for values in lists for item in values)
    return "\n\n".join(item.strip() for item in items if isinstance(item, str) and "[[" in item)


def _value(field: Field) -> object:
    """The value of an entity's field, where others than graphmem may have written the file."""
    if field.name in LISTS and field.value is not None:
        items = [_single(field)]
        if isinstance(field.value, list):
            items = [
                item if item is None or source_text is None else source_text
                for item, source_text in zip(field.value, field.item_texts, strict=True)
            ]
        elif field.name == "tags" and isinstance(field.value, str):
            items = _BETWEEN_TAGS.split(field.value)
        texts = [_item(item, mark="#" if field.name == "tags" else "") for item in items]
        return [item for item in texts if item is not None and item != ""]
    if field.name in SINGLE_LABELS:
        return _label(field)
    return _single(field) if field.name in TEXTS else field.value


def _label(field: Field) -> object:
    """A label, which editors of properties write as a list, as a link or as both."""
    value = with_links(field.value)
    single = value[0] if isinstance(value, list) and len(value) == 1 else value
    link = _WIKI_LINK.fullmatch(single.strip()) if isinstance(single, str) else None
    # What is shown of `[[Types/City|Town]]`, or the last part of its path.
    label = link[1].rpartition("|")[2].partition("#")[0].rpartition("/")[2].strip() if link else ""
    if label:
        return label
    return single if isinstance(single, str) and single is not value else _single(field)


def _item(value: object, *, mark: str) -> object:
    """An item of a list without its mark; what is no text is no tag, and is refused."""
    return visible(value).strip().removeprefix(mark).strip() if isinstance(value, str) else value


def _single(field: Field) -> object:
    """A single value as it is written, so that a title may be a year; a list as it is."""
    value = field.value if field.value is None or field.source_text is None else field.source_text
    return visible(value) if isinstance(value, str) else value


def _attribute(field: Field) -> object:
    """A field of a file as an attribute: what none can hold, such as a site's menu, as text.

    Raises:
        Refused: It holds what no text can say.
    """
    value = with_links(field.value)
    if isinstance(value, list) and not any(isinstance(item, dict | list) for item in value):
        value = uniform(item for item in value if item is not None)
    try:
        return None if value in (None, []) else limits.attribute(field.name, value)
    except InvalidInput:
        return as_json(value) if field.source_text is None else field.source_text
