"""What a server or an import reaches: its own project, the layers it was allowed, no others."""

import json
import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import pytest
from anyio.from_thread import start_blocking_portal
from fastmcp import Client
from fastmcp.exceptions import ToolError

from agents import Agent, agent_of, checkout
from fakes import FakeEmbedder
from graphmem.adapters.forgeplan.profile.artifact import trust_of
from graphmem.adapters.memcp.profile.reflection import projects_in_reach, upkeep_of
from graphmem.adapters.rye.profile.projects import project_of
from graphmem.cli.options import writable_layers
from graphmem.errors import InvalidInput, NotFound
from graphmem.graph import Graph
from graphmem.memory import Memory
from graphmem.memory.access import Access
from graphmem.memory.store.model import StoreModel
from graphmem.model import Item, Relation
from graphmem.profiles import PROFILES
from graphmem.server import LazyMemory, build
from graphmem.transfer import Row
from test_server_http import door_of

NOTHING: frozenset[str] = frozenset()


@dataclass
class Store:
    """Two projects, mine with `Boat` and the other with `Safe`, both old, and memories of mine."""

    graph: Graph
    model: StoreModel
    mine: str
    other: str

    def memory(self, access: Access) -> Memory:
        return Memory(self.graph, self.model, self.mine, access=access)

    @property
    def bound(self) -> Memory:
        return self.memory(Access(self.mine, NOTHING))

    @property
    def limited(self) -> Memory:
        """What a caller that is limited to my project works with, on a server without one."""
        everything = Memory(self.graph, self.model, None, access=Access(layers=NOTHING))
        return everything.limited([self.mine])

    @property
    def free(self) -> Memory:
        """What a server without `--project` works with."""
        return self.memory(Access(layers=NOTHING))

    def names(self, project: str) -> set[str]:
        everything = self.memory(Access())
        return {str(row.get("name")) for row in everything.export(project=project)} - {"None"}

    def whole_other(self) -> list[dict[str, object]]:
        return list(self.memory(Access()).export(project=self.other))


@pytest.fixture(scope="module")
def store(graph: Graph) -> Iterator[Store]:
    model = StoreModel(graph, FakeEmbedder(), wait_for_model=True, read_only=False)
    own = uuid.uuid4().hex
    made = Store(graph, model, f"example.org/reach/{own}", f"example.org/other/{own}")
    everything = made.memory(Access())
    everything.remember(
        [
            {"name": "Boat", "text": "kiwi afloat", "kind": "Pattern", "created_at": "2020-01-01"},
            {"name": "Buoy", "text": "kiwi afloat, too"},
        ]
    )
    everything.remember(
        [{"name": "Safe", "text": "kiwi combination", "kind": "Pattern", "tags": ["kept"],
          "created_at": "2020-01-01"},
         {"name": "Key", "text": "kiwi opens it"}],
        [{"from": "Key", "relation": "OPENS", "to": "Safe"}],
        project=made.other,
    )  # fmt: skip
    everything.remember([{"name": f"Shared {own}", "text": "kiwi rules"}], project="@user")
    yield made
    upkeep_of(everything).close()
    model.close()


@contextmanager
def served(memory: Memory, *profiles: str) -> Iterator[Agent]:
    class Held(LazyMemory):
        """The memory of a test outlives its server."""

        def close(self) -> None:
            """Leave it open."""

    app = build(Held(lambda: memory), profiles=profiles)
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(Client(app)) as client,
    ):
        yield Agent(portal, client)


# A server that is bound to a project


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("search", {"query": "kiwi"}),
        ("context", {"query": "kiwi"}),
        ("get", {"names": ["Safe"]}),
        ("explore", {"name": "Safe"}),
        ("explore", {"name": "Safe", "to": "Key"}),
        ("overview", {}),
        ("remember", {"entities": [{"name": "Safe", "text": "mine now"}]}),
        ("link", {"from": "Safe", "relation": "OPENS", "to": "Key"}),
        ("forget", {"names": ["Safe"]}),
    ],
)
def test_a_bound_server_refuses_every_call_that_names_another_project(
    store: Store, tool: str, arguments: dict[str, object]
) -> None:
    before = store.whole_other()
    with served(store.bound) as door:
        message = door.refusal(tool, project=store.other, **arguments)
    assert message.endswith(f"got {store.other!r}. This server is limited to {store.mine}.")
    assert store.whole_other() == before


