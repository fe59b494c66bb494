"""A note where a write replaces a text that somebody else wrote."""

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
