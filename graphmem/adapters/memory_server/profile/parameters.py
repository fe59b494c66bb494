"""The types of the tools' parameters, in the spellings that agents send."""

from typing import Annotated

from pydantic import AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field

from graphmem.arguments import QUERY_CHARACTERS, as_list, as_texts

ITEMS = 1000
TYPE_CHARACTERS = 1000

_Texts = Annotated[tuple[str, ...], BeforeValidator(as_texts)]


class _Given(BaseModel):
    model_config = ConfigDict(extra="ignore")


class EntityGiven(_Given):
    """An entity to create."""

    name: Annotated[str, Field(description="The name of the entity")]
    entity_type: Annotated[
        str,
        Field(
            validation_alias=AliasChoices("entityType", "type"),
            max_length=TYPE_CHARACTERS,
            description="The type of the entity",
        ),
    ]
    observations: Annotated[
        _Texts,
        Field(
            validation_alias=AliasChoices("observations", "contents"),
            description="Facts about the entity, one each",
        ),
    ] = ()


class RelationGiven(_Given):
    """A relation to create or to delete."""

    start: Annotated[
        str,
        Field(
            validation_alias=AliasChoices("from", "source"),
            description="The name of the entity where the relation starts",
        ),
    ]
    end: Annotated[
        str,
        Field(
            validation_alias=AliasChoices("to", "target"),
            description="The name of the entity where the relation ends",
        ),
    ]
    relation_type: Annotated[
        str,
        Field(
            validation_alias=AliasChoices("relationType", "type"),
            description="The type of the relation, in active voice",
        ),
    ]


class _OfEntity(_Given):
    entity_name: Annotated[
        str,
        Field(
            validation_alias=AliasChoices("entityName", "name"),
            description="The name of the entity",
        ),
    ]


class ObservationsGiven(_OfEntity):
    """Observations to add to an entity."""

    contents: Annotated[
        _Texts,
        Field(
            validation_alias=AliasChoices("contents", "observations"),
            description="The observations to add",
        ),
    ]


class Deletion(_OfEntity):
    """Observations to delete from an entity."""

    observations: Annotated[
        _Texts,
        Field(
            validation_alias=AliasChoices("observations", "contents"),
            description="The observations to delete, word for word",
        ),
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
