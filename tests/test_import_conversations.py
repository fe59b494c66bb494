"""`graphmem import conversations`: lines of turns, and exports of ChatGPT and Claude."""

import json
import shlex
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_sessions import (
    claude_code_session,
    codex_session,
    copilot_cli_session,
    gemini_cli_session,
    opencode_session,
    write_lines,
    write_opencode,
)
from doc_pages import blocks, page
from fakes import FakeEmbedder
from graphmem import cli
from graphmem.cli import session
from graphmem.memory import Memory
from graphmem.model import Entity, Item, Relation
from graphmem.transfer import FORMATS, Row

PAGE = page("conversations")
# An id of an export whose first digits tell it from the others.
UUID = "6b1c2f3a-9d0e-4c2{}-8f00-000000000000"
BEGAN = datetime(2026, 3, 1, 10, tzinfo=UTC)


def turn(**fields: object) -> dict[str, object]:
    return {"conversation": "c", "id": 1, "speaker": "Ana", "text": "Hello."} | fields


def rows(folder: Path, *lines: object, name: str = "chats.jsonl") -> list[Row]:
    """The rows of a file of these lines."""
    written = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    (folder / name).write_text("".join(f"{line}\n" for line in written), encoding="utf-8")
    return list(FORMATS["conversations"].read(folder / name))


def exported(folder: Path, *conversations: object) -> list[Row]:
    """The rows of an export of these conversations."""
    path = folder / "conversations.json"
    path.write_text(json.dumps(list(conversations), indent=1), encoding="utf-8")
    return list(FORMATS["conversations"].read(path))


def entities(made: list[Row]) -> dict[str, Entity]:
    return {row.value.name: row.value for row in made if isinstance(row.value, Entity)}


def turns(made: list[Row]) -> list[Entity]:
    return [entity for entity in entities(made).values() if entity.kind == "Turn"]


def links(made: list[Row], relation: str = "NEXT") -> list[tuple[str, str]]:
    found = [row.value for row in made if isinstance(row.value, Relation)]
    return [(one.start, one.end) for one in found if one.relation == relation]


def refused(made: list[Row]) -> dict[str, str]:
    return {row.place: row.value.reason or "" for row in made if isinstance(row.value, Item)}


# Lines of turns


def test_a_turn_becomes_an_entity_with_everything_its_line_says(tmp_path: Path) -> None:
    made = rows(tmp_path, turn(session=3, time="2026-03-01T10:00:00Z", channel="phone"))
    said = entities(made)["c/session 3/1"]
    assert (said.kind, said.title, said.text) == ("Turn", "Ana", "Hello.")
    assert (said.created_at, said.source) == (BEGAN, "chats.jsonl")
    assert said.attributes == {
        "channel": "phone", "speaker": "Ana", "conversation": "c", "session": "session 3",
    }  # fmt: skip


def test_a_turn_says_when_it_holds(tmp_path: Path) -> None:
    (made,) = turns(rows(tmp_path, turn(valid_until="2026-05-31")))
    assert made.to_json()["valid_until"] == "2026-05-31"
    assert "valid_until" not in made.attributes


def test_turns_are_part_of_a_session_and_a_session_of_a_conversation(tmp_path: Path) -> None:
    made = rows(tmp_path, turn(session="monday"), turn(session="monday", id=2), turn(id="last"))
    kinds = {name: entity.kind for name, entity in entities(made).items()}
    assert kinds == {
        "c": "Conversation", "c/monday": "Session",
        "c/monday/1": "Turn", "c/monday/2": "Turn", "c/last": "Turn",
    }  # fmt: skip
    assert links(made, "PART_OF") == [
        ("c/monday", "c"), ("c/monday/1", "c/monday"), ("c/monday/2", "c/monday"), ("c/last", "c"),
    ]  # fmt: skip


def test_turns_of_a_session_follow_each_other_whatever_stands_between(tmp_path: Path) -> None:
    made = rows(
        tmp_path, turn(), turn(conversation="d"), turn(id=2), turn(conversation="d", id="x")
    )
    assert links(made) == [("c/1", "c/2"), ("d/1", "d/x")]


