"""Sessions of coding agents as these write them, in the lines that matter and some that do not."""

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any

from graphmem.model import Entity, Item
from graphmem.transfer import Row

SESSION = "6b1c2f3a-9d0e-4c2b-8f00-00000000000{}"
# A line of the second form has an id; that of the first would have its number.
UUID = "{:08x}-0000-4000-8000-000000000000"
DAY = "2026-03-01T10:00:{:02}.000Z"
FOLDER = "/srv/harbour"


def claude_code_line(
    number: int, speaker: str, content: object, **fields: object
) -> dict[str, Any]:
    """A line of Claude Code 2.1."""
    return {
        "parentUuid": UUID.format(number - 1) if number > 1 else None, "isSidechain": False,
        "type": speaker, "message": {"role": speaker, "content": content},
        "uuid": UUID.format(number), "timestamp": DAY.format(number), "userType": "external",
        "cwd": FOLDER, "sessionId": SESSION.format(1), "version": "2.1.197", "gitBranch": "main",
    } | fields  # fmt: skip


def used(tool: str) -> list[object]:
    return [{"type": "tool_use", "id": "toolu_1", "name": tool, "input": {"command": "ls"}}]


def returned(content: str) -> list[object]:
    return [{"type": "tool_result", "tool_use_id": "toolu_1", "content": content}]


def spoken(*texts: str) -> list[object]:
    return [{"type": "text", "text": text} for text in texts]


def claude_code_session() -> list[dict[str, Any]]:
    """A question, an answer with a step between, and what stands around them."""
    session_id = SESSION.format(1)
    thinking = [{"type": "thinking", "thinking": "Thought.", "signature": "x"}]
    return [
        {"type": "queue-operation", "operation": "enqueue", "sessionId": session_id},
        {"type": "file-history-snapshot", "messageId": UUID.format(1), "snapshot": {}},
        claude_code_line(1, "user", "Why are webhooks refused?\nThe relay says nothing."),
        claude_code_line(2, "assistant", thinking),
        claude_code_line(3, "assistant", spoken("I look at the relay first.")),
        claude_code_line(4, "assistant", used("Bash")),
        claude_code_line(5, "user", returned("relay.log")),
        claude_code_line(6, "assistant", spoken("Its certificate ran out.")),
        claude_code_line(7, "user", spoken("Thanks.", "What now?")),
        claude_code_line(8, "assistant", spoken("Renew it.")),
        {"type": "last-prompt", "lastPrompt": "What now?", "sessionId": session_id},
    ]


def codex_line(second: int, kind: str, **payload: object) -> dict[str, Any]:
    """A line of Codex 0.171."""
    return {"timestamp": DAY.format(second), "ordinal": second, "type": kind, "payload": payload}


def codex_message(second: int, role: str, *texts: str) -> dict[str, Any]:
    form = "output_text" if role == "assistant" else "input_text"
    content = [{"type": form, "text": text} for text in texts]
    return codex_line(second, "response_item", type="message", role=role, content=content)


def codex_session() -> list[dict[str, Any]]:
    """Likewise."""
    instructions = "# AGENTS.md instructions for /srv/harbour\n\n<INSTRUCTIONS>\nBe brief."
    environment = "<environment_context>\n  <cwd>/srv/harbour</cwd>\n</environment_context>"
    call = {"type": "function_call", "name": "exec_command", "arguments": "{}", "call_id": "c"}
    output = {"type": "function_call_output", "call_id": "c", "output": "relay.log"}
    meta = {"id": SESSION.format(2), "timestamp": DAY.format(0), "cwd": FOLDER}
    item = {"type": "AgentMessage", "id": "m", "content": [{"type": "Text", "text": "Twice."}]}
    return [
        codex_line(0, "session_meta", **meta, base_instructions={"text": "You are Codex."}),
        codex_message(1, "developer", "<skills_instructions>Skills.</skills_instructions>"),
        codex_message(2, "user", instructions, environment),
        codex_line(3, "turn_context", cwd=FOLDER),
        codex_message(4, "user", "Why are webhooks refused?"),
        codex_message(5, "assistant", "I look at the relay first."),
        codex_line(6, "response_item", **call),
        codex_line(7, "response_item", **output),
        codex_line(8, "event_msg", type="item_completed", item=item),
        codex_message(9, "assistant", "Its certificate ran out."),
        codex_message(10, "user", "What now?"),
    ]


