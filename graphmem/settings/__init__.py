"""Every setting, its default and its unit; `.env.example` lists the same, which a test checks.

No library of models is imported here: the terminal reads its settings at every start, and to import
one takes longer than a search.
"""

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

import attrs

from graphmem.errors import ConfigurationError
from graphmem.model.language import DEFAULT
from graphmem.model.secret import Secret
from graphmem.settings.env_file import read_env_file
from graphmem.settings.setting import (
    by_name,
    host_names,
    language_names,
    model_name,
    number,
    one_of,
    path,
    secret,
    setting,
    size,
    switch,
    whole_number,
)

__all__ = ["DEFAULT_MODEL", "Settings", "env_file_path", "load"]

# The embedding model without a setting.
DEFAULT_MODEL = "all-MiniLM-L6-v2"


def _user_data() -> Path:
    import platformdirs  # noqa: PLC0415 - for weight: asked where no variable says

    return _of_user("GRAPHMEM_HOME", platformdirs.user_data_path)


def _user_cache() -> Path:
    import platformdirs  # noqa: PLC0415 - likewise

    return _of_user("GRAPHMEM_CACHE", platformdirs.user_cache_path)


def _of_user(variable: str, folder_of: Callable[[str], Path]) -> Path:
    with suppress(RuntimeError):  # it knows no home directory, or gives a path that is not absolute
        folder = folder_of("graphmem")
        if folder.is_absolute():
            return folder
    raise ConfigurationError(
        f"settings: {variable} must be set, since HOME is no absolute path; set HOME, or "
        "GRAPHMEM_HOME and GRAPHMEM_CACHE"
    )


