"""The background of a query: how near any passages of its projects are to it.

An ordinary cosine differs by corpus and by query, so that no fixed bounds tell near from far
everywhere. What counts is how many standard deviations a passage stands out.
"""

import math
from collections import Counter
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from graphmem.embedding.calibration import Calibration, CosineDistribution
from graphmem.embedding.embedder import Vector

Sample: TypeAlias = NDArray[np.float64]

# So many passages of the model's usual cosines are added to the sample: a few say little, and in a
# small project the answers are among them.
PRIOR_PASSAGES = 20


def cosine_distribution(
    vector: Vector, sample: Sample, calibration: Calibration
) -> CosineDistribution:
    """Measure the cosines of a query with a sample of passages.

    Args:
        vector: The query's embedding, of length d.
        sample: Embeddings of passages, n x d, of length 1.
        calibration: What is usual with the model; it weighs as much as PRIOR_PASSAGES passages.
    """
    usual = CosineDistribution.usual(calibration)
    if sample.shape[1:] != (len(vector),):
        return usual
    query = np.asarray(vector, dtype=np.float64)
    cosines = sample @ (query / np.linalg.norm(query))
    weight = len(cosines) + PRIOR_PASSAGES
    mean = (float(cosines.sum()) + PRIOR_PASSAGES * usual.mean) / weight
    squares = float(((cosines - mean) ** 2).sum())
    prior_squares = PRIOR_PASSAGES * (usual.deviation**2 + (usual.mean - mean) ** 2)
    return CosineDistribution(mean, math.sqrt((squares + prior_squares) / weight))


def unit_rows(embeddings: Sequence[Sequence[float]]) -> Sample:
    """Make rows of length 1 of embeddings, n x d, of those that are as long as most are."""
    lengths = Counter(len(row) for row in embeddings)
    length = lengths.most_common(1)[0][0] if lengths else 0
    same_length = [row for row in embeddings if len(row) == length]
    rows = np.array(same_length, dtype=np.float64).reshape(len(same_length), length)
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    units: Sample = rows / np.where(norms > 0, norms, 1.0)
    return units