def test_a_session_may_span_the_files_of_a_folder(tmp_path: Path) -> None:
    rows(tmp_path, turn(), name="a.jsonl")
    rows(tmp_path, turn(id=2), name="b.jsonl")
    users = tmp_path / "users.json"  # an export has more files than conversations
    users.write_text('[{"uuid": "u"}]')
    made = list(FORMATS["conversations"].read(tmp_path))
    assert (links(made), refused(made)) == ([("c/1", "c/2")], {})


def test_a_file_of_an_export_may_have_a_name_in_capital_letters(tmp_path: Path) -> None:
    exported(tmp_path, claude(message(1, "So.")))
    (tmp_path / "conversations.json").rename(tmp_path / "CONVERSATIONS.JSON")
    assert [said.text for said in turns(list(FORMATS["conversations"].read(tmp_path)))] == ["So."]


@pytest.mark.parametrize("time", ["2026-03-01T11:00:00+01:00", 1772359200, 1772359200.0])
def test_a_time_is_iso_8601_or_seconds(tmp_path: Path, time: object) -> None:
    (said,) = turns(rows(tmp_path, turn(time=time)))
    assert said.created_at == BEGAN


def test_a_role_stands_for_a_speaker(tmp_path: Path) -> None:
    (said,) = turns(rows(tmp_path, turn(speaker=None, role="user")))
    assert (said.title, said.attributes["speaker"]) == ("user", "user")


def test_other_fields_become_attributes_whatever_they_are_called_and_hold(tmp_path: Path) -> None:
    line = turn(
        kind="x", type="message", metadata={"a": [1]}, mixed=[1, "a"], source="web",
        **{"due date?": "May", "due date_": "June", "accessed": 3, "graphmem_live": 1},
    )  # fmt: skip
    (said,) = turns(rows(tmp_path, line))
    own = {"speaker", "conversation", "session"}
    assert {name: said.attributes[name] for name in said.attributes.keys() - own} == {
        "kind_": "x", "type_": "message", "metadata": '{"a": [1]}', "mixed": '[1, "a"]',
        "source_": "web", "due date__": "May", "due date_": "June", "accessed_": 3,
        "_graphmem_live": 1,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "not JSON: Expecting property name enclosed in double quotes at column 2"),
        ([1], "line must be an object"),
        (turn(text=" "), "text must not be blank"),
        (turn(text=7), "text must be text"),
        (turn(id=None), "id must be given: each line is a turn with conversation, id, speaker and"),
        ({"messages": []}, "conversation, id, speaker, text must be given: each line is a turn"),
        (turn(id=True), "id must be text or a whole number"),
        (turn(conversation={}), "conversation must be text or a whole number"),
        (turn(speaker=None), "speaker must be given"),
        (turn(time="yesterday"), "time must be a date such as"),
        (turn(time=1772359200000), "time must be a date such as 2026-03-01T10:00:00Z, or seconds"),
        (turn(time=True), "time must be a date such as"),
        (turn(extra=float("inf")), "turn.attributes.extra must be"),
        (turn(id="x" * 600), "id must have at most 512 characters"),
        (turn(id="x" * 300, session="y" * 300), "turn.name must have at most 512 characters"),
        (turn(text="x" * (1 << 20) + "y"), "text must have at most 1 MiB"),
        (turn(text="\ud800"), "text must be valid Unicode"),
    ],
)
def test_a_line_that_cannot_be_used_is_refused_and_its_neighbours_are_linked(
    tmp_path: Path, line: object, reason: str
) -> None:
    made = rows(tmp_path, turn(id="a"), line, turn(id="b"))
    ((place, why),) = refused(made).items()
    assert place == "chats.jsonl:2"
    assert why.startswith(reason)
    assert links(made) == [("c/a", "c/b")]


def test_a_turn_that_is_there_twice_is_refused_once(tmp_path: Path) -> None:
    made = rows(tmp_path, turn(), turn(text="Something else."), turn(id=2))
    assert refused(made) == {"chats.jsonl:2": "c/1 is said twice; give one of them another id"}
    assert links(made) == [("c/1", "c/2")]


