"""`graphmem import conversations`: lines of turns, sessions, and turns in a store."""

import json
import shlex
from pathlib import Path

import pytest

from agent_sessions import (
    claude_code_session,
    codex_session,
    copilot_cli_session,
    gemini_cli_session,
    opencode_session,
    write_lines,
    write_opencode,
)
from conversations import (
    BEGAN,
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
from doc_pages import blocks, page
from fakes import FakeEmbedder
from graphmem import cli
from graphmem.cli import session
from graphmem.memory import Memory
from graphmem.transfer import FORMATS, Row

PAGE = page("conversations")


def turn(**fields: object) -> dict[str, object]:
    return {"conversation": "c", "id": 1, "speaker": "Ana", "text": "Hello."} | fields


def rows(folder: Path, *lines: object, name: str = "chats.jsonl") -> list[Row]:
    """The rows of a file of these lines."""
    written = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    (folder / name).write_text("".join(f"{line}\n" for line in written), encoding="utf-8")
    return list(FORMATS["conversations"].read(folder / name))


# Lines of turns


def test_a_turn_becomes_an_entity_with_everything_its_line_says(tmp_path: Path) -> None:
    all_rows = rows(tmp_path, turn(session=3, time="2026-03-01T10:00:00Z", channel="phone"))
    entity = entities(all_rows)["c/session 3/1"]
    assert (entity.kind, entity.title, entity.text) == ("Turn", "Ana", "Hello.")
    assert (entity.created_at, entity.source) == (BEGAN, "chats.jsonl")
    assert entity.attributes == {
        "channel": "phone", "speaker": "Ana", "conversation": "c", "session": "session 3",
    }  # fmt: skip


def test_a_turn_says_when_it_holds(tmp_path: Path) -> None:
    (entity,) = turns(rows(tmp_path, turn(valid_until="2026-05-31")))
    assert entity.to_json()["valid_until"] == "2026-05-31"
    assert "valid_until" not in entity.attributes


def test_turns_are_part_of_a_session_and_a_session_of_a_conversation(tmp_path: Path) -> None:
    all_rows = rows(tmp_path, turn(session="monday"), turn(session="monday", id=2), turn(id="last"))
    kinds = {name: entity.kind for name, entity in entities(all_rows).items()}
    assert kinds == {
        "c": "Conversation", "c/monday": "Session",
        "c/monday/1": "Turn", "c/monday/2": "Turn", "c/last": "Turn",
    }  # fmt: skip
    assert links(all_rows, "PART_OF") == [
        ("c/monday", "c"), ("c/monday/1", "c/monday"), ("c/monday/2", "c/monday"), ("c/last", "c"),
    ]  # fmt: skip


def test_turns_of_a_session_follow_each_other_whatever_stands_between(tmp_path: Path) -> None:
    all_rows = rows(
        tmp_path, turn(), turn(conversation="d"), turn(id=2), turn(conversation="d", id="x")
    )
    assert links(all_rows) == [("c/1", "c/2"), ("d/1", "d/x")]


def test_a_session_may_span_the_files_of_a_folder(tmp_path: Path) -> None:
    rows(tmp_path, turn(), name="a.jsonl")
    rows(tmp_path, turn(id=2), name="b.jsonl")
    users = tmp_path / "users.json"  # an export has more files than conversations
    users.write_text('[{"uuid": "u"}]')
    all_rows = list(FORMATS["conversations"].read(tmp_path))
    assert (links(all_rows), refused(all_rows)) == ([("c/1", "c/2")], {})


def test_a_file_of_an_export_may_have_a_name_in_capital_letters(tmp_path: Path) -> None:
    exported(tmp_path, claude(message(1, "So.")))
    (tmp_path / "conversations.json").rename(tmp_path / "CONVERSATIONS.JSON")
    assert [entity.text for entity in turns(list(FORMATS["conversations"].read(tmp_path)))] == [
        "So."
    ]


@pytest.mark.parametrize("time", ["2026-03-01T11:00:00+01:00", 1772359200, 1772359200.0])
def test_a_time_is_iso_8601_or_seconds(tmp_path: Path, time: object) -> None:
    (entity,) = turns(rows(tmp_path, turn(time=time)))
    assert entity.created_at == BEGAN


def test_a_role_stands_for_a_speaker(tmp_path: Path) -> None:
    (entity,) = turns(rows(tmp_path, turn(speaker=None, role="user")))
    assert (entity.title, entity.attributes["speaker"]) == ("user", "user")


def test_other_fields_become_attributes_whatever_they_are_called_and_hold(tmp_path: Path) -> None:
    line = turn(
        kind="x", type="message", metadata={"a": [1]}, mixed=[1, "a"], source="web",
        **{"due date?": "May", "due date_": "June", "accessed": 3, "graphmem_live": 1},
    )  # fmt: skip
    (entity,) = turns(rows(tmp_path, line))
    own = {"speaker", "conversation", "session"}
    assert {name: entity.attributes[name] for name in entity.attributes.keys() - own} == {
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
    all_rows = rows(tmp_path, turn(id="a"), line, turn(id="b"))
    ((place, why),) = refused(all_rows).items()
    assert place == "chats.jsonl:2"
    assert why.startswith(reason)
    assert links(all_rows) == [("c/a", "c/b")]


def test_a_turn_that_is_there_twice_is_refused_once(tmp_path: Path) -> None:
    all_rows = rows(tmp_path, turn(), turn(text="Something else."), turn(id=2))
    assert refused(all_rows) == {"chats.jsonl:2": "c/1 is said twice; give one of them another id"}
    assert links(all_rows) == [("c/1", "c/2")]


def test_a_session_with_the_name_of_a_turn_is_refused(tmp_path: Path) -> None:
    all_rows = rows(tmp_path, turn(id="x"), turn(session="x"))
    assert list(refused(all_rows)) == ["chats.jsonl:2"]


def test_a_session_may_be_spelled_in_several_cases(tmp_path: Path) -> None:
    all_rows = rows(
        tmp_path,
        turn(conversation="Support", session="Call"),
        turn(conversation="support", session="call", id=2, text="Bye."),
    )
    assert refused(all_rows) == {}
    assert list(entities(all_rows)) == [
        "Support",
        "Support/Call",
        "Support/Call/1",
        "support/call/2",
    ]
    assert links(all_rows) == [("Support/Call/1", "support/call/2")]
    assert lead_ins(all_rows) == {"Hello.": None, "Bye.": "Hello."}


@pytest.mark.parametrize(
    "name", ["محا\u200fدثة.jsonl", f"{'长' * 80}.jsonl"], ids=["with a mark", "of many bytes"]
)
def test_turns_of_a_file_whose_path_can_be_no_source_are_read(tmp_path: Path, name: str) -> None:
    folder = tmp_path / ("长" * 80) / ("长" * 20)
    folder.mkdir(parents=True)
    (folder / name).write_text(json.dumps(turn()), encoding="utf-8")
    rows = list(FORMATS["conversations"].read(tmp_path))
    assert refused(rows) == {}
    assert {entity.source for entity in entities(rows).values()} == {None}


def test_a_file_without_lines_has_no_rows(tmp_path: Path) -> None:
    assert rows(tmp_path) == []


def test_the_turn_before_of_the_same_session_leads_in(tmp_path: Path) -> None:
    all_rows = rows(
        tmp_path, turn(text="Why?"), turn(conversation="d", text="Hm?"),
        turn(id=2, text="Because."), turn(session=2, text="So?"), turn(conversation="d", id=2),
    )  # fmt: skip
    assert lead_ins(all_rows) == {
        "Why?": None, "Hm?": None, "Because.": "Why?", "So?": None, "Hello.": "Hm?",
    }  # fmt: skip


def test_a_turn_that_is_refused_leads_in_to_nothing(tmp_path: Path) -> None:
    all_rows = rows(tmp_path, turn(text="Why?"), turn(text="Twice."), turn(id=2, text="Because."))
    assert lead_ins(all_rows) == {"Why?": None, "Because.": "Why?"}


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
    all_rows = rows(tmp_path, turn(text=before), turn(id=2, text="So."))
    assert not refused(all_rows)
    said = lead_ins(all_rows)["So."]
    assert said is None or len(said) <= 200
    if "\ufdfa" not in before:  # a ligature of 18 letters
        assert said == lead_in


def test_a_line_tells_another_lead_in_itself(tmp_path: Path) -> None:
    all_rows = rows(tmp_path, turn(text="Why?"), turn(id=2, text="So.", lead_in="Who?"))
    assert not refused(all_rows)
    assert lead_ins(all_rows)["So."] == "Who?"


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