@pytest.mark.parametrize("memory", ["bound", "limited"])
def test_a_bound_server_knows_its_project_in_every_spelling(store: Store, memory: str) -> None:
    spellings = [
        store.mine, f"  {store.mine} ", f"https://user:word@{store.mine}.git",
        f"ssh://git@{store.mine}", f"git@{store.mine.replace('/', ':', 1)}.git",
    ]  # fmt: skip
    with served(getattr(store, memory)) as door:
        for spelling in spellings:
            assert json.loads(door.text("overview", project=spelling))["project"] == store.mine


@pytest.mark.parametrize("memory", ["bound", "limited"])
def test_keys_of_another_project_lead_nowhere(store: Store, memory: str) -> None:
    key, own = f"{store.other}#safe", f"{store.mine}#boat"
    with served(getattr(store, memory)) as door:
        assert "no entity" in door.refusal("get", names=[key])
        assert '"outcome":"refused"' in door.text("forget", names=[key])
        linked = door.text("link", **{"from": own, "relation": "NEAR", "to": key})
        assert "relations join entities of one project" in linked
        decoy = f"{store.other}#decoy"
        door.text("remember", entities=[{"name": decoy, "text": "mine now"}])
        door.text("link", **{"from": decoy, "relation": "NEAR", "to": "Boat"})
        found = json.loads(door.text("search", query=key))
    assert store.names(store.other) == {"Safe", "Key"}
    assert {hit.get("project", store.mine) for hit in found["hits"]} <= {
        store.mine,
        "@user",
        "@system",
    }


@pytest.mark.parametrize("memory", ["bound", "limited"])
def test_a_cursor_of_another_projects_search_is_refused(store: Store, memory: str) -> None:
    with served(store.free) as door:
        first = json.loads(door.text("search", query="kiwi", project=store.other, limit=1))
    assert first["cursor"]
    with served(getattr(store, memory)) as door:
        message = door.refusal("search", query="kiwi", limit=1, cursor=first["cursor"])
    assert "the `cursor` of an answer to the same search" in message


@pytest.mark.parametrize("memory", ["bound", "limited"])
def test_a_bound_server_reads_the_layers(store: Store, memory: str) -> None:
    with served(getattr(store, memory)) as door:
        found = json.loads(door.text("search", query="kiwi", limit=50))
        shared = next(hit for hit in found["hits"] if hit.get("project") == "@user")
        (page,) = json.loads(door.text("get", names=[shared["key"]]))["entities"]
        assert (page["name"], page["project"]) == (shared["name"], "@user")
        assert json.loads(door.text("overview", project="@user"))["entities"] > 0


@pytest.mark.parametrize("memory", ["bound", "free"])
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("remember", {"entities": [{"name": "Rule", "text": "obey"}]}),
        ("link", {"from": "Rule", "relation": "OPENS", "to": "Rule"}),
        ("forget", {"names": ["Rule"]}),
    ],
)
def test_layers_are_written_only_where_that_was_allowed(
    store: Store, tool: str, arguments: dict[str, object], memory: str
) -> None:
    with served(getattr(store, memory)) as door:
        for layer in ("@user", "@system", " ＠user "):
            message = door.refusal(tool, project=layer, **arguments)
            assert f"graphmem serve --layers {layer.strip()[1:]}" in message


def test_an_allowed_layer_is_written_and_the_other_is_not(store: Store) -> None:
    name = f"Rule {uuid.uuid4().hex}"
    with served(store.memory(Access(store.mine, frozenset({"@user"})))) as door:
        door.text("remember", entities=[{"name": name}], project="@user")
        door.text("forget", names=[name], project="@user")
        message = door.refusal("remember", entities=[{"name": name}], project="@system")
    assert "--layers system" in message


def test_a_server_without_a_project_reaches_the_others(store: Store) -> None:
    with served(store.free) as door:
        assert json.loads(door.text("overview", project=store.other))["entities"] == 2