def test_a_session_with_the_name_of_a_turn_is_refused(tmp_path: Path) -> None:
    made = rows(tmp_path, turn(id="x"), turn(session="x"))
    assert list(refused(made)) == ["chats.jsonl:2"]


def test_a_session_may_be_spelled_in_several_cases(tmp_path: Path) -> None:
    made = rows(
        tmp_path,
        turn(conversation="Support", session="Call"),
        turn(conversation="support", session="call", id=2, text="Bye."),
    )
    assert refused(made) == {}
    assert list(entities(made)) == ["Support", "Support/Call", "Support/Call/1", "support/call/2"]
    assert links(made) == [("Support/Call/1", "support/call/2")]
    assert lead_ins(made) == {"Hello.": None, "Bye.": "Hello."}


@pytest.mark.parametrize(
    "name", ["محا\u200fدثة.jsonl", f"{'长' * 80}.jsonl"], ids=["with a mark", "of many bytes"]
)
def test_turns_of_a_file_whose_path_can_be_no_source_are_read(tmp_path: Path, name: str) -> None:
    folder = tmp_path / ("长" * 80) / ("长" * 20)
    folder.mkdir(parents=True)
    (folder / name).write_text(json.dumps(turn()), encoding="utf-8")
    made = list(FORMATS["conversations"].read(tmp_path))
    assert refused(made) == {}
    assert {one.source for one in entities(made).values()} == {None}


def test_a_file_without_lines_has_no_rows(tmp_path: Path) -> None:
    assert rows(tmp_path) == []


# What turns follow on


def lead_ins(made: list[Row]) -> dict[str | None, str | None]:
    """By text, what leads in to each turn."""
    return {entity.text: entity.lead_in for entity in turns(made)}


def test_the_turn_before_of_the_same_session_leads_in(tmp_path: Path) -> None:
    made = rows(
        tmp_path, turn(text="Why?"), turn(conversation="d", text="Hm?"),
        turn(id=2, text="Because."), turn(session=2, text="So?"), turn(conversation="d", id=2),
    )  # fmt: skip
    assert lead_ins(made) == {
        "Why?": None, "Hm?": None, "Because.": "Why?", "So?": None, "Hello.": "Hm?",
    }  # fmt: skip


def test_a_turn_that_is_refused_leads_in_to_nothing(tmp_path: Path) -> None:
    made = rows(tmp_path, turn(text="Why?"), turn(text="Twice."), turn(id=2, text="Because."))
    assert lead_ins(made) == {"Why?": None, "Because.": "Why?"}


@pytest.mark.parametrize(
    ("before", "lead_in"),
    [
        ("Short,\n\nof two  lines.", "Short, of two lines."),
        (f"{'word ' * 50}to the end?", f"{'word ' * 37}to the end?"),
        ("字" * 250, "字" * 200),
        (f"{'字' * 250}。 好吗?", f"{'字' * 195}。 好吗?"),
        (f"See https://example.org/{'a' * 250} again?", f"{'a' * 193} again?"),
        (f"{'b' * 30} {'word ' * 39}abcd", f"{'word ' * 39}abcd"),
        (f"{'b' * 30} {'word ' * 38}abcdefghi", f"{'word ' * 38}abcdefghi"),
        (f"{'字' * 300_000} 吗?", f"{'字' * 197} 吗?"),
        (f"said{' ' * 1_000_000}?", "?"),
        (f"{'x' * 250} ", "x" * 200),
        ("\u200b\u202e", None),
        ("\ufdfa" * 250, None),
    ],
)
def test_a_lead_in_is_the_last_words_on_one_line(
    tmp_path: Path, before: str, lead_in: str | None
) -> None:
    made = rows(tmp_path, turn(text=before), turn(id=2, text="So."))
    assert not refused(made)
    said = lead_ins(made)["So."]
    assert said is None or len(said) <= 200
    if "\ufdfa" not in before:  # a ligature of 18 letters
        assert said == lead_in


def test_a_line_tells_another_lead_in_itself(tmp_path: Path) -> None:
    made = rows(tmp_path, turn(text="Why?"), turn(id=2, text="So.", lead_in="Who?"))
    assert not refused(made)
    assert lead_ins(made)["So."] == "Who?"


