"""Compares the calls that `import code` sees with those that a language server does.

    python benchmarks/calls.py FOLDER --language python --server "basedpyright-langserver --stdio"
                               [--files N] [--answers FILE] [--misses FILE]

Each call in the files of one language is found by its grammar, and the server is asked where the
name that is called is defined. A pair is the innermost symbol around a call and the symbol that is
defined there, both as `import code` has them; what is defined outside of FOLDER or inside of a
function has none. A type and its constructor are the same, and calls of itself do not count.

Of the pairs of the server, `recall` is the share that has a CALLS link. Of the links, `agreed` is
the share that the server has a pair for, by weight; those of weight 0.5 are guesses, one of several
overloads, and functions that are arguments, which no call shows. Callers of which the server knows
no call, such as code for another platform, do not count.
"""

import argparse
import json
import random
import shlex
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from language_server import LanguageServer
from tree_sitter import Language as Grammar
from tree_sitter import Node, Parser

from graphmem.model import Entity, Relation
from graphmem.transfer import FORMATS
from graphmem.transfer.code.languages import LANGUAGES, Language

CALLS = {
    "call": "function",
    "call_expression": "function",
    "method_invocation": "name",
    "function_call_expression": "function",
    "member_call_expression": "name",
    "nullsafe_member_call_expression": "name",
    "scoped_call_expression": "name",
}
# What makes an object, whose type is a child of one of these kinds or has a field `constructor`.
CREATIONS = {"new_expression", "object_creation_expression"}
TYPES = {"generic_type", "name", "qualified_name", "scoped_type_identifier", "type_identifier"}
# From an expression that is called to the name that says what it is.
INWARD = ("attribute", "property", "field", "name", "function", "type")
CONSTRUCTORS = {"__init__", "constructor", "__construct", "init", "new"}


@dataclass(frozen=True, slots=True)
class Symbol:
    """A symbol as it was imported; lines count from 1."""

    name: str
    first: int
    last: int

    @property
    def own_name(self) -> str:
        """The last part of its name."""
        return _last_part(self.name)


@dataclass(frozen=True, slots=True)
class Call:
    """The name in a call; line and column count from 0, the column in UTF-16 code units."""

    text: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Answer:
    """Where the server says that a called name is defined; lines count from 1."""

    path: str
    line: int
    text: str
    file: str
    defined: int


class Symbols:
    """What `import code` reads of a folder."""

    def __init__(self, folder: Path) -> None:
        self.by_path: dict[str, list[Symbol]] = defaultdict(list)
        self.weights: dict[tuple[str, str], float] = {}
        self.languages: dict[str, str] = {}
        links = []
        for row in FORMATS["code"].read(folder):
            if isinstance(row.value, Entity):
                self._add(row.value)
            elif isinstance(row.value, Relation) and row.value.relation == "CALLS":
                links.append(row.value)
        for link in links:
            pair = (self.type_of(link.start), self.type_of(link.end))
            if pair[0] != pair[1]:
                self.weights[pair] = max(link.weight or 1.0, self.weights.get(pair, 0.0))

    def _add(self, entity: Entity) -> None:
        attributes = entity.attributes or {}
        path = str(attributes.get("path", entity.name))
        if "start_line" in attributes and "symbol" in attributes:
            first, last = (int(str(attributes[key])) for key in ("start_line", "end_line"))
            self.by_path[path].append(Symbol(entity.name, first, last))
        self.languages[path] = str(attributes.get("language"))

    def around(self, path: str, line: int) -> str:
        """The innermost symbol at a line, which counts from 1, or the file."""
        around = [symbol for symbol in self.by_path[path] if symbol.first <= line <= symbol.last]
        innermost = min(around, key=lambda symbol: symbol.last - symbol.first, default=None)
        return self.type_of(innermost.name) if innermost else path

    def defined(self, path: str, line: int, text: str) -> str | None:
        """The symbol whose name, or comment, stands at a line; a type for its constructor."""
        around = [symbol for symbol in self.by_path[path] if symbol.first <= line <= symbol.last]
        below = [symbol for symbol in self.by_path[path] if line < symbol.first]
        innermost = min(around, key=lambda symbol: symbol.last - symbol.first, default=None)
        following = min(below, key=lambda symbol: symbol.first, default=None)
        for symbol in (innermost, following):
            if symbol and symbol.own_name in {text, *CONSTRUCTORS}:
                return self.type_of(symbol.name)
        return None

    def type_of(self, name: str) -> str:
        """The type of a constructor, or the symbol itself, each without `~2`."""
        path, _, symbol = name.partition("::")
        symbol = symbol.partition("~")[0]
        owner, separator, own = symbol.rpartition("::" if "::" in symbol else ".")
        if separator and (own in CONSTRUCTORS or own == _last_part(owner)):
            symbol = owner
        return f"{path}::{symbol}" if symbol else path


