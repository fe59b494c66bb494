"""Answers cut to what an agent can read at once."""

import json
from dataclasses import replace
from typing import Any

import pytest

from graphmem import lucene, snippets
from graphmem.model import (
    Answer,
    Entity,
    Explanation,
    Item,
    Passage,
    Report,
    Via,
)
from graphmem.model.exploration import Exploration, ExploredEntity
from graphmem.model.history import Change, Changes, Difference, History, Revision
from graphmem.model.json_object import JsonObject, compact_json
from graphmem.model.observation import Observation
from graphmem.model.page import Neighbour, Page
from graphmem.packing.tokens import quarters, tokens
from graphmem.server.brief import (
    ANSWER_CHARACTERS,
    LEAST_CHARACTERS,
    MOST_QUARTERS,
    brief,
    brief_exploration,
    brief_report,
)
from graphmem.server.brief_history import brief_changes, brief_history
from graphmem.server.brief_pages import REMOVED_NOTE, Pages, brief_pages, brief_past_page
from graphmem.server.concise_json import concise_json
from sample_hits import made_hit


def answer(count: int, text: str) -> Answer:
    """So many hits, each with two texts of its own, which end in the given one."""
    hits = []
    for number in range(count):
        passages = (Passage(f"{number}{place} {text}", None, None) for place in "ab")
        hits.append(made_hit("a", *passages))
    return Answer(
        query="q",
        project="p",
        mode="hybrid",
        hits=tuple(hits),
        total=count,
        degraded=None,
        took_ms={},
    )


def written(given: JsonObject) -> str:
    return json.dumps(given.to_json(), ensure_ascii=False, separators=(",", ":"))


def brief_text(given: Answer) -> str:
    """What a model is shown of an answer."""
    return compact_json(concise_json(given.to_json()))


def test_ten_hits_with_long_passages_fill_what_a_model_is_shown() -> None:
    cut = brief(answer(10, "many words " * 90))
    assert ANSWER_CHARACTERS * 0.95 < len(brief_text(cut)) <= ANSWER_CHARACTERS
    assert all(p.text.endswith(("words…", "many…")) for hit in cut.hits for p in hit.passages[:1])


def test_many_hits_keep_the_beginning_of_one_passage_each() -> None:
    for hit in brief(answer(200, "many words " * 90)).hits:
        (passage,) = hit.passages
        assert LEAST_CHARACTERS - 12 < len(passage.text) <= LEAST_CHARACTERS


def test_attributes_of_links_give_way_to_texts() -> None:
    long = answer(10, "many words " * 90)
    via = Via("Seed", "USES", "out", None, 1.0, 0.5, 0.7, attributes={"said": "x" * 5_000})
    linked = replace(long, hits=tuple(replace(hit, via=(via,) * 5) for hit in long.hits))
    cut = brief(linked)
    assert len(brief_text(cut)) <= ANSWER_CHARACTERS
    assert {(len(hit.via), hit.via[0].confidence) for hit in cut.hits} == {(2, 0.7)}
    few = replace(via, attributes={"said": "x"})
    short = replace(answer(1, "few words"), hits=(replace(long.hits[0], via=(few,)),))
    assert brief(short).hits[0].via == (few,)


def test_long_titles_tags_and_notes_give_way_to_texts() -> None:
    long = answer(10, "many words " * 90)
    via = Via("Seed", "USES", "out", "said " * 2_000, 1.0, 0.5)
    tags = tuple(f"tag {n}" for n in range(200))
    hits = (replace(hit, title="called " * 70, tags=tags, via=(via,)) for hit in long.hits)
    cut = brief(replace(long, hits=tuple(hits)))
    assert len(brief_text(cut)) <= ANSWER_CHARACTERS
    hit = cut.hits[0]
    assert str(hit.via[0].note).endswith("said…")
    assert str(hit.title).endswith("called…")
    assert (hit.tags[0], hit.tags[-1]) == ("tag 0", "…")
    assert len(hit.passages[0].text) > LEAST_CHARACTERS


