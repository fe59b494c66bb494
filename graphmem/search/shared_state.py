"""What the searches of one connection share."""

from dataclasses import dataclass
from typing import Self

from graphmem.graph import Graph
from graphmem.search.adaptive_filtering import AdaptiveFiltering
from graphmem.search.concurrency import SearchLimiter
from graphmem.search.passage_samples import PassageSamples


@dataclass(slots=True)
class SharedState:
    """What the searches of one connection share; safe between threads.

    Args:
        adaptive: What earlier searches saw of the scopes' sizes; each adds to it.
        limiter: Where a search waits while others run.
        samples: Passages of the scopes that were searched before.
    """

    adaptive: AdaptiveFiltering
    limiter: SearchLimiter
    samples: PassageSamples

    @classmethod
    def of(cls, graph: Graph, *, seconds: float) -> Self:
        """That of a new connection.

        Args:
            graph: The connection.
            seconds: How long a search waits while others run, before it is refused.
        """
        return cls(AdaptiveFiltering(), SearchLimiter(seconds=seconds), PassageSamples(graph))
