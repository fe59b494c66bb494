"""The tools, their parameters and answers."""

from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema

from graphmem import arguments
from graphmem.adapters.rye.items import ItemType
from graphmem.adapters.rye.profile.scope import Scope, SearchType, Space
from graphmem.arguments import QUERY_CHARACTERS, as_object
from graphmem.errors import NotFound
from graphmem.lucene import clean
from graphmem.profiles.tool_spec import Opened

if TYPE_CHECKING:
    from graphmem.adapters.rye.profile.search import Ranked

FieldName = Literal["title", "name", "description", "category", "content"]
MOST_LETTERS = 2
LIMIT = 200
PATH_CHARACTERS = 4096


def _without_nulls(value: object) -> object:
    """An object without the members that are null."""
    members = as_object(value)
    if not isinstance(members, dict):
        return members
    return {name: member for name, member in members.items() if member is not None}


def _between(low: int, high: int) -> WithJsonSchema:
    """The schema of a whole number whose bounds the tool checks: its error names both."""
    return WithJsonSchema({"type": "integer", "minimum": low, "maximum": high})


class Fuzzy(BaseModel):
    """Whether words may differ in some letters."""

    model_config = ConfigDict(extra="forbid")

    enabled: bool = False
    max_distance: Annotated[
        int, _between(0, MOST_LETTERS), Field(description="Letters that may differ")
    ] = MOST_LETTERS


class Proximity(BaseModel):
    """Whether the words must stand near each other."""

    model_config = ConfigDict(extra="forbid")

    enabled: bool = False
    max_distance: Annotated[int, Field(ge=0, description="Words between")] = 5


Written = Annotated[str, Field(max_length=QUERY_CHARACTERS)]
Query = Annotated[
    Written,
    Field(description='Words are ANDed; AND OR NOT ( ) "phrase" * ? field:word; * or empty: all'),
]
ScopeText = Annotated[str, Field(max_length=600, description="tool, or tool.rye.core.*")]
ProjectPath = Annotated[
    str, Field(min_length=1, max_length=PATH_CHARACTERS, description="The project's folder")
]
FIELDS: dict[str, Any] = {
    "type": "object",
    "description": "A query for a field alone",
    "properties": {name: {"type": "string"} for name in get_args(FieldName)},
}
FieldQueries = Annotated[
    dict[FieldName, Written], BeforeValidator(_without_nulls), WithJsonSchema(FIELDS)
]
FILTERS: dict[str, Any] = {
    "type": "object",
    "description": 'Metadata: {"tags": "api", "version": ">=1.10", "author": "!x", '
    '"category": ["a", "b"], "date_from": "2026-01-01"}',
}
FilterValues = Annotated[dict[str, Any], BeforeValidator(as_object), WithJsonSchema(FILTERS)]


class Shadow(BaseModel):
    """A space whose item of the same id is overridden."""

    space: Space


class Found(BaseModel):
    """One item of an answer."""

    id: str
    name: str
    description: str
    category: str
    score: float
    type: ItemType
    source: Space
    preview: str
    shadows: list[Shadow] | None = Field(None, exclude_if=lambda value: value is None)
    shadowed_by: Space | None = Field(None, exclude_if=lambda value: value is None)


class SearchAnswer(BaseModel):
    """What one search found; `notes` say what was ignored or cut."""

    results: list[Found]
    total: int
    query: str
    scope: str
    space: str
    limit: int
    offset: int
    search_type: SearchType
    notes: list[str] | None = Field(None, exclude_if=lambda value: value is None)


class Linked(BaseModel):
    """Another item, and the relation to it as seen from the one that was read."""

    relation: str
    direction: Literal["out", "in"]
    type: str
    id: str


class Loaded(BaseModel):
    """An item whole."""

    id: str
    name: str
    type: ItemType
    source: Space
    path: str
    metadata: dict[str, Any]
    content: str
    links: list[Linked]


class Tools:
    """RyeOS's tools for finding and reading items.

    Args:
        memory: Gives the open memory, waiting for it a while.
    """

    def __init__(self, memory: Opened) -> None:
        self._memory = memory

    def rye_search(  # noqa: PLR0917 - the names of RyeOS's tool
        self,
        query: Query,
        scope: ScopeText,
        project_path: ProjectPath,
        space: Literal["project", "user", "system", "all"] = "all",
        limit: Annotated[int, _between(1, LIMIT)] = 10,
        offset: Annotated[int, Field(ge=0)] = 0,
        sort_by: Literal["score", "date", "name"] = "score",
        fields: FieldQueries = {},  # noqa: B006 - read only
        filters: FilterValues = {},  # noqa: B006 - likewise
        fuzzy: Annotated[Fuzzy, BeforeValidator(_without_nulls)] = Fuzzy(),  # noqa: B008 - likewise
        proximity: Annotated[Proximity, BeforeValidator(_without_nulls)] = Proximity(),  # noqa: B008
    ) -> SearchAnswer:
        """Discover item ids: directives, tools or knowledge in the project, user and system spaces.

        `scope` names the type and perhaps a folder. Read an item whole with `rye_load`.
        """
        from graphmem.adapters.rye.profile import projects, search  # noqa: PLC0415 - for weight
        from graphmem.adapters.rye.profile.filters import Filters  # noqa: PLC0415 - likewise

        arguments.number("limit", limit, 1, LIMIT)
        arguments.number("fuzzy.max_distance", fuzzy.max_distance, 0, MOST_LETTERS)
        request = search.Request(
            query=query,
            scope=Scope.read(scope),
            space=space,
            filters=Filters.read(filters),
            fields=dict(fields.items()),
            sort_by=sort_by,
            distance=fuzzy.max_distance if fuzzy.enabled else None,
            proximity=proximity.max_distance if proximity.enabled else None,
        )
        memory = self._memory()
        place = projects.project_of(memory, project_path)
        answer = search.Answer((), 0)
        if place is not None:
            answer = search.search(memory, place.project, request, limit=limit, offset=offset)
        return SearchAnswer(
            results=[_result(hit) for hit in answer.page],
            total=answer.total,
            query=clean(query),
            scope=scope,
            space=space,
            limit=limit,
            offset=offset,
            search_type=request.search_type,
            notes=[*(() if place is None else place.notes), *answer.notes] or None,
        )

    def rye_load(
        self,
        item_type: ItemType,
        item_id: Annotated[str, Field(min_length=1, max_length=500, description="From rye_search")],
        project_path: ProjectPath,
        source: Annotated[
            Space | None, Field(description="Default: the first of project, user, system")
        ] = None,
    ) -> Loaded:
        """Read an item whole: metadata, text, and the items it is linked to."""
        from graphmem.adapters.rye.profile import loading, projects  # noqa: PLC0415 - for weight

        memory = self._memory()
        place = projects.project_of(memory, project_path)
        item_fields = None
        if place is not None:
            item_fields = loading.load(memory, place.project, item_type, item_id.strip("/"), source)
        if item_fields is None:
            spaces = source or "project, user or system"
            raise NotFound(
                f"there is no {item_type} {item_id!r} in {spaces}; find ids with rye_search"
            )
        return Loaded.model_validate(item_fields)


def _result(hit: "Ranked") -> Found:
    item = hit.item
    return Found(
        id=item.id,
        name=item.name,
        description=item.description or item.entity.title or "",
        category=item.entity.category or "",
        score=hit.score,
        type=item.type,
        source=item.space,
        preview=hit.preview,
        shadows=[Shadow(space=space) for space in hit.shadows] or None,
        shadowed_by=hit.shadowed_by,
    )
