"""What the terminal prints of answers, changes and refusals, at a terminal and without one."""

import io
import json
import sys
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from graphmem.cli import answers, explanations, history, output, pages
from graphmem.model import (
    Answer,
    Entity,
    Explanation,
    Hit,
    Item,
    LegPart,
    LinkPart,
    Passage,
    Report,
    Via,
    limits,
)
from graphmem.model.history import Change, Difference, Revision
from graphmem.model.page import Neighbour, Page
from graphmem.model.projects import ProjectChange, ProjectSummary
from graphmem.model.visible import visible
from papers import paper, passage_lines
from sample_hits import made_hit


def test_a_link_is_read_from_the_hit_in_the_direction_of_the_relation() -> None:
    out = Via("Redis cache", "DEPENDS_ON", "out", None, 1.0, 0.5)
    back = Via("Redis cache", "DEPENDS_ON", "in", None, 1.0, 0.5)
    assert answers.link_words(out) == "⟵ DEPENDS_ON from Redis cache"
    assert answers.link_words(back) == "⟶ DEPENDS_ON to Redis cache"


def refused_items(reasons: list[str]) -> tuple[Item, ...]:
    return tuple(
        Item("entity", f"all.jsonl:{line}", "refused", reason)
        for line, reason in enumerate(reasons, start=1)
    )


@pytest.mark.parametrize(
    ("reasons", "shown", "end"),
    [
        (["no"] * 20, 20, None),
        (["no"] * 57, 3, "and 54 more were refused for the same reason; --json lists them all"),
        (["no"] * 56 + ["yes"], 20, "and 37 more were refused; --json lists them all"),
    ],
)
def test_many_refusals_for_one_reason_show_it_a_few_times(
    reasons: list[str], shown: int, end: str | None
) -> None:
    sheet, stream = paper(None)
    pages.write_report(Report("p", refused_items(reasons)), sheet)
    lines = stream.getvalue().splitlines()
    assert lines[1] == "  refused  all.jsonl:1: no"
    assert [line.startswith("  refused  ") for line in lines].count(True) == shown
    assert lines[shown + 1 :] == ([] if end is None else [f"  {end}"])


def test_entities_that_stay_in_a_project_are_counted_beyond_the_first() -> None:
    sheet, stream = paper(None)
    stayed = refused_items(["too many tags"] * 21)
    pages.write_project_change(ProjectChange("a", "b", 0, 0, 0, stayed), sheet, verb="moved")
    assert stream.getvalue().endswith("\n  and 1 more stayed; --json lists them all\n")


def test_the_heads_of_a_list_of_projects_stay_on_one_line_of_a_narrow_terminal() -> None:
    sheet, stream = paper(40)
    pages.write_projects([ProjectSummary("p", 1, 2, 3, None)], sheet, own_project=None)
    assert stream.getvalue().splitlines()[0].split() == [
        "entities", "relations", "changed", "project",
    ]  # fmt: skip


def test_an_attribute_stands_beside_the_field_that_is_shown_by_the_same_name() -> None:
    sheet, stream = paper(None)
    entity = Entity(
        "Tides", updated_at=datetime(2026, 3, 2, tzinfo=UTC), attributes={"updated": "by hand"}
    )
    pages.write_page(Page(entity, ()), sheet)
    rows = [line.split(maxsplit=1) for line in stream.getvalue().splitlines()]
    assert rows[1:] == [["updated", "2026-03-02"], ["revision", "1"], ["updated", "by hand"]]


def test_an_attribute_of_a_relation_makes_no_line_of_its_own() -> None:
    sheet, stream = paper(None)
    neighbour = Neighbour(
        "USES", "out", "Quay", "Place", None, 1.0, attributes={"x": "a\nstatus  b"}
    )
    pages.write_page(Page(Entity("Tides"), (neighbour,)), sheet)
    assert "USES to Quay  Place  x: a status b" in stream.getvalue()


def test_a_relation_to_what_was_superseded_says_so() -> None:
    sheet, stream = paper(None)
    neighbour = Neighbour(
        "SUPERSEDES", "out", "Quay", "Place", "too small", 1.0, status="superseded"
    )
    pages.write_page(Page(Entity("Tides"), (neighbour,)), sheet)
    assert "SUPERSEDES to Quay  Place  superseded — too small" in stream.getvalue()


def hit(*passages: str, because: Explanation | None = None) -> Hit:
    """A hit with these passages, the beginning of each its snippet."""
    told = (Passage(text, None, None, snippet=text[:9]) for text in passages)
    return made_hit("a", *told, because=because)


def test_full_detail_shows_every_passage_whole() -> None:
    long = "word " * 100
    lines = passage_lines(hit(f"# Head\n\n{long}", "second", "third"), full=True)
    assert lines[3:8] == [
        "           - # Head",
        "",
        f"             {long.rstrip()}",
        "           - second",
        "           - third",
    ]
    assert "second" not in "\n".join(passage_lines(hit(long, "second")))


