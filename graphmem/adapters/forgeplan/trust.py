"""Trust from evidence: R_eff, the weakest of the evidence linked to an entity, computed when asked.

    R_eff = min over its evidence of max(0, verdict - penalty of congruence)

The verdict `supports` is 1, `weakens` 0.5, `refutes` 0; congruence level 3 (the same context) takes
nothing off, 2 takes 0.1, 1 takes 0.4 and 0 (an opposed context) takes 0.9. Expired evidence is 0.1
whatever it says. Without evidence R_eff is 0.

Linked evidence is a living entity of the kind Evidence that a relation joins with the entity, in
either direction and of any type, as in ForgePlan, where this comes from. `MENTIONS` and
`RELATED_TO` are not enough: nobody said that one speaks for the other. What is forgotten, removed,
superseded or deprecated vouches for nothing.

A `source_tier`, which ForgePlan's discovery notes of where a finding comes from, bounds the level:
T1 (code) allows 3, T2 (tests) 2 and T3 (documents) 1. Any other value of it says nothing.

The values are attributes of the evidence. An absent verdict is `supports` and an absent congruence
level 3, as in ForgePlan: evidence is first of all for something, and made where it is kept. Of one
that is there and cannot be read nothing is guessed: such a verdict counts as `refutes`, such a
level as 0. A day of expiry is the last on which the evidence holds, in UTC; a moment that cannot be
read is none.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from graphmem.graph import Graph
from graphmem.model import limits

VERDICTS: Mapping[str, float] = {"supports": 1.0, "weakens": 0.5, "refutes": 0.0}
# By congruence level.
PENALTIES = (0.9, 0.4, 0.1, 0.0)
EXPIRED = 0.1
KINDS = ("evidence", "evidencepack", "evidence pack", "evidence_pack")
OTHER_TYPES = ("MENTIONS", "RELATED_TO")
FIELDS = ("verdict", "congruence_level", "congruence", "cl", "CL", "source_tier", "valid_until")
# The congruence level that a tier of sources allows.
TIERS = {"1": 3, "2": 2, "3": 1}

_VERDICT = re.compile(rf"[\s*_`]*({'|'.join(VERDICTS)})\b(?!\s*[|/])")
_LEVEL = re.compile(r"[\s*_`]*(?:cl[\s-]*)?([0-3])(?:\.0+)?(?![\w.])(?!\s*[|/])")
_TIER = re.compile(r"\s*(?:t|tier-?)?([1-3])\s*")


@dataclass(frozen=True, slots=True)
class Evidence:
    """One evidence: what it is called, and what it gives, in [0, 1]."""

    name: str
    score: float


@dataclass(frozen=True, slots=True)
class Trust:
    """How far an entity can be relied on.

    Args:
        evidence: What is linked to it, in the order of names.
    """

    evidence: tuple[Evidence, ...]

    @property
    def r_eff(self) -> float:
        """The weakest evidence, in [0, 1]; 0 without any."""
        return min((evidence.score for evidence in self.evidence), default=0.0)


def trust(graph: Graph, keys: Iterable[str], *, now: datetime | None = None) -> dict[str, Trust]:
    """Compute the trust of entities in one statement, of what is stored at this moment.

    Args:
        graph: Where.
        keys: Keys of entities; an unknown one has no trust.
        now: When evidence is judged; by default now.

    Returns:
        The trust of each key, in the order given.

    Raises:
        DatabaseError: The database does not answer or refuses.
    """
    unique_keys = list(dict.fromkeys(keys))
    evidence_of: dict[str, list[Evidence]] = {key: [] for key in unique_keys}
    now = now or datetime.now(UTC)
    rows = graph.read(
        "read/forgeplan/trust",
        keys=unique_keys,
        kinds=list(KINDS),
        exclude_types=list(OTHER_TYPES),
        fields=list(FIELDS),
    )
    for row in rows:
        verdict, *levels, tier, valid_until = row["values"]
        level = next((level for level in levels if level is not None), None)
        evidence_of[row["key"]].append(
            Evidence(row["evidence"], score(verdict, level, valid_until, tier=tier, now=now))
        )
    return {key: Trust(tuple(evidence)) for key, evidence in evidence_of.items()}


def score(
    verdict: object, level: object, until: object, *, tier: object = None, now: datetime
) -> float:
    """What one evidence gives, in [0, 1]; see the head of this file for values of any kind.

    Args:
        verdict: `supports`, `weakens` or `refutes`, perhaps with words behind it.
        level: The congruence level: 0 to 3, `2`, `CL2`.
        until: The last day or moment at which it holds.
        tier: The tier of its sources: `T1`, `tier-2`, 3.
        now: When it is judged.
    """
    if _is_over(until, now):
        return EXPIRED
    verdict_score, congruence = VERDICTS["supports"], len(PENALTIES) - 1
    if _has_value(verdict):
        match = _VERDICT.match(_as_text(verdict))
        verdict_score = VERDICTS[match[1] if match else "refutes"]
    if _has_value(level):
        match = _LEVEL.match(_as_text(level))
        congruence = int(match[1]) if match else 0
    if match := _TIER.fullmatch(_as_text(tier)):
        congruence = min(congruence, TIERS[match[1]])
    return round(max(0.0, verdict_score - PENALTIES[congruence]), 6)


def _has_value(value: object) -> bool:
    return value is not None and bool(str(value).strip())


def _as_text(value: object) -> str:
    """A text or number as text; nothing of anything else."""
    is_plain = isinstance(value, str | int | float) and not isinstance(value, bool)
    return str(value).casefold() if is_plain else ""


def _is_over(until: object, now: datetime) -> bool:
    end = limits.or_none(limits.end_of, until)
    return end is not None and now > end
