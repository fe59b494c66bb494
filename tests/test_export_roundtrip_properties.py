"""Whatever happens to a project, an export brings it back, and imports say nothing new again."""

import itertools
import json
import random
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from graphmem.errors import Conflict, InvalidInput, NotFound
from graphmem.graph import Graph
from graphmem.memory import Memory
from graphmem.model import Report
from graphmem.write.repair.comparing import compare
from stores import lines_of

NAMES = [f"Part {number}" for number in range(6)]
WORDS = ["amber", "basalt", "cobalt", "diorite", "emerald", "feldspar", "Straße", "ΟΔΟΣ"]
DAYS = ["2024-02-29", "2025-06-01", "2025-06-01T10:30:00+02:00"]
UNSET = ["title", "text", "lead_in", "valid_until"]
STEPS = 24
BEGINNING = "2000-01-01"
# Lists of which the order says nothing.
SETS = frozenset({"tags", "aliases", "asserted_by"})
Line = dict[str, Any]


class Life:
    """A project to which things happen by chance.

    Args:
        memory: The project.
        seed: Of the chances.
        whole: Imports a folder as all there is.
        folder: Where files are written.
    """

    def __init__(
        self, memory: Memory, seed: int, whole: Callable[..., Report], folder: Path
    ) -> None:
        self.memory = memory
        self.whole = whole
        self.chance = random.Random(seed)  # noqa: S311 - no secret
        self.folders = [folder / name for name in "ab"]
        self.trace: list[str] = []
        memory.remember([{"name": name} for name in NAMES])
        for one in self.folders:
            one.mkdir()
            (one / "facts.jsonl").write_text("")

    def go_on(self) -> None:
        """Have one thing happen, if it can."""
        verb, call = self.chance.choice(sorted(self.steps().items()))
        try:
            call()
        except (NotFound, InvalidInput, Conflict) as error:
            verb = f"{verb}: {error}"
        self.trace.append(verb)

    def steps(self) -> dict[str, Callable[[], object]]:
        memory, (one, other) = self.memory, self.chance.sample(NAMES, 2)
        word, said = self.chance.choice(WORDS), " ".join(self.chance.sample(WORDS, 3))
        return {
            f"remember {one}": lambda: memory.remember([self.entity(one)]),
            f"overwrite {one}": lambda: memory.remember([self.entity(one)], overwrite=True),
            f"title of {one}": lambda: memory.edit({"name": one, "title": f"Title {said}"}),
            f"unset of {one}": lambda: memory.edit(
                {"name": one, "unset": self.chance.sample(UNSET, 2)}
            ),
            f"take from {one}": lambda: self.take(one),
            f"correct {one}": lambda: self.correct(one, said),
            f"rename {one}": lambda: memory.rename(one, f"{one} of {said}"),
            f"merge {one} into {other}": lambda: memory.merge(one, other),
            f"supersede {one} by {other}": lambda: memory.supersede(one, other, note=said),
            f"forget {one}": lambda: memory.forget(one),
            f"restore {one}": lambda: memory.restore(one),
            f"link {one} to {other}": lambda: self.link(one, other),
            f"unlink {one} from {other}": lambda: memory.unlink(one, other),
            "undo": lambda: memory.undo("last"),
            f"add {said}": lambda: memory.remember([{"name": f"Part {said}", "text": word}]),
            "import a": lambda: self.bring(self.folders[0]),
            "import b": lambda: self.bring(self.folders[1]),
            "import again": lambda: [self.whole(folder) for folder in self.folders],
        }  # fmt: skip

    def entity(self, name: str) -> Line:
        """What somebody may say of an entity."""
        words = self.chance.sample(WORDS, 3)
        all_of: Line = {
            "kind": self.chance.choice(["Stone", "Idea"]),
            "title": f"Title {words[0]}",
            "text": " ".join(words),
            "status": self.chance.choice(["active", "draft", "deprecated"]),
            "category": f"{words[0]}/{words[1]}",
            "lead_in": f"{words[2]}?",
            "confidence": self.chance.choice([0, 0.5, 1]),
            "aliases": [f"{name} called {words[1]}"],
            "tags": words[:2],
            "observations": [" ".join(words[1:]), f"{words[2]} was seen."],
            "attributes": {words[0]: self.chance.choice([1, "1", True, 1.0, {"date": DAYS[0]}])},
            "valid_from": self.chance.choice(DAYS[:1]),
            "valid_until": self.chance.choice(DAYS[1:]),
        }
        return {"name": name, **{key: all_of[key] for key in self.chance.sample(sorted(all_of), 4)}}

    def relation(self, one: str, other: str) -> Line:
        """What somebody may say of a relation."""
        all_of: Line = {
            "note": self.chance.choice(WORDS),
            "weight": 0.5,
            "confidence": 0.25,
            "valid_from": self.chance.choice(DAYS),
            "attributes": {"cost": self.chance.choice([1, "1"])},
        }
        some = {key: all_of[key] for key in self.chance.sample(sorted(all_of), 2)}
        return {
            "from": one,
            "relation": self.chance.choice(["BESIDE", "UNDER"]),
            "to": other,
            **some,
        }

    def link(self, one: str, other: str) -> None:
        """Link two entities."""
        self.memory.remember(relations=[self.relation(one, other)])

    def take(self, name: str) -> None:
        """Remove something of what an entity has."""
        entity = self.memory.get(name)[0].entity
        has: dict[str, list[Any]] = {
            "observations": [observation.id for observation in entity.observations],
            "tags": list(entity.tags),
            "aliases": list(entity.aliases),
            "attributes": list(entity.attributes),
        }
        some = {key: [self.chance.choice(value)] for key, value in has.items() if value}
        self.memory.edit({"name": name, "remove": some})

    def correct(self, name: str, said: str) -> None:
        """Replace an observation by another one."""
        observations = self.memory.get(name)[0].entity.observations
        if observations:
            made_id = self.chance.choice(observations).id
            self.memory.edit({"name": name, "observations": [{"id": made_id, "text": said}]})

    def bring(self, folder: Path) -> None:
        """Import a folder in which something else stands now."""
        some = self.chance.sample(NAMES, 4)
        lines = [self.entity(name) for name in some]
        lines += [self.relation(one, other) for one, other in itertools.pairwise(some)]
        (folder / "facts.jsonl").write_text("\n".join(map(json.dumps, lines)))
        self.whole(folder)

    def visible(self) -> list[Line]:
        """What a plain export has, without what was removed; it does not know who said what."""
        lines = json.loads(json.dumps(list(self.memory.export())))
        kept = [line for line in lines if line.get("status") != "removed"]
        return sorted(map(ordered, kept), key=json.dumps)

    def changes(self) -> list[str]:
        """The ids of all changes."""
        return [change.id for change in self.memory.changes(BEGINNING, limit=1000).changes]

    def state(self, project: str | None = None) -> list[Line]:
        """What an export has of a project, whatever it is called and when that was written."""
        name = project or str(self.memory.project)
        lines = json.loads(json.dumps(list(lines_of(self.memory, name))).replace(f"{name}#", "#"))
        for line in lines:
            del line["project"]
            line.get("provenance", {}).pop("updated_at", None)
        return sorted((ordered(line) for line in lines), key=json.dumps)

    def history(self, name: str, project: str | None = None) -> list[Line]:
        revisions: Any = self.memory.history(name, project=project).to_json()["revisions"]
        return [
            {k: v for k, v in revision.items() if k not in {"change", "source"}}
            for revision in revisions
        ]


