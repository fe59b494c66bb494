"""The settings of an embedding server are checked before anything is sent, and show no secret."""

from typing import Any

import pytest

from graphmem.embedding import Endpoint, configured_embedder
from graphmem.errors import ConfigurationError
from graphmem.settings import Settings

KEY = "sk-Zq81-correct-horse"


def endpoint(url: str, **changes: Any) -> Endpoint:  # noqa: ANN401 - settings
    made = Endpoint.of(Settings(**{"embedding_url": url, "embedding_model": "m", **changes}))
    assert made is not None
    return made


@pytest.mark.parametrize(
    ("url", "posted"),
    [
        ("http://127.0.0.1:11434/v1", "http://127.0.0.1:11434/v1/embeddings"),
        ("http://127.0.0.1:11434/v1/", "http://127.0.0.1:11434/v1/embeddings"),
        ("http://127.0.0.1:11434/v1/embeddings", "http://127.0.0.1:11434/v1/embeddings"),
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080/embeddings"),
        ("https://API.example.org/openai/v1", "https://api.example.org/openai/v1/embeddings"),
        ("http://[::1]:8080/v1", "http://[::1]:8080/v1/embeddings"),
        ("http://my_ollama:11434/v1", "http://my_ollama:11434/v1/embeddings"),
    ],
)
def test_embeddings_follows_the_address(url: str, posted: str) -> None:
    assert endpoint(url).url == posted


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("127.0.0.1:11434", "must begin with http"),
        ("ftp://127.0.0.1/v1", "must begin with http"),
        ("http://", "must be the address"),
        ("http:///v1", "must be the address"),
        ("http://127.0.0.1:port/v1", "must be the address"),
        ("http://127.0.0.1:99999/v1", "must be the address"),
        ("http://[::1/v1", "must be the address"),
        ("http://[v1.x]/v1", "must be the address"),
        ("http://ho st/v1", "without spaces"),
        ("http://host/v1\n", "without spaces"),
        ("http://127.0.0.1\\evil.example/v1", "without spaces, backslashes"),
        ("https://exämple.org/v1", "letters beyond ASCII"),
        ("https://api.example.org/v1?api-key=hush", "without"),
        ("https://api.example.org/v1#hush", "without"),
        ("https://me:hush@api.example.org/v1", "GRAPHMEM_EMBEDDING_KEY"),
        ("https://hush@api.example.org/v1", "GRAPHMEM_EMBEDDING_KEY"),
    ],
)
def test_an_address_that_cannot_be_used_is_refused_and_not_shown(url: str, said: str) -> None:
    with pytest.raises(ConfigurationError, match=said) as refused:
        endpoint(url)
    assert str(refused.value).startswith("GRAPHMEM_EMBEDDING_URL must ")
    assert "hush" not in f"{refused.value!r} {refused.value.__cause__}"


@pytest.mark.parametrize(
    "url",
    [
        "https://api.example.org/v1",
        "http://127.0.0.1:8080/v1",
        "http://127.8.9.1/v1",
        "http://[::1]:8080/v1",
        "http://localhost:8080/v1",
    ],
)
def test_a_key_goes_over_https_or_to_this_machine(url: str) -> None:
    assert endpoint(url, embedding_key=KEY).key == KEY


@pytest.mark.parametrize(
    "host",
    ["ollama:11434", "192.168.1.7", "127.1", "2130706433", "localhost.evil.example", "0.0.0.0"],  # noqa: S104
)
def test_a_key_goes_nowhere_in_plain_text(host: str) -> None:
    with pytest.raises(ConfigurationError, match="everybody on the way can read it") as refused:
        endpoint(f"http://{host}/v1", embedding_key=KEY)
    assert KEY not in str(refused.value)
    assert endpoint(f"http://{host}/v1").key is None


@pytest.mark.parametrize("key", ["two words", "line\nbreak", "schlüssel", " "])
def test_a_key_that_cannot_be_sent_is_refused_and_not_shown(key: str) -> None:
    with pytest.raises(ConfigurationError, match="GRAPHMEM_EMBEDDING_KEY must be of") as refused:
        endpoint("https://api.example.org/v1", embedding_key=key)
    assert key not in str(refused.value).replace("without spaces", "").split("KEY must")[0]
    assert "break" not in str(refused.value)


@pytest.mark.parametrize("model", [None, " "])
def test_the_model_has_to_be_named(model: str | None) -> None:
    with pytest.raises(ConfigurationError, match="GRAPHMEM_EMBEDDING_MODEL must name"):
        endpoint("https://api.example.org/v1", embedding_model=model)


def test_without_an_address_the_model_is_a_local_one() -> None:
    assert Endpoint.of(Settings(embedding_model="m")) is None
    embedder = configured_embedder(Settings(embedding_model="m"), start=False)
    assert embedder._name == f"the embedding model {Settings().model}"


def test_with_an_address_the_local_model_is_left_alone() -> None:
    config = Settings(embedding_url="http://127.0.0.1:1/v1", embedding_model="org/harbour")
    assert configured_embedder(config, start=False)._name == "the embedding model org/harbour"
    assert endpoint("https://a.example/v1", embedding_model="org/harbour").name == "harbour"
