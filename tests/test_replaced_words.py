"""Notes where a write replaces what somebody else said: a text, or that an entity is forgotten."""

from pathlib import Path

import pytest

from code_folders import write
from graphmem.calls import acting
from graphmem.memory import Memory

BACK = "`undo` takes that back, and `observations` add to an entity instead"
TEXT = "def to_bytes(value):\n    return value.encode()\n"


@pytest.fixture
def decision(memory: Memory) -> Memory:
    """A decision that agent A wrote."""
    with acting("agent A"):
        memory.remember([{"name": "Use HTTP/2", "text": "Since it is quick."}])
    return memory


def test_the_text_of_another_author_is_told(decision: Memory) -> None:
    with acting("agent B"):
        report = decision.remember([{"name": "use http/2", "text": "New."}, {"name": "Pool"}])

    assert report.notes == (f"the text of 'Use HTTP/2' by agent A was replaced; {BACK}",)
    with acting("agent A"):
        again = decision.remember([{"name": "Use HTTP/2", "text": "Mine again."}])
    assert again.notes == (f"the text of 'Use HTTP/2' by agent B was replaced; {BACK}",)


def test_nothing_is_told_where_no_text_of_others_goes(decision: Memory) -> None:
    with acting("agent A"):
        own = decision.remember([{"name": "Use HTTP/2", "text": "Since it is safe."}])
    with acting("agent B"):
        same = decision.remember([{"name": "Use HTTP/2", "text": "Since it is safe."}])
        added = decision.remember(
            [{"name": "Use HTTP/2", "tags": ["web"], "observations": ["Slow in May."]}]
        )
        decision.remember([{"name": "Pool", "tags": ["web"]}])
        first = decision.remember([{"name": "Pool", "text": "Of connections."}])
        tried = decision.remember([{"name": "Use HTTP/2", "text": "New."}], dry_run=True)

    assert [report.notes for report in (own, same, added, first, tried)] == [()] * 5


def test_the_text_of_an_import_is_told_once_and_several_by_their_author(
    memory: Memory, tmp_path: Path
) -> None:
    write(tmp_path, {"helpers.py": TEXT, "others.py": TEXT})
    memory.import_("code", tmp_path)
    names = ["helpers.py::to_bytes", "others.py::to_bytes"]
    report = memory.remember([{"name": name, "text": "A summary."} for name in names])

    (note,) = report.notes
    assert note.startswith("the texts of 'helpers.py::to_bytes' and 'others.py::to_bytes' by the ")
    assert note.endswith(f"import code:{tmp_path} were replaced; {BACK}")
    assert memory.remember([{"name": names[0], "text": "Another one."}]).notes == ()
    assert not [note for note in memory.import_("code", tmp_path).notes if "replaced" in note]


def test_the_text_of_a_renamed_entity_is_told_by_its_name(decision: Memory) -> None:
    decision.rename("Use HTTP/2", "Speak HTTP/2")
    with acting("agent B"):
        report = decision.remember([{"name": "Use HTTP/2", "text": "New."}])

    assert f"the text of 'Speak HTTP/2' by agent A was replaced; {BACK}" in report.notes


def test_what_was_forgotten_and_is_written_to_is_told_with_who_had_forgotten_it(
    decision: Memory,
) -> None:
    with acting("agent A"):
        decision.forget("Use HTTP/2")
    with acting("agent B"):
        tried = decision.remember([{"name": "use http/2", "tags": ["web"]}], dry_run=True)
        report = decision.remember([{"name": "use http/2", "tags": ["web"]}, {"name": "Pool"}])
        again = decision.remember([{"name": "use http/2", "tags": ["quick"]}])

    assert report.notes == (
        "'Use HTTP/2' was forgotten by agent A and is no longer; `forget` hides it again",
    )
    assert tried.notes == again.notes == ()
    assert decision.get("Use HTTP/2")[0].entity.status == "active"


def test_who_corrects_or_adds_to_what_they_had_forgotten_is_told(decision: Memory) -> None:
    with acting("agent A"):
        decision.remember([{"name": "Pool", "text": "Of connections."}])
        decision.forget(["Use HTTP/2", "Pool"])
        corrected = decision.edit({"name": "Pool", "text": "Of threads."})
        decision.forget("Pool")
        both = decision.remember(
            [{"name": name, "tags": ["web"]} for name in ("Use HTTP/2", "Pool")]
        )

    assert corrected.notes == (
        "'Pool' was forgotten by agent A and is no longer; `forget` hides it again",
    )
    (note,) = both.notes
    assert note.startswith("'Pool' and 'Use HTTP/2' were forgotten by agent A and are no longer; ")


def test_nothing_is_told_where_the_status_is_given_or_restored(decision: Memory) -> None:
    decision.forget("Use HTTP/2")
    given = decision.remember([{"name": "Use HTTP/2", "status": "active"}])
    decision.forget("Use HTTP/2")
    restored = decision.restore("Use HTTP/2")
    assert given.notes == restored.notes == ()
    assert given.items[0].outcome == restored.items[0].outcome == "updated"
