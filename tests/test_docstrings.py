"""Every public method of `Memory` documents what it takes."""

import inspect
import re
from collections.abc import Callable

import pytest

from graphmem import FilterOptions, ListingOptions, SearchOptions
from graphmem.memory import Memory

ARGUMENT = re.compile(r"^    (\*{0,2}\w+): \S", re.MULTILINE)
METHODS = {
    name: method
    for name, method in inspect.getmembers(Memory, callable)
    if not name.startswith("_")
}
DAYS = {"since", "until", "at", "as_of", "moment", "history_before", "valid_from", "valid_until"}


def documented(method: Callable[..., object]) -> set[str]:
    """The parameters that the section Args of a docstring names."""
    _, _, rest = (inspect.getdoc(method) or "").partition("\nArgs:\n")
    section, _, _ = rest.partition("\n\n")
    return set(ARGUMENT.findall(section))


@pytest.mark.parametrize("name", sorted(METHODS))
def test_every_parameter_of_a_public_method_is_documented(name: str) -> None:
    parameters = set(inspect.signature(METHODS[name]).parameters) - {"self"}

    assert documented(METHODS[name]) == parameters


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("search", SearchOptions),
        ("context", SearchOptions),
        ("recent", ListingOptions),
        ("selection", FilterOptions),
        ("purge", FilterOptions),
    ],
)
def test_the_options_of_a_method_are_listed_as_parameters(name: str, options: type) -> None:
    parameters = inspect.signature(METHODS[name]).parameters

    assert parameters.keys() >= options.__annotations__.keys()
    assert all(parameters[option].default is None for option in options.__annotations__)
    assert inspect.Parameter.VAR_KEYWORD not in {
        parameter.kind for parameter in parameters.values()
    }


def test_a_method_describes_the_options_that_differ_for_it() -> None:
    assert inspect.getdoc(METHODS["search"]).count("\n    limit: ") == 1  # type: ignore[union-attr]
    assert "limit: The most hits, 1 to 200; by default as many as fit into the budget." in (
        inspect.getdoc(METHODS["context"]) or ""
    )


@pytest.mark.parametrize(
    ("name", "day"),
    [
        (name, day)
        for name in sorted(METHODS)
        for day in sorted(DAYS & inspect.signature(METHODS[name]).parameters.keys())
    ],
)
def test_a_parameter_that_is_a_day_may_be_a_date(name: str, day: str) -> None:
    parameter = inspect.signature(METHODS[name]).parameters[day]

    assert "datetime.date |" in str(parameter.annotation)


@pytest.mark.parametrize("name", sorted(METHODS))
def test_a_signature_shows_no_address_of_an_object(name: str) -> None:
    assert " object at 0x" not in str(inspect.signature(METHODS[name]))
