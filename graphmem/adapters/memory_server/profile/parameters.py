"""The types of the tools' parameters, in the spellings that agents send."""

from typing import Annotated, Any

from pydantic import AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field

from graphmem.arguments import QUERY_CHARACTERS, as_list, as_texts

ITEMS = 1000
TYPE_CHARACTERS = 1000

_Texts = Annotated[tuple[str, ...], BeforeValidator(as_texts)]


def _either(name: str, other_name: str, description: str) -> Any:  # noqa: ANN401 - as pydantic has it
    """A field that agents also send under another name."""
    return Field(validation_alias=AliasChoices(name, other_name), description=description)


class _Given(BaseModel):
    model_config = ConfigDict(extra="ignore")


class EntityGiven(_Given):
    """An entity to create."""

    name: Annotated[str, Field(description="The name of the entity")]
    entity_type: Annotated[
        str,
        Field(max_length=TYPE_CHARACTERS),
        _either("entityType", "type", "The type of the entity"),
    ]
    observations: Annotated[
        _Texts, _either("observations", "contents", "Facts about the entity, one each")
    ] = ()


class RelationGiven(_Given):
    """A relation to create or to delete."""

    start: Annotated[
        str, _either("from", "source", "The name of the entity where the relation starts")
    ]
    end: Annotated[str, _either("to", "target", "The name of the entity where the relation ends")]
    relation_type: Annotated[
        str, _either("relationType", "type", "The type of the relation, in active voice")
    ]


class _OfEntity(_Given):
    entity_name: Annotated[str, _either("entityName", "name", "The name of the entity")]


class ObservationsGiven(_OfEntity):
    """Observations to add to an entity."""

    contents: Annotated[_Texts, _either("contents", "observations", "The observations to add")]


class Deletion(_OfEntity):
    """Observations to delete from an entity."""

    observations: Annotated[
        _Texts,
        _either("observations", "contents", "The observations to delete, word for word"),
    ]


Entities = Annotated[tuple[EntityGiven, ...], Field(max_length=ITEMS), BeforeValidator(as_list)]
Relations = Annotated[tuple[RelationGiven, ...], Field(max_length=ITEMS), BeforeValidator(as_list)]
Additions = Annotated[
    tuple[ObservationsGiven, ...], Field(max_length=ITEMS), BeforeValidator(as_list)
]
Deletions = Annotated[tuple[Deletion, ...], Field(max_length=ITEMS), BeforeValidator(as_list)]
Names = Annotated[
    tuple[str, ...],
    Field(max_length=ITEMS, description="Names of entities"),
    BeforeValidator(as_texts),
]
Query = Annotated[
    str,
    Field(
        max_length=QUERY_CHARACTERS,
        description="Words of names, types or observations, or what they mean",
    ),
]
After = Annotated[
    str,
    Field(
        max_length=QUERY_CHARACTERS,
        description="Name after which to continue, from the note of the last page",
    ),
]
