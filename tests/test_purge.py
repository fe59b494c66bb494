"""A purge takes what is named or what passes filters, counts it first, and leaves the rest."""

import itertools
import json
from datetime import UTC, datetime
from typing import Any

import neo4j
import pytest

from graphmem import cli
from graphmem.errors import InvalidInput, NotFound
from graphmem.graph import Graph
from graphmem.memory import Memory
from graphmem.memory.searches.options import FilterOptions
from graphmem.model.selection import Selection
from graphmem.write.deleting import purging, removing
from graphmem.write.repair.comparing import compare
from listeners import Interruption
from terminals import Keyboard

DRAFTS = 120
EVER = {"created_at": {">": "2000-01-01"}}


@pytest.fixture
def filled(memory: Memory) -> Memory:
    """Two entities that stay, and drafts that are linked to one of them and to each other."""
    memory.remember(
        [
            {"name": "Kept", "kind": "Decision", "tags": ["keep"]},
            {"name": "Other", "kind": "Service"},
            {"name": "D1", "kind": "Draft", "tags": ["old"], "observations": ["One.", "Two."]},
            {"name": "D2", "kind": "Draft", "attributes": {"cost": 9}, "text": "A text."},
            {"name": "D3", "kind": "Draft", "tags": ["old"]},
            {"name": "Gone", "kind": "Draft"},
        ],
        [
            {"from": "D1", "relation": "R", "to": "D2"},
            {"from": "D2", "relation": "R", "to": "Kept"},
            {"from": "Other", "relation": "R", "to": "D1"},
            {"from": "Other", "relation": "R", "to": "Kept"},
            {"from": "D1", "relation": "SELF", "to": "D1"},
        ],
    )
    memory.edit({"name": "D1", "title": "A secret"})
    memory.rename("D2", "Draft 2")
    memory.forget("Gone")
    return memory


def names(memory: Memory) -> set[str]:
    return {str(line["name"]) for line in memory.export() if line["type"] == "entity"}


def test_a_purge_without_confirmation_only_counts(filled: Memory) -> None:
    before = list(filled.export())
    selection = filled.selection(kinds=["draft"])
    assert (selection.entities, selection.passages, selection.relations, selection.revisions) == (
        3,
        4,
        4,
        2,
    )
    assert str(selection) == "3 entities, 4 passages, 4 relations, 2 history records"
    assert selection.names == ("D1 (Draft)", "Draft 2 (Draft)", "D3 (Draft)")
    assert "keys" not in selection.to_json()
    assert list(filled.export()) == before


@pytest.mark.parametrize(
    ("filters", "gone"),
    [
        ({"kinds": ["DRAFT"]}, {"D1", "Draft 2", "D3"}),
        ({"tags": ["old"]}, {"D1", "D3"}),
        ({"where": {"attributes": {"cost": {">": 5}}}}, {"Draft 2"}),
        ({"where": {"tags_none": ["keep"]}, "kinds": ["Service"]}, {"Other"}),
        ({"where": {"has_relation": {"relation": "R", "direction": "out"}}, "kinds": ["Draft"]},
         {"D1", "Draft 2"}),
        ({"where": {"lacks_relation": "R"}}, {"D3"}),
        ({"status": ["forgotten"]}, {"Gone"}),
        ({"kinds": ["Draft"], "status": ["active", "forgotten"]}, {"D1", "Draft 2", "D3", "Gone"}),
        ({"kinds": ["Draft"], "until": "2000-01-01"}, set()),
        ({"names": ["D1", "Kept"], "tags": ["old"]}, {"D1"}),
        ({"names": ["D2", "Gone"]}, {"Draft 2", "Gone"}),
    ],
)  # fmt: skip
def test_a_purge_deletes_what_passes_its_filters_and_nothing_else(
    filled: Memory, filters: dict[str, Any], gone: set[str]
) -> None:
    before = names(filled)
    report = filled.purge(**filters)
    assert names(filled) == before - gone
    assert report.entities["removed"] == len(gone)
    assert filled.stats().relations == len(
        [line for line in filled.export() if line["type"] == "relation"]
    )
    keys = [f"{filled.project}#{name.casefold()}" for name in ("D1", "D2")]
    left = {row["key"] for row in filled.graph.read("read/revisions", keys=keys, limit=9)}
    assert left == {
        key for key, name in zip(keys, ("D1", "Draft 2"), strict=True) if name not in gone
    }


