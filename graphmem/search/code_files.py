"""The files that paths in a query stand for, by how the keys of their symbols begin."""

from collections.abc import Sequence

from graphmem import lucene, text
from graphmem.graph import Reader

# Of a path the last parts count.
PARTS = 12


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


def prefixes_by_ends(
    graph: Reader, paths: Sequence[str], projects: Sequence[str], *, most: int = 1
) -> dict[str, list[str]]:
    """Likewise for paths that are but the end of that of a file, such as `Store.java`.

    Args:
        graph: The store.
        paths: As the query has them.
        projects: Those that are searched.
        most: A path that is the end of more of them stands for none.

    Raises:
        DatabaseError: The database does not answer, is too slow or refuses.
    """
    parts_of_paths = {path: parts for path in paths if (parts := path_parts(path))}
    last_parts = (parts[-1] for parts in parts_of_paths.values())
    forms = list(dict.fromkeys(filter(None, map(text.name_form, last_parts))))
    query = lucene.handles(
        forms, required=[[text.token("project", project) for project in projects]]
    )
    if query is None:
        return {}
    rows = graph.read("read/resolve_names", keys=[], handles=[query], forms=forms)
    keys = [row["key"] for row in rows if row["live"]]
    prefixes: dict[str, list[str]] = {}
    for path, parts in parts_of_paths.items():
        end = text.normalised("/".join(parts))
        matching_keys = [key for key in keys if f"/{text.name_of(key)}".endswith(f"/{end}")]
        if 0 < len(matching_keys) <= most:
            prefixes[path] = [key + text.SYMBOL_MARK for key in matching_keys]
    return prefixes
