"""Forge: its learned patterns, and its two tools for them."""
