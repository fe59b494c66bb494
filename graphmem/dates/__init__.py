"""Dates as people say them in a question, in English and Russian: `last week`, `в марте`.

A small strict grammar: a month, a weekday or a year counts only after a word such as `in` or
`since`, or with a year, so that `may`, `march` and `second` of ordinary questions stay words.
"""

from graphmem.dates.reading import DatedQuery, read

__all__ = ["DatedQuery", "read"]
