"""Requests to an embedding server: tried again where that helps, and refusals as sentences."""

import json
import logging
import random
import re
import ssl
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from time import monotonic, sleep
from typing import cast
from urllib.parse import urlsplit

import httpx2
import numpy as np
from numpy.typing import NDArray

from graphmem.embedding.endpoint_address import Endpoint
from graphmem.embedding.endpoint_answer import clean_line, embeddings, explanation, is_too_much
from graphmem.errors import EmbeddingError, ModelUnavailable

log = logging.getLogger("graphmem")

FIRST_PAUSE_SECONDS = 0.25
LONGEST_PAUSE_SECONDS = 10.0
# A server that refuses the key or does not know the model is left alone for so long.
REFUSED_SECONDS = 60.0
MOST_ANSWER_BYTES = 64 * 1024 * 1024
CONNECT_SECONDS = 5.0

_OK = 200
_REDIRECTS = range(300, 400)
_UNAUTHORIZED = frozenset({401, 403})
_UNKNOWN = frozenset({404, 405, 410})
# Servers that are busy, still load the model, or restart.
_TRANSIENT = frozenset({408, 425, 429, 500, 502, 503, 504, 529})
# What Python writes before the words of an error of the system.
_ERROR_NUMBER = re.compile(r"^\[Errno -?\d+\] ")


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a call may take.

    Args:
        answer: Seconds until an answer is there whole.
        pauses: Seconds of all pauses between the tries together.
    """

    answer: float
    pauses: float


class TooMuchError(Exception):
    """The server refuses texts because they are too many or too long; fewer or shorter may do."""


class _TransientError(Exception):
    """A failure that may be over at the next try.

    Args:
        message: What happened.
        retry_after: Seconds after which the server wants the next try, or None.
    """

    def __init__(self, message: str, *, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class _Punctual(httpx2.SyncByteStream):
    """The bytes of an answer as they come, until a moment.

    Args:
        response: The answer, whose bytes nobody has read.
        deadline: The moment, as `monotonic` gives it.
        late: What is wrong once it is past.
    """

    def __init__(self, response: httpx2.Response, deadline: float, late: str) -> None:
        self._stream = cast("httpx2.SyncByteStream", response.stream)
        self._deadline = deadline
        self._late = late

    def __iter__(self) -> Iterator[bytes]:
        """Give the bytes as they come.

        Raises:
            ModelUnavailable: They are late.
        """
        for chunk in self._stream:
            yield chunk
            if monotonic() > self._deadline:
                raise ModelUnavailable(self._late)

    def close(self) -> None:
        """Read no more."""
        self._stream.close()


class EndpointClient:
    """A connection to an embedding server; threads may share it.

    The key goes to that server alone: redirects are not followed, and a server on this machine is
    not asked through a proxy of the environment.

    Args:
        endpoint: The server and its model.
    """

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        headers = {"Content-Type": "application/json"}
        if endpoint.key is not None:
            headers["Authorization"] = f"Bearer {endpoint.key}"
        self._http = httpx2.Client(
            headers=headers,
            follow_redirects=False,
            verify=authorities(endpoint),
            trust_env=not endpoint.is_local,
            limits=httpx2.Limits(max_connections=None, max_keepalive_connections=8),
        )

    def close(self) -> None:
        """End all connections."""
        self._http.close()

    def embed(self, texts: Sequence[str], patience: Patience) -> NDArray[np.float64]:
        """The embeddings of texts in order, of length 1, [texts, dimensions].

        Raises:
            TooMuchError: They are too many or too long.
            ModelUnavailable: The server does not answer, or refuses whatever the texts are.
            EmbeddingError: The server refuses these texts, or its answer cannot be used.
        """
        attempt, total_pause = 0, 0.0
        while True:
            try:
                return self._embed(texts, patience)
            except _TransientError as error:
                pause = _pause(attempt) if error.retry_after is None else error.retry_after
                total_pause += pause
                if total_pause > patience.pauses:
                    raise ModelUnavailable(str(error), pause=error.retry_after or 0.0) from None
                log.info("%s; trying again in %.1f seconds", error, pause)
            sleep(pause)
            attempt += 1

    def _embed(self, texts: Sequence[str], patience: Patience) -> NDArray[np.float64]:
        status, headers, body = self._post(texts, patience)
        if status != _OK:
            raise self._refusal(status, headers, body)
        try:
            return embeddings(body, len(texts))
        except EmbeddingError as error:
            raise EmbeddingError(f"{self._server} {error}; {_CHECK_URL}") from None

    def _post(self, texts: Sequence[str], patience: Patience) -> tuple[int, httpx2.Headers, bytes]:
        seconds = patience.answer
        deadline = monotonic() + seconds
        try:
            with self._http.stream(
                "POST",
                self._endpoint.url,
                content=self._request(texts),
                timeout=httpx2.Timeout(seconds, connect=min(seconds, CONNECT_SECONDS)),
            ) as response:
                # It may come byte by byte, or compressed without end and hold nothing.
                response.stream = _Punctual(response, deadline, self._late(seconds))
                return response.status_code, response.headers, self._body(response)
        except httpx2.TimeoutException:
            raise ModelUnavailable(self._late(seconds)) from None
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            cause = _ERROR_NUMBER.sub("", str(error)) or type(error).__name__
            reason = clean_line(cause, self._endpoint.key)
            raise _TransientError(
                f"{self._server} cannot be reached ({reason}); check that it runs, and "
                "GRAPHMEM_EMBEDDING_URL"
            ) from None

    def _request(self, texts: Sequence[str]) -> bytes:
        request: dict[str, object] = {
            "model": self._endpoint.model,
            # Half of a surrogate pair is no text that can be sent.
            "input": [text.encode("utf-8", "replace").decode() for text in texts],
            "encoding_format": "float",
        }
        if self._endpoint.dimensions is not None:
            request["dimensions"] = self._endpoint.dimensions
        return json.dumps(request, ensure_ascii=False).encode()

    def _body(self, response: httpx2.Response) -> bytes:
        body = bytearray()
        for chunk in response.iter_bytes():
            body += chunk
            if len(body) > MOST_ANSWER_BYTES:
                raise EmbeddingError(
                    f"{self._server} answered with more than {MOST_ANSWER_BYTES >> 20} MiB; "
                    f"{_CHECK_URL}"
                )
        return bytes(body)

    def _late(self, seconds: float) -> str:
        return (
            f"{self._server} did not answer within {seconds:g} seconds; check that it runs and is "
            "not overloaded, and GRAPHMEM_EMBEDDING_URL"
        )

    def _refusal(self, status: int, headers: httpx2.Headers, body: bytes) -> Exception:
        """The error that a refusal means for the caller."""
        key = self._endpoint.key
        message = explanation(body, key)
        quotation = f" “{message}”" if message else ""
        answer = f"{self._server} answered {status}{quotation}"
        if is_too_much(status, message):
            return TooMuchError(answer)
        if status in _TRANSIENT:
            answer += "; try again later, or see the server's log"
            return _TransientError(answer, retry_after=_retry_after(headers.get("Retry-After")))
        if status in _REDIRECTS:
            target = clean_line(_host(headers.get("Location", "")), key)
            answer += f" and sends callers to {target or 'another address'}, which is not followed"
            advice = "set GRAPHMEM_EMBEDDING_URL to the address itself"
        elif status in _UNAUTHORIZED and key is None:
            advice = "set GRAPHMEM_EMBEDDING_KEY to a key that it accepts"
        elif status in _UNAUTHORIZED:
            advice = "check GRAPHMEM_EMBEDDING_KEY"
        elif status in _UNKNOWN:
            advice = (
                "check that it has the model of GRAPHMEM_EMBEDDING_MODEL, "
                f"{self._endpoint.model}, and that GRAPHMEM_EMBEDDING_URL is the address to which "
                "/embeddings is appended, usually ending in /v1"
            )
        else:
            return EmbeddingError(f"{answer}; {_CHECK_MODEL}")
        return ModelUnavailable(f"{answer}; {advice}", pause=REFUSED_SECONDS)

    @property
    def _server(self) -> str:
        return f"the embedding server at {self._endpoint.place}"


_CHECK_URL = "check that GRAPHMEM_EMBEDDING_URL is a server of the OpenAI embeddings format"
_CHECK_MODEL = "check GRAPHMEM_EMBEDDING_MODEL and GRAPHMEM_EMBEDDING_DIMENSIONS"


def authorities(endpoint: Endpoint) -> ssl.SSLContext | bool:
    """Whose certificates count: the usual authorities', or nobody's where nothing is encrypted.

    A server on this machine that is asked in clear needs none, and to read them takes 25 ms.
    """
    is_in_clear = endpoint.is_local and endpoint.place.startswith("http://")
    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT) if is_in_clear else True


def _pause(attempt: int) -> float:
    """Seconds before another try: doubled each time, and not the same for all who wait."""
    longest = min(LONGEST_PAUSE_SECONDS, FIRST_PAUSE_SECONDS * 2.0 ** min(attempt, 16))
    return float(longest) * random.uniform(0.75, 1.0)  # noqa: S311 - nobody gains by guessing it


def _retry_after(value: str | None) -> float | None:
    """The seconds that a server asks to wait: a number, or until a date; None for neither."""
    if value is None:
        return None
    try:
        seconds = float(value)
    except ValueError:
        try:
            date = parsedate_to_datetime(value)
        except (ValueError, OverflowError):
            return None
        date = date if date.tzinfo else date.replace(tzinfo=UTC)
        seconds = (date - datetime.now(UTC)).total_seconds()
    # "nan" and "inf" are numbers too.
    return min(max(seconds, 0.0), 600.0) if seconds == seconds else None  # noqa: PLR0124


def _host(location: str) -> str:
    try:
        return urlsplit(location).hostname or ""
    except ValueError:
        return ""
