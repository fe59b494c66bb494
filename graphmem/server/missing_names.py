"""What there is, where a call names what is not there, or not yet."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from graphmem.errors import NotFound
from graphmem.model import Answer, Context
from graphmem.model.overview import Overview
from graphmem.project import LAYERS

FIRST_WRITE = "`remember` stores what is to be known"
FIRST_IMPORT = "the user can import notes, code or chats by `graphmem import`"
Summary = TypeVar("Summary", Answer, Context, Overview)

if TYPE_CHECKING:
    from graphmem.memory import Memory
    from graphmem.model.page import Page


def existing_pages(
    memory: "Memory", names: Sequence[str], project: str | None
) -> tuple[list["Page"], list[str]]:
    """The entities of some names, each once, and a sentence for each name that leads to none.

    Raises:
        NotFound: None of the names leads to an entity.
    """
    try:
        return memory.get(names, project=project), []
    except NotFound as error:
        pages: dict[str, Page] = {}
        missing: list[str] = []
        for name in names:
            try:
                (page,) = _page(memory, name, project)
            except NotFound as reason:
                missing.append(str(reason))
            else:
                pages[page.key] = page
        if not pages:
            raise NotFound("\n".join(dict.fromkeys(missing))) from error
        return list(pages.values()), missing


def new_project_note(memory: "Memory", project: str | None) -> str | None:
    """A sentence on a project that a write begins, since its name may be a slip.

    Args:
        memory: Where it is written.
        project: As the caller named it; None for the memory's own.

    Returns:
        The sentence, with names of other projects; None for the memory's own project, a layer and a
        project that has an entity.

    Raises:
        InvalidInput: The name is not allowed, or out of reach.
    """
    # Imported here for weight: a server lists its tools before it needs a graph.
    from graphmem.memory.searches.empty_projects import empty_project_note  # noqa: PLC0415

    if project is None:
        return None
    name = memory.project_name(project, writes=True)
    if name == memory.project or name in LAYERS:
        return None
    return empty_project_note(memory.graph, memory.access, name, "is new")


def with_first_step(memory: "Memory", summary: Summary) -> Summary:
    """The same answer; of a project without entities with how it gets some."""
    from graphmem.memory.searches.empty_projects import says_empty  # noqa: PLC0415 - likewise

    if summary.project in LAYERS or not says_empty(summary.notes, summary.project):
        return summary
    may_write = memory.access.writable(summary.project)
    step = f"{FIRST_WRITE}, and {FIRST_IMPORT}" if may_write else FIRST_IMPORT
    return replace(summary, notes=(*summary.notes, step))


def _page(memory: "Memory", name: str, project: str | None) -> list["Page"]:
    """The entity of a name, or of the key of a layer's entity, which searches of a project show."""
    try:
        return memory.get(name, project=project)
    except NotFound:
        layer, _, _ = name.partition("#")
        if layer not in LAYERS:
            raise
        return memory.get(name, project=layer)
