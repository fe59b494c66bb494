"""What a migration is, and those there are, in their order."""

from collections.abc import Callable
from dataclasses import dataclass

from graphmem.graph import Transaction
from graphmem.migrations.alone import find_alone
from graphmem.migrations.authors import note_authors, note_relation_authors
from graphmem.migrations.lead_ins import free_lead_ins
from graphmem.migrations.periods import note_relation_beginnings
from graphmem.migrations.prefix import prefix_properties
from graphmem.migrations.superseded import lead_on
from graphmem.migrations.validity import attributes_to_periods


@dataclass(frozen=True, slots=True)
class Migration:
    """A step from one version of a store to the next.

    Args:
        number: The version of a store that has had it.
        title: What it does, as a progress line goes on after a colon.
        change: Changes a page of entities, given their keys in order, in a transaction that holds
            the lock of the store. It must find out by itself what is left to do, since a page may
            come again: after a kill, when its transaction is tried again, and until the function
            says that the page is finished. It bounds what one call changes. None where what is
            stored stays as it is, and older versions would misread what is stored from then on.
    """

    number: int
    title: str
    change: Callable[[Transaction, list[str]], bool] | None


# By number, without gaps, and never changed once released: a store runs each of them once.
MIGRATIONS = (
    Migration(2, "recording who asserted each relation", note_relation_authors),
    Migration(3, "recording who asserted each entity and observation", note_authors),
    Migration(4, "distinguishing relations by their beginning", note_relation_beginnings),
    Migration(5, "allowing the embeddings of another model beside those that are searched", None),
    Migration(6, "giving graphmem's own properties the prefix graphmem_", prefix_properties),
    Migration(7, "making superseded entities lead to their replacements", lead_on),
    Migration(
        8,
        "turning the attributes valid_from and valid_until into periods of entities",
        attributes_to_periods,
    ),
    Migration(9, "freeing the name lead_in for what texts follow on", free_lead_ins),
    Migration(
        10, "finding entities whose only passage has a period at other times, too", find_alone
    ),
)
# The version of the stores that this graphmem writes.
VERSION = MIGRATIONS[-1].number
# Older ones are not even read: what this graphmem looks at has other names there.
OLDEST_READABLE = 6
