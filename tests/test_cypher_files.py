"""Every statement is one documented file, and the database agrees with what its header says."""

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import neo4j
import pytest

from cypher_folder import columns, fragments, names
from fakes import FakeEmbedder
from graphmem import statements
from graphmem.adapters.memcp.profile.reflection import upkeep_of
from graphmem.graph import Graph, Target
from graphmem.memory.writing.remembering import Input, remember
from graphmem.migrations.prefix import FORMER_NAMES
from graphmem.write import WriteOptions
from memories import memory_with

ROOT = Path(__file__).parents[1]
ALL = [name for access in statements.ACCESSES for name in names(access)]
READ = names("read")
FRAGMENTS = fragments()
# Statements that exist for the second property and index of embeddings, too.
SECOND = [
    f"{name}@2"
    for name in ALL
    if re.search(
        r"passage\.embedding\b(?!_2)|graphmem_passage_embedding", statements.load(name).text
    )
    and "embedding_2" not in statements.load(name).text
]
NOTED = (
    "id", "key", "target", "revision", "change", "before", "at", "by", "verb", "note", "author",
    "undoes", "source", "brought", "graphmem_revision", "graphmem_change", "graphmem_source",
    "graphmem_brought", "graphmem_history_from",
)  # fmt: skip
PERIOD = {"valid_from": "2024-01-01", "valid_until": "2024-06-30"}
SECOND_READ = [name for name in SECOND if name.startswith("read/")]
# What a fragment may be: a subquery, a branch of a union or its end, a condition.
ENDS = ("}", "RETURN ", ")")
# A statement is read in one look; its parts have files of their own.
LINES = 80

WRITING = re.compile(
    r"(?<![.$:\w])(CREATE|MERGE|SET|DELETE|REMOVE|FOREACH|DROP|ALTER|LOAD\s+CSV)\b", re.IGNORECASE
)
# Words that are keywords wherever they stand; `end`, `key` and `null` are ours or lower case.
KEYWORD = re.compile(
    r"(?<![.$:\w])(match|optional|unwind|with|return|where|order|by|limit|skip|call|yield|union|merge"
    r"|create|set|detach|delete|remove|as|and|or|not|in|is|case|when|then|else|distinct|desc|starts"
    r"|contains|search|show)\b(?!\s*[:(.])"
    r"|\b(count|collect|exists)\b(?=\s*\{)",
    re.IGNORECASE,
)
CLAUSE = re.compile(
    r"(?<![.$:\w])(MATCH|UNWIND|RETURN|CALL|YIELD|(?<!ON )CREATE|MERGE|DELETE|REMOVE|ORDER BY"
    r"|LIMIT)\b"
)
TYPES: dict[statements.Access, set[str]] = {
    "schema": {"s"}, "read": {"r"}, "write": {"rw", "w"},
}  # fmt: skip

# Results of one row at most.
ONE_ROW = {
    "read/first_change": "one moment of all projects",
    "read/history_begins": "one moment of all projects",
    "read/incident_sizes": "sums of all entities",
    "read/latest_moment": "one moment of all projects",
    "read/next_projects": "one list, each of its names behind the one before",
    "read/overview": "lists of one project",
    "read/relations_of_many": "two counts",
    "read/revised_sizes": "sums of all changes",
    "read/stats": "counts of one project",
}
# Operators that look at more than what was asked for, with the reason why they may.
SCANS_ALLOWED: dict[str, set[str]] = {
    # Once before a store is embedded with another model and once after it.
    "read/embedding_counts": {"NodeByLabelScan"},
    "read/embedding_counts@2": {"NodeByLabelScan"},
    # Up to a number of them, when somebody opens Neo4j Browser.
    "read/commonest": {"NodeByLabelScan"},
    # `graphmem doctor` looks through the whole store for what was made or left by hand.
    "read/keyless_entities": {"NodeByLabelScan"},
    "read/stray_passages": {"NodeByLabelScan"},
}


def header(text: str) -> list[str]:
    lines = text.splitlines()
    return lines[: next(i for i, line in enumerate(lines) if not line.startswith("//"))]


