"""An import that states an observation twice keeps every field of it."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from graphmem.memory import Memory

OFFICE = {"source": "harbour office"}
WINTER = {"valid_from": "2025-11-01", "valid_until": "2026-02-28"}


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        ((OFFICE, WINTER), OFFICE | WINTER),
        ((WINTER, OFFICE), OFFICE | WINTER),
        ((WINTER, {}), WINTER),
        ((OFFICE, {"source": "mayor", "confidence": 0.5}), {"source": "mayor", "confidence": 0.5}),
        ((WINTER, {"valid_until": "2026-03-31"}), WINTER | {"valid_until": "2026-03-31"}),
        ((OFFICE | {"created_at": "2025-10-01"}, WINTER), OFFICE | WINTER),
    ],
)
@pytest.mark.parametrize("in_one_row", [False, True])
def test_an_observation_that_is_stated_twice_is_unchanged_when_the_file_is_read_again(
    memory: Memory,
    tmp_path: Path,
    statements: Sequence[dict[str, object]],
    expected: dict[str, object],
    *,
    in_one_row: bool,
) -> None:
    observations = [{"text": "The pier is closed.", **fields} for fields in statements]
    groups = [observations] if in_one_row else [[observation] for observation in observations]
    rows = [{"type": "entity", "name": "Pier", "observations": group} for group in groups]
    path = tmp_path / "facts.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    memory.import_("jsonl", path)
    before = list(memory.export(history=True))
    for dry_run in (True, False, False):
        report = memory.import_("jsonl", path, dry_run=dry_run)
        assert [item.outcome for item in report.items] == ["unchanged"] * len(rows)
    assert list(memory.export(history=True)) == before
    (observation,) = memory.get("Pier")[0].entity.observations
    fields = observation.to_json()
    assert {name: fields.get(name) for name in (*OFFICE, *WINTER, "confidence")} == {
        **dict.fromkeys((*OFFICE, *WINTER, "confidence")),
        **expected,
    }


def test_of_two_rows_whose_observation_would_end_before_it_begins_the_later_is_refused(
    memory: Memory, tmp_path: Path
) -> None:
    path = tmp_path / "facts.jsonl"

    def read(*periods: dict[str, str]) -> list[str]:
        path.write_text(
            "\n".join(
                json.dumps(
                    {"type": "entity", "name": "A", "observations": [{"text": "O"} | period]}
                )
                for period in periods
            )
        )
        return [item.outcome for item in memory.import_("jsonl", path).items]

    start, end = {"valid_from": "2020-01-01"}, {"valid_until": "2019-01-01"}
    assert read(start) == ["created"]
    assert sorted(read(end, start)) == ["refused", "updated"]
    assert sorted(read(end, start)) == ["refused", "unchanged"]


@pytest.mark.parametrize("is_known", [False, True])
def test_an_observation_of_two_periods_is_refused_where_it_would_end_before_it_begins(
    memory: Memory, *, is_known: bool
) -> None:
    ended = {"text": "Closed.", "valid_until": "2026-02-28"}
    begun = {"text": "Closed.", "valid_from": "2026-11-01"}
    if is_known:
        memory.remember([{"name": "Pier", "observations": [ended]}])
    (item,) = memory.remember([{"name": "Pier", "observations": [ended, begun]}]).items
    assert item.outcome == "refused"
    assert item.reason == (
        "observation.valid_until must not be before valid_from, which is 2026-11-01, got "
        "'2026-02-28'. An observation has one period; to keep two, say in its text when it holds."
    )
