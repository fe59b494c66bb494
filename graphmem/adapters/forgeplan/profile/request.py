"""What is asked of `forgeplan_search`, checked, and what that is for `Memory.search`."""

import re
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Self

from graphmem import arguments
from graphmem.errors import InvalidInput
from graphmem.model import limits
from graphmem.model.answer import Detail, Mode

if TYPE_CHECKING:
    from graphmem.embedding import Calibration
    from graphmem.memory.searches.options import SearchOptions
    from graphmem.search import Weights

MODES: dict[str, Mode] = {"keyword": "keyword", "semantic": "semantic", "smart": "hybrid"}
LIMIT = 200
LAST_LATIN = "\u024f"

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_ID = re.compile(r"\s*([A-Za-z]{2,})-([0-9]{1,9})\s*")


@dataclass(frozen=True, slots=True)
class Request:
    """The arguments of one search, all of them allowed.

    Args:
        query: As it was given.
        kind: The one kind asked for, compared without case; None for all. So are status and depth.
        status: Likewise; None for the living.
        depth: Likewise.
        is_trusted: Whether R_eff must be above 0 (True) or 0 (False); None for both.
        since: The first day, in UTC.
        expand: Whether links are followed.
        limit: Most hits.
        mode: keyword, semantic or smart.
    """

    query: str
    kind: str | None = None
    status: str | None = None
    depth: str | None = None
    is_trusted: bool | None = None
    since: str | None = None
    expand: bool = True
    limit: int = 20
    mode: str = "smart"

    @classmethod
    def of_arguments(
        cls,
        query: str,
        *,
        kind: str | None,
        status: str | None,
        depth: str | None,
        with_evidence: bool,
        no_evidence: bool,
        since: str | None,
        no_expand: bool,
        limit: int,
        mode: str,
    ) -> Self:
        """Check what the tool was given.

        Raises:
            InvalidInput: naming the argument, its value and what is allowed.
        """
        if with_evidence and no_evidence:
            raise InvalidInput("no_evidence", no_evidence, "cannot be combined with with_evidence")
        arguments.number("limit", limit, 1, LIMIT)
        arguments.choice("mode", mode, tuple(MODES))
        return cls(
            query=arguments.query(query),
            kind=None if kind is None else limits.label("kind", kind),
            status=None if status is None else limits.label("status", status),
            depth=None if depth is None else limits.label("depth", depth),
            is_trusted=with_evidence if with_evidence or no_evidence else None,
            since=None if since is None else _day(since),
            expand=not no_expand,
            limit=limit,
            mode=mode,
        )

    @property
    def id_forms(self) -> tuple[str, ...]:
        """The ways to write the id where the query is nothing else: `PRD-42`, `PRD-042`."""
        match = _ID.fullmatch(self.query)
        if match is None or self.mode == "semantic":
            return ()
        kind, digits = match[1].upper(), match[2]
        forms = (f"{kind}-{int(digits)}", f"{kind}-{int(digits):03d}", f"{kind}-{digits}")
        return tuple(dict.fromkeys(forms))

    @property
    def text(self) -> str:
        """The query in graphmem's language: an id alone is a phrase, in each way to write it."""
        return " OR ".join(f'"{form}"' for form in self.id_forms) or self.query

    def options(
        self, limit: int, detail: Detail, calibration: "Calibration", *, cursor: str | None = None
    ) -> "SearchOptions":
        """What `Memory.search` is told beside the text, given what the model's cosines mean."""
        where: dict[str, object] = {}
        if self.depth is not None:
            where["attributes"] = {"depth": self.depth}
        if self.is_trusted:  # evidence is a link; what has none is not read at all
            where["has_relation"] = {"direction": "both"}
        return {
            "scope": "project",
            "mode": "keyword" if self.id_forms else MODES[self.mode],
            "prefixes": True,
            "expand": self.expand,
            "follow": {"seeds": "filtered"},  # an artifact that is filtered out leads nowhere
            "kinds": () if self.kind is None else (self.kind,),
            "status": () if self.status is None else (self.status,),
            "since": self.since,
            "where": where,
            "weights": self._weights(calibration),
            "at": "any",  # what has expired is shown, and trusted less
            "limit": limit,
            "detail": detail,
            "explain": True,
            "cursor": cursor,
        }

    def _weights(self, calibration: "Calibration") -> "Weights":
        """The weights of a smart search, whose floor keeps out what only sounds alike."""
        from graphmem.search import Weights  # noqa: PLC0415 - brings the driver, which takes a while

        if self.mode != "smart":
            return Weights()
        if any(mark.isalpha() and mark > LAST_LATIN for mark in self.query):
            return Weights(cosine_low=calibration.foreign_floor)
        several = len(self.query.split()) > 1
        return Weights(
            cosine_low=calibration.question_floor if several else calibration.keyword_floor
        )


def _day(value: str) -> str:
    try:
        day = date.fromisoformat(value.strip())
    except ValueError:
        day = None
    if day is None or not _DAY.fullmatch(value.strip()):
        raise InvalidInput("since", value, "must be a day such as 2026-03-01")
    return day.isoformat()
