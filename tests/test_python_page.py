"""What docs/python.md shows works, and every method, argument and error of `Memory` is on it."""

import inspect
import re

import pytest

import graphmem
from doc_pages import blocks, page
from fakes import FakeEmbedder
from graphmem import errors
from graphmem.memory import Memory, lifetime
from graphmem.model import PartialWrite, Report
from graphmem.model.json_object import JsonObject, json_fields

PAGE = page("python")
BRANCH = re.compile(r"^([│ ]*)[├└]── (\w+)")


def drawn() -> dict[str, str]:
    """The parent of each error in the page's tree."""
    (tree,) = blocks(PAGE, "text")
    root, *lines = tree.splitlines()
    above = [root]
    parents: dict[str, str] = {}
    for line in lines:
        branch = BRANCH.match(line)
        assert branch is not None, line
        depth = 1 + len(branch[1]) // 4
        del above[depth:]
        parents[branch[2]] = above[-1]
        above.append(branch[2])
    return parents


def defined() -> dict[str, str]:
    """The parent of each error that there is."""
    classes = [*vars(errors).values(), PartialWrite]
    return {
        error.__name__: error.__mro__[1].__name__
        for error in classes
        if inspect.isclass(error)
        and issubclass(error, errors.GraphmemError)
        and error is not errors.GraphmemError
    }


@pytest.mark.usefixtures("environment")
def test_every_example_works(memory: Memory, project: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHMEM_PROJECT", project)
    monkeypatch.setattr(lifetime, "configured_embedder", lambda *_, **__: FakeEmbedder())
    for code in blocks(PAGE, "python"):
        known = {"memory": memory}
        exec(compile(code, "docs/python.md", "exec"), known)  # noqa: S102 - our own page


def test_every_public_method_is_named() -> None:
    methods = {name for name, _ in inspect.getmembers(Memory, callable) if name[0] != "_"}
    assert methods - set(re.findall(r"`(?:Memory\.)?(\w+)", PAGE)) == set()


def test_every_argument_of_open_is_in_the_table() -> None:
    section = PAGE.partition("## Opening a memory")[2].partition("\n## ")[0]
    listed = re.findall(r"^\| `(\w+)`", section, re.MULTILINE)
    assert listed == list(inspect.signature(Memory.open).parameters)


def test_every_field_of_a_report_is_in_the_table() -> None:
    section = PAGE.partition("| field of a `Report`")[2].partition("\n\n")[0]
    heads = re.findall(r"^\| (`[^|]*) \|", section, re.MULTILINE)
    listed = {name for head in heads for name in re.findall(r"`(\w+)`", head)}
    fields = {*Report.__dataclass_fields__, "refused", "changes"} - {"omitted_counts"}
    assert listed == fields


def test_every_field_that_json_calls_otherwise_is_named() -> None:
    section = PAGE.partition("## Answers")[2].partition("\n## ")[0]
    sentence = section.partition("A few fields have another")[2].partition("In a notebook")[0]
    named = re.findall(r"`([a-z_]+)`", sentence)
    classes = [getattr(graphmem, name) for name in graphmem.__all__]
    other_names = {
        word
        for declared in classes
        if inspect.isclass(declared) and issubclass(declared, JsonObject)
        for attribute, field in json_fields(declared).items()
        if attribute != field.name
        for word in (attribute, field.name)
    }
    assert set(named) == other_names


@pytest.mark.parametrize("answer", [graphmem.Overview, graphmem.Duplicates, graphmem.Merge])
def test_every_field_of_an_answer_is_in_the_table(answer: type[JsonObject]) -> None:
    (row,) = re.findall(rf"^\| [^|]*`{answer.__name__}` \|(.*)\|$", PAGE, re.MULTILINE)
    assert set(answer.__dataclass_fields__) - {"project", "notes"} <= set(
        re.findall(r"`(\w+)`", row)
    )


def test_the_tree_of_errors_is_that_of_the_classes() -> None:
    assert drawn() == defined()


# What the package gives


@pytest.mark.parametrize("name", graphmem.__all__)
def test_a_public_name_leads_to_what_is_called_so(name: str) -> None:
    assert getattr(graphmem, name).__name__ == name


def test_the_public_names_are_those_that_are_imported_when_asked_for() -> None:
    listed = [name for names in graphmem._MODULES.values() for name in names]
    assert sorted(listed) == graphmem.__all__


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'Memmory'"):
        _ = graphmem.Memmory  # type: ignore[attr-defined] # type checkers see it, too


def test_completion_offers_the_public_names() -> None:
    assert set(graphmem.__all__) <= set(dir(graphmem))


def test_the_class_of_every_answer_can_be_imported() -> None:
    """So that a function which returns the answer of a method can be annotated."""
    annotations = {
        str(inspect.signature(method).return_annotation)
        for name, method in inspect.getmembers(Memory, inspect.isfunction)
        if name[0] != "_"
    }
    named = {word for text in annotations for word in re.findall(r"\b[A-Z]\w+", text)}
    assert named - {"Iterator", "None", "Self"} <= set(graphmem.__all__)
