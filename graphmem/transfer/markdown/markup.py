"""How the generators of sites write links to documents, beside Markdown's own links.

Jekyll and Hugo fill templates with addresses: `[tides]({% link tides.md %})`. Hugo's `include` and
the snippets of MkDocs (`--8<-- "tides.md"`) show a document in their place. MyST, the Markdown of
Sphinx, has directives that name documents, and labels: `(tides)=` before a heading, to which
`[tides](tides)` leads. Logseq calls a block by an `id::` in it, and links to it by `((id))`. MDX,
that of Docusaurus, begins with what it imports.
"""

import re
from collections.abc import Iterator
from urllib.parse import quote

# What a person writes as a label or a path is shorter.
_LONGEST = 300
_BLOCK = r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"
_TEMPLATE = re.compile(
    rf"""
    \{{%-?\ *link\ +(?P<file>[^\s{{}}%]{{1,{_LONGEST}}})\ *-?%\}}
    | \{{%-?\ *post_url\ +(?P<post>[^\s{{}}%]{{1,{_LONGEST}}})\ *-?%\}}
    | \{{\{{-?\ *(?P<site>site\.(?:base)?url)\ *-?\}}\}}
    | \{{\{{-?\ *"(?P<address>[^"\n]{{1,{_LONGEST}}})"\ *\|\ *(?:relative|absolute)_url\ *-?\}}\}}
    | \{{\{{[<%]\ *include\ +(?:file=)?"(?P<part>[^"\n]{{1,{_LONGEST}}})"\ *[>%]\}}\}}
    | --8<--\ +"(?P<snippet>[^"\n]{{1,{_LONGEST}}})"
    | \{{\{{[<%]\ *(?:rel)?ref\ +(?:path=)?"(?P<ref>[^"\n]{{1,{_LONGEST}}})"\ *[>%]\}}\}}
    | \(\((?P<block>{_BLOCK})\)\)
    """,
    re.VERBOSE,
)
_LABEL = re.compile(rf"^\(([^()\n]{{1,{_LONGEST}}})\)=[ \t]*$", re.MULTILINE)
_BLOCK_LABEL = re.compile(rf"^[ \t]*+(?:- )?id:: ({_BLOCK})[ \t]*$", re.MULTILINE)
_ROLE = re.compile(rf"\{{(doc|ref|numref)\}}`([^`\n]{{1,{_LONGEST}}})`")
# Those that hold Markdown.
_BOXES = frozenset(
    {
        "admonition", "attention", "card", "caution", "danger", "dropdown", "error", "grid",
        "grid-item", "grid-item-card", "hint", "important", "margin", "note", "seealso", "sidebar",
        "tab-item", "tab-set", "tip", "versionadded", "versionchanged", "warning",
    }
)  # fmt: skip
_INCLUDE = "{include}"
# `import Name from 'module';`, also over several lines.
_IMPORTS = re.compile(
    r"""
    (?: \s*\nimport\s
        (?: [\w$*{},\s]{1,2000} \sfrom\s{1,20} )?
        (?: '[^'\n]+' | "[^"\n]+" ) ;?
        [^\S\n]* (?=\n|\Z)
    )+
    """,
    re.VERBOSE,
)
_CONTENTS = "{toctree}"
_TITLED = re.compile(r".*<([^<>]+)>")


def without_imports(content: str) -> str:
    """The text of an MDX file without the components that it imports at its beginning."""
    match = _IMPORTS.match(f"\n{content}")
    return content if match is None else content[match.end() - 1 :].lstrip("\n")


def with_addresses(content: str) -> str:
    """A text in which templates that stand for the address of a document are that address.

    One that shows a document in its place is an image of it.
    """
    has_templates = any(mark in content for mark in ("{%", "{{", "--8<--", "(("))
    return _TEMPLATE.sub(_address, content) if has_templates else content


def _address(match: re.Match[str]) -> str:
    if match["site"]:
        return ""
    if block := match["block"]:
        return block if match.string.endswith("](", 0, match.start()) else f"[]({block})"
    if part := match["part"] or match["snippet"]:
        return f"![]({quote(part, safe='/')})"
    if match["file"]:
        return quote(f"/{match['file'].lstrip('/')}", safe="/#%")
    if match["post"]:
        return quote(f"{match['post'].rpartition('/')[2]}.md", safe="#%")
    return quote(match["address"] or match["ref"], safe="/#%:?=&.")


def labels_of(content: str) -> Iterator[str]:
    """The labels that a text sets."""
    if ")=" in content:
        yield from (match[1].strip() for match in _LABEL.finditer(content))
    if "id:: " in content:
        yield from (match[1] for match in _BLOCK_LABEL.finditer(content))


def documents_of(directive: str, content: str) -> Iterator[str]:
    """The documents that a directive of MyST names.

    Args:
        directive: What stands behind the mark of its fence, such as `{include} ../README.md`.
        content: What stands in it.
    """
    if directive.startswith(_INCLUDE):
        yield directive.removeprefix(_INCLUDE).strip()
    elif directive.startswith(_CONTENTS):
        for line in _without_options(content):
            if path := _target(line):
                yield path


def is_box(directive: str) -> bool:
    """Whether a directive of MyST holds Markdown, such as `{note}`."""
    return directive.startswith("{") and directive[1:].partition("}")[0] in _BOXES


def _without_options(content: str) -> list[str]:
    lines = [line.strip() for line in content.split("\n")]
    if lines[0] == "---" and "---" in lines[1:]:
        lines = lines[lines.index("---", 1) + 1 :]
    return [line for line in lines if line and not line.startswith(":")]


def role_at(text: str, place: int) -> tuple[str, str, int] | None:
    """The role at a place: what it is called, what it leads to, and where it ends."""
    match = _ROLE.match(text, place)
    return None if match is None else (match[1], _target(match[2]), match.end())


def _target(text: str) -> str:
    """What `Title <target>` or a target alone leads to."""
    match = _TITLED.fullmatch(text)
    return (text if match is None else match[1]).strip()
