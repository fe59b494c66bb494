"""The passages that a text is split into."""

from itertools import pairwise

from hypothesis import example, given
from hypothesis import strategies as st

from graphmem.write.assertions.splitting import FRAGMENT_CHARACTERS, split_text

LONGEST_PASSAGE = 1000
ANY_TEXT = st.text(st.characters(codec="utf-8"))
PIECES = st.sampled_from(
    [
        "# A heading\n", "## Another\n\n", "\n\n", "\n", " ", "\t", "- an item\n", "1. first\n",
        "| a | b |\n|---|---|\n| 1 | 2 |\n", "```python\nx = 1\n\n\ny = 2\n```\n", "> quoted\n",
        "[[Link]]", "A sentence of some words. ", "Слова на другом языке. ", "用中文写的句子。",
        "\r\n", "\u2028", "\u00a0", "👩‍👩‍👧", "e\u0301", "a" * 400, "no-blank-" * 120, "\x0b\x0c",
        "---\n", "***\n", "<div>\n", "</div>\n", "&amp;", "    code\n", "\\", "`", "**", "_",
    ]
)  # fmt: skip
DOCUMENTS = st.lists(st.tuples(PIECES, st.integers(1, 40)), max_size=30).map(
    lambda pieces: "".join(piece * times for piece, times in pieces)
)


@given(DOCUMENTS | ANY_TEXT)
@example("# Heading\n\n" + "word " * 600)
@example(" " * 3000 + "word" + " " * 3000)
@example("\n" * 5000 + "word")
@example("x" * 120_000)
@example("A paragraph of some words.\n\n" * 5000)
def test_passages_joined_are_the_text_and_each_is_short(written: str) -> None:
    pieces = split_text(written)

    assert "".join(pieces) == (written if written.strip() else "")
    assert all(1 <= len(piece) <= LONGEST_PASSAGE for piece in pieces)


def test_a_heading_stands_with_what_follows_it() -> None:
    items = "".join(f"- [package {number}](#{number}) is one of many.\n" for number in range(80))
    written = f"# Packages\n\n## Command-line apps\n\n{items}\n## HTTP\n\n{items}"
    pieces = split_text(written)

    assert "".join(pieces) == written
    assert [piece for piece in pieces if "- [" not in piece] == []
    assert pieces[0].startswith("# Packages\n\n## Command-line apps\n\n- [package 0]")


def test_the_first_line_of_a_block_of_code_and_its_last_stand_with_its_lines() -> None:
    block = "```java\n" + "    store.open();\n" * 120 + "```\n"
    pieces = split_text(f"# Opening\n\n{'A paragraph of some words. ' * 36}\n\n{block}")

    assert len(pieces) > 3
    assert [piece for piece in pieces if piece.strip() in {"```java", "```"}] == []


PARAGRAPHS = st.lists(
    st.tuples(
        st.sampled_from(["word ", "A sentence of some words. ", "no-blank-", "- an item\n"]),
        st.integers(1, 90),
        st.sampled_from(["\n", "\n\n", "\n\n\n", " \n\n", "\r\n\r\n"]),
    ),
    min_size=1,
    max_size=12,
)


@given(PARAGRAPHS)
@example([("word ", 199, "\n\n")])
def test_blank_lines_of_a_long_text_stand_beside_words_where_there_is_room(
    paragraphs: list[tuple[str, int, str]],
) -> None:
    section = "".join(piece * times + end for piece, times, end in paragraphs)
    written = section * (120_000 // len(section))
    pieces = split_text(written)

    assert "".join(pieces) == written
    for place, piece in enumerate(pieces):
        beside = pieces[max(0, place - 1) : place] + pieces[place + 1 : place + 2]
        has_room = any(len(piece) + len(other) <= LONGEST_PASSAGE for other in beside)
        assert piece.strip() or not has_room, place


def test_no_passage_of_a_long_text_of_paragraphs_is_blank() -> None:
    for words in range(150, 190):
        assert all(map(str.strip, split_text(f"{'word ' * words}\n\n" * 60))), words


def test_the_largest_passages_have_no_room_for_the_blank_lines_between() -> None:
    paragraph = "x" * LONGEST_PASSAGE

    assert split_text(f"{paragraph}\n\n{paragraph}") == [paragraph, "\n\n", paragraph]


def test_a_short_text_is_one_passage() -> None:
    assert split_text("# Title\n\nOne paragraph.\n") == ["# Title\n\nOne paragraph.\n"]


def test_a_long_text_is_split_at_its_headings() -> None:
    sections = [f"## Section {number}\n\n{'Some words of it. ' * 35}\n\n" for number in range(5)]

    assert [piece.partition("\n")[0] for piece in split_text("".join(sections))] == [
        f"## Section {number}" for number in range(5)
    ]


def test_a_huge_text_without_spaces_is_split_at_its_sentences() -> None:
    sentence = "支付网关处理银行卡付款，令牌保存在保险库中。"
    assert all(passage.endswith("。") for passage in split_text(sentence * 3_000))


CODE_LINES = st.sampled_from(
    [
        "/**\n", " * Reads what is stored.\n", " */\n", "# A comment.\n", "- 1\n", "{\n",
        "    }\n", "}\n", "    return self._rows[place]  # the last one\n", "\n", "\n\n", "\t",
        "x" * 90 + "\n", "x" * 1200,
    ]
)  # fmt: skip
CODE = st.lists(st.tuples(CODE_LINES, st.integers(1, 40)), max_size=30).map(
    lambda pieces: "".join(piece * times for piece, times in pieces)
)


@given(CODE | DOCUMENTS)
@example("}\n" * 5_000)
@example("\n" * 5_000 + "}")
@example("    return links\n" * 9_000)
def test_code_joined_is_the_text_and_a_fragment_is_alone_only_without_room(written: str) -> None:
    pieces = split_text(written, is_code=True)

    assert "".join(pieces) == (written if written.strip() else "")
    assert all(1 <= len(piece) <= LONGEST_PASSAGE for piece in pieces)
    for before, after in pairwise(pieces):
        if min(len(before.strip()), len(after.strip())) < FRAGMENT_CHARACTERS:
            assert len(before) + len(after) > LONGEST_PASSAGE


def test_code_is_split_between_its_functions() -> None:
    functions = [
        f"# Number {number} of the readers.\ndef read_{number}():\n" + "    read()\n" * 60
        for number in range(4)
    ]
    pieces = split_text("\n\n".join(functions), is_code=True)

    assert [piece.strip() for piece in pieces] == [function.strip() for function in functions]


def test_comments_and_closing_brackets_stand_with_the_code_they_belong_to() -> None:
    comment = "/**\n" + " * Reads what is stored and gives it back.\n" * 16 + " */\n"
    method = f"{comment}String read() {{\n{'    step();' * 40}\n  }}\n}}"

    assert min(map(len, split_text(method))) < len("/** */")
    assert min(map(len, split_text(method, is_code=True))) > FRAGMENT_CHARACTERS
