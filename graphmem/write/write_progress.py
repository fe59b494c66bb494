"""Reports how far a write is, in entities and passages."""

from graphmem.progress import Progress


class WriteProgress:
    """Counts what a write has done, and tells whoever listens."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self.read = 0
        self.written = 0
        self.to_embed = 0
        self.embedded = 0

    def add_embedded(self, more: int) -> None:
        """Note that more passages are embedded; that all are, only `finish` knows."""
        self.embedded += more
        if self.to_embed > 1:
            self._progress.advance(
                "Embedding passages", self.embedded, max(self.to_embed, self.embedded + 1)
            )

    def add_written(self, more: int) -> None:
        """Note that more entities are written; that all are, only `finish` knows."""
        self.written += more
        if self.read > 1:
            self._progress.advance(
                "Writing entities", self.written, max(self.read, self.written + 1)
            )

    def finish(self) -> None:
        """Note that nothing more comes."""
        for task, done in (
            ("Embedding passages", self.embedded),
            ("Writing entities", self.written),
        ):
            if done > 1:
                self._progress.advance(task, done, done)
