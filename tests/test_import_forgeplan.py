"""ForgePlan's workspace comes in whole: fields, text without its template, every link once."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from forgeplan_files import front, workspace
from graphmem.adapters.forgeplan.importer import prose
from graphmem.errors import InvalidInput
from graphmem.memory import Memory
from graphmem.model import Entity, Item, Relation, Report
from graphmem.progress import SILENT
from graphmem.transfer import FORMATS, Row
from listeners import Listener

PRD = """---
id: PRD-042
kind: prd
title: Auth System
status: active
depth: standard
author: jane
created: 2026-03-01
tags: [security, login]
links:
- target: RFC-7
  relation: informs
- target: RFC-007
  relation: INFORMS
---

# PRD-042: Auth System

Users sign in.
"""
RFC = """---
id: RFC-007
kind: rfc
title: Token design
status: draft
---
Signed tokens.
"""


def rows(folder: Path, files: Mapping[str, str]) -> list[Row]:
    return list(FORMATS["forgeplan"].read(workspace(folder, files), SILENT))


def entities(found: list[Row]) -> list[Entity]:
    return [row.value for row in found if isinstance(row.value, Entity)]


def links(found: list[Row]) -> list[tuple[str, str, str, str | None]]:
    relations = [row.value for row in found if isinstance(row.value, Relation)]
    return [
        (relation.start, relation.relation, relation.end, relation.note) for relation in relations
    ]


def refusals(found: list[Row]) -> list[tuple[str, str]]:
    return [(row.place, row.value.reason or "") for row in found if isinstance(row.value, Item)]


def artifact(folder: Path, content: str, name: str = "prds/x.md") -> Entity:
    (entity,) = entities(rows(folder, {name: content}))
    return entity


def outcomes(report: Report) -> dict[str, str]:
    return {item.name: item.outcome for item in report.items}


# What an artifact becomes


def test_an_artifact_becomes_an_entity_with_its_fields_and_links(
    memory: Memory, tmp_path: Path
) -> None:
    report = memory.import_(
        "forgeplan", workspace(tmp_path, {"prds/PRD-042-auth.md": PRD, "rfcs/RFC-007.md": RFC})
    )
    assert not report.refused
    (page,) = memory.get("prd-42")
    entity = page.entity
    assert (entity.name, entity.kind, entity.title) == ("PRD-042", "PRD", "Auth System")
    assert (entity.status, entity.tags) == ("active", ("security", "login"))
    assert entity.text == "# PRD-042: Auth System\n\nUsers sign in."
    assert entity.attributes == {"depth": "standard", "author": "jane"}
    assert str(entity.created_at) == "2026-03-01 00:00:00+00:00"
    assert entity.source == ".forgeplan/prds/PRD-042-auth.md"
    assert [(n.relation, n.direction, n.name) for n in page.neighbours] == [
        ("INFORMS", "out", "RFC-007")
    ]


@pytest.mark.parametrize("path", ["", ".forgeplan", ".forgeplan/prds/PRD-042-auth.md"])
def test_the_path_is_a_repository_its_workspace_or_one_file(tmp_path: Path, path: str) -> None:
    folder = workspace(tmp_path, {"prds/PRD-042-auth.md": PRD})
    (folder / "README.md").write_text("# Not an artifact")
    rows = list(FORMATS["forgeplan"].read(folder / path, SILENT))
    assert [entity.name for entity in entities(rows)] == ["PRD-042"]
    assert not refusals(rows)


def test_the_workspaces_of_repositories_below_a_folder_are_found(tmp_path: Path) -> None:
    for place in ("one", "group/two", "node_modules/three", ".cache/four"):
        workspace(tmp_path / place, {"x.md": front(f"PRD-{len(place)}")})
    rows = list(FORMATS["forgeplan"].read(tmp_path, SILENT))
    assert [(row.place, row.value.name) for row in rows if isinstance(row.value, Entity)] == [
        ("group/two/.forgeplan/x.md", "PRD-9"),
        ("one/.forgeplan/x.md", "PRD-3"),
    ]


def test_a_folder_without_a_workspace_or_artifacts_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    with pytest.raises(InvalidInput, match=r"path must be a \.forgeplan folder"):
        list(FORMATS["forgeplan"].read(tmp_path, SILENT))
    (tmp_path / ".forgeplan").mkdir()
    assert list(FORMATS["forgeplan"].read(tmp_path, SILENT)) == []


@pytest.mark.parametrize(
    ("said", "name", "aliases"),
    [
        ("PRD-042", "PRD-042", ("PRD-42",)),
        ("prd-42", "PRD-42", ("PRD-042",)),
        ("PRD-1234", "PRD-1234", ()),
        ("mem-api-prefix", "mem-api-prefix", ()),
        ('"{id}"', "PRD-007", ("PRD-7",)),
    ],
)
def test_an_id_is_a_name_and_its_other_spellings_are_aliases(
    tmp_path: Path, said: str, name: str, aliases: tuple[str, ...]
) -> None:
    entity = artifact(tmp_path, front(said), "prds/PRD-007-x.md")
    assert (entity.name, entity.aliases) == (name, aliases)


def test_a_slug_is_a_field_that_links_may_call_it_by_and_no_name(tmp_path: Path) -> None:
    files = {
        "a.md": front("ADR-1", links="[{target: PRD-Auth, relation: informs}]"),
        "b.md": front("PRD-1", slug="prd-auth", aliases="[sign-in]"),
    }
    all_rows = rows(tmp_path, files)
    entity = entities(all_rows)[1]
    assert entity.aliases == ("PRD-001",)
    assert entity.attributes == {"slug": "prd-auth", "aliases_": ["sign-in"]}
    assert links(all_rows) == [("ADR-1", "INFORMS", "PRD-1", None)]


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("x/1.md", front("EVID-1", kind="EvidencePack"), "Evidence"),
        ("x/1.md", front("X-1", kind="problem_card"), "Problem"),
        ("x/1.md", front("SOL-1"), "Solution"),
        ("adrs/1.md", front("X-1"), "ADR"),
        ("refresh/1.md", front("X-1"), "Refresh"),
        ("x/1.md", front("X-1", kind="brief"), "Brief"),
    ],
)
def test_a_kind_is_that_of_the_field_the_id_or_the_folder(
    tmp_path: Path, name: str, content: str, kind: str
) -> None:
    assert artifact(tmp_path, content, name).kind == kind


def test_a_title_is_that_of_the_field_or_the_first_heading(tmp_path: Path) -> None:
    body = "```\n# no heading\n```\n# PRD-001: From the heading #\n"
    assert artifact(tmp_path, front("PRD-001", body)).title == "From the heading"
    assert artifact(tmp_path, front("PRD-001", body, title='"{title}"')).title == "From the heading"
    assert artifact(tmp_path, front("PRD-001", body, title="Read / write")).title == "Read / write"
    assert artifact(tmp_path, front("PRD-001", "# PRD-001: {Name}")).title == "PRD-001"


def test_an_artifact_without_a_status_is_a_draft(tmp_path: Path) -> None:
    assert artifact(tmp_path, front("PRD-1")).status == "draft"
    assert artifact(tmp_path, front("PRD-1", status="Superseded")).status == "Superseded"


@pytest.mark.parametrize(
    ("fields", "body", "day"),
    [
        ({"created": "2026-03-01T10:00:00+02:00"}, "", "2026-03-01 08:00"),
        ({"created": "YYYY-MM-DD"}, "| Created | 2026-03-24 |", "2026-03-24 00:00"),
        ({"updated": "2026-04-02", "last_modified_at": "2026-04-01"}, "", "2026-04-01 00:00"),
        ({"updated": "soon"}, "| Created | 2026-02-31 |", "None"),
    ],
)
def test_an_artifact_is_dated_by_the_earliest_that_is_known(
    tmp_path: Path, fields: dict[str, str], body: str, day: str
) -> None:
    assert str(artifact(tmp_path, front("PRD-1", body, **fields)).created_at).startswith(day)


@pytest.mark.parametrize("said", ["2026-02-30", "01.03.2026", "whenever", "[2026]"])
def test_a_date_that_is_none_is_reported_and_the_rest_comes_in(tmp_path: Path, said: str) -> None:
    content = front("PRD-1", "| Created | 2026-03-24 |", title="Auth", created=said)
    all_rows = rows(tmp_path, {"x.md": content})
    (entity,) = entities(all_rows)
    assert (entity.title, str(entity.created_at)[:10]) == ("Auth", "2026-03-24")
    ((place, why),) = refusals(all_rows)
    assert place == ".forgeplan/x.md:4"
    assert why.startswith("created: ")
    assert "is not a date such as 2026-03-01" in why


def test_another_date_that_is_none_is_kept_as_it_is_written(tmp_path: Path) -> None:
    all_rows = rows(tmp_path, {"x.md": front("PRD-1", updated="2026-02-30")})
    assert entities(all_rows)[0].attributes == {"updated": "2026-02-30"}
    assert refusals(all_rows) == []


def test_what_only_a_second_front_matter_says_counts_too(tmp_path: Path) -> None:
    body = '---\nid: PRD-001\ntitle: "Old"\ncreated: 2026-03-24\nauthor:\npriority: P0 / P1\n---\nB'
    entity = artifact(tmp_path, front("PRD-001", body, title="New"))
    assert (entity.title, entity.text, entity.attributes) == ("New", "B", {})
    assert entity.created_at is not None


def test_a_rule_at_the_beginning_is_no_front_matter(tmp_path: Path) -> None:
    for body in ("---\nfoo: [\n---\ntext", "---\nSummary: all is well\n---\ntext", "---\ntext"):
        assert artifact(tmp_path, front("PRD-1", body)).text == body


def test_fields_of_any_shape_are_attributes(tmp_path: Path) -> None:
    entity = artifact(
        tmp_path,
        front(
            "PRD-1", source="code", project="x", weird="{a: {b: [1, 2]}}", mixed="[1, a]",
            languages="[no, en]", huge=10**30, infinite=".inf", empty="", **{"a/b c": "1"},
        ),
    )  # fmt: skip
    assert entity.attributes == {
        "source_": "code", "project_": "x", "weird": '{"a": {"b": [1, 2]}}', "mixed": ["1", "a"],
        "languages": ["no", "en"], "huge": str(10**30), "infinite": "Infinity", "a_b c": 1,
    }  # fmt: skip


def test_tags_are_a_list_or_a_text_with_commas(tmp_path: Path) -> None:
    assert artifact(tmp_path, front("PRD-1", tags='"a=b, c"')).tags == ("a=b", "c")
    assert artifact(tmp_path, front("PRD-1", tags="[1, x y]")).tags == ("1", "x y")


# Evidence


@pytest.mark.parametrize(
    ("content", "attributes"),
    [
        (
            front("EVID-1", "verdict: weakens\ncongruence_level: 2\nevidence_type: test\n"),
            {"verdict": "weakens", "congruence_level": 2, "evidence_type": "test"},
        ),
        (front("EVID-1", "congruence: CL2\n"), {"congruence_level": "CL2"}),
        (front("EVID-1", congruence=1), {"congruence_level": 1}),
        (
            front("EVID-1", verdict="refutes", CL="CL1", valid_until="2026-10-01"),
            {"verdict": "refutes", "congruence_level": "CL1", "valid_until": "2026-10-01"},
        ),
        (
            front("EVID-1", "<!--\nverdict: a | b\n-->\n| verdict: no |\nverdict: refutes\n"),
            {"verdict": "refutes"},
        ),
        (front("EVID-1", "verdict: supports\n", verdict="refutes"), {"verdict": "supports"}),
        (front("EVID-1", "  source_tier: t3\nsource_tier: t1\n"), {"source_tier": "t3"}),
        (front("EVID-1", "The verdict: supports\nVerdict: red\n"), {}),
    ],
)
def test_evidence_says_its_fields_in_its_body_or_its_front_matter(
    tmp_path: Path, content: str, attributes: dict[str, object]
) -> None:
    entity = artifact(tmp_path, content)
    until = {} if entity.valid_until is None else {"valid_until": entity.valid_until.isoformat()}
    assert {**entity.attributes, **until} == attributes


def test_an_expiry_that_is_no_date_stays_an_attribute(tmp_path: Path) -> None:
    entity = artifact(tmp_path, front("EVID-1", valid_until="next spring"))
    assert (entity.valid_until, entity.attributes) == (None, {"valid_until_": "next spring"})


# The text


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("a <!-- hidden --> b", "a  b"),
        ("a\n<!--\nhidden\n\nstill -->\nb", "a\n\nb"),
        ("a <!-- never closed\nb", "a \nb"),
        ("a `<!--` b `-->` c", "a `<!--` b `-->` c"),
        ("```\n<!-- code -->\n{code}\n```", "```\n<!-- code -->\n{code}\n```"),
        ("~~~\n{code}\n", "~~~\n{code}"),
        ("{Что измерено: числа}\ntext", "text"),
        ("- {What}\n> {Who}\n### Journey 1: {Name}\n**Why**: {reason}\n- SC-1: {how}\nx", "x"),
        ("Answer: {depth: deep}\n`{x}`\nuse {name} here", None),
        ("| A | B |\n|---|---|\n| | |\n| ... | … |\n| {x} | |", "| A | B |\n|---|---|"),
        (
            "| A | B |\n|---|---|\n| Context | {tag} |\n| Real | |",
            "| A | B |\n|---|---|\n| Real | |",
        ),
        ("| SC-1 | Help | {} | {CORE} |", None),
        ("| FR-001 | {describe flumox} | Must |", "| FR-001 |  | Must |"),
        ("- {Goal}: {Description}\n- {what: measurable}\n- {user's need}\nx", "x"),
        ("- Need: {the user's need}\n1. {A}, {B} ({C})\nx", "x"),
        ("{Describe the\nflumox\nhere}\n- Goal: {Say\n  why}\nx", "x"),
        ("{Why:\n- CL3: same\n- CL0: other (0.9)}\nx", "x"),
        ("The {user role} signs in.", "The  signs in."),
        ("{a\n\nb}\n{c\n`d`}\n- {not\nclosed", None),
        ("`{two words}` {a, b} ${two words} {{two words}} {1 2} {x: y z}", None),
        ("a\n\n\n\nb", "a\n\nb"),
        ("", ""),
    ],
)
def test_what_a_template_left_is_no_text(body: str, text: str | None) -> None:
    assert prose.text_of(body) == (body if text is None else text)


@pytest.mark.parametrize(
    "piece",
    ["<!--", "`<!--", "-->", "{", "|", "- ", "`", "> ", "**", "# ", " #", "- [ ] ", "a: ", "\n{x}",
     "| PRD-001 | informs |\n", "| PRD-2 ", "verdict: ", "\\|", "---\n"],
)  # fmt: skip
def test_any_heap_of_marks_is_read_in_the_time_of_its_length(tmp_path: Path, piece: str) -> None:
    many = piece * (100_000 // len(piece))
    for body in (many, f"# {many}x", f"## Related\n| A | Relation |\n|---|---|\n{many}"):
        all_rows = rows(tmp_path, {"a.md": front("EVID-001", body)})
        assert len(all_rows) >= 1


# The links


TABLE = """## Related Artifacts

