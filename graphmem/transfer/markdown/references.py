"""What a note's text refers to outside of code: other notes, the tags of its `#words`, its title.

A note is linked by `[[Note]]`, by `![[Note]]`, which shows it in place, and by ordinary links to
its path. Markdown's own rules tell what is code, an address or an escaped mark.
"""

import itertools
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import quote

from markdown_it import MarkdownIt
from markdown_it.common.utils import normalizeReference
from markdown_it.rules_inline import StateInline, link
from markdown_it.token import Token

from graphmem import text
from graphmem.model import limits
from graphmem.transfer.markdown.indents import without_indents
from graphmem.transfer.markdown.markup import documents_of, is_box, role_at, with_addresses

_WIKI_LINK = re.compile(r"!?\[\[([^\[\]|#]+)(?:#[^\[\]|]*)?(?:\|([^\[\]]*))?\]\]")
# In a tag, beside letters, digits and emoji: those that are joined have U+200D between them.
_IN_TAGS = frozenset("-_/\u200d")
# `#4DB6AC` is a colour; `#facade` is none, since it has no digit.
_COLOUR = re.compile(r"(?=[a-f]*\d)[\da-f]{6}(?:[\da-f]{2})?", re.IGNORECASE | re.ASCII)
_MARKS = ("[[", "](", "#", "}`")
# What Docusaurus and MkDocs call a heading in addresses: `# Tides {#tides}`.
_ANCHOR = re.compile(r"\s*\{\s*#[^{}]*\}\s*\Z")
# Each box in a box is parsed once more.
_DEEPEST_BOX = 4
_UNUSED = ["balance_pairs", "emphasis", "fragments_join"]


@dataclass(frozen=True, slots=True)
class NoteLink:
    """A link as it is written.

    Args:
        target: The name or path in a wiki link, the address of an ordinary link, still encoded, or
            a label.
        form: A wiki link, one that shows its target in place, an ordinary link, or one to a label.
        shown: What stands behind the bar of a wiki link; the page in the wiki of a repository.
    """

    target: str
    form: Literal["wiki", "embed", "address", "label"]
    shown: str = ""


@dataclass(frozen=True, slots=True)
class NoteText:
    """What a text refers to, and what it is called.

    Args:
        links: In order, doubles included.
        tags: Without `#`, each once as it is written first; headings have none.
        title: The only heading of the first level, if no other stands before it, without markup.
    """

    links: tuple[NoteLink, ...]
    tags: tuple[str, ...]
    title: str | None


def read_note_text(content: str) -> NoteText:
    """Read the links, tags and title of a Markdown text."""
    links: list[NoteLink] = []
    tags: dict[str, str] = {}
    env: dict[str, Any] = {}
    blocks = _BLOCKS.parse(without_indents(with_addresses(content)), env)
    for token in _tokens(blocks, env):
        if token.type == "fence":
            documents = documents_of(token.info.strip(), token.content)
            links += [NoteLink(quote(document), "address") for document in documents]
        elif token.type == "role":
            is_document = token.markup == "doc"
            target = quote(token.content) if is_document else token.content
            links.append(NoteLink(target, "address" if is_document else "label"))
        elif token.type == "wiki_link":
            form: Literal["wiki", "embed"] = "embed" if token.markup == "!" else "wiki"
            links.append(NoteLink(token.content, form, token.info))
        elif token.type == "tag":
            tags.setdefault(text.normalised(token.content), token.content)
        elif address := token.attrGet("src" if token.type == "image" else "href"):
            links.append(NoteLink(str(address), "address"))
    return NoteText(tuple(links), tuple(tags.values()), _title(blocks))


def fenced_lines(content: str) -> set[int]:
    """The lines of a Markdown text, from 0, that stand in fences of code."""
    fences = (token.map for token in _BLOCKS.parse(content) if token.type == "fence")
    return {line for fence in fences if fence is not None for line in range(*fence)}


def _title(blocks: Sequence[Token]) -> str | None:
    """The heading that is the title of a text; None where there is none."""
    headings = [
        (block.tag, heading.content)
        for block, heading in itertools.pairwise(blocks)
        if block.type == "heading_open" and block.level == 0
    ]
    if not headings or headings[0][0] != "h1" or [tag for tag, _ in headings].count("h1") > 1:
        return None
    (line,) = _HEADINGS.parseInline(_ANCHOR.sub("", headings[0][1]))
    pieces = (piece.content for piece in line.children or () if piece.type in _WORDS)
    return " ".join("".join(pieces).split()) or None


