"""Files of another user, and what this process may do as one, where root runs the tests."""

import os
import pwd
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT_USER = 0


def given_away(path: Path) -> str:
    """Give a path of root's, who is trusted, to another user; gives the name of its owner."""
    user = pwd.getpwuid(os.geteuid())
    if user.pw_uid == ROOT_USER:
        user = pwd.getpwnam("nobody")
        os.chown(path, user.pw_uid, -1)
    return user.pw_name


@contextmanager
def without_rights_of_root() -> Iterator[None]:
    """Have this process act as another user than root."""
    user = os.geteuid()
    if user == ROOT_USER:
        os.seteuid(pwd.getpwnam("nobody").pw_uid)
    try:
        yield
    finally:
        os.seteuid(user)