| Artifact | Type | Relation |
|----------|------|----------|
| **RFC-007** | RFC | informs (both ways) |
| ADR-1, [ADR-2](x.md) | ADR | based-on |
| EPIC-001 | Epic | Parent epic |
| PROB-009 | Problem | context (seen there) |
| SPEC-<id> | Spec | implements |
| NOTE-003 | Note | ... |
| sources/other | x | informs |
| PRD-042 | PRD | refines |

## Elsewhere

| NOTE-005 | informs |
"""


def test_links_come_from_the_front_matter_and_the_tables_each_once(tmp_path: Path) -> None:
    assert links(rows(tmp_path, {"prds/PRD-042.md": PRD + TABLE})) == [
        ("PRD-042", "INFORMS", "RFC-7", "both ways"),
        ("PRD-042", "BASED_ON", "ADR-1", None),
        ("PRD-042", "BASED_ON", "ADR-2", None),
        ("PRD-042", "RELATED_TO", "EPIC-001", "Parent epic"),
        ("PRD-042", "RELATED_TO", "PROB-009", "context (seen there)"),
    ]


def test_prose_becomes_the_note_of_a_link_that_is_there(tmp_path: Path) -> None:
    content = front(
        "PRD-1",
        "## Related\n| Artifact | Relation |\n|---|---|\n| EPIC-01 | Parent epic |",
        links="[{target: EPIC-001, relation: refines}]",
    )
    assert links(rows(tmp_path, {"x.md": content})) == [
        ("PRD-1", "REFINES", "EPIC-001", "Parent epic")
    ]


RELATED = "## Related Artifacts\n| Artifact | Relation |\n|---|---|\n"


def test_the_row_that_the_template_of_an_evidence_has_is_reported_and_no_link(
    tmp_path: Path,
) -> None:
    body = "{What}\n\n{Result}\n" + RELATED + "| ADR-007 | informs |\n| PRD-007 | informs |\n"
    all_rows = rows(tmp_path, {"x.md": front("EVID-007", body)})
    assert links(all_rows) == [("EVID-007", "INFORMS", "PRD-007", None)]
    ((place, why),) = refusals(all_rows)
    assert place == ".forgeplan/x.md:10"
    assert "`ADR-007` has the number of EVID-007" in why


@pytest.mark.parametrize(
    ("name", "body", "target"),
    [
        ("EVID-001", "{Result}\n" + RELATED + "| PRD-001 | informs |\n", "PRD-001"),
        ("EVID-001", "{Result}\n" + RELATED + "| ADR-001 | informs |\n", "ADR-001"),
        ("RFC-001", "{A}\n{B}\n" + RELATED + "| PRD-001 | based_on |\n", "PRD-001"),
        ("EVID-001", "{A}\n{B}\n" + RELATED + "| ADR-001 | informs (it failed) |\n", "ADR-001"),
        ("EVID-001", "{A}\n{B}\n" + RELATED + "| ADR-002 | informs |\n", "ADR-002"),
    ],
)
def test_a_row_of_the_same_number_is_a_link_like_any_other(
    tmp_path: Path, name: str, body: str, target: str
) -> None:
    all_rows = rows(tmp_path, {"x.md": front(name, body)})
    assert [end for _, _, end, _ in links(all_rows)] == [target]
    assert refusals(all_rows) == []


def test_a_row_whose_status_is_left_open_is_a_link_unless_the_template_has_it(
    tmp_path: Path,
) -> None:
    table = """## Related Artifacts
