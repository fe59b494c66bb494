"""Errors of the MCP server: what is told, what is masked, and what the log shows."""

import asyncio
import logging
from collections.abc import Iterator

import pytest
from fastmcp import Client

from graphmem.errors import DatabaseError, GraphmemError
from graphmem.model import Context, Item, PartialWrite, Report
from graphmem.server import build, logs
from stub_memories import Stub, opening, refusal


def test_a_list_of_wrong_items_is_not_said_to_be_empty() -> None:
    assert refusal("get", {"names": [5]}) == "names[0] must be text, got 5"


def test_the_user_is_named_where_an_error_asks_for_a_command() -> None:
    error = DatabaseError("no Neo4j answers; run `graphmem doctor` to find out why")
    message = refusal("overview", {}, Stub(error))
    assert message == "no Neo4j answers; ask the user to run `graphmem doctor` to find out why"


def test_the_user_is_named_where_a_search_needs_a_command() -> None:
    class Degraded(Stub):
        def context(self, *_: object, **__: object) -> Context:
            return Context(
                "q", "p", "", 0, 256, (), 0, 0, degraded="run `graphmem reembed` to embed it"
            )

    async def ask() -> tuple[str, object]:
        async with Client(build(opening(Degraded()))) as client:
            result = await client.call_tool("context", {"query": "q"})
        return result.content[0].text, (result.structured_content or {})["degraded"]

    asked = "ask the user to run `graphmem reembed` to embed it"
    assert asyncio.run(ask()) == (f"Nothing was found in p. {asked}", asked)


def test_an_error_of_graphmem_is_reported_word_for_word() -> None:
    assert refusal("overview", {}, Stub(GraphmemError("ask the other way"))) == "ask the other way"


def test_an_error_reports_what_was_written_before_it() -> None:
    items = (Item("entity", "A", "created"), Item("entity", "B", "refused", "why"))
    partial = PartialWrite(Report("p", items), DatabaseError("the disk is full"))
    message = refusal("remember", {"entities": [{"name": "A"}]}, Stub(partial))
    assert message.startswith("the disk is full; 1 entity and 0 relations were written before that")


def test_an_unforeseen_error_is_masked() -> None:
    message = refusal("overview", {}, Stub(ValueError("password hunter2")))
    assert message == "Error calling tool 'overview'"


def test_the_log_has_the_place_of_an_error_but_not_its_message() -> None:
    secret = "hunter" + "2"
    with pytest.raises(ValueError, match=secret) as raised:
        raise ValueError(secret) from KeyError(secret)
    failed = (raised.type, raised.value, raised.tb)
    record = logging.LogRecord("a", logging.ERROR, "p", 1, "failed", None, failed)
    said = logs.Places("%(message)s").format(record)
    assert secret not in said
    assert "ValueError from KeyError" in said
    assert "test_server_errors" in said


@pytest.fixture
def own_loggers() -> Iterator[None]:
    """Loggers that are afterwards as they were."""
    loggers = [logging.getLogger(name) for name in logs.LOGGERS]
    before = [(logger, logger.level, logger.handlers, logger.propagate) for logger in loggers]
    yield
    for logger, level, handlers, propagates in before:
        logger.setLevel(level)
        logger.handlers, logger.propagate = handlers, propagates


@pytest.mark.usefixtures("own_loggers")
def test_no_level_of_the_log_shows_what_callers_send(capsys: pytest.CaptureFixture[str]) -> None:
    logs.to_stderr("DEBUG", calls=True)
    refusal("search", {"query": "hunter2"}, Stub(GraphmemError("nothing")))
    refusal("hunter2", {})
    output = capsys.readouterr().err
    assert "call tool=search" in output
    assert "hunter2" not in output


@pytest.mark.usefixtures("own_loggers")
def test_a_log_message_cannot_fake_another_line(capsys: pytest.CaptureFixture[str]) -> None:
    logs.to_stderr("INFO", calls=True)
    logging.getLogger("graphmem").warning("%s is away", "model\n2026 ERROR x: \x1b[2Jgone")
    output = capsys.readouterr().err
    assert output.endswith("WARNING graphmem: model 2026 ERROR x: [2Jgone is away\n")
    assert output.count("\n") == 1
