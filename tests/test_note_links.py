"""Links between notes lead to what they mean, and what is no link makes none."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.importing.opening import File
from graphmem.transfer.markdown.notes import Notes
from graphmem.transfer.markdown.references import NoteLink, read_note_text
from note_folders import VAULT, ends, entities, linked, read, refusals, write


@pytest.mark.parametrize(
    ("written", "target"),
    [
        ("[[Home]]", "Home"),
        ("[[home]]", "Home"),
        ("[[Home.md]]", "Home"),
        ("[[Home#Section]]", "Home"),
        ("[[Home#^block]]", "Home"),
        ("[[Home^block]]", "Home"),
        ("[[Home|shown]]", "Home"),
        ("[[Home#Section|shown]]", "Home"),
        ("| a | [[Home\\|shown]] |", "Home"),
        ("[[x^2]]", "x^2"),
        ("[[README]]", "README"),
        ("[[guides/README]]", "guides/README"),
        ("[[guides/README.md|the guides]]", "guides/README"),
        ("[[/guides/README]]", "guides/README"),
        ("[[deep/README]]", "guides/deep/README"),
        ("[[../Home]]", "Home"),
        ("[[./deep/README]]", "guides/deep/README"),
        ("![[Berth booking]]", "Berth booking"),
        ("![[Berth booking#Prices]]", "Berth booking"),
        ("#[[Berth booking]]", "Berth booking"),
        ("[[заметка]]", "Заметка"),
        ("[a](<Berth booking.md>)", "Berth booking"),
        ("[a](Berth%20booking.md#part)", "Berth booking"),
        ("[a](./deep/README.md 'title')", "guides/deep/README"),
        ("[a](../guides/README.md)", "guides/README"),
        ("[a](../README.md?plain=1)", "README"),
        ("[a](/Home.md)", "Home"),
        ("[a](guides/deep/README.md)", "guides/deep/README"),
        ("[a](x%5E2.md)", "x^2"),
        ("[a](deep/Заметка.md)", "Заметка"),
        ("![a](../Home.md)", "Home"),
        ("[a](deep)", "guides/deep/README"),
        ("[a](deep/#part)", "guides/deep/README"),
        ("[a](.)", "guides/README"),
        ("[a](..)", "README"),
        ("[a](/guides)", "guides/README"),
        ("[a](/)", "README"),
        ("[a](Berth%20booking)", "Berth booking"),
        ("[a][b]\n\n[b]: ../Home.md", "Home"),
        ("[b]\n\n[b]: ../Home.md", "Home"),
        ("[[b]]\n\n[b]: ../Home.md", "Home"),
        ("![[README]]\n\n[readme]: deep/README.md 'The guides'", "guides/deep/README"),
    ],
)
def test_a_link_leads_to_the_note_it_means(tmp_path: Path, written: str, target: str) -> None:
    assert linked(tmp_path, f"See {written}\n") == [target]


@pytest.mark.parametrize(
    "written",
    [
        "`[[Home]]` and `[a](../Home.md)`",
        "```\n[[Home]]\n[a](../Home.md)\n```",
        "\\[a](../Home.md)",
        "<!-- [[Home]] -->",
        "![[plan.png]] ![[paper.pdf#page=3]] ![[board.canvas]] ![[song.xyz]]",
        "[[plan.png]] [[board.canvas|the board]]",
        "[a](plan.png) [a](deeper) [a](./guides/) [a](#part) [a](?plain=1) [a]()",
        "[a](https://example.org/Home.md) <https://example.org/Home.md> [a](//host/Home.md)",
        "[a](../../Home.md) [a](../../../../../etc/Home.md) [a](nowhere/Home2.md)",
        "[a](./Home.md) [a](mailto:Home.md) [a](http://[x/Home.md)",
        "[[1]](https://example.org)",
        "[[1]]\n\n[1]: https://example.org",
        "[[#Section]] [[|shown]] [[^block]] [[]] [[ ]]",
        "[[from]] [a](from.md)",
    ],
)
def test_what_is_no_link_to_another_note_makes_none(tmp_path: Path, written: str) -> None:
    rows = read(tmp_path, dict.fromkeys(VAULT, "Text.") | {"guides/from.md": written})
    assert (ends(rows), refusals(rows)) == ([], {})


def test_a_file_name_alone_leads_to_the_only_note_of_that_name(tmp_path: Path) -> None:
    content = "[a](Berth%20booking.md) [b](README.md)"
    assert linked(tmp_path, content, "other/from.md") == ["Berth booking", "README"]
    write(tmp_path, {"more/Berth booking.md": ""})
    (tmp_path / "README.md").unlink()
    assert ends(read(tmp_path), "other/from.md") == []


@pytest.mark.parametrize(
    ("written", "target"),
    [
        ("/harbour/tides/", "tides"),
        ("/harbour/tides.html", "tides"),
        ("/tides", None),
        ("/blog/mole", "mole"),
        ("/blog/2026/03/01/storm#after", "2026-03-01-storm"),
        ("/2026/03/01/storm.html", "2026-03-01-storm"),
        ("/blog/berths", "content/en/blog/2025/berths/index"),
        ("harbour/tides.md", "tides"),
        ("/berths", None),
        ("/fog/index", None),
        ("/blog/", None),
        ("/", None),
        ("./harbour/tides.md", None),
        ("/fog/tides", None),
        ("/blog/twice", None),
    ],
)
def test_the_root_of_a_site_or_a_vault_may_be_a_folder_of_what_is_imported(
    tmp_path: Path, written: str, target: str | None
) -> None:
    paths = [
        "harbour/tides.md", "blog/2026-03-01-storm.md", "blog/2026/mole.md",
        "blog/2025/berths/index.md", "blog/2025/twice.md", "blog/2026/twice.md", "berths/x.md",
        "index.md",
    ]  # fmt: skip
    notes = {f"content/en/{path}": "Text." for path in paths}
    rows = read(tmp_path, notes | {"content/en/guides/from.md": f"[a]({written})"})
    assert ends(rows, "content/en/guides/from.md") == ([] if target is None else [target])


def test_an_address_may_begin_with_the_name_of_what_is_imported(tmp_path: Path) -> None:
    notes = {"tides.md": "Text.", "2026/tides.md": "Text.", "2026/03/mole/index.md": "Text."}
    content = "[a](/posts/tides) [b](/posts/mole/) [c](/other/tides) [d](/post/tides)"
    rows = read(write(tmp_path / "posts", notes | {"from.md": content}))
    assert ends(rows, "from.md") == ["tides", "index"]


ADMONITIONS = """\
!!! note "See [[Home]]"

    The [[README]] and [berths][b].

    ??? tip
        [[Заметка]]

    ```markdown
    === "Tab"

        ```
        [[x^2]]
        ```

    [[x^2]]
    ```

  [b]: Berth%20booking.md

