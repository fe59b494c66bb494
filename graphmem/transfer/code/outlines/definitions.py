"""The definitions of a file: which stand in which, where each begins and ends, what it says."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from tree_sitter import Node

from graphmem.transfer.code.files.folder import CodeFile
from graphmem.transfer.code.languages import Language
from graphmem.transfer.code.outlines import names
from graphmem.transfer.code.outlines.arities import arity_of
from graphmem.transfer.code.outlines.definition import (
    KINDS,
    Definition,
    combined_definition,
    definition_of,
)
from graphmem.transfer.code.outlines.excerpts import (
    ends_line,
    ends_with,
    excerpt,
    last_row,
    line_start,
)
from graphmem.transfer.code.outlines.namesakes import without_namesakes
from graphmem.transfer.code.outlines.outline import Source, Symbol
from graphmem.transfer.code.outlines.parsing import Match
from graphmem.transfer.code.outlines.signatures import ELLIPSIS, signature_of
from graphmem.transfer.code.outlines.spans import Spans
from graphmem.transfer.code.outlines.type_parts import parts_of

# What stands deeper belongs to the text of what is around it.
DEEPEST = 12
# What is defined inside of these belongs to their text.
_WITHOUT_MEMBERS = frozenset({"function", "constant"})
# Without a body, the first line of these is their signature; of a type it is all of it.
_OF_ONE_LINE = frozenset({"constant", "macro", "type", "function"})
# Files of C and C++ that none other includes, so that none has their macros.
_WITHOUT_READERS = (".c", ".cc", ".cpp", ".cxx", ".cu")
# What is `static` in these is of each file that includes them.
_HEADERS = (".h", ".hh", ".hpp", ".hxx", ".inc", ".ipp", ".cuh")

_REST_OF_LINE = re.compile(rb"[ \t]*[;,)]*[ \t]*(?=\n|\Z)")
# What a script's functions are assigned to without being its members.
_NO_OWNERS = frozenset({"", "exports", "module.exports", "this", "self", "window", "globalThis"})


@dataclass(frozen=True, slots=True)
class Definitions:
    """The definitions of a file that are symbols, by their beginning, and the text beside them."""

    symbols: Sequence[Definition]
    starts: Sequence[int]
    text: str

    def around(self, offset: int) -> Definition | None:
        """The innermost one around an offset in bytes, or None for the module level."""
        index = bisect_right(self.starts, offset) - 1
        parent = self.symbols[index] if index >= 0 else None
        while parent is not None and parent.end <= offset:
            parent = parent.symbol_parent
        return parent

    def symbol_at(self, node: Node) -> Symbol | None:
        """The innermost symbol around the beginning of a node, or None for the module level."""
        around = self.around(node.start_byte)
        return None if around is None else around.symbol


def definitions(
    file: CodeFile, source: bytes, captures: Sequence[Match], *, test: bool
) -> Definitions:
    """Read the definitions of a file.

    What is defined inside a function belongs to that function's text and is no symbol of its own.

    Args:
        file: Which.
        source: Its bytes.
        captures: What the queries captured in it.
        test: Whether all of it holds tests.
    """
    by_name = _by_name(captures, file.language)
    by_start = sorted(by_name, key=lambda item: (item.start, -item.end))
    _note_overloads(captures, by_start)
    symbols = _nest(by_start)
    comments = {last_row(node): node for node in _nodes_of(captures, "comment")}
    _place(symbols, by_start, source, comments)
    tests, static = (Spans(_nodes_of(captures, capture)) for capture in ("testing", "static"))
    for definition in reversed(symbols):
        is_test = test or tests.hold(definition.start)
        is_static = static.hold(definition.start)
        definition.symbol = _symbol(file.path, source, definition, test=is_test, static=is_static)
        definition.source = _source_of(source, definition)
    top_level = [item for item in symbols if item.symbol_parent is None]
    spans = [(item.text_start, item.text_end, "") for item in top_level]
    text = excerpt(source, 0, len(source), spans)
    return Definitions(symbols, [definition.start for definition in symbols], text)


def _nodes_of(captures: Iterable[Match], capture: str) -> list[Node]:
    return [match.nodes[capture] for match in captures if capture in match.nodes]


def _by_name(captures: Iterable[Match], language: Language) -> list[Definition]:
    """One definition for each name, of all the patterns that found it."""
    hidden_spans = {(node.start_byte, node.end_byte) for node in _nodes_of(captures, "hidden")}
    runtime_starts = {node.start_byte for node in _nodes_of(captures, "runtime")}
    by_name: dict[int, Definition] = {}
    for match in captures:
        capture = next((kind for kind in KINDS if kind in match.nodes), None)
        node = match.nodes.get("name") or match.nodes.get("path")
        if capture is None or node is None:
            continue
        definition = definition_of(match, capture)
        if language.has_typed_parameters and capture == "function":
            arity, types = arity_of(match, match.nodes[capture])
            definition.parameters = (types,) if types else ()
            definition.arity = arity if language.has_overloads else None
        definition.secondary = definition.start in runtime_starts
        if definition.name and (definition.start, definition.end) not in hidden_spans:
            earlier = by_name.get(node.start_byte)
            by_name[node.start_byte] = (
                definition if earlier is None else combined_definition(earlier, definition)
            )
    return list(by_name.values())


def _note_overloads(captures: Iterable[Match], by_start: Sequence[Definition]) -> None:
    """Have functions take what their overloads take, which stand before them.

    In Python these are definitions themselves.
    """
    overloads = [
        (match.nodes["overload"].start_byte, names.short(match.text("name")), match)
        for match in captures
        if "overload" in match.nodes
    ]
    starts = [definition.start for definition in by_start] if overloads else []
    ways: dict[int, list[tuple[str, ...]]] = {}
    for start, name, match in overloads:
        index = bisect_left(starts, start)
        below = by_start[index] if index < len(by_start) else None
        if below is not None and below.start == start:
            below.secondary = True
        elif below is not None and below.name == name:
            ways.setdefault(index, []).append(arity_of(match, match.nodes["overload"])[1])
    for index, types in ways.items():
        by_start[index].parameters = tuple(types)


def _nest(by_start: Sequence[Definition]) -> list[Definition]:
    """Find each one's parent and path; gives those that are symbols."""
    symbols: list[Definition] = []
    enclosing: list[Definition] = []
    for definition in by_start:
        while enclosing and enclosing[-1].end <= definition.start:
            enclosing.pop()
        parent = enclosing[-1] if enclosing else None
        enclosing.append(definition)
        if parent is not None and (not parent.path or parent.capture in _WITHOUT_MEMBERS):
            continue  # its parent belongs to a function, or is one
        is_owned = definition.owner not in _NO_OWNERS and not (parent and parent.kind)
        owner = names.path_of(definition.owner) if is_owned else ()
        path = (*(() if parent is None else parent.path), *(owner or ()), definition.name)
        if owner is None or len(path) > DEEPEST:
            continue
        definition.parent, definition.path = parent, path
        if definition.capture in {"namespace", "extension"}:
            continue
        symbols.append(definition)
    kept = list(without_namesakes(symbols))
    for definition in kept:
        symbol_parent = definition.symbol_parent
        if symbol_parent is not None and definition.capture != "constant":
            symbol_parent.members.append(definition)
    return kept