# ChatGPT


def node(
    number: int, parent: int | None, text: str | None = None, **message: object
) -> dict[str, Any]:
    """A node of ChatGPT's tree; without a text it has no message."""
    said = None if text is None else {
        "id": UUID.format(number), "author": {"role": "user" if number % 2 else "assistant"},
        "create_time": BEGAN.timestamp() + number, "metadata": {},
        "content": {"content_type": "text", "parts": [text]},
    } | message  # fmt: skip
    return {
        "id": str(number), "message": said,
        "parent": None if parent is None else str(parent), "children": [],
    }  # fmt: skip


def chatgpt(*nodes: dict[str, Any], **fields: object) -> dict[str, Any]:
    return {
        "conversation_id": UUID.format(0), "title": "Redis eviction",
        "create_time": BEGAN.timestamp(), "mapping": {one["id"]: one for one in nodes},
        "current_node": nodes[-1]["id"] if nodes else None,
    } | fields  # fmt: skip


def texts(made: list[Row]) -> list[str | None]:
    return [entity.text for entity in turns(made)]


def next_texts(made: list[Row]) -> list[tuple[str | None, str | None]]:
    by_name = entities(made)
    return [(by_name[start].text, by_name[end].text) for start, end in links(made)]


def test_chatgpts_messages_are_turns_of_their_conversation(tmp_path: Path) -> None:
    made = exported(tmp_path, chatgpt(node(0, None), node(1, 0, "Why?"), node(2, 1, "Because.")))
    assert not refused(made)
    (chat,) = [one for one in entities(made).values() if one.kind == "Conversation"]
    assert chat.name.startswith("ChatGPT/2026-03-01 6b1c2f3a-9d0e-4c2")
    assert (chat.title, chat.created_at) == ("Redis eviction", BEGAN)
    assert [(one.title, one.text) for one in turns(made)] == [
        ("user", "Why?"), ("assistant", "Because."),
    ]  # fmt: skip
    assert next_texts(made) == [("Why?", "Because.")]
    assert all(one.name.startswith(f"{chat.name}/") for one in turns(made))


def test_what_was_said_instead_is_superseded_and_every_branch_is_linked(tmp_path: Path) -> None:
    made = exported(
        tmp_path,
        chatgpt(node(1, None, "Why?"), node(2, 1, "Because."), node(4, 1, "No idea."),
                node(3, 2, "Thanks."), current_node="3"),
    )  # fmt: skip
    assert {one.text: one.status for one in turns(made)} == {
        "Why?": None, "Because.": None, "Thanks.": None, "No idea.": "superseded",
    }  # fmt: skip
    assert set(next_texts(made)) == {
        ("Why?", "Because."), ("Because.", "Thanks."), ("Why?", "No idea."),
    }  # fmt: skip
    assert lead_ins(made) == {
        "Why?": None, "Because.": "Why?", "No idea.": "Why?", "Thanks.": "Because.",
    }  # fmt: skip


def test_what_chatgpt_does_not_show_is_passed_over_and_its_neighbours_are_linked(
    tmp_path: Path,
) -> None:
    hidden = node(3, 1, "Be brief.", metadata={"is_visually_hidden_from_conversation": True})
    thoughts = node(5, 3, "", content={"content_type": "thoughts", "thoughts": [{"content": "a"}]})
    search = node(4, 7, '{"search_query": [{"q": "why"}]}', recipient="web.run")
    made = exported(
        tmp_path,
        chatgpt(node(1, None, "Why?"), hidden, thoughts, node(7, 5, ""), search,
                node(6, 4, "\ue200cite\ue202turn0search0\ue201"), node(2, 6, "So.")),
    )  # fmt: skip
    assert not refused(made)
    assert next_texts(made) == [("Why?", "So.")]


