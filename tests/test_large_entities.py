"""What is allowed can be stored, read, searched, exported and imported again, whatever its size."""

import json
from pathlib import Path
from typing import Any

import pytest

from graphmem import read, write
from graphmem.graph import Graph, Row, Transaction
from graphmem.memory import Memory
from graphmem.memory.writing.remembering import Input, remember
from graphmem.model import Entity
from graphmem.model.limits import LIST_ITEMS
from graphmem.read import contents
from graphmem.write import changes, entities, pipeline, relations
from graphmem.write import reshaping as write_reshaping
from graphmem.write.embeddings import backlog
from graphmem.write.history import undoing, undone_relations

KIB = 1024


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """The statements read since then, and how many characters each answer had."""
    heard: list[tuple[str, int]] = []
    ask = Graph.read

    def listening(graph: Graph, name: str, /, **parameters: object) -> list[Row]:
        rows = ask(graph, name, **parameters)
        heard.append((name, len(str(rows))))
        return rows

    monkeypatch.setattr(Graph, "read", listening)
    return heard


def lines(memory: Memory) -> list[dict[str, Any]]:
    return [json.loads(json.dumps(line)) for line in memory.export()]


def prose(number: int, size: int) -> str:
    return f"{number} harbour berth " + "quay wall " * (size // 10)


def test_an_entity_with_long_lists_and_a_long_text_is_written_found_and_imported_again(
    memory: Memory, tmp_path: Path
) -> None:
    """Repeated on each of its 300 passages, its names and tags would take 600 MB."""
    said: dict[str, Any] = {
        "name": "Quay",
        "text": "\n\n".join(prose(number, 700) for number in range(300)),
        "aliases": [f"alias {number} ".ljust(500, "ä") for number in range(LIST_ITEMS)],
        "tags": [f"tag {number} ".ljust(190, "t") for number in range(LIST_ITEMS)],
        "attributes": {"paths": [f"src/{n}/{'deep/' * 14}file" for n in range(LIST_ITEMS)]},
    }
    assert memory.remember([said]).items[0].outcome == "created"
    assert memory.stats().passages >= 300

    page = memory.get("Quay")[0].entity
    assert (page.text, list(page.aliases), list(page.tags)) == (
        said["text"], said["aliases"], said["tags"],
    )  # fmt: skip
    for query, options in (
        ("harbour", {"tags": [said["tags"][700]]}),
        ("harbour", {"where": {"attributes": {"paths": {"under": "src/77"}}}}),
        ("77 AND harbour", {}),
        (said["aliases"][5], {}),
    ):
        assert [hit.name for hit in memory.search(query, **options).hits] == ["Quay"]

    file = tmp_path / "quay.jsonl"
    file.write_text(
        "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in memory.export()),
        encoding="utf-8",
    )
    report = memory.import_("jsonl", file, project=f"{memory.project}/again")
    assert [(item.outcome, item.reason) for item in report.items] == [("created", None)]


def test_an_export_reads_as_much_at_once_as_an_answer_may_hold(
    memory: Memory, monkeypatch: pytest.MonkeyPatch, answers: list[tuple[str, int]]
) -> None:
    memory.remember(
        [{"name": f"N{n}", "text": prose(n, 9 * KIB), "tags": ["t"]} for n in range(12)]
        + [{"name": "Large", "text": prose(0, 90 * KIB)}, {"name": "Small"}],
    )
    whole = lines(memory)
    answers.clear()
    monkeypatch.setattr(contents, "STATEMENT_BYTES", 25 * KIB)

    assert lines(memory) == whole

    sizes = sorted(size for name, size in answers if name == "read/whole_entities")
    assert len(sizes) >= 7
    assert sizes[-2] < 40 * KIB < sizes[-1]


def test_getting_many_entities_reads_a_few_at_a_time(
    memory: Memory, monkeypatch: pytest.MonkeyPatch, answers: list[tuple[str, int]]
) -> None:
    names = [f"N{n}" for n in range(12)]
    memory.remember([{"name": name, "text": prose(1, 9 * KIB)} for name in names])
    whole = [page.to_json() for page in memory.get(names)]
    answers.clear()
    monkeypatch.setattr(contents, "STATEMENT_BYTES", 32 * KIB)

    assert [page.to_json() for page in memory.get(names)] == whole

    sizes = [size for name, size in answers if name == "read/entities"]
    assert len(sizes) == 6
    assert max(sizes) < 32 * KIB


def test_the_relations_of_a_hub_are_exported_in_slices(
    memory: Memory, monkeypatch: pytest.MonkeyPatch, answers: list[tuple[str, int]]
) -> None:
    memory.remember(
        [{"name": "Hub"}, {"name": "Other"}, *({"name": f"N{n}"} for n in range(40))],
        [
            {"from": "Hub", "relation": f"R{n % 3}", "to": f"N{n}", "note": prose(n, 3 * KIB)}
            for n in range(40)
        ]
        + [{"from": "Other", "relation": "NEAR", "to": "Hub", "attributes": {"a": ["x", "y"]}}],
    )
    whole = lines(memory)
    assert sum(line["type"] == "relation" for line in whole) == 41
    answers.clear()
    monkeypatch.setattr(contents, "STATEMENT_BYTES", 25 * KIB)

    assert lines(memory) == whole

    sizes = [size for name, size in answers if name == "read/export_relations"]
    assert len(sizes) >= 5
    assert max(sizes) < 40 * KIB


@pytest.fixture
def transactions(monkeypatch: pytest.MonkeyPatch) -> list[list[tuple[str, int]]]:
    """The rows that each statement of each transaction was given since then."""
    heard: list[list[tuple[str, int]]] = []
    put = changes.put

    class Listening:
        def __init__(self, inner: Any) -> None:  # noqa: ANN401 - a transaction
            self._inner = inner

        def run(self, name: str, /, **parameters: Any) -> list[Row]:  # noqa: ANN401 - as given
            if "rows" in parameters:
                heard[-1].append((name, len(parameters["rows"])))
            return self._inner.run(name, **parameters)  # type: ignore[no-any-return]

        def read(self, name: str, /, **parameters: Any) -> list[Row]:  # noqa: ANN401 - as given
            return self._inner.read(name, **parameters)  # type: ignore[no-any-return]

    def listening(transaction: Any, changed: Any, **how: Any) -> None:  # noqa: ANN401 - as given
        heard.append([])
        put(Listening(transaction), changed, **how)  # type: ignore[arg-type]

    for module in (entities, write_reshaping, undoing):
        monkeypatch.setattr(module, "put_changes", listening)
    return heard


def test_a_write_is_cut_by_bytes(
    memory: Memory,
    monkeypatch: pytest.MonkeyPatch,
    transactions: list[list[tuple[str, int]]],
) -> None:
    for module in (entities, pipeline):
        monkeypatch.setattr(module, "TRANSACTION_BYTES", 100 * KIB)
    monkeypatch.setattr(changes, "STATEMENT_BYTES", 40 * KIB)
    said = [{"name": f"N{n}", "text": prose(n, 10 * KIB)} for n in range(9)]

    assert {item.outcome for item in memory.remember(said).items} == {"created"}

    assert len(transactions) > 4
    written = [one for transaction in transactions for one in transaction]
    assert sum(rows for name, rows in written if name == "write/put_entities") == 9
    assert sum(name == "write/put_passages" for name, _ in written) > len(transactions)
    assert {item.outcome for item in memory.remember(said).items} == {"unchanged"}


def test_what_is_stored_counts_where_a_write_is_cut(
    memory: Memory,
    monkeypatch: pytest.MonkeyPatch,
    transactions: list[list[tuple[str, int]]],
) -> None:
    names = [f"N{n}" for n in range(6)]
    memory.remember([{"name": name, "text": prose(1, 10 * KIB)} for name in names])
    for module in (entities, pipeline):
        monkeypatch.setattr(module, "TRANSACTION_BYTES", 100 * KIB)
    transactions.clear()

    memory.remember([{"name": name, "tags": ["new"]} for name in names])
    assert len(transactions) > 2

    transactions.clear()
    assert {item.outcome for item in memory.forget(names).items} == {"updated"}
    assert len(transactions) > 2


def test_passages_that_wait_for_the_model_are_read_a_few_at_a_time(
    memory: Memory, monkeypatch: pytest.MonkeyPatch, answers: list[tuple[str, int]]
) -> None:
    embedder = memory.model.embedder
    write.fill_pending(memory.graph, embedder)  # those of other tests
    memory.remember([{"name": f"N{n}", "observations": [prose(n, 9 * KIB)]} for n in range(8)])
    memory.remember([{"name": f"N{n}", "title": f"The title {n}"} for n in range(8)])
    assert memory.stats().pending == 0
    given = Input.read([Entity(f"N{n}", title=f"Another {n}") for n in range(8)], [])
    remember(memory.graph, None, given, write.WriteOptions(memory.project_name(None)))
    assert memory.stats().pending == 8
    monkeypatch.setattr(backlog, "STATEMENT_BYTES", 25 * KIB)
    answers.clear()

    assert write.fill_pending(memory.graph, embedder) == 8

    sizes = [size for name, size in answers if name == "read/pending_passages"]
    assert len(sizes) == 5
    assert max(sizes) < 30 * KIB
    assert memory.stats().pending == 0


def test_the_relations_of_a_hub_are_merged_and_undone_a_few_at_a_time(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.remember(
        [{"name": name} for name in ("Hub", "Port", *"ABCDE")],
        [{"from": "Hub", "relation": "HAS", "to": name} for name in "ABCDE"],
    )
    before = lines(memory)
    for module in (relations, undone_relations):
        monkeypatch.setattr(module, "BATCH", 2)
    sizes: dict[str, list[int]] = {}
    run = Transaction.run

    def listening(transaction: Transaction, name: str, /, **parameters: Any) -> list[Row]:  # noqa: ANN401 - as given
        is_outside = name == "write/move_outside_relations"  # there are none
        if "rows" in parameters and name.endswith("_relations") and not is_outside:
            sizes.setdefault(name, []).append(len(parameters["rows"]))
        return run(transaction, name, **parameters)

    monkeypatch.setattr(Transaction, "run", listening)
    memory.merge("Hub", "Port")
    assert sizes == {"write/restore_relations": [2, 2, 1]}
    sizes.clear()
    memory.undo("last")

    assert sizes == {
        "write/lock_relations": [2, 2, 2, 2, 2],
        "write/restore_relations": [2, 2, 1],
        "write/delete_relations": [2, 2, 1],
    }
    assert lines(memory) == before


def test_much_that_is_forgotten_or_undone_is_read_in_parts(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.remember([{"name": name} for name in "ABC"])
    monkeypatch.setattr(entities, "BATCH", 2)
    monkeypatch.setattr(read, "PAGE", 2)
    pages: dict[str, list[int]] = {}
    ask = Graph.read

    def listening(graph: Graph, name: str, /, **parameters: Any) -> list[Row]:  # noqa: ANN401 - as given
        if name in {"read/sizes", "read/names_of"}:
            pages.setdefault(name, []).append(len(parameters["keys"]))
        return ask(graph, name, **parameters)

    monkeypatch.setattr(Graph, "read", listening)
    assert [item.outcome for item in memory.forget(["A", "B", "C"]).items] == ["updated"] * 3
    assert pages == {"read/sizes": [2, 1]}
    assert [item.name for item in memory.undo("last").items] == ["A", "B", "C"]
    assert pages["read/names_of"] == [2, 1]