def _kind(definition: Definition) -> str:
    is_inside = definition.parent is not None and definition.parent.capture != "namespace"
    is_owned = is_inside or definition.owner not in _NO_OWNERS
    return "Method" if definition.kind == "Function" and is_owned else definition.kind


def _place(
    symbols: Sequence[Definition], by_start: Sequence[Definition], source: bytes,
    comments: dict[int, Node],
) -> None:  # fmt: skip
    """Say where each one's text starts and ends: whole lines where no other shares them."""
    edges = sorted(edge for definition in by_start for edge in (definition.start, definition.end))
    for definition in symbols:
        line = line_start(source, definition.start)
        is_alone = bisect_left(edges, definition.start) == bisect_left(edges, line)
        definition.text_start = line if is_alone else definition.start
        row = definition.row - 1
        while is_alone and (comment := comments.get(row)) is not None:
            line = line_start(source, comment.start_byte)
            if source[line : comment.start_byte].strip() or not ends_line(source, comment):
                break
            definition.text_start, row = line, comment.start_point.row - 1
        rest_of_line = _REST_OF_LINE.match(source, definition.end)
        definition.text_end = rest_of_line.end() if rest_of_line else definition.end
        remark = comments.get(definition.last_row)
        if definition.capture == "constant" and remark is not None and is_alone:
            is_behind = ends_with(source, definition.end, remark)
            definition.text_end = remark.end_byte if is_behind else definition.text_end


def _symbol(file: str, source: bytes, item: Definition, *, test: bool, static: bool) -> Symbol:
    signature = _signature(source, item)
    implements = "" if item.parent is None else item.parent.implements
    symbol = Symbol(
        file=file,
        kind=_kind(item),
        path=item.path,
        first_line=item.row + 1,
        last_line=item.last_row + 1,
        signature=signature,
        test=test,
        private=item.private,
        returns=names.type_of(item.returns) if item.returns else None,
        parts=parts_of(item.returns),
        wrapper=names.wrapper_of(item.returns),
        extended=names.type_of(item.extended) if item.extended else None,
        static=static,
        abstract=item.abstract,
        implements=names.type_of(implements) if implements else None,
        arity=item.arity,
        parameters=item.parameters,
    )
    is_of_its_file = symbol.kind == "Macro" and file.endswith(_WITHOUT_READERS)
    is_private = is_of_its_file or "private" in symbol.modifiers
    is_included = symbol.private and file.endswith(_HEADERS)
    return replace(symbol, private=is_private or (symbol.private and not is_included))


def _source_of(source: bytes, definition: Definition) -> Source:
    source_bytes = source[definition.text_start : definition.text_end]
    text = full_text = source_bytes.decode("utf-8", "replace")
    if definition.members:
        outlines = [_outline(source, member) for member in definition.members]
        text = excerpt(source, definition.text_start, definition.text_end, outlines)
    return Source(text.rstrip(), full_text.rstrip() if definition.members else None)


def _signature(source: bytes, definition: Definition) -> str:
    start = definition.signature
    if start == definition.start:
        line = line_start(source, start)
        start = line if definition.text_start <= line else start
    declaration = source[start : max(start, definition.body)].decode("utf-8", "replace")
    if definition.abstract:
        declaration = declaration.removesuffix(";")
    elif definition.body >= definition.end and definition.capture in _OF_ONE_LINE:
        declaration = declaration.partition("\n")[0]
    return signature_of(declaration, definition.name)


def _outline(source: bytes, definition: Definition) -> tuple[int, int, str]:
    """The place of a member, and the signature that stands for it in its type's text."""
    indent = source[line_start(source, definition.start) : definition.start]
    indentation = "" if indent.strip() else indent.decode()
    last = source[definition.end - 1 : definition.text_end]
    ending = (";" if b";" in last else "") if definition.abstract else ELLIPSIS
    signature = f"{indentation}{_signature(source, definition)}{ending}"
    return definition.text_start, definition.text_end, signature