def test_marks_in_chatgpts_answers_are_read_as_they_are_shown(tmp_path: Path) -> None:
    source = "\ue200cite\ue202turn0search0\ue201"
    references = [{"matched_text": source, "alt": "([Ports](https://example.org))"}, 5]
    answer = (
        f"At noon {source}, not\ue200cite\ue202turn1search1\ue202turn1search2\ue201 later, in "
        'x\ue200entity\ue202["city","Porto","Portugal"]\ue201, see '
        "\ue200url\ue202Tides\ue202turn0search3\ue201. \ue200 \ue200entity\ue202[5]\ue201"
    )
    message = node(1, None, answer, metadata={"content_references": references})
    assert texts(exported(tmp_path, chatgpt(message))) == [
        "At noon ([Ports](https://example.org)), not later, in xPorto, see Tides. \ue200"
    ]


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ({"content_type": "code", "text": "print(1)"}, "print(1)"),
        ({"content_type": "tether_quote", "text": "Quoted.", "title": "t"}, "Quoted."),
        ({"content_type": "multimodal_text", "parts": [
            {"content_type": "image_asset_pointer", "asset_pointer": "file-service://x"},
            "What is this?"]}, "[image]\n\nWhat is this?"),
        ({"content_type": "multimodal_text", "parts": [
            {"content_type": "audio_transcription", "text": "Spoken."}]}, "Spoken."),
    ],
)  # fmt: skip
def test_the_text_of_each_kind_of_content_is_read(
    tmp_path: Path, content: dict[str, Any], text: str
) -> None:
    assert texts(exported(tmp_path, chatgpt(node(1, None, "", content=content)))) == [text]


def test_the_neighbours_of_a_message_of_chatgpt_that_is_refused_are_linked(tmp_path: Path) -> None:
    made = exported(
        tmp_path,
        chatgpt(node(1, None, "\ud83d"), node(2, 1, "So."), node(3, 2, "\ud83d"),
                node(4, 3, "\ud83d"), node(5, 4, "Why?"), node(6, 5, "Because.")),
    )  # fmt: skip
    assert [row.value.outcome for row in made if isinstance(row.value, Item)] == ["refused"] * 3
    assert next_texts(made) == [("So.", "Why?"), ("Why?", "Because.")]
    assert lead_ins(made) == {"So.": None, "Why?": "So.", "Because.": "Why?"}


def test_content_without_a_known_text_is_refused(tmp_path: Path) -> None:
    content = {"content_type": "novelty", "frames": ["x"]}
    made = exported(tmp_path, chatgpt(node(1, None, "", content=content), node(2, 1, "So.")))
    assert list(refused(made).values()) == [
        "content must have its text in parts or text, not in frames, got 'novelty'"
    ]
    assert texts(made) == ["So."]


@pytest.mark.parametrize("current", ["1", "3"])
def test_nodes_in_a_ring_or_without_a_parent_are_read_all_the_same(
    tmp_path: Path, current: str
) -> None:
    nodes = node(1, 2, "a"), node(2, 1, "b"), node(3, 9, "c")
    made = exported(tmp_path, chatgpt(*nodes, current_node=current))
    assert sorted(text or "" for text in texts(made)) == ["a", "b", "c"]


@pytest.mark.parametrize("current", [None, "gone"])
def test_of_a_conversation_that_does_not_say_what_it_shows_nothing_is_superseded(
    tmp_path: Path, current: str | None
) -> None:
    nodes = node(1, None, "Why?"), node(2, 1, "Because."), node(3, 1, "No idea.")
    made = exported(tmp_path, chatgpt(*nodes, current_node=current))
    assert [said.status for said in turns(made)] == [None, None, None]


def test_a_conversation_of_very_many_messages_is_read(tmp_path: Path) -> None:
    def deep(number: int) -> dict[str, Any]:
        return node(number, number - 1 if number else None, "x", id=f"message {number}")

    assert len(turns(exported(tmp_path, chatgpt(*map(deep, range(5000)))))) == 5000


# Claude


def message(number: int, text: str, **fields: object) -> dict[str, Any]:
    return {
        "uuid": UUID.format(number), "sender": "human" if number % 2 else "assistant",
        "text": text, "content": [{"type": "text", "text": text}] if text else [],
        "created_at": f"2026-03-01T10:0{number}:00.000000Z", "attachments": [], "files": [],
    } | fields  # fmt: skip