def body(text: str) -> list[str]:
    return text.splitlines()[len(header(text)) :]


def bare(text: str) -> str:
    """The statement without comments, strings and quoted names."""
    code = "\n".join(line for line in body(text) if not line.lstrip().startswith("//"))
    return re.sub(r"'[^']*'|\"[^\"]*\"|`[^`]*`", "''", code)


def source(name: str) -> str:
    """A statement's file, in which the names of its fragments stand for them."""
    return (ROOT / "cypher" / f"{name}.cypher").read_text(encoding="utf-8")


def used_names() -> set[str]:
    """Every name of a statement in the code."""
    found: set[str] = set()
    for path in (ROOT / "graphmem").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Constant)
                and isinstance(node.value, str)
                and re.fullmatch(r"(schema|read|write)/\w+(/\w+)?", node.value)
            ):
                found.add(node.value)
    return found


# Without a database


def is_sentence(line: str) -> bool:
    return re.fullmatch(r"// [A-Z].*[^.]\.", line) is not None and ". " not in line


def test_the_first_line_is_one_sentence() -> None:
    first_lines = {name: statements.load(name).text.splitlines()[0] for name in ALL}

    assert {name: line for name, line in first_lines.items() if not is_sentence(line)} == {}


def test_a_header_says_parameters_and_their_fields_then_columns() -> None:
    form = r"(// \$\w+  +\S.*(\n//   \.\w+  +\S.*)*(\n|$))*(// -> (\w+: [^,:]\S*.*)(\n|$))*"
    headers = {name: "\n".join(header(statements.load(name).text)[1:]) for name in ALL}

    assert {name: lines for name, lines in headers.items() if not re.fullmatch(form, lines)} == {}


def test_the_parameters_declared_are_those_used_each_once() -> None:
    texts = {name: statements.load(name).text for name in ALL}
    declared = {
        name: sorted(re.findall(r"^// \$(\w+)", text, re.MULTILINE)) for name, text in texts.items()
    }
    used = {name: sorted(set(re.findall(r"\$(\w+)", bare(text)))) for name, text in texts.items()}

    assert declared == used
    assert declared == {name: sorted(statements.load(name).parameters) for name in ALL}


def test_the_fields_declared_of_a_parameter_are_those_used_each_once() -> None:
    declared, used = {}, {}
    for name in ALL:
        text = source(name)
        handed_on = re.findall(r"^ *// include .* = \.(\w+)\)$", text, re.MULTILINE)
        declared[name] = sorted(re.findall(r"^//   \.(\w+)", text, re.MULTILINE))
        used[name] = sorted({*re.findall(r"\$\w+\.(\w+)", bare(text)), *handed_on})

    assert declared == used


def test_a_statement_has_the_fields_of_all_its_parts() -> None:
    loaded = {name: statements.load(name) for name in ALL}

    assert {name: query.fields for name, query in loaded.items()} == {
        name: set(re.findall(r"\$\w+\.(\w+)", bare(query.text))) for name, query in loaded.items()
    }


def test_a_statement_is_read_in_one_look() -> None:
    lengths = {name: len(source(name).splitlines()) for name in ALL}

    assert {name: lines for name, lines in lengths.items() if lines > LINES} == {}


def test_a_fragment_says_in_a_sentence_what_it_does_then_what_comes_in_and_goes_out() -> None:
    form = r"(// <- (\w+: [^,:]\S*.*)\n)*(//   \.\w+  +\S.*\n)*(// -> (\w+: [^,:]\S*.*)\n)*"
    headers = {name: statements.fragment(name).header.splitlines() for name in FRAGMENTS}

    assert {name: lines[0] for name, lines in headers.items() if not is_sentence(lines[0])} == {}
    assert [
        name
        for name, lines in headers.items()
        if not re.fullmatch(form, "".join(f"{line}\n" for line in lines[1:]))
    ] == []


