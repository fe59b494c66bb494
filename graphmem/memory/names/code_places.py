"""What code is meant by a name that no entity has, such as `app/store.py:120` or `Store#get`."""

from graphmem import read
from graphmem.graph import Graph
from graphmem.search.code import names as code_names
from graphmem.search.code.lines import symbols_at_lines
from graphmem.search.code.paths import path_names
from graphmem.search.code.symbols import symbols_in_files
from graphmem.text import SYMBOL_MARK


def code_named(graph: Graph, project: str, name: str) -> read.Resolved:
    """The symbol or file that a search for the name would lead to by its place, if there is one.

    That is a symbol at a line, of a file or of a module, a file by the end of a path with a folder,
    or a member as another language writes it.

    Args:
        graph: The store.
        project: Where it is looked for.
        name: A name that leads to no entity.

    Raises:
        DatabaseError: The database does not answer, is too slow or refuses.
    """
    names = list(dict.fromkeys(symbols_at_lines(graph, name, [project]).values()))
    names = names or list(symbols_in_files(graph, name, [project]).names)
    if len(names) > 1:
        return read.Resolved(None, candidates=tuple(names))
    in_folders = [path for path in path_names(name) if "/" in path or SYMBOL_MARK in path]
    is_file = bool(in_folders) and "." in name
    members = [] if is_file else sorted(code_names.members(name), key=len, reverse=True)
    possible_names = names or [*in_folders, *members]
    resolved = read.resolve(graph, project, possible_names)
    ends = (resolved[possible] for possible in possible_names)
    return next((end for end in ends if end.leads_somewhere), read.Resolved(None))