def test_a_purge_deletes_what_was_merged_into_the_purged_entity(filled: Memory) -> None:
    filled.merge("D1", "D3")
    key = f"{filled.project}#d1"
    assert filled.graph.read("read/revisions", keys=[key], limit=9)
    filled.purge("D3")
    assert not filled.graph.read("read/revisions", keys=[key], limit=9)
    assert not filled.graph.read("read/redirects", keys=[key])


def test_a_purge_leaves_what_the_history_of_others_tells_as_the_docs_say(memory: Memory) -> None:
    memory.remember(
        [
            {"name": "Gone", "text": "Amber.", "observations": ["A secret observation."]},
            {"name": "Kept", "text": "Basalt."},
            {"name": "Near"},
        ],
        [{"from": "Near", "relation": "R", "to": "Gone", "note": "a secret note"}],
    )
    memory.link("Near", "R", "Gone", note="another note")
    memory.merge("Gone", "Kept")
    joined = datetime.now(UTC)
    memory.undo("last")
    before = datetime.now(UTC)
    memory.purge("Gone")

    # Nothing that is there now has it, nor is it itself a hit of the past.
    now = json.dumps([*memory.export(), *(hit.to_json() for hit in memory.search("secret").hits)])
    assert "secret" not in now
    assert {hit.name for hit in memory.search("amber secret", as_of=before).hits} == set()
    lines = [line for line in memory.export(history=True) if line["type"] == "revision"]
    assert f"{memory.project}#gone" not in {line["key"] for line in lines}
    # What was part of another entity, or of its links, is in the history of that one.
    left = {str(line["key"]): json.dumps(line) for line in lines if "secret" in json.dumps(line)}
    assert {key.partition("#")[2] for key in left} == {"kept", "near"}
    assert "A secret observation." in left[f"{memory.project}#kept"]
    assert "a secret note" in left[f"{memory.project}#near"]
    assert [hit.name for hit in memory.search("secret", as_of=joined, expand=False).hits] == [
        "Kept"
    ]


def test_a_whole_project_is_purged_only_on_explicit_request(filled: Memory) -> None:
    before = names(filled)
    for filters in (FilterOptions(), FilterOptions(where=EVER), FilterOptions(where={})):
        with pytest.raises(InvalidInput, match="--everything"):
            filled.purge(**filters)
    assert names(filled) == before
    filled.purge(where=EVER, everything=True)
    assert names(filled) == {"Gone"}
    with pytest.raises(InvalidInput, match="must not take all entities"):
        filled.purge(status=["forgotten"])
    filled.purge(status=["forgotten"], everything=True)
    assert names(filled) == set()
    assert filled.purge(kinds=["Draft"]).items == ()


@pytest.mark.parametrize(
    ("given", "error", "reason"),
    [
        ({"names": ["D1", "Nobody"]}, NotFound, "there is no entity 'Nobody'"),
        ({"names": [""]}, InvalidInput, r"^names\[0\] must be a name that is not blank"),
        (
            {"names": "", "kinds": ["Draft"]},
            InvalidInput,
            r"^names\[0\] must be a name that is not blank",
        ),
        ({"names": 0, "kinds": ["Draft"]}, InvalidInput, "^names must be .*, got 0"),
        ({"names": 5}, InvalidInput, "^names must be .*, got 5"),
        ({"kinds": "Draft"}, InvalidInput, "^kinds must be a list"),
        ({"kinds": ["Draft"], "where": {"nothing": 1}}, InvalidInput, "^where .*'nothing'"),
        ({"kinds": [5]}, InvalidInput, r"^kinds\[0\] must be text, got 5"),
        ({"where": "all"}, InvalidInput, "^where must be an object"),
        ({"since": "soon"}, InvalidInput, "^since must be a day"),
        ({"kind": "Draft"}, TypeError, "no option kind; did you mean kinds"),
        ({"limit": 5}, TypeError, "no option limit"),
    ],
)
def test_what_is_not_allowed_deletes_nothing(
    filled: Memory, given: dict[str, Any], error: type[Exception], reason: str
) -> None:
    before = names(filled)
    with pytest.raises(error, match=reason):
        filled.purge(**given)
    assert names(filled) == before


