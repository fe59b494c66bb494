"""One file of code becomes an outline."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from tree_sitter import Node

from graphmem.transfer.code import names
from graphmem.transfer.code.definitions import Definitions, definitions
from graphmem.transfer.code.folder import CodeFile
from graphmem.transfer.code.nameless import without_nameless
from graphmem.transfer.code.outline import Import, Outline, Path, Symbol, Use, Variable
from graphmem.transfer.code.parsing import Match, matches

UNKNOWN = ""
_SELF = frozenset({"self", "cls", "this"})
# A person's function; what names mean inside a longer one takes long to read.
FUNCTION_BYTES = 20_000
# A person's comment; it is looked through for each parameter of the function below.
COMMENT_BYTES = 20_000


def outline_of(file: CodeFile, source: bytes) -> Outline:
    """Read a file of code.

    Raises:
        Refused: Nobody writes such files.
    """
    captures = list(matches(file.language, source)) if file.language.is_parsed else []
    captures = list(without_nameless(captures))
    test = file.language.is_test(file.path)
    file_definitions = definitions(file.path, source, captures, test=test)
    imports = tuple(dict.fromkeys(item for match in captures for item in _imports(match)))
    uses = (*_uses(captures, file_definitions), *_passed(captures, file_definitions, imports))
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
        variables=tuple(
            variable for match in captures for variable in _variables(match, file_definitions)
        ),
        sources={
            definition.symbol: definition.source
            for definition in file_definitions.symbols
            if definition.symbol and definition.source
        },
    )


def _last_text(captures: Sequence[Match], capture: str) -> str:
    return next((match.text(capture) for match in reversed(captures) if capture in match.nodes), "")


def _symbol_at(file_definitions: Definitions, node: Node) -> Symbol | None:
    enclosing = file_definitions.around(node.start_byte)
    return None if enclosing is None else enclosing.symbol


def _uses(captures: Sequence[Match], file_definitions: Definitions) -> Iterator[Use]:
    types: dict[str, list[Symbol]] = {}
    for definition in file_definitions.symbols:
        if not definition.owner and definition.symbol is not None and definition.symbol.is_type:
            types.setdefault(definition.name, []).append(definition.symbol)
    for match in captures:
        if "base" in match.nodes:
            if (path := names.path_of(match.text("base"))) is not None:
                yield Use(_heir(match, file_definitions, types), path, "INHERITS")
            continue
        for capture, relation in (("callee", "CALLS"), ("mentioned", "IMPORTS")):
            if capture in match.nodes:
                node = match.nodes[capture]
                path = (*_receiver(match), match.text(capture))
                yield Use(_symbol_at(file_definitions, node), path, relation)
        if "qualified" in match.nodes:
            node = match.nodes["qualified"]
            owner, name = names.split_owner(match.text("qualified"))
            path = (*((names.path_of(owner) or (UNKNOWN,)) if owner else ()), name)
            yield Use(_symbol_at(file_definitions, node), path, "CALLS")


def _passed(
    captures: Sequence[Match], file_definitions: Definitions, imports: Collection[Import]
) -> Iterator[Use]:
    """Functions of the file, of its imports or of the object itself that are arguments."""
    known = {definition.name for definition in file_definitions.symbols if not definition.owner}
    known.update(item.alias or item.name or item.module for item in imports)
    looked_up: dict[tuple[int, str], bool] = {}
    for match in captures:
        if "passed" not in match.nodes:
            continue
        node = match.nodes.get("receiver", match.nodes["passed"])
        first_name = match.text_of(node)
        if first_name in _SELF or (first_name in known and not _is_local(match, node, looked_up)):
            path = (*_receiver(match), match.text("passed"))
            yield Use(_symbol_at(file_definitions, node), path, "PASSES")


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


def _heir(
    match: Match, file_definitions: Definitions, types: Mapping[str, Sequence[Symbol]]
) -> Symbol | None:
    """The type that inherits: the one defined there, or for an extension the one of that name."""
    node = match.nodes["heir"]
    name = names.short(match.text("heir"))
    enclosing = file_definitions.around(node.start_byte)
    if enclosing is not None and enclosing.name == name:
        return enclosing.symbol
    of_name = types.get(name, ())
    return of_name[0] if len(of_name) == 1 else None


def _receiver(match: Match) -> Path:
    if "receiver" not in match.nodes:
        return ()
    node = match.nodes["receiver"]
    if node.end_byte - node.start_byte > names.NAME_CHARACTERS:
        return (UNKNOWN,)
    return names.path_of(match.text("receiver")) or (UNKNOWN,)


def _written_type(match: Match, capture: str) -> str:
    """The type of a variable, which the comment above may say where the code does not."""
    node = match.nodes.get("documented")
    is_short = node is not None and node.end_byte - node.start_byte <= COMMENT_BYTES
    comment = match.text("documented") if is_short else ""
    return (
        match.text("typed")
        or names.type_in_comment(comment, "param", match.text(capture))
        or names.type_in_comment(comment, "var", match.text(capture))
    )


def _creator(match: Match) -> Path | None:
    """What is called for a variable's value, perhaps of an object."""
    path = names.path_of(match.text("made")) if "made" in match.nodes else None
    return None if path is None else (*_receiver(match), *path)


