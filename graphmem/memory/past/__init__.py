"""Histories, walked back revision by revision, and searches of the store at a moment."""