@pytest.mark.parametrize("nobody", [[], ()])
def test_an_empty_list_of_names_purges_nothing(filled: Memory, nobody: Any) -> None:  # noqa: ANN401
    before = names(filled)
    for call in (filled.purge, filled.selection):
        for options in ({"kinds": ["Draft"]}, {"everything": True}, {}):
            with pytest.raises(InvalidInput, match=r"names must name at least one.*leave out"):
                call(nobody, **options)
    assert names(filled) == before
    assert filled.selection(None, kinds=["Draft"]).entities == 3


def test_an_entity_changed_after_the_count_is_not_purged(filled: Memory) -> None:
    selection = filled.selection(kinds=["Draft"])
    filled.remember([{"name": "D1", "kind": "Decision"}, {"name": "D4", "kind": "Draft"}])
    filled.purge("D3")
    report = filled.purge(selection)
    assert names(filled) == {"Kept", "Other", "D1", "D4", "Gone"}
    assert [item.name for item in report.items] == ["Draft 2"]
    assert report.notes == (
        "2 of those counted were changed or deleted in the meantime, and were skipped",
    )


def test_a_purge_is_recorded_without_what_it_deleted(filled: Memory) -> None:
    filled.purge(kinds=["Draft"])
    change = filled.changes("2000-01-01").changes[0]
    assert (change.verb, change.note, change.changed) == ("purge", "3 chosen by filters", 0)
    assert "secret" not in json.dumps(list(filled.export(history=True)))
    assert filled.undo("last").items == ()


def test_a_purge_that_is_killed_is_ended_by_the_same_call(filled: Memory) -> None:
    filled.remember([{"name": f"Draft {n}", "kind": "Draft"} for n in range(3, DRAFTS)])
    count = filled.selection(kinds=["Draft"]).entities
    with pytest.raises(KeyboardInterrupt):
        filled.purge(kinds=["Draft"], progress=Interruption("Deleting entities"))
    left = filled.selection(kinds=["Draft"]).entities
    assert 0 < left < count
    filled.purge(kinds=["Draft"])
    assert names(filled) == {"Kept", "Other", "Gone"}


LINKED: FilterOptions = {"kinds": ["Draft"], "where": {"has_relation": "R"}}
CHAIN = [f"L{n}" for n in range(9)]


