"""The wikis of repositories at GitHub and GitLab: `[[text|Page Name]]` leads to `Page-Name.md`."""

from collections.abc import Iterable

from graphmem.importing.opening import File

_ENDING = ".wiki"
_HOME = "home"
# What is shown beside and below each page.
_AROUND = ("_sidebar", "_footer")


def is_wiki(files: Iterable[File]) -> bool:
    """Whether notes are a wiki, by the name of its folder or by what only wikis have in it."""
    in_root = [file for file in files if len(file.shown_path) == 1]
    names = {file.path.stem.casefold() for file in in_root}
    is_named = any(file.root.name.endswith(_ENDING) for file in in_root)
    return _HOME in names and (is_named or not names.isdisjoint(_AROUND))


def page(stem: str) -> str:
    """What a page is called whose file has a name."""
    return " ".join(stem.replace("-", " ").split())


def stem(name: str) -> str:
    """The name of a page's file, without its ending."""
    return name.replace(" ", "-")


def targets(first: str, second: str) -> list[str]:
    """The pages that a link may mean, the likeliest first; none for an address.

    The page stands behind the bar, but many write it before it, as elsewhere.

    Args:
        first: What stands in the link before a bar.
        second: What stands behind it, or nothing.
    """
    pages = [part.partition("#")[0].strip() for part in (second, first)]
    return [] if any("://" in part for part in (second, first)) else list(filter(None, pages))
