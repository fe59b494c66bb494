"""The types of the tools' parameters, with their limits."""

from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from graphmem.arguments import FILTER_VALUES, QUERY_CHARACTERS, as_list
from graphmem.model.limits import LABEL_CHARACTERS, LIST_ITEMS, NAME_CHARACTERS, TEXT_BYTES

LIMIT = 10
MOST_RESULTS = 100
ITEMS = 200
PAIRS = 50
DAYS = 30
DEPTH = 2
PATH_DEPTH = 5
# A key is the project, a `#` and the name; `entity:` may stand before it.
ID_CHARACTERS = LABEL_CHARACTERS + NAME_CHARACTERS + 10


def or_default(value: int | None, default: int) -> int:
    """A number, or its default where none above zero was given."""
    return default if value is None or value <= 0 else value


Label = Annotated[str, Field(max_length=LABEL_CHARACTERS)]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]

Query = Annotated[str, Field(max_length=QUERY_CHARACTERS, description="What to look for")]
Labels = Annotated[
    tuple[Label, ...],
    Field(max_length=FILTER_VALUES, description="Only entities with any of them"),
    BeforeValidator(as_list),
]
Limit = Annotated[int | None, Field(le=MOST_RESULTS, description="1 to 100")]
Context = Annotated[
    str | None,
    Field(max_length=LABEL_CHARACTERS, description="Project namespace; by default this project"),
]
Id = Annotated[str, Field(min_length=1, max_length=ID_CHARACTERS, description="An id or a name")]
Ids = Annotated[tuple[Id, ...], Field(min_length=1, max_length=ITEMS), BeforeValidator(as_list)]
Types = Annotated[
    tuple[Label, ...],
    Field(max_length=FILTER_VALUES, description="Only relations of these types"),
    BeforeValidator(as_list),
]
Depth = Annotated[int | None, Field(le=10, description="Relations away, 1 to 10")]
PathDepth = Annotated[int | None, Field(le=20, description="Relations on the path, 1 to 20")]
Days = Annotated[int | None, Field(le=36_500, description="Days since last found")]
Pairs = Annotated[int | None, Field(le=PAIRS, description="1 to 50")]


class _Given(BaseModel):
    model_config = ConfigDict(extra="forbid")


class EntityGiven(_Given):
    """An entity to remember; `id` stands for `name` where that is missing."""

    name: Annotated[str | None, Field(max_length=NAME_CHARACTERS)] = None
    id: Annotated[str | None, Field(max_length=ID_CHARACTERS)] = None
    content: Annotated[str | None, Field(max_length=TEXT_BYTES)] = None
    type: Annotated[str | None, Field(max_length=LABEL_CHARACTERS)] = None
    labels: Annotated[
        tuple[Label, ...], Field(max_length=LIST_ITEMS), BeforeValidator(as_list)
    ] = ()
    confidence: Share | None = None
    source: Annotated[str | None, Field(max_length=LABEL_CHARACTERS)] = None


class RelationGiven(_Given):
    """A relation to remember; its ends are names or ids of entities that exist."""

    start: Annotated[str, Field(alias="from", min_length=1, max_length=ID_CHARACTERS)]
    to: Annotated[str, Field(min_length=1, max_length=ID_CHARACTERS)]
    type: Annotated[str, Field(min_length=1, max_length=LABEL_CHARACTERS)]
    weight: Share | None = None


Entities = Annotated[tuple[EntityGiven, ...], Field(max_length=ITEMS), BeforeValidator(as_list)]
Relations = Annotated[tuple[RelationGiven, ...], Field(max_length=ITEMS), BeforeValidator(as_list)]
