"""memcp's entities: the kind of those that have none."""

DEFAULT_KIND = "concept"
