"""The wikis of repositories at GitHub and GitLab, whose pages are files with hyphens."""

from pathlib import Path

import pytest

from note_folders import ends, entities, read

PAGES = {
    "Home.md": "Text.",
    "Price-List.md": "Text.",
    "Berth booking.md": "Text.",
    "_Sidebar.md": "Text.",
}


def linked(folder: Path, written: str, pages: dict[str, str] | None = None) -> list[str]:
    return ends(read(folder, (pages or PAGES) | {"From.md": written}), "From.md")


@pytest.mark.parametrize(
    ("written", "targets"),
    [
        ("[[Price List]]", ["Price-List"]),
        ("[[price list]] [[Price-List]]", ["Price-List"]),
        ("[[the prices|Price List]]", ["Price-List"]),
        ("[[the prices|Price-List#all]]", ["Price-List"]),
        ("[[Home|Price List]]", ["Price-List"]),
        ("[[Price List|the prices]]", ["Price-List"]),
        ("[[Berth booking]]", ["Berth booking"]),
        ("[[the fog|Fog Signals]]", ["Fog Signals"]),
        ("[[the fog|https://example.org/fog]] [[images/plan.png|alt=the plan]]", []),
        ("[the prices](Price-List)", ["Price-List"]),
    ],
)
def test_a_link_has_its_page_behind_the_bar_and_spaces_for_hyphens(
    tmp_path: Path, written: str, targets: list[str]
) -> None:
    assert linked(tmp_path, written) == targets


@pytest.mark.parametrize("around", ["_Footer.md", "_sidebar.markdown"])
def test_a_wiki_is_known_by_what_stands_around_its_pages(tmp_path: Path, around: str) -> None:
    pages = {"home.md": "", around: "", "Price-List.md": ""}
    assert linked(tmp_path, "[[the prices|Price List]]", pages) == ["Price-List"]


def test_a_wiki_is_known_by_the_name_of_its_folder(tmp_path: Path) -> None:
    pages = {"Home.md": "", "Price-List.md": ""}
    assert linked(tmp_path / "a.wiki", "[[the prices|Price List]]", pages) == ["Price-List"]


@pytest.mark.parametrize(
    "pages",
    [
        {"Home.md": "", "Price-List.md": ""},
        {"_Sidebar.md": "", "Price-List.md": ""},
        {"Home.md": "", "deep/_Sidebar.md": "", "Price-List.md": ""},
    ],
)
def test_other_notes_are_no_wiki(tmp_path: Path, pages: dict[str, str]) -> None:
    assert linked(tmp_path, "[[the prices|Price List]]", pages) == ["the prices"]


def test_a_page_is_also_called_as_the_wiki_shows_it(tmp_path: Path) -> None:
    notes = entities(read(tmp_path, PAGES))
    assert notes["Price-List.md"].aliases == ("Price List",)
    assert notes["Home.md"].aliases == ()
