"""The links of an artifact: those of its front matter, and those of its Related Artifacts tables.

A relation's type is ForgePlan's word in upper case: `based_on` is `BASED_ON`. Where a table says in
prose what joins two artifacts ("parent epic"), the type is `RELATED_TO` and the prose its note,
unless they are linked anyway; then the prose is that link's note. Rows still as the template has
them say nothing: those with `...` for the artifact or what joins the two, the template's rows of a
PRD, and in an evidence whose placeholders still stand the one row the template has there, of the
artifact's own number (`EVID-007` informs `ADR-007`). Since somebody may have written that one, it
is reported.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from graphmem import text
from graphmem.adapters.forgeplan.importer import prose
from graphmem.adapters.forgeplan.importer.artifact import Artifact, canonical, spellings
from graphmem.errors import InvalidInput
from graphmem.importing.refusing import refused
from graphmem.importing.row import Row
from graphmem.model import Relation

RELATED = "RELATED_TO"
LINK = "an object of `target` and `relation`"
# Words that say that there is a link, and not which.
VAGUE = frozenset(
    {
        "background", "child", "context", "external", "foundation", "history", "parent",
        "precedent", "predecessor", "prerequisite", "process", "reference", "related", "sibling",
        "source", "subject", "successor",
    }
)  # fmt: skip

# What the templates' rows say of an artifact that has the number of the one they stand in.
TEMPLATE_ROWS = frozenset(
    {
        ("EPIC", "parent epic"), ("SPEC", "api contracts"), ("RFC", "architecture proposal"),
        ("ADR", "decision record"),
    }
)  # fmt: skip
TEMPLATE_EVIDENCE = ("EVID", "ADR", "INFORMS")
# Of an evidence's template so many lines are a placeholder; all but one may have been filled in.
PLACEHOLDERS = 2

_SECTIONS = frozenset(
    {
        "links", "related", "related artifacts", "related documents", "связанные артефакты",
        "связанные документы", "ссылки",
    }
)  # fmt: skip
_FIRST_COLUMNS = frozenset({"artifact", "артефакт", "id"})
_RELATION_COLUMNS = frozenset({"relation", "relationship", "связь", "отношение"})
_ID = re.compile(r"(?<![\w-])[A-Za-z]{2,}-\d{1,9}(?![\w-])")
# A word and perhaps its explanation: `informs (root problem)`, `refines — the scope of it`.
_WORD = re.compile(
    r"[*`]*([A-Za-z]+(?:_[A-Za-z]+)*|based-on)[*`]*(?:\s*\((.*)\)|\s*(?:[—–:]|-\s)\s*(.+))?"
)


@dataclass(slots=True)
class _Link:
    """A link as it was said, and the line that says it."""

    line: int
    target: str
    relation: str
    note: str | None = None

    @property
    def end(self) -> str:
        """The target in the one form that all its spellings share."""
        name = canonical(self.target)
        return text.normalised(min([name, *spellings(name)], key=len))


@dataclass(frozen=True, slots=True)
class Links:
    """The links that an artifact says, before it is known which names there are.

    Args:
        name: What its entity is called.
        artifact_id: Its id.
        place: The file, as seen from the folder that is imported.
        front_matter_links: Those of its front matter.
        table_links: Those of its tables.
        refusals: Rows for what is no link.
    """

    name: str
    artifact_id: str
    place: str
    front_matter_links: tuple[_Link, ...]
    table_links: tuple[_Link, ...]
    refusals: tuple[Row, ...]


def links_of(artifact: Artifact, name: str, place: str) -> Links:
    """Read the links of an artifact.

    Args:
        artifact: What was read.
        name: What its entity is called.
        place: The file, as seen from the folder that is imported.
    """
    front_matter_links: list[_Link] = []
    rows: list[Row] = []
    for line, item in _front_matter_items(artifact):
        try:
            front_matter_links.append(_link(line, item))
        except InvalidInput as error:
            rows.append(refused(place, error, sort="relation", name=name, line=line))
    table_links = list(_table_links(artifact))
    placeholders = sum(prose.is_placeholder(line.strip()) for _, line in artifact.lines())
    if placeholders >= PLACEHOLDERS:
        template_links = [link for link in table_links if _is_evidences(link, artifact.id)]
        rows += [_left_out(link, name, place) for link in template_links]
        table_links = [link for link in table_links if not _is_evidences(link, artifact.id)]
    return Links(
        name, artifact.id, place, tuple(front_matter_links), tuple(table_links), tuple(rows)
    )


def relations(links: Links, names: Mapping[str, str]) -> Iterator[Row]:
    """The links of an artifact as relations, each once, with the line that says it first.

    Args:
        links: What the artifact says.
        names: The entities that folded slugs lead to.
    """
    yield from links.refusals
    own_end = _Link(0, links.artifact_id, RELATED).end
    front_matter_links = [
        replace(link, target=names.get(text.normalised(link.target), link.target))
        for link in links.front_matter_links
    ]
    for link in _without_repetitions([*front_matter_links, *links.table_links]):
        fields = {
            "from": links.name, "relation": link.relation, "to": link.target, "note": link.note,
        }  # fmt: skip
        try:
            if link.end != own_end:
                relation = Relation.from_json(fields, argument="links")
                yield Row(f"{links.place}:{link.line}", relation)
        except InvalidInput as error:
            yield refused(links.place, error, sort="relation", name=links.name, line=link.line)


def _front_matter_items(artifact: Artifact) -> Iterator[tuple[int, object]]:
    """The items of `links` in the front matter, with their lines."""
    links = artifact.document.fields.get("links", [])
    first_line = artifact.document.lines.get("links", 1)
    if isinstance(links, list):
        yield from zip(artifact.document.link_lines, links, strict=True)
    else:
        yield first_line, links


def _left_out(link: _Link, name: str, place: str) -> Row:
    ends = f"{name} -[{link.relation}]-> {link.target}"
    reason = (
        f"`{link.target}` has the number of {name}, which still holds placeholders, so it was "
        "taken for the template's own row; put the link into `links` of the front matter to keep it"
    )
    return refused(place, reason, sort="relation", name=ends, line=link.line)


def _link(line: int, item: object) -> _Link:
    if not isinstance(item, Mapping):
        raise InvalidInput("links", item, f"must be {LINK}")
    target, relation = item.get("target"), item.get("relation")
    for field, value in (("target", target), ("relation", relation)):
        if not isinstance(value, str) or not value.strip():
            raise InvalidInput(f"links.{field}", value, "must be text that is not blank")
    return _Link(line, str(target).strip(), _type(str(relation)))


def _type(word: str) -> str:
    return re.sub(r"[\s-]+", "_", word.strip()).upper()


def _table_links(artifact: Artifact) -> Iterator[_Link]:
    """The links of every table under a heading such as "Related Artifacts"."""
    is_related = False
    columns: tuple[int, int] | None = None
    for line, content in artifact.lines():
        heading = prose.heading(content)
        if heading is not None:
            is_related = heading.casefold() in _SECTIONS
        row = prose.cells(content) if is_related else None
        if row is None:
            columns = None
            continue
        columns = columns or _columns(row)
        row += [""] * (1 + max(columns))
        words = row[columns[1]] if columns[1] >= 0 else ""
        if prose.is_left_open([row[columns[0]], words]) or prose.is_rule(row):
            continue
        for target in dict.fromkeys(_ID.findall(row[columns[0]])):
            if not (prose.is_left_open(row) and _is_templates(row[1], target, artifact.id)):
                yield _from_words(line, target, words)


def _is_templates(words: str, target: str, artifact_id: str) -> bool:
    """Whether a row that was left open is one that the template of a PRD has."""
    kind, _, number = target.upper().rpartition("-")
    is_own = number == artifact_id.rpartition("-")[2]
    return is_own and (kind, words.casefold()) in TEMPLATE_ROWS


def _is_evidences(link: _Link, artifact_id: str) -> bool:
    """Whether a link is the one that the template of an evidence has."""
    (kind, _, number), (other_kind, _, other_number) = (
        artifact_id.rpartition("-"),
        link.target.upper().rpartition("-"),
    )
    is_own = number == other_number and link.note is None
    return is_own and (kind, other_kind, link.relation) == TEMPLATE_EVIDENCE


def _columns(head: Sequence[str]) -> tuple[int, int]:
    """The columns of the artifact and of the relation, -1 for none; 0 and 1 without a head."""
    titles = [cell.strip("*` ").casefold() for cell in head]
    artifact_column = next(
        (place for place, cell in enumerate(titles) if cell in _FIRST_COLUMNS), None
    )
    relation = (place for place, cell in enumerate(titles) if cell in _RELATION_COLUMNS)
    return artifact_column or 0, next(relation, 1 if artifact_column is None else -1)


def _from_words(line: int, target: str, words: str) -> _Link:
    """A link of the words that a table has for it."""
    match = _WORD.fullmatch(words)
    if match is None or match[1].casefold() in VAGUE:
        return _Link(line, target, RELATED, note=words.strip("*` ") or None)
    return _Link(line, target, _type(match[1]), note=match[2] or match[3] or None)


def _without_repetitions(links: Sequence[_Link]) -> list[_Link]:
    """Each link once, in the order said; notes are kept, prose becomes the note of a typed link."""
    by_meaning: dict[tuple[str, str], _Link] = {}
    for link in links:
        if link.relation != RELATED:
            first_link = by_meaning.setdefault((link.end, link.relation), link)
            first_link.note = first_link.note or link.note
    by_end: dict[str, _Link] = {}
    for link in by_meaning.values():
        by_end.setdefault(link.end, link)
    for link in links:
        if link.relation == RELATED:
            first_link = by_end.setdefault(link.end, link)
            first_link.note = first_link.note or link.note
    return sorted(
        [*by_meaning.values(), *(link for link in by_end.values() if link.relation == RELATED)],
        key=lambda link: link.line,
    )