def test_a_memory_in_python_reaches_every_project(store: Store) -> None:
    name = f"Rule {uuid.uuid4().hex}"
    memory = Memory(store.graph, store.model, store.mine)
    assert memory.remember([{"name": name}], project="@system").refused == ()
    memory.forget(name, project="@system")
    assert memory.get("Safe", project=store.other)[0].entity.name == "Safe"


def test_trust_and_upkeep_of_a_bound_memory_know_no_other_project(store: Store) -> None:
    memory, key = store.bound, f"{store.other}#safe"
    assert trust_of(memory, [key]) == {}
    assert upkeep_of(memory).uses([key]) == {}
    for names in ([key], [key, f"{store.other}#key"]):
        with pytest.raises(NotFound, match="safe"):
            memory.explore(*names)
        with pytest.raises(InvalidInput, match="This server is limited to"):
            memory.explore(*names, project=store.other)
    assert set(projects_in_reach(memory)) <= {store.mine, "@user", "@system"}
    assert projects_in_reach(memory, to_write=True) == [store.mine]
    for call in (upkeep_of(memory).counts, upkeep_of(memory).decay):
        with pytest.raises(InvalidInput, match="This server is limited to"):
            call(store.other)
    with pytest.raises(InvalidInput, match="This server is limited to"):
        memory.duplicates(project=store.other)
    upkeep_of(memory).note_use([key])
    assert upkeep_of(memory).tracker.settle(30)
    assert upkeep_of(store.memory(Access())).uses([key])[key].access_count == 0


# The profiles


@pytest.mark.parametrize("memory", ["bound", "limited"])
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("search", {"query": "kiwi"}),
        ("get_entity", {"id": "Safe"}),
        ("remember", {"entities": [{"name": "Safe", "content": "mine now"}]}),
        ("forget", {"ids": ["Safe"]}),
        ("list_labels", {}),
        ("list_types", {}),
        ("traverse", {"start": "Safe"}),
        ("find_path", {"from": "Safe", "to": "Key"}),
        ("similar", {}),
        ("reflect", {"action": "decay", "decay_days": 1}),
        ("reflect", {"action": "similar"}),
    ],
)
def test_contexts_of_memcp_are_limited_to_the_project(
    store: Store, tool: str, arguments: dict[str, object], memory: str
) -> None:
    with served(getattr(store, memory), "memcp") as door:
        message = door.refusal(tool, context=store.other, **arguments)
    assert message.startswith("context must be ")
    assert message.endswith(f" is limited to {store.mine}.")


@pytest.mark.parametrize("memory", ["bound", "limited"])
def test_memcps_ids_of_another_context_lead_nowhere(store: Store, memory: str) -> None:
    before = store.whole_other()
    key = f"entity:{store.other}#safe"
    with served(getattr(store, memory), "memcp") as door:
        assert door.call("get_entity", id=key) == {"result": None}
        assert json.loads(door.text("forget", ids=[key]))["deleted"] == 0
        assert "no entity" in door.refusal("traverse", start=key)
        assert "no entity" in door.refusal("find_path", **{"from": key, "to": "Boat"})
        relation = {"from": key, "to": "Boat", "type": "NEAR"}
        assert "no entity" in door.refusal("remember", relations=[relation])
    assert store.whole_other() == before


@pytest.mark.parametrize("memory", ["bound", "limited"])
def test_memcps_reflection_on_every_context_stays_in_its_own(store: Store, memory: str) -> None:
    with served(getattr(store, memory), "memcp") as door:
        asked: dict[str, object] = {"global": True, "similarity_threshold": 0.0, "limit": 50}
        pairs = door.text("reflect", action="similar", **asked)
        decayed = json.loads(door.text("reflect", action="decay", dry_run=True, **asked))
    assert ("Boat" in pairs, "Safe" in pairs) == (True, False)
    assert [entity["name"] for entity in decayed["decay"]["entities"]] == ["Boat"]


@pytest.mark.parametrize("memory", ["bound", "free"])
def test_memcp_writes_no_layer_unless_allowed(store: Store, memory: str) -> None:
    own = store.mine.rpartition("/")[2]
    reached: Memory = getattr(store, memory)
    with served(reached, "memcp") as door:
        refusals = [
            door.refusal("remember", entities=[{"name": "Rule"}], context="@user"),
            door.refusal("forget", ids=[f"entity:@user#shared {own}"]),
            door.refusal("reflect", action="decay", context="@user"),
        ]
        assert all("--layers user" in said for said in refusals)
        door.text("search", query="kiwi", context="@user")
    assert upkeep_of(reached).tracker.settle(30)
    used = upkeep_of(store.memory(Access())).uses([f"@user#shared {own}"])
    assert used[f"@user#shared {own}"].access_count == 0


