"""`graphmem import conversations`: exports of ChatGPT and Claude."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_sessions import opencode_session
from conversations import (
    BEGAN,
    UUID,
    chatgpt,
    claude,
    entities,
    exported,
    lead_ins,
    links,
    message,
    node,
    refused,
    turns,
)
from graphmem.model import Item
from graphmem.transfer import FORMATS, Row


def texts(made: list[Row]) -> list[str | None]:
    return [entity.text for entity in turns(made)]


def next_texts(made: list[Row]) -> list[tuple[str | None, str | None]]:
    by_name = entities(made)
    return [(by_name[start].text, by_name[end].text) for start, end in links(made)]


def test_chatgpts_messages_are_turns_of_their_conversation(tmp_path: Path) -> None:
    rows = exported(tmp_path, chatgpt(node(0, None), node(1, 0, "Why?"), node(2, 1, "Because.")))
    assert not refused(rows)
    (chat,) = [entity for entity in entities(rows).values() if entity.kind == "Conversation"]
    assert chat.name.startswith("ChatGPT/2026-03-01 6b1c2f3a-9d0e-4c2")
    assert (chat.title, chat.created_at) == ("Redis eviction", BEGAN)
    assert [(turn.title, turn.text) for turn in turns(rows)] == [
        ("user", "Why?"), ("assistant", "Because."),
    ]  # fmt: skip
    assert next_texts(rows) == [("Why?", "Because.")]
    assert all(turn.name.startswith(f"{chat.name}/") for turn in turns(rows))


def test_what_was_said_instead_is_superseded_and_every_branch_is_linked(tmp_path: Path) -> None:
    rows = exported(
        tmp_path,
        chatgpt(node(1, None, "Why?"), node(2, 1, "Because."), node(4, 1, "No idea."),
                node(3, 2, "Thanks."), current_node="3"),
    )  # fmt: skip
    assert {turn.text: turn.status for turn in turns(rows)} == {
        "Why?": None, "Because.": None, "Thanks.": None, "No idea.": "superseded",
    }  # fmt: skip
    assert set(next_texts(rows)) == {
        ("Why?", "Because."), ("Because.", "Thanks."), ("Why?", "No idea."),
    }  # fmt: skip
    assert lead_ins(rows) == {
        "Why?": None, "Because.": "Why?", "No idea.": "Why?", "Thanks.": "Because.",
    }  # fmt: skip


def test_what_chatgpt_does_not_show_is_passed_over_and_its_neighbours_are_linked(
    tmp_path: Path,
) -> None:
    hidden = node(3, 1, "Be brief.", metadata={"is_visually_hidden_from_conversation": True})
    thoughts = node(5, 3, "", content={"content_type": "thoughts", "thoughts": [{"content": "a"}]})
    search = node(4, 7, '{"search_query": [{"q": "why"}]}', recipient="web.run")
    rows = exported(
        tmp_path,
        chatgpt(node(1, None, "Why?"), hidden, thoughts, node(7, 5, ""), search,
                node(6, 4, "\ue200cite\ue202turn0search0\ue201"), node(2, 6, "So.")),
    )  # fmt: skip
    assert not refused(rows)
    assert next_texts(rows) == [("Why?", "So.")]


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
    rows = exported(
        tmp_path,
        chatgpt(node(1, None, "\ud83d"), node(2, 1, "So."), node(3, 2, "\ud83d"),
                node(4, 3, "\ud83d"), node(5, 4, "Why?"), node(6, 5, "Because.")),
    )  # fmt: skip
    assert [row.value.outcome for row in rows if isinstance(row.value, Item)] == ["refused"] * 3
    assert next_texts(rows) == [("So.", "Why?"), ("Why?", "Because.")]
    assert lead_ins(rows) == {"So.": None, "Why?": "So.", "Because.": "Why?"}


def test_content_without_a_known_text_is_refused(tmp_path: Path) -> None:
    content = {"content_type": "novelty", "frames": ["x"]}
    rows = exported(tmp_path, chatgpt(node(1, None, "", content=content), node(2, 1, "So.")))
    assert list(refused(rows).values()) == [
        "content must have its text in parts or text, not in frames, got 'novelty'"
    ]
    assert texts(rows) == ["So."]


@pytest.mark.parametrize("current", ["1", "3"])
def test_nodes_in_a_ring_or_without_a_parent_are_read_all_the_same(
    tmp_path: Path, current: str
) -> None:
    nodes = node(1, 2, "a"), node(2, 1, "b"), node(3, 9, "c")
    rows = exported(tmp_path, chatgpt(*nodes, current_node=current))
    assert sorted(text or "" for text in texts(rows)) == ["a", "b", "c"]


@pytest.mark.parametrize("current", [None, "gone"])
def test_of_a_conversation_that_does_not_say_what_it_shows_nothing_is_superseded(
    tmp_path: Path, current: str | None
) -> None:
    nodes = node(1, None, "Why?"), node(2, 1, "Because."), node(3, 1, "No idea.")
    rows = exported(tmp_path, chatgpt(*nodes, current_node=current))
    assert [entity.status for entity in turns(rows)] == [None, None, None]


def test_a_conversation_of_very_many_messages_is_read(tmp_path: Path) -> None:
    def deep(number: int) -> dict[str, Any]:
        return node(number, number - 1 if number else None, "x", id=f"message {number}")

    assert len(turns(exported(tmp_path, chatgpt(*map(deep, range(5000)))))) == 5000


def test_a_message_after_an_empty_one_follows_the_last_one_that_says_something(
    tmp_path: Path,
) -> None:
    empty, last = message(2, ""), message(3, "So.", parent_message_uuid=UUID.format(2))
    rows = exported(tmp_path, claude(message(1, "Why?"), empty, last))
    assert len(turns(rows)) == 2
    assert len(links(rows)) == 1


def test_claudes_messages_are_turns_of_their_conversation(tmp_path: Path) -> None:
    rows = exported(tmp_path, claude(message(1, "Why?"), message(2, "Because.")))
    assert not refused(rows)
    (chat,) = [entity for entity in entities(rows).values() if entity.kind == "Conversation"]
    assert chat.name == "Claude/2026-03-01 6b1c2f3a-9d0e-4c20"
    assert (chat.title, chat.text) == ("Redis eviction", "About caches.")
    assert [(turn.title, turn.text) for turn in turns(rows)] == [
        ("human", "Why?"), ("assistant", "Because."),
    ]  # fmt: skip
    assert next_texts(rows) == [("Why?", "Because.")]


def test_an_older_export_of_claude_has_only_texts(tmp_path: Path) -> None:
    assert texts(exported(tmp_path, claude(message(1, "Why?", content=None)))) == ["Why?"]


def test_the_text_of_an_attachment_becomes_an_observation(tmp_path: Path) -> None:
    attachment = {"file_name": "log.txt", "extracted_content": "OOM command not allowed"}
    rows = exported(tmp_path, claude(message(1, "", attachments=[attachment])))
    (entity,) = turns(rows)
    assert entity.text == "[log.txt]"
    assert [(observation.text, observation.source) for observation in entity.observations] == [
        ("OOM command not allowed", "log.txt")
    ]
    assert entity.attributes["attachments"] == ["log.txt"]


def test_a_message_of_claude_is_its_texts_and_what_was_attached_to_it(tmp_path: Path) -> None:
    """A model's thinking is passed over, and an attachment without a text is only named."""
    thinking = {"type": "thinking", "thinking": "Hm."}
    blocks = [thinking, {"type": "text", "text": "Why?"}, {"type": "text", "text": "Since when?"}]
    attachments = [{"file_name": "log.txt", "extracted_content": "OOM"},
                   {"file_name": "map.png", "extracted_content": " "}]  # fmt: skip
    rows = exported(
        tmp_path,
        claude(message(1, "Why?", content=blocks, attachments=attachments),
               message(2, "", content=[thinking])),
    )  # fmt: skip
    assert not refused(rows)
    (entity,) = turns(rows)
    assert entity.text == "Why?\n\nSince when?"
    assert [(observation.text, observation.created_at) for observation in entity.observations] == [
        ("OOM", entity.created_at)
    ]
    assert entity.attributes["attachments"] == ["log.txt", "map.png"]


