"""What a picture holds, and the page as a text; a browser shows it in test_view_in_a_browser.py."""

import base64
import hashlib
import json
import re
from dataclasses import replace
from datetime import date
from html.parser import HTMLParser
from importlib.resources import files
from typing import Any

import pytest

from graphmem import view
from graphmem.model import Answer, Entity, Explanation, Hit, LegPart, LinkPart, Observation, Via
from graphmem.model.answer import Passage
from graphmem.model.period import validity
from graphmem.view import ShownRelation, html
from graphmem.view.page import PROGRAM, json_for_script
from graphmem.view.pictures import MOST_LINKS, TEXT_CHARACTERS, TEXTS
from sample_hits import made_hit
from sample_pictures import HOSTILE, hostile_picture, made_picture

LIBRARY_SHA256 = "f59db59ba92ff5a76ed93d7a4d77a703b176260e5d9cd29f4f8eb4f6c369a629"
LIBRARY_BYTES = 500_000


def passage(text: str) -> Passage:
    return Passage(text, None, None)


def answer(*hits: Hit, total: int | None = None, notes: tuple[str, ...] = ()) -> Answer:
    return Answer(
        query="why  redis",
        project="p",
        mode="hybrid",
        total=len(hits) if total is None else total,
        degraded=None,
        took_ms={},
        hits=hits,
        notes=notes,
    )


def via(seed: str, evidence: float = 0.2, *, direction: Any = "out", relation: str = "USES") -> Via:  # noqa: ANN401 - one of two words
    return Via(seed, relation, direction, "a note", 0.8, evidence)