=== "Tab"

    [guides](README.md)

    - item

          [[x^2]]

Text.

    [[x^2]]
"""


SITE = {
    "docs/StoreSetup.md": "---\nid: store-setup\nslug: /store/setup\n---\nText.",
    "docs/guides/Tides.mdx": "---\nslug: 'high-tides'\n---\nText.",
    "docs/guides/index.md": "Text.",
    "docs/guides/locks.md": "Text.",
    "_posts/help.md": "---\npermalink: /help/\n---\nText.",
    "_posts/hugo.md": '+++\nurl = "/2026/hugo.html"\n+++\nText.',
    "_posts/blog.md": "---\npermalink: /blog/:title/\nid: 7\n---\n```yaml\nslug: code\n```\n",
}


@pytest.mark.parametrize(
    ("written", "target"),
    [
        ("[a](../store-setup#part)", "StoreSetup"),
        ("[a](/store/setup)", "StoreSetup"),
        ("[a](/docs/store/setup/)", "StoreSetup"),
        ("[a](/site/docs/store/setup)", "StoreSetup"),
        ("[a](high-tides)", "Tides"),
        ("[a](./HIGH-tides/)", "Tides"),
        ("[a](/docs/guides/high-tides)", "Tides"),
        ("[a](/help)", "help"),
        ("[a](/2026/hugo.html)", "hugo"),
        ("[a](../locks/)", "locks"),
        ("[a](../)", "index"),
    ],
)
def test_a_link_leads_to_the_address_that_a_note_gives_itself(
    tmp_path: Path, written: str, target: str
) -> None:
    rows = read(tmp_path, SITE | {"docs/guides/from.md": written})

    assert ends(rows, "docs/guides/from.md") == [target]


@pytest.mark.parametrize(
    "written",
    [
        "[a](/a/site/docs/store/setup)",
        "[a](/store)",
        "[a](setup)",
        "[a](/blog/:title/)",
        "[a](code)",
        "[a](../../locks/)",
        "[a](../locks.md)",
    ],
)
def test_a_link_to_no_address_of_a_note_leads_nowhere(tmp_path: Path, written: str) -> None:
    rows = read(tmp_path, SITE | {"docs/guides/from.md": written})

    assert ends(rows, "docs/guides/from.md") == []


def test_what_stands_in_an_admonition_or_a_tab_is_text(tmp_path: Path) -> None:
    expected = ["Home", "README", "Berth booking", "Заметка", "guides/README"]
    assert linked(tmp_path, ADMONITIONS) == expected


def test_a_link_to_one_of_several_namesakes_leads_to_the_one_below_its_folder(
    tmp_path: Path,
) -> None:
    notes = {f"{path}/Plan.md": "Text." for path in ("a", "b", "b/old")}
    rows = read(tmp_path, notes | {f"{folder}/from.md": "[[plan]]" for folder in "abc"})
    assert [ends(rows, f"{folder}/from.md") for folder in "abc"] == [["Plan"], ["b/Plan"], ["Plan"]]


def test_a_link_to_a_folder_leads_to_the_note_that_stands_for_it(tmp_path: Path) -> None:
    notes = {"a.md": "[b](b)", "c.md": "[d](d/)", "b/index.md": "Text."}
    notes |= {"d/_index.md": "Text.", "d/x.md": "Text.", "b/README.md": "Text."}
    rows = read(tmp_path, notes)
    assert (ends(rows, "a.md"), ends(rows, "c.md")) == (["README"], ["_index"])
    (tmp_path / "b.md").write_text("Text.", encoding="utf-8")
    assert ends(read(tmp_path), "a.md") == ["b"]


def test_a_link_leads_to_the_name_that_a_note_gives_itself(tmp_path: Path) -> None:
    note = "---\nname: The book\n---\n"
    assert linked(write(tmp_path, {"shelf/book.md": note}), "[[book]] [b](../shelf/book.md)") == [
        "The book"
    ]


def test_wiki_links_in_the_front_matter_are_links(tmp_path: Path) -> None:
    front = "up: '[[Home]]'\nsee: ['[[README|r]]', x, 1]\nplan: '![[plan.png]]'\nat: '[a](b.md)'"
    assert linked(tmp_path, f"---\n{front}\n---\n[[Home]]") == ["Home", "README"]


def test_wiki_links_in_the_front_matter_need_no_quotes(tmp_path: Path) -> None:
    front = "up: [[Home]]\nsee:\n  - [[README|r]]\n  - x\nday: [[2026-03-01]]\ngrid: [[1, 2], [3]]"
    notes = {"2026-03-01.md": "Text.", "guides/from.md": f"---\n{front}\n---\nText."}
    rows = read(tmp_path, dict.fromkeys(VAULT, "Text.") | notes)
    assert ends(rows) == ["Home", "README", "2026-03-01"]
    assert entities(rows)["guides/from.md"].attributes == {
        "up": "[[Home]]",
        "see": ["[[README|r]]", "x"],
        "day": "[[2026-03-01]]",
        "grid": "[[1, 2], [3]]",
    }


@pytest.mark.parametrize("name", ["a|b", "a]b", "a[b", "a#b", "a%b", "a?b", "(a", "a\\b", "..a"])
def test_an_address_leads_to_a_note_of_any_name(tmp_path: Path, name: str) -> None:
    encoded = "".join(f"%{ord(mark):02x}" for mark in name)
    rows = read(tmp_path, {f"{name}.md": "Text.", "guides/from.md": f"[x](../{encoded}.md)"})
    assert (ends(rows), refusals(rows)) == ([name], {})


PIECES = st.sampled_from(
    ["[[", "]]", "[", "]", "(", ")", "<", ">", "|", "#", "^", "`", "\\", "/", "../", "a/", "b",
     ".md", "é", "%20", "https://", "!", " ", "\n"]
)  # fmt: skip
TEXTS = st.lists(PIECES, max_size=6).map("".join)


@given(TEXTS, TEXTS)
def test_a_link_of_any_text_leads_to_a_note_to_a_name_or_nowhere(text: str, target: str) -> None:
    file = File(Path("/"), ("a", "b.md"), ("a", "b.md"))
    notes = Notes([file], {})
    for link in read_note_text(f"{text}[[{target}]] {text}[x]({target})").links:
        name = notes.target_of(link, file)
        assert name in {None, "b"} if link.form in {"address", "label"} else name != ""


@given(st.lists(st.sampled_from(["..", ".", "a", "b.md", ""]), max_size=8))
def test_any_path_leads_to_a_note_or_nowhere(parts: list[str]) -> None:
    files = [File(Path("/"), way, way) for way in (("b.md",), ("a", "b.md"), ("a", "a", "b.md"))]
    notes = Notes(files, {})
    for form in ("wiki", "embed", "address"):
        target = notes.target_of(NoteLink("/".join(parts), form), files[1])
        assert target in {None, "b", "a/b", "a/a/b"} if form == "address" else target != ""


def test_many_brackets_and_deep_paths_are_read(tmp_path: Path) -> None:
    deep = "/".join(["d" * 50] * 20)
    content = (
        "[[" * 100_000 + "\n\n" + "[[" + "../" * 10_000 + "x]] [a](" + "../" * 10_000 + "x.md)"
    )
    rows = read(tmp_path, {"from.md": content, "README.md": "", f"{deep}/README.md": ""})
    assert ends(rows, "from.md") == []
    assert "at most 512 characters" in str(refusals(rows)[f"{deep}/README.md"])


def test_what_the_front_matter_relates_to_is_not_mentioned_as_well(tmp_path: Path) -> None:
    content = (
        "---\nrelations:\n  - {relation: USES, to: Home}\n---\nSee [[home]] and [[Berth booking]]."
    )
    assert linked(tmp_path, content) == ["Home", "Berth booking"]
