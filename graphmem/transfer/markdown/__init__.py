"""Markdown files with front matter and links: one entity a file.

Front matter, in YAML, TOML or JSON: `name` (else the file's stem), `kind`, `title`, `aliases`,
`tags`, `status`, `category`, `confidence`, `source`, `created_at`, `valid_from`, `valid_until`,
`relations` (a list of `{relation, to, note?, weight?, confidence?}`), `lead_in`; any other field is
a custom attribute, a nested one as JSON text. `type` is the kind where there is no `kind`, and
`created`, `date created` or `date`, else the day with which the file's name begins, `created_at`
where there is none. `description` is an observation, so that its words are found. A link to another
note becomes a `MENTIONS` relation, unless a typed one joins the two, and a `#tag` in the text a
tag. The heading of a text is the title of a note that says none. Numbered notes are read as
decision records, with a status, a date and what they replace.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from graphmem import text
from graphmem.errors import InvalidInput
from graphmem.importing.fields import (
    moment_or_none,
    own_attributes,
    source_or_none,
)
from graphmem.importing.format import Format
from graphmem.importing.front_matter import Field
from graphmem.importing.merging import unite_names
from graphmem.importing.opening import File, root_of
from graphmem.importing.reading import text_of
from graphmem.importing.refusing import Refused, refused
from graphmem.importing.row import LeftOut, Row
from graphmem.importing.walking import files_at, with_progress
from graphmem.model import Entity, Relation, limits
from graphmem.progress import SILENT, Progress
from graphmem.transfer.ignored import Ignored, folders_above
from graphmem.transfer.markdown import folders, logseq
from graphmem.transfer.markdown.addresses import addresses_of, former_addresses_of
from graphmem.transfer.markdown.decision_records import (
    Record,
    is_decision,
    read_record,
    states_replacement,
)
from graphmem.transfer.markdown.entity import attribute_value, entity_fields, single_value
from graphmem.transfer.markdown.front_matter import front_matter_of, read_fields
from graphmem.transfer.markdown.link_list import without_link_list
from graphmem.transfer.markdown.markup import labels_of, without_imports
from graphmem.transfer.markdown.notes import Notes, day_of, is_note
from graphmem.transfer.markdown.properties import properties_of
from graphmem.transfer.markdown.references import read_note_text
from graphmem.transfer.markdown.relations import relations_of, resolved, with_links
from graphmem.transfer.markdown.supersessions import SUPERSEDES, Supersessions
from graphmem.transfer.markdown.unfinished import check_finished

DECISION = "Decision"
# Markdown with components, such as Docusaurus has.
MDX = ".mdx"


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
        listing = ignored.files(takes=is_note, enters=folders.is_read)
        # Rules that are not followed leave nothing out, so all that is missing is gone.
        yield from (replace(row, is_read=True) for row in rule_rows)
        yield from (Row(place, LeftOut("ignored by git")) for place in sorted(ignored.places))
    yield from listing.refusals
    graph = logseq.Graph.around(root_of(path))
    folder = _Folder.of(listing.files, graph)
    for file in with_progress(listing.files, progress):
        yield from _file(file, folder)


FORMAT = Format(
    rows,
    "Markdown notes with front matter and links, such as an Obsidian vault",
    reads=is_note,
    whole=True,
    sources_are_files=False,  # `source` is what the front matter says, if it says anything
    is_entity_a_file=True,
    stated_by_ends=frozenset({SUPERSEDES}),
    tells_moves=True,
)


@dataclass(frozen=True, slots=True)
class _Folder:
    """What the notes that are imported together say of themselves and of each other.

    Args:
        notes: Their names, and what their links lead to.
        records: What they say as decision records, by place.
        supersessions: Which of them replace which.
        graph: The graph of Logseq that they belong to; None for any other notes.
    """

    notes: Notes
    records: Mapping[str, Record]
    supersessions: Supersessions
    graph: logseq.Graph | None

    @classmethod
    def of(cls, files: Sequence[File], graph: logseq.Graph | None) -> Self:
        """Read all notes for what others need to know of them; what cannot be is refused later."""
        names: dict[str, str] = {}
        labels: dict[str, list[str]] = {}
        addresses, former = dict[str, list[str]](), dict[str, list[str]]()
        records: dict[str, Record] = {}
        for file in files:
            with suppress(Refused, InvalidInput):
                content = _content(file)
                if labels_of_note := list(labels_of(content)):
                    labels[file.place] = labels_of_note
                parts = front_matter_of(content)
                front_matter = "" if parts is None else parts.text
                addresses[file.place] = addresses_of(front_matter)
                former[file.place] = former_addresses_of(front_matter)
                if "name" in front_matter:  # reading YAML takes long
                    fields, _ = read_fields(content)
                    if "name" in fields:
                        names[file.place] = limits.name("name", single_value(fields["name"]))
                stem = file.path.stem
                page_name = stem if graph is None else graph.page_name(stem)
                if file.place not in names and page_name != stem:
                    names[file.place] = limits.name("name", page_name)
                records[file.place] = read_record(file, content)
        notes = Notes(files, names, labels, addresses, former)
        return cls(notes, records, Supersessions(files, records, notes), graph)


def _content(file: File) -> str:
    """The text of a file as its author wrote it.

    Raises:
        Refused: It cannot be read, or is unfinished.
    """
    content = text_of(file)
    check_finished(content)
    return without_link_list(content)


def _file(file: File, folder: _Folder) -> Iterator[Row]:
    place, notes, supersessions = file.place, folder.notes, folder.supersessions
    record = folder.records.get(place, Record())
    try:
        fields, content = read_fields(_content(file))
        if file.path.suffix.lower() == MDX:
            content = without_imports(content)
        properties = properties_of(content, fields)
        own_fields = entity_fields(fields | properties.fields, content, notes.name_of(file))
        own_fields["attributes"] |= own_attributes(
            properties.attributes, convert=attribute_value, taken=own_fields["attributes"]
        )
        if record.status and states_replacement(own_fields.get("status")):
            own_fields["status"] = record.status
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
    journal = None if folder.graph is None else folder.graph.journal_title(file.path.stem)
    names = (journal, notes.page_name(file), *supersessions.aliases_of(file))
    others = [name for name in names if name and name != entity.name]
    yield Row(
        place,
        replace(
            entity,
            kind=entity.kind or (DECISION if is_decision(file) else None),
            status=entity.status or record.status,
            aliases=unite_names([entity.aliases, others]) if others else entity.aliases,
            tags=tags,
            created_at=entity.created_at or moment_or_none(record.day or day_of(file)),
            source=entity.source or source_or_none(place),
            title=entity.title or _title(note_text.title, entity.name),
        ),
    )
    for start, end in supersessions.relations_of(file):
        yield Row(place, Relation(start, SUPERSEDES, end), may_lead_nowhere=True)
    relation_list = fields["relations"].value if "relations" in fields else None
    links = (*note_text.links, *read_note_text(_linking(fields)).links)
    targets = dict.fromkeys(supersessions.target_of(link, file) for link in links)
    names_of_links = [name for name in targets if name and not supersessions.are_joined(file, name)]
    yield from relations_of(
        entity.name, resolved(relation_list, notes, file), names_of_links, place
    )


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