def test_many_hits_with_long_names_fit_into_what_clients_take() -> None:
    (hit,) = answer(1, "few words").hits
    names = tuple(replace(hit, key=f"p#{n}{'n' * 511}", name="n" * 512) for n in range(200))
    cut = brief(replace(answer(1, ""), hits=names, total=900, cursor="next"))
    assert MOST_QUARTERS * 0.95 < quarters(written(cut)) < MOST_QUARTERS
    assert (cut.total, cut.cursor, cut.count) == (900, None, len(cut.hits))
    assert cut.notes[0].startswith(f"only the first {cut.count} of 200 hits fit into an answer")


def test_a_score_has_four_digits_unless_it_is_explained() -> None:
    precise = made_hit("a", score=1 / 3)
    explained = replace(precise, explanation=Explanation((), None, 1 / 3, ""))
    cut = brief(replace(answer(1, ""), hits=(precise, explained)))
    assert [hit.score for hit in cut.hits] == [0.3333, 1 / 3]


def page(name: str, text: str = "said", observations: int = 0) -> Page:
    notes = tuple(Observation(f"noted {n}", id=f"id {n}") for n in range(observations))
    entity = Entity(name, text=text, observations=notes, kind="Thing", status="active")
    return Page(replace(entity, key=f"p#{name}", project="p"), ())


def test_entities_that_fit_into_an_answer_are_given_whole() -> None:
    pages = (page("a", "many words " * 6_000, 100), page("b"))
    assert brief_pages(pages, whole=True) == Pages(pages)
    short = (page("a", "many words " * 1_000, 20), page("b"))
    assert brief_pages(short) == Pages(short)


def test_a_get_answers_with_some_4_000_tokens_unless_asked_for_more() -> None:
    full = page("a", "many words " * 800, 30)
    neighbours = tuple(
        Neighbour("CALLS", "out", f"app/store.py::Store.get_{n}", "Method", None, 1.0, source="app")
        for n in range(200)
    )
    long = replace(full, entity=replace(full.entity, source="app"), neighbours=neighbours)
    cut = brief_pages([long, page("b")])
    assert 3_000 < tokens(compact_json(concise_json(cut.to_json()))) < 4_100
    assert cut.entities[1] == page("b")
    (note,) = cut.notes
    kept = len(cut.entities[0].neighbours)
    assert 50 < kept < 200
    assert f"the first {kept} of its 200 relations; `get` with `whole` true has more" in note


def test_the_code_of_a_long_entity_is_left_out_and_its_place_said() -> None:
    attributes: dict[str, Any] = {"path": "app/store.py", "start_line": 12, "end_line": 640}
    full = page("Store", "class Store: ...")
    whole_attributes = attributes | {"code": "x = 1\n" * 4_000}
    long = replace(full, entity=replace(full.entity, attributes=whole_attributes))
    cut = brief_pages([long])
    assert cut.entities[0].entity.attributes == attributes
    assert cut.entities[0].entity.text == "class Store: ..."
    (note,) = cut.notes
    assert note == (
        "the code of 'Store', 24,000 characters, is left out; it is in app/store.py, lines 12 to "
        "640, and in `get` with `whole` true"
    )
    assert brief_pages([long], whole=True) == Pages((long,))
    short = replace(full, entity=replace(full.entity, attributes={"code": "x = 1"}))
    assert brief_pages([short]) == Pages((short,))


def test_what_is_removed_is_said_first() -> None:
    full = page("a")
    removed = replace(full, entity=replace(full.entity, status="removed"))
    answer = brief_pages([removed, page("b")], ["one is missing"]).to_json()
    assert [*answer] == ["notes", "entities"]
    assert answer["notes"] == ["one is missing", REMOVED_NOTE.format("'a'")]


def test_an_entity_that_is_too_long_is_cut_and_its_neighbours_are_not() -> None:
    long, short = page("a", "many words " * 90_000, 5_000), page("b", "few words", 3)
    cut = brief_pages([short, long, page("c", "many words " * 2_000)], whole=True)
    assert quarters(written(cut)) < MOST_QUARTERS * 1.01
    assert cut.entities[0] == short
    assert cut.entities[2].entity.text == "many words " * 2_000
    entity = cut.entities[1].entity
    assert str(entity.text).endswith(("many…", "words…"))
    assert entity.observations == long.entity.observations[-len(entity.observations) :]
    assert len(entity.observations) > 100
    (note,) = cut.notes
    assert "the beginning of its text of 990,000 characters and the newest" in note
    assert f" {len(entity.observations):,} of its 5,000 observations; `search` finds" in note


