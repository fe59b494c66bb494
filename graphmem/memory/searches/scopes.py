"""Which projects a search looks into: one, several by name, or all."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from graphmem import project as projects
from graphmem.errors import InvalidInput
from graphmem.model.filters import MOST_PROJECTS_BY_NAME

if TYPE_CHECKING:
    from graphmem.memory.lifetime import Lifetime

ALL = "*"
# The text indexes take no more by name.
MOST_PROJECTS = MOST_PROJECTS_BY_NAME - len(projects.LAYERS)


def scope(memory: "Lifetime", project: str | None, options: Mapping[str, Any]) -> tuple[str, ...]:
    """The projects that a search names, without the layers behind them.

    Args:
        memory: What it may read counts.
        project: The one project of the search, or None.
        options: Those of the search; `projects` names several, or `*` for all.

    Raises:
        InvalidInput: A name is not allowed or out of reach, or there are too many.
    """
    requested = options.get("projects")
    if requested is None:
        return (memory.project_name(project),)
    if project is not None:
        raise InvalidInput("projects", requested, "cannot be combined with project")
    if requested == ALL:
        return _all(memory)
    names = _checked_names(memory, requested)
    if len(names) > MOST_PROJECTS:
        raise InvalidInput(
            "projects",
            len(names),
            f"must be at most {MOST_PROJECTS}",
            hint="Give `*` to search all there are.",
        )
    return names


def _checked_names(memory: "Lifetime", requested: object) -> tuple[str, ...]:
    if not isinstance(requested, list | tuple) or not requested:
        raise InvalidInput("projects", requested, f"must be a list of projects, or `{ALL}` for all")
    names = (
        memory.project_name(name, argument=f"projects[{i}]") for i, name in enumerate(requested)
    )
    return tuple(dict.fromkeys(names))


def _all(memory: "Lifetime") -> tuple[str, ...]:
    """Every project that may be read, the memory's own first; that alone in an empty store."""
    from graphmem.memory.searches.reach import in_reach  # noqa: PLC0415 - one project needs it not

    names = list(in_reach(memory.graph, memory.access))
    own_project = [memory.project] if memory.project in names else []
    return tuple(dict.fromkeys([*own_project, *names])) or (memory.project_name(),)