def claude(*messages: object, **fields: object) -> dict[str, Any]:
    return {
        "uuid": UUID.format(0), "name": "Redis eviction", "created_at": "2026-03-01T10:00:00Z",
        "summary": "About caches.", "chat_messages": list(messages),
    } | fields  # fmt: skip


def test_a_message_after_an_empty_one_follows_the_last_one_that_says_something(
    tmp_path: Path,
) -> None:
    empty, last = message(2, ""), message(3, "So.", parent_message_uuid=UUID.format(2))
    made = exported(tmp_path, claude(message(1, "Why?"), empty, last))
    assert len(turns(made)) == 2
    assert len(links(made)) == 1


def test_claudes_messages_are_turns_of_their_conversation(tmp_path: Path) -> None:
    made = exported(tmp_path, claude(message(1, "Why?"), message(2, "Because.")))
    assert not refused(made)
    (chat,) = [one for one in entities(made).values() if one.kind == "Conversation"]
    assert chat.name == "Claude/2026-03-01 6b1c2f3a-9d0e-4c20"
    assert (chat.title, chat.text) == ("Redis eviction", "About caches.")
    assert [(one.title, one.text) for one in turns(made)] == [
        ("human", "Why?"), ("assistant", "Because."),
    ]  # fmt: skip
    assert next_texts(made) == [("Why?", "Because.")]


def test_an_older_export_of_claude_has_only_texts(tmp_path: Path) -> None:
    assert texts(exported(tmp_path, claude(message(1, "Why?", content=None)))) == ["Why?"]


def test_the_text_of_an_attachment_becomes_an_observation(tmp_path: Path) -> None:
    attachment = {"file_name": "log.txt", "extracted_content": "OOM command not allowed"}
    made = exported(tmp_path, claude(message(1, "", attachments=[attachment])))
    (said,) = turns(made)
    assert said.text == "[log.txt]"
    assert [(one.text, one.source) for one in said.observations] == [
        ("OOM command not allowed", "log.txt")
    ]
    assert said.attributes["attachments"] == ["log.txt"]


def test_a_message_of_claude_is_its_texts_and_what_was_attached_to_it(tmp_path: Path) -> None:
    """A model's thinking is passed over, and an attachment without a text is only named."""
    thinking = {"type": "thinking", "thinking": "Hm."}
    blocks = [thinking, {"type": "text", "text": "Why?"}, {"type": "text", "text": "Since when?"}]
    attachments = [{"file_name": "log.txt", "extracted_content": "OOM"},
                   {"file_name": "map.png", "extracted_content": " "}]  # fmt: skip
    made = exported(
        tmp_path,
        claude(message(1, "Why?", content=blocks, attachments=attachments),
               message(2, "", content=[thinking])),
    )  # fmt: skip
    assert not refused(made)
    (said,) = turns(made)
    assert said.text == "Why?\n\nSince when?"
    assert [(one.text, one.created_at) for one in said.observations] == [("OOM", said.created_at)]
    assert said.attributes["attachments"] == ["log.txt", "map.png"]


def test_a_message_of_claude_answers_the_one_it_names(tmp_path: Path) -> None:
    made = exported(
        tmp_path,
        claude(message(1, "Why?"), message(2, "Because."),
               message(4, "No idea.", parent_message_uuid=UUID.format(1))),
    )  # fmt: skip
    assert next_texts(made) == [("Why?", "Because."), ("Why?", "No idea.")]
    assert lead_ins(made) == {"Why?": None, "Because.": "Why?", "No idea.": "Why?"}


def test_the_neighbours_of_a_message_of_claude_that_is_refused_are_linked(tmp_path: Path) -> None:
    made = exported(
        tmp_path,
        claude(message(1, "Why?"), message(2, "\ud83d"), message(3, "Because."),
               message(4, "So.", parent_message_uuid=UUID.format(2))),
    )  # fmt: skip
    assert len(refused(made)) == 1
    assert next_texts(made) == [("Why?", "Because."), ("Why?", "So.")]


