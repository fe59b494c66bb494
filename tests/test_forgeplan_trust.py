"""R_eff: the weakest of the evidence that is linked at this moment."""

from datetime import UTC, date, datetime, timedelta

import pytest

from graphmem.adapters.forgeplan import trust
from graphmem.adapters.forgeplan.profile.artifact import trust_of
from graphmem.memory import Memory

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("verdict", "level", "score"),
    [
        ("supports", 3, 1.0), ("supports", 2, 0.9), ("supports", 1, 0.6), ("supports", 0, 0.1),
        ("weakens", 3, 0.5), ("weakens", 2, 0.4), ("weakens", 1, 0.1), ("weakens", 0, 0.0),
        ("refutes", 3, 0.0), ("refutes", 0, 0.0),
        (None, None, 1.0), ("", " ", 1.0), ("Supports", "CL2", 0.9), ("**weakens**", "cl 3", 0.5),
        ("supports (partly)", "3 (same context)", 1.0), ("supports", 2.0, 0.9),
        ("supports | weakens | refutes", 3, 0.0), ("maybe", 3, 0.0), (["supports"], 3, 0.0),
        (7, 3, 0.0), ("supportive", 3, 0.0), ("supports", "0 | 1 | 2 | 3", 0.1),
        ("supports", 7, 0.1), ("supports", -1, 0.1), ("supports", "high", 0.1),
        ("supports", 2.5, 0.1), ("supports", True, 0.1), ("supports", [3], 0.1),
    ],
)  # fmt: skip
def test_an_evidence_gives_its_verdict_less_the_penalty_of_its_congruence(
    verdict: object, level: object, score: float
) -> None:
    assert trust.score(verdict, level, None, now=NOW) == pytest.approx(score)


@pytest.mark.parametrize(
    ("tier", "level", "score"),
    [
        ("T1", None, 1.0), ("t2", None, 0.9), ("tier-3", None, 0.6), (" Tier1 ", 2, 0.9),
        (3, 3, 0.6), ("t3", 0, 0.1), ("T1", 0, 0.1), ("T4", None, 1.0), ("T1 | T2", 1, 0.6),
        (None, None, 1.0), (["T3"], None, 1.0),
    ],
)  # fmt: skip
def test_the_tier_of_its_sources_bounds_the_congruence_of_an_evidence(
    tier: object, level: object, score: float
) -> None:
    assert trust.score("supports", level, None, tier=tier, now=NOW) == pytest.approx(score)


@pytest.mark.parametrize(
    ("until", "is_over"),
    [
        (None, False), ("", False), ("soon", False), ("YYYY-MM-DD", False), (7, False),
        (date(2026, 6, 1), False), ("2026-06-01", False), (date(2026, 5, 31), True),
        ("2026-05-31", True), (NOW - timedelta(seconds=1), True), (NOW, False),
        ("2026-06-01T11:59:59Z", True), ("20260601", False), ("20260531", True),
        (date(9999, 12, 31), False), ("9999-12-31", False),
    ],
)  # fmt: skip
def test_expired_evidence_gives_a_tenth_whatever_it_says(until: object, is_over: bool) -> None:  # noqa: FBT001 - a table
    assert trust.score("supports", 3, until, now=NOW) == (0.1 if is_over else 1.0)
    assert trust.score("refutes", 0, until, now=NOW) == (0.1 if is_over else 0.0)


def test_the_weakest_evidence_counts_in_either_direction(memory: Memory) -> None:
    memory.remember(
        [
            {"name": "Decision", "kind": "ADR"},
            {
                "name": "Run",
                "kind": "evidence",
                "attributes": {"congruence": "CL2", "source_tier": "T1"},
            },
            {"name": "Page", "kind": "Evidence", "attributes": {"source_tier": "T3"}},
            {"name": "Audit", "kind": "Evidence", "attributes": {"verdict": "weakens", "CL": "2"}},
            {"name": "Old", "kind": "Evidence", "valid_until": "2020-01-01"},
        ],
        [
            {"from": "Run", "relation": "SUPPORTS", "to": "Decision"},
            {"from": "Run", "relation": "INFORMS", "to": "Decision"},
            {"from": "Decision", "relation": "BASED_ON", "to": "Audit"},
        ],
    )
    found = trust_of(memory, [key := f"{memory.project}#decision"])[key]
    assert found.evidence == (trust.Evidence("Audit", 0.4), trust.Evidence("Run", 0.9))
    assert found.r_eff == 0.4
    memory.link("Page", "INFORMS", "Run")
    run = f"{memory.project}#run"
    assert trust_of(memory, [run])[run].r_eff == 0.6
    memory.link("Old", "INFORMS", "Decision")
    assert trust_of(memory, [key])[key].r_eff == 0.1


def test_nothing_vouches_but_living_evidence_that_somebody_linked(memory: Memory) -> None:
    memory.remember(
        [
            {"name": "Decision", "kind": "ADR"},
            {"name": "Note", "kind": "Note"},
            {"name": "Mentions it", "kind": "Evidence"},
            {"name": "Dead", "kind": "Evidence", "status": "superseded"},
            {"name": "Decision too", "kind": "Evidence"},
        ],
        [
            {"from": "Note", "relation": "SUPPORTS", "to": "Decision"},
            {"from": "Mentions it", "relation": "MENTIONS", "to": "Decision"},
            {"from": "Mentions it", "relation": "RELATED_TO", "to": "Decision"},
            {"from": "Dead", "relation": "SUPPORTS", "to": "Decision"},
            {"from": "Decision too", "relation": "REFINES", "to": "Decision too"},
        ],
    )
    keys = [f"{memory.project}#{name}" for name in ("decision", "decision too", "nobody")]
    assert [trust.r_eff for trust in trust_of(memory, keys).values()] == [0.0, 0.0, 0.0]
    assert trust_of(memory, []) == {}
