"""`graphmem import conversations`: what people and coding agents said to each other."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from agent_sessions import (
    FOLDER,
    SESSION,
    claude_code_line,
    claude_code_session,
    codex_line,
    codex_message,
    codex_session,
    copilot_cli_line,
    copilot_cli_session,
    gemini_cli_line,
    gemini_cli_session,
    refusals,
    returned,
    spoken,
    turns,
    write_lines,
)
from graphmem.adapters.conversations.importer.sessions import TURN_CHARACTERS, without_insertions
from graphmem.memory import Memory
from graphmem.model import Entity, Relation
from graphmem.transfer import FORMATS, Row

CLAUDE_CODE = "Claude Code/2026-03-01 6b1c2f3a-9d0e-4c2b"
GEMINI_CLI = "Gemini CLI/2026-03-01 6b1c2f3a-9d0e-4c2b"
COPILOT_CLI = "Copilot CLI/2026-03-01 6b1c2f3a-9d0e-4c2b"
CODEX = "Codex/2026-03-01 6b1c2f3a-9d0e-4c2b"


def rows(folder: Path, lines: Sequence[object], name: str = "session.jsonl") -> list[Row]:
    return list(FORMATS["conversations"].read(write_lines(folder / name, lines)))


def test_a_session_of_claude_code_is_what_was_said(tmp_path: Path) -> None:
    read = rows(tmp_path, claude_code_session())
    assert turns(read) == [
        ("user", "Why are webhooks refused?\nThe relay says nothing."),
        ("assistant", "I look at the relay first.\n\nIts certificate ran out."),
        ("user", "Thanks.\n\nWhat now?"),
        ("assistant", "Renew it."),
    ]
    assert refusals(read) == []
    entities = [row.value for row in read if isinstance(row.value, Entity)]
    conversation, question = entities[:2]
    assert (conversation.name, conversation.kind) == (CLAUDE_CODE, "Conversation")
    assert conversation.title is None
    assert question.name == f"{CLAUDE_CODE}/00000001-0000-4000"
    assert question.created_at == datetime(2026, 3, 1, 10, 0, 1, tzinfo=UTC)
    assert question.attributes == {
        "cwd": FOLDER, "branch": "main", "speaker": "user", "conversation": CLAUDE_CODE,
    }  # fmt: skip
    links = [row.value for row in read if isinstance(row.value, Relation)]
    following = [
        (link.start[-18:-10], link.end[-18:-10]) for link in links if link.relation == "NEXT"
    ]
    assert following == [
        ("00000001", "00000003"), ("00000003", "00000007"), ("00000007", "00000008"),
    ]  # fmt: skip


def test_a_session_of_codex_is_what_was_said(tmp_path: Path) -> None:
    read = rows(tmp_path, codex_session())
    assert turns(read) == [
        ("user", "Why are webhooks refused?"),
        ("assistant", "I look at the relay first.\n\nIts certificate ran out."),
        ("user", "What now?"),
    ]
    assert refusals(read) == []
    entities = [row.value for row in read if isinstance(row.value, Entity)]
    names = [CODEX, f"{CODEX}/1", f"{CODEX}/2", f"{CODEX}/4"]
    assert [entity.name for entity in entities] == names
    assert entities[0].created_at == datetime(2026, 3, 1, 10, tzinfo=UTC)
    assert entities[1].attributes["cwd"] == FOLDER


def test_a_session_of_gemini_cli_is_what_was_said(tmp_path: Path) -> None:
    read = rows(tmp_path, gemini_cli_session())
    assert turns(read) == [
        ("user", "Why does @relay.log say nothing?"),
        ("assistant", "I look at the relay first.\n\nIts certificate ran out."),
        ("user", "[image]\n\nWhat now?"),
    ]
    assert refusals(read) == []
    conversation, question = [row.value for row in read if isinstance(row.value, Entity)][:2]
    assert (conversation.name, conversation.title) == (GEMINI_CLI, None)
    assert conversation.created_at == datetime(2026, 3, 1, 10, tzinfo=UTC)
    assert question.name == f"{GEMINI_CLI}/00000002-0000-4000"


def test_a_session_of_copilot_cli_is_what_was_said(tmp_path: Path) -> None:
    read = rows(tmp_path, copilot_cli_session())
    assert turns(read) == [
        ("user", "Why are webhooks refused?"),
        ("assistant", "I look at the relay first.\n\nIts certificate ran out."),
        ("user", "[image]\n\nWhat now?"),
    ]
    assert refusals(read) == []
    conversation, question = [row.value for row in read if isinstance(row.value, Entity)][:2]
    assert (conversation.name, conversation.title) == (COPILOT_CLI, None)
    assert conversation.created_at == datetime(2026, 3, 1, 10, tzinfo=UTC)
    assert question.name == f"{COPILOT_CLI}/00000001-0000-4000"
    assert question.attributes == {
        "cwd": FOLDER, "branch": "main", "speaker": "user", "conversation": COPILOT_CLI,
    }  # fmt: skip


def test_lines_of_copilot_cli_that_cannot_be_used_are_refused(tmp_path: Path) -> None:
    start, question, *_ = copilot_cli_session()
    odd = copilot_cli_line(2, "user.message", "Hello.", timestamp="soon")
    read = rows(tmp_path, [start, "no object", odd, question])
    assert turns(read) == [("user", "Why are webhooks refused?")]
    assert len(refusals(read)) == 1
    (refusal,) = refusals(rows(tmp_path, [question]))
    assert refusal is not None
    assert "session.start.sessionId" in refusal
    attachments = {"content": ["Hello."], "attachments": [3, {"mimeType": 3}]}
    assert rows(tmp_path, [start, question | {"data": attachments}]) == []


def test_a_session_of_gemini_cli_is_refused_where_it_cannot_be_used(tmp_path: Path) -> None:
    head, *lines = gemini_cli_session()
    assert rows(tmp_path, [head | {"kind": "subagent"}, *lines[:8]]) == []
    (refusal,) = refusals(rows(tmp_path, [head | {"sessionId": 3.5}]))
    assert refusal is not None
    assert "sessionId" in refusal
    odd = gemini_cli_line(7, "user", "Hello.", timestamp="soon")
    read = rows(tmp_path, [head, "no object", odd, gemini_cli_line(8, "user", "So.")])
    assert turns(read) == [("user", "So.")]
    assert len(refusals(read)) == 1


@pytest.mark.parametrize(
    "fields",
    [
        {"isSidechain": True},
        {"isMeta": True},
        {"isCompactSummary": True},
        {"isApiErrorMessage": True},
        {"type": "system"},
        {"message": {"role": "user", "content": "  "}},
        {"message": {"role": "user", "content": returned("Output.")}},
        {"message": {"role": "user", "content": [None, 3, {"type": "text"}]}},
        {"message": "text"},
    ],
)
def test_lines_that_nobody_spoke_are_no_turns(tmp_path: Path, fields: dict[str, Any]) -> None:
    read = rows(tmp_path, [claude_code_line(1, "user", "Not this.", **fields)])
    assert read == []


def test_a_turn_names_its_git_branch(tmp_path: Path) -> None:
    (_, turn, _) = rows(tmp_path, [claude_code_line(1, "user", "Hello.", gitBranch="HEAD", cwd=3)])
    assert isinstance(turn.value, Entity)
    assert turn.value.attributes == {"speaker": "user", "conversation": CLAUDE_CODE}


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Hello.", "Hello."),
        ("<system-reminder>No.</system-reminder>\nHello.", "Hello."),
        ("Hello <system-reminder>No.</system-reminder>there.", "Hello there."),
        ('<ide_selection id="1">x = 1</ide_selection>Why?', "Why?"),
        ("<local-command-stdout>Done.</local-command-stdout>", ""),
        ("<command-name>/clear</command-name>\n<command-args></command-args>", ""),
        (
            "<command-name>/review</command-name><command-args>the relay</command-args>",
            "/review the relay",
        ),
        ("<div>Hello.</div>", "<div>Hello.</div>"),
        ("<app-root>Hello.</app-root>", "<app-root>Hello.</app-root>"),
        ("What is a <system-reminder> for?", "What is a <system-reminder> for?"),
        ("<system-reminder>" * 20_000, "<system-reminder>" * 20_000),
    ],
)
def test_text_inserted_by_programs_is_left_out(text: str, kept: str) -> None:
    assert without_insertions(text) == kept


def test_an_image_is_named(tmp_path: Path) -> None:
    image = {"type": "image", "source": {"type": "base64", "data": "AAAA"}}
    read = rows(tmp_path, [claude_code_line(1, "user", [image, *spoken("What is this?")])])
    assert turns(read) == [("user", "[image]\n\nWhat is this?")]
    content = [
        {"type": "input_image", "image_url": "data:"},
        {"type": "input_text", "text": "And?"},
    ]
    message = codex_line(1, "response_item", type="message", role="user", content=content)
    assert turns(rows(tmp_path, [codex_session()[0], message])) == [("user", "[image]\n\nAnd?")]


def test_a_long_answer_is_several_turns(tmp_path: Path) -> None:
    text = "Tide. " * (TURN_CHARACTERS // 10)
    lines = [claude_code_line(number, "assistant", spoken(text)) for number in (1, 2, 3)]
    assert [speaker for speaker, _ in turns(rows(tmp_path, lines))] == ["assistant"] * 3


@pytest.mark.parametrize(
    ("titles", "title"),
    [
        ([], None),
        ([("ai-title", "aiTitle", "Relay")], "Relay"),
        ([("ai-title", "aiTitle", "Relay"), ("ai-title", "aiTitle", "The relay")], "The relay"),
        ([("custom-title", "customTitle", "Mine"), ("ai-title", "aiTitle", "Relay")], "Mine"),
        ([("custom-title", "customTitle", " "), ("ai-title", "aiTitle", 3)], None),
    ],
)
def test_a_conversation_has_the_title_of_the_session(
    tmp_path: Path, titles: list[tuple[str, str, object]], title: str | None
) -> None:
    lines = claude_code_session()
    for kind, field, value in titles:
        lines += [{"type": kind, field: value, "sessionId": SESSION.format(1)}]
    (conversation, *_) = rows(tmp_path, lines)
    assert isinstance(conversation.value, Entity)
    assert conversation.value.title == title


def test_what_a_resumed_session_repeats_is_read_once(tmp_path: Path) -> None:
    lines = claude_code_session()
    write_lines(tmp_path / "a.jsonl", lines[:8])
    write_lines(tmp_path / "b.jsonl", lines)
    read = list(FORMATS["conversations"].read(tmp_path))
    assert refusals(read) == []
    assert [text for _, text in turns(read)][-2:] == ["Thanks.\n\nWhat now?", "Renew it."]
    assert len(turns(read)) == 4


def test_sessions_of_one_folder_stay_apart(tmp_path: Path) -> None:
    write_lines(tmp_path / "a.jsonl", claude_code_session())
    other = [claude_code_line(1, "user", "Hello.", sessionId="7" * 8 + SESSION.format(1)[8:])]
    write_lines(tmp_path / "b.jsonl", other)
    write_lines(tmp_path / "2026/03/01/c.jsonl", codex_session())
    read = list(FORMATS["conversations"].read(tmp_path))
    conversations = {row.value.name for row in read if isinstance(row.value, Entity)}
    assert {name for name in conversations if name.count("/") == 1} == {
        CLAUDE_CODE, "Claude Code/2026-03-01 77777777-9d0e-4c2b", CODEX,
    }  # fmt: skip
    assert refusals(read) == []


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (claude_code_line(2, "user", "Hello.", sessionId=None), "sessionId"),
        (claude_code_line(2, "user", "Hello.", uuid=[]), "uuid"),
        (claude_code_line(2, "user", "Hello.", timestamp="soon"), "timestamp"),
    ],
)
def test_a_line_that_cannot_be_used_is_refused_and_the_others_are_read(
    tmp_path: Path, line: dict[str, Any], reason: str
) -> None:
    lines = [claude_code_line(1, "user", "Hello."), line, claude_code_line(3, "assistant", "So.")]
    read = rows(tmp_path, lines)
    (refusal,) = refusals(read)
    assert refusal is not None
    assert reason in refusal
    assert turns(read) == [("user", "Hello."), ("assistant", "So.")]


def test_a_session_of_codex_without_an_id_is_refused(tmp_path: Path) -> None:
    read = rows(tmp_path, [codex_message(1, "user", "Hello.")])
    (refusal,) = refusals(read)
    assert refusal is not None
    assert "session_meta.id" in refusal


def test_a_broken_line_is_refused_and_the_others_are_read(tmp_path: Path) -> None:
    for lines in (
        claude_code_session(), codex_session(), gemini_cli_session(), copilot_cli_session(),
    ):  # fmt: skip
        path = write_lines(tmp_path / "a.jsonl", lines)
        path.write_text("{\n" + path.read_text() + '{"type":', encoding="utf-8")
        read = list(FORMATS["conversations"].read(path))
        assert len(refusals(read)) == 2
        assert len(turns(read)) == len(turns(rows(tmp_path, lines)))


def test_lines_of_another_tool_are_refused(tmp_path: Path) -> None:
    (refusal,) = refusals(rows(tmp_path, [{"type": "entity", "name": "Redis"}]))
    assert refusal is not None
    assert "each line is a turn" in refusal


def test_a_session_that_goes_on_is_completed_by_the_next_import(
    memory: Memory, tmp_path: Path
) -> None:
    lines = claude_code_session()
    path = write_lines(tmp_path / "a.jsonl", lines[:5])
    assert not memory.import_("conversations", path).refused
    write_lines(path, lines)
    assert not memory.import_("conversations", path).refused
    assert {item.outcome for item in memory.import_("conversations", path).items} == {"unchanged"}
    hits = memory.search("certificate", mode="keyword").hits
    assert hits[0].passages[0].text == "I look at the relay first.\n\nIts certificate ran out."
