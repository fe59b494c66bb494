"""JSON lines of turns.

A line has `conversation`, `id`, `speaker` (or `role`) and `text`, and may have `session` and
`time`, and `lead_in` instead of the end of the turn before; any other field becomes a custom
attribute of the turn.
"""

from collections.abc import Iterable, Iterator, Mapping

from graphmem.adapters.conversations.importer.turns import FIELDS, Conversation, Turn
from graphmem.adapters.conversations.importer.values import identifier, moment
from graphmem.errors import NOT_SHOWN, InvalidInput
from graphmem.importing.fields import own_attributes
from graphmem.importing.opening import File
from graphmem.importing.refusing import Refused, refused
from graphmem.importing.row import Row
from graphmem.model import limits

OWN = frozenset({"conversation", "session", "id", "speaker", "time", "text"})
REQUIRED = ("conversation", "id", "speaker", "text")


def turns(placed_lines: Iterable[tuple[str, object]], file: File) -> Iterator[Turn | Row]:
    """Read the lines of a file, each with its place."""
    for place, value in placed_lines:
        try:
            yield _turn(value, place=place, file=file.place)
        except (Refused, InvalidInput) as error:
            yield refused(place, error)


def _turn(value: object, *, place: str, file: str) -> Turn:
    """Read a line.

    Raises:
        Refused: It is no JSON.
        InvalidInput: A field is missing or not allowed.
    """
    if isinstance(value, Refused):
        raise value
    if not isinstance(value, dict):
        raise InvalidInput("line", value, "must be an object")
    fields = dict(value)
    if fields.get("speaker") is None:
        fields["speaker"] = fields.pop("role", None)
    if missing := [name for name in REQUIRED if fields.get(name) is None]:
        requirement = "must be given: each line is a turn with conversation, id, speaker and text"
        raise InvalidInput(", ".join(missing), NOT_SHOWN, requirement)
    text = limits.text("text", fields.get("text"))
    if not text.strip():
        raise InvalidInput("text", text, "must not be blank")
    return Turn(
        place=place,
        file=file,
        conversation=Conversation(identifier("conversation", fields.get("conversation"))),
        session=_session(fields.get("session")),
        id=identifier("id", fields.get("id")),
        speaker=limits.label("speaker", fields["speaker"]),
        text=text,
        time=moment("time", fields.get("time")),
        attributes=_attributes(fields),
    )


def _attributes(fields: Mapping[str, object]) -> dict[str, object]:
    """What a line tells beside its own fields; see `Turn.attributes`."""
    others = {name: value for name, value in fields.items() if name not in OWN | FIELDS}
    told_fields = {name: value for name, value in fields.items() if name in FIELDS}
    return {**own_attributes(others, taken=OWN), **told_fields}


def _session(value: object) -> str | None:
    """The name of a session; a bare number is `session 3`."""
    if value is None:
        return None
    name = identifier("session", value)
    return f"session {name}" if name.isdecimal() else name