| Artifact | Relation | Status |
|---|---|---|
| PRD-002 | informs | ... |
| EPIC-008 | Parent epic | ... |
| ADR-008 | supersedes | … |
| NOTE-003 | ... | Draft |
"""
    assert links(rows(tmp_path, {"x.md": front("PRD-008", table)})) == [
        ("PRD-008", "INFORMS", "PRD-002", None),
        ("PRD-008", "SUPERSEDES", "ADR-008", None),
    ]


@pytest.mark.parametrize("heading", ["Related", "Related Documents", "Links", "Ссылки"])
def test_links_stand_under_several_headings(tmp_path: Path, heading: str) -> None:
    body = f"## {heading}\n| Artifact | Relation |\n|---|---|\n| ADR-2 | informs |\n"
    all_rows = rows(tmp_path, {"x.md": front("PRD-1", body)})
    assert links(all_rows) == [("PRD-1", "INFORMS", "ADR-2", None)]


def test_a_link_to_what_is_missing_is_reported_with_file_and_line(
    memory: Memory, tmp_path: Path
) -> None:
    content = front("PRD-1", "## Related\n| Artifact | Relation |\n|---|---|\n| ADR-9 | informs |")
    folder = workspace(tmp_path, {"prds/a.md": PRD, "prds/b.md": content})
    report = memory.import_("forgeplan", folder)
    assert [(item.place, item.what) for item in report.refused] == [
        (".forgeplan/prds/a.md:11", "relation"),
        (".forgeplan/prds/b.md:7", "relation"),
    ]
    assert "no entity 'ADR-9'" in (report.refused[1].reason or "")
    assert memory.stats().entities == 2


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("nonsense", "got 'nonsense'"),
        ("[PRD-2]", "links must be an object of `target` and `relation`, got 'PRD-2'"),
        ("[{target: PRD-2}]", "links.relation must be text"),
        ("[{relation: informs}]", "links.target must be text"),
        ("[{target: 7, relation: informs}]", "links.target must be text that is not blank, got 7"),
        ("[{target: PRD-2, relation: has-passage}]", "graphmem's own"),
    ],
)
def test_a_link_that_cannot_be_read_is_refused_alone(
    tmp_path: Path, said: str, reason: str
) -> None:
    all_rows = rows(tmp_path, {"x.md": front("PRD-1", links=said)})
    assert len(entities(all_rows)) == 1
    ((place, why),) = refusals(all_rows)
    assert place == ".forgeplan/x.md:3"
    assert reason in why


# What is refused


@pytest.mark.parametrize(
    ("content", "line", "reason"),
    [
        ("# No front matter\n", 1, "there is none"),
        ("", 1, "there is none"),
        ("\n---\nid: PRD-1\n", 2, "not closed"),
        ("---\nid: PRD-1\ntags: [a\nkind: prd\n---\n", 4, "expected"),
        ("---\nid: PRD-1\n\tkind: prd\n---\n", 3, "cannot start any token"),
        ("---\n- a\n---\n", 2, "name: value"),
        ("---\n---\n", 2, "name: value"),
        ("---\nid: PRD-1\na: &a [1]\nb: *a\n---\n", 4, "references are not allowed"),
        ("---\nid: PRD-1\nx: !!python/object:os.system {}\n---\n", 3, "could not determine"),
        ('---\nid: "PRD-{NNN}"\n---\n', 2, "still that of a template"),
        (f"---\nid: PRD-1\ntitle: {'x' * 600}\n---\n", 3, "512 characters"),
        ("---\nid: PRD-1\ntags: [" + "x" * 300 + "]\n---\n", 3, "200 characters"),
        ("---\nid: " + "x" * 70_000 + "\n---\n", 2, "64|65,536"),
        ("---\na: \x01\n---\n", 2, "special characters"),
    ],
)
def test_a_broken_front_matter_is_refused_with_its_line_and_nothing_else_is_lost(
    tmp_path: Path, content: str, line: int, reason: str
) -> None:
    all_rows = rows(tmp_path, {"prds/bad.md": content, "prds/good.md": front("PRD-2")})
    assert [entity.name for entity in entities(all_rows)] == ["PRD-2"]
    ((place, why),) = refusals(all_rows)
    assert place == f".forgeplan/prds/bad.md:{line}"
    assert any(part in why for part in reason.split("|"))


def test_a_file_that_is_no_text_is_refused_alone(tmp_path: Path) -> None:
    folder = workspace(tmp_path, {"prds/good.md": front("PRD-2"), "prds/deep.md": ""})
    (folder / ".forgeplan" / "prds" / "bad.md").write_bytes(b"---\nid: \xff\xfe\n---\n")
    deep = "---\na: " + "[" * 5_000 + "]" * 5_000 + "\n---\n"
    (folder / ".forgeplan" / "prds" / "deep.md").write_text(deep)
    rows = list(FORMATS["forgeplan"].read(folder, SILENT))
    assert [entity.name for entity in entities(rows)] == ["PRD-2"]
    assert [place for place, _ in refusals(rows)] == [
        ".forgeplan/prds/bad.md",
        ".forgeplan/prds/deep.md",
    ]


def test_of_two_files_with_one_id_the_second_keeps_its_own_name(tmp_path: Path) -> None:
    all_rows = rows(
        tmp_path,
        {"e/EVID-1-a.md": front("EVID-1", "one"), "e/EVID-1-b.md": front("evid-1", "two")},
    )
    assert [(entity.name, entity.text) for entity in entities(all_rows)] == [
        ("EVID-1", "one"),
        ("EVID-1-b", "two"),
    ]
    ((place, why),) = refusals(all_rows)
    assert place == ".forgeplan/e/EVID-1-b.md"
    assert "EVID-1-a.md also has the id EVID-1" in why


def test_what_is_deleted_or_hidden_is_no_artifact(tmp_path: Path) -> None:
    hidden = {"trash/PRD-1.md": front("PRD-1"), ".git/PRD-2.md": front("PRD-2")}
    assert rows(tmp_path, hidden) == []


# Twice


def test_a_second_import_changes_nothing_and_an_edit_only_what_it_touches(
    memory: Memory, tmp_path: Path
) -> None:
    files = {"prds/a.md": PRD + TABLE, "rfcs/b.md": RFC, "adrs/c.md": front("ADR-1", "Why.")}
    folder = workspace(tmp_path, files)
    memory.import_("forgeplan", folder)
    again = memory.import_("forgeplan", folder)
    assert {i.outcome for i in again.items} == {"unchanged", "refused"}
    workspace(tmp_path, {"adrs/c.md": front("ADR-1", "Why not.")})
    report = memory.import_("forgeplan", folder)
    assert [item.name for item in report.items if item.outcome == "updated"] == ["ADR-1"]


def test_the_artifact_of_a_removed_file_is_marked_and_a_removed_link_is_gone(
    memory: Memory, tmp_path: Path
) -> None:
    folder = workspace(tmp_path, {"prds/a.md": PRD, "rfcs/b.md": RFC, "adrs/c.md": front("ADR-1")})
    memory.import_("forgeplan", folder)
    (folder / ".forgeplan" / "adrs" / "c.md").unlink()
    workspace(folder, {"prds/a.md": PRD.replace("links:", "other:")})
    report = memory.import_("forgeplan", folder)
    assert outcomes(report)["ADR-1"] == "removed"
    assert memory.get("ADR-1")[0].entity.status == "removed"
    assert memory.get("PRD-042")[0].neighbours == ()
    workspace(folder, {"adrs/c.md": front("ADR-1")})
    memory.import_("forgeplan", folder)
    assert memory.get("ADR-1")[0].entity.status == "draft"


def test_a_file_that_is_broken_meanwhile_keeps_what_it_said(memory: Memory, tmp_path: Path) -> None:
    folder = workspace(tmp_path, {"prds/a.md": PRD, "rfcs/b.md": RFC})
    memory.import_("forgeplan", folder)
    workspace(tmp_path, {"prds/a.md": "---\nid: PRD-042\ntitle: [half\n"})
    memory.import_("forgeplan", folder)
    (page,) = memory.get("PRD-042")
    assert page.entity.status == "active"
    assert [neighbour.name for neighbour in page.neighbours] == ["RFC-007"]


def test_an_emptied_body_empties_the_text(memory: Memory, tmp_path: Path) -> None:
    memory.import_("forgeplan", workspace(tmp_path, {"a.md": front("ADR-1", "Why.")}))
    memory.import_("forgeplan", workspace(tmp_path, {"a.md": front("ADR-1", "<!-- soon -->")}))
    assert memory.get("ADR-1")[0].entity.text is None


def test_a_dry_run_tells_all_and_writes_nothing(memory: Memory, tmp_path: Path) -> None:
    folder = workspace(tmp_path, {"prds/a.md": PRD, "rfcs/b.md": RFC})
    report = memory.import_("forgeplan", folder, dry_run=True)
    assert {item.outcome for item in report.items} == {"created"}
    assert memory.stats().entities == 0


def test_an_import_reports_its_progress(tmp_path: Path) -> None:
    heard = Listener()
    folder = workspace(tmp_path, {"a.md": front("PRD-1"), "b.md": "broken"})
    list(FORMATS["forgeplan"].read(folder, heard))
    assert heard.steps == [("Reading files", 1, 2), ("Reading files", 2, 2)]
