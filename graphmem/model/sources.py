"""Where something comes from: the path of a file, an address, or the words of a person."""

import re
import unicodedata

from graphmem.errors import InvalidInput
from graphmem.model import limits

# The wide space of Japanese and Chinese stands in names of files beside the usual one.
_SPACES = re.compile(r"[^\S\u3000]+")


def source(argument: str, value: object) -> str:
    """Check a source: a label that keeps full-width characters, with which files are called."""
    limits.label(argument, value)
    checked = spelling(str(value))
    if len(checked) > limits.LABEL_CHARACTERS or len(checked.encode()) > limits.LABEL_BYTES:
        longest = f"{limits.LABEL_CHARACTERS} characters and {limits.LABEL_BYTES} bytes"
        raise InvalidInput(argument, value, f"must have at most {longest}")
    return checked


def spelling(path: str) -> str:
    """A source as it is stored: a letter and its accent are one character, spaces single."""
    return _SPACES.sub(" ", unicodedata.normalize("NFC", path)).strip()
