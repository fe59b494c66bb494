"""The imports that the queries found in a file, one for each name."""

from collections.abc import Iterator

from tree_sitter import Node

from graphmem.transfer.code.outlines.names import split_at_commas
from graphmem.transfer.code.outlines.outline import Import
from graphmem.transfer.code.outlines.parsing import Match

# In Rust, the module around the one a path stands in.
_ABOVE = "super::"


def imports_of(match: Match) -> Iterator[Import]:
    """What a match imports; nothing where it is no import."""
    if "import" not in match.nodes:
        return
    if "tree" in match.nodes:
        tree_text = match.text("tree")
        inner = _inner_modules(match.nodes["tree"]) if _ABOVE in tree_text else 0
        yield from _of_tree(tree_text, inner)
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
            exported="exported" in match.nodes,
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


def _inner_modules(node: Node | None) -> int:
    """In how many modules of its own file something stands, such as `mod tests`."""
    count = 0
    while node is not None:
        count += node.type == "mod_item"
        node = node.parent
    return count


def _of_tree(tree_text: str, inner: int) -> Iterator[Import]:
    """What Rust's `a::{b as c, d::*}` imports, one by one.

    In a module of its own file `super` is another of it, whose names are known as they are.
    """
    stack = [("", tree_text)]
    while stack:
        prefix, tree = stack.pop()
        head, brace, branches = tree.partition("{")
        if brace:
            parts = split_at_commas(branches.rpartition("}")[0])
            stack += [(prefix + head.strip(), part) for part in parts if part]
            continue
        path, _, alias = tree.partition(" as ")
        full_path = f"{prefix}{path.strip()}".removesuffix("::self")
        is_own = inner > 0 and full_path.startswith(_ABOVE)
        for _ in range(inner):
            full_path = full_path.removeprefix(_ABOVE)
        if is_own and not alias and "::" not in full_path:
            continue
        if is_own and not full_path.startswith(_ABOVE):
            full_path = f"self::{full_path}"
        module, _, name = full_path.rpartition("::")
        if name == "*":
            yield Import(module, wildcard=True)
        elif name:
            yield Import(module or name, name if module else None, alias.strip() or name)
