"""One file of code becomes an outline."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from tree_sitter import Node

from graphmem.transfer.code.files.folder import CodeFile
from graphmem.transfer.code.outlines import names
from graphmem.transfer.code.outlines.anonymous_classes import without_anonymous_classes
from graphmem.transfer.code.outlines.arities import arguments_of, labels
from graphmem.transfer.code.outlines.definitions import Definitions, definitions
from graphmem.transfer.code.outlines.destructuring import destructured_members
from graphmem.transfer.code.outlines.expressions import NO_NAME, path_at, receiver_of
from graphmem.transfer.code.outlines.import_statements import imports_of
from graphmem.transfer.code.outlines.outline import Import, Outline, Path, Symbol, Use
from graphmem.transfer.code.outlines.parsing import Match, matches
from graphmem.transfer.code.outlines.scopes import Scopes
from graphmem.transfer.code.outlines.variables import variables_of

_SELF = frozenset({"self", "cls", "this"})
# A person's function; what names mean inside a longer one takes long to read.
FUNCTION_BYTES = 20_000


def outline_of(file: CodeFile, source: bytes) -> Outline:
    """Read a file of code.

    Raises:
        Refused: Nobody writes such files.
    """
    captures = list(matches(file.language, source)) if file.language.is_parsed else []
    captures = list(without_anonymous_classes(captures))
    test = file.language.is_test(file.path)
    file_definitions = definitions(file, source, captures, test=test)
    imports = tuple(dict.fromkeys(item for match in captures for item in imports_of(match)))
    variables, scopes = variables_of(file.language, captures, file_definitions)
    uses = (
        *_uses(captures, file_definitions, scopes),
        *_function_arguments(captures, file_definitions, imports),
        *_parenless_calls(captures, file_definitions),
    )
    return Outline(
        path=file.path,
        language=file.language,
        lines=source.count(b"\n") + (not source.endswith(b"\n")),
        text=file_definitions.text,
        test=test,
        package=_last_text(captures, "package"),
        default=_last_text(captures, "default") or None,
        symbols=tuple(
            definition.symbol
            for definition in file_definitions.symbols
            if definition.symbol is not None
        ),
        uses=tuple(dict.fromkeys(uses)),
        imports=imports,
        variables=variables,
        sources={
            definition.symbol: definition.source
            for definition in file_definitions.symbols
            if definition.symbol and definition.source
        },
    )


def _last_text(captures: Sequence[Match], capture: str) -> str:
    return next((match.text(capture) for match in reversed(captures) if capture in match.nodes), "")


def _uses(
    captures: Sequence[Match], file_definitions: Definitions, scopes: Scopes
) -> Iterator[Use]:
    types: dict[str, list[Symbol]] = {}
    for definition in file_definitions.symbols:
        if not definition.owner and definition.symbol is not None and definition.symbol.is_type:
            types.setdefault(definition.name, []).append(definition.symbol)
    shadowed = _shadowed_names(captures, file_definitions)
    destructured = _destructured_paths(captures, file_definitions)
    for match in captures:
        path = path_at(match, match.nodes["base"]) if "base" in match.nodes else None
        if path is not None:
            extended = names.path_of(match.text("extended"))
            heir = _inheriting_type(match, file_definitions, types)
            yield Use(heir, path, "INHERITS", heir=extended)
        for capture, relation in (("callee", "CALLS"), ("mentioned", "IMPORTS")):
            if capture in match.nodes:
                symbol = file_definitions.symbol_at(match.nodes[capture])
                path = (*receiver_of(match), match.text(capture))
                path = destructured.get((symbol, path), path)
                if path not in shadowed.get(symbol, ()):
                    use = Use(symbol, path, relation, arguments_of(match), labels(match))
                    yield _in_scope(use, scopes, match.nodes[capture].start_byte)
        if "qualified" in match.nodes:
            symbol = file_definitions.symbol_at(match.nodes["qualified"])
            owner, name = names.split_owner(match.text("qualified"))
            path = (*((names.path_of(owner) or (NO_NAME,)) if owner else ()), name)
            yield Use(symbol, path, "CALLS", arguments_of(match))


def _in_scope(use: Use, scopes: Scopes, offset: int) -> Use:
    """A use by the names that the variables in it have at its place."""
    path = scopes.path(use.origin, use.path, offset) if len(use.path) > 1 else use.path
    arguments = scopes.arguments(use.origin, use.arguments, offset)
    is_as_written = path is use.path and arguments is use.arguments
    return use if is_as_written else replace(use, path=path, arguments=arguments)


def _shadowed_names(
    captures: Sequence[Match], file_definitions: Definitions
) -> dict[Symbol | None, set[Path]]:
    """The names that mean a variable, function or type of their own in a function."""
    shadowed: dict[Symbol | None, set[Path]] = {}
    for match in captures:
        if "shadows" in match.nodes:
            symbol, name = file_definitions.symbol_at(match.nodes["shadows"]), match.text("shadows")
            if symbol is not None and not symbol.is_type and symbol.short != name:
                shadowed.setdefault(symbol, set()).add((name,))
    return shadowed


def _destructured_paths(
    captures: Sequence[Match], file_definitions: Definitions
) -> dict[tuple[Symbol | None, Path], Path]:
    """What names mean in a symbol that are taken out of an object: `const { push } = context`."""
    destructured: dict[tuple[Symbol | None, Path], Path] = {}
    for match in captures:
        for node, path in destructured_members(match):
            destructured[file_definitions.symbol_at(node), (match.text_of(node),)] = path
    return destructured


def _function_arguments(
    captures: Sequence[Match], file_definitions: Definitions, imports: Collection[Import]
) -> Iterator[Use]:
    """Functions of the file, of its imports or of the object itself that are arguments."""
    known = {definition.name for definition in file_definitions.symbols if not definition.owner}
    known.update(item.alias or item.name or item.module for item in imports)
    looked_up: dict[tuple[int, str], bool] = {}
    for match in captures:
        if "argument" not in match.nodes:
            continue
        node = match.nodes.get("receiver", match.nodes["argument"])
        first_name = match.text_of(node)
        if first_name in _SELF or (first_name in known and not _is_local(match, node, looked_up)):
            path = (*receiver_of(match), match.text("argument"))
            yield Use(file_definitions.symbol_at(node), path, "PASSES")


def _is_local(match: Match, node: Node, looked_up: dict[tuple[int, str], bool]) -> bool:
    """Whether a function around a name has a parameter or variable of that name, or may have.

    Args:
        match: Where the name is.
        node: Of the name.
        looked_up: What is known of functions of this file, by their nodes and the name.
    """
    name = match.text_of(node)
    around = node.parent
    while around is not None:
        parameters = around.child_by_field_name("parameters") or around.child_by_field_name(
            "parameter"
        )
        if parameters is not None:
            key = (around.id, name)
            if key not in looked_up:
                looked_up[key] = _may_have(match, around, parameters, name)
            if looked_up[key]:
                return True
        around = around.parent
    return False


def _may_have(match: Match, function: Node, parameters: Node, name: str) -> bool:
    if function.end_byte - function.start_byte > FUNCTION_BYTES:
        return True
    word = rf"\b{re.escape(name)}\b"
    variable = re.compile(
        rf"^[^\n=()#]*{word}[^\n=()]*=(?!=)"
        rf"|\b(?:as|for|let|const|var|def|function|class)\s[^\n=();]*?{word}",
        re.MULTILINE,
    )
    source = match.source[function.start_byte : function.end_byte].decode("utf-8", "replace")
    return bool(re.search(word, match.text_of(parameters)) or variable.search(source))


def _inheriting_type(
    match: Match, file_definitions: Definitions, types: Mapping[str, Sequence[Symbol]]
) -> Symbol | None:
    """The type that inherits: the one defined there, or for an extension the one of that name."""
    node = match.nodes.get("heir")
    if node is None:
        return None
    name = names.short(match.text("heir"))
    enclosing = file_definitions.around(node.start_byte)
    if enclosing is not None and enclosing.name == name:
        return enclosing.symbol
    of_name = types.get(name, ())
    return of_name[0] if len(of_name) == 1 else None


def _parenless_calls(captures: Sequence[Match], file_definitions: Definitions) -> Iterator[Use]:
    """Names that call a method, since they say nothing else and no variable has them."""
    bare = [match for match in captures if "parenless" in match.nodes]
    if not bare:
        return
    named_places = {
        match.nodes[capture].start_byte
        for match in captures
        for capture in ("callee", "name", "local")
        if capture in match.nodes
    }
    variables = {
        (file_definitions.symbol_at(match.nodes["local"]), match.text("local"))
        for match in captures
        if "local" in match.nodes
    }
    for match in bare:
        node, name = match.nodes["parenless"], match.text("parenless")
        symbol = file_definitions.symbol_at(node)
        if node.start_byte not in named_places and (symbol, name) not in variables:
            yield Use(symbol, (name,), "CALLS")
