"""The record of changes: written beside each, undone, imported, and deleted when it is old."""
