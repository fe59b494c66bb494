"""Marks that ChatGPT puts into its answers, as the chat shows them.

A mark stands between U+E200 and U+E201, with U+E202 between its parts: `cite` and the number of a
source, or `entity` and `["city", "Porto"]`. What a mark is shown as stands beside the text, in
`content_references`.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

_MARK = re.compile("\ue200(\\w*)\ue202([^\ue200\ue201]*)\ue201")
# Marks whose first part is shown.
_SHOWN = frozenset({"url", "link_title"})


def shown_text(text: str, metadata: Mapping[str, Any]) -> str:
    """A text of a message with its marks as they are shown; what is only an icon is left out.

    Args:
        text: The text.
        metadata: Of the message.
    """
    if "\ue200" not in text:
        return text
    references = metadata.get("content_references")
    shown = {
        str(reference.get("matched_text")): reference.get("alt")
        for reference in (references if isinstance(references, list) else [])
        if isinstance(reference, dict)
    }
    return _MARK.sub(lambda mark: _shown(mark, shown), text)


def _shown(mark: "re.Match[str]", shown: Mapping[str, object]) -> str:
    alternative = shown.get(mark[0])
    if isinstance(alternative, str) and alternative.strip():
        return alternative
    sort, content = mark.groups()
    if sort in _SHOWN:
        return content.partition("\ue202")[0]
    return _name(content) if sort == "entity" else ""


def _name(content: str) -> str:
    """The name of an entity, which stands behind its type."""
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        return content
    has_name = isinstance(value, list) and len(value) > 1 and isinstance(value[1], str)
    return value[1] if has_name else ""