def ordered(line: Line) -> Line:
    """The same with lists in one order where their order says nothing."""
    provenance = line.get("provenance", {})
    observations = line.get("observations", [])
    said = list(itertools.zip_longest(observations, provenance.get("observed_by", [])))
    return {
        **{k: sorted(v, key=json.dumps) if k in SETS else v for k, v in line.items()},
        "observations": sorted(said, key=json.dumps),
        "provenance": {
            key: sorted(value) if key in SETS else value
            for key, value in provenance.items()
            if key != "observed_by"
        },
    }


def copied(life: Life, lines: list[Line], folder: Path, *, history: bool) -> str:
    """Import lines of its export into another project; gives that one's name."""
    memory, name = life.memory, str(life.memory.project)
    copy = f"{name}-{'lived' if history else 'copy'}"
    path = folder / f"{history}.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))
    if history:
        report = memory.import_("jsonl", path, project=copy, history=True)
    else:
        path.write_text(path.read_text().replace(name, copy))
        report = memory.import_("jsonl", path, everything=True)
    assert not report.refused, (life.trace, report.refused)
    return copy


@pytest.mark.parametrize("seed", range(3))
def test_a_project_is_what_it_was_in_its_copies_and_for_imports(
    memory: Memory, seed: int, whole: Callable[..., Report], tmp_path: Path, graph: Graph
) -> None:
    life = Life(memory, seed, whole, tmp_path)
    for _ in range(STEPS):
        life.go_on()
    name, now = str(memory.project), life.state()

    own = {"first": f"{name}#", "last": f"{name}$", "after": "", "limit": 100}
    keys = [row["key"] for row in graph.read("read/project_keys", **own)]
    for row in graph.read(
        "read/compared_entities", keys=keys, property="embedding", dimensions=None
    ):
        assert compare(row, datetime.now(UTC)).sorts == {}, (life.trace, row["key"])

    plain = copied(life, list(lines_of(memory, name)), tmp_path, history=False)
    assert life.state(plain) == now, life.trace
    lived = copied(life, list(memory.export(history=True)), tmp_path, history=True)
    assert life.state(lived) == now, life.trace
    for line in now:
        if line["type"] == "entity":
            assert life.history(line["name"], lived) == life.history(line["name"]), life.trace

    for folder in life.folders:
        whole(folder)
    again = life.state()
    for folder in life.folders:
        new = [item for item in whole(folder).items if item.outcome != "unchanged"]
        assert not [item for item in new if item.outcome != "refused"], (life.trace, new)
    assert life.state() == again, life.trace


@pytest.mark.parametrize("seed", range(2))
def test_a_change_is_undone_whole_and_so_is_its_undoing(
    memory: Memory, seed: int, whole: Callable[..., Report], tmp_path: Path
) -> None:
    life = Life(memory, seed, whole, tmp_path)
    for _ in range(STEPS):
        before, changes = life.visible(), life.changes()
        life.go_on()
        if len(life.changes()) != len(changes) + 1 or life.trace[-1].startswith("undo"):
            continue
        after = life.visible()
        for expected in (before, after):
            memory.undo("last")
            assert life.visible() == expected, life.trace
