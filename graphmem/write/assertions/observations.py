"""Who asserts which observation: each stays as long as it has an author. Pure, no I/O."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from graphmem.graph import Row
from graphmem.model.observation_fields import OBSERVATION_FIELDS
from graphmem.model.period import PERIOD
from graphmem.model.provenance import CALLER, UNKNOWN
from graphmem.write.assertions.provenance import MOST_IMPORTS, Fact, Ledger


def merged_observations(
    stored: Sequence[Row],
    asserted: Sequence[dict[str, Any]],
    ledger: Ledger,
    *,
    author: str,
    replaces: bool,
    now: datetime | None,
    corrected: Collection[str] = (),
) -> tuple[list[dict[str, Any]], Ledger]:
    """Merge what an author observes now into the stored observations.

    Args:
        stored: The entity's observations, in order.
        asserted: What the author observes, each by its id once.
        ledger: Who asserts what; an observation that a caller took away is denied there.
        author: Who observes.
        replaces: Whether what the author observed earlier and does not now goes. A caller takes
            away everybody's, an import its own.
        now: The moment of one that has none.
        corrected: Ids of observations that are given completely: fields they leave out are removed.

    Returns:
        The observations in order, stored ones first, and the ledger.
    """
    by_id = {passage["id"]: passage for passage in asserted}
    observations: list[dict[str, Any]] = []
    for row in stored:
        passage = dict(row)
        authors = _authors(passage)
        asserted_passage = by_id.pop(passage["id"], None)
        if asserted_passage is not None:
            ledger = _allowed(ledger, passage["id"], author)
            if passage["id"] in corrected:
                passage |= {name: asserted_passage[name] for name in OBSERVATION_FIELDS}
            else:
                passage |= _changed_fields(
                    asserted_passage, author, sole=authors == [author], replaces=replaces
                )
            if authors == [UNKNOWN]:
                authors = [author]
            authors = authors if author in authors else _bounded([*authors, author])
        elif replaces and author == CALLER:
            other_authors = [name for name in authors if name != CALLER]
            ledger = (
                ledger.deny(CALLER, _fact(passage["id"]), now) if other_authors and now else ledger
            )
            continue
        elif replaces:
            authors = [name for name in authors if name != author]
        if authors:
            observations.append(passage | {"asserted_by": authors})
    for passage_id, passage in by_id.items():
        if author != CALLER and ledger.word(CALLER, _fact(passage_id)) is not None:
            continue
        ledger = _allowed(ledger, passage_id, author)
        observation = passage | {
            "created_at": passage.get("created_at") or now,
            "asserted_by": [author],
        }
        observations.append(observation)
    return observations, _with_unknown(ledger, observations)


def _changed_fields(
    asserted_passage: Mapping[str, Any], author: str, *, sole: bool, replaces: bool
) -> Mapping[str, Any]:
    """The fields that change where an author repeats an observation.

    A caller's period counts whoever else asserts the observation. An import that is its sole author
    removes the end of a period that it does not mention any more.
    """
    names = OBSERVATION_FIELDS if sole else PERIOD if author == CALLER else ()
    changed_fields = {
        name: asserted_passage[name] for name in names if asserted_passage[name] is not None
    }
    if sole and replaces:
        changed_fields |= {name: asserted_passage[name] for name in PERIOD}
    return changed_fields


def _bounded(authors: Sequence[str]) -> list[str]:
    """The authors without the imports that came first of too many; a caller always stays."""
    surplus = [name for name in authors if name != CALLER][:-MOST_IMPORTS]
    return [name for name in authors if name not in surplus]


def _authors(passage: Row) -> list[str]:
    return list(passage.get("asserted_by") or [CALLER])


def _fact(passage_id: str) -> Fact:
    return ("observation", passage_id)


def _allowed(ledger: Ledger, passage_id: str, author: str) -> Ledger:
    """The ledger, where a caller who repeats a removed observation allows it again."""
    return ledger.without(CALLER, [_fact(passage_id)]) if author == CALLER else ledger


def _with_unknown(ledger: Ledger, observations: Sequence[dict[str, Any]]) -> Ledger:
    """The ledger, with the unknown author as long as an observation is theirs."""
    has_unknown = any(UNKNOWN in passage["asserted_by"] for passage in observations)
    if has_unknown and UNKNOWN not in ledger.authors:
        return Ledger((*ledger.authors, UNKNOWN), ledger.words)
    return ledger


def joined_observations(
    stored: Sequence[Row],
    exported: Sequence[dict[str, Any]],
    authors: Sequence[Sequence[str]],
    *,
    now: datetime,
) -> list[dict[str, Any]]:
    """The observations that are stored and those of an export, each with everybody's names.

    Args:
        stored: The entity's observations, in order.
        exported: Those of the export, in order.
        authors: Who observed each of those; the caller where it is not said.
        now: The moment of one that has none.
    """
    by_id = {
        passage["id"]: (passage, list(authors[i]) if i < len(authors) else [CALLER])
        for i, passage in enumerate(exported)
    }
    observations: list[dict[str, Any]] = []
    for row in stored:
        _, other_authors = by_id.pop(row["id"], (None, []))
        names = dict.fromkeys((*(row.get("asserted_by") or [CALLER]), *other_authors))
        observations.append(dict(row) | {"asserted_by": list(names)})
    observations += [
        passage | {"created_at": passage.get("created_at") or now, "asserted_by": names}
        for passage, names in by_id.values()
    ]
    return observations
