"""Who asserts which observation: each stands as long as one of its authors does. Pure, no I/O."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from graphmem.graph import Row
from graphmem.model.period import PERIOD
from graphmem.model.provenance import CALLER, UNKNOWN
from graphmem.write.provenance import MOST_IMPORTS, Fact, Ledger

_META = ("created_at", "source", "confidence", *PERIOD)


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
    """Put what an author observes now to what is stored.

    Args:
        stored: The entity's observations, in order.
        asserted: What the author observes, each by its id once.
        ledger: Who asserts what; an observation that a caller took away is denied there.
        author: Who observes.
        replaces: Whether what the author observed earlier and does not now goes. A caller takes
            away everybody's, an import its own.
        now: The moment of one that has none.
        corrected: Ids of what is said whole: what such an observation does not say, it has not.

    Returns:
        The observations in order, stored ones first, and the ledger.
    """
    by_id = {passage["id"]: passage for passage in asserted}
    kept: list[dict[str, Any]] = []
    for row in stored:
        passage = dict(row)
        authors = _authors(passage)
        again = by_id.pop(passage["id"], None)
        if again is not None:
            ledger = _allowed(ledger, passage["id"], author)
            if passage["id"] in corrected:
                passage |= {name: again[name] for name in _META}
            else:
                passage |= _told(again, author, sole=authors == [author], replaces=replaces)
            if authors == [UNKNOWN]:
                authors = [author]
            authors = authors if author in authors else [*authors, author][-MOST_IMPORTS:]
        elif replaces and author == CALLER:
            others = [author for author in authors if author != CALLER]
            ledger = ledger.deny(CALLER, _fact(passage["id"]), now) if others and now else ledger
            continue
        elif replaces:
            authors = [who for who in authors if who != author]
        if authors:
            kept.append(passage | {"asserted_by": authors})
    for made_id, passage in by_id.items():
        if author != CALLER and ledger.word(CALLER, _fact(made_id)) is not None:
            continue
        ledger = _allowed(ledger, made_id, author)
        fresh = passage | {"created_at": passage.get("created_at") or now, "asserted_by": [author]}
        kept.append(fresh)
    return kept, _with_unknown(ledger, kept)


def _told(
    again: Mapping[str, Any], author: str, *, sole: bool, replaces: bool
) -> Mapping[str, Any]:
    """What an author who says an observation again changes of it.

    A caller's word on when it holds counts whoever else said it. An import that is its sole author
    takes back the end that it does not say any more.
    """
    names = _META if sole else PERIOD if author == CALLER else ()
    kept_fields = {name: again[name] for name in names if again[name] is not None}
    if sole and replaces:
        kept_fields |= {name: again[name] for name in PERIOD}
    return kept_fields


def _authors(passage: Row) -> list[str]:
    return list(passage.get("asserted_by") or [CALLER])


def _fact(made_id: str) -> Fact:
    return ("observation", made_id)


def _allowed(ledger: Ledger, made_id: str, author: str) -> Ledger:
    """A caller who observes again what was taken away lets it in again."""
    return ledger.without(CALLER, [_fact(made_id)]) if author == CALLER else ledger


def _with_unknown(ledger: Ledger, kept: Sequence[dict[str, Any]]) -> Ledger:
    """The unknown author stays as long as an observation is theirs."""
    theirs = any(UNKNOWN in passage["asserted_by"] for passage in kept)
    if theirs and UNKNOWN not in ledger.authors:
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
    joined: list[dict[str, Any]] = []
    for row in stored:
        _, others = by_id.pop(row["id"], (None, []))
        names = dict.fromkeys((*(row.get("asserted_by") or [CALLER]), *others))
        joined.append(dict(row) | {"asserted_by": list(names)})
    joined += [
        passage | {"created_at": passage.get("created_at") or now, "asserted_by": names}
        for passage, names in by_id.values()
    ]
    return joined
