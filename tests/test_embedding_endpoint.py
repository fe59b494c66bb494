"""An embedding server: what it is sent, what it may answer, and what becomes of its refusals."""

import gzip
import json
import logging
import math
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import chain, repeat
from typing import Any

import pytest

from embedding_servers import DIMENSIONS, EmbeddingServer, Given, Reply, serving
from fakes import vector
from graphmem import import_cost
from graphmem.embedding import endpoint_client
from graphmem.embedding.embedder import ModelIdentity
from graphmem.embedding.endpoint import (
    MOST_CHARACTERS,
    MOST_TEXTS,
    REQUESTS,
    SHORTEST,
    EndpointModel,
)
from graphmem.embedding.endpoint_address import Endpoint
from graphmem.embedding.endpoint_answer import clean_line
from graphmem.embedding.fingerprint import PROBES
from graphmem.errors import EmbeddingError, ModelUnavailable
from graphmem.settings import Settings
from neo4j_servers import until

KEY = "sk-Zq81-correct/horse+battery=staple"
HTML = "<html><body>It works!</body></html>"


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses between tries, which are noted and not made."""
    made: list[float] = []
    # A model of an earlier test may still be trying in the background.
    other_threads = set(threading.enumerate()) - {threading.current_thread()}

    def pause(seconds: float) -> None:
        if threading.current_thread() in other_threads:
            time.sleep(seconds)
        else:
            made.append(seconds)

    monkeypatch.setattr(endpoint_client, "sleep", pause)
    return made


@pytest.fixture
def server(pauses: list[float]) -> Iterator[EmbeddingServer]:  # noqa: ARG001 - no test waits
    with serving() as server:
        yield server


def endpoint(server: EmbeddingServer, **changes: Any) -> Endpoint:  # noqa: ANN401 - settings
    given = {"embedding_url": server.url, "embedding_model": "org/harbour", **changes}
    made = Endpoint.of(Settings(**given))
    assert made is not None
    return made


def opened(server: EmbeddingServer, **changes: Any) -> EndpointModel:  # noqa: ANN401 - settings
    """The model, after which only what a test asks for counts as a request."""
    model = EndpointModel(endpoint(server, **changes))
    server.requests.clear()
    return model


def embed(model: EndpointModel, *texts: str) -> list[list[float]]:
    return model.documents(texts, lambda _: None)


def same(made: list[float], text: str) -> bool:
    return made == pytest.approx(vector(text, len(made)))


# What is sent


def test_a_request_has_the_format_and_the_key(server: EmbeddingServer) -> None:
    embed(opened(server, embedding_key=KEY), "a pier")
    (request,) = server.requests
    assert request.path == "/v1/embeddings"
    assert request.headers["Authorization"] == f"Bearer {KEY}"
    assert request.body == {
        "model": "org/harbour", "input": ["a pier"], "encoding_format": "float",
    }  # fmt: skip


def test_without_a_key_no_authorization_is_sent(server: EmbeddingServer) -> None:
    embed(opened(server), "a pier")
    assert "Authorization" not in server.requests[0].headers


def test_prompts_stand_before_queries_and_documents(server: EmbeddingServer) -> None:
    model = opened(server, embedding_query_prompt="query: ", embedding_document_prompt="passage: ")
    model.query("a pier")
    embed(model, "a pier")
    assert server.embedded == ["query: a pier", "passage: a pier"]


@pytest.mark.parametrize("scheme_and_host", ["https://localhost", "https://a.org", "http://a.org"])
def test_the_usual_authorities_count_where_something_may_be_encrypted(scheme_and_host: str) -> None:
    assert endpoint_client.authorities(Endpoint(scheme_and_host, "/v1/embeddings", "m")) is True


def test_no_certificate_is_believed_of_a_server_that_is_asked_in_clear() -> None:
    context = endpoint_client.authorities(Endpoint("http://127.0.0.1", "/v1/embeddings", "m"))
    assert isinstance(context, ssl.SSLContext)
    assert context.verify_mode is ssl.CERT_REQUIRED
    assert context.cert_store_stats()["x509_ca"] == 0


def test_a_proxy_of_the_environment_is_not_asked_for_a_server_on_this_machine(
    server: EmbeddingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving() as proxy:
        for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.port}")
        assert same(opened(server, embedding_key=KEY).query("a pier"), "a pier")
        assert proxy.requests == []


def test_half_a_surrogate_pair_and_controls_are_sent_as_text(server: EmbeddingServer) -> None:
    made = embed(opened(server), "a \ud800 b", "\x00", "🦀", "")
    assert [len(embedding) for embedding in made] == [DIMENSIONS] * 4
    assert "a ? b" in server.embedded


# Batches


def test_documents_come_back_in_their_order_however_they_were_sent(
    server: EmbeddingServer,
) -> None:
    server.alters = lambda items: items[::-1]
    texts = [f"text {'long ' * (i % 7)}{i}" for i in range(3 * MOST_TEXTS + 5)]
    done: list[int] = []
    made = opened(server).documents(texts, done.append)
    assert all(same(one, text) for one, text in zip(made, texts, strict=True))
    assert sum(done) == len(texts)
    assert len(server.requests) == 4


def test_a_request_is_cut_by_number_and_by_characters(server: EmbeddingServer) -> None:
    model = opened(server)
    embed(model, *["boat " * 2000] * 7, *["short"] * 100)
    for request in server.requests:
        assert len(request.texts) <= MOST_TEXTS
        assert sum(map(len, request.texts)) <= MOST_CHARACTERS
    assert len(server.embedded) == 107


def test_an_empty_list_of_texts_sends_no_request(server: EmbeddingServer) -> None:
    assert embed(opened(server)) == []
    assert server.requests == []


def at_most(count: int, reply: Reply) -> Callable[[Given], Reply | None]:
    return lambda given: reply if len(given.texts) > count else None


def no_longer_than(characters: int, reply: Reply) -> Callable[[Given], Reply | None]:
    return lambda given: reply if max(map(len, given.texts)) > characters else None


TOO_MANY = [
    Reply(413, "Payload Too Large"),
    Reply(422, json.dumps({"error": "batch size 32 > maximum allowed batch size 10"})),
    Reply(400, json.dumps({"error": {"message": "Too many inputs. The max number is 10."}})),
]
TOO_LONG = [
    Reply(400, json.dumps({"error": {"message": "maximum context length is 512 tokens"}})),
    Reply(400, json.dumps({"error": "the input length exceeds the context length"})),
    Reply(500, json.dumps({"error": {"message": "input is too large to process"}})),
    Reply(413, json.dumps({"error": "inputs must have less than 512 tokens. Given: 900"})),
]


@pytest.mark.parametrize("reply", TOO_MANY, ids=lambda one: str(one.status))
def test_a_refused_batch_is_halved_and_the_size_remembered(
    server: EmbeddingServer, reply: Reply
) -> None:
    server.refuses = at_most(10, reply)
    model = opened(server)
    texts = [f"text {i}" for i in range(32)]
    assert all(same(one, text) for one, text in zip(embed(model, *texts), texts, strict=True))
    server.requests.clear()
    embed(model, *texts)
    assert [len(request.texts) for request in server.requests] == [8] * 4


@pytest.mark.parametrize("reply", TOO_LONG, ids=lambda one: f"{one.status} {one.body[:40]}")
def test_a_text_that_is_too_long_is_cut_and_no_other(server: EmbeddingServer, reply: Reply) -> None:
    server.refuses = no_longer_than(300, reply)
    model = opened(server)
    long = "The tide comes in. " * 40
    made = embed(model, *[f"text {i}" for i in range(20)], long)
    assert all(same(made[i], f"text {i}") for i in range(20))
    cut = [text for text in server.embedded if long.startswith(text) and len(text) <= 300]
    assert [same(made[20], text) for text in cut] == [True]
    assert len(cut[0]) >= 200
    server.requests.clear()
    embed(model, *[f"text {i}" for i in range(20)])
    assert len(server.requests) == 1  # that one was long made no later batch smaller


def test_a_question_that_is_too_long_is_cut_too(server: EmbeddingServer) -> None:
    model = opened(server)
    server.refuses = no_longer_than(300, TOO_LONG[0])
    assert len(model.query("word " * 20_000)) == DIMENSIONS
    assert len(server.requests[0].texts[0]) == MOST_CHARACTERS


def test_a_server_that_finds_everything_too_long_is_an_error(server: EmbeddingServer) -> None:
    model = opened(server)
    server.refuses = lambda _: TOO_LONG[0]
    with pytest.raises(EmbeddingError, match="maximum context length"):
        embed(model, "a long text " * 50)
    assert len(server.requests[-1].texts[0]) == SHORTEST


# Several at a time


def test_several_requests_of_documents_are_under_way_at_a_time(server: EmbeddingServer) -> None:
    model = opened(server)
    together = threading.Barrier(3)
    server.begins = lambda _: together.wait()
    embed(model, *[f"text {i}" for i in range(3 * MOST_TEXTS)])
    assert len(server.requests) == 3  # each waited for the two others


def test_a_question_does_not_wait_for_documents(server: EmbeddingServer) -> None:
    model = opened(server)
    asked, begun = threading.Event(), threading.Event()

    def begins(given: Given) -> None:
        if given.texts != ["a question"]:
            begun.set()
            asked.wait()

    server.begins = begins
    with ThreadPoolExecutor(1) as threads:
        documents = threads.submit(embed, model, *["text"] * 500)
        begun.wait()
        assert same(model.query("a question"), "a question")
        assert not documents.done()
        asked.set()
        assert len(documents.result()) == 500


def test_threads_may_share_a_model(server: EmbeddingServer) -> None:
    model = opened(server)
    with ThreadPoolExecutor(8) as threads:
        made = [*threads.map(model.query, [f"question {i}" for i in range(40)])]
    assert all(same(one, f"question {i}") for i, one in enumerate(made))


# What is tried again


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504, 529, None])
def test_temporary_errors_are_retried(
    server: EmbeddingServer, pauses: list[float], status: int | None
) -> None:
    model = opened(server)
    server.replies.extend([Reply(status, "busy")] * 2)
    assert same(model.query("a pier"), "a pier")
    assert len(pauses) == 2
    assert 0 < pauses[0] < pauses[1] < 1


@pytest.mark.parametrize(
    ("header", "pause"),
    [("3", 3.0), ("0", 0.0), ("-5", 0.0), ("Thu, 01 Jan 1970 00:00:00 GMT", 0.0)],
)
def test_a_server_says_how_long_to_wait(
    server: EmbeddingServer, pauses: list[float], header: str, pause: float
) -> None:
    model = opened(server)
    server.replies.append(Reply(429, "slow down", {"Retry-After": header}))
    embed(model, "a pier")
    assert pauses == [pause]


@pytest.mark.parametrize("header", ["soon", "nan", "", "Thu, 01 Jan 99999999999 00:00:00 GMT"])
def test_a_pause_that_cannot_be_read_counts_as_none(
    server: EmbeddingServer, pauses: list[float], header: str
) -> None:
    model = opened(server)
    server.replies.append(Reply(429, "slow down", {"Retry-After": header}))
    embed(model, "a pier")
    assert len(pauses) == 1
    assert 0 < pauses[0] < 1


def test_a_longer_pause_than_the_caller_has_patience_for_is_not_made(
    server: EmbeddingServer, pauses: list[float]
) -> None:
    model = opened(server)
    server.replies.append(Reply(429, "slow down", {"Retry-After": "100000"}))
    with pytest.raises(ModelUnavailable, match="429 “slow down”") as refused:
        model.query("a pier")
    assert pauses == []
    assert refused.value.pause == 600


def test_retries_are_limited(server: EmbeddingServer, pauses: list[float]) -> None:
    model = opened(server)
    server.refuses = lambda _: Reply(503, json.dumps({"error": {"message": "Loading model"}}))
    with pytest.raises(ModelUnavailable, match="answered 503 “Loading model”; try again later"):
        embed(model, "a pier")
    assert 30 < sum(pauses) <= 60
    assert all(pause <= 10 for pause in pauses)


def test_a_server_that_is_gone_is_named_with_the_next_step(server: EmbeddingServer) -> None:
    model = opened(server)
    server.stop()
    place = f"http://127.0.0.1:{server.port}"
    with pytest.raises(ModelUnavailable) as refused:
        model.query("a pier")
    assert str(refused.value).startswith(f"the embedding server at {place} cannot be reached (")
    assert "[Errno" not in str(refused.value)
    assert "check that it runs, and GRAPHMEM_EMBEDDING_URL" in str(refused.value)


def test_a_server_that_does_not_answer_in_time_is_not_asked_again(
    server: EmbeddingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = opened(server)
    monkeypatch.setattr(
        "graphmem.embedding.endpoint.QUERY", endpoint_client.Patience(answer=0.05, pauses=10)
    )
    go = threading.Event()
    server.begins = lambda _: go.wait()
    with pytest.raises(ModelUnavailable, match=r"did not answer within 0.05 seconds"):
        model.query("a pier")
    until(lambda: server.requests)  # it may come to a busy server after the caller gave up
    go.set()
    assert len(server.requests) == 1


def test_no_more_documents_are_sent_to_a_server_that_is_gone(server: EmbeddingServer) -> None:
    model = opened(server)
    server.refuses = lambda _: Reply(401, "no")
    together = threading.Barrier(REQUESTS)
    server.begins = lambda _: together.wait()  # a fifth request would wait for three more
    with pytest.raises(ModelUnavailable):
        embed(model, *["text"] * MOST_TEXTS * REQUESTS * 5)
    assert len(server.requests) == REQUESTS


@pytest.mark.parametrize(
    ("status", "names"),
    [
        (401, "GRAPHMEM_EMBEDDING_KEY"),
        (403, "GRAPHMEM_EMBEDDING_KEY"),
        (404, "GRAPHMEM_EMBEDDING_MODEL"),
        (405, "usually ending in /v1"),
        (400, "GRAPHMEM_EMBEDDING_MODEL"),
        (402, "GRAPHMEM_EMBEDDING_MODEL"),
        (301, "GRAPHMEM_EMBEDDING_URL"),
    ],
)
@pytest.mark.parametrize("key", [None, KEY])
def test_a_refusal_is_not_tried_again_and_names_the_setting(
    server: EmbeddingServer, pauses: list[float], status: int, names: str, key: str | None
) -> None:
    model = opened(server, embedding_key=key)
    server.refuses = lambda _: Reply(status, '{"error": {"message": "no"}}')
    with pytest.raises(EmbeddingError, match=rf"answered {status} “no”.*{names}"):
        embed(model, "a pier")
    assert pauses == []
    assert len(server.requests) == 1


# The key stays where it is


def test_a_redirect_is_not_followed_so_the_key_goes_nowhere_else(
    server: EmbeddingServer, pauses: list[float]
) -> None:
    with serving() as elsewhere:
        where = {"Location": f"{elsewhere.url}/embeddings?key={KEY}"}
        for status in (301, 302, 303, 307, 308):
            server.replies.append(Reply(status, "", where))
            with pytest.raises(ModelUnavailable, match=r"sends callers to 127\.0\.0\.1") as refused:
                EndpointModel(endpoint(server, embedding_key=KEY))
            assert KEY not in str(refused.value)
        assert elsewhere.requests == []
    assert pauses == []


@pytest.mark.parametrize(
    "echo",
    [
        f"Incorrect API key provided: {KEY}.",
        f"Bearer {KEY}",
        f"you sent {KEY[:20]}",
        f"you sent …{KEY[-12:]}",
        f"you sent {KEY.upper()}",
        f"you sent {KEY[:6]}\x00{KEY[6:]}",
        f"you sent {KEY[:6]}\u200b{KEY[6:]}",
        f"you sent {KEY[:6]} \n {KEY[6:12]} {KEY[12:]}",
        "x" * 190 + KEY,
    ],
)
@pytest.mark.parametrize("wraps", [lambda s: json.dumps({"error": {"message": s}}), str])
@pytest.mark.parametrize("status", [400, 401, 404, 503])
def test_a_key_that_a_server_echoes_is_in_no_message(
    server: EmbeddingServer,
    caplog: pytest.LogCaptureFixture,
    echo: str,
    wraps: Callable[[str], str],
    status: int,
) -> None:
    caplog.set_level(logging.DEBUG)
    server.refuses = lambda _: Reply(status, wraps(echo))
    with pytest.raises(ModelUnavailable) as refused:
        EndpointModel(endpoint(server, embedding_key=KEY))
    shown = f"{refused.value!r} {refused.value} {caplog.text}".replace(" ", "").lower()
    parts = [KEY[start : start + 8].lower() for start in range(len(KEY) - 7)]
    assert [part for part in parts if part in shown] == []


def test_what_a_server_says_is_shown_short_and_without_controls() -> None:
    said = clean_line("\x1b[31mno\u202e\n\tboats " + "x" * 1000, None)
    assert said.startswith("[31mno boats xxx")
    assert len(said) == 200


def test_the_key_is_in_no_repr(server: EmbeddingServer) -> None:
    made = endpoint(server, embedding_key=KEY)
    assert KEY not in f"{made!r} {made} {EndpointModel(made)!r}"


# What it may answer


def item(index: object, embedding: object) -> dict[str, object]:
    return {"index": index, "embedding": embedding}


UNIT = [1.0] + [0.0] * (DIMENSIONS - 1)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (HTML, "is not JSON"),
        ("", "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ("[1]", "no list of embeddings"),
        ('{"data": "none"}', "no list of embeddings"),
        ('{"data": [1, 2]}', "no list of embeddings"),
        ([item(0, UNIT)], "1 embeddings for 2 texts"),
        ([item(0, UNIT)] * 3, "3 embeddings for 2 texts"),
        ([item(1, UNIT)] * 2, "missing or repeated"),
        ([{"embedding": UNIT}] * 2, "missing or repeated"),
        ([item(0, UNIT), item(2, UNIT)], "missing or repeated"),
        ([item(0, UNIT), item("1", UNIT)], "missing or repeated"),
        ([item(0.0, UNIT), item(1.0, UNIT)], "missing or repeated"),
        ([item(0, UNIT), item(1, None)], "not a list of numbers"),
        ([item(0, UNIT), item(1, [])], "not a list of numbers"),
        ([item(0, UNIT), item(1, ["1.0"] * DIMENSIONS)], "not a list of numbers"),
        ([item(0, UNIT), item(1, [UNIT])], "not a list of numbers"),
        ([item(0, UNIT), item(1, "AAAAAA==")], "not a list of numbers"),
        ([item(0, UNIT), item(1, [math.nan, *UNIT[1:]])], "not finite"),
        ([item(0, UNIT), item(1, [math.inf, *UNIT[1:]])], "not finite"),
        ([item(0, UNIT), item(1, [10**400, *UNIT[1:]])], "not finite"),
        ([item(0, UNIT), item(1, [0.0] * DIMENSIONS)], "all zeros"),
        ([item(0, UNIT), item(1, UNIT[:-1])], "different lengths"),
        ([item(0, UNIT[:-1]), item(1, UNIT[:-1])], "of 15 numbers, and earlier with 16"),
    ],
)
def test_an_answer_that_cannot_be_used_is_an_error(
    server: EmbeddingServer, body: object, said: str
) -> None:
    model = opened(server)
    text = body if isinstance(body, str) else json.dumps({"data": body})
    server.replies.append(Reply(body=text))
    # What ends with garbage, such as connections, cannot end within lists as deep as Python goes.
    with import_cost.uncollected(), pytest.raises(EmbeddingError, match=said) as refused:
        embed(model, "a pier", "a boat")
    assert f"the embedding server at http://127.0.0.1:{server.port} " in str(refused.value)


def test_a_first_index_of_zero_may_be_left_out(server: EmbeddingServer) -> None:
    server.alters = lambda items: [
        {name: value for name, value in item.items() if value != 0} for item in items
    ]
    assert same(embed(opened(server), "a pier", "a boat")[1], "a boat")


@pytest.mark.parametrize("factor", [1e-300, 0.37, 1e300])
def test_embeddings_are_made_as_long_as_one(server: EmbeddingServer, factor: float) -> None:
    server.alters = lambda items: [
        item | {"embedding": [factor * number for number in item["embedding"]]} for item in items
    ]
    (made,) = embed(opened(server), "a pier")
    assert math.hypot(*made) == pytest.approx(1)
    assert same(made, "a pier")


def test_an_endless_answer_is_given_up(
    server: EmbeddingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = opened(server)
    monkeypatch.setattr(endpoint_client, "MOST_ANSWER_BYTES", 1 << 20)
    bomb = gzip.compress(b" " * (4 << 20))
    server.replies.append(Reply(body=bomb, headers={"Content-Encoding": "gzip"}))
    with pytest.raises(EmbeddingError, match="more than 1 MiB"):
        embed(model, "a pier")


def test_a_compressed_answer_that_holds_nothing_is_given_up_in_time(
    server: EmbeddingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = opened(server)
    monkeypatch.setattr(
        "graphmem.embedding.endpoint.QUERY", endpoint_client.Patience(answer=0.05, pauses=10)
    )
    head = gzip.compress(b"")[:10]
    empty_blocks = b"\x00\x00\x00\xff\xff" * 65_536
    pieces = chain([head], repeat(empty_blocks, 200))
    server.replies.append(Reply(body=pieces, headers={"Content-Encoding": "gzip"}))
    with pytest.raises(ModelUnavailable, match=r"did not answer within 0.05 seconds"):
        model.query("a pier")


def test_the_time_for_an_answer_begins_with_its_request(
    server: EmbeddingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = opened(server)
    clock = [0.0]
    monkeypatch.setattr(endpoint_client, "monotonic", lambda: clock[0])

    def pass_time(_: Given) -> None:
        clock[0] += 14.0

    def pieces() -> Iterator[bytes]:
        for piece in (b'{"data"', b": []}"):
            clock[0] += 0.75  # 1.5 seconds for the body, 15.5 for the whole answer
            yield piece

    server.begins = pass_time
    server.replies.append(Reply(body=pieces()))
    with pytest.raises(ModelUnavailable, match=r"did not answer within 15 seconds"):
        model.query("a pier")


def test_a_damaged_answer_is_tried_again(server: EmbeddingServer, pauses: list[float]) -> None:
    model = opened(server)
    server.replies.append(Reply(body=b"no gzip", headers={"Content-Encoding": "gzip"}))
    assert same(model.query("a pier"), "a pier")
    assert len(pauses) == 1


# Which model it is


def test_the_identity_names_the_model_and_its_dimensions(server: EmbeddingServer) -> None:
    model = EndpointModel(endpoint(server))
    assert (model.identity.name, model.identity.dimensions) == ("harbour", DIMENSIONS)
    assert model.identity.revision.startswith("probe-")
    assert server.embedded == [*PROBES]


def test_a_length_that_is_asked_for_is_sent_and_checked(server: EmbeddingServer) -> None:
    assert EndpointModel(endpoint(server, embedding_dimensions=8)).identity.dimensions == 8
    assert server.requests[0].body["dimensions"] == 8
    server.shortens = False
    with pytest.raises(ModelUnavailable, match="GRAPHMEM_EMBEDDING_DIMENSIONS is 8, but"):
        EndpointModel(endpoint(server, embedding_dimensions=8))


def test_embeddings_that_no_index_holds_are_refused_at_once(server: EmbeddingServer) -> None:
    server.dimensions = 4097
    with pytest.raises(ModelUnavailable, match="4097 numbers, and the store takes at most 4096"):
        EndpointModel(endpoint(server))


def shaken(noise: float) -> Callable[[list[dict[str, Any]]], object]:
    """Embeddings as a server of less precision makes them."""
    return lambda items: [
        item
        | {
            "embedding": [
                number + noise * math.sin(7 * place + item["index"])
                for place, number in enumerate(item["embedding"])
            ]
        }
        for item in items
    ]


def test_another_server_with_the_same_model_has_its_identity(server: EmbeddingServer) -> None:
    server.dimensions = 384
    stored = EndpointModel(endpoint(server)).identity
    server.alters = shaken(0.005)
    rough = EndpointModel(endpoint(server, embedding_model="harbour:q4")).identity
    assert rough != stored
    assert rough.matched(stored) == stored
    assert rough.matched(None) == rough


def test_another_model_of_the_same_name_has_another_identity(server: EmbeddingServer) -> None:
    stored = EndpointModel(endpoint(server)).identity
    server.alters = lambda items: [item | {"embedding": item["embedding"][::-1]} for item in items]
    other = EndpointModel(endpoint(server)).identity
    assert other.name == stored.name
    assert other.matched(stored) == other


def test_another_prompt_or_length_makes_another_identity(server: EmbeddingServer) -> None:
    stored = EndpointModel(endpoint(server)).identity
    for change in ({"embedding_document_prompt": "passage: "}, {"embedding_dimensions": 8}):
        other = EndpointModel(endpoint(server, **change)).identity
        assert other.matched(stored) == other
    query = EndpointModel(endpoint(server, embedding_query_prompt="query: ")).identity
    assert query == stored


def test_a_digest_of_weights_matches_only_the_same_digest(server: EmbeddingServer) -> None:
    local = ModelIdentity("harbour", "0123456789abcdef", DIMENSIONS)
    served = EndpointModel(endpoint(server)).identity
    assert served.matched(local) == served
    assert local.matched(served) == local
    assert local.matched(ModelIdentity("harbour", "0123456789abcdee", DIMENSIONS)) == local
