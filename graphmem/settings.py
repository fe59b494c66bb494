"""Every setting, its default and its unit; `.env.example` lists the same, which a test checks."""

from pathlib import Path
from typing import Annotated, Literal

import platformdirs
from pydantic import (
    AfterValidator,
    AliasChoices,
    BeforeValidator,
    Field,
    SecretStr,
    ValidationError,
)
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from graphmem.errors import ConfigurationError
from graphmem.model.language import DEFAULT, MOST, NAMES

# A client's configuration file is no shell: nobody but us expands its `~`.
Folder = Annotated[Path, AfterValidator(Path.expanduser)]


def _names(said: object) -> object:
    """Cut `English, german` into names; what is no text is left to the types."""
    return (
        tuple(dict.fromkeys(said.lower().replace(",", " ").split()))
        if isinstance(said, str)
        else said
    )


def _languages(names: tuple[str, ...]) -> tuple[str, ...]:
    if not 1 <= len(names) <= MOST or not set(names) <= set(NAMES):
        raise ValueError(f"1 to {MOST} of {', '.join(NAMES)}, separated by commas")
    return names


class Settings(BaseSettings):
    """What the environment and `GRAPHMEM_HOME/.env` say, checked; the environment wins.

    Empty variables count as absent. Secrets never appear in a repr.
    """

    model_config = SettingsConfigDict(
        env_prefix="GRAPHMEM_",
        env_ignore_empty=True,
        extra="ignore",
        frozen=True,
        populate_by_name=True,
    )

    home: Annotated[
        Folder, Field(description="Folder of the private server's data and secrets.")
    ] = Field(default_factory=lambda: platformdirs.user_data_path("graphmem"))
    cache: Annotated[Folder, Field(description="Folder of the server jars and the AOT cache.")] = (
        Field(default_factory=lambda: platformdirs.user_cache_path("graphmem"))
    )
    project: Annotated[
        str | None, Field(description="Project to use instead of the git remote or folder.")
    ] = None

    neo4j_uri: Annotated[
        str | None,
        Field(
            validation_alias=AliasChoices("NEO4J_URI", "GRAPHMEM_NEO4J_URI"),
            description="Server to use instead of the private one; any scheme of the driver.",
        ),
    ] = None
    neo4j_username: Annotated[
        str, Field(validation_alias="NEO4J_USERNAME", description="User name at NEO4J_URI.")
    ] = "neo4j"
    neo4j_password: Annotated[
        SecretStr | None,
        Field(validation_alias="NEO4J_PASSWORD", description="Password at NEO4J_URI."),
    ] = None
    neo4j_database: Annotated[
        str, Field(validation_alias="NEO4J_DATABASE", description="Database at NEO4J_URI.")
    ] = "neo4j"

    neo4j_home: Annotated[
        Folder | None,
        Field(
            validation_alias=AliasChoices("GRAPHMEM_NEO4J_HOME", "NEO4J_HOME"),
            description="An unpacked Neo4j distribution to run instead of the fetched jars.",
        ),
    ] = None
    java_home: Annotated[
        Folder | None, Field(description="Java 21 or newer for the private server.")
    ] = None
    system_java_home: Annotated[
        Folder | None,
        Field(validation_alias="JAVA_HOME", description="Java to try after GRAPHMEM_JAVA_HOME."),
    ] = None
    neo4j_heap: Annotated[
        str, Field(pattern=r"^\d+[mg]$", description="Java heap of the private server.")
    ] = "512m"
    neo4j_page_cache: Annotated[
        str, Field(pattern=r"^\d+[mg]$", description="Page cache of the private server.")
    ] = "256m"
    idle_minutes: Annotated[
        float, Field(gt=0, description="Minutes without a call after which the server stops.")
    ] = 15.0
    start_seconds: Annotated[
        float, Field(gt=0, description="Seconds the private server may take to start.")
    ] = 180.0

    languages: Annotated[
        tuple[str, ...],
        NoDecode,
        BeforeValidator(_names),
        AfterValidator(_languages),
        Field(description="Languages in which a new store indexes its texts."),
    ] = DEFAULT
    model: Annotated[
        str, Field(description="Embedding model: a name at the model hub, or the path of a folder.")
    ] = "all-MiniLM-L6-v2"
    model_seconds: Annotated[
        float, Field(gt=0, le=3600, description="Seconds that calls wait for the model to load.")
    ] = 120.0
    hub: Annotated[
        bool, Field(description="Whether a model that is not on this machine may be downloaded.")
    ] = True
    token: Annotated[
        SecretStr | None, Field(description="Bearer token that callers over HTTP must send.")
    ] = None
    query_seconds: Annotated[
        float, Field(gt=0, le=600, description="Seconds one database statement may take.")
    ] = 20.0
    track_access: Annotated[
        bool, Field(description="Whether the memcp profile records when an entity was last found.")
    ] = True
    log_level: Annotated[
        Literal["DEBUG", "INFO", "WARNING", "ERROR"], Field(description="What is logged to stderr.")
    ] = "WARNING"


def load() -> Settings:
    """Read the settings.

    Raises:
        ConfigurationError: naming each variable that cannot be used, and why; never its value.
    """
    try:
        file = Settings().home / ".env"
        return Settings(_env_file=file, _env_file_encoding="utf-8-sig")  # type: ignore[call-arg]
    except ValidationError as error:
        reasons = "; ".join(
            f"{variables(str(problem['loc'][0]))[0]}: {problem['msg']}"
            for problem in error.errors(include_input=False)
        )
        raise ConfigurationError(f"settings: {reasons}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"GRAPHMEM_HOME: {file} cannot be read: {error}") from None


def variables(field: str) -> tuple[str, ...]:
    """The environment variables a field is read from, the one that wins first."""
    known = Settings.model_fields.get(field)
    if known is None:
        return (field,)
    match known.validation_alias:
        case AliasChoices(choices=choices):
            return tuple(str(choice) for choice in choices)
        case str(alias):
            return (alias,)
    return (f"GRAPHMEM_{field.upper()}",)
