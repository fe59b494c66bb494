"""Which model a server serves, told by what it makes of a few texts.

A server shows no weights, and the name says little: two models may have one name, and one model
two. The signs of random projections of an embedding (a SimHash) change little with the precision
of a model, and by half with another model. Of the 128 signs of the default model, none changed
with torch or bfloat16, 5 with int8, 12 with 4 bits a weight and 24 with 3; 60 and more where the
same embeddings were turned in space, as another model's are.
"""

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from graphmem.embedding.embedder import PROBED

# A sentence, code, another script, and a line of a log: what models treat differently.
PROBES = (
    "A harbour is where boats are tied up overnight.",
    "def total(prices: list[float]) -> float: return sum(prices)",
    "Кто отвечает за ночные сообщения, если база не отвечает?",
    "2026-01-31 ERROR: disk full, 3 of 17 jobs were stopped",
)
_SIGNS_EACH = 32


def fingerprint(vectors: Sequence[Sequence[float]]) -> str:
    """The revision of a model, of its embeddings of `PROBES`; compare it with `matched`."""
    signs = [
        _directions(number, len(vector)) @ np.asarray(vector) > 0
        for number, vector in enumerate(vectors)
    ]
    return PROBED + np.packbits(np.concatenate(signs)).tobytes().hex()


def _directions(number: int, dimensions: int) -> NDArray[np.float64]:
    """Vectors of ones and minus ones, [signs, dimensions]; the same on every machine."""
    count = _SIGNS_EACH * dimensions
    random_bytes = hashlib.shake_128(str(number).encode()).digest(count // 8)
    bits = np.unpackbits(np.frombuffer(random_bytes, np.uint8)).reshape(_SIGNS_EACH, dimensions)
    return np.where(bits, 1.0, -1.0)
