"""What docs/searching.md shows works as it is shown, and every option of a search stands there."""

import inspect
import json
import re
import shlex

import pytest
from pydantic import validate_call

from doc_pages import blocks, page
from fakes import FakeEmbedder
from graphmem import cli
from graphmem.cli import session
from graphmem.cli.search import search as command
from graphmem.memory import Memory
from graphmem.memory.searches.options import SearchOptions
from graphmem.model import Answer, Hit
from graphmem.model.json_object import json_fields
from graphmem.server.tools import Tools

PAGE = page("searching")
DOORS = {"json", "query", "project"}


def test_every_example_works(memory: Memory, project: str, monkeypatch: pytest.MonkeyPatch) -> None:
    known = {"memory": memory}
    for code in blocks(PAGE, "python"):
        exec(compile(code, "docs/searching.md", "exec"), known)  # noqa: S102 - our own page
    monkeypatch.setattr(session, "embedder", lambda *_, **__: FakeEmbedder())
    monkeypatch.setenv("GRAPHMEM_PROJECT", project)
    for line in "".join(blocks(PAGE, "console")).splitlines():
        program, *tokens = shlex.split(line)
        assert program == "graphmem"
        assert cli.main(tokens) == 0, line
    search = validate_call(Tools(lambda: memory).search)
    for arguments in blocks(PAGE, "json"):
        assert search(**json.loads(arguments)).hits, arguments


@pytest.mark.parametrize(("head", "value"), [("the answer", Answer), ("a hit", Hit)])
def test_a_table_has_every_field(head: str, value: type[Answer | Hit]) -> None:
    table = PAGE.partition(f"\n| field of {head} |")[2].partition("\n|---")[2].partition("\n\n")[0]
    heads = re.findall(r"^\| (`[^|]*) \|", table, re.MULTILINE)
    listed = [name for one in heads for name in re.findall(r"`(\w+)`", one)]
    assert sorted(listed) == sorted(field.name for field in json_fields(value).values())


def test_every_option_of_every_door_is_named() -> None:
    options = set(SearchOptions.__annotations__)
    assert options <= set(re.findall(r"`(\w+)", PAGE))
    offered = inspect.signature(Tools.search).parameters.keys() - DOORS - {"self"}
    assert offered == options - {"dates", "prefixes", "fuzzy_names", "projects", "weights"}
    plural = {"kind": "kinds", "tag": "tags", "all_projects": "projects",
              "any_time": "at"}  # fmt: skip
    said = {
        plural.get(parameter, parameter) for parameter in inspect.signature(command).parameters
    } - DOORS
    assert said == options - {"weights"}
