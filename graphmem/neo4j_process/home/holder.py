"""Who holds a home: its user, a keeper on this machine, or one on another that shares it."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from graphmem.errors import StartFailed
from graphmem.neo4j_process.home import state as states
from graphmem.neo4j_process.home.paths import Home
from graphmem.neo4j_process.machine.locks import is_held
from graphmem.ownership import exchange_risk, link_of_another_user, other_owner, real_path

if TYPE_CHECKING:
    from graphmem.neo4j_process.home.state import State
    from graphmem.settings import Settings

ROOT = 0


def has_keeper(home: Home) -> bool:
    """Tell whether a keeper is at work, on whatever machine."""
    return is_held(home.keeper_lock)


def trusted_state(home: Home) -> State | None:
    """Read the state of a server that is to get the password: nobody else may have written it.

    Raises:
        StartFailed: when other users can write to the home.
    """
    state = states.read(home)
    if state is not None:
        home.refuse_other_writers(home.root)
    return state


def has_backup(home: Home) -> bool:
    """Tell whether a backup or restore is under way; no where that cannot be told."""
    try:
        return is_held(home.backup_lock)
    except OSError:
        return False


def other_host(home: Home) -> str | None:
    """Name the other machine whose keeper holds the home; None when there is none.

    A machine that ended without a stop holds no lock: what it left behind counts for nothing.
    """
    state = states.read(home)
    return state.host if state and state.is_elsewhere and has_keeper(home) else None


def has_other_version(home: Home) -> bool:
    """Tell whether another version of graphmem runs the server: its state cannot be understood."""
    return home.state.exists() and states.read(home) is None and has_keeper(home)


def refuse_other_host(home: Home) -> None:
    """Raise at once where another machine holds the home, rather than wait for its keeper.

    Raises:
        StartFailed: naming that machine, and what to do.
    """
    host = other_host(home)
    if host is not None:
        raise StartFailed(
            f"GRAPHMEM_HOME: the private Neo4j of {home.root} runs on the machine {host}, and only "
            "one machine at a time can use it; run `graphmem db stop` there, or set GRAPHMEM_HOME "
            "to a folder of this machine alone"
        )


def refuse_other_version(home: Home) -> None:
    """Raise where the keeper at work leaves a state file that one of this version would remove.

    Raises:
        StartFailed: naming the home, and what to do.
    """
    if has_other_version(home):
        raise StartFailed(
            f"another version of graphmem runs the private Neo4j of {home.root}: end its `graphmem "
            "serve` processes and run `graphmem db stop`; the next call starts Neo4j again"
        )


def home_of(settings: Settings) -> Home:
    """The home that the settings name, by its real path.

    Raises:
        StartFailed: when it is another user's, or another user could exchange it or lead elsewhere.
    """
    home = Home(real_path(settings.home))
    refuse_other_user(home)
    refuse_exchange(home)
    link = link_of_another_user(settings.home)
    if link is not None:
        raise StartFailed(
            f"GRAPHMEM_HOME: {link} is a symbolic link that another user made, who could lead it "
            f"elsewhere; name the place itself ({home.root}), or set another folder"
        )
    return home


def refuse_exchange(home: Home, user: int | None = None) -> None:
    """Raise where another user could put a folder of theirs in the place of the home.

    Root may have a home of its own in the folder of a user.

    Args:
        home: The home, which need not be there.
        user: The number of the user who asks; None for that of this process.

    Raises:
        StartFailed: naming who could, and what to do.
    """
    user = os.geteuid() if user is None else user
    risk = None
    with suppress(OSError):  # what cannot be looked at cannot be written either
        risk = None if user == ROOT else exchange_risk(home.root, user)
    if risk is not None:
        raise StartFailed(
            f"GRAPHMEM_HOME: {risk}, so others could exchange {home.root}, where the secrets of "
            "the private Neo4j are kept; set it to a folder of your own in a place of yours or of "
            "root's"
        )


def refuse_other_user(home: Home, user: int | None = None) -> None:
    """Raise where the home is another user's, who could not open what is written there.

    Root can write anywhere, so for root a home that is to be made counts as that of the user in
    whose folder it would be.

    Args:
        home: The home.
        user: The number of the user who asks; None for that of this process.

    Raises:
        StartFailed: naming both users, and what to do.
    """
    user = os.geteuid() if user is None else user
    places = (home.root, *home.root.parents) if user == ROOT else (home.root,)
    with suppress(OSError):  # what cannot be looked at cannot be written either
        for place in places:
            if not place.exists():
                continue
            owner = other_owner(place, user)
            if owner is None:
                return
            raise StartFailed(
                f"GRAPHMEM_HOME: {place} belongs to the user {owner}, who could not open what "
                f"another user writes there; run graphmem as {owner}, make your user the owner of "
                "the folder (`chown -R`), or set GRAPHMEM_HOME to a folder of your own"
            )
