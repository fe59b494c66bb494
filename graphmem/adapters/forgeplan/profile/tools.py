"""The tools, their parameters, and the answers made of what `Memory` gives."""

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field, WithJsonSchema

from graphmem.adapters.forgeplan.profile import results
from graphmem.adapters.forgeplan.profile.artifact import body_of, trust_of
from graphmem.adapters.forgeplan.profile.previews import previews_of
from graphmem.adapters.forgeplan.profile.ranking import Ranked, rank
from graphmem.adapters.forgeplan.profile.request import LIMIT, Request
from graphmem.arguments import QUERY_CHARACTERS
from graphmem.errors import NotFound
from graphmem.model.json_object import iso, to_json_value
from graphmem.model.limits import LABEL_CHARACTERS
from graphmem.model.period import PERIOD
from graphmem.model.status import REMOVED
from graphmem.profiles.tool_spec import Opened

if TYPE_CHECKING:
    from graphmem.memory import Memory
    from graphmem.model.page import Page

KEY_CHARACTERS = 800
# The attributes that what an artifact calls itself beside its id is kept in.
SLUGS = ("slug", "aliases_")

_LABEL = WithJsonSchema({"type": "string", "maxLength": LABEL_CHARACTERS})
Query = Annotated[
    str,
    Field(max_length=QUERY_CHARACTERS, description="Words, or an id such as PRD-042"),
]
Kind = Annotated[str | None, _LABEL, Field(description="prd, epic, spec, rfc, adr, note, …")]
Status = Annotated[
    str | None,
    _LABEL,
    Field(description="draft, active, …; default: all but superseded or deprecated"),
]
Depth = Annotated[str | None, _LABEL, Field(description="tactical, standard, deep or critical")]
Day = Annotated[
    str | None, _LABEL, Field(description="Created on that day or later, YYYY-MM-DD (UTC)")
]
Trusted = Annotated[bool, Field(description="Only artifacts whose R_eff is above 0")]
Untrusted = Annotated[bool, Field(description="Only artifacts whose R_eff is 0")]
Unexpanded = Annotated[bool, Field(description="Do not follow links")]
# Its error, of the tool's own check, names both bounds.
Limit = Annotated[int, WithJsonSchema({"type": "integer", "minimum": 1, "maximum": LIMIT})]
Mode = Annotated[
    Literal["keyword", "semantic", "smart"],
    Field(description="keyword: words; semantic: meaning; smart: both"),
]


class Forgeplan:
    """ForgePlan's tools over one memory.

    Args:
        memory: Gives the open memory, waiting for it a while.
    """

    def __init__(self, memory: Opened) -> None:
        self._memory = memory

    def forgeplan_search(  # noqa: PLR0917 - the tool's own parameters
        self,
        query: Query,
        kind: Kind = None,
        status: Status = None,
        depth: Depth = None,
        with_evidence: Trusted = False,  # noqa: FBT002 - a tool's arguments have names
        no_evidence: Untrusted = False,  # noqa: FBT002 - likewise
        since: Day = None,
        no_expand: Unexpanded = False,  # noqa: FBT002 - likewise
        limit: Limit = 20,
        mode: Mode = "smart",
    ) -> results.Found:
        """Find decision artifacts by words and meaning, and those one link away from them.

        `via` of a hit names the links that alone led to it. `r_eff` is how far evidence vouches
        for it. Read one whole with `forgeplan_get`.
        """
        request = Request.of_arguments(
            query,
            kind=kind,
            status=status,
            depth=depth,
            with_evidence=with_evidence,
            no_evidence=no_evidence,
            since=since,
            no_expand=no_expand,
            limit=limit,
            mode=mode,
        )
        memory = self._memory()
        ranking = rank(memory, request)
        previews = previews_of(memory, request, ranking.rows)
        return results.Found(
            query=query,
            hits=[_hit(row, previews[row.hit.key]) for row in ranking.rows],
            count=len(ranking.rows),
            total=ranking.total,
            total_exact=ranking.total_exact,
            degraded=ranking.degraded,
            notes=list(ranking.notes),
        )

    def forgeplan_get(
        self,
        id: Annotated[  # noqa: A002 - the tool's own parameter
            str, Field(min_length=1, max_length=KEY_CHARACTERS, description="Such as PRD-042")
        ],
    ) -> results.Artifact:
        """Read one artifact whole: its body, fields, links, and the evidence behind its R_eff."""
        memory = self._memory()
        page = _page(memory, id)
        entity = page.entity
        trust = trust_of(memory, [entity.key or ""])[entity.key or ""]
        return results.Artifact(
            id=entity.name,
            kind=(entity.kind or "").casefold(),
            status=entity.status or "",
            title=entity.title or entity.name,
            tags=list(entity.tags),
            created_at=iso(entity.created_at),
            updated_at=iso(entity.updated_at),
            attributes={
                **entity.attributes,
                **{name: day for name in PERIOD if (day := to_json_value(getattr(entity, name)))},
            },
            r_eff=trust.r_eff,
            evidence=[
                results.Evidence(id=evidence.name, score=evidence.score)
                for evidence in trust.evidence
            ],
            links=[
                results.Link(
                    target=neighbour.name,
                    relation=neighbour.relation.lower(),
                    direction=neighbour.direction,
                    note=neighbour.note,
                )
                for neighbour in page.neighbours
                if neighbour.status != REMOVED
            ],
            body=body_of(entity),
        )


def _page(memory: "Memory", name: str) -> "Page":
    """The artifact of an id, else of a slug, which is no name of it."""
    try:
        (page,) = memory.get(name)
    except NotFound:
        candidates = [candidate for field in SLUGS for candidate in _with(memory, field, name)]
        if len(candidates) != 1:
            raise
        (page,) = memory.get(candidates)
    return page


def _with(memory: "Memory", field: str, value: str) -> list[str]:
    """The names of the artifacts that have a value in a field of their front matter."""
    if len(value) > LABEL_CHARACTERS:
        return []
    where = {"attributes": {field: value}}
    answer = memory.search(
        "*", scope="project", mode="keyword", expand=False, where=where, at="any"
    )
    return [hit.name for hit in answer.hits]


def _hit(row: Ranked, snippet: str) -> results.Hit:
    hit = row.hit
    via = [
        results.Via.model_validate(link.to_json() | {"relation": link.relation.lower()})
        for link in hit.via
    ]
    return results.Hit(
        id=hit.name,
        kind=hit.kind.casefold(),
        status=hit.status,
        title=hit.title or hit.name,
        snippet=snippet,
        score=row.score,
        r_eff=row.r_eff,
        via=via or None,
    )