def test_a_message_of_tools_alone_is_refused_and_an_empty_one_passed_over(tmp_path: Path) -> None:
    tools = message(2, "", content=[{"type": "tool_use", "name": "search", "input": {}}])
    made = exported(
        tmp_path, claude(message(1, "Why?"), tools, message(3, ""), message(4, "So."), "no message")
    )
    assert [row.value.reason for row in made if isinstance(row.value, Item)] == [
        "content must be text; the message has none, got 'tool_use'",
        "message must be an object, got 'no message'",
    ]
    assert next_texts(made) == [("Why?", "So.")]


# Files of exports


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
    | st.sampled_from(["1", "2", "\ud800", "text", 10**4000, "x" * 600]),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.text(max_size=3) | st.sampled_from(["text", "name"]), inner, max_size=3),
    max_leaves=5,
)  # fmt: skip


def changed(value: object, path: list[int], other: object) -> object:
    """A value of which one part, found by these turns, is another."""
    if not path or not isinstance(value, dict | list) or not value:
        return other
    turning, *further = path
    if isinstance(value, list):
        place = turning % len(value)
        return [*value[:place], changed(value[place], further, other), *value[place + 1 :]]
    name = list(value)[turning % len(value)]
    return value | {name: changed(value[name], further, other)}


OWN = st.sampled_from(
    [
        chatgpt(node(1, None, "a"), node(2, 1, "b", metadata={"attachments": [{"name": "c"}]})),
        claude(
            message(1, "a", attachments=[{"file_name": "a", "extracted_content": "b"}]),
            message(2, "b"),
        ),
        opencode_session(),
    ]
)


@given(OWN, st.lists(st.integers(0, 20), min_size=1, max_size=6), ANYTHING)
def test_whatever_an_export_holds_ends_nothing(
    tmp_path_factory: pytest.TempPathFactory, own: object, path: list[int], other: object
) -> None:
    folder = tmp_path_factory.mktemp("export")
    made = exported(folder, changed(own, path, other), claude(message(1, "So."), uuid="other"))
    assert "So." in texts(made)
    assert all(row.place.startswith("conversations.json:") for row in made)


def test_each_conversation_is_read_by_its_own_shape(tmp_path: Path) -> None:
    made = exported(
        tmp_path, chatgpt(node(1, None, "Why?")), {"messages": []}, claude(message(1, "So."))
    )
    assert {one.name.split("/")[0] for one in turns(made)} == {"ChatGPT", "Claude"}
    ((place, why),) = refused(made).items()
    assert place.startswith("conversations.json:")
    assert "`mapping` (ChatGPT), `chat_messages` (Claude)" in why


@pytest.mark.parametrize(
    "broken",
    [
        {"mapping": []}, {"mapping": {"a": 1}}, {"conversation_id": None}, {"create_time": "x"},
        {"chat_messages": {}, "mapping": None},
    ],
)  # fmt: skip
def test_a_conversation_that_cannot_be_read_is_refused_alone(
    tmp_path: Path, broken: dict[str, object]
) -> None:
    made = exported(tmp_path, chatgpt(node(1, None, "a")) | broken, claude(message(1, "So.")))
    assert len(refused(made)) == 1
    assert texts(made) == ["So."]


@pytest.mark.parametrize(
    ("written", "reason", "count"),
    [
        ("[", "not JSON", 0),
        ("", "not JSON", 0),
        ("[]", "", 0),
        ("[%s", "the list goes on without a comma or has no end", 1),
        ("[%s %s]", "the list goes on without a comma or has no end", 1),
        ("[%s] []", "there is more after its end", 1),
        ("%s", "", 1),
        ("%s %s", "there is more after its end", 1),
        ("[%s,", "not JSON", 1),
        (
            "[%s,\n {x}]",
            "not JSON: Expecting property name enclosed in double quotes at line 2, c",
            1,
        ),
        ("[" * 200_000, "not JSON: lists and objects deeper", 0),
        ('[{"mapping": {}, "mapping": {}}]', "has the name 'mapping' twice", 0),
    ],
)
def test_what_stands_before_the_first_mistake_of_an_export_is_read(
    tmp_path: Path, written: str, reason: str, count: int
) -> None:
    path = tmp_path / "conversations.json"
    chat = json.dumps(claude(message(1, "So.")))
    path.write_text(written.replace("%s", chat, 1).replace("%s", chat))
    made = list(FORMATS["conversations"].read(path))
    assert len(turns(made)) == count
    assert bool(refused(made)) == bool(reason)
    assert all(reason in why for why in refused(made).values())


