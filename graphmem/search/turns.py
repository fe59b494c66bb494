"""A few searches at a time, so that many of them leave the writers their share of the server."""

from concurrent.futures import ThreadPoolExecutor

from graphmem.graph import Graph, Row

AT_ONCE = 8


class Turns:
    """Reads of a connection, eight at a time; the others wait in the order they came.

    More at once were not answered faster on two cores, and a write waited 20 seconds beside 32 of
    them (`benchmarks/together.py`). Safe to share between threads.
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._running = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="graphmem-search")

    def read(self, name: str, /, **parameters: object) -> list[Row]:
        """Run one reading statement when its turn has come, as `Graph.read` does.

        Raises:
            TypeError: The parameters are not those its header declares.
            DatabaseError: The database does not answer, is too slow or refuses.
        """
        return self._running.submit(self._graph.read, name, **parameters).result()
