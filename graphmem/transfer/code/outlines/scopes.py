"""Which of several variables of a name is meant at a place of a function: the innermost one."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tree_sitter import Node

from graphmem.transfer.code.languages import Family
from graphmem.transfer.code.outlines.outline import Arguments, Path, Symbol

# A person's function has fewer variables of a name; each is looked at for each use.
MOST_OF_A_NAME = 200
Span = tuple[int, int]
Key = tuple[Symbol | None, str]
# The scope of what is declared in no scope inside of its symbol.
_EVERYWHERE: Span = (0, 2**63)

# The nodes whose variables are seen in them alone.
_SCOPES: Mapping[Family, frozenset[str]] = {
    "c": frozenset(
        {"catch_clause", "compound_statement", "field_declaration_list", "for_range_loop",
         "for_statement", "function_definition", "if_statement", "lambda_expression",
         "switch_statement", "while_statement"}
    ),
    "csharp": frozenset(
        {"block", "catch_clause", "for_statement", "foreach_statement", "lambda_expression",
         "local_function_statement", "using_statement"}
    ),
    "ecmascript": frozenset(
        {"arrow_function", "catch_clause", "class_body", "for_in_statement", "for_statement",
         "function_declaration", "function_expression", "generator_function",
         "generator_function_declaration", "method_definition", "statement_block", "switch_body"}
    ),
    "go": frozenset(
        {"block", "communication_case", "expression_case", "for_statement", "func_literal",
         "if_statement", "type_case"}
    ),
    "java": frozenset(
        {"anonymous_function", "block", "catch_block", "catch_clause", "class_body",
         "constructor_declaration", "enhanced_for_statement", "for_statement",
         "function_declaration", "lambda_expression", "lambda_literal", "method_declaration",
         "try_with_resources_statement"}
    ),
    "python": frozenset(
        {"dictionary_comprehension", "function_definition", "generator_expression", "lambda",
         "list_comprehension", "set_comprehension"}
    ),
    "rust": frozenset(
        {"block", "closure_expression", "for_expression", "function_item", "if_expression",
         "match_arm", "while_expression"}
    ),
    "swift": frozenset({"function_declaration", "lambda_literal"}),
}  # fmt: skip

# Loops whose variable is seen in their bodies, and not in what they go through.
_LOOPS = frozenset(
    {"enhanced_for_statement", "for_expression", "for_in_statement", "for_range_loop",
     "foreach_statement"}
)  # fmt: skip
# In Go, Kotlin, Rust and Swift a variable is seen behind its declaration.
_SEEN_BEHIND = frozenset(
    {"let_declaration", "property_declaration", "range_clause", "short_var_declaration",
     "var_declaration"}
)  # fmt: skip
# What `var` of scripts passes on its way to its function.
_BLOCKS = frozenset(
    {"catch_clause", "for_in_statement", "for_statement", "statement_block", "switch_body"}
)


@dataclass(frozen=True, slots=True)
class Declaration:
    """Where a variable is declared.

    Args:
        origin: The symbol in which it is, or None for the module level.
        name: What it is called.
        node: Its name there.
        start: Where the symbol begins, in bytes.
    """

    origin: Symbol | None
    name: str
    node: Node
    start: int


class Scopes:
    """Renames the variables of a symbol by their scopes.

    Args:
        family: Of the file's language.
        declarations: Of all variables of the file.
    """

    def __init__(self, family: Family, declarations: Iterable[Declaration]) -> None:
        kinds = _SCOPES.get(family, frozenset())
        # In Python an assignment is no declaration: it gives the same variable another value.
        self._rebinds = family == "python"
        by_name: dict[Key, list[Declaration]] = {}
        for declaration in declarations if kinds else ():
            key = (declaration.origin, declaration.name)
            by_name.setdefault(key, []).append(declaration)
        # The scopes of each name, the innermost first; none where it means one thing everywhere.
        self._spans: dict[Key, list[Span]] = {}
        # Those of the variables themselves, by where their names stand.
        self._own: dict[int, Span] = {}
        for key, of_name in by_name.items():
            is_bounded = len(of_name) <= MOST_OF_A_NAME
            spans = [_scope(declaration, kinds) for declaration in of_name if is_bounded]
            spans = _from_assignments(of_name, spans, kinds) if self._rebinds else spans
            is_told_apart = any(span != _EVERYWHERE for span in spans)
            self._spans[key] = sorted({*spans}, key=_length) if is_told_apart else []
            if is_told_apart:
                starts = (declaration.node.start_byte for declaration in of_name)
                self._own.update(zip(starts, spans, strict=True))
        self._names = {name for (_, name), spans in self._spans.items() if spans}

    def path(
        self, origin: Symbol | None, path: Path, offset: int, *, variable: int | None = None
    ) -> Path:
        """A path whose first name is that of the variable that is meant.

        Args:
            origin: The symbol in which it stands.
            path: The names.
            offset: Where, in bytes.
            variable: Where the name of a variable stands whose value the path gives, so that one of
                the same name around it is meant.
        """
        name = path[0]
        if name not in self._names:
            return path
        spans = self._spans.get((origin, name), self._spans.get((None, name), []))
        around = [span for span in spans if span[0] <= offset < span[1]]
        own = None if variable is None else self._own.get(variable)
        others = [span for span in around if span != own]
        # Where a declaration begins a scope, its value has the name as it is outside of functions.
        meant = others or (around if variable is None or self._rebinds else [])
        return _named(path, meant[0]) if meant else path

    def own_path(self, path: Path, node: Node) -> Path:
        """The path of a variable itself, whose name is a node."""
        span = self._own.get(node.start_byte)
        return path if span is None or len(path) > 1 else _named(path, span)

    def arguments(
        self, origin: Symbol | None, arguments: Arguments | None, offset: int
    ) -> Arguments | None:
        """What a call gives, the variables in it by the names of those that are meant."""
        if not arguments or self._names.isdisjoint(argument[1:] for argument in arguments):
            return arguments
        return tuple(
            f"${self.path(origin, (argument[1:],), offset)[0]}"
            if argument.startswith("$")
            else argument
            for argument in arguments
        )


def _scope(declaration: Declaration, kinds: frozenset[str]) -> Span:
    node, start = declaration.node.parent, None
    is_of_function = False
    while node is not None and node.start_byte >= declaration.start:
        if node.type in kinds and not (is_of_function and node.type in _BLOCKS):
            body = node.child_by_field_name("body") if node.type in _LOOPS else None
            first = node.start_byte if start is None else start
            return first if body is None else body.start_byte, node.end_byte
        if node.type in _SEEN_BEHIND:
            start = node.end_byte
        is_of_function = is_of_function or (
            node.type == "variable_declaration" and "statement_block" in kinds
        )
        node = node.parent
    return _EVERYWHERE


def _from_assignments(
    declarations: Sequence[Declaration], scopes: Sequence[Span], kinds: frozenset[str]
) -> list[Span]:
    """Where the values of a variable of Python are seen: each from its assignment on.

    One in a branch or a loop, which may not be done, is seen with that before it.

    Args:
        declarations: Those of one name.
        scopes: What each is declared in.
        kinds: The nodes that are scopes.
    """
    starts = [_start(declaration, kinds) for declaration in declarations]
    spans: list[Span] = []
    for declaration, own_scope, own_start in zip(declarations, scopes, starts, strict=True):
        place = declaration.node.start_byte if own_start is None else own_start
        earlier = (
            start
            for start, scope in zip(starts, scopes, strict=True)
            if start is not None and start <= place and scope == own_scope
        )
        spans.append((max(earlier, default=own_scope[0]), own_scope[1]))
    return spans


def _start(declaration: Declaration, kinds: frozenset[str]) -> int | None:
    """Where a value is seen from that a function gives a variable on every way through it.

    None for what stands in a block inside of the function's, and for parameters.
    """
    node = declaration.node
    is_question = node.parent is not None and node.parent.type == "argument_list"
    while (parent := node.parent) is not None and parent.type not in kinds:
        if parent.type == "block":
            is_sure = parent.parent is not None and parent.parent.type in kinds
            if is_question:
                is_sure = is_sure and node.type == "assert_statement"
            is_whole = node.type in {"assert_statement", "expression_statement"}
            return (node if is_whole else declaration.node).end_byte if is_sure else None
        node = parent
    return None


def _named(path: Path, span: Span) -> Path:
    return path if span == _EVERYWHERE else (f"{path[0]}@{span[0]}", *path[1:])


def _length(span: Span) -> int:
    return span[1] - span[0]
