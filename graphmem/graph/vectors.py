"""Embeddings as the driver sends them: 4 bytes a dimension in one piece, not a list of numbers."""

from collections.abc import Sequence

from neo4j.vector import Vector


def vector_value(embedding: Sequence[float]) -> Vector:
    """Make the parameter of a statement that stores an embedding, which keeps 32 bits of a number.

    Packing a list of 384 numbers takes the driver eight times as long as this and packing it,
    and the server twice as long to read.

    Args:
        embedding: Finite numbers within the range of float32, as those of unit length are.

    Raises:
        OverflowError: A number is out of that range.
    """
    return Vector.from_native(embedding, "f32")
