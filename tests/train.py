"""`python train.py FOLDER CACHE`: make the AOT cache of the tests' servers, where there is none.

They are some sixty, and each starts in two thirds of the processor time with it; so it is made at
the priority of the tests, and the jars are fetched for it, which the tests need anyway. SIGTERM
ends it and leaves nothing behind.
"""

import os
import signal
import sys
import tempfile
from pathlib import Path

import server_java
from graphmem.errors import JarsUnavailable, JavaNotFound
from graphmem.memory.store.connecting import preparation
from graphmem.neo4j_process.running import aot_training
from graphmem.neo4j_process.server import launch_of
from graphmem.settings import Settings


def main(folder: Path, cache: Path) -> None:
    os.umask(0o077)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    try:
        with tempfile.TemporaryDirectory(prefix="graphmem-tests-") as java:
            settings = Settings(home=folder, cache=cache, java_home=server_java.make(Path(java)))
            aot_training.train(launch_of(settings, preparation=preparation()))
    except (JavaNotFound, JarsUnavailable) as error:
        # Tests without a server need neither; those with one tell what is missing.
        sys.exit(str(error))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
