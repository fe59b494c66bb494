"""The history of an entity is deleted, and the entity stays as it is."""

import json
from datetime import UTC, datetime
from typing import Any

import neo4j
import pytest

from graphmem import cli
from graphmem.errors import Conflict, InvalidInput, NotFound
from graphmem.memory import Memory
from terminals import Keyboard

SECRET = "hunter2"  # noqa: S105 - of nothing


@pytest.fixture
def corrected(memory: Memory) -> Memory:
    """An entity whose text held a secret, and one that was merged into it and held another."""
    memory.remember(
        [
            {"name": "Login", "text": f"The password is {SECRET}.", "observations": [SECRET]},
            {"name": "Sign-in", "text": f"Once more: {SECRET}."},
            {"name": "Other", "text": "Something else."},
        ],
        [{"from": "Other", "relation": "NEEDS", "to": "Login"}],
    )
    memory.merge("Sign-in", "Login")
    observations = memory.get("Login")[0].entity.observations
    memory.edit(
        {"name": "Login", "text": "The password is in the vault."}
        | {"remove": {"observations": [item.id for item in observations]}}
    )
    memory.edit({"name": "Other", "text": "Something new."})
    return memory


def revisions(session: neo4j.Session, memory: Memory) -> list[dict[str, Any]]:
    rows = session.run(
        "MATCH (revision:GraphmemRevision) WHERE revision.key STARTS WITH $project "
        "RETURN revision.key AS key, revision.before AS before ORDER BY key",
        project=f"{memory.project}#",
    )
    return rows.data()


def test_nothing_of_the_past_is_left_and_the_entity_is_as_before(
    corrected: Memory, session: neo4j.Session
) -> None:
    page = corrected.get("Login")[0]
    assert SECRET in json.dumps(revisions(session, corrected))
    then = datetime.now(UTC)

    deleted = corrected.purge_history("Login")

    assert deleted == 3
    assert SECRET not in json.dumps(revisions(session, corrected))
    assert [row["key"].partition("#")[2] for row in revisions(session, corrected)] == ["other"]
    assert corrected.get("Login")[0] == page
    assert [item.verb for item in corrected.history("Login").revisions] == ["remember"]
    assert corrected.get("Sign-in")[0].name == "Login"
    assert corrected.get_as_of("Login", then).entity.text == "The password is in the vault."
    assert corrected.search("vault").hits[0].name == "Login"
    change = corrected.changes("2000-01-01").changes[0]
    assert (change.verb, change.note) == ("purge", "the history of Login")


def test_changes_after_a_purge_of_history_are_recorded(corrected: Memory) -> None:
    corrected.purge_history(["Login", "Other"])
    corrected.edit({"name": "Login", "title": "How to log in"})
    revision, _ = corrected.history("Login").revisions
    assert [item.field for item in revision.differences] == ["title"]
    corrected.undo("last")
    assert corrected.get("Login")[0].entity.title is None


def test_purging_history_twice_notes_no_second_change(corrected: Memory) -> None:
    corrected.purge_history("Login")
    count = len(corrected.changes("2000-01-01").changes)
    assert corrected.purge_history("Login") == 0
    assert len(corrected.changes("2000-01-01").changes) == count


def test_a_change_whose_history_is_gone_is_not_undone(corrected: Memory) -> None:
    edit = next(
        change for change in corrected.changes("2000-01-01").changes if "Login" in change.names
    )
    corrected.purge_history("Login")
    corrected.undo(edit.id)
    assert corrected.get("Login")[0].entity.text == "The password is in the vault."


def test_a_creation_is_not_undone_once_what_came_later_is_deleted(corrected: Memory) -> None:
    corrected.remember([{"name": "New", "text": SECRET}])
    corrected.remember([{"name": "Untouched"}])
    untouched, created = corrected.changes("2000-01-01").changes[:2]
    corrected.edit({"name": "New", "text": "Something else."})
    corrected.purge_history(["New", "Untouched"])

    with pytest.raises(Conflict, match="the history of that was deleted"):
        corrected.undo(created.id)

    assert corrected.get("New")[0].status == "active"
    corrected.undo(untouched.id)
    assert corrected.get("Untouched")[0].status == "removed"
    corrected.edit({"name": "New", "title": "Title"})
    with pytest.raises(Conflict):
        corrected.undo(created.id)


@pytest.mark.parametrize(
    ("names", "error"),
    [([], InvalidInput), ("", InvalidInput), (["Login", "Nobody"], NotFound), (5, InvalidInput)],
)
def test_what_is_not_allowed_deletes_nothing(
    corrected: Memory,
    session: neo4j.Session,
    names: Any,  # noqa: ANN401 - also what is no list
    error: type[Exception],
) -> None:
    before = revisions(session, corrected)
    with pytest.raises(error):
        corrected.purge_history(names)
    assert revisions(session, corrected) == before


def test_the_terminal_asks_and_deletes(
    corrected: Memory,
    project: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    command = ["purge", "Login", "--history", "--project", project]
    monkeypatch.setattr("sys.stdin", Keyboard("n\n"))
    assert cli.main(command) == 1
    told = "Delete the history of Login for good? [y/N] graphmem: cancelled; nothing was changed\n"
    assert capsys.readouterr().err.endswith(told)
    assert len(corrected.history("Login").revisions) > 1
    assert cli.main([*command, "--yes"]) == 0
    assert "3 history records of Login were deleted" in capsys.readouterr().out
    assert cli.main([*command, "--yes", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"names": ["Login"], "deleted": 0}
    assert len(corrected.history("Login").revisions) == 1