@pytest.mark.parametrize("words", ["记忆库保存会话。", "Сессии хранятся в Redis. ", "1,234.5 | "])
def test_what_takes_more_tokens_a_character_is_cut_to_fewer_characters(words: str) -> None:
    long = page("a", words * 20_000)
    assert 24_000 < tokens(written(brief_pages([long], whole=True))) < 25_250
    observed = replace(long.entity, text=None, observations=(Observation(words * 20_000, id="o"),))
    assert (
        12_000 < tokens(written(brief_pages([replace(long, entity=observed)], whole=True))) < 25_250
    )
    names = tuple(f"{words}{n}" for n in range(20_000))
    named = replace(long.entity, text=None, aliases=names, tags=names)
    assert tokens(written(brief_pages([replace(long, entity=named)], whole=True))) < 25_250
    items = tuple(Item("entity", name, "created") for name in names[:5_000])
    assert tokens(written(brief_report(Report("p", items)))) < 25_250


def test_an_entity_with_too_much_beside_its_texts_is_cut_too() -> None:
    names = tuple(f"{n} {'n' * 500}" for n in range(1_000))
    neighbour = Neighbour("R", "out", names[0], "Thing", "said " * 500, 1.0)
    neighbour = replace(neighbour, attributes={"said": "x" * 5_000})
    full = page("a", "few words")
    entity = replace(full.entity, aliases=names, tags=names, attributes=dict.fromkeys(names, "x"))
    long = replace(full, entity=entity, neighbours=(neighbour,) * 400)
    cut = brief_pages([long], whole=True)
    assert quarters(written(cut)) < MOST_QUARTERS * 1.01
    (kept,) = cut.entities
    assert kept.entity.text == "few words"
    assert kept.entity.aliases == names[: len(kept.entity.aliases)] != ()
    assert kept.entity.attributes.keys() <= set(names)
    assert kept.omitted_relations == 400 - len(kept.neighbours) < 400
    assert kept.neighbours[0].attributes == {}
    (note,) = cut.notes
    assert f"the first {len(kept.neighbours)} of its 400 relations and the first" in note
    assert f"the first {len(kept.entity.tags)} of its 1,000 tags and the first" in note


def test_an_entity_as_it_was_is_cut_where_it_is_too_long() -> None:
    short = page("a", "few words")
    assert brief_past_page(short).to_json() == short.to_json()
    cut = brief_past_page(page("a", "many words " * 90_000)).to_json()
    assert cut["key"] == "p#a"
    assert str(cut["text"]).endswith(("many…", "words…"))
    assert quarters(json.dumps(cut)) < MOST_QUARTERS * 1.01
    assert "; `search` with `as_of` finds what the rest says" in str(cut["notes"])


def test_a_report_of_many_items_keeps_the_refused_ones() -> None:
    created = Item("entity", "n" * 512, "created")
    refused = Item("relation", "a -[R]-> b", "refused", "there is no entity 'b' in p")
    report = Report("p", (*(created,) * 100, refused))
    assert brief_report(report) == report
    long = Report("p", (*(created,) * 400, refused))
    cut = brief_report(long)
    assert MOST_QUARTERS * 0.95 < quarters(written(cut)) < MOST_QUARTERS
    assert (cut.items[0], cut.omitted) == (refused, 401 - len(cut.items))
    assert (cut.entities, cut.relations) == (long.entities, long.relations)


def explored(note: str) -> Exploration:
    entity = ExploredEntity("b", "Thing", 1, "a", "USES", "out", note, 1.0)
    return Exploration("p", "a", None, (entity,) * 30)


def test_an_exploration_with_long_notes_fits_into_an_answer() -> None:
    assert len(written(brief_exploration(explored("said " * 2_000)))) < ANSWER_CHARACTERS
    assert brief_exploration(explored("said")) == explored("said")