def test_the_fields_a_fragment_declares_are_those_it_uses_each_once() -> None:
    parts = {name: statements.fragment(name) for name in FRAGMENTS}

    assert {
        name: sorted(re.findall(r"^//   \.(\w+)", part.header, re.MULTILINE))
        for name, part in parts.items()
    } == {
        name: sorted(set(re.findall(r"\$search\.(\w+)", part.body))) for name, part in parts.items()
    }
    for name, part in parts.items():
        assert set(re.findall(r"\$(\w+)", part.body)) <= {"search"}, name


def test_what_a_fragment_takes_and_gives_stands_in_its_clauses() -> None:
    missing = [
        f"{name}: {word}"
        for name in FRAGMENTS
        for part in [statements.fragment(name)]
        for word in re.findall(r"(?:<-|->|,) (\w+): ", re.sub(r"\{[^}]*\}", "", part.header))
        if not re.search(rf"\b{word}\b", part.body)
    ]

    assert missing == []


def test_a_fragment_is_whole() -> None:
    for name in FRAGMENTS:
        body = statements.fragment(name).body
        code = re.sub(r"'[^']*'", "''", body)
        outermost = [line for line in code.splitlines() if not line.startswith((" ", "//"))]

        for opening, closing in ("()", "[]", "{}"):
            assert code.count(opening) == code.count(closing), name
        assert body.endswith("\n"), name
        assert outermost[-1].startswith((*ENDS, "ORDER BY", "AND ", "all(")), name


def test_every_fragment_is_used_and_every_included_name_is_a_file() -> None:
    used = {part for name in ALL for part in statements.included(source(name))}

    assert used == set(FRAGMENTS)


def test_a_fragment_may_give_one_identifier_another_name() -> None:
    text = statements.load("read/search_filtered").text

    assert "neighbour.graphmem_filters CONTAINS word" in text
    assert "entity.graphmem_filters CONTAINS word" in text
    assert "(neighbour)-[own:!HAS_PASSAGE]-(:Entity {live: true})" in text
    assert "// include" not in text


def test_columns_are_declared_where_the_statement_returns() -> None:
    returning = [
        name
        for name in ALL
        if re.search(r"^RETURN\b", bare(statements.load(name).text), re.MULTILINE)
    ]

    assert [name for name in ALL if columns(name)] == returning


def test_a_file_holds_one_statement_of_cypher_25() -> None:
    for name in ALL:
        text = statements.load(name).text

        assert body(text)[0] == "CYPHER 25", name
        assert ";" not in bare(text), name
        assert text.endswith("\n"), name
        assert not text.startswith("\ufeff"), name


def test_comments_stand_on_lines_of_their_own() -> None:
    assert [name for name in ALL if re.search(r"//|/\*", bare(statements.load(name).text))] == []


def test_a_reading_statement_has_no_writing_clause() -> None:
    assert [name for name in READ if WRITING.search(bare(statements.load(name).text))] == []


def test_clause_keywords_are_upper_case() -> None:
    lower = [
        f"{name}: {keyword[0]}"
        for name in ALL
        for keyword in KEYWORD.finditer(bare(statements.load(name).text))
        if not keyword[0].isupper()
    ]

    assert lower == []


def test_a_line_has_one_clause() -> None:
    crowded = [
        f"{name}: {line}"
        for name in ALL
        for line in bare(statements.load(name).text).splitlines()
        if len(CLAUSE.findall(line)) > 1
    ]

    assert crowded == []


def test_what_is_read_is_ordered() -> None:
    ordered = [
        name
        for name in READ
        for tail in [bare(statements.load(name).text).rpartition("\nRETURN ")[2]]
        if re.search(r"^ORDER BY ", tail, re.MULTILINE)
    ]

    assert ordered == [name for name in READ if columns(name) and name not in ONE_ROW]


def test_every_file_is_used_and_every_used_name_is_a_file() -> None:
    assert used_names() == set(ALL)


def test_the_folders_hold_nothing_but_statements() -> None:
    folder = ROOT / "cypher"
    files = [path for path in folder.rglob("*") if path.is_file()]

    assert len(files) == len(ALL) + len(FRAGMENTS)
    assert {path.name for path in folder.iterdir()} == {*statements.ACCESSES, statements.FRAGMENTS}


