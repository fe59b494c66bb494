"""Whose files are, and who else could exchange them."""

import grp
import os
import pwd
import stat
from contextlib import suppress
from pathlib import Path

# The numbers of users and of groups that exist where this process runs, and the one that stands
# for all others.
_USER_MAP = Path("/proc/self/uid_map")
_GROUP_MAP = Path("/proc/self/gid_map")
_UNMAPPED = 65534
# Whose members may become root.
_ROOT_GROUPS = frozenset({"root", "wheel", "admin", "sudo"})


def mode_of(path: Path) -> int:
    """The mode of a file or folder, which tells its sort; 0 where there is none.

    `Path.exists` and its like say no, from Python 3.14 on, where they may not look.

    Raises:
        OSError: when it cannot be looked at.
    """
    try:
        return path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError, ValueError):  # a NUL in its name
        return 0


def other_owner(path: Path, user: int | None = None) -> str | None:
    """The name of the user who owns a file or folder, where that is not the one who asks.

    A number that no user of this machine has, such as that of a folder from outside of a container,
    counts as the asker's own. So does the one that Linux shows for all owners whom a sandbox does
    not know.

    Args:
        path: The file or folder.
        user: The number of the user who asks; None for that of this process.

    Raises:
        OSError: when it is not there, or cannot be looked at.
    """
    return _other_user(path.stat().st_uid, user)


def _other_user(owner: int, user: int | None) -> str | None:
    if owner == (os.geteuid() if user is None else user) or _is_unmapped(owner, _USER_MAP):
        return None
    try:
        return pwd.getpwuid(owner).pw_name
    except KeyError:
        return None


def _is_unmapped(owner: int, numbers: Path) -> bool:
    try:
        ranges = [line.split() for line in numbers.read_text(encoding="ascii").splitlines()]
    except OSError:
        return False
    return owner == _UNMAPPED and not any(
        int(first) <= owner < int(first) + int(count) for first, _, count in ranges
    )


def is_open_to_others(secret: Path) -> bool:
    """Tell whether other users of the machine may read, write or run a file.

    Raises:
        OSError: when it is not there, or cannot be looked at.
    """
    return bool(secret.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO))


def is_writable_by_others(path: Path) -> bool:
    """Tell whether other users of the machine may write to a file or folder.

    Raises:
        OSError: when it is not there, or cannot be looked at.
    """
    return bool(path.stat().st_mode & (stat.S_IWGRP | stat.S_IWOTH))


def other_writers(path: Path, user: int | None = None) -> str | None:
    """Name who but the asker may write to a file or folder, by its mode; None where nobody may.

    Many systems give each user a group of their own, so a group counts only where this machine
    knows another member of it who cannot become root anyway.

    Args:
        path: The file or folder, which need not be there.
        user: The number of the user who asks; None for that of this process.

    Raises:
        OSError: when it cannot be looked at.
    """
    mode = mode_of(path)
    if mode & stat.S_IWOTH:
        return "every user"
    return _other_members(path.stat().st_gid, user) if mode & stat.S_IWGRP else None


def _other_members(number: int, user: int | None) -> str | None:
    try:
        group = grp.getgrgid(number)
    except KeyError:
        return None
    if group.gr_name in _ROOT_GROUPS or _is_unmapped(number, _GROUP_MAP):
        return None
    users, asker = pwd.getpwall(), os.geteuid() if user is None else user
    members = {*group.gr_mem, *(member.pw_name for member in users if member.pw_gid == number)}
    others = sorted(members - {safe.pw_name for safe in users if safe.pw_uid in {0, asker}})
    return f"{others[0]}, of the group {group.gr_name}," if others else None


def link_of_another_user(path: Path) -> Path | None:
    """The symbolic link on a path that another user than root made, and may lead anywhere."""
    for place in (path.absolute(), *path.absolute().parents):
        with suppress(OSError, ValueError):  # no such file, or a NUL in its name
            facts = place.lstat()
            owner = _other_user(facts.st_uid, None)
            if stat.S_ISLNK(facts.st_mode) and owner not in {None, "root"}:
                return place
    return None


def replacement_obstacle(file: Path) -> str | None:
    """Say why another file cannot get the name of one, or a new one that name; None if it can.

    Args:
        file: The file by its real path, which need not be there; its folder must be.
    """
    folder, user = file.parent, os.geteuid()
    by_effective_user = os.access in os.supports_effective_ids
    if not os.access(folder, os.W_OK | os.X_OK, effective_ids=by_effective_user):
        return f"this user may not write to {folder}"
    if not mode_of(file):
        return None
    if os.path.ismount(file):  # Path's own knows only folders
        return f"{file} is mounted by itself, so it cannot be exchanged"
    keeps_users_apart = folder.stat().st_mode & stat.S_ISVTX
    if keeps_users_apart and user not in {0, file.stat().st_uid, folder.stat().st_uid}:
        return f"{file} belongs to another user, and only its owner may replace a file in {folder}"
    return None


def make_folders_above(path: Path) -> None:
    """Make the folders above a path that are not there, which nobody else may write to.

    With a umask of 0, `Path.mkdir` would let everybody exchange what is in them.

    Raises:
        OSError: when one cannot be made.
    """
    for place in reversed([place for place in path.parents if not place.is_dir()]):
        place.mkdir(mode=0o755, exist_ok=True)


def rewrite_risk(file: Path) -> str | None:
    """Say why another user could write what a file says, or exchange it; None for root alone.

    Raises:
        OSError: when it is not there, or cannot be looked at.
    """
    owner = other_owner(file)
    if owner not in {None, "root"}:
        return f"{file} belongs to the user {owner}"
    return write_risk(real_path(file))


def real_path(path: Path) -> Path:
    """The path without symbolic links, whose owners could lead it elsewhere; of any path at all."""
    return Path(os.path.realpath(path))


def exchange_risk(folder: Path, user: int | None = None) -> str | None:
    """Say why another user could put another folder in the place of one.

    Whoever owns a folder above can rename what is in it, and so can whoever may write there, unless
    it keeps each user to their own files as `/tmp` does. Root could do so anywhere.

    Args:
        folder: The folder, as `real_path` gives it; it need not be there.
        user: The number of the user who asks; None for that of this process.

    Returns:
        A clause that names the folder; None where nobody else could.

    Raises:
        OSError: when it cannot be looked at.
    """
    for place in filter(mode_of, (folder, *folder.parents)):
        owner = other_owner(place, user)
        if owner not in {None, "root"}:
            return f"{place} belongs to the user {owner}"
    return _risk_above(folder, user)


def write_risk(path: Path) -> str | None:
    """Say who may write to a file or folder, or exchange it by what the folders above allow.

    Whom they belong to is not looked at: for what somebody chose by its name, its owner was chosen.

    Args:
        path: What `real_path` gives; it need not be there.

    Returns:
        A clause that names the place; None where nobody else may.

    Raises:
        OSError: when it cannot be looked at.
    """
    writers = other_writers(path)
    return f"{writers} can write to {path}" if writers else _risk_above(path)


def _risk_above(path: Path, user: int | None = None) -> str | None:
    for place in path.parents:
        writers = None if mode_of(place) & stat.S_ISVTX else other_writers(place, user)
        if writers is not None:
            return f"{writers} can write to {place}"
    return None