def test_forge_saves_for_all_projects_only_where_that_was_allowed(store: Store) -> None:
    said = {"pattern": f"kiwi {uuid.uuid4().hex}", "category": "convention", "scope": "global"}
    with served(store.bound, "forge") as door:
        assert "--layers user" in door.refusal("memory_save", **said)
        assert "Found" in door.text("memory_recall", query="kiwi", scope="global")
        assert "combination" not in door.text("memory_recall", query="kiwi")
    with served(store.memory(Access(store.mine, frozenset({"@user"}))), "forge") as door:
        assert "Saved to global memory" in door.text("memory_save", **said)


@pytest.mark.parametrize("memory", ["bound", "limited"])
def test_forgeplan_reads_no_artifact_of_another_project(store: Store, memory: str) -> None:
    with served(getattr(store, memory), "forgeplan") as door:
        assert "no entity" in door.refusal("forgeplan_get", id=f"{store.other}#safe")
        assert "Safe" not in door.text("forgeplan_search", query="kiwi combination")


@pytest.mark.parametrize("memory", ["bound", "limited"])
def test_shaktiman_finds_no_code_of_another_project(store: Store, memory: str) -> None:
    code = {"path": "a.py", "start_line": 1, "end_line": 2, "symbol": "other_kiwi", "test": False}
    entity = {"name": "a.py::other_kiwi", "kind": "Function", "text": "x", "attributes": code}
    store.memory(Access()).remember([entity], project=store.other)
    with served(getattr(store, memory), "shaktiman") as door:
        assert door.text("search", query="other_kiwi", min_score=0).startswith("0 results")
    with served(Memory(store.graph, store.model, store.other), "shaktiman") as door:
        assert door.text("search", query="other_kiwi", min_score=0).startswith("1 result")


def test_ryes_path_names_no_other_project_where_one_was_given(store: Store, tmp_path: Path) -> None:
    folder = checkout(tmp_path, store.other)
    with served(store.bound, "rye") as door:
        asked = {"query": "kiwi", "scope": "tool", "project_path": str(folder)}
        assert json.loads(door.text("rye_search", **asked))["total"] == 0
    place = project_of(store.bound, str(folder))
    assert place is not None
    assert place.project == store.mine


def test_the_memory_servers_tools_stay_in_their_project(store: Store) -> None:
    before = store.whole_other()
    key = f"{store.other}#safe"
    with served(store.bound, "memory-server") as door:
        assert "Safe" not in door.text("search_nodes", query="kiwi combination")
        assert "Safe" not in door.text("read_graph", after=key)
        assert door.call("open_nodes", names=[key, "Safe"])["entities"] == []
        addition = {"entityName": key, "contents": ["mine now"]}
        assert "not found" in door.refusal("add_observations", observations=[addition])
        relation = {"from": "Key", "relationType": "OPENS", "to": key}
        deletion = {"entityName": key, "observations": ["kiwi combination"]}
        door.call("delete_observations", deletions=[deletion])
        door.call("delete_relations", relations=[relation, relation | {"to": "Safe"}])
        door.call("create_relations", relations=[relation])
        door.call("delete_entities", entityNames=[key, "Safe"])
    assert store.whole_other() == before


def test_every_profile_has_a_test_of_its_access() -> None:
    text = Path(__file__).read_text(encoding="utf-8")
    assert all(f'"{profile}") as door' in text for profile in PROFILES)


# Paths that callers over HTTP name


def test_a_path_over_http_is_read_only_below_the_folders_that_were_named(
    store: Store, tmp_path: Path
) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    checkout(root / "checkout", store.mine)
    checkout(outside, store.other)
    (root / "link").symlink_to(outside)
    memory = Memory(store.graph, store.model, None, access=Access(folders=(root,)))
    place = project_of(memory, str(root / "checkout"))
    assert place is not None
    assert place.project == store.mine
    assert project_of(memory, str(root / "nowhere")) is None
    refusals = set()
    for wrong in (
        str(outside), f"{root}/../outside", str(root / "link"), "/etc/shadow", "/etc/nothing",
        "~", "relative", f"{root}2",
    ):  # fmt: skip
        with pytest.raises(InvalidInput) as refused:
            project_of(memory, wrong)
        refusals.add(refused.value.expected)
    (sentence,) = refusals
    assert sentence == "must be below a folder named by `graphmem serve --folder`"


