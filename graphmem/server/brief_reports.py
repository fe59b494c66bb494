"""Reports of writes cut to what a client takes in one answer."""

from collections import Counter
from dataclasses import replace

from graphmem.model import Report
from graphmem.server.brief import MOST_QUARTERS, fitting, size


def brief_report(report: Report) -> Report:
    """Leave out items where all together take more than 25,000 tokens, refused ones at last.

    `omitted` says how many are left out; all are counted.
    """
    if size(report) <= MOST_QUARTERS:
        return report
    room = MOST_QUARTERS - size(replace(report, items=()))
    items = sorted(report.items, key=lambda item: item.outcome != "refused")
    count = fitting(items, room)
    omitted = Counter((item.what, item.outcome) for item in items[count:])
    return replace(
        report,
        items=tuple(items[:count]),
        omitted_counts=omitted + Counter(dict(report.omitted_counts)),
    )
