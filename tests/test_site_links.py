"""Links as generators of sites write them: templates of Jekyll and Hugo, and MyST of Sphinx."""

from pathlib import Path

import pytest

from note_folders import VAULT, ends, linked, read


@pytest.mark.parametrize(
    ("written", "target"),
    [
        ("[a]({% link guides/Home.md %})", None),
        ("[a]({% link Home.md %})", "Home"),
        ("[a]({%- link guides/README.md -%}#prices)", "guides/README"),
        ("[a]({{ site.baseurl }}{% link README.md %})", "README"),
        ("[a]({{site.baseurl}}/guides/)", "guides/README"),
        ("[a]({{ site.url }}/guides/deep/)", "guides/deep/README"),
        ('[a]({{ "/guides/deep/x^2" | relative_url }})', "x^2"),
        ("[a]({% post_url 2026-03-01-tides %})", "2026-03-01-tides"),
        ("[a]({% post_url sea/2026-03-01-tides %})", "2026-03-01-tides"),
        ('[a]({{< ref "Berth booking.md" >}})', "Berth booking"),
        ('[a]({{< relref "deep/README.md#part" >}})', "guides/deep/README"),
        ('[a]({{% ref path="/Home.md" %}})', "Home"),
        ('Before {{% include "/guides/deep/README.md" %}} after', "guides/deep/README"),
        ('{{< include file="../Home.md" >}}', "Home"),
        ('--8<-- "Home.md"', "Home"),
        ('```\n--8<-- "Home.md"\n```', None),
        ('`{{% include "/Home.md" %}}`', None),
        ("`[a]({% link Home.md %})`", None),
    ],
)
def test_a_template_stands_for_the_address_of_a_note(
    tmp_path: Path, written: str, target: str | None
) -> None:
    read(tmp_path, {"_posts/2026-03-01-tides.md": ""})

    assert linked(tmp_path, written) == ([] if target is None else [target])


@pytest.mark.parametrize(
    ("written", "targets"),
    [
        ("```{toctree}\n:maxdepth: 2\n\ndeep/README\nThe berths <Berth booking>\n../Home\n```",
         ["guides/deep/README", "Berth booking", "Home"]),
        ("```{toctree}\n---\ncaption: Deep\n---\n/README\nhttps://example.org\ndeep/*\n```",
         ["README"]),
        ("```{include} ../Home.md\n:start-line: 2\n```", ["Home"]),
        ("~~~{include} ../Home.md\n~~~", ["Home"]),
        ("See {doc}`deep/README` and {doc}`the start </Home>`.", ["guides/deep/README", "Home"]),
        ("```{note}\n[a](../Home.md) and {doc}`../README`\n```", ["Home", "README"]),
        ("````{tab-set}\n```{tab-item} Sea\n[a](../Home.md)\n```\n````", ["Home"]),
        ("```{code-block} md\n[a](../Home.md)\n```", []),
        ("```md\n{doc}`../Home`\n```", []),
        ("``{doc}`../Home` ``", []),
    ],
)  # fmt: skip
def test_directives_and_roles_name_documents(
    tmp_path: Path, written: str, targets: list[str]
) -> None:
    assert linked(tmp_path, written) == targets


@pytest.mark.parametrize(
    ("written", "target"),
    [
        ("[a](sea-tides)", "sea"),
        ("[a](#sea-tides)", "sea"),
        ("[a](Sea-Tides)", "sea"),
        ("{ref}`sea-tides`", "sea"),
        ("{ref}`the tides <sea-tides>`", "sea"),
        ("{numref}`sea/table`", "sea"),
        ("[a](Home)", "Home"),
        ("{ref}`Home`", "sea"),
        ("[a](unknown)", None),
        ("[a](#own)", None),
    ],
)
def test_a_label_leads_to_the_note_that_sets_it(
    tmp_path: Path, written: str, target: str | None
) -> None:
    read(tmp_path, {"sea.md": "(sea-tides)=\n# Tides\n\n(sea/table)=  \n\n(Home)=\n"})

    assert linked(tmp_path, f"(own)=\n# Own\n\n{written}") == ([] if target is None else [target])


def test_of_two_notes_that_set_a_label_the_one_in_the_fewest_folders_is_meant(
    tmp_path: Path,
) -> None:
    notes = {"a/one.md": "(tides)=", "two.md": "(tides)=", "guides/from.md": "[x](tides)"}

    assert ends(read(tmp_path, dict.fromkeys(VAULT, "") | notes)) == ["two"]


def test_boxes_in_boxes_are_read_to_a_depth(tmp_path: Path) -> None:
    depth = 1_000
    opening = "\n".join("`" * (depth + 3 - level) + "{note}" for level in range(depth))

    assert linked(tmp_path, f"{opening}\n[a](../Home.md)") == []
    assert linked(tmp_path, "`````{note}\n````{tip}\n```{card}\n[a](../Home.md)") == ["Home"]


@pytest.mark.parametrize(
    "front_matter",
    [
        "---\nredirect_from: /old/sea/\n---\n",
        '---\nredirect_from:\n  - "/older/"\n  - /old/sea/\n---\n',
        "---\nredirect_from:\n- /old/sea/\ntitle: Sea\n---\n",
        "---\naliases: [/older/, '/old/sea/']\n---\n",
        '+++\naliases = ["/older/", "/old/sea"]\n+++\n',
        '+++\naliases = [\n  "/older/",\n  "/old/sea"\n]\n+++\n',
    ],
)
def test_a_former_address_of_a_note_leads_to_it(tmp_path: Path, front_matter: str) -> None:
    notes = {"new/sea.md": f"{front_matter}Text.", "from.md": "[a](/old/sea/) [b](/old/lake/)"}

    assert ends(read(tmp_path, notes), "from.md") == ["sea"]


def test_a_former_address_gives_way_to_a_note_that_has_it_now(tmp_path: Path) -> None:
    notes = {
        "a.md": "---\nredirect_from: /old/sea/\n---\n",
        "b.md": "---\npermalink: /old/sea/\n---\n",
        "c.md": "---\nredirect_from: [/d/, /old/sea/]\n---\n",
        "d/_index.md": "Text.",
        "from.md": "[a](/old/sea/) [b](/d/)",
    }

    assert ends(read(tmp_path, notes), "from.md") == ["b", "_index"]


def test_a_long_list_of_former_addresses_is_read_in_a_moment(tmp_path: Path) -> None:
    lines = "\n".join(f"- /old/{number}/" for number in range(50_000))
    hostile = "redirect_from:" + "\n -" * 50_000
    notes = {
        "a.md": f"---\nredirect_from:\n{lines}\n---\n",
        "b.md": f"---\n{hostile}\n---\n",
        "from.md": "[a](/old/7/)",
    }

    assert ends(read(tmp_path, notes), "from.md") == ["a"]