def test_without_such_folders_no_path_is_looked_at(store: Store, tmp_path: Path) -> None:
    memory = Memory(store.graph, store.model, None, access=Access(folders=()))
    for path in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(InvalidInput, match="serve --folder"):
            project_of(memory, str(path))
    bound = store.memory(Access(store.mine, folders=()))
    assert project_of(bound, "/nowhere") == project_of(bound, str(tmp_path))


def test_over_http_the_profile_rye_looks_below_the_folders_of_the_option_alone(
    environment: dict[str, str], store: Store, tmp_path: Path
) -> None:
    inside = checkout(tmp_path / "root" / "checkout", store.mine)
    asked = {"query": "kiwi", "scope": "tool"}
    with door_of(environment, "--profile", "rye", "--folder", str(tmp_path / "root")) as door:
        assert door.call("rye_search", project_path=str(inside), **asked)["total"] == 0
        said = set()
        for path in (tmp_path, "/etc", "/nowhere"):
            with pytest.raises(ToolError) as raised:
                door.call("rye_search", project_path=str(path), **asked)
            said.add(str(raised.value).partition(", got ")[0])
    (sentence,) = said
    assert "serve --folder" in sentence


# A caller with limits


def test_a_limited_memory_works_on_its_only_project_and_shares_the_rest(store: Store) -> None:
    whole = store.free
    view = whole.limited([store.other])
    assert (view.project, whole.project) == (store.other, store.mine)
    assert view.graph is whole.graph
    assert whole.limited().project == store.mine
    assert whole.limited([store.mine, store.other]).project == store.mine
    assert Memory(store.graph, store.model, None).limited(["a", "b"]).project is None


def test_the_access_of_a_bound_memory_cannot_be_widened(store: Store) -> None:
    nothing = store.bound.limited([store.other])
    assert nothing.project is None
    for project in (store.mine, store.other):
        with pytest.raises(InvalidInput, match=f"This server is limited to {store.mine}. This ca"):
            nothing.stats(project=project)
    assert not [
        listed_project
        for listed_project in nothing.projects()
        if not listed_project.project.startswith("@")
    ]


def test_a_limited_memory_finds_its_projects_alone_in_a_search_of_all(store: Store) -> None:
    view = store.free.limited([store.other])
    answer = view.search("kiwi", projects="*", mode="keyword", limit=50, scope="project")
    assert {hit.project for hit in answer.hits} == {store.other}
    assert {project.project for project in view.projects()} <= {store.other, "@user", "@system"}
    with pytest.raises(InvalidInput, match=r"projects\[1\] must be"):
        view.search("kiwi", projects=[store.other, store.mine])


def test_a_memory_that_only_reads_writes_no_project_and_no_layer(store: Store) -> None:
    before = store.whole_other()
    reader = store.memory(Access()).limited(read_only=True)
    for project in (store.mine, store.other, "@user"):
        with pytest.raises(InvalidInput, match="This caller may only read"):
            reader.remember([{"name": "Boat"}], project=project)
        with pytest.raises(InvalidInput, match="This caller may only read"):
            reader.purge("Safe", project=project)
    assert reader.get("Safe", project=store.other)
    upkeep_of(reader).note_use([f"{store.other}#safe"])
    assert upkeep_of(reader).tracker.settle(30)
    assert store.whole_other() == before


# Processes


def test_the_option_binds_and_the_setting_is_a_default(
    environment: dict[str, str], store: Store, tmp_path: Path
) -> None:
    told = environment | {"GRAPHMEM_PROJECT": store.mine}
    with agent_of(told, tmp_path) as agent:
        assert agent.call("overview")["project"] == store.mine
        assert agent.call("overview", project=store.other)["project"] == store.other
        assert "--layers user" in agent.refusal(
            "remember", entities=[{"name": "x"}], project="@user"
        )
    with agent_of(told, tmp_path, "--project", f"https://{store.other}.git") as agent:
        assert agent.call("overview")["project"] == store.other
        assert "is limited to" in agent.refusal("overview", project=store.mine)


