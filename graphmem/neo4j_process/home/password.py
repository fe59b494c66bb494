"""The server's password: made once for a home, written where Neo4j reads its first user."""

from __future__ import annotations

import hashlib
import secrets
import shlex
from typing import TYPE_CHECKING

from graphmem.errors import StartFailed
from graphmem.neo4j_process.machine.files import replace_file
from graphmem.ownership import is_open_to_others

if TYPE_CHECKING:
    from graphmem.neo4j_process.home.paths import Home

USERNAME = "neo4j"
ITERATIONS = 1024


def read(home: Home) -> str:
    """Read the password.

    Raises:
        StartFailed: when the file is not there, is damaged or cannot be read, or when others can
            read it.
    """
    try:
        if is_open_to_others(home.password):
            raise StartFailed(
                f"other users can read {home.password}, the password of the private Neo4j; take "
                f"that right from them: chmod 600 {shlex.quote(str(home.password))}"
            )
        if password := home.password.read_text(encoding="ascii"):
            return password
        raise StartFailed(lost_sentence(home, "is empty"))
    except FileNotFoundError:
        raise StartFailed(lost_sentence(home)) from None
    except UnicodeDecodeError:  # which would show a part of it
        raise StartFailed(lost_sentence(home, "is damaged")) from None
    except OSError as error:
        raise StartFailed(f"the password of the private Neo4j cannot be read: {error}") from None


def ensure(home: Home) -> None:
    """See to it that the server takes, or has taken, the password in the home's file.

    Writing the file Neo4j itself would write keeps the password out of every argument list and
    leaves no moment at which a default one is valid.

    Raises:
        StartFailed: when the store is there and the password it was made with is not.
    """
    if not home.password.exists():
        if home.system_database.exists():
            raise StartFailed(lost_sentence(home))
        replace_file(home.password, secrets.token_urlsafe(32))
    if not home.system_database.exists():
        home.initial_password.parent.mkdir(parents=True, exist_ok=True)
        replace_file(home.initial_password, _first_user(read(home), secrets.token_bytes(32)))


def lost_sentence(home: Home, state: str = "is gone") -> str:
    """Say in one sentence what has become of the password's file, and what to do."""
    return (
        f"{home.password} {state}, and the store cannot be opened without it: put the file back, "
        "or have `graphmem db reset-password` make a new one, which changes nothing that is stored"
    )


def _first_user(password: str, salt: bytes) -> str:
    digest = hashlib.sha256(salt + password.encode()).digest()
    for _ in range(ITERATIONS - 1):
        digest = hashlib.sha256(digest).digest()
    fields = ("SHA-256", digest.hex(), salt.hex(), str(ITERATIONS))
    return f"{USERNAME}:{','.join(fields)}:\n"
