"""Jars without their signatures: the JVM checks a signed jar by itself at every start.

Two of the server's jars are signed, and comparing one of them with its manifest takes a fifth of
the processor time of a start; classes of signed jars are left out of the AOT cache, too. Every jar
is compared with a pinned SHA-256 when it is fetched, which says more than its signature, so the
files of the signature get names by which the JVM does not know them. Nothing else differs.
"""

from __future__ import annotations

import re
import zipfile
from typing import TYPE_CHECKING

from graphmem.neo4j_process.machine.files import replace_file

if TYPE_CHECKING:
    from pathlib import Path

_OF_SIGNATURE = re.compile(r"META-INF/[^/]+\.(?:SF|RSA|DSA|EC)")


def remove_signature(jar: Path) -> None:
    """Give a jar's files of a signature other names of the same length, such as `X._F` for `X.SF`.

    Raises:
        OSError: when the jar is gone, the folder is full, or the file is no jar.
    """
    try:
        with zipfile.ZipFile(jar) as archive:
            names = [name.encode() for name in archive.namelist() if _OF_SIGNATURE.fullmatch(name)]
    except zipfile.BadZipFile as error:
        raise OSError(f"{jar} is no jar") from error
    content = jar.read_bytes()
    for name in names:
        stem, _, ending = name.rpartition(b".")
        content = content.replace(name, b"%b._%b" % (stem, ending[1:]))
    replace_file(jar, content)
