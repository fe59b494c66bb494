"""Links out of text: `MENTIONS` relations wherever what is imported names another entity."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from graphmem import text
from graphmem.graph import Graph
from graphmem.mentions import Names
from graphmem.model import Entity, Relation
from graphmem.progress import Progress
from graphmem.transfer import Row
from graphmem.transfer.prose import prose

MENTION = "MENTIONS"
MOST_MENTIONS = 50
# A name in a text says less than a link that somebody made, which is followed first.
WEIGHT = 0.9
PAGE = 5000


@dataclass(frozen=True, slots=True)
class Stored:
    """A living entity as it is called, the import that said it, and its file there."""

    key: str
    name: str
    title: str | None
    aliases: tuple[str, ...]
    imported: str | None
    source: str | None


def stored(graph: Graph, project: str) -> Iterator[Stored]:
    """The living entities of a project, in the order of their keys, a page at a time."""
    after = ""
    while rows := graph.read("read/names", project=project, after=after, limit=PAGE):
        for row in rows:
            yield Stored(**{**row, "aliases": tuple(row["aliases"] or ())})
        after = rows[-1]["key"]


@dataclass(slots=True)
class _Spoken:
    """What the rows of an import say of one entity: where, under which names, and its texts."""

    place: str
    name: str
    names: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)


def mentioning(
    project: str, rows: Sequence[Row], others: Iterable[Stored], *, progress: Progress
) -> Iterator[Row]:
    """Make relations of the names in the texts of imported entities.

    An entity mentions each other one once, the 50 first that it names, unless a relation of the
    same import joins the two already.

    Args:
        project: The project they belong to.
        rows: What the import says of it.
        others: The entities that are there beside them.
        progress: Hears of the reading.
    """
    spoken = _spoken(project, rows)
    known = {other.key: other for other in others if other.key not in spoken}
    called = {key: one.names for key, one in spoken.items()}
    called |= {key: _names(one.name, one.aliases, one.title) for key, one in known.items()}
    shown = {key: one.name for key, one in spoken.items()}
    shown |= {key: one.name for key, one in known.items()}
    names = Names((name, key) for key, own in called.items() for name in own)
    joined = _joined(project, rows, called)
    for done, (key, one) in enumerate(spoken.items(), 1):
        found = (key_found for said in one.texts for key_found in names.found_in(prose(said)))
        for other in _first(found, joined.get(key, set()) | {key}):
            yield Row(one.place, _mention(one.name, shown[other]))
        progress.advance("Finding mentions", done, len(spoken))


def _spoken(project: str, rows: Sequence[Row]) -> dict[str, _Spoken]:
    found: dict[str, _Spoken] = {}
    for row in rows:
        if isinstance(row.value, Entity):
            said = row.value
            one = found.setdefault(text.key(project, said.name), _Spoken(row.place, said.name))
            one.names += _names(said.name, said.aliases, said.title)
            one.texts += [
                part for part in (said.text, *(o.text for o in said.observations)) if part
            ]
    return found


def _names(name: str, aliases: Sequence[str], title: str | None) -> list[str]:
    """What an entity is called; a title of one word is as often no name but what it is."""
    titles = [title] if title is not None and " " in title.strip() else []
    return [name, *aliases, *titles]


def _joined(project: str, rows: Sequence[Row], called: dict[str, list[str]]) -> dict[str, set[str]]:
    """The entities that relations of the import join to each, whatever their direction."""
    bearers: dict[str, set[str]] = {}
    for key, own in called.items():
        for name in own:
            bearers.setdefault(text.name_form(name), set()).add(key)

    def keys(name: str) -> set[str]:
        exact = text.key(project, name)
        return {exact} if exact in called else bearers.get(text.name_form(name), set())

    joined: dict[str, set[str]] = {}
    for row in rows:
        if isinstance(row.value, Relation) and not is_derived(row.value):
            starts, ends = keys(row.value.start), keys(row.value.end)
            for one, others in ((starts, ends), (ends, starts)):
                for key in one:
                    joined.setdefault(key, set()).update(others)
    return joined


def is_derived(relation: Relation) -> bool:
    """Whether a relation was made out of a text."""
    return relation.attributes.get("derived") is True


def _first(found: Iterable[str], passed: set[str]) -> Iterator[str]:
    """The first 50 different keys that are not among those passed over."""
    seen = set(passed)
    for key in found:
        if key not in seen:
            seen.add(key)
            yield key
            if len(seen) - len(passed) == MOST_MENTIONS:
                return


def _mention(start: str, end: str) -> Relation:
    return Relation(start, MENTION, end, weight=WEIGHT, attributes={"derived": True})
