"""Write `graphmem/neo4j_process/machine/jars.sha256` from what Maven resolves for the pinned pom.

Run it after a change of the pom, then read the difference before committing it.
"""  # noqa: INP001 - a script, not a package

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from graphmem.neo4j_process.machine import maven
from graphmem.neo4j_process.machine.jars import LIST, digest_of
from graphmem.progress import SILENT


def main() -> None:
    """Resolve the jars into a temporary folder, hash them and replace the list."""
    with tempfile.TemporaryDirectory() as folder:
        maven.copy_jars(Path(folder), (), progress=SILENT)
        jars = sorted(Path(folder).glob("*.jar"))
        lines = [f"{digest_of(jar)}  {jar.name}\n" for jar in jars]
    LIST.write_text("".join(lines), encoding="utf-8")
    sys.stderr.write(f"{LIST}: {len(lines)} jars\n")


if __name__ == "__main__":
    main()
