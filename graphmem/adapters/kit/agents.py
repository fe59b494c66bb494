"""What agents send where a tool wants a list or an object: JSON text, a single value, or null."""

import json


def json_or_text(text: str) -> object:
    """The list or object of a JSON text; any other text as it is."""
    if not text.lstrip().startswith(("[", "{")):
        return text
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):  # a name may start with a bracket
        return text
    return value


def as_list(value: object) -> object:
    """A list of texts or objects; what can be made no list is given as it is."""
    if value is None:
        return []
    if isinstance(value, str):
        value = json_or_text(value)
    return [value] if isinstance(value, str | dict) else value


def as_texts(value: object) -> object:
    """A list of texts, of which one may look like an object in JSON."""
    if isinstance(value, str):
        parsed = json_or_text(value)
        return parsed if isinstance(parsed, list) else [value]
    return [] if value is None else value


def as_object(value: object) -> object:
    """An object; what can be made none is given as it is."""
    if isinstance(value, str):
        parsed = json_or_text(value)
        return parsed if isinstance(parsed, dict) else value
    return {} if value is None else value
