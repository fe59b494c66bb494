"""What a Markdown text says outside of code: the words in which names can be mentioned."""

import re
from collections.abc import Iterator

from markdown_it import MarkdownIt
from markdown_it.token import Token

_MARKDOWN = MarkdownIt("commonmark")
_HTML = re.compile(r"<!--.*?(?:-->|\Z)|<[^<>]*>", re.DOTALL)


def prose(text: str) -> str:
    """The text without code, be it fenced, indented or inside a line, and without markup.

    Comments and tags of HTML are left out as well; what stands between tags stays.
    """
    return "\n\n".join(_blocks(text))


def _blocks(text: str) -> Iterator[str]:
    for token in _MARKDOWN.parse(text):
        if token.type == "inline":
            yield "".join(_piece(child) for child in token.children or ())
        elif token.type == "html_block":
            yield _HTML.sub(" ", token.content)


def _piece(token: Token) -> str:
    if token.type in {"softbreak", "hardbreak"}:
        return "\n"
    if token.type in {"code_inline", "html_inline"}:
        return " "
    return token.content
