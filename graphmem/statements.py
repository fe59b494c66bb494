"""The statements: one `.cypher` file each, its header the documentation of the call.

The folder is the access mode: `schema`, `read` or `write`; in it, what only one foreign tool needs
lies in a folder of that tool. A line `// include search/expand` of a statement is replaced by the
body of `fragments/search/expand.cypher`, which may include others; in
`// include search/passes(entity = neighbour)` that one identifier has another name, and in
`// include search/name_leg(.name_queries = .scope_names)` that field of the parameter. The
top-level `cypher/` folder is in the wheel as `graphmem/cypher`; a checkout is read in place.

A store has a second property and index for embeddings, so that one set of them is searched while
another is made. Cypher takes neither name as a parameter of a search, so a statement exists for
both: `read/search_plain@2` is `read/search_plain` with the names of the second.

The server plans a statement anew for every order of magnitude of the length of a list or a text
that is a parameter, so a statement is sent with all its parameters in one map, `$parameters.keys`
for `$keys`; one that declares the fields of its only parameter has that map already.
"""

import re
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Literal

Access = Literal["schema", "read", "write"]
ACCESSES: tuple[Access, ...] = ("schema", "read", "write")

FRAGMENTS = "fragments"

# What embeddings are kept in, and the index of each; sets of embeddings take turns in them.
EMBEDDING_PROPERTIES = ("embedding", "embedding_2")
EMBEDDING_INDEXES = ("graphmem_passage_embedding", "graphmem_passage_embedding_2")
_SECOND = "@2"
_SUFFIX = ".cypher"

_PARAMETER = re.compile(r"^// \$(\w+)\s", re.MULTILINE)
_FIELD = re.compile(r"^//   \.(\w+)\s", re.MULTILINE)
_INCLUDE = re.compile(
    r"^(?P<indent> *)// include (?P<name>\w+/\w+)"
    r"(?:\((?P<identifier>\.?\w+) = (?P<other>\.?\w+)\))?\n",
    re.MULTILINE,
)
_USE_OF_PARAMETER = re.compile(r"\$(?=\w)")
_COMMENT = re.compile(r"^\s*//")
_HEADER = re.compile(r"\A(?://.*\n)*")
_OF_FIRST = re.compile(r"\b(?:passage\.embedding|graphmem_passage_embedding)\b")


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement as its file has it, with the fragments it includes.

    Args:
        name: `folder/stem`, such as `read/search`.
        access: The folder: schema, read or write.
        text: The header of the file and the whole statement, without the fragments' headers.
        sent_text: The text as the server gets it, its parameters fields of one map.
        parameters: The names the header declares.
        fields: The fields that the header and those of the fragments declare of a map parameter.
    """

    name: str
    access: Access
    text: str
    sent_text: str
    parameters: frozenset[str]
    fields: frozenset[str]

    def sent_parameters(self, parameters: Mapping[str, object]) -> dict[str, object]:
        """The parameters as the server gets them, by the names that the header declares."""
        is_nested = self.sent_text != self.text
        return {"parameters": dict(parameters)} if is_nested else dict(parameters)


def folder() -> Traversable:
    """The folder of the statements: in the wheel beside this module, in a checkout above it."""
    in_package = files("graphmem") / "cypher"
    return in_package if in_package.is_dir() else Path(__file__).resolve().parents[1] / "cypher"


@dataclass(frozen=True, slots=True)
class Fragment:
    """A part of statements: a subquery, a branch of a union or its end, or a condition.

    Args:
        name: `group/stem`, such as `search/expand`.
        header: The first line a sentence, then what comes in, its fields, and what goes out.
        body: Its clauses as the file has them; lines that include others stay as they are.
    """

    name: str
    header: str
    body: str

    @property
    def fields(self) -> frozenset[str]:
        """The fields of the statement's parameter that its header declares."""
        return frozenset(_FIELD.findall(self.header))


@cache
def load(name: str) -> Statement:
    """Read one statement by its name, such as `read/search_plain`, and put its fragments in.

    A name that ends in `@2` gives the statement with the second property and index of embeddings.

    Raises:
        FileNotFoundError: No file has that name, or that of a fragment.
    """
    file = name.removesuffix(_SECOND)
    access, _, stem = file.partition("/")
    if access not in ACCESSES:
        raise FileNotFoundError(
            f"cypher/{file}{_SUFFIX}: the folder is one of {', '.join(ACCESSES)}"
        )
    text = (folder() / access / f"{stem}{_SUFFIX}").read_text(encoding="utf-8-sig")
    parts = [fragment(part) for part in included(text)]
    fields = frozenset(_FIELD.findall(text)).union(*(part.fields for part in parts))
    whole_text = assembled(text)
    if name != file:
        whole_text = _OF_FIRST.sub(r"\g<0>_2", whole_text)
    # Names of indexes and the like must be parameters of their own.
    is_nested = access != "schema" and not fields
    return Statement(
        name=name,
        access=access,
        text=whole_text,
        sent_text=_with_one_parameter(whole_text) if is_nested else whole_text,
        parameters=frozenset(_PARAMETER.findall(text)),
        fields=fields,
    )


def _with_one_parameter(text: str) -> str:
    """A statement whose parameters are fields of one; comments stay as they are."""
    return "".join(
        line if _COMMENT.match(line) else _USE_OF_PARAMETER.sub("$parameters.", line)
        for line in text.splitlines(keepends=True)
    )


def of_embeddings(name: str, number: int) -> str:
    """The name of the statement that uses a set of embeddings: sets of odd numbers are second."""
    return f"{name}{_SECOND}" if number % 2 else name


def embedding_property(number: int) -> str:
    """The property of passages that a set of embeddings is kept in."""
    return EMBEDDING_PROPERTIES[number % 2]


def embedding_index(number: int) -> str:
    """The name of the index of a set of embeddings."""
    return EMBEDDING_INDEXES[number % 2]


@cache
def fragment(name: str) -> Fragment:
    """Read one fragment by its name, such as `search/expand`.

    Raises:
        FileNotFoundError: No file has that name.
    """
    group, _, stem = name.partition("/")
    text = (folder() / FRAGMENTS / group / f"{stem}{_SUFFIX}").read_text(encoding="utf-8-sig")
    body = _HEADER.sub("", text)
    return Fragment(name, text.removesuffix(body), body)


def included(text: str) -> tuple[str, ...]:
    """The names of all fragments a text includes, those of its fragments too, each once."""
    names: dict[str, None] = {}
    for line in _INCLUDE.finditer(text):
        names |= dict.fromkeys((line["name"], *included(_body(line))))
    return tuple(names)


def assembled(text: str) -> str:
    """Put the bodies of fragments in the place of the lines that include them.

    Raises:
        FileNotFoundError: No file has the name of a fragment.
    """
    return _INCLUDE.sub(lambda line: textwrap.indent(assembled(_body(line)), line["indent"]), text)


def _body(line: re.Match[str]) -> str:
    """The body of a fragment that a line includes, one identifier renamed where the line says so.

    An identifier is also the name of a fragment that the body includes, but not what the body
    renames of such a one; what begins with a dot is a field of the statement's parameter.
    """
    body = fragment(line["name"]).body
    if line["identifier"] is None:
        return body
    lookbehind = r"(?<=\$search)" if line["identifier"].startswith(".") else r"(?<![\w.$:])"
    identifier = rf"{lookbehind}{re.escape(line['identifier'])}(?!\w| = \.?\w+\)$)"
    return re.sub(identifier, line["other"], body, flags=re.MULTILINE)
