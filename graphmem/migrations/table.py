"""The migrations there are, in their order."""

from graphmem.migrations.alone import find_alone
from graphmem.migrations.authors import note_authors, note_relation_authors
from graphmem.migrations.lead_ins import free_lead_ins
from graphmem.migrations.migration import Migration
from graphmem.migrations.periods import note_relation_beginnings
from graphmem.migrations.prefix import prefix_properties
from graphmem.migrations.superseded import lead_on
from graphmem.migrations.validity import attributes_to_periods

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