def test_an_unknown_name_is_an_error_that_names_the_file() -> None:
    with pytest.raises(FileNotFoundError, match=r"no_such"):
        statements.load("read/no_such")
    with pytest.raises(FileNotFoundError, match=r"no_such"):
        statements.assembled("// include search/no_such\n")
    with pytest.raises(FileNotFoundError, match="schema, read, write"):
        statements.load("elsewhere/search")


def test_the_second_statement_is_the_first_with_the_second_property_and_index() -> None:
    assert "read/search_plain@2" in SECOND
    assert "schema/005_passage_embedding@2" in SECOND
    for name in SECOND:
        first, second = statements.load(name.removesuffix("@2")), statements.load(name)
        assert "embedding_2" in second.text
        assert re.sub(r"(?<=embedding)_2\b", "", second.text) == first.text
        assert not re.search(r"passage\.embedding\b|passage_embedding\b", second.text)
        assert second.parameters == first.parameters
        assert statements.of_embeddings(first.name, 3) == second.name
        assert statements.of_embeddings(first.name, 4) == first.name


def test_parameters_are_sent_in_one_map_so_that_their_sizes_make_no_new_plans() -> None:
    query = statements.load("read/entity_keys")
    assert re.findall(r"\$[\w.]+", bare(query.text)) == ["$after", "$limit"]
    sent = ["$parameters.after", "$parameters.limit"]
    assert re.findall(r"\$[\w.]+", bare(query.sent_text)) == sent
    assert query.sent_parameters({"limit": 1}) == {"parameters": {"limit": 1}}


@pytest.mark.parametrize("name", ["read/search_plain", "schema/drop_index"])
def test_the_map_of_a_search_and_the_names_of_a_schema_are_sent_as_they_are(name: str) -> None:
    query = statements.load(name)
    assert query.sent_text == query.text
    assert query.sent_parameters({"search": {}}) == {"search": {}}


# With the database, its schema, and a little of everything


@pytest.fixture(scope="module")
def driver(graph: Graph) -> Iterator[neo4j.Driver]:
    """A driver of the test's own: that of graphmem asks for no remarks."""
    fill(graph)
    graph.define("schema/005_passage_embedding@2")
    target: Target = graph._target
    assert target.password is not None
    with neo4j.GraphDatabase.driver(
        target.uri,
        auth=(target.username, target.password),
        notifications_min_severity="INFORMATION",
    ) as driver:
        # What stores of earlier versions have.
        driver.execute_query(
            "MATCH (start:Entity {name: 'One'})-[relation]->(:Entity) "
            "SET start += $former, relation += $former, start.graphmem_imported = 'form:path' "
            "SET start += $gone, relation += $gone, start.graphmem_imported = null",
            former=dict.fromkeys(FORMER_NAMES, "form:path"),
            gone=dict.fromkeys(FORMER_NAMES),
        )
        # What stores have in which something was renamed, changed and undone.
        driver.execute_query(
            "CREATE (noted:GraphmemRedirect:GraphmemRevision:GraphmemChange) SET noted = $noted "
            "DELETE noted",
            noted=dict.fromkeys(NOTED, "noted"),
        )
        # What stores have in which something was chosen by its relations to be deleted.
        driver.execute_query(
            "MATCH (one:Entity {name: 'One'}) SET one.graphmem_purge = 'noted' "
            "REMOVE one.graphmem_purge"
        )
        # What stores have that were embedded with another model.
        driver.execute_query(
            "MATCH (store:Graphmem) SET store.embedding_set = 0 REMOVE store.embedding_set"
        )
        yield driver
    graph.define("schema/drop_index", name="graphmem_passage_embedding_2")


