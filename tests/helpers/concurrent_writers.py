"""Writers that rename, merge, replace, link, purge, undo and remember the same entities at once."""

import json
import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from concurrent_calls import at_once
from graphmem import text
from graphmem.calls import acting
from graphmem.errors import Conflict, InvalidInput, NotFound
from graphmem.memory import Memory
from graphmem.model.paths import WORD
from graphmem.write.assertions import states
from graphmem.write.assertions.earlier_states import overlaid
from graphmem.write.entities import snapshots

ENTITIES = 100
# What a writer may be told when another one was quicker.
EXPECTED = (NotFound, InvalidInput, Conflict)


@dataclass
class Load:
    """What writers did, and what was seen meanwhile.

    Args:
        memory: The memory they share.
        seed: Of the writers' choices.
        turns: What the turns of this load are called before their numbers.
    """

    memory: Memory
    seed: int = 1
    turns: str = ""
    done: Counter[str] = field(default_factory=Counter)
    said: set[str] = field(default_factory=set)
    seen: dict[tuple[str, int], dict[str, object]] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def fill(self) -> None:
        """Make the entities, some of them linked, and as many that may be purged."""
        names = [*map(name_of, range(ENTITIES)), *map(purged_name, range(ENTITIES))]
        self.memory.remember(
            [{"name": name, "text": f"All about {name}."} for name in names],
            [
                {"from": name_of(i), "relation": "BESIDE", "to": name_of((i + 1) % ENTITIES)}
                for i in range(ENTITIES)
            ],
        )

    def run(self, writers: int, keeps_on: Callable[[int], bool]) -> None:
        """Have so many writers and two readers go on as long as they are told, by their turns."""
        writing = threading.Event()

        def write(number: int) -> None:
            chance = random.Random(self.seed * 1000 + number)  # noqa: S311 - no secret
            turn = 0
            with acting(f"writer {number}"):
                while keeps_on(turn):
                    self._act(chance, f"{self.turns}{number}.{turn}")
                    turn += 1

        def work(number: int) -> None:
            try:
                write(number)
            finally:
                with self.lock:
                    self.done["writers"] += 1
                    if self.done["writers"] == writers:
                        writing.set()

        def read(number: int) -> None:
            chance = random.Random(self.seed * 1000 + 500 + number)  # noqa: S311 - no secret
            while not writing.is_set():
                self._look(chance)

        at_once(
            *(lambda number=number: work(number) for number in range(writers)),
            *(lambda number=number: read(number) for number in range(2)),
        )

    def _act(self, chance: random.Random, turn: str) -> None:
        """One call of a writer."""
        one, other = (name_of(chance.randrange(ENTITIES)) for _ in range(2))
        verb = chance.choices(*zip(*VERBS.items(), strict=True))[0]
        try:
            self._call(verb, one, other, turn)
        except EXPECTED as error:
            verb = f"{verb}: {type(error).__name__}"
        with self.lock:
            self.done[verb] += 1

    def _call(self, verb: str, one: str, other: str, turn: str) -> None:
        memory = self.memory
        to_purge = purged_name(int(one.rpartition(" ")[2]))
        title = {"name": one, "title": f"Title {turn}", "attributes": {"turn": turn}}
        calls: dict[str, Callable[[], object]] = {
            "remember": lambda: self._say(one, f"Said in turn {turn}."),
            "edit": lambda: memory.edit(title),
            "rename": lambda: memory.rename(one, f"{one} called {turn}"),
            "merge": lambda: memory.merge(one, other),
            "supersede": lambda: memory.supersede(one, other),
            "restore": lambda: memory.restore(one),
            "link": lambda: memory.link(one, "BESIDE", other, note=turn),
            "unlink": lambda: memory.unlink(one, other),
            "undo": lambda: self._undo(one),
            "purge": lambda: memory.purge(to_purge),
            "remember purged": lambda: memory.remember([{"name": to_purge}]),
        }
        calls[verb]()

    def _say(self, name: str, said: str) -> None:
        self.memory.remember([{"name": name, "observations": [said]}])
        self.heard(said)

    def _undo(self, name: str) -> None:
        revisions = self.memory.history(name).revisions
        own = [
            revision.change
            for revision in revisions
            if revision.verb in {"rename", "merge", "edit"}
        ]
        if own and own[0] is not None:
            self.memory.undo(own[0])

    def _look(self, chance: random.Random) -> None:
        """Search, and keep what an entity is in one of its revisions."""
        name = name_of(chance.randrange(ENTITIES))
        self.memory.search(name, limit=5)
        try:
            found = [page.key for page in self.memory.get(name)]
        except NotFound:
            return
        # A read that a commit comes between has some of either revision, so two must be the same.
        first, second = self._states(found), self._states(found)
        for key, seen in first.items():
            if second.get(key) == seen:
                self.looked(key, *seen)

    def _states(self, keys: Sequence[str]) -> dict[str, tuple[int, dict[str, object]]]:
        """The revision of each entity that is there, and what it is."""
        return {
            key: (
                int(stored.properties.get("graphmem_revision", 1)),
                without_moments(states.stored_state(stored)),
            )
            for key, stored, _ in snapshots(self.memory.graph, keys)
            if stored.properties
        }

    def heard(self, said: str) -> None:
        """Keep what was said and acknowledged."""
        with self.lock:
            self.said.add(said)

    def looked(self, key: str, revision: int, state: dict[str, object]) -> None:
        """Keep what an entity was in one of its revisions."""
        with self.lock:
            self.seen[key, revision] = state
            self.done["looked at"] += 1

    def problems(self) -> Iterator[str]:
        """What is wrong afterwards, a sentence each."""
        memory = self.memory
        lines = list(memory.export())
        entities = [line for line in lines if line["type"] == "entity"]
        names = Counter(text.normalised(str(entity["name"])) for entity in entities)
        yield from (f"{name} is there {count} times" for name, count in names.items() if count > 1)
        kept: Counter[str] = Counter()
        for one in entities:
            told: Any = one.get("observations") or ()
            kept.update(observation["text"] for observation in told)
        yield from (f"lost: {said}" for said in sorted(self.said - kept.keys()))
        yield from (f"{row['problem']}: {row['key']}" for row in self._dangling())
        yield from self._unlike()

    def _dangling(self) -> list[dict[str, Any]]:
        with self.memory.graph._session("WRITE") as session:
            return [dict(row) for row in session.run(DANGLING, project=self.memory.project)]

    def _unlike(self) -> Iterator[str]:
        """Where history does not lead back to what was seen of a revision."""
        graph = self.memory.graph
        keys = sorted({key for key, _ in self.seen})
        rows = graph.read("read/revisions", keys=keys, limit=100_000)
        compared = 0
        for key, stored, _ in snapshots(graph, keys):
            state = states.stored_state(stored)
            last = int(stored.properties.get("graphmem_revision", 1)) if state else None
            own = [row for row in rows if row["key"] == key]
            if last is None and own:
                last = own[0]["revision"] + 1
            numbers = [row["revision"] for row in own]
            if numbers != list(range(numbers[0] if numbers else 1, 1, -1)):
                yield f"{key} has the revisions {numbers}"
            for row in [None, *own]:
                if row is not None:
                    state = overlaid(state, json.loads(row["before"]))
                    last = row["revision"] - 1
                there = self.seen.get((key, last or 0))
                if there is not None:
                    compared += 1
                    if there != without_moments(state):
                        differs = states.difference(there, without_moments(state))
                        yield f"{key} was not so in revision {last}: {sorted(differs)}"
        self.done["compared"] = compared