def gemini_cli_line(second: int, kind: str, content: object, **fields: object) -> dict[str, Any]:
    """A line of Gemini CLI 0.61."""
    return {
        "id": UUID.format(second), "timestamp": DAY.format(second), "type": kind,
        "content": content,
    } | fields  # fmt: skip


def gemini_cli_session() -> list[dict[str, Any]]:
    """Likewise; the session is resumed before the last question."""
    meta = {"sessionId": SESSION.format(3), "projectHash": "195acb", "startTime": DAY.format(0)}
    context = {"text": "<session_context>\nThis is the Gemini CLI.\n</session_context>"}
    question = {"text": "Why does @relay.log say nothing?"}
    files = [{"text": "\n--- Content from referenced files ---"}, {"text": "Silence."}]
    step = gemini_cli_line(3, "gemini", "I look at the relay first.", thoughts=[])
    response = {"functionResponse": {"name": "list_directory", "response": {"output": "a"}}}
    return [
        {**meta, "kind": "main"},
        {"$set": {"messages": [gemini_cli_line(1, "user", [context])]}},
        gemini_cli_line(1, "user", [context]),
        gemini_cli_line(2, "user", [question, *files]),
        step,
        {**step, "toolCalls": [{"name": "list_directory"}]},
        gemini_cli_line(4, "user", [response]),
        gemini_cli_line(5, "info", "Update available."),
        gemini_cli_line(6, "gemini", "Its certificate ran out."),
        {**meta, "startTime": DAY.format(9), "kind": "main"},
        gemini_cli_line(10, "user", [{"inlineData": {"data": "AAAA"}}, {"text": "What now?"}]),
    ]


def copilot_cli_line(second: int, kind: str, content: object, **fields: object) -> dict[str, Any]:
    """A line of Copilot CLI 1.0."""
    return {
        "type": kind, "data": {"content": content}, "id": UUID.format(second),
        "timestamp": DAY.format(second), "parentId": UUID.format(second - 1),
    } | fields  # fmt: skip


def copilot_cli_session() -> list[dict[str, Any]]:
    """Likewise; the session is resumed before the last question."""
    context = {"cwd": FOLDER, "branch": "main"}
    start = {"sessionId": SESSION.format(4), "startTime": DAY.format(0), "context": context}
    prompt = {"agentId": UUID.format(99)}
    image = {"type": "file", "displayName": "a.png", "mimeType": "image/png"}
    question = {"content": "What now?", "transformedContent": "Now.", "attachments": [image]}
    resumption = {"resumeTime": DAY.format(9), "context": context}
    return [
        copilot_cli_line(0, "session.start", None, data=start, parentId=None),
        copilot_cli_line(1, "user.message", "Why are webhooks refused?"),
        copilot_cli_line(2, "system.message", "You are Copilot."),
        copilot_cli_line(3, "assistant.message", "I look at the relay first."),
        copilot_cli_line(4, "tool.execution_complete", "relay.log"),
        copilot_cli_line(5, "user.message", "Inspect the relay.", **prompt),
        copilot_cli_line(6, "assistant.message", "Inspected.", **prompt),
        copilot_cli_line(7, "assistant.message", ""),
        copilot_cli_line(8, "assistant.message", "Its certificate ran out."),
        copilot_cli_line(9, "session.resume", None, data=resumption),
        copilot_cli_line(10, "user.message", None, data=question),
    ]


OPENCODE_TABLES = """
CREATE TABLE session (id text PRIMARY KEY, parent_id text, directory text NOT NULL,
    title text NOT NULL, revert text, time_created integer NOT NULL);
CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL,
    time_created integer NOT NULL, data text NOT NULL);
CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL,
    data text NOT NULL);
"""