class Elements(HTMLParser):
    """The elements of a page, and the text of those that hold data or programs."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.scripts: list[tuple[dict[str, str | None], str]] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.inside = False
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self.inside = tag == "script"
        if tag == "script":
            self.scripts.append((dict(attrs), ""))

    def handle_endtag(self, tag: str) -> None:  # noqa: ARG002 - as its parent has it
        self.inside = False

    def handle_data(self, data: str) -> None:
        if self.inside:
            attributes, before = self.scripts[-1]
            self.scripts[-1] = (attributes, before + data)


def data_of(page: str) -> Any:  # noqa: ANN401 - whatever the page holds
    (written,) = [text for attrs, text in Elements(page).scripts if attrs.get("id") == "picture"]
    return json.loads(written)


# What is drawn of a search


def test_hits_stand_first_and_keep_their_places() -> None:
    picture = view.of_answer(answer(made_hit("B", score=0.9), made_hit("A", score=0.2)))

    assert [(node.name, node.place, node.role) for node in picture.nodes] == [
        ("B", 1, "hit"),
        ("A", 2, "hit"),
    ]
    assert (picture.title, picture.total, picture.mode) == ("why redis", 2, "hybrid")
    assert picture.total_exact


def test_a_picture_says_that_more_may_have_matched() -> None:
    more = replace(answer(made_hit("A", score=0.9), total=212), total_exact=False)
    assert not view.of_answer(more).total_exact


def test_what_led_to_a_hit_is_a_link_with_its_evidence_and_direction() -> None:
    out = made_hit("n", links=(via("s"),))
    into = made_hit("m", links=(via("s", direction="in"),))
    picture = view.of_answer(answer(made_hit("s"), out, into))

    assert [(link.start, link.end, link.evidence, link.led_to) for link in picture.links] == [
        ("p#m", "p#s", 0.2, "p#m"),
        ("p#s", "p#n", 0.2, "p#n"),
    ]


def test_a_relation_that_led_to_a_hit_is_drawn_once() -> None:
    hits = (made_hit("s"), made_hit("n", links=(via("s"),)))
    related = [ShownRelation("p#s", "p#n", "USES"), ShownRelation("p#n", "p#s", "KNOWS", 0.4)]
    picture = view.of_answer(answer(*hits), related=related)

    assert [(link.relation, link.evidence, link.weight) for link in picture.links] == [
        ("KNOWS", 0.0, 0.4),
        ("USES", 0.2, 0.8),
    ]


def test_relations_of_one_type_with_other_periods_are_links_of_their_own() -> None:
    led = replace(via("s", relation="WORKS_AT"), valid_until=date(2020, 12, 31))
    first = ShownRelation("p#s", "p#n", "WORKS_AT", validity=validity(None, date(2020, 12, 31)))
    second = ShownRelation("p#s", "p#n", "WORKS_AT", validity=validity(date(2023, 1, 1), None))
    hits = (made_hit("s"), made_hit("n", links=(led,)))
    picture = view.of_answer(answer(*hits), related=[first, second])

    assert [(link.validity, link.evidence) for link in picture.links] == [
        (validity(date(2023, 1, 1), None), 0.0),
        (validity(None, date(2020, 12, 31)), 0.2),
    ]


def test_the_stronger_link_of_a_direct_hit_is_drawn() -> None:
    link = LinkPart(via("s", 0.3), 0.95, 0.4, 1.5, 1, 0.4, 1, 0.2, (0.3,), 0.3)
    because = Explanation((LegPart("text", 1, 8.0, 0.1, "x"),), link, 0.1, "")
    picture = view.of_answer(answer(made_hit("s"), made_hit("n", because=because)))

    assert [(one.start, one.end, one.evidence) for one in picture.links] == [("p#s", "p#n", 0.3)]


def test_seeds_of_other_pages_are_asked_for_and_drawn() -> None:
    response = answer(made_hit("n", links=(via("Far  away"),)))
    assert view.missing_seeds(response) == ["p#far away"]

    seed = Entity("Far away", kind="Service", key="p#far away", project="p", status="active")
    picture = view.of_answer(response, [view.entity_node(seed, "seed")])
    assert [(node.name, node.role, node.place) for node in picture.nodes] == [
        ("n", "neighbour", 1),
        ("Far away", "seed", None),
    ]
    assert [(link.start, link.end) for link in picture.links] == [("p#far away", "p#n")]


def test_a_link_to_what_is_not_shown_is_left_out() -> None:
    picture = view.of_answer(
        answer(made_hit("n", links=(via("gone"),))),
        related=[ShownRelation("p#n", "p#other", "USES")],
    )

    assert picture.links == ()


def test_too_many_relations_are_cut_and_that_is_noted() -> None:
    hits = [made_hit(f"{number:03}") for number in range(100)]
    related = [
        ShownRelation(a.key, b.key, "USES", 0.1 if a is hits[0] else 1.0)
        for a in hits
        for b in hits
        if a is not b
    ]
    picture = view.of_answer(answer(*hits), related=related)

    assert len(picture.links) == MOST_LINKS
    assert all(link.weight == 1.0 for link in picture.links)
    assert picture.notes == ("7,900 of the weaker relations between them are not shown",)


def test_a_single_relation_that_is_cut_is_noted_as_one() -> None:
    hits = [made_hit(f"{number:03}") for number in range(46)]
    pairs = [(a.key, b.key) for a in hits for b in hits if a is not b]
    related = [ShownRelation(*pair, "USES") for pair in pairs[: MOST_LINKS + 1]]

    picture = view.of_answer(answer(*hits), related=related)

    assert picture.notes == ("1 of the weaker relations between them is not shown",)


def test_texts_are_few_short_and_without_what_no_person_sees() -> None:
    long = "word " * TEXT_CHARACTERS
    hit = made_hit("n", passage(" "), passage("a\u202eb\x00c"), *[passage(long)] * 9)
    (node,) = view.of_answer(answer(hit)).nodes

    assert node.texts[0] == "abc"
    assert len(node.texts) == TEXTS
    assert {len(text) for text in node.texts[1:]} == {TEXT_CHARACTERS}
    assert all(text.endswith("…") for text in node.texts[1:])


def test_why_an_answer_is_less_than_it_could_be_is_noted() -> None:
    less = replace(answer(notes=("cut",)), degraded="the model is loading")

    assert view.of_answer(less).notes == ("the model is loading", "cut")


def test_a_search_without_hits_is_an_empty_picture() -> None:
    picture = view.of_answer(answer(notes=("nothing was found",)))

    assert (picture.nodes, picture.links, picture.notes) == ((), (), ("nothing was found",))


# What is drawn of an entity


def test_an_entity_stands_before_its_neighbours_with_what_it_says() -> None:
    centre = Entity(
        "Redis", kind="Service", key="p#redis", project="p", status="active", text="Fast.",
        observations=(Observation("Evicts."),),
    )  # fmt: skip
    other = Entity("Store", kind="Service", key="p#store", project="p", status="superseded")
    picture = view.of_entity(
        view.entity_node(centre, "centre"),
        [view.entity_node(other, "neighbour")],
        [ShownRelation("p#store", "p#redis", "USES", 0.3)],
        total=7,
        notes=["cut"],
    )

    assert [(node.name, node.role, node.score) for node in picture.nodes] == [
        ("Redis", "centre", None),
        ("Store", "neighbour", None),
    ]
    assert picture.nodes[0].texts == ("Fast.", "Evicts.")
    assert [(link.start, link.end, link.weight) for link in picture.links] == [
        ("p#store", "p#redis", 0.3)
    ]
    assert (picture.about, picture.total, picture.notes) == ("entity", 7, ("cut",))


# The page


def test_the_page_holds_the_picture_as_json_prints_it() -> None:
    picture = made_picture(9, 12)

    assert data_of(html(picture)) == picture.to_json()


def test_the_same_picture_is_the_same_page() -> None:
    assert html(made_picture(30, 40)) == html(made_picture(30, 40))
    hits = [made_hit(name, links=(via("s"),)) for name in "nm"]
    related = [ShownRelation("p#n", "p#m", "A"), ShownRelation("p#m", "p#n", "B")]
    first = view.of_answer(answer(*hits), related=related)
    assert view.of_answer(answer(*hits), related=related[::-1]) == first


@pytest.mark.parametrize("words", HOSTILE)
def test_no_text_leaves_the_element_that_holds_it(words: str) -> None:
    written = json_for_script({"text": words, words: 1})

    assert not re.search("[<>&\u2028\u2029]", written)
    assert json.loads(written) == {"text": words, words: 1}


def test_hostile_texts_add_no_element_to_the_page() -> None:
    harmless, hostile = Elements(html(made_picture(2, 1))), Elements(html(hostile_picture()))

    assert [tag for tag, _ in hostile.tags] == [tag for tag, _ in harmless.tags]
    assert len(hostile.scripts) == 3
    names = [node["name"] for node in data_of(html(hostile_picture()))["nodes"]]
    assert names == [words.replace("\ud800", "?") for words in HOSTILE]


def test_the_page_allows_no_request_and_no_program_but_its_own() -> None:
    page = Elements(html(made_picture(3, 2)))
    (policy,) = [
        attrs["content"] or ""
        for tag, attrs in page.tags
        if tag == "meta" and attrs.get("http-equiv") == "Content-Security-Policy"
    ]
    programs = [text for attrs, text in page.scripts if "id" not in attrs]
    hashes = [
        f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
        for text in programs
    ]

    rules = [rule.strip() for rule in policy.split(";")]
    assert rules[0] == "default-src 'none'"
    assert rules[1] == f"script-src {' '.join(hashes)}"
    assert rules[2:] == [
        "style-src 'unsafe-inline'", "base-uri 'none'", "form-action 'none'",
        "require-trusted-types-for 'script'", "trusted-types default",
    ]  # fmt: skip
    assert all(
        "src" not in attrs and (attrs.get("href") or "#")[0] == "#" for _, attrs in page.tags
    )


def test_the_page_without_a_picture_waits_for_a_host() -> None:
    assert data_of(html(None)) is None


def test_a_large_picture_makes_a_page_of_less_than_two_megabytes() -> None:
    assert len(html(made_picture(500, 2_000)).encode()) < 2_000_000


def test_the_library_is_the_pinned_one_with_its_licences() -> None:
    assets = files("graphmem.view") / "assets"
    library = (assets / "force-graph.min.js").read_bytes()
    licences = (assets / "force-graph.licences.txt").read_text(encoding="utf-8")

    assert len(library) < LIBRARY_BYTES
    assert hashlib.sha256(library).hexdigest() == LIBRARY_SHA256
    assert library.startswith(b"// Version 1.52.0 force-graph")
    assert "force-graph 1.52.0" in licences
    assert "MISSING" not in licences
    for name in ("kapsule", "d3-force-3d", "d3-zoom", "preact", "lodash-es", "float-tooltip"):
        assert f"==== {name} " in licences


def test_texts_enter_the_page_as_text_alone() -> None:
    """`innerHTML` and its like are nowhere in our own programs; the browser refuses them too."""
    assets = files("graphmem.view") / "assets"
    for name in PROGRAM:
        program = (assets / name).read_text(encoding="utf-8")
        assert not re.search(
            r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function|\.src\b",
            program,
        )
        assert "fetch(" not in program
        assert program.count("\n") <= 300


def test_an_explanation_keeps_its_numbers() -> None:
    because = Explanation((LegPart("text", 1, 8.0, 0.5, "a\u202eb  c"),), None, 0.5, "f")
    (node,) = view.of_answer(answer(replace(made_hit("n"), explanation=because))).nodes

    assert node.explanation == replace(because, legs=(LegPart("text", 1, 8.0, 0.5, "ab c"),))