def fill(graph: Graph) -> None:
    """Make labels, types and properties known, so that a remark on one means a slip."""
    everything: dict[str, Any] = {
        "title": "A title", "text": "Some text.", "aliases": ["Alias"], "tags": ["tag"],
        "status": "active", "category": "of a kind", "confidence": 0.5, "source": "review",
        "lead_in": "Before it.",
        "observations": [{"text": "Seen.", "source": "review", "confidence": 0.5, **PERIOD}],
        **PERIOD,
        "attributes": {"owner": "ops"},
    }  # fmt: skip
    said: list[dict[str, object]] = [{"name": "One", **everything}, {"name": "Two", **everything}]
    joined: dict[str, object] = {
        "from": "One", "relation": "DEPENDS_ON", "to": "Two", "note": "why", "weight": 0.5,
        "confidence": 0.5, "source": "review", "attributes": {"derived": True},
        **PERIOD,
    }  # fmt: skip
    for embedder in (FakeEmbedder(), FakeEmbedder(state="failed", reason="broken")):
        memory = memory_with(embedder, graph, f"example.org/cypher-files/{embedder.state}")
        assert not memory.remember(said, [joined]).refused
        how = WriteOptions(str(memory.project), author="form:path")
        given = Input.read([{**entity, "title": "Another"} for entity in said], [joined])
        assert not remember(graph, None, given, how).refused
        assert len(memory.unlink("One", "Two").items) == 1
        assert not remember(
            graph, None, Input.read([], [joined]), WriteOptions(how.project)
        ).refused
        upkeep_of(memory).note_use(page.entity.key or "" for page in memory.get(["One", "Two"]))
        upkeep_of(memory).close()


@dataclass(frozen=True)
class Explained:
    """What the database says of a statement that it has planned and not run."""

    columns: tuple[str, ...]
    type: str
    remarks: list[str]
    operators: set[str]


@pytest.fixture(scope="module")
def explain(driver: neo4j.Driver) -> Callable[[str], Explained]:
    """Plan a statement as graphmem would send it; each once, the big one takes a second."""

    @cache
    def planned(name: str) -> Explained:
        query = statements.load(name)
        access = neo4j.READ_ACCESS if query.access == "read" else neo4j.WRITE_ACCESS
        with driver.session(database="neo4j", default_access_mode=access) as session:
            parameters = query.sent_parameters(dict.fromkeys(query.parameters))
            result = session.run("EXPLAIN " + query.sent_text, parameters)
            columns, summary = tuple(result.keys()), result.consume()
        return Explained(
            columns,
            type=summary.query_type or "",
            remarks=[
                f"{status.gql_status} {status.status_description}"
                for status in summary.gql_status_objects
                if status.is_notification
            ],
            operators=set(operators(summary.plan or {})),
        )

    return planned


def operators(plan: dict[str, Any]) -> Iterator[str]:
    yield plan["operatorType"].partition("@")[0]
    for child in plan.get("children", ()):
        yield from operators(child)


@pytest.mark.parametrize("name", [*ALL, *SECOND])
def test_the_database_agrees_with_the_header(
    name: str, explain: Callable[[str], Explained]
) -> None:
    explained = explain(name)

    assert explained.type in TYPES[statements.load(name).access]
    assert explained.columns == columns(name)


def test_the_planner_has_nothing_to_remark(explain: Callable[[str], Explained]) -> None:
    remarks = {name: explain(name).remarks for name in (*ALL, *SECOND)}

    assert {name: said for name, said in remarks.items() if said} == {}


def test_a_reading_statement_scans_nothing_whole(explain: Callable[[str], Explained]) -> None:
    scans = {
        name: {operator for operator in explain(name).operators if "Scan" in operator}
        for name in (*READ, *SECOND_READ)
    }

    assert {name: operators for name, operators in scans.items() if operators} == SCANS_ALLOWED


def test_the_planner_remarks_on_a_slip_and_names_a_scan(driver: neo4j.Driver) -> None:
    with driver.session(database="neo4j") as session:
        result = session.run("EXPLAIN MATCH (one:Entity) RETURN one.no_such_property AS slip")
        summary = result.consume()

    assert any("no_such_property" in s.status_description for s in summary.gql_status_objects)
    assert "NodeByLabelScan" in set(operators(summary.plan or {}))


def test_the_filter_stands_once() -> None:
    files = [*map(source, ALL), *(statements.fragment(name).body for name in FRAGMENTS)]

    assert sum("WHEN 'within'" in text for text in files) == 1
    assert sum("rule.direction" in text for text in files) == 1
