"""What was said once, by one speaker: the entities and relations that it becomes."""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Self

from graphmem import text
from graphmem.adapters.conversations.importer.values import short_id
from graphmem.errors import InvalidInput
from graphmem.importing.fields import period_of, source_or_none
from graphmem.importing.refusing import refused
from graphmem.importing.row import Row
from graphmem.model import Entity, Relation, limits
from graphmem.model.period import PERIOD

CONVERSATION, SESSION, TURN = "Conversation", "Session", "Turn"
NEXT, NEXT_BUT_ONE, PART_OF = "NEXT", "NEXT_BUT_ONE", "PART_OF"
# What links pass on: a turn beside a match, or the one after it, often answers it (measured in
# benchmarks/tuning.md); a conversation as a whole answers less than the turns it consists of.
NEXT_WEIGHT, NEXT_BUT_ONE_WEIGHT, PART_OF_WEIGHT = 0.65, 0.6, 0.1

# What a turn means shows from how the one before it ends, often with a question. More of that costs
# time and finds no more (measured likewise).
LEAD_IN_CHARACTERS = 200
# What a line tells beside its own fields that is a field of the entity, too.
FIELDS = frozenset({"lead_in", *PERIOD})
# What is cut at the beginning is left out up to the next space, unless that is further: Chinese and
# addresses have none.
MOST_OF_A_WORD = 40


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation as it is written down.

    Args:
        name: Its name, which does not change when it goes on or gets another title.
        title: What people call it.
        summary: What it is about.
        began: Its first moment; that of its first turn where None.
    """

    name: str
    title: str | None = None
    summary: str | None = None
    began: datetime | None = None

    @classmethod
    def of_export(
        cls,
        tool: str,
        identity: str,
        began: datetime | None,
        *,
        title: str | None = None,
        summary: str | None = None,
    ) -> Self:
        """A conversation that a tool exported, called `Claude/2026-03-01 0f3a…`."""
        date = f"{began:%Y-%m-%d} " if began else ""
        return cls(f"{tool}/{date}{short_id(identity)}", title, summary, began)


@dataclass(frozen=True, slots=True)
class Turn:
    """What was said once, by one speaker.

    Args:
        place: The file and line.
        file: The file.
        conversation: Where it was said.
        session: The part of the conversation it was said in, if it has parts.
        id: What tells it from the others of its session.
        speaker: Who said it.
        text: What was said.
        time: When.
        previous: The name of the turn before it; None for the last one told of its session.
        is_first: Whether nothing was said before it.
        status: `superseded` where something else was said instead.
        observations: Texts that were handed over with it, as objects of `Observation.from_json`.
        attributes: What else is known of it; `lead_in` and the ends of a period are fields.
    """

    place: str
    file: str
    conversation: Conversation
    id: str
    speaker: str
    text: str
    session: str | None = None
    time: datetime | None = None
    previous: str | None = None
    is_first: bool = False
    status: str | None = None
    observations: tuple[Mapping[str, object], ...] = ()
    attributes: Mapping[str, object] = field(default_factory=dict)

    @property
    def group_name(self) -> str:
        """The name of the session or, where there are none, of the conversation."""
        if self.session is None:
            return self.conversation.name
        return f"{self.conversation.name}/{self.session}"

    @property
    def name(self) -> str:
        """Its name: the path of the conversation, the session and its own id."""
        return f"{self.group_name}/{self.id}"

    def entity(self, lead_in: str | None = None) -> Entity:
        """The turn as an entity.

        Args:
            lead_in: The end of what was said before it, for a turn that tells none itself.

        Raises:
            InvalidInput: A field is not allowed.
        """
        reserved = {"speaker": self.speaker, "conversation": self.conversation.name}
        attributes = {name: value for name, value in self.attributes.items() if name not in FIELDS}
        fields = {
            "name": self.name,
            "kind": TURN,
            "title": self.speaker,
            "text": self.text,
            "status": self.status,
            "source": source_or_none(self.file),
            "lead_in": self.attributes.get("lead_in", lead_in),
            "created_at": self.time,
            "observations": self.observations,
            "attributes": {**attributes, **reserved, "session": self.session},
            **period_of(self.attributes),
        }
        return Entity.from_json(fields, argument="turn")


class Transcript:
    """The turns that were told so far, so that each is linked to the one before it."""

    def __init__(self) -> None:
        # Digests, since a log may have millions of turns.
        self._names: set[int] = set()
        # Here and below by folded names, as those of entities are compared.
        self._groups: set[str] = set()
        # Of each conversation or session: its last turn, and the one before that.
        self._last: dict[str, tuple[str, str | None]] = {}
        # How turns end: of lines the last one of each, and of an export's conversation in hand,
        # whose branches begin anywhere, every one.
        self._ends: dict[str, str] = {}
        self._exported: dict[str, str] = {}
        self._in_hand = ""
        # What was said before each turn of an export that was refused.
        self._refused: dict[str, str | None] = {}

    def rows(self, turns: Iterable[Turn | Row]) -> Iterator[Row]:
        """The rows of turns; what was refused of them stays a row."""
        for turn in turns:
            yield from [turn] if isinstance(turn, Row) else self._rows_of(turn)

    def _rows_of(self, turn: Turn) -> Iterator[Row]:
        """The rows of a turn: what it is part of where that is new, itself, and its links."""
        if turn.previous in self._refused:
            previous = self._refused[turn.previous]
            turn = replace(turn, previous=previous, is_first=previous is None)
        group_key = text.normalised(turn.group_name)
        last_turn, turn_before_last = self._last.get(group_key, (None, None))
        previous = None if turn.is_first else turn.previous or last_turn
        try:
            entity = turn.entity(self._end_of(turn, previous))
            groups = list(self._new_groups(turn))
        except InvalidInput as error:
            if turn.is_first or turn.previous is not None:
                self._refused[turn.name] = previous
            yield refused(turn.place, error, name=turn.name)
            return
        for name in (*(group.name for group, _ in groups), entity.name):
            if _digest(name) in self._names:
                reason = f"{name} is said twice; give one of them another id"
                yield refused(turn.place, reason, name=turn.name)
                return
        for group, part_of in groups:
            self._groups.add(text.normalised(group.name))
            self._names.add(_digest(group.name))
            yield Row(turn.place, group)
            yield from [Row(turn.place, part_of)] if part_of else []
        self._names.add(_digest(entity.name))
        yield Row(turn.place, entity)
        yield Row(turn.place, _part_of(turn.name, turn.group_name))
        if previous is not None:
            yield Row(turn.place, Relation(previous, NEXT, turn.name, weight=NEXT_WEIGHT))
        if previous is not None and previous == last_turn and turn_before_last is not None:
            link = Relation(turn_before_last, NEXT_BUT_ONE, turn.name, weight=NEXT_BUT_ONE_WEIGHT)
            yield Row(turn.place, link)
        self._last[group_key] = turn.name, previous
        self._note_end(turn)

    def _end_of(self, turn: Turn, previous: str | None) -> str | None:
        """How the turn before it ends, where that is known."""
        if previous is None:
            return None
        if turn.previous is None:
            return self._ends.get(text.normalised(turn.group_name)) or None
        return self._exported.get(previous) or None

    def _note_end(self, turn: Turn) -> None:
        if not turn.is_first and turn.previous is None:
            self._ends[text.normalised(turn.group_name)] = end(turn.text)
            return
        if turn.conversation.name != self._in_hand:
            self._in_hand = turn.conversation.name
            self._exported.clear()
        self._exported[turn.name] = end(turn.text)

    def _new_groups(self, turn: Turn) -> Iterator[tuple[Entity, Relation | None]]:
        conversation = turn.conversation
        began = conversation.began or turn.time
        source = source_or_none(turn.file)
        if text.normalised(conversation.name) not in self._groups:
            fields = {
                "name": conversation.name,
                "kind": CONVERSATION,
                "title": conversation.title,
                "text": conversation.summary,
                "created_at": began,
                "source": source,
            }
            yield Entity.from_json(fields, argument="conversation"), None
        if turn.session is not None and text.normalised(turn.group_name) not in self._groups:
            fields = {
                "name": turn.group_name,
                "kind": SESSION,
                "created_at": turn.time,
                "source": source,
            }
            entity = Entity.from_json(fields, argument="session")
            yield entity, _part_of(turn.group_name, conversation.name)


def _digest(name: str) -> int:
    return hash(text.normalised(name))


def _part_of(part: str, group: str) -> Relation:
    return Relation(part, PART_OF, group, weight=PART_OF_WEIGHT)


def end(speech: str) -> str:
    """The last words of what was said, on one line, within the length of a lead-in."""
    # Much more than is kept, since spaces become one and some signs fewer.
    line = _line(unicodedata.normalize("NFKC", speech.rstrip()[-10 * LEAD_IN_CHARACTERS :]))
    if len(line) <= LEAD_IN_CHARACTERS:
        return line
    ending = line[-LEAD_IN_CHARACTERS:]
    first_word, _, other_words = ending.partition(" ")
    is_word = len(first_word) < MOST_OF_A_WORD and other_words
    return (other_words if is_word and line[-LEAD_IN_CHARACTERS - 1] != " " else ending).strip()


def title(value: object) -> str | None:
    """A title on one line, within the length of a name; None where there is none."""
    if not isinstance(value, str):
        return None
    return _line(value)[: limits.NAME_CHARACTERS].strip() or None


def _line(speech: str) -> str:
    return "".join(mark for mark in " ".join(speech.split()) if mark.isprintable())
