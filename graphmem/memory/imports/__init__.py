"""One run of an import: rows are joined, resolved and written, and what is gone is removed."""
