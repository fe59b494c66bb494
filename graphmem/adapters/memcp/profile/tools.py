"""The tools: each a typed signature, a few sentences for the agent, and a call of `Memory`."""

from typing import TYPE_CHECKING, Annotated, Literal

from fastmcp.tools import ToolResult
from pydantic import Field

from graphmem import arguments
from graphmem.adapters.memcp.profile import parameters, replies
from graphmem.adapters.memcp.profile.contexts import bare_id, entity_of, id_of, project_of
from graphmem.adapters.memcp.profile.writing import memcp_names, remember_all
from graphmem.errors import InvalidInput, NotFound, quantity
from graphmem.model import Entity
from graphmem.profiles.reading import entities_by_key
from graphmem.profiles.tool_spec import Opened

if TYPE_CHECKING:
    from graphmem.adapters.memcp.upkeep import Upkeep
    from graphmem.memory import Memory


class Tools:
    """The tools of one server.

    Args:
        memory: Gives the open memory.
    """

    def __init__(self, memory: Opened) -> None:
        self._memory = memory

    def search(
        self,
        query: parameters.Query,
        labels: parameters.Labels = (),
        limit: parameters.Limit = parameters.LIMIT,
        context: parameters.Context = "",
    ) -> replies.SearchAnswer:
        """Search what was remembered, by words and by meaning, and what is linked to it.

        Use it for "do you remember", "what do you know about", or before deciding. `via` of an
        entity names the link that led to it.
        """
        from graphmem.search import Weights  # noqa: PLC0415 - for weight: the driver comes with it

        memory = self._memory()
        project = project_of(memory, context)
        with memcp_names():
            answer = memory.search(
                arguments.query(query),
                project=project,
                scope="project",
                ranking="rrf",
                weights=Weights(name=0.0),
                tags=labels,
                limit=parameters.or_default(limit, parameters.LIMIT),
                detail="names",
            )
        entities = entities_by_key(memory, (hit.key for hit in answer.hits), project=project)
        hits = [hit for hit in answer.hits if hit.key in entities]
        _upkeep(memory).note_use(hit.key for hit in hits if hit.origin == "direct")
        return replies.SearchAnswer(
            entities=[replies.hit_of(memory, hit, entities[hit.key]) for hit in hits],
            count=len(hits),
            total=answer.total,
            context=project,
            degraded=answer.degraded,
        )

    def get_entity(
        self,
        entity_id: Annotated[parameters.Id, Field(alias="id")],
        context: parameters.Context = "",
    ) -> replies.Whole | None:
        """Read one entity whole, by its id or name; null where there is none."""
        memory = self._memory()
        entity = entity_of(memory, entity_id, context)
        if entity is None:
            return None
        key = entity.key or ""
        use = _upkeep(memory).uses([key])
        return replies.whole_of(memory, entity, use[key]) if key in use else None

    def remember(
        self,
        entities: parameters.Entities = (),
        relations: parameters.Relations = (),
        context: parameters.Context = "",
    ) -> replies.RememberAnswer:
        """Store entities and relations between them for later sessions.

        A name is remembered once in a context: said again it is updated, and its labels are added.
        What could not be stored is told in the errors; the rest is stored.
        """
        memory = self._memory()
        project = project_of(memory, context, writes=True)
        answer, is_error = remember_all(memory, project, context, entities, relations)
        if is_error:
            # The errors reach the agent as an error, and with them what was stored all the same.
            return ToolResult(structured_content=answer.model_dump(), is_error=True)  # type: ignore[return-value]
        return answer

    def forget(self, ids: parameters.Ids, context: parameters.Context = "") -> replies.ForgetAnswer:
        """Hide entities from every search, by their ids or names; unknown ones do not count."""
        memory = self._memory()
        project_of(memory, context, writes=True)
        targets = [entity_of(memory, identifier, context) for identifier in ids]
        keys = {entity.key: entity.project for entity in targets if entity is not None}
        for project in set(keys.values()):
            memory.project_name(project, writes=True, argument="ids")
        count = 0
        for key, project in keys.items():
            report = memory.forget(key or "", project=project)
            count += report.counts("entity")["updated"]
        message = f"Deleted {quantity(count, 'entity', 'entities')}"
        return replies.ForgetAnswer(deleted=count, message=message)

    def list_labels(self, context: parameters.Context = "") -> replies.LabelsAnswer:
        """List the labels in use, the commonest first, with the number of entities."""
        memory = self._memory()
        _, tags = _upkeep(memory).counts(project_of(memory, context))
        labels = [replies.LabelCount(label=label, count=count) for label, count in tags.items()]
        return replies.LabelsAnswer(labels=labels, count=len(labels))

    def list_types(self, context: parameters.Context = "") -> replies.TypesAnswer:
        """List the types in use, the commonest first, with the number of entities."""
        memory = self._memory()
        kinds, _ = _upkeep(memory).counts(project_of(memory, context))
        types = [replies.TypeCount(type=kind, count=count) for kind, count in kinds.items()]
        return replies.TypesAnswer(types=types, count=len(types))

    def traverse(
        self,
        start: parameters.Id,
        depth: parameters.Depth = parameters.DEPTH,
        relation_types: parameters.Types = (),
        context: parameters.Context = "",
    ) -> replies.TraverseAnswer:
        """Explore what is linked to an entity, in both directions, the nearest first.

        At most 100 entities are given.
        """
        from graphmem.read import traversal  # noqa: PLC0415 - for weight

        memory = self._memory()
        entity = _existing(memory, "start", start, context)
        key = entity.key or ""
        max_depth = parameters.or_default(depth, parameters.DEPTH)
        around = traversal.neighbourhood(memory.graph, key, depth=max_depth, types=relation_types)
        keys = [key, *(step.end for step in around.steps)]
        entities = entities_by_key(memory, keys, project=entity.project)
        connected = [
            replies.Connected.model_validate(
                replies.entity_fields(memory, entities[step.end])
                | {"depth": step.depth, "via": replies.via_of(step, entities[step.start].name)}
            )
            for step in around.steps
            if step.end in entities and step.start in entities
        ]
        fields = {"connected": connected, "count": len(connected), "complete": around.is_complete}
        return replies.TraverseAnswer.model_validate(replies.entity_fields(memory, entity) | fields)

    def find_path(
        self,
        start: Annotated[parameters.Id, Field(alias="from")],
        to: parameters.Id,
        max_depth: parameters.PathDepth = parameters.PATH_DEPTH,
        context: parameters.Context = "",
    ) -> replies.PathAnswer:
        """Find the shortest path between two entities over their relations, in both directions."""
        from graphmem.read import traversal  # noqa: PLC0415 - for weight

        memory = self._memory()
        start_entity = _existing(memory, "from", start, context)
        end_entity = _existing(memory, "to", to, context)
        max_length = parameters.or_default(max_depth, parameters.PATH_DEPTH)
        route = traversal.shortest_path(
            memory.graph, start_entity.key or "", end_entity.key or "", depth=max_length
        )
        entities = entities_by_key(memory, route.keys, project=start_entity.project)
        names = {key: entity.name for key, entity in entities.items()}
        steps = [
            replies.PathStep.model_validate(
                replies.via_of(step, names[step.start]) | {"to": names[step.end]}
            )
            for step in route.steps
            if step.start in names and step.end in names
        ]
        path = [id_of(memory, entities[key]) for key in route.keys if key in entities]
        distance = quantity(len(steps), "relation", "relations")
        sentence = f"{start_entity.name} and {end_entity.name} are {distance} apart"
        if not path:
            bound = f", among the {traversal.VISITED:,} entities nearest to them"
            sentence = (
                f"no path of at most {quantity(max_length, 'relation', 'relations')} joins "
                f"{start_entity.name} and {end_entity.name}{'' if route.is_complete else bound}"
            )
        return replies.PathAnswer(
            path_found=bool(path), path=path, steps=steps, length=len(steps), message=sentence
        )

    def similar(
        self,
        similarity_threshold: parameters.Share = 0.85,
        limit: parameters.Pairs = parameters.LIMIT,
        context: parameters.Context = "",
    ) -> replies.SimilarAnswer:
        """Find pairs of entities that mean nearly the same, perhaps one thing under two names."""
        from graphmem.adapters.memcp.profile import reflection  # noqa: PLC0415 - for weight

        memory = self._memory()
        max_pairs = parameters.or_default(limit, parameters.LIMIT)
        projects = [project_of(memory, context)]
        return reflection.similar_answer(memory, projects, similarity_threshold, max_pairs)

    def reflect(  # noqa: PLR0917 - a tool's arguments have names
        self,
        action: Literal["decay", "similar"] = "decay",
        dry_run: Annotated[bool, Field(description="Change nothing")] = False,  # noqa: FBT002 - a tool's arguments have names
        context: parameters.Context = "",
        decay_days: parameters.Days = parameters.DAYS,
        similarity_threshold: parameters.Share = 0.85,
        limit: parameters.Pairs = parameters.LIMIT,
        everywhere: Annotated[  # noqa: FBT002 - likewise
            bool, Field(alias="global", description="All contexts, each separately")
        ] = False,
    ) -> replies.ReflectAnswer:
        """Look after the memory: what was not found for 30 days loses a tenth of its weight.

        With `similar` it finds possible doubles instead and changes nothing.
        """
        from graphmem.adapters.memcp.profile import reflection  # noqa: PLC0415 - for weight

        memory = self._memory()
        writes = action == "decay"
        if everywhere:
            projects = reflection.projects_in_reach(memory, to_write=writes)
        else:
            projects = [project_of(memory, context, writes=writes)]
        if action == "similar":
            max_pairs = parameters.or_default(limit, parameters.LIMIT)
            pairs = reflection.similar_answer(memory, projects, similarity_threshold, max_pairs)
            return replies.ReflectAnswer(action=action, similar=pairs)
        days = parameters.or_default(decay_days, parameters.DAYS)
        decay = reflection.decay_answer(memory, projects, days, dry_run=dry_run)
        return replies.ReflectAnswer(action=action, decay=decay)


def _upkeep(memory: "Memory") -> "Upkeep":
    from graphmem.adapters.memcp.profile.reflection import upkeep_of  # noqa: PLC0415 - likewise

    return upkeep_of(memory)


def _existing(memory: "Memory", argument: str, identifier: str, context: str | None) -> Entity:
    if not bare_id(identifier):
        raise InvalidInput(argument, identifier, "must be the id or name of an entity")
    entity = entity_of(memory, identifier, context)
    if entity is None:
        project = project_of(memory, context)
        raise NotFound(f"{argument}: there is no entity {identifier!r} in {project}; search for it")
    return entity