def opencode_time(second: int) -> dict[str, int]:
    return {"created": int(datetime.fromisoformat(DAY.format(second)).timestamp() * 1000)}


def opencode_message(second: int, role: str, *parts: object, **info: object) -> dict[str, Any]:
    """A message of OpenCode 1.18, as it is exported; a text stands for a part with it."""
    return {
        "info": {"role": role, "time": opencode_time(second), "id": f"msg_{second:02}"} | info,
        "parts": [
            {"type": "text", "text": part} if isinstance(part, str) else part for part in parts
        ],
    }


def opencode_session() -> dict[str, Any]:
    """Likewise."""
    file = {"type": "file", "mime": "text/plain", "filename": "relay.log", "url": "file:///"}
    read = {"type": "text", "text": "1: Silence.", "synthetic": True}
    tool = {"type": "tool", "tool": "bash", "state": {"status": "completed", "output": "a"}}
    notice = {"type": "text", "text": "3 messages are left out.", "ignored": True}
    image = {"type": "file", "mime": "image/png", "url": "data:image/png;base64,AAAA"}
    executed = {"type": "text", "text": "The following tool was executed", "synthetic": True}
    return {
        "info": {
            "id": "ses_1", "title": "The relay", "directory": FOLDER, "time": opencode_time(0),
        },
        "messages": [
            opencode_message(1, "user", read, file, "Why does @relay.log say nothing?"),
            opencode_message(
                2, "assistant", {"type": "step-start"}, {"type": "reasoning", "text": "Thought."},
                "I look at the relay first.", tool, {"type": "step-finish"},
            ),
            opencode_message(3, "assistant", "Its certificate ran out."),
            opencode_message(4, "user", executed),
            opencode_message(5, "assistant", tool),
            opencode_message(6, "user", notice),
            opencode_message(7, "user", {"type": "compaction", "auto": False}),
            opencode_message(8, "assistant", "The relay was examined.", summary=True),
            opencode_message(9, "user", image, "What now?", summary={"diffs": []}),
        ],
    }  # fmt: skip


def write_opencode(path: Path, *sessions: dict[str, Any]) -> Path:
    """Write a database of OpenCode; a part that is text in a session stands there as it is."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.executescript(OPENCODE_TABLES)
        for session in sessions:
            info = session["info"]
            connection.execute(
                "INSERT INTO session VALUES (?, ?, ?, ?, ?, ?)",
                (
                    info["id"], info.get("parentID"), info["directory"], info["title"],
                    json.dumps(info["revert"]) if "revert" in info else None,
                    info["time"]["created"],
                ),
            )  # fmt: skip
            for message in session["messages"]:
                write_opencode_message(connection, info["id"], message)
        connection.commit()
    return path


def write_opencode_message(
    connection: sqlite3.Connection, session: str, message: dict[str, Any]
) -> None:
    info = dict(message["info"])
    identity = info.pop("id")
    values = (identity, session, info["time"]["created"], json.dumps(info))
    connection.execute("INSERT INTO message VALUES (?, ?, ?, ?)", values)
    connection.executemany(
        "INSERT INTO part VALUES (?, ?, ?, ?)",
        [
            (
                f"{identity}/{number}", identity, session,
                part if isinstance(part, str) else json.dumps(part),
            )
            for number, part in enumerate(message["parts"])
        ],
    )  # fmt: skip


def write_lines(path: Path, lines: Sequence[object]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return path


def turns(read: list[Row]) -> list[tuple[str | None, str | None]]:
    """Who said what, in order."""
    values = [row.value for row in read]
    entities = [value for value in values if isinstance(value, Entity) and value.kind == "Turn"]
    return [(entity.title, entity.text) for entity in entities]


def refusals(read: list[Row]) -> list[str | None]:
    return [row.value.reason for row in read if isinstance(row.value, Item)]