def test_a_long_query_is_repeated_by_its_beginning() -> None:
    sheet, stream = paper(None)
    answer = Answer(
        query=f"a\n{'b' * 5000}", project="p", mode="keyword", hits=(), total=0, degraded=None,
        took_ms={},
    )  # fmt: skip
    answers.write(answer, sheet)
    assert f"for “a {'b' * 197}…”." in stream.getvalue()


@pytest.mark.parametrize(
    ("projects", "line"),
    [
        (
            (),
            (
                "No hits in p for “q”. `graphmem stats` counts what the project holds, --status "
                "and --any-time find what is hidden or not valid now, and --project searches "
                "another one of `graphmem project list`."
            ),
        ),
        (
            ("p", "r"),
            (
                "No hits in p and r for “q”. --status and --any-time find what is hidden or not "
                "valid now."
            ),
        ),
    ],
)
def test_another_project_is_advised_only_where_one_was_searched(
    projects: tuple[str, ...], line: str
) -> None:
    sheet, stream = paper(None)
    answer = Answer(
        query="q", project="p", projects=projects, mode="keyword", hits=(), total=0,
        degraded=None, took_ms={},
    )  # fmt: skip
    answers.write(answer, sheet)
    assert stream.getvalue() == f"{line}\n"


def test_a_hit_has_the_day_on_which_its_passage_was_said() -> None:
    written, said = datetime(2026, 2, 1, tzinfo=UTC), datetime(2026, 3, 1, 23, 30, tzinfo=UTC)
    noted = made_hit("a", Passage("noted", said, None), at=written)
    assert passage_lines(noted)[-1] == "           2026-03-01  text 0.50"
    assert passage_lines(made_hit("a", at=written))[-1] == "           2026-02-01  text 0.50"
    assert passage_lines(made_hit("a"))[-1] == "           text 0.50"


def test_full_detail_shows_what_is_marked() -> None:
    marked = replace(hit("a berth"), passages=(Passage("a berth", None, None, "", "a **berth**"),))
    assert "           - a **berth**" in passage_lines(marked, full=True)


def explained(found: str, *shares: float) -> Explanation:
    """One leg and, where there are shares, a link and these of its seeds."""
    via = Via("Seed", "USES", "out", None, 1.0, 0.2)
    link = LinkPart(via, 0.85, 0.3, 1.5, 1, 0.4, 1, 0.2, shares, 0.255) if shares else None
    return Explanation((LegPart("text", 1, 8.0, 0.5, found),), link, 0.5, "")


def test_an_explanation_without_a_passage_has_no_quotation_marks() -> None:
    (line,) = [
        one for one in passage_lines(hit(because=explained("")), explain=True) if "BM25" in one
    ]
    assert line.endswith("text    0.5000: rank 1, BM25 score 8")
    (line,) = [
        one for one in passage_lines(hit(because=explained("a b")), explain=True) if "BM25" in one
    ]
    assert line.endswith("BM25 score 8  “a b”")


def test_words_that_count_less_are_named() -> None:
    because = replace(explained(""), word_weights={"otter": 0.149, "pier": 0.5})
    (line,) = [one for one in passage_lines(hit(because=because), explain=True) if "BM25" in one]
    assert line.endswith(
        "8, where otter counts 0.15, pier counts 0.5, since these projects repeat them"
    )


def test_the_shares_of_further_seeds_are_named() -> None:
    def link(*shares: float) -> str:
        lines = passage_lines(hit(because=explained("", *shares)), explain=True)
        return next(line for line in lines if "USES" in line)

    assert "seeds" not in link(0.2)
    assert link(0.2, 0.1).endswith(
        "; and 1 more seed: 0.1000; together 1 - Π(1 - share) = 0.2800, 0.2550 at most"
    )
    assert "; and 6 more seeds: 0.1000, 0.1000, 0.1000, 0.1000 and 2 smaller;" in link(
        0.2, *[0.1] * 4, 0.05, 0.05
    )


def test_on_a_terminal_each_part_of_a_score_has_a_bar_from_0_to_1() -> None:
    sheet, stream = paper(100)
    explanations.write(hit(because=explained("a b", 0.2)), sheet, indent=2)
    bars = {line[2:10].strip(): line[10:30] for line in stream.getvalue().splitlines()}

    assert bars["text"] == bars["direct"] == "█" * 10 + "·" * 10
    assert bars["link"] == "·" * 20
    assert bars["score"].startswith("█")


