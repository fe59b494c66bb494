"""From memcp's contexts and ids to projects, keys and entities, and back."""

from typing import TYPE_CHECKING

from graphmem import project as projects
from graphmem.errors import NOT_SHOWN, InvalidInput, NotFound
from graphmem.model import Entity

if TYPE_CHECKING:
    from graphmem.memory import Memory

PREFIX = "entity:"
FORGOTTEN_STATUSES = frozenset({"forgotten", "removed"})

_QUOTES = frozenset({"⟨⟩", "``"})


def project_of(memory: "Memory", context: str | None, *, writes: bool = False) -> str:
    """The project a context means: the one named, else the memory's own.

    Args:
        memory: Says what may be reached.
        context: As the caller wrote it.
        writes: Whether the call changes what the project holds.

    Raises:
        InvalidInput: The name is not allowed, out of reach, or there is none.
    """
    if context is None or not context.strip():
        if memory.project is None:
            requirement = "is required: the server has no project folder"
            raise InvalidInput("context", NOT_SHOWN, requirement)
        return memory.project_name(writes=writes, argument="context")
    remote = projects.canonical_remote(context) if "@" in context else None
    context_name = projects.check_project_name(remote or context, argument="context")
    project = projects.project_of_short_name(context_name, memory.project)
    return memory.project_name(project, writes=writes, argument="context")


def bare_id(identifier: str) -> str:
    """An id without what memcp and SurrealDB put around it: `entity:⟨x⟩` is `x`."""
    name = identifier.strip()
    if not name.startswith(PREFIX):
        return name
    content = name.removeprefix(PREFIX).strip()
    is_quoted = len(content) > 1 and content[0] + content[-1] in _QUOTES
    return content[1:-1].strip() if is_quoted else content


def id_of(memory: "Memory", entity: Entity) -> str:
    """The id of an entity, which `entity_of` leads back to it."""
    is_own = entity.project == memory.project
    return f"{PREFIX}{entity.name if is_own else entity.key}"


def entity_of(memory: "Memory", identifier: str, context: str | None) -> Entity | None:
    """The entity of an id or name, or None where there is none or it was forgotten.

    Looked for in this order: a name, alias, title or key in the context; memcp's own form
    `context:name` of it; a key of another project; a name with the marks that ids have.
    """
    project = project_of(memory, context)
    name = bare_id(identifier)
    candidates = [(project, short) for short in (name, *shorts(memory, name, context))]
    other_project, mark, other_name = name.partition("#")
    if mark and other_name.strip() and other_project.strip() and other_project != project:
        candidates.append((other_project, other_name))
    candidates += [(project, identifier.removeprefix(PREFIX)), (project, identifier)]
    for candidate_project, candidate_name in dict.fromkeys(candidates):
        entity = _entity_named(memory, candidate_project, candidate_name)
        if entity is not None:
            return entity
    return None


def shorts(memory: "Memory", name: str, context: str | None) -> list[str]:
    """The names in the context that `context:name`, memcp's own form, may stand for."""
    context_names = (context, project_of(memory, context).rpartition("/")[2])
    marks = [f"{context}:" for context in context_names if context]
    return [name.removeprefix(mark) for mark in marks if name.startswith(mark)]


def _entity_named(memory: "Memory", project: str, name: str) -> Entity | None:
    if not name.strip():
        return None
    try:
        (page,) = memory.get(name, project=project)
    except (NotFound, InvalidInput):  # no such name, or no such project can be
        return None
    return None if page.entity.status in FORGOTTEN_STATUSES else page.entity
