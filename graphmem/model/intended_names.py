"""Which field or option may be meant by a name that there is none of."""

from collections.abc import Collection

# What tools call the same thing: of each row, the first name that there is, is meant.
SYNONYMS = (
    ("kind", "kinds", "type", "label", "labels", "entitytype", "entitytypes"),
    ("relation", "relations", "relationtype", "relationtypes", "type", "label"),
    ("from", "start", "source", "subject"),
    ("to", "end", "target", "object", "newname", "into", "new", "destination"),
    ("name", "names", "id", "ids", "entity", "entityname", "entitynames"),
    ("text", "content", "description", "body"),
    ("observations", "observation", "note", "notes", "contents", "facts", "description"),
    ("query", "q", "question"),
    ("budget", "maxtokens", "tokens", "tokenbudget"),
    ("limit", "count", "k", "topk", "maxresults"),
)


def intended_name(name: str, allowed: Collection[str]) -> str | None:
    """The allowed name that stands for the same thing as another one, or is spelt nearly like it.

    Args:
        name: What was given, in any case, with or without `_` and `-`.
        allowed: The names there are.

    Returns:
        One of them, or None.
    """
    folded_name = name.replace("_", "").replace("-", "").casefold()
    for synonyms in SYNONYMS:
        if folded_name in synonyms:
            for synonym in synonyms:
                if synonym in allowed:
                    return synonym
    from difflib import get_close_matches  # noqa: PLC0415 - for a mistake alone

    return next(iter(get_close_matches(name, allowed, n=1)), None)


def intended_names(names: Collection[str], allowed: Collection[str]) -> str | None:
    """Ask of each of some names whether another one is meant, beginning with `did you mean`."""
    pairs = [(name, intended_name(name, allowed)) for name in names]
    asked = ", ".join(f"`{meant}` for `{name}`" for name, meant in pairs if meant is not None)
    return f"did you mean {asked}?" if asked else None