def main() -> int:
    """Compare and print the shares."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--language", required=True)
    parser.add_argument("--server", help="its command; not needed where its answers are kept")
    parser.add_argument("--options", type=json.loads, help="settings of the server, as JSON")
    parser.add_argument("--files", type=int, default=200, help="the most files, chosen by chance")
    parser.add_argument(
        "--quiet",
        type=float,
        default=10.0,
        help="seconds without a word from the server after which it has read the folder",
    )
    parser.add_argument("--answers", type=Path, help="where the server's answers are kept")
    parser.add_argument("--misses", type=Path, help="where differences are written")
    arguments = parser.parse_args()
    language = next(known for known in LANGUAGES if known.name == arguments.language)
    symbols = Symbols(arguments.folder)
    paths = sorted(path for path, name in symbols.languages.items() if name == arguments.language)
    paths = sorted(random.Random(1).sample(paths, min(arguments.files, len(paths))))
    are_kept = arguments.answers is not None and arguments.answers.exists()
    if not are_kept and not arguments.server:
        parser.error("--server is needed, since no answers are kept")
    if are_kept:
        kept = json.loads(arguments.answers.read_text(encoding="utf-8"))
        answers = [Answer(**answer) for answer in kept]
    else:
        with LanguageServer(
            shlex.split(arguments.server), arguments.folder, arguments.options
        ) as server:
            answers = list(_answers(server, arguments, paths, language))
        if arguments.answers:
            kept = [asdict(answer) for answer in answers]
            arguments.answers.write_text(json.dumps(kept), encoding="utf-8")
    callers = {symbols.around(answer.path, answer.line) for answer in answers}
    _report(_pairs(answers, symbols), symbols, callers, arguments.misses)
    return 0


def _pairs(answers: Sequence[Answer], symbols: Symbols) -> dict[tuple[str, str], str]:
    """What calls what, and where."""
    pairs: dict[tuple[str, str], str] = {}
    for answer in answers:
        caller = symbols.around(answer.path, answer.line)
        callee = symbols.defined(answer.file, answer.defined, answer.text)
        if callee and callee != caller:
            pairs.setdefault((caller, callee), f"{answer.path}:{answer.line}")
    return pairs


def _answers(
    server: LanguageServer, arguments: argparse.Namespace, paths: Sequence[str], language: Language
) -> Iterator[Answer]:
    """What the server says of each call in files."""
    assert language.load
    grammar = Grammar(language.load())
    for done, path in enumerate(paths, 1):
        content = (arguments.folder / path).read_bytes()
        server.open(path, language.name)
        if done == 1:
            server.wait_until_quiet(arguments.quiet)
        for call in _calls(content, grammar):
            for file, line in server.definitions(path, call.line, call.column):
                yield Answer(path, call.line + 1, call.text, file, line + 1)
        server.close(path)
        if sys.stderr.isatty():
            print(f"\r{done} of {len(paths)} files", end="", file=sys.stderr, flush=True)


def _calls(content: bytes, grammar: Grammar) -> Iterator[Call]:
    lines = content.split(b"\n")
    waiting = [Parser(grammar).parse(content).root_node]
    while waiting:
        node = waiting.pop()
        waiting.extend(reversed(node.children))
        name = _name(_called(node))
        if name and name.text:
            row, column = name.start_point
            before = lines[row][:column].decode("utf-8", "replace")
            units = len(before.encode("utf-16-le")) // 2
            yield Call(name.text.decode("utf-8", "replace"), row, units)


def _called(node: Node) -> Node | None:
    """What a call calls, None where the node is no call."""
    if node.type in CREATIONS:
        types = [child for child in node.named_children if child.type in TYPES]
        return node.child_by_field_name("constructor") or next(iter(types), None)
    field = CALLS.get(node.type)
    return node.child_by_field_name(field) if field else None


def _name(node: Node | None) -> Node | None:
    """The name that says what is called; None where that is no name."""
    while node:
        if not node.named_children:
            return node
        inner = next(filter(None, map(node.child_by_field_name, INWARD)), None)
        if inner is None and node.type in {
            "generic_type",
            "scoped_type_identifier",
            "qualified_name",
        }:
            inner = node.named_children[0 if node.type == "generic_type" else -1]
        node = inner
    return None


def _last_part(name: str) -> str:
    return name.rpartition("::")[2].rpartition(".")[2].partition("~")[0]


def _report(
    pairs: Mapping[tuple[str, str], str],
    symbols: Symbols,
    callers: set[str],
    misses: Path | None,
) -> None:
    links = {pair: weight for pair, weight in symbols.weights.items() if pair[0] in callers}
    seen = pairs.keys() & links.keys()
    print(f"{len(pairs)} pairs of the server, {len(links)} links")
    print(f"recall    {len(seen) / max(len(pairs), 1):6.1%}  ({len(seen)} of {len(pairs)})")
    for weight in sorted(set(links.values()), reverse=True):
        of_weight = {pair for pair, value in links.items() if value == weight}
        agreed = len(of_weight & pairs.keys())
        print(
            f"agreed, {weight:.1f} {agreed / len(of_weight):5.1%}  ({agreed} of {len(of_weight)})"
        )
    if misses:
        lines = [
            f"missing\t{pairs[pair]}\t{pair[0]}\t{pair[1]}" for pair in pairs.keys() - links.keys()
        ]
        lines += [
            f"extra {links[pair]}\t\t{pair[0]}\t{pair[1]}" for pair in links.keys() - pairs.keys()
        ]
        misses.write_text("\n".join(sorted(lines)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    raise SystemExit(main())