@pytest.fixture
def chain(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> Memory:
    """Drafts of which each is linked to the next, and what stays; three are deleted at a time."""
    monkeypatch.setattr(purging, "BATCH", 3)
    memory.remember(
        [
            *({"name": name, "kind": "Draft"} for name in CHAIN),
            {"name": "Alone", "kind": "Draft"},
            {"name": "Kept", "kind": "Decision"},
        ],
        [
            *({"from": a, "relation": "R", "to": b} for a, b in itertools.pairwise(CHAIN)),
            {"from": "Kept", "relation": "R", "to": CHAIN[0]},
        ],
    )
    return memory


def test_a_purge_by_relations_deletes_entities_whose_relations_it_deleted_first(
    chain: Memory,
) -> None:
    counted = chain.selection(**LINKED)
    assert (counted.entities, counted.relations) == (len(CHAIN), len(CHAIN))
    report = chain.purge(counted)
    assert (report.entities["removed"], report.notes) == (len(CHAIN), ())
    assert names(chain) == {"Alone", "Kept"}


def test_a_purge_by_relations_that_is_killed_is_ended_by_the_same_call(chain: Memory) -> None:
    with pytest.raises(KeyboardInterrupt):
        chain.purge(progress=Interruption("Deleting entities"), **LINKED)
    assert names(chain) == {"Alone", "Kept", *CHAIN[3:]}
    chain.unlink("L3", "L4")
    chain.unlink("L7", "L8")
    # Another filter does not take what has none of the relations it asks for.
    assert chain.selection(where={"has_relation": "S"}).entities == 0
    out = {"has_relation": {"relation": "R", "direction": "out"}}
    assert chain.selection(where=out, kinds=["Draft"]).entities == 3
    # What was changed since is what it is now.
    chain.edit({"name": "L3", "title": "Another"})
    report = chain.purge(**LINKED)
    assert [item.name for item in report.items] == CHAIN[4:8]
    assert names(chain) == {"Alone", "Kept", "L3", "L8"}


def test_what_lost_its_relations_before_a_purge_stays_unmarked(
    chain: Memory, session: neo4j.Session
) -> None:
    counted = chain.selection(**LINKED)
    chain.unlink(CHAIN[7], CHAIN[8])
    chain.edit({"name": CHAIN[0], "kind": "Decision"})
    assert chain.purge(counted).notes == (
        "2 of those counted were changed or deleted in the meantime, and were skipped",
    )
    assert names(chain) == {"Alone", "Kept", CHAIN[0], CHAIN[8]}
    marked = session.run(
        "MATCH (entity:Entity {project: $project}) WHERE entity.graphmem_purge IS NOT NULL "
        "RETURN count(*) AS marked",
        project=str(chain.project),
    ).single(strict=True)["marked"]
    assert marked == 0


def test_what_a_purge_that_was_killed_has_marked_is_searched_and_kept_as_before(
    chain: Memory, graph: Graph
) -> None:
    with pytest.raises(KeyboardInterrupt):
        chain.purge(progress=Interruption("Deleting entities"), **LINKED)
    told = json.dumps([chain.get("L4")[0].to_json(), *chain.export(history=True)])
    assert "purge" not in told.replace('"verb": "purge"', "")
    key = f"{chain.project}#l4"
    rows = graph.read("read/compared_entities", keys=[key], property="embedding", dimensions=None)
    assert [compare(row, datetime.now(UTC)).sorts for row in rows] == [{}]
    assert "L3" in {hit.name for hit in chain.search("L3", **LINKED).hits}
    again = chain.remember([{"name": "L3", "kind": "Draft"}])
    assert [item.outcome for item in again.items] == ["unchanged"]
    chain.unlink("L3", "L4")
    assert "L3" not in {hit.name for hit in chain.search("L3", **LINKED).hits}
    chain.forget("L8")
    chain.restore("L8")
    # L7 leads to it yet; what has no relation does not pass by what it was marked with.
    assert "L8" in {hit.name for hit in chain.search("L8", **LINKED).hits}
    chain.unlink("L7", "L8")
    assert "L8" not in {hit.name for hit in chain.search("L8", **LINKED).hits}


@pytest.mark.parametrize("chosen", [{"names": "Old name"}, {"names": "Twin"}, LINKED])
def test_a_purge_that_is_killed_within_an_entity_is_ended_by_the_same_call(
    memory: Memory, chosen: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.remember(
        [
            {"name": "Old name", "kind": "Draft", "observations": ["1", "2", "3", "4", "5"]},
            {"name": "Twin", "kind": "Draft"},
            {"name": "Kept"},
        ],
        [{"from": "Old name", "relation": "R", "to": "Kept"}],
    )
    memory.rename("Old name", "New name")
    memory.merge("Twin", "New name")
    step, steps = removing._step, iter(range(9))

    def killed(*arguments: Any, **options: Any) -> Any:  # noqa: ANN401
        if next(steps) == 2:
            raise KeyboardInterrupt
        return step(*arguments, **options)

    monkeypatch.setattr(removing, "AT_ONCE", 2)
    monkeypatch.setattr(removing, "_step", killed)
    with pytest.raises(KeyboardInterrupt):
        memory.purge(**chosen)
    assert names(memory) == {"New name", "Kept"}
    assert memory.stats().passages == 2  # one of them is that of what is kept
    assert memory.stats().relations == 0
    memory.purge(**chosen)
    assert names(memory) == {"Kept"}
    keys = [f"{memory.project}#{name}" for name in ("old name", "new name", "twin")]
    assert not memory.graph.read("read/revisions", keys=keys, limit=9)
    assert not memory.graph.read("read/redirects", keys=keys)


def test_what_changed_after_it_was_counted_stays_however_long_the_others_take(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes = ["1", "2", "3", "4", "5"]
    memory.remember(
        [{"name": name, "kind": "Draft", "observations": notes} for name in ("Goes", "Stays")]
    )
    memory.remember([{"name": "Kept"}])
    counted = memory.selection(kinds=["Draft"])
    memory.edit({"name": "Stays", "kind": "Decision"})
    monkeypatch.setattr(removing, "AT_ONCE", 2)
    assert [item.name for item in memory.purge(counted).items] == ["Goes"]
    assert len(memory.get("Stays")[0].entity.observations) == len(notes)


def test_an_entity_with_more_relations_than_a_batch_is_purged_completely(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    ends = [f"End {number}" for number in range(5)]
    links = [{"from": "Hub", "relation": "NEAR", "to": end} for end in ends]
    memory.remember([{"name": "Hub"}, *({"name": end} for end in ends)], links)
    monkeypatch.setattr(removing, "AT_ONCE", 2)
    assert [item.name for item in memory.purge("Hub").items] == ["Hub"]
    assert names(memory) == set(ends)
    assert memory.stats().relations == 0


def test_a_purge_deletes_nothing_of_another_project(filled: Memory, project: str) -> None:
    other = f"{project}2"
    filled.remember([{"name": "D1", "kind": "Draft"}, {"name": "X"}], project=other)
    filled.purge(kinds=["Draft"])
    assert filled.stats(project=other).entities == 2
    assert filled.selection(kinds=["Draft"], project=other).project == other


def test_the_terminal_counts_asks_and_deletes(
    filled: Memory,
    project: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    command = ["purge", "--kind", "Draft", "--project", project]
    monkeypatch.setattr("sys.stdin", Keyboard("n\n"))
    assert cli.main(command) == 1
    output = capsys.readouterr()
    assert "3 entities, 4 passages, 4 relations, 2 history records" in output.out
    assert "D1 (Draft)" in output.out
    assert output.err.endswith("[y/N] graphmem: cancelled; nothing was changed\n")
    assert cli.main([*command, "--where", '{"tags_all": ["old"]}', "--yes", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["entities"]["removed"] == 2
    assert names(filled) == {"Kept", "Other", "Draft 2", "Gone"}
    assert cli.main([*command, "--yes"]) == 0
    assert cli.main([*command, "--yes"]) == 1
    assert cli.main(["purge", "--status", "forgotten", "--yes", "--project", project]) == 0
    assert names(filled) == {"Kept", "Other"}


@pytest.mark.parametrize(
    ("options", "question"),
    [
        (["--kind", "Draft"], "Delete all 3 entities that pass the filters for good?"),
        (["--tag", "keep"], "Delete the only entity that passes the filters for good?"),
        (["D1", "D3", "--kind", "Draft"], "Delete 2 entities for good?"),
        (["D1"], "Delete 1 entity for good?"),
        (["--everything"], "Delete all 5 entities of the project for good?"),
    ],
)
def test_the_question_says_whether_every_matching_entity_would_be_deleted(
    filled: Memory,
    options: list[str],
    question: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = names(filled)
    monkeypatch.setattr("sys.stdin", Keyboard("n\n"))
    assert cli.main(["purge", *options, "--project", str(filled.project)]) == 1
    output = capsys.readouterr()
    assert question in output.err
    assert ("all that pass the filters: " in output.out) == ("pass" in question)
    assert names(filled) == before


def test_an_entity_created_during_the_question_is_not_deleted(
    filled: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Slow(Keyboard):
        def readline(self, *_: Any) -> str:  # type: ignore[override] # noqa: ANN401 - as its base
            filled.remember([{"name": "D9", "kind": "Draft"}])
            return "y\n"

    drafts = filled.selection(kinds=["Draft"]).entities
    before = names(filled)
    monkeypatch.setattr("sys.stdin", Slow())
    assert cli.main(["purge", "--kind", "Draft", "--project", str(filled.project)]) == 0
    assert "D9" in names(filled)
    assert len(names(filled)) == len(before) - drafts + 1


@pytest.mark.parametrize(
    ("given", "error", "reason"),
    [
        ({"kinds": ["Service"]}, InvalidInput, "kinds cannot be combined with `selection`"),
        ({"project": "another"}, InvalidInput, "project cannot be combined with `selection`"),
        ({"kind": "Service"}, TypeError, "no option kind"),
    ],
)
def test_a_selection_is_not_purged_by_other_filters_or_in_another_project(
    filled: Memory, given: dict[str, Any], error: type[Exception], reason: str
) -> None:
    before = names(filled)
    with pytest.raises(error, match=reason):
        filled.purge(filled.selection(kinds=["Draft"]), **given)
    assert names(filled) == before


def test_a_selection_of_what_is_no_project_is_refused(memory: Memory) -> None:
    with pytest.raises(InvalidInput, match=r"^project must"):
        memory.purge(Selection("@nobody", 0, 0, 0, 0, ()))


def test_a_purge_reports_the_names_of_what_it_deleted(memory: Memory) -> None:
    memory.remember([{"name": "Old"}, {"name": "New"}, {"name": "Ferry", "kind": "Boat"}])
    memory.merge("Old", "New")
    assert [item.name for item in memory.purge(["old", "new"]).items] == ["New"]
    memory.remember([{"name": "Pier"}])
    assert [item.name for item in memory.purge(kinds=["Boat"]).items] == ["Ferry"]
