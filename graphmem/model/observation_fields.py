"""The fields of an observation beside its text and id, of one name everywhere."""

from graphmem.model.period import PERIOD

# As JSON lines and the passages of the store have them; the statements that read passages list
# them, too.
OBSERVATION_FIELDS = ("created_at", "source", "confidence", *PERIOD)
