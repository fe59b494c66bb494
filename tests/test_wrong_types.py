"""A value of the wrong type is an error that names its argument, none from the inside of a call."""

import pickle
import re
from collections.abc import Callable
from inspect import signature
from types import MappingProxyType
from typing import Any

import pytest

from graphmem import Entity, InvalidInput, Memory, OutcomeUnknown, PartialWrite, Relation, Report
from graphmem.errors import DatabaseError, EmbeddingsReplaced, GraphmemError, ModelUnavailable
from keyword_searches import find

Call = Callable[[Any], object]

LONE_SURROGATE = "Ad\ud800"


@pytest.mark.parametrize("value", [5, None, [{"name": "Ada"}], "Ada", (("name", "Ada"),)])
def test_a_correction_that_is_no_object_is_refused(
    memory: Memory,
    value: Any,  # noqa: ANN401 - whatever a caller may give
) -> None:
    with pytest.raises(InvalidInput, match="entity must be an object"):
        memory.edit(value)


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda memory: memory.get(LONE_SURROGATE), "names[0]"),
        (lambda memory: memory.in_layers([LONE_SURROGATE]), "names[0]"),
        (lambda memory: memory.forget(LONE_SURROGATE), "names[0]"),
        (lambda memory: memory.purge(LONE_SURROGATE), "names[0]"),
        (lambda memory: memory.history(LONE_SURROGATE), "name"),
        (lambda memory: memory.explore("Ada", LONE_SURROGATE), "to"),
        (lambda memory: memory.unlink("Ada", LONE_SURROGATE), "end"),
        (lambda memory: memory.rename(LONE_SURROGATE, "Bob"), "name"),
        (lambda memory: memory.undo(LONE_SURROGATE), "change"),
    ],
)
def test_a_name_that_utf8_cannot_hold_is_refused(memory: Memory, call: Call, argument: str) -> None:
    memory.remember([{"name": "Ada"}])
    with pytest.raises(InvalidInput, match="must be valid Unicode text") as caught:
        call(memory)
    assert caught.value.argument == argument


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda memory: memory.remember([], dry_run=None), "dry_run"),
        (lambda memory: memory.remember([], overwrite="no"), "overwrite"),
        (lambda memory: memory.remember([], stubs=0), "stubs"),
        (lambda memory: memory.merge("Ada", "Bob", dry_run="no"), "dry_run"),
        (lambda memory: memory.purge(everything="no"), "everything"),
        (lambda memory: memory.import_("markdown", ".", allow_removals="no"), "allow_removals"),
        (lambda memory: memory.import_("markdown", ".", mentions="no"), "mentions"),
        (lambda memory: memory.import_(["markdown"], "."), "format"),
        (lambda memory: memory.import_("markdown", 5), "path"),
        (lambda memory: memory.import_("markdown", None), "path"),
        (lambda memory: memory.duplicates(by_meaning_only="no"), "by_meaning_only"),
        (lambda memory: memory.search("ada", dates="no"), "dates"),
        (lambda memory: memory.search("ada", weights={"text": 1.0}), "weights"),
        (lambda memory: memory.undo(10**30), "change"),
        (lambda memory: memory.projects(5), "names"),
        (lambda memory: memory.projects("harbour"), "names"),
        (lambda memory: memory.undo({1: 2}), "change"),
    ],
)
def test_an_argument_of_another_type_is_named(memory: Memory, call: Call, argument: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        call(memory)
    assert caught.value.argument == argument


@pytest.mark.parametrize(
    "arguments",
    [
        {"config": {"home": "."}},
        {"folder": 5},
        {"access": "users/42"},
        {"embedder": "all-MiniLM-L6-v2"},
        {"progress": print},
    ],
)
def test_opening_refuses_what_is_of_another_type(arguments: dict[str, Any]) -> None:
    (argument,) = arguments
    with pytest.raises(InvalidInput) as caught:
        Memory.open(**arguments)
    assert caught.value.argument == argument


def test_the_attributes_of_an_entity_are_checked_as_they_are(memory: Memory) -> None:
    wrong: Any = {"a set": {1, 2}}
    no_object: Any = 5
    report = memory.remember(
        [
            Entity("Ada", attributes=wrong),
            Entity("Bob", attributes=no_object),
            Entity("Cleo", attributes=MappingProxyType({"age": 30})),
        ],
        [Relation("Cleo", "KNOWS", "Cleo", attributes=no_object)],
    )
    reasons = [item.reason or "" for item in report.refused]
    assert [reason.partition(",")[0] for reason in reasons] == [
        "entities[0].attributes.a set must be text",
        "entities[1].attributes must be an object of names and values",
        "relations[0].attributes must be an object of names and values",
    ]
    assert memory.get("Cleo")[0].entity.attributes == {"age": 30}


def test_the_item_of_an_entity_whose_name_is_no_text_has_a_text(memory: Memory) -> None:
    number: Any = 5
    (item,) = memory.remember([Entity(number)]).refused
    assert item.name == "5"


@pytest.mark.parametrize(
    "error",
    [
        InvalidInput("limit", 0, "must be from 1 to 200", hint="Give another one."),
        OutcomeUnknown("connection reset"),
        PartialWrite(Report("harbour", ()), DatabaseError("the disk is full")),
        EmbeddingsReplaced(),
        ModelUnavailable("it is too busy; try again", pause=3.0),
    ],
    ids=lambda error: type(error).__name__,
)
def test_an_error_comes_back_from_another_process_as_it_was(error: GraphmemError) -> None:
    copy = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own
    assert (type(copy), str(copy), vars(copy)) == (type(error), str(error), vars(error))


# Answers in place of what they are about


def test_a_page_or_hit_in_place_of_an_entity_is_refused_with_where_the_entity_is(
    memory: Memory,
) -> None:
    memory.remember([{"name": "Ada"}])
    (page,), (hit,) = memory.get("Ada"), memory.search("Ada").hits

    for value, place in ((page, "page.entity"), (hit, "memory.get(hit.name)[0].entity")):
        (item,) = memory.remember([value]).refused  # type: ignore[list-item]
        assert place in (item.reason or "")
        with pytest.raises(InvalidInput, match=re.escape(place)):
            memory.edit(value)  # type: ignore[arg-type]
        with pytest.raises(InvalidInput, match="Give its `name`"):
            memory.get(value)  # type: ignore[arg-type]
        with pytest.raises(InvalidInput, match="Give its `name`"):
            memory.forget([value])  # type: ignore[list-item]


def test_what_an_argument_may_be_is_said_in_words() -> None:
    with pytest.raises(InvalidInput, match=r"^folder must be text, a path or None, got 5$"):
        Memory.open(folder=5)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match=r"^config must be an instance of Settings or None, got"):
        Memory.open(config=5)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match=r"^access must be an instance of Access, got 5$"):
        Memory.open(access=5)  # type: ignore[arg-type]


