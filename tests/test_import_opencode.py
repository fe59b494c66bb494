"""`graphmem import conversations`: what people and OpenCode said to each other."""

import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from agent_sessions import (
    FOLDER,
    opencode_message,
    opencode_session,
    opencode_time,
    refusals,
    turns,
    write_opencode,
    write_opencode_message,
)
from graphmem.memory import Memory
from graphmem.model import Entity, Item, Relation
from graphmem.transfer import FORMATS, Row

NAME = "OpenCode/2026-03-01 ses_1"
SPOKEN = [
    ("user", "Why does @relay.log say nothing?"),
    ("assistant", "I look at the relay first.\n\nIts certificate ran out."),
    ("user", "[image]\n\nWhat now?"),
]


def rows(path: Path) -> list[Row]:
    return list(FORMATS["conversations"].read(path))


def stored(folder: Path, *sessions: dict[str, Any]) -> list[Row]:
    """What is read of a database."""
    return rows(write_opencode(folder / "opencode.db", *sessions))


def exported(folder: Path, session: object) -> list[Row]:
    """What is read of an export."""
    path = folder / "session.json"
    path.write_text(json.dumps(session, indent=2), encoding="utf-8")
    return rows(path)


def session_of(*messages: object, **info: object) -> dict[str, Any]:
    session = opencode_session()
    return {"info": session["info"] | info, "messages": list(messages) or session["messages"]}


def test_a_session_is_what_was_said(tmp_path: Path) -> None:
    for read in (stored(tmp_path, session_of()), exported(tmp_path, session_of())):
        assert turns(read) == SPOKEN
        assert refusals(read) == []
        conversation, question = [row.value for row in read if isinstance(row.value, Entity)][:2]
        assert (conversation.name, conversation.title) == (NAME, "The relay")
        assert conversation.created_at == datetime(2026, 3, 1, 10, tzinfo=UTC)
        assert question.name == f"{NAME}/msg_01"
        assert question.created_at == datetime(2026, 3, 1, 10, 0, 1, tzinfo=UTC)
        assert question.attributes == {"cwd": FOLDER, "speaker": "user", "conversation": NAME}
        links = [row.value for row in read if isinstance(row.value, Relation)]
        following = [(link.start[-2:], link.end[-2:]) for link in links if link.relation == "NEXT"]
        assert following == [("01", "02"), ("02", "09")]


@pytest.mark.parametrize(
    ("title", "expected"),
    [("New session - 2026-03-01T10:00:00.000Z", None), ("New session - why?",) * 2],
)
def test_a_session_that_has_no_title_yet_has_none(
    tmp_path: Path, title: str, expected: str | None
) -> None:
    (conversation, *_) = stored(tmp_path, session_of(title=title))
    assert isinstance(conversation.value, Entity)
    assert conversation.value.title == expected


def test_what_sub_agents_and_people_do_not_say_to_each_other_is_not_read(tmp_path: Path) -> None:
    session = session_of(id="ses_2", parentID="ses_1")
    assert stored(tmp_path, session) == []
    assert exported(tmp_path, session) == []


def test_what_was_undone_is_not_read(tmp_path: Path) -> None:
    session = session_of(revert={"messageID": "msg_09"})
    assert turns(stored(tmp_path, session)) == SPOKEN[:2]
    assert turns(exported(tmp_path, session)) == SPOKEN[:2]


def test_what_a_fork_repeats_is_read_once(tmp_path: Path) -> None:
    copies = [
        message | {"info": message["info"] | {"id": f"copy of {message['info']['id']}"}}
        for message in opencode_session()["messages"]
    ]
    other = opencode_message(20, "assistant", "Renew it.")
    fork = session_of(*copies, other, id="ses_2", time=opencode_time(19))
    assert turns(stored(tmp_path, fork, session_of())) == [*SPOKEN, ("assistant", "Renew it.")]


def test_what_is_said_twice_without_a_time_is_read_twice(tmp_path: Path) -> None:
    messages = [
        opencode_message(second, speaker, "Yes.", time={})
        for second, speaker in enumerate(("user", "assistant", "user"))
    ]
    assert len(turns(exported(tmp_path, session_of(*messages)))) == 3


