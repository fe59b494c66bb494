"""Reports of writes cut to what a client takes in one answer."""

from collections import Counter
from dataclasses import replace

from graphmem.model import Report
from graphmem.server.brief import MOST_CHARACTERS, compact, fitting


def brief_report(report: Report) -> Report:
    """Leave out items where all together take more than 25,000 tokens, refused ones at last.

    `omitted` says how many are left out; all are counted.
    """
    if len(compact(report)) <= MOST_CHARACTERS:
        return report
    room = MOST_CHARACTERS - len(compact(replace(report, items=())))
    items = sorted(report.items, key=lambda item: item.outcome != "refused")
    count = fitting(items, room)
    omitted = Counter((item.what, item.outcome) for item in items[count:])
    return replace(
        report,
        items=tuple(items[:count]),
        omitted_counts=omitted + Counter(dict(report.omitted_counts)),
    )
