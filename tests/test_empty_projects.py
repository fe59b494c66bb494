"""A search or an overview of a project without entities says so, and names what may be meant."""

import uuid
from collections.abc import Callable

import pytest

from graphmem.memory import Memory


@pytest.fixture
def harbour(memory_of: Callable[[str], Memory]) -> Memory:
    memory = memory_of(f"example.org/{uuid.uuid4().hex}/harbour")
    memory.remember([{"name": "Quay", "text": "Boats lie here."}])
    return memory


def test_a_misspelt_project_is_answered_with_the_names_that_are_near(
    harbour: Memory, memory_of: Callable[[str], Memory]
) -> None:
    misspelt = str(harbour.project)[:-2] + "ru"
    note = f"the project `{misspelt}` has no entities; did you mean `{harbour.project}`"
    memory = memory_of(misspelt)
    for notes in (
        memory.search("boats", mode="keyword").notes,
        memory.search("", kinds=["Place"]).notes,
        memory.recent().notes,
        memory.overview().notes,
    ):
        assert any(sentence.startswith(note) for sentence in notes), notes


def test_a_project_with_entities_is_not_called_empty(harbour: Memory) -> None:
    assert harbour.overview().notes == ()
    assert "no entities" not in " ".join(harbour.search("zeppelin", mode="keyword").notes)
    harbour.forget("Quay")
    assert "no entities" not in " ".join(harbour.recent().notes)


def test_projects_out_of_reach_are_not_named(
    harbour: Memory, memory_of: Callable[[str], Memory]
) -> None:
    misspelt = str(harbour.project)[:-2] + "ru"
    limited = memory_of(misspelt).limited([misspelt])
    assert limited.overview().notes == (f"the project `{misspelt}` has no entities",)


def test_where_no_name_is_near_the_first_projects_are_named(
    harbour: Memory, memory_of: Callable[[str], Memory]
) -> None:
    empty = f"other/{uuid.uuid4().hex}"
    limited = memory_of(empty).limited([empty, str(harbour.project)])
    note = f"the project `{empty}` has no entities; others are `{harbour.project}`"
    assert limited.overview().notes == (note,)


def test_each_of_several_projects_that_holds_nothing_is_named(
    harbour: Memory, memory_of: Callable[[str], Memory]
) -> None:
    empty = f"other/{uuid.uuid4().hex}"
    own_project = str(harbour.project)
    limited = memory_of(own_project).limited([empty, own_project])
    begun = f"the project `{empty}` has no entities"
    note = f"{begun}; others are `{own_project}`"
    projects = [own_project, empty]
    answer = limited.search("boats", mode="keyword", projects=projects)
    assert ([hit.name for hit in answer.hits], answer.notes) == (["Quay"], (note,))
    assert limited.recent(projects=projects).notes == (note,)
    assert limited.search("", kinds=["Thing"], projects=projects).notes[-1:] == (note,)
    missed = limited.search("baots", mode="keyword", projects=projects).notes
    assert any(sentence.startswith(begun) for sentence in missed)
    assert len(missed) > 1
    assert limited.search("boats", mode="keyword", projects="*").notes == ()