# Imports


def forge_folder(folder: Path, own: str) -> Path:
    (folder / ".forge" / "memory").mkdir(parents=True)
    for scope in ("project", "global"):
        line = {"id": scope, "pattern": f"{scope} {own}", "category": "convention"}
        (folder / ".forge" / "memory" / f"{scope}.jsonl").write_text(json.dumps(line))
    return folder


def test_an_import_writes_a_layer_only_where_that_was_allowed(store: Store, tmp_path: Path) -> None:
    own = uuid.uuid4().hex
    folder = forge_folder(tmp_path, own)
    report = store.free.import_("forge", folder)
    (refused,) = report.refused
    assert "graphmem import --layers user" in (refused.reason or "")
    assert report.counts("entity")["created"] == 1
    assert not any(own in name for name in store.names("@user"))
    allowed = store.memory(Access(layers=frozenset({"@user"})))
    assert allowed.import_("forge", folder).refused == ()
    (folder / ".forge" / "memory" / "global.jsonl").write_text("")
    # What was said of the layer is not taken back either by an import that may not speak of it.
    assert store.free.import_("forge", folder).counts("entity")["removed"] == 0
    assert allowed.import_("forge", folder).counts("entity")["removed"] == 1


def test_a_dump_names_no_layer_unless_allowed(store: Store, tmp_path: Path) -> None:
    dump = tmp_path / "dump.json"
    entity = {"id": "entity:obey", "content": "obey", "context": "@system"}
    dump.write_text(json.dumps({"entities": [entity], "relations": []}))
    (refused,) = store.free.import_("memcp", dump).refused
    assert "--layers system" in (refused.reason or "")
    with pytest.raises(NotFound):
        store.free.get("obey", project="@system")


def test_a_refused_relation_is_named_with_the_day_from_which_it_is_valid() -> None:
    crew = Relation("Ada", "SAILS", "Boat", valid_from=date(2026, 3, 1))
    row = Access(layers=NOTHING).checked_row(Row("crew.csv:2", crew, project="@user"))
    assert isinstance(row.value, Item)
    assert row.value.name == "Ada -[SAILS from 2026-03-01]-> Boat"
    assert row.project is None


# The terminal


@pytest.mark.parametrize(
    ("written", "project", "allowed"),
    [
        (None, None, set()),
        (None, "example.org/a/b", set()),
        (None, "@user", {"@user"}),
        ("user", None, {"@user"}),
        ("user, @system", None, {"@user", "@system"}),
        ("system", " @user ", {"@user", "@system"}),
    ],
)
def test_layers_are_allowed_by_name_or_by_typing_one_as_the_project(
    written: str | None, project: str | None, allowed: set[str]
) -> None:
    assert writable_layers(written, project) == allowed


@pytest.mark.parametrize("written", ["all", "user;system", "", "@"])
def test_other_layers_are_refused(written: str) -> None:
    with pytest.raises(InvalidInput, match=r"^--layers must be user, system, or user,system"):
        writable_layers(written, None)


def test_the_terminal_says_which_option_lets_a_layer_be_written(
    environment: dict[str, str], tmp_path: Path, project: str
) -> None:
    own = uuid.uuid4().hex
    folder = forge_folder(tmp_path / "tree", own)

    def imports(*options: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "graphmem", "import", "forge", str(folder), *options]
        return subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=300, check=False
        )

    refused = imports("--project", project)
    assert (refused.returncode, "--layers user" in refused.stdout) == (1, True)
    assert imports("--project", project, "--layers", "user").returncode == 0
    options = ("--profile", "forge", "--project", project)
    said = {"pattern": f"later {own}", "category": "convention", "scope": "global"}
    with agent_of(environment, tmp_path, *options) as agent:
        assert "--layers user" in agent.refusal("memory_save", **said)
        assert f"global {own}" in agent.text("memory_recall", query=own)
    with agent_of(environment, tmp_path, *options, "--layers", "user") as agent:
        assert "Saved" in agent.text("memory_save", **said)