@pytest.mark.parametrize("width", [None, 60])
def test_without_a_terminal_or_room_there_are_no_bars(width: int | None) -> None:
    sheet, stream = paper(width)
    explanations.write(hit(because=explained("a b")), sheet, indent=2)

    assert "·" not in stream.getvalue()
    assert stream.getvalue().startswith("  text    0.5000: rank 1, BM25 score 8")


def test_a_passage_takes_two_lines_of_a_terminal() -> None:
    sheet, stream = paper(40)
    sheet.write_short("word " * 100, indent=4)
    lines = stream.getvalue().splitlines()
    assert len(lines) == 2
    assert all(len(line) <= 40 and line.startswith("    word") for line in lines)
    assert lines[1].endswith("…")


def test_without_a_terminal_a_passage_is_one_line_cut_at_a_fixed_length() -> None:
    sheet, stream = paper(None)
    sheet.write_short("word\n" * 100)
    assert stream.getvalue().count("\n") == 1
    assert len(stream.getvalue().strip()) <= output.PASSAGE_CHARACTERS


def test_further_lines_keep_the_indent_and_the_head_stands_before_the_first() -> None:
    sheet, stream = paper(28)
    sheet.write("some words that need two lines", indent=6, head="head")
    assert stream.getvalue().splitlines() == [
        "head  some words that need",
        "      two lines",
    ]


def test_terminal_control_sequences_are_dropped() -> None:
    assert visible("a\x1b[31mb\x9b2Jc\u202ed\n") == "a[31mb2Jcd\n"


def test_json_output_escapes_control_sequences_without_loss() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    name = "a\x1b[31mb\x9b2Jc\u202ed é"
    shown = output.one_json({"name": name}, Terminal())
    assert not {"\x1b", "\x9b", "\u202e"} & set(shown)
    assert "é" in shown
    assert json.loads(shown) == {"name": name}
    assert "\u202e" in output.one_json({"name": name}, io.StringIO())  # as it is, for a program


def test_an_error_has_no_control_sequences_and_no_line_breaks(
    capsys: pytest.CaptureFixture[str],
) -> None:
    output.complain("there is no a\x1b[31mb\u202e\nc")
    assert capsys.readouterr() == ("", "graphmem: there is no a[31mb c\n")


def test_a_reason_of_a_change_has_no_control_sequences_and_no_line_breaks() -> None:
    by, note, author = "an agent\x1b", "a\x1b]0;b\x07c\nd", "markdown:x\x1b[2Jy"
    sheet, stream = paper(None)
    history._write_change(
        Change("c1", None, by, "rename", note=note, author=author, changed=1), sheet
    )
    history._write_revision(
        Revision(1, "c1", None, by, "rename", (), note=note, author=author), sheet
    )
    line = "  —  c1  rename by an agent (markdown:x[2Jy, a]0;bc d)"
    assert stream.getvalue().splitlines() == [line, "      1 changed", line]


@pytest.mark.parametrize(
    ("field", "before", "after", "line"),
    [
        ("created", None, True, "created"),
        ("title", None, "Keeper", "title: nothing → 'Keeper'"),
        ("attribute due", None, {"date": "2026-03-01"}, "attribute due: nothing → 2026-03-01"),
        (
            "the relation USES to b",
            None,
            {"weight": 0.5, "valid_until": "2026-03-01"},
            "the relation USES to b created: weight 0.5, valid_until '2026-03-01'",
        ),
        (
            "the relation USES to b",
            {"note": "fast", "weight": 0.5},
            {"note": "fast", "due": {"date": "2026-03-01"}},
            "the relation USES to b changed: weight: 0.5 → nothing, due: nothing → 2026-03-01",
        ),
        ("the relation USES to b", {"weight": 0.5}, None, "the relation USES to b deleted"),
    ],
)
def test_a_difference_names_what_changed_and_nothing_else(
    field: str, before: object, after: object, line: str
) -> None:
    assert history._difference_line(Difference(field, before, after)) == line


def test_the_moment_of_a_change_is_one_that_options_read_as_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TZ", "America/Los_Angeles")
    time.tzset()
    try:
        at = datetime(2026, 3, 1, 23, 30, 59, 999_001, tzinfo=UTC)
        sheet, stream = paper(None)
        history._write_change(Change("c1", at, "me", "rename", changed=1), sheet)
    finally:
        monkeypatch.undo()
        time.tzset()
    shown, *_ = stream.getvalue().split()
    assert shown == "2026-03-01T23:31:00.000Z"
    assert timedelta(0) <= limits.moment("as_of", shown) - at < timedelta(milliseconds=1)


def test_a_character_that_stdout_cannot_show_ends_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bytes_written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(bytes_written, encoding="ascii"))
    output.prepare()
    sys.stdout.write("причал\n")
    output.document({"name": "причал"})
    sys.stdout.flush()
    assert bytes_written.getvalue().splitlines()[1].decode() == '{"name": "причал"}'