@pytest.mark.parametrize(
    ("ways", "ways_of_agents"),
    [
        ("; raise `limit`, lower `depth`, or name `relations`",
         "; lower `depth`, or name `relations`"),
        ("; raise `limit` or name `relations`", "; name `relations`"),
        ("; raise `limit`", ""),
    ],
)  # fmt: skip
def test_an_exploration_advises_nothing_that_the_tool_does_not_have(
    ways: str, ways_of_agents: str
) -> None:
    note = "there are more entities"
    cut = brief_exploration(replace(explored("said"), notes=(note + ways,)))
    assert cut.notes == (note + ways_of_agents,)


def history(value: str, count: int) -> History:
    differences = (Difference("text", value, {"note": value}),) * count
    revision = Revision(2, "c", None, "alice", "remember", differences, note=value)
    return History("p#a", "a", "p", (revision,) * 5)


def test_a_history_of_long_texts_and_many_notes_fits_into_an_answer() -> None:
    cut = brief_history(history("said " * 200_000, 1))
    assert len(written(cut)) < ANSWER_CHARACTERS
    difference = cut.revisions[0].differences[0]
    assert str(difference.before).endswith("said…")
    assert difference.after == {"note": difference.before}
    many = brief_history(history("said", 5_000)).revisions[0].differences
    assert (len(many), many[-1].field) == (21, "and 4,980 more")
    assert brief_history(history("said", 3)) == history("said", 3)


def test_a_history_of_long_lists_shows_their_beginnings() -> None:
    pages = [f"page {number} " + "x" * 200 for number in range(1000)]
    edits = [
        Revision(number, "c", None, "an agent", "edit", (Difference("pages", pages, pages[1:]),))
        for number in range(2, 12)
    ]
    short = brief_history(History("p#a", "a", "p", tuple(edits), truncated=False))
    assert len(short.revisions) == 10
    assert not short.truncated
    (difference,) = short.revisions[0].differences
    assert difference.before == [f"page 0 {'x' * 193}…", "…"]
    assert difference.after == [f"page 1 {'x' * 193}…", "…"]


def test_a_history_of_short_lists_is_whole() -> None:
    numbers: list[object] = [*range(1000)]
    difference = Difference("depths", [], numbers)
    history = History(
        "p#a", "a", "p", (Revision(2, "c", None, "an agent", "edit", (difference,)),),
        truncated=False,
    )  # fmt: skip
    assert brief_history(history) == history


def test_changes_with_long_notes_fit_into_an_answer() -> None:
    links = ("A -[MENTIONS]-> B " * 100,) * 5
    change = Change("c", None, "alice", "rename", note="said " * 200_000, links=links)
    assert len(written(brief_changes(Changes("p", (change,) * 20)))) < ANSWER_CHARACTERS


def test_the_newest_of_very_many_changes_fit_into_what_clients_take() -> None:
    difference = Difference("text", "said " * 12, "said")
    revision = Revision(2, "c", None, "alice", "remember", (difference,) * 20)
    cut = brief_history(History("p#a", "a", "p", (revision,) * 200))
    assert MOST_QUARTERS * 0.95 < quarters(written(cut)) < MOST_QUARTERS * 1.01
    assert (cut.truncated, cut.revisions[0]) == (True, revision)
    change = Change("c", None, "alice", "remember", names=("n" * 512,) * 3)
    shorter = brief_changes(Changes("p", (change,) * 200))
    assert quarters(written(shorter)) < MOST_QUARTERS * 1.01
    assert (shorter.truncated, shorter.changes[0]) == (True, change)


def test_what_fits_is_left_as_it_is() -> None:
    short = answer(10, "few words")
    assert brief(short) == short
    assert brief(answer(0, "")) == answer(0, "")


def matching(count: int, text: str, *, highlight: bool) -> Answer:
    """An answer to `needle`, each of whose hits has one passage, which ends in the given text."""
    terms = snippets.terms_of(lucene.parse("needle"))
    hits = []
    for number in range(count):
        own_text = f"{number} {text}"
        passage = Passage(
            own_text,
            None,
            None,
            snippet=snippets.snippet(own_text, terms, highlight=highlight),
            marked=snippets.marked(own_text, terms) if highlight else "",
        )
        hits.append(made_hit("a", passage))
    return replace(answer(count, text), hits=tuple(hits))


