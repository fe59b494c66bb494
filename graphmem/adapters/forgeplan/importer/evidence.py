"""What an evidence says of itself: verdict, congruence level, type, tier, and when it ends.

ForgePlan reads lines such as `verdict: supports` in the body, the first of each name, outside of
comments and tables; the front matter may say the same. What a value means is decided when trust is
computed, in `graphmem.adapters.forgeplan.trust`.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

_LINE = re.compile(
    r"\s*(verdict|congruence(?:_level)?|cl|CL|evidence_type|source_tier|valid_until):\s*(\S.*)"
)
_NAMES = dict.fromkeys(("cl", "CL", "congruence"), "congruence_level")


def fields(front_matter: Mapping[str, Any], lines: Iterable[str]) -> dict[str, Any]:
    """The fields of an evidence, those of its body first.

    Args:
        front_matter: Those of its front matter.
        lines: The lines of its body without comments.
    """
    renamed_fields = {_NAMES.get(name, name): value for name, value in front_matter.items()}
    body: dict[str, Any] = {}
    for line in lines:
        match = _LINE.fullmatch(line)
        if match:
            value = match[2].strip()
            name = _NAMES.get(match[1], match[1])
            body.setdefault(name, int(value) if value in {"0", "1", "2", "3"} else value)
    # An expiry is a field of the front matter; a line of the body may only add it.
    return {**body, **renamed_fields} | {n: v for n, v in body.items() if n != "valid_until"}
