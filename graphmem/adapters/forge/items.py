"""Forge's patterns as entities: their kind, and how sure of them Forge is."""

KIND = "Pattern"
# What Forge takes a pattern without a confidence for.
DEFAULT_CONFIDENCE = 0.5
