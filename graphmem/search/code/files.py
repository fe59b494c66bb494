"""The files that paths in a query stand for, by how the keys of their symbols begin."""

from collections.abc import Sequence

from graphmem import lucene, text
from graphmem.graph import Reader

# Only the last parts of a path are compared.
PARTS = 12
# Many entities may have some names, such as `mod.rs`.
MOST_ENTITIES_PER_LOOKUP = 1000


def path_parts(path: str) -> list[str]:
    """The last parts of a path of any system, without those that only say where it begins."""
    parts = path.replace("\\", "/").split("/")
    return [part for part in parts if part not in {"", ".", ".."}][-PARTS:]


def key_prefixes(path: str, projects: Sequence[str]) -> list[str]:
    """How the keys of the symbols of a file may begin, the longest path first.

    Args:
        path: The path of the file, which may begin outside of what was imported.
        projects: Those that are searched.
    """
    parts = path_parts(path)
    return [
        text.key(project, "/".join(parts[start:]) + text.SYMBOL_MARK)
        for start in range(len(parts))
        for project in projects
    ]


def keys_by_form(
    graph: Reader, names: Sequence[str], projects: Sequence[str]
) -> dict[str, list[str]]:
    """The keys of the entities that have some names.

    Args:
        graph: The store.
        names: The names.
        projects: Those that are searched.

    Returns:
        The keys of each name that something has, by the form in which it is found.

    Raises:
        DatabaseError: The database does not answer, is too slow or refuses.
    """
    forms = list(dict.fromkeys(filter(None, map(text.name_form, names))))
    handles = lucene.handles(
        forms, required=[[text.token("project", project) for project in projects]]
    )
    if handles is None:
        return {}
    rows = graph.read(
        "read/keys_of_names", handles=handles, forms=forms, limit=MOST_ENTITIES_PER_LOOKUP
    )
    keys: dict[str, list[str]] = {}
    for row in rows:
        for form in row["forms"]:
            keys.setdefault(form, []).append(row["key"])
    return keys


def prefixes_by_ends(
    graph: Reader, paths: Sequence[str], projects: Sequence[str], *, most: int = 1
) -> dict[str, list[str]]:
    """Like `key_prefixes`, for paths that are but the end of that of a file, such as `Store.java`.

    Args:
        graph: The store.
        paths: As the query has them.
        projects: Those that are searched.
        most: A path that is the end of more of them stands for none.

    Raises:
        DatabaseError: The database does not answer, is too slow or refuses.
    """
    parts_of_paths = {path: parts for path in paths if (parts := path_parts(path))}
    keys = keys_by_form(graph, [parts[-1] for parts in parts_of_paths.values()], projects)
    prefixes: dict[str, list[str]] = {}
    for path, parts in parts_of_paths.items():
        end = text.normalised("/".join(parts))
        ending_keys = [
            key
            for key in keys.get(text.name_form(parts[-1]), ())
            if f"/{text.name_of(key)}".endswith(f"/{end}")
        ]
        if 0 < len(ending_keys) <= most:
            prefixes[path] = [key + text.SYMBOL_MARK for key in ending_keys]
    return prefixes
