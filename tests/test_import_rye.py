"""`graphmem import rye`: directives, tools and knowledge of `.ai` folders, with their links."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from graphmem.adapters.rye.importer import links
from graphmem.errors import InvalidInput
from graphmem.memory import Memory
from graphmem.model import Entity, Item, Relation, Report
from graphmem.transfer import FORMATS
from listeners import Listener
from rye_items import Tree

BOMB = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>'
FENCED = """```xml
<directive name='greet' version='1.10' extends='base'>
<metadata><description>Hi.</description></metadata>
</directive>
```

Wave.
"""
GRAPH = """version: 1.10
tool_type: graph
executor_id: own/runtimes/walker
description: "Walks"
config:
  server: own/servers/files
  nodes:
    one:
      action: {primary: execute, item_type: tool, item_id: own/shell, params: {command: ls}}
    two:
      action:
        primary: load
        item_type: knowledge
        item_id: own/terms
      params:
        directive_name: own/greet
config_schema:
  properties:
    output_dir: {type: string}
"""


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    return Tree(tmp_path)


def read(path: Path) -> tuple[dict[str, Entity], list[tuple[str, str, str, str]], list[Item]]:
    """What the importer makes of a path: entities by name, relations with their place, refusals."""
    entities, relations, refused = {}, [], []
    for row in FORMATS["rye"].read(path):
        match row.value:
            case Entity(name=name):
                entities[name] = row.value
            case Relation(start=start, relation=relation, end=end):
                relations.append((row.place, start, relation, end))
            case Item():
                refused.append(row.value)
    return entities, relations, refused


def linked(tree: Tree) -> set[tuple[str, str, str]]:
    return {(start, relation, end) for _, start, relation, end in read(tree.folder)[1]}


def only(tree: Tree) -> Entity:
    entities, _, refused = read(tree.folder)
    assert not refused
    (entity,) = entities.values()
    return entity


# Items


def test_a_directive_becomes_an_entity(tree: Tree) -> None:
    tree.directive(
        "own/file/greet_all", title="Greet Everybody", description="Say hello.", version="1.10",
        preamble="A friendly directive.", body="Say it to {input:place}.",
        more="    <permissions><execute><tool>own.files.*</tool></execute></permissions>",
    )  # fmt: skip
    entity = only(tree)
    assert (entity.name, entity.kind) == ("directive/own/file/greet_all", "Directive")
    assert (entity.title, entity.category) == ("Greet Everybody", "own/file")
    assert entity.aliases == ("own/file/greet_all", "greet all")
    assert entity.source == ".ai/directives/own/file/greet_all.md"
    assert [(observation.text, observation.source) for observation in entity.observations] == [
        ("Say hello.", "description")
    ]
    assert entity.attributes == {
        "id": "own/file/greet_all", "description": "Say hello.", "version": "1.10",
        "author": "someone", "model.tier": "fast", "limits.turns": 3, "limits.tokens": 4096,
        "inputs": ["place"], "permissions": ["rye.execute.tool.own.files.*"],
        "signed_at": datetime(2026, 3, 1, 10, tzinfo=UTC),
    }  # fmt: skip


def test_the_text_of_a_directive_is_what_is_no_metadata(tree: Tree) -> None:
    tree.directive("greet", preamble="A friendly directive.", body="Say hello.")
    text = only(tree).text or ""
    assert "A friendly directive." in text
    assert "- place (string): Where it lies" in text
    assert "Say hello." in text
    for gone in ("<metadata>", "<author>", "rye:signed", "```"):
        assert gone not in text


def test_xml_that_is_more_than_metadata_stays_in_the_text(tree: Tree) -> None:
    tree.file(
        "directives/greet.md",
        "# Greet\n\n```xml\n<directive name='greet'><metadata><description>Hi.</description>"
        "</metadata><steps><step>Wave to the ibis.</step></steps></directive>\n```\n",
    )
    entity = only(tree)
    assert entity.attributes["description"] == "Hi."
    assert "ibis" in (entity.text or "")


@pytest.mark.parametrize(
    "content",
    [
        "---\nname: greet\ndescription: Hi.\nversion: 1.10\nextends: base\n---\n# Greet\nWave.\n",
        "# Greet\n\n" + FENCED.replace("```xml\n", "").replace("```\n", ""),
        f"# Greet\n\n````markdown\n```xml\n<directive name='other'/>\n```\n````\n\n{FENCED}",
    ],
    ids=["front matter", "without a fence", "behind an example"],
)
def test_a_directives_metadata_may_stand_elsewhere(tree: Tree, content: str) -> None:
    tree.file("directives/greet.md", content)
    tree.directive("base")
    entities, relations, refused = read(tree.folder)
    entity = entities["directive/greet"]
    assert not refused
    assert (entity.title, entity.attributes["version"]) == ("Greet", "1.10")
    assert entity.attributes["description"] == "Hi."
    assert "Wave." in (entity.text or "")
    assert [relation[1:] for relation in relations] == [
        ("directive/greet", "EXTENDS", "directive/base")
    ]


def test_a_directive_without_metadata_is_described_by_its_first_paragraph(tree: Tree) -> None:
    tree.file("directives/greet.md", "# Greet\n\nSay hello\nto all.\n\nThen leave.\n")
    assert only(tree).attributes["description"] == "Say hello to all."


def test_a_tool_in_python_becomes_an_entity(tree: Tree) -> None:
    tree.tool("own/runEverything", description="Runs.", body="needle", version="2.0.0")
    entity = only(tree)
    assert (entity.name, entity.kind, entity.title) == (
        "tool/own/runEverything", "Tool", "run Everything",
    )  # fmt: skip
    assert entity.attributes["tool_type"] == "python"
    assert entity.attributes["executor_id"] == "python"
    assert entity.attributes["inputs"] == ["path"]
    assert (entity.text or "").startswith('"""Nothing."""')
    assert "needle" in (entity.text or "")


def test_a_tool_is_described_by_its_docstring_where_nothing_else_does(tree: Tree) -> None:
    tree.file("tools/own/run.py", '"""Run it\nall.\n\nMore."""\n__all__ = ["x"]\n')
    entity = only(tree)
    assert entity.attributes == {"id": "own/run", "description": "Run it all."}


def test_a_tool_in_yaml_becomes_an_entity(tree: Tree) -> None:
    tree.file("tools/own/graph.yaml", GRAPH)
    entity = only(tree)
    assert entity.attributes == {
        "id": "own/graph", "description": "Walks", "version": "1.10", "tool_type": "graph",
        "executor_id": "own/runtimes/walker", "inputs": ["output_dir"],
    }  # fmt: skip
    assert "initial" not in (entity.text or "")
    assert "item_id: own/shell" in (entity.text or "")


@pytest.mark.parametrize(
    ("ending", "content"),
    [
        ("ts", 'export const __version__ = "1.10";\nconst __tool_description__ =\n "Runs.";'),
        ("js", "const __version__ = '1.10'\nconst __tool_description__ = 'Runs.'\n"),
        ("sh", '#!/bin/sh\n# __version__ = "1.10"\n# __tool_description__ = "Runs."\n'),
        ("json", '{"tool_type": "x", "version": "1.10", "description": "Runs."}'),
        ("toml", 'tool_type = "x"\nversion = "1.10"\ndescription = "Runs."\n'),
    ],
)  # fmt: skip
def test_a_tool_may_be_written_in_other_languages(tree: Tree, ending: str, content: str) -> None:
    tree.file(f"tools/own/run.{ending}", content)
    entity = only(tree)
    assert (entity.attributes["version"], entity.attributes["description"]) == ("1.10", "Runs.")


def test_a_knowledge_entry_becomes_an_entity(tree: Tree) -> None:
    tree.knowledge(
        "own/terms", title="All Terms", body="# All Terms\n\nWords.", version="1.10",
        more="tags: [Api, 2024, no]\ncreated_at: 2026-02-18\nstatus: draft\nauthor: Ada\n",
    )  # fmt: skip
    entity = only(tree)
    assert (entity.name, entity.kind, entity.title) == (
        "knowledge/own/terms",
        "Knowledge",
        "All Terms",
    )
    assert (entity.tags, entity.status) == (("Api", "2024", "no"), "draft")
    assert entity.created_at == datetime(2026, 2, 18, tzinfo=UTC)
    assert entity.attributes["rye_created_at"] == entity.created_at
    assert (entity.attributes["version"], entity.attributes["author"]) == ("1.10", "Ada")
    assert "entry_type:" not in (entity.text or "")
    assert "Words." in (entity.text or "")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("own/terms.md", "---\ntitle: Terms\ntags: a, b\n---\nWords.\n"),
        ("own/terms.md", "<!-- rye:unsigned -->\n\n---\ntitle: Terms\ntags: [a, b]\n---\nWords.\n"),
        ("own/terms.md", "```yaml\ntitle: Terms\ntags:\n- a\n- b\n```\n# Other\n\nWords.\n"),
        ("own/terms.yaml", "title: Terms\ntags: [a, b]\nbody: Words.\n"),
    ],
)
def test_a_knowledge_entrys_metadata_may_stand_elsewhere(
    tree: Tree, name: str, content: str
) -> None:
    tree.file(f"knowledge/{name}", content)
    entity = only(tree)
    assert (entity.name, entity.title, entity.tags) == ("knowledge/own/terms", "Terms", ("a", "b"))
    assert "Words." in (entity.text or "")


def test_yaml_after_a_heading_is_text(tree: Tree) -> None:
    tree.file("knowledge/terms.md", "# Terms\n\n```yaml\ntitle: Example\n```\n")
    entity = only(tree)
    assert entity.title == "Terms"
    assert "title: Example" in (entity.text or "")


def test_fields_that_graphmem_needs_itself_get_another_name(tree: Tree) -> None:
    tree.file(
        "knowledge/own/terms.md",
        "---\nname: elsewhere\ncategory: not/here\nsource: book\nsize: {a: 1, b: {c: 2}}\n"
        "mixed: [1, two]\nnested: [{a: 1}]\n'odd/name': x\nnothing:\n---\n",
    )
    own = only(tree).attributes
    assert own == {
        "id": "own/terms", "rye_name": "elsewhere", "rye_category": "not/here",
        "rye_source": "book", "size.a": 1, "mixed": ["1", "two"], "odd_name": "x",
    }  # fmt: skip


def test_a_date_that_is_none_leaves_the_item_undated(tree: Tree) -> None:
    tree.knowledge("terms", more="created_at: some day\n")
    entity = only(tree)
    assert entity.created_at is None
    assert entity.attributes["rye_created_at"] == "some day"


# Folders


def test_every_folder_below_the_path_is_read(tmp_path: Path) -> None:
    for bundle in ("a/b/core", "a/web", "."):
        Tree(tmp_path / bundle).tool(f"own/{Path(bundle).name or 'top'}")
    entities, _, refused = read(tmp_path)
    assert not refused
    assert {entity.source for entity in entities.values()} == {
        ".ai/tools/own/top.py", "a/b/core/.ai/tools/own/core.py", "a/web/.ai/tools/own/web.py",
    }  # fmt: skip


def test_an_id_may_be_borne_by_one_item_of_each_type(tree: Tree) -> None:
    tree.directive("own/x")
    tree.tool("own/x")
    tree.knowledge("own/x")
    assert set(read(tree.folder)[0]) == {"directive/own/x", "tool/own/x", "knowledge/own/x"}


def test_the_second_file_of_an_id_is_refused_with_both_places(tmp_path: Path) -> None:
    for bundle in ("b", "a"):
        Tree(tmp_path / bundle).tool("own/x", description=f"From {bundle}.")
    Tree(tmp_path / "a").file("tools/own/X.yaml", "tool_type: x\n")
    entities, _, refused = read(tmp_path)
    assert entities["tool/own/X"].source == "a/.ai/tools/own/X.yaml"
    assert len(refused) == 2
    for refusal in refused:
        assert "a/.ai/tools/own/X.yaml is the tool" in (refusal.reason or "")


@pytest.mark.parametrize(
    ("path", "names", "source"),
    [
        (".ai", {"tool/own/x", "tool/other/y", "directive/z"}, "tools/own/x.py"),
        (".ai/tools", {"tool/own/x", "tool/other/y"}, "own/x.py"),
        (".ai/tools/own", {"tool/own/x"}, "x.py"),
        (".ai/tools/own/x.py", {"tool/own/x"}, "x.py"),
    ],
)
def test_a_part_of_a_folder_may_be_read(
    tree: Tree, path: str, names: set[str], source: str
) -> None:
    tree.tool("own/x")
    tree.tool("other/y")
    tree.directive("z")
    entities, _, _ = read(tree.folder / path)
    assert set(entities) == names
    assert entities["tool/own/x"].source == source


@pytest.mark.parametrize("path", [".", "notes", "notes/x.md", ".ai/config"])
def test_a_path_without_items_folders_is_an_error(tmp_path: Path, path: str) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "x.md").write_text("x")
    if path == ".ai/config":
        Tree(tmp_path).file("config/agent.yaml", "a: 1\n")
    with pytest.raises(InvalidInput, match=r"\.ai"):
        read(tmp_path / path)


def test_files_that_are_no_items_are_passed_over(tree: Tree) -> None:
    tree.tool("own/x")
    for place in (
        "config/agent.yaml", "bundles/own/manifest.yaml", "tools/own/x.lock", "directives/x.txt",
        "tools/node_modules/p/index.js", "tools/own/__pycache__/x.py", "tools/own/package.json",
        "tools/own/__init__.py", "directives/_draft.md",
    ):  # fmt: skip
        tree.file(place, "{}" if place.endswith("json") else "")
    (tree.folder / ".git" / ".ai" / "tools").mkdir(parents=True)
    (tree.folder / ".git" / ".ai" / "tools" / "y.py").write_text("")
    assert set(read(tree.folder)[0]) == {"tool/own/x"}


def test_a_file_with_an_underscore_is_an_item_where_it_says_so(tree: Tree) -> None:
    tree.tool("own/__init__", description="A package.")
    assert only(tree).attributes["description"] == "A package."


def test_an_import_of_items_reports_its_progress(tree: Tree) -> None:
    tree.tool("a")
    tree.tool("b")
    heard = Listener()
    list(FORMATS["rye"].read(tree.folder, heard))
    assert heard.steps == [("Reading files", 1, 2), ("Reading files", 2, 2)]
    assert heard.sentences == []


# Files that are broken


def test_broken_xml_keeps_the_text_and_what_stands_before_the_break(tree: Tree) -> None:
    tree.directive("own/greet", description="Say hello.", more="<hooks>", body="Wave to the ibis.")
    tree.tool("own/shell")
    entities, _, refused = read(tree.folder)
    entity = entities["directive/own/greet"]
    assert entity.attributes["description"] == "Say hello."
    assert "ibis" in (entity.text or "")
    assert "<hooks>" in (entity.text or "")
    (item,) = refused
    assert (item.what, item.name) == ("relation", "directive/own/greet")
    assert "XML: mismatched tag" in (item.reason or "")


@pytest.mark.parametrize(
    "before", [BOMB, '<!DOCTYPE x SYSTEM "file:///etc/passwd">', "<!DOCTYPE x>"]
)
def test_document_types_are_not_followed(tree: Tree, before: str) -> None:
    tree.file("directives/x.md", f"```xml\n{before}\n<directive name='x'>&b;</directive>\n```\n")
    entities, _, refused = read(tree.folder)
    assert "root:" not in (entities["directive/x"].text or "")
    assert "not followed" in (refused[0].reason or "")


@pytest.mark.parametrize(
    ("place", "content", "reason", "line"),
    [
        ("tools/x.py", '__version__ = "1"\n\ndef broken(:\n', "Python: invalid syntax", 3),
        ("tools/x.py", "x = " + "(" * 500 + ")" * 500, "Python", 1),
        ("tools/x.yaml", "a: 1\nb: [\n", "YAML", 3),
        (
            "tools/x.yaml",
            "- a\n- b\n",
            "YAML: it must consist of lines of the form `name: value`",
            1,
        ),
        ("tools/x.yaml", "a: " + "[" * 2_000, "YAML", 1),
        ("tools/x.yaml", f"a: {'b' * 300_000}\n", "262,144 characters", 1),
        ("knowledge/x.md", "<!-- rye:unsigned -->\n---\na: [\n---\nWords.\n", "YAML", 4),
        ("knowledge/x.md", "```yaml\na: b: c\n```\nWords.\n", "YAML", 2),
        ("directives/x.md", "---\na: [\n---\nWords.\n", "front matter", 3),
    ],
)
def test_a_file_that_cannot_be_parsed_is_kept_as_text(
    tree: Tree, place: str, content: str, reason: str, line: int
) -> None:
    path = tree.file(place, content)
    rows = list(FORMATS["rye"].read(tree.folder))
    kept, refused = (row.value for row in rows)
    assert isinstance(kept, Entity)
    assert isinstance(refused, Item)
    assert kept.text == path.read_text().removeprefix("<!-- rye:unsigned -->").strip()
    assert reason in (refused.reason or "")
    assert "its text is kept" in (refused.reason or "")
    assert rows[1].place == f".ai/{place}:{line}"


def test_the_version_of_a_broken_program_is_read_all_the_same(tree: Tree) -> None:
    tree.file("tools/x.py", '__version__ = "1.10"\ndef broken(:\n')
    assert read(tree.folder)[0]["tool/x"].attributes["version"] == "1.10"


@pytest.mark.parametrize(
    ("content", "reason"),
    [(b"\xff\xfe\x00", "cannot be read"), (b"x" * (2 * 1024 * 1024), "1 MiB")],
)
def test_a_file_that_cannot_be_read_is_refused(tree: Tree, content: bytes, reason: str) -> None:
    tree.file("tools/x.py", content)
    entities, _, (refused,) = read(tree.folder)
    assert not entities
    assert (refused.name, reason in (refused.reason or "")) == ("tool/x", True)


def test_an_item_with_a_field_that_is_not_allowed_is_refused_alone(tree: Tree) -> None:
    tree.knowledge("x", more=f"tags: [{'t' * 300}]\n")
    tree.knowledge("y")
    entities, _, (refused,) = read(tree.folder)
    assert set(entities) == {"knowledge/y"}
    assert "tags" in (refused.reason or "")


@pytest.mark.parametrize("title", ["x" * 2_000, "a\x07b", "  "])
def test_a_title_that_cannot_be_one_loses_no_item(tree: Tree, title: str) -> None:
    tree.file("knowledge/my_terms.md", f"---\ntitle: '{title}'\n---\n")
    rows = [row.value for row in FORMATS["rye"].read(tree.folder)]
    entity = next(row for row in rows if isinstance(row, Entity))
    assert entity.title in {"my terms", "x" * 512}


def test_a_path_too_long_for_a_source_is_no_reason_to_refuse(tree: Tree) -> None:
    tree.tool("/".join(["folder"] * 20 + ["x" * 100]))
    assert only(tree).source is None


def test_references_in_yaml_that_stand_for_millions_of_values_are_not_read(tree: Tree) -> None:
    lines = ["a0: &a0 {x: 1, item_type: tool, item_id: own/x}"]
    lines += [f"a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 9)}]}}" for n in range(1, 30)]
    tree.file("tools/x.yaml", "\n".join(lines))
    tree.tool("own/x")
    entities, _, (refused,) = read(tree.folder)
    assert set(entities) == {"tool/x", "tool/own/x"}
    assert "references that stand for more than" in (refused.reason or "")


def test_references_in_yaml_stand_for_what_they_name(tree: Tree) -> None:
    tree.file("knowledge/x.yaml", "title: x\nbase: &b {turns: 6}\nlimits: {<<: *b, tokens: 7}\n")
    own = only(tree).attributes
    assert (own["limits.turns"], own["limits.tokens"]) == (6, 7)


def test_a_yaml_that_contains_itself_is_kept_as_text(tree: Tree) -> None:
    tree.file("tools/x.yaml", "tool_type: x\na: &a [*a]\n")
    entities, _, (refused,) = read(tree.folder)
    assert (entities["tool/x"].text or "").startswith("tool_type: x")
    assert "contains itself" in (refused.reason or "")


# Links


def test_a_directive_is_linked_to_what_it_names(tree: Tree) -> None:
    tree.directive(
        "own/greet", root=' extends="own/base"',
        more="    <context><system>own/identity</system><after>own/rules</after>\n"
        "<suppress>own/old</suppress><depends_on>own/base</depends_on></context>\n"
        "    <permissions><execute><tool>own.files.read</tool><tool>own.files.*</tool></execute>"
        "<load><knowledge>own/rules</knowledge></load><search>*</search></permissions>\n"
        '    <hooks><hook><execute item_type="directive">own/warn</execute></hook></hooks>',
        body='`rye_execute(item_type="tool", item_id="own/files/read", parameters={"a": "f()"})`\n'
        '<load item_type="knowledge" item_id="own/rules" />\n'
        "rye_sign(\n  item_type='directive',\n  item_id='own/base')\n"
        'rye_execute(item_type="tool", item_id="own/spawn", parameters='
        '{"directive_name": "own/warn"})\n'
        'rye_execute(item_type="tool", item_id="{input:tool}") rye_load(item_type="tool", x="y")\n'
        'rye_search(scope="tool", query="own/files/read")',
    )  # fmt: skip
    for name in ("own/base", "own/warn"):
        tree.directive(name)
    for name in ("own/files/read", "own/spawn"):
        tree.tool(name)
    for name in ("own/identity", "own/rules", "own/old"):
        tree.knowledge(name)
    assert linked(tree) == {
        ("directive/own/greet", relation, end)
        for relation, end in (
            ("EXTENDS", "directive/own/base"), ("INCLUDES", "knowledge/own/identity"),
            ("INCLUDES", "knowledge/own/rules"), ("SUPPRESSES", "knowledge/own/old"),
            ("DEPENDS_ON", "directive/own/base"), ("MAY_EXECUTE", "tool/own/files/read"),
            ("MAY_LOAD", "knowledge/own/rules"), ("EXECUTES", "tool/own/files/read"),
            ("LOADS", "knowledge/own/rules"), ("SIGNS", "directive/own/base"),
            ("EXECUTES", "tool/own/spawn"), ("EXECUTES", "directive/own/warn"),
        )
    }  # fmt: skip


def test_the_place_of_a_prompt_is_a_links_note(tree: Tree) -> None:
    tree.directive("x", more="<context><before>own/rules</before></context>")
    tree.knowledge("own/rules")
    rows = [row.value for row in FORMATS["rye"].read(tree.folder)]
    assert [row.note for row in rows if isinstance(row, Relation)] == ["before"]


def test_a_tool_is_linked_to_what_it_names(tree: Tree) -> None:
    tree.file("tools/own/graph.yaml", GRAPH)
    for name in ("own/runtimes/walker", "own/servers/files", "own/shell"):
        tree.tool(name)
    tree.knowledge("own/terms")
    tree.directive("own/greet")
    tree.tool("own/runs", executor="own/runtimes/walker")
    assert linked(tree) == {
        ("tool/own/graph", "EXECUTED_BY", "tool/own/runtimes/walker"),
        ("tool/own/graph", "USES_SERVER", "tool/own/servers/files"),
        ("tool/own/graph", "EXECUTES", "tool/own/shell"),
        ("tool/own/graph", "LOADS", "knowledge/own/terms"),
        ("tool/own/graph", "EXECUTES", "directive/own/greet"),
        ("tool/own/runs", "EXECUTED_BY", "tool/own/runtimes/walker"),
    }


def test_a_knowledge_entry_is_linked_to_what_it_names(tree: Tree) -> None:
    tree.knowledge(
        "own/core/terms",
        more="references: [spaces, own/other, x/files, docs/guide.md, 'https://example.org/a']\n"
        "related: own/greet\ndirective: own/greet\n",
    )
    for name in ("own/core/spaces", "elsewhere/spaces", "own/other"):
        tree.knowledge(name)
    tree.tool("own/x/files")
    tree.directive("own/greet")
    start = "knowledge/own/core/terms"
    assert linked(tree) == {
        (start, "REFERENCES", "knowledge/own/core/spaces"),
        (start, "REFERENCES", "knowledge/own/other"),
        (start, "REFERENCES", "tool/own/x/files"),
        (start, "RELATED_TO", "directive/own/greet"),
        (start, "TRANSCRIPT_OF", "directive/own/greet"),
    }


def test_a_link_has_its_line_and_is_given_once(tree: Tree) -> None:
    call = 'rye_execute(item_type="tool", item_id="own/x")'
    path = tree.directive("greet", body=f"First.\n{call}\n{call}")
    tree.tool("own/x")
    line = path.read_text().splitlines().index(call) + 1
    assert [place for place, *_ in read(tree.folder)[1]] == [f".ai/directives/greet.md:{line}"]


def test_a_link_to_the_item_itself_is_none(tree: Tree) -> None:
    tree.directive("greet", body='rye_load(item_type="directive", item_id="greet")')
    assert linked(tree) == set()


def test_rye_s_own_items_are_looked_for_only_where_there_are_some(tree: Tree) -> None:
    tree.tool("own/x", executor="rye/core/runtimes/python/function")
    assert linked(tree) == set()
    tree.tool("rye/core/system")
    assert linked(tree) == {("tool/own/x", "EXECUTED_BY", "tool/rye/core/runtimes/python/function")}


def test_a_link_to_a_missing_item_is_refused_with_its_place(memory: Memory, tree: Tree) -> None:
    call = 'rye_execute(item_type="tool", item_id="own/gone")'
    path = tree.directive("greet", body=f"First.\n{call}")
    line = path.read_text().splitlines().index(call) + 1
    (refused,) = memory.import_("rye", tree.folder).refused
    assert refused.name == "directive/greet -[EXECUTES]-> tool/own/gone"
    assert refused.place == f".ai/directives/greet.md:{line}"
    assert "'tool/own/gone'" in (refused.reason or "")


# In the store


def outcomes(report: Report) -> dict[str, str]:
    return {item.name: item.outcome for item in report.items}


def test_an_import_is_idempotent(memory: Memory, tree: Tree) -> None:
    tree.directive(
        "own/greet", description="Hi.", body='rye_load(item_type="tool", item_id="own/x")'
    )
    tree.tool("own/x", description="Runs.")
    tree.knowledge("own/terms", more="created_at: 2026-02-18\n")
    assert set(outcomes(memory.import_("rye", tree.folder)).values()) == {"created"}
    assert set(outcomes(memory.import_("rye", tree.folder)).values()) == {"unchanged"}
    page = memory.get("directive/own/greet")[0]
    assert [(neighbour.relation, neighbour.name) for neighbour in page.neighbours] == [
        ("LOADS", "tool/own/x")
    ]
    assert memory.get("own/x")[0].entity.name == "tool/own/x"


def test_an_edited_file_touches_only_its_item(memory: Memory, tree: Tree) -> None:
    tree.tool("own/x")
    tree.tool("own/y")
    memory.import_("rye", tree.folder)
    tree.tool("own/y", description="Another.")
    assert outcomes(memory.import_("rye", tree.folder)) == {
        "tool/own/x": "unchanged", "tool/own/y": "updated",
    }  # fmt: skip


def test_what_is_gone_is_marked_and_may_come_back(memory: Memory, tree: Tree) -> None:
    gone = tree.tool("own/x", description="A quokka.")
    tree.directive("greet", body='rye_load(item_type="tool", item_id="own/x")')
    memory.import_("rye", tree.folder)
    content = gone.read_text()
    gone.unlink()
    tree.directive("greet")
    said = outcomes(memory.import_("rye", tree.folder))
    assert said["tool/own/x"] == "removed"
    assert said["directive/greet -[LOADS]-> tool/own/x"] == "removed"
    assert not memory.search("quokka", mode="keyword").hits
    gone.write_text(content)
    assert outcomes(memory.import_("rye", tree.folder))["tool/own/x"] == "updated"
    assert memory.search("quokka", mode="keyword").hits


def test_a_half_written_file_takes_no_links_with_it(memory: Memory, tree: Tree) -> None:
    path = tree.directive("greet", root=' extends="base"', body="x " * 50)
    tree.directive("base")
    memory.import_("rye", tree.folder)
    whole = path.read_text()
    path.write_text(whole[: whole.index("</metadata>")])
    report = memory.import_("rye", tree.folder)
    assert "removed" not in outcomes(report).values()
    assert len(report.refused) == 1


def test_a_dry_run_writes_nothing(memory: Memory, tree: Tree) -> None:
    tree.tool("own/x")
    tree.directive("greet", body='rye_load(item_type="tool", item_id="own/x")')
    report = memory.import_("rye", tree.folder, dry_run=True)
    assert set(outcomes(report).values()) == {"created"}
    assert memory.stats().entities == 0


def test_a_tree_may_be_put_into_another_layer(memory: Memory, tree: Tree) -> None:
    tree.tool("own/axolotl", description="An axolotl.")
    memory.import_("rye", tree.folder, project="@system")
    hits = memory.search("axolotl", mode="keyword").hits
    assert [(hit.name, hit.project) for hit in hits] == [("tool/own/axolotl", "@system")]
    (tree.folder / ".ai" / "tools" / "own" / "axolotl.py").unlink()
    memory.import_("rye", tree.folder, project="@system")
    assert not memory.search("axolotl", mode="keyword").hits


def test_words_of_the_description_and_the_body_are_found_together(
    memory: Memory, tree: Tree
) -> None:
    tree.directive("greet", description="A numbat.", body=f"{'filler ' * 400}\n\nA bilby.")
    hits = memory.search("numbat AND bilby", mode="keyword").hits
    assert not hits
    memory.import_("rye", tree.folder)
    hits = memory.search("numbat AND bilby", mode="keyword").hits
    assert [hit.name for hit in hits] == ["directive/greet"]


Written = Callable[[Tree], Path]


@pytest.mark.parametrize(
    "written",
    [
        lambda tree: tree.directive("own/x", description="A numbat."),
        lambda tree: tree.tool("own/x", description="A numbat."),
        lambda tree: tree.knowledge("own/x", more="description: A numbat.\n"),
    ],
    ids=["directive", "tool", "knowledge"],
)
def test_names_lie_under_their_type_and_folders(
    memory: Memory, tree: Tree, written: Written
) -> None:
    kind = written(tree).relative_to(tree.folder / ".ai").parts[0].removesuffix("s")
    memory.import_("rye", tree.folder)
    for under, count in ((f"{kind}/own", 1), (f"{kind}/ow", 0), ("own", 0)):
        where = {"name": {"under": under}}
        assert len(memory.search("numbat", mode="keyword", where=where).hits) == count


@pytest.mark.parametrize(
    ("start", "candidates", "nearest"),
    [
        ("core/search", ["core/search/vector", "core/other/vector"], "core/search/vector"),
        ("core/search/vector", ["core/search", "core"], "core/search"),
        ("core/search", ["core/a/vector", "core/b/vector"], None),
        ("core/search", ["tools/vector"], "tools/vector"),
    ],
)
def test_of_items_of_one_name_the_one_that_shares_most_of_the_id_is_meant(
    start: str, candidates: list[str], nearest: str | None
) -> None:
    assert links._nearest(start, iter(candidates)) == nearest