def test_a_highlighted_text_that_fits_is_whole_and_marked() -> None:
    text = f"{'hay ' * 100}\nneedle {'hay ' * 100}needles"
    (passage,) = brief(matching(2, text, highlight=True)).hits[0].passages
    marked_text = text.replace("needles", "**needles**").replace("needle ", "**needle** ")
    assert passage.text == f"0 {marked_text}"
    assert passage.to_json().keys() == {"text", "created_at", "source"}


@pytest.mark.parametrize("hits", [10, 14, 200])
def test_a_highlighted_text_that_is_cut_shows_its_mark(hits: int) -> None:
    cut = brief(matching(hits, f"{'hay ' * 900}needle {'hay ' * 900}", highlight=True))
    for hit in cut.hits:
        assert "**needle**" in hit.passages[0].text
        assert hit.passages[0].text.startswith("…")
        assert hit.passages[0].text.endswith("…")
    plain = brief(matching(hits, f"{'hay ' * 900}needle {'hay ' * 900}", highlight=False))
    assert len(brief_text(cut)) <= max(len(brief_text(plain)), ANSWER_CHARACTERS) + 2 * hits


def test_no_mark_is_left_open_where_a_text_is_cut() -> None:
    for hit in brief(matching(200, "needle " * 300, highlight=True)).hits:
        assert hit.passages[0].text.count("**") % 2 == 0


def test_a_cut_text_shows_what_stands_around_its_best_part_as_lines() -> None:
    lines = [f"    step_{number}(needle)" for number in range(1_000)]
    lines[500] = "    look_for(needle, needles)"
    code = "\n".join(line.replace("needle", "hay") for line in lines[:500])
    code = "\n".join([code, lines[500], *(line.replace("needle", "hay") for line in lines[501:])])
    cut = brief(matching(10, code, highlight=False))
    for hit in cut.hits:
        before, _, after = hit.passages[0].text.partition("look_for(needle, needles)\n")
        assert before.splitlines()[0] == before.splitlines()[0].lstrip()
        assert set(before.removeprefix("…").splitlines()[1:-1]) <= set(code.splitlines())
        assert 200 < 3 * len(before) < 2 * len(after)
        assert after.endswith("…")
    assert ANSWER_CHARACTERS * 0.9 < len(brief_text(cut)) <= ANSWER_CHARACTERS


def test_what_short_texts_leave_is_for_the_longer_ones() -> None:
    long, short = answer(2, "many words " * 900), answer(8, "few words")
    cut = brief(replace(short, hits=(*long.hits, *short.hits)))
    assert all(
        hit.passages == kept.passages for hit, kept in zip(short.hits, cut.hits[2:], strict=True)
    )
    assert [len(hit.passages) for hit in cut.hits[:2]] == [1, 1]
    assert all(len(hit.passages[0].text) > 2_500 for hit in cut.hits[:2])
    assert ANSWER_CHARACTERS * 0.95 < len(brief_text(cut)) <= ANSWER_CHARACTERS


def test_a_text_that_a_better_hit_shows_is_only_begun_again() -> None:
    copy, other = answer(1, "copied words " * 20).hits[0], answer(2, "other words " * 20).hits[1]
    respaced = replace(copy.passages[0], text=copy.passages[0].text.replace(" ", "\n"))
    hits = (copy, replace(copy, passages=(respaced, *other.passages)), other)
    cut = brief(replace(answer(3, ""), hits=hits))
    assert cut.hits[0] == copy
    repeated, *others = cut.hits[1].passages
    assert repeated.text.startswith("0a\ncopied")
    assert repeated.text.endswith("…")
    assert len(repeated.text) <= LEAST_CHARACTERS + 1
    assert tuple(others) == other.passages
    assert all(len(passage.text) <= LEAST_CHARACTERS + 1 for passage in cut.hits[2].passages)


def test_what_json_writes_as_two_characters_counts_twice() -> None:
    cut = brief(answer(10, 'a "quoted"\n' * 200))
    assert ANSWER_CHARACTERS * 0.9 < len(brief_text(cut)) <= ANSWER_CHARACTERS


def test_a_text_without_spaces_is_cut_too() -> None:
    passage = brief(answer(1, "я" * 9_000)).hits[0].passages[0]
    assert passage.text.removeprefix("0a ").lstrip("я") == "…"
    assert len(passage.text) > 5_000