def test_a_memory_that_is_made_directly_names_what_opens_it() -> None:
    begun = r"^Memory is made by `Memory\.open\(\)`, not directly: "
    with pytest.raises(TypeError, match=rf"{begun}missing a required argument: 'graph'$"):
        Memory()  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=rf"{begun}.*unexpected keyword argument 'folder'$"):
        Memory(graph=None, model=None, project="p", folder=".")  # type: ignore[call-arg, arg-type]
    assert [*signature(Memory).parameters][:3] == ["graph", "model", "project"]


def test_an_unknown_option_names_one_that_may_be_meant(memory: Memory) -> None:
    with pytest.raises(TypeError, match=r"^search has no option kind; did you mean kinds\?$"):
        memory.search("Ada", kind="Person")  # type: ignore[call-arg]
    with pytest.raises(
        TypeError, match=r"^recent has no option colour; see `help\(Memory.recent\)`"
    ):
        memory.recent(colour="red")  # type: ignore[call-arg]


@pytest.mark.parametrize(
    "wrong",
    [
        {"detail": ["names"]}, {"expand": "no"}, {"explain": 1}, {"highlight": "x"},
        {"follow": []}, {"follow": {"link_factor": 1.0}}, {"follow": {"up": 1}}, {"where": ""},
        {"where": {"attributes": []}}, {"where": {"attributes": {5: 1}}},
        {"where": {"name": {"=": "x"}}}, {"sort": "size"}, {"since": "someday"},
    ],
)  # fmt: skip
def test_options_of_a_wrong_type_are_errors(memory: Memory, wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput):
        find(memory, "boat", **wrong)