def test_a_database_is_read_while_opencode_writes(tmp_path: Path) -> None:
    path = write_opencode(tmp_path / "opencode.db", session_of())
    with closing(sqlite3.connect(path)) as connection:
        write_opencode_message(connection, "ses_1", opencode_message(10, "assistant", "Renew it."))
        connection.commit()
        write_opencode_message(connection, "ses_1", opencode_message(11, "user", "Thanks."))
        # That message is not committed, and holds the lock for writing.
        assert turns(rows(path)) == [*SPOKEN, ("assistant", "Renew it.")]


def test_a_database_is_not_written(tmp_path: Path) -> None:
    path = write_opencode(tmp_path / "opencode.db", session_of())
    before = path.read_bytes()
    rows(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        (opencode_message(2, "assistant", "Hello.", time={"created": "soon"}), "info.time.created"),
        (opencode_message(2, "user", "Hello.", time={"created": 10**18}), "milliseconds since"),
        (opencode_message(2, "user", "Hello.", id=" "), "info.id"),
    ],
)
def test_a_message_that_cannot_be_used_is_refused_and_the_others_are_read(
    tmp_path: Path, message: dict[str, Any], reason: str
) -> None:
    around = [opencode_message(1, "user", "Why?"), opencode_message(3, "assistant", "So.")]
    for read in (
        stored(tmp_path, session_of(around[0], message, around[1])),
        exported(tmp_path, session_of(around[0], message, around[1])),
    ):
        (refusal,) = refusals(read)
        assert refusal is not None
        assert reason in refusal
        assert turns(read)[-1] == ("assistant", "So.")


@pytest.mark.parametrize("table", ["message", "part"])
def test_what_is_no_json_in_a_database_is_refused_with_its_place(
    tmp_path: Path, table: str
) -> None:
    path = write_opencode(tmp_path / "opencode.db", session_of())
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"UPDATE {table} SET data = '{{' WHERE id LIKE 'msg_03%'")  # noqa: S608
        connection.commit()
    read = rows(path)
    places = [(row.place, row.value.name) for row in read if isinstance(row.value, Item)]
    assert places == [("opencode.db:ses_1", f"{NAME}/msg_03")]
    assert turns(read) == [SPOKEN[0], ("assistant", "I look at the relay first."), SPOKEN[2]]


@pytest.mark.parametrize("value", [3, None, "text", [[]], {"info": 3, "parts": {}}])
def test_a_message_of_another_shape_is_nothing_that_was_said(tmp_path: Path, value: object) -> None:
    assert exported(tmp_path, session_of(value)) == []


def test_a_session_of_another_shape_is_refused(tmp_path: Path) -> None:
    for session, reason in (
        ({"info": {}, "messages": []}, "info.id"),
        (session_of() | {"messages": "none"}, "a list of messages"),
        ({"info": {}}, "`info` and `messages` (OpenCode)"),
    ):
        (refusal,) = refusals(exported(tmp_path, session))
        assert refusal is not None
        assert reason in refusal


def test_a_database_of_another_program_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "notes.db"
    path.write_text("Notes.", encoding="utf-8")
    (refusal,) = refusals(rows(path))
    assert refusal == "cannot be read as a database of OpenCode: it is not an SQLite database"
    path.unlink()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE note (id)")
    (refusal,) = refusals(rows(path))
    assert refusal == "cannot be read as a database of OpenCode: no such table: session"


def test_a_session_that_goes_on_is_completed_by_the_next_import(
    memory: Memory, tmp_path: Path
) -> None:
    path = tmp_path / "opencode.db"
    write_opencode(path, session_of(*opencode_session()["messages"][:2]))
    assert not memory.import_("conversations", path).refused
    write_opencode(path, session_of())
    assert not memory.import_("conversations", path).refused
    assert {item.outcome for item in memory.import_("conversations", path).items} == {"unchanged"}
    hits = memory.search("certificate", mode="keyword").hits
    assert hits[0].passages[0].text == SPOKEN[1][1]
