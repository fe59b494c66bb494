"""Sessions of coding agents as these write them, in the lines that matter and some that do not."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

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


def write_lines(path: Path, lines: Sequence[object]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return path