VERBS = {
    "remember": 30, "edit": 10, "rename": 8, "merge": 4, "supersede": 4, "restore": 4, "link": 12,
    "unlink": 6, "undo": 10, "purge": 4, "remember purged": 8,
}  # fmt: skip

DANGLING = """
MATCH (entity:Entity) WHERE entity.name IS NULL AND entity.key STARTS WITH $project
RETURN 'an entity without a name' AS problem, entity.key AS key
UNION
MATCH (passage:Passage {project: $project}) WHERE NOT EXISTS { (:Entity)-[:HAS_PASSAGE]->(passage) }
RETURN 'a passage without an entity' AS problem, passage.id AS key
UNION
MATCH (entity:Entity {project: $project}) WHERE NOT EXISTS { (entity)-[:HAS_PASSAGE]->() }
RETURN 'an entity without a passage' AS problem, entity.key AS key
UNION
MATCH (redirect:GraphmemRedirect)
WHERE redirect.key STARTS WITH $project
  AND NOT EXISTS { MATCH (entity:Entity) WHERE entity.key = redirect.target }
RETURN 'a name that leads nowhere' AS problem, redirect.key AS key
UNION
MATCH (redirect:GraphmemRedirect) WHERE redirect.key STARTS WITH $project
MATCH (entity:Entity {key: redirect.key})
RETURN 'an entity whose key leads elsewhere' AS problem, redirect.key AS key
UNION
MATCH (one:Entity {project: $project})-[relation:!HAS_PASSAGE]->(other:Entity)
WITH one, other, type(relation) AS type, relation.graphmem_since AS since, count(*) AS times
WHERE times > 1
RETURN 'a relation that is there twice' AS problem, one.key + ' ' + type AS key
"""


def name_of(number: int) -> str:
    """The name that an entity has at first, by which it is called throughout."""
    return f"Thing {number}"


def purged_name(number: int) -> str:
    """The name of an entity that may be deleted at any time."""
    return f"Entity to purge {number}"


def without_moments(state: dict[str, Any]) -> dict[str, object]:
    """A state without the moments of words, which are those of the last write of a sole author."""
    return {
        path: {author: value for author, (_, value) in one.items()}
        if path.startswith(WORD)
        else one
        for path, one in state.items()
    }


def for_seconds(seconds: float) -> Callable[[int], bool]:
    """Keep on for a while."""
    end = time.monotonic() + seconds
    return lambda _: time.monotonic() < end