# In a store


def test_an_answer_is_found_beside_the_turn_that_matched_and_again_is_unchanged(
    memory: Memory, tmp_path: Path
) -> None:
    path = tmp_path / "chats.jsonl"
    path.write_text(blocks(PAGE, "json")[0])
    assert not memory.import_("conversations", path).refused
    exec(compile(blocks(PAGE, "python")[0], "docs/conversations.md", "exec"), {"memory": memory})  # noqa: S102 - our own page
    again = memory.import_("conversations", path)
    assert {item.outcome for item in again.items} == {"unchanged"}
    with path.open("a") as file:
        file.write(json.dumps(turn(conversation="support", session=2, id=2)) + "\n")
    outcomes = {item.name: item.outcome for item in memory.import_("conversations", path).items}
    created = {name for name, outcome in outcomes.items() if outcome != "unchanged"}
    assert "support/session 2/2" in created
    assert not any("session 1" in name for name in created)


def test_a_turn_whose_turn_before_changes_or_goes_has_another_lead_in(
    memory: Memory, tmp_path: Path
) -> None:
    path = tmp_path / "chats.jsonl"
    answer = turn(id=2, text="Because.")
    for lines, lead_in, outcome in (
        ((turn(text="Why?"), answer), "Why?", "created"),
        ((turn(text="Why?"), answer), "Why?", "unchanged"),
        ((turn(text="How come?"), answer), "How come?", "updated"),
        ((answer,), None, "updated"),
    ):
        rows(tmp_path, *lines)
        made = {item.name: item.outcome for item in memory.import_("conversations", path).items}
        assert made["c/2"] == outcome
        assert memory.get("c/2")[0].entity.lead_in == lead_in
    assert memory.get("c/1")[0].entity.text == "How come?"


def test_a_branch_that_is_shown_again_is_found_again(memory: Memory, tmp_path: Path) -> None:
    nodes = (node(1, None, "Why?"), node(2, 1, "Certainly."), node(4, 1, "Perhaps."))
    path = tmp_path / "conversations.json"
    for current, hidden in (("2", "Perhaps."), ("4", "Certainly."), ("2", "Perhaps.")):
        exported(tmp_path, chatgpt(*nodes, current_node=current))
        assert not memory.import_("conversations", path).refused
        hits = memory.search("why certainly perhaps", mode="keyword", limit=50).hits
        shown = {hit.passages[0].text for hit in hits if hit.kind == "Turn"}
        assert shown == {"Why?", "Certainly.", "Perhaps."} - {hidden}


@pytest.mark.usefixtures("environment")
def test_the_commands_of_the_page_work(
    project: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = FakeEmbedder()
    monkeypatch.setattr(session, "embedder", lambda *_, **__: model)
    monkeypatch.setenv("GRAPHMEM_PROJECT", project)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "chats.jsonl").write_text(blocks(PAGE, "json")[0])
    (tmp_path / "export").mkdir()
    exported(tmp_path / "export", chatgpt(node(1, None, "Why?")), claude(message(1, "So.")))
    monkeypatch.setenv("HOME", str(tmp_path))
    write_lines(tmp_path / ".claude/projects/-home-ana-harbour/a.jsonl", claude_code_session())
    write_lines(tmp_path / ".codex/sessions/2026/03/01/rollout.jsonl", codex_session())
    write_lines(tmp_path / ".gemini/tmp/harbour/chats/session.jsonl", gemini_cli_session())
    folder = tmp_path / ".copilot/session-state/6b1c2f3a"
    write_lines(folder / "events.jsonl", copilot_cli_session())
    write_opencode(tmp_path / ".local/share/opencode/opencode.db", opencode_session())
    for line in "".join(blocks(PAGE, "console")).splitlines():
        arguments = [str(Path(part).expanduser()) for part in shlex.split(line)[1:]]
        assert cli.main(arguments) == 0, line
