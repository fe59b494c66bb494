"""What an embedding server answers: the embeddings, checked, or why it refuses, as a sentence."""

import json
import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphmem.errors import EmbeddingError
from graphmem.model.visible import visible_line

_MOST_SHOWN = 200
_MOST_READ = 65_536
# A server that shows a part of the key may show so many of its letters.
_TELLTALE = 8
_NUMBERS = (int, float)
_TOO_MUCH_STATUS = 413
# Those with which servers say that a request holds too much, if their words say so.
_PERHAPS_TOO_MUCH = frozenset({400, 422, 500})
_TOO_MUCH = re.compile(
    r"too (many|much|long|large|big)|batch size|context[ _](length|size|window)"
    r"|(max|maximum|exceed)\w*\b.{0,60}\b(tokens?|length|inputs?|batch|size|limit|items|characters)"
    r"|(less|fewer|greater|larger|longer|more) than.{0,40}\b(tokens?|length|inputs?|batch|items)",
    re.IGNORECASE | re.DOTALL,
)


def embeddings(body: bytes, count: int) -> NDArray[np.float64]:
    """The embeddings of an answer in the order of the texts, of length 1, [count, dimensions].

    Raises:
        EmbeddingError: The answer is not of the format, or not for so many texts; the message is
            the end of a sentence about the server.
    """
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        raise EmbeddingError("answered with something that is not JSON") from None
    items = answer.get("data") if isinstance(answer, dict) else None
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise EmbeddingError("answered with JSON that holds no list of embeddings")
    if len(items) != count:
        raise EmbeddingError(f"answered with {len(items)} embeddings for {count} texts")
    # Servers that leave out zeros leave out the first index.
    indexes = [item.get("index", 0) for item in items]
    if any(type(index) is not int for index in indexes) or sorted(indexes) != [*range(count)]:
        raise EmbeddingError("answered with embeddings whose indexes are missing or repeated")
    by_index = sorted(items, key=lambda item: int(item.get("index", 0)))
    rows = [item.get("embedding") for item in by_index]
    if not all(_is_numbers(row) for row in rows):
        raise EmbeddingError("answered with an embedding that is not a list of numbers")
    if len({len(row) for row in rows}) != 1:
        raise EmbeddingError("answered with embeddings of different lengths")
    return _normalise(rows)


def _is_numbers(row: object) -> bool:
    return isinstance(row, list) and bool(row) and all(type(number) in _NUMBERS for number in row)


def _normalise(rows: list[list[float]]) -> NDArray[np.float64]:
    try:
        matrix = np.array(rows, dtype=np.float64)
    except OverflowError:
        matrix = np.full((1, 1), np.inf)
    if not np.isfinite(matrix).all():
        raise EmbeddingError("answered with an embedding that holds numbers that are not finite")
    largest = np.abs(matrix).max(axis=1, keepdims=True)
    if not largest.all():
        raise EmbeddingError("answered with an embedding that is all zeros")
    matrix = matrix / largest  # the squares of very large and very small numbers are no numbers
    normalised: NDArray[np.float64] = matrix / np.linalg.norm(matrix, axis=1, keepdims=True)
    return normalised


def explanation(body: bytes, secret: str | None) -> str:
    """Why a server refuses, in one short line that holds no secret; may be empty."""
    text = body[:_MOST_READ].decode("utf-8", "replace")
    try:
        message = _message(json.loads(text))
    except (ValueError, RecursionError):
        message = None
    return clean_line(message or text, secret)


def clean_line(text: str, secret: str | None) -> str:
    """A foreign text in one short line, without what no person sees and without the secret."""
    line = visible_line(text)
    if secret:
        line = _without(line, secret)
    return line if len(line) <= _MOST_SHOWN else f"{line[: _MOST_SHOWN - 1]}…"


def _without(line: str, secret: str) -> str:
    """A line without the words that hold a part of a secret; nothing if it runs over words."""
    lower_secret = secret.lower()
    part_count = max(1, len(lower_secret) - _TELLTALE + 1)
    parts = {lower_secret[start : start + _TELLTALE] for start in range(part_count)}
    words = line.split(" ")
    safe_words = ["…" if any(part in word.lower() for part in parts) else word for word in words]
    joined_words = "".join(safe_words).lower()
    return "…" if any(part in joined_words for part in parts) else " ".join(safe_words)


def is_too_much(status: int, message: str) -> bool:
    """Whether a server refuses texts because they are too many or too long."""
    return status == _TOO_MUCH_STATUS or (
        status in _PERHAPS_TOO_MUCH and _TOO_MUCH.search(message) is not None
    )


def _message(answer: Any) -> str | None:  # noqa: ANN401 - whatever a server says
    """The sentence in an error as OpenAI, FastAPI and others write it."""
    if isinstance(answer, str):
        return answer
    if isinstance(answer, list):
        return _message(answer[0]) if answer else None
    if isinstance(answer, dict):
        for name in ("error", "message", "msg", "detail"):
            if (message := _message(answer.get(name))) is not None:
                return message
    return None