@attrs.frozen(kw_only=True)
class Settings:
    """What the environment and `GRAPHMEM_HOME/.env` say, checked; the environment wins.

    What is not given is read from the environment; `load` reads the file too. Empty variables count
    as absent. Secrets never appear in a repr. `attrs.evolve` makes a changed copy.
    """

    home: Path = setting(
        "GRAPHMEM_HOME",
        says="Folder of the private server's data and secrets.",
        read=path,
        default=_user_data,
    )
    cache: Path = setting(
        "GRAPHMEM_CACHE",
        says="Folder of the server jars, the AOT cache and exported models.",
        read=path,
        default=_user_cache,
    )
    project: str | None = setting(
        "GRAPHMEM_PROJECT",
        says="Project to use instead of the git remote or folder.",
        read=str,
    )

    neo4j_uri: str | None = setting(
        "NEO4J_URI",
        "GRAPHMEM_NEO4J_URI",
        says="Server to use instead of the private one; any scheme of Bolt.",
        read=str,
    )
    neo4j_username: str = setting(
        "NEO4J_USERNAME", says="User name at NEO4J_URI.", read=str, default="neo4j"
    )
    neo4j_password: Secret | None = setting(
        "NEO4J_PASSWORD", says="Password at NEO4J_URI.", read=secret
    )
    neo4j_database: str = setting(
        "NEO4J_DATABASE", says="Database at NEO4J_URI.", read=str, default="neo4j"
    )

    neo4j_home: Path | None = setting(
        "GRAPHMEM_NEO4J_HOME",
        "NEO4J_HOME",
        says="An unpacked Neo4j distribution to run instead of the fetched jars.",
        read=path,
    )
    java_home: Path | None = setting(
        "GRAPHMEM_JAVA_HOME", says="Java 21 or newer for the private server.", read=path
    )
    system_java_home: Path | None = setting(
        "JAVA_HOME", says="Java to try after GRAPHMEM_JAVA_HOME.", read=path
    )
    neo4j_heap: str = setting(
        "GRAPHMEM_NEO4J_HEAP",
        says="Java heap of the private server.",
        read=size,
        default="512m",
    )
    neo4j_page_cache: str = setting(
        "GRAPHMEM_NEO4J_PAGE_CACHE",
        says="Page cache of the private server.",
        read=size,
        default="256m",
    )
    idle_minutes: float = setting(
        "GRAPHMEM_IDLE_MINUTES",
        says="Minutes without a call after which the server stops.",
        read=number(),
        default=15.0,
    )
    start_seconds: float = setting(
        "GRAPHMEM_START_SECONDS",
        says="Seconds the private server may take to start.",
        read=number(),
        default=180.0,
    )

    languages: tuple[str, ...] = setting(
        "GRAPHMEM_LANGUAGES",
        says="Languages in which a new store indexes its texts.",
        read=language_names,
        default=DEFAULT,
    )
    model: str = setting(
        "GRAPHMEM_MODEL",
        says="Embedding model: a name at the model hub, or the path of a folder.",
        read=model_name,
        default=DEFAULT_MODEL,
    )
    model_seconds: float = setting(
        "GRAPHMEM_MODEL_SECONDS",
        says="Seconds that calls wait for the model to load.",
        read=number(at_most=3600),
        default=120.0,
    )
    model_runtime: Literal["auto", "onnx", "torch"] = setting(
        "GRAPHMEM_MODEL_RUNTIME",
        says="What runs the model: onnxruntime unless torch has a GPU, or one of them.",
        read=one_of("auto", "onnx", "torch"),
        default="auto",
    )
    model_precision: Literal["float32", "int8"] = setting(
        "GRAPHMEM_MODEL_PRECISION",
        says="Precision of the model for documents, where onnxruntime runs it.",
        read=one_of("float32", "int8"),
        default="float32",
    )
    embedding_url: str | None = setting(
        "GRAPHMEM_EMBEDDING_URL",
        says="Server to embed with instead of a local model; OpenAI's format.",
        read=str,
    )
    embedding_key: Secret | None = setting(
        "GRAPHMEM_EMBEDDING_KEY", says="Bearer token for GRAPHMEM_EMBEDDING_URL.", read=secret
    )
    # Not GRAPHMEM_MODEL: that has a default, which would be asked of every server, and may be the
    # path of a folder; and both together let a caller go from one to the other by the URL alone.
    embedding_model: str | None = setting(
        "GRAPHMEM_EMBEDDING_MODEL", says="Name of the model at GRAPHMEM_EMBEDDING_URL.", read=str
    )
    embedding_dimensions: int | None = setting(
        "GRAPHMEM_EMBEDDING_DIMENSIONS",
        says="Length of the embeddings at GRAPHMEM_EMBEDDING_URL.",
        read=whole_number(at_most=4096),
    )
    embedding_query_prompt: str | None = setting(
        "GRAPHMEM_EMBEDDING_QUERY_PROMPT",
        says="Text before each query for GRAPHMEM_EMBEDDING_URL.",
        read=str,
    )
    embedding_document_prompt: str | None = setting(
        "GRAPHMEM_EMBEDDING_DOCUMENT_PROMPT",
        says="Text before each passage for GRAPHMEM_EMBEDDING_URL.",
        read=str,
    )
    reranker: str | None = setting(
        "GRAPHMEM_RERANKER",
        says="Cross-encoder that orders the best hits of a search; none by default.",
        read=model_name,
    )
    hub: bool = setting(
        "GRAPHMEM_HUB",
        says="Whether a model that is not on this machine may be downloaded.",
        read=switch,
        default=True,
    )
    token: Secret | None = setting(
        "GRAPHMEM_TOKEN", says="Bearer token that callers over HTTP must send.", read=secret
    )
    tokens: Path | None = setting(
        "GRAPHMEM_TOKENS",
        says="TOML file with a bearer token for each caller over HTTP.",
        read=path,
    )
    allowed_hosts: tuple[str, ...] | None = setting(
        "GRAPHMEM_ALLOWED_HOSTS",
        says="More host names that callers over HTTP may use for this server.",
        read=host_names,
    )
    query_seconds: float = setting(
        "GRAPHMEM_QUERY_SECONDS",
        says="Seconds one database statement may take.",
        read=number(at_most=600),
        default=20.0,
    )
    track_access: bool = setting(
        "GRAPHMEM_TRACK_ACCESS",
        says="Whether the memcp profile records when an entity was last found.",
        read=switch,
        default=True,
    )
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = setting(
        "GRAPHMEM_LOG_LEVEL",
        says="What is logged to stderr.",
        read=one_of("DEBUG", "INFO", "WARNING", "ERROR"),
        default="WARNING",
    )

    @property
    def asks_for_languages(self) -> bool:
        """Whether someone chose the languages; the default asks for none."""
        return self.languages is not DEFAULT


def load() -> Settings:
    """Read the settings.

    Raises:
        ConfigurationError: naming each variable that cannot be used, and why; never its value.
    """
    environment = by_name(os.environ)
    file = env_file_path(environment)
    # A variable of the environment wins, also where it is another one than the file's.
    sources = ((environment, ""), (read_env_file(file), f" (in {file})"))
    arguments: dict[str, Any] = {}
    reasons = []
    for attribute in attrs.fields(Settings):
        variables = attribute.metadata["variables"]
        stated_values = (
            (name, values[name], place)
            for values, place in sources
            for name in variables
            if name in values
        )
        name, value, place = next(stated_values, (None, None, None))
        if value is None:
            continue
        try:
            arguments[attribute.name] = attribute.metadata["read"](value)
        except ValueError as error:
            reasons.append(f"{name} {error}{place}")
    if reasons:
        raise ConfigurationError(f"settings: {'; '.join(reasons)}")
    return Settings(**arguments)


def env_file_path(environment: Mapping[str, str]) -> Path:
    """Give the path of the file `.env` in the home, which may not exist.

    Args:
        environment: The variables of the environment, by their names in capital letters.

    Raises:
        ConfigurationError: GRAPHMEM_HOME is no path.
    """
    home = environment.get("GRAPHMEM_HOME")
    try:
        return (path(home) if home else _user_data()) / ".env"
    except ValueError as error:
        raise ConfigurationError(f"settings: GRAPHMEM_HOME {error}") from None