def _tokens(blocks: Sequence[Token], env: dict[str, Any], depth: int = 0) -> Iterator[Token]:
    """What stands in the paragraphs of a text, without the tags in its headings."""
    before = ""
    for block in blocks:
        directive = block.info.strip() if block.type == "fence" else ""
        if is_box(directive) and depth < _DEEPEST_BOX:
            yield from _tokens(_BLOCKS.parse(block.content, env), env, depth + 1)
        elif directive.startswith("{"):
            yield block
        # Brackets alone are a link where the text says elsewhere what they stand for.
        links = "](" in block.content or ("references" in env and "[" in block.content)
        if block.type == "inline" and (links or any(mark in block.content for mark in _MARKS)):
            parser = _LINKS if links else _NO_LINKS
            tokens: list[Token] = []
            parser.inline.parse(block.content, parser, env, tokens)
            is_heading = before == "heading_open"
            yield from (token for token in tokens if token.type != "tag" or not is_heading)
        before = block.type


def _wiki_link(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - as the library calls it
    """Read `[[Note]]` or `![[Note]]`; `[[1]](address)` is an ordinary link.

    So is `[[1]]` where the text says elsewhere what `[1]` stands for.
    """
    match = _WIKI_LINK.match(state.src, state.pos, state.posMax)
    if match is None:
        return False
    is_embed = match[0].startswith("!")
    if not is_embed and state.src.startswith("(", match.end()) and link(state, silent):
        return True
    label = normalizeReference(match[0].removeprefix("!")[2:-2])
    reference = state.env.get("references", {}).get(label)
    if reference is not None and not silent:
        state.push("link_open", "a", 0).attrSet("href", reference["href"])
    elif not silent:
        token = state.push("wiki_link", "", 0)
        # In a table the bar before what is shown has a backslash.
        token.content = " ".join(match[1].split()).removesuffix("\\")
        token.markup = "!" if is_embed else ""
        token.info = " ".join((match[2] or "").split())
    state.pos = match.end()
    return True


def _tag(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - as the library calls it
    """Read `#tag` or `#tag/inner` after a space; `#123` is a number, `#4db6ac` a colour."""
    if state.src[state.pos] != "#" or (state.pos and not state.src[state.pos - 1].isspace()):
        return False
    end = state.pos + 1
    while end < state.posMax and _is_in_tag(state.src[end]):
        end += 1
    tag = limits.or_none(limits.label, state.src[state.pos + 1 : end].strip("/"))
    if tag is None or not any(mark.isalpha() or _is_emoji(mark) for mark in tag):
        return False
    if _COLOUR.fullmatch(tag):
        return False
    if not silent:
        state.push("tag", "", 0).content = tag
    state.pos = end
    return True


def _role(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - as the library calls it
    """Read a role of MyST that leads to a document or a label, such as ``{doc}`tides` ``."""
    role = role_at(state.src, state.pos) if state.src[state.pos] == "{" else None
    if role is None or role[2] > state.posMax:
        return False
    if not silent:
        token = state.push("role", "", 0)
        token.markup, token.content = role[:2]
    state.pos = role[2]
    return True


def _is_in_tag(mark: str) -> bool:
    return mark in _IN_TAGS or unicodedata.category(mark)[0] in "LMN" or _is_emoji(mark)


def _is_emoji(mark: str) -> bool:
    """Whether it is a picture, or the colour of one."""
    return unicodedata.category(mark) in {"So", "Sk"} and not mark.isascii()


def _parser(*rules: str) -> MarkdownIt:
    """A parser of what stands in one line of text, by these rules of the library and our own."""
    parser = MarkdownIt("commonmark").disable(_UNUSED)
    parser.inline.ruler.enableOnly(
        ["text", "escape", "backticks", "autolink", "html_inline", *rules]
    )
    parser.inline.ruler.before("link", "wiki_link", _wiki_link)
    parser.inline.ruler.before("link", "tag", _tag)
    parser.inline.ruler.before("link", "role", _role)
    return parser


_BLOCKS = MarkdownIt("commonmark").disable("inline")
_HEADINGS = MarkdownIt("commonmark")
_WORDS = frozenset({"text", "code_inline"})
_LINKS = _parser("link", "image")
# Looking for the end of a link at every bracket takes long where there are many.
_NO_LINKS = _parser()