def test_a_message_of_claude_answers_the_one_it_names(tmp_path: Path) -> None:
    rows = exported(
        tmp_path,
        claude(message(1, "Why?"), message(2, "Because."),
               message(4, "No idea.", parent_message_uuid=UUID.format(1))),
    )  # fmt: skip
    assert next_texts(rows) == [("Why?", "Because."), ("Why?", "No idea.")]
    assert lead_ins(rows) == {"Why?": None, "Because.": "Why?", "No idea.": "Why?"}


def test_the_neighbours_of_a_message_of_claude_that_is_refused_are_linked(tmp_path: Path) -> None:
    rows = exported(
        tmp_path,
        claude(message(1, "Why?"), message(2, "\ud83d"), message(3, "Because."),
               message(4, "So.", parent_message_uuid=UUID.format(2))),
    )  # fmt: skip
    assert len(refused(rows)) == 1
    assert next_texts(rows) == [("Why?", "Because."), ("Why?", "So.")]


def test_a_message_of_tools_alone_is_refused_and_an_empty_one_passed_over(tmp_path: Path) -> None:
    tools = message(2, "", content=[{"type": "tool_use", "name": "search", "input": {}}])
    rows = exported(
        tmp_path, claude(message(1, "Why?"), tools, message(3, ""), message(4, "So."), "no message")
    )
    assert [row.value.reason for row in rows if isinstance(row.value, Item)] == [
        "content must be text; the message has none, got 'tool_use'",
        "message must be an object, got 'no message'",
    ]
    assert next_texts(rows) == [("Why?", "So.")]


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
def test_no_content_of_an_export_stops_its_import(
    tmp_path_factory: pytest.TempPathFactory, own: object, path: list[int], other: object
) -> None:
    folder = tmp_path_factory.mktemp("export")
    rows = exported(folder, changed(own, path, other), claude(message(1, "So."), uuid="other"))
    assert "So." in texts(rows)
    assert all(row.place.startswith("conversations.json:") for row in rows)


def test_each_conversation_is_read_by_its_own_shape(tmp_path: Path) -> None:
    rows = exported(
        tmp_path, chatgpt(node(1, None, "Why?")), {"messages": []}, claude(message(1, "So."))
    )
    assert {turn.name.split("/")[0] for turn in turns(rows)} == {"ChatGPT", "Claude"}
    ((place, why),) = refused(rows).items()
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
    rows = exported(tmp_path, chatgpt(node(1, None, "a")) | broken, claude(message(1, "So.")))
    assert len(refused(rows)) == 1
    assert texts(rows) == ["So."]


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
    rows = list(FORMATS["conversations"].read(path))
    assert len(turns(rows)) == count
    assert bool(refused(rows)) == bool(reason)
    assert all(reason in why for why in refused(rows).values())