def _imports(match: Match) -> Iterator[Import]:
    if "import" not in match.nodes:
        return
    if "tree" in match.nodes:
        yield from _of_tree(match.text("tree"))
    elif "specifiers" in match.nodes:
        yield from _of_specifiers(match)
    elif "child" in match.nodes:
        yield Import(f"self::{match.text('child')}", alias=match.text("child"))
    else:
        yield Import(
            module=match.text("module").strip("\"'`"),
            name=match.text("imported") or None,
            alias=match.text("alias") or match.text("whole") or None,
            default="whole" in match.nodes,
            wildcard="wildcard" in match.nodes,
        )


def _of_specifiers(match: Match) -> Iterator[Import]:
    """What `{ a, b as c }` imports; a query for each would take long where there are thousands."""
    module = match.text("module").strip("\"'`")
    for node in match.nodes["specifiers"].named_children:
        if node.type == "shorthand_property_identifier_pattern":
            yield Import(module, match.text_of(node))
        elif node.type == "pair_pattern":
            key, value = node.child_by_field_name("key"), node.child_by_field_name("value")
            if value is not None and value.type == "identifier":
                yield Import(module, match.text_of(key) or None, match.text_of(value))
        elif node.type in {"import_specifier", "export_specifier"}:
            name, alias = node.child_by_field_name("name"), node.child_by_field_name("alias")
            yield Import(module, match.text_of(name) or None, match.text_of(alias) or None)


def _of_tree(tree_text: str) -> Iterator[Import]:
    """What Rust's `a::{b as c, d::*}` imports, one by one."""
    stack = [("", tree_text)]
    while stack:
        prefix, tree = stack.pop()
        head, brace, branches = tree.partition("{")
        if brace:
            stack += [(prefix + head.strip(), part) for part in _parts(branches.rpartition("}")[0])]
            continue
        path, _, alias = tree.partition(" as ")
        full_path = f"{prefix}{path.strip()}".removesuffix("::self")
        module, _, name = full_path.rpartition("::")
        if name == "*":
            yield Import(module, wildcard=True)
        elif name:
            yield Import(module or name, name if module else None, alias.strip() or name)


def _parts(list_text: str) -> list[str]:
    """Split at the commas outside of braces."""
    parts, depth, start = [], 0, 0
    for place, mark in enumerate(f"{list_text},"):
        depth += (mark == "{") - (mark == "}")
        if mark == "," and depth == 0:
            parts.append(list_text[start:place].strip())
            start = place + 1
    return [part for part in parts if part]


def _variables(match: Match, file_definitions: Definitions) -> Iterator[Variable]:
    for capture in ("variable", "field"):
        node = match.nodes.get(capture)
        path = None if node is None else names.path_of(match.text(capture))
        if node is None or path is None:
            continue
        enclosing = file_definitions.around(node.start_byte)
        while enclosing is not None and enclosing.sort == "constant":
            enclosing = enclosing.parent
        if capture == "field" and enclosing is not None and enclosing.parent is not None:
            enclosing = enclosing.parent
        variable = Variable(
            origin=None if enclosing is None else enclosing.symbol,
            path=path,
            type=names.type_of(typed) if (typed := _written_type(match, capture)) else None,
            creator=_creator(match),
            origin_variable=match.text("copied") or None,
        )
        is_import = variable.creator == ("require",)  # an import, which is read as one
        if not is_import and (variable.type or variable.creator or variable.origin_variable):
            yield variable
