"""Who else could write to a folder, lead a path elsewhere, or enter what is made."""

import grp
import os
import pwd
import stat
from pathlib import Path

import pytest

from graphmem.arguments import refuse_link_of_another_user
from graphmem.errors import InvalidInput
from graphmem.ownership import exchange_risk, make_folders_above, other_writers

# As seen by this user, who runs the tests is another one.
STRANGER = os.geteuid() + 4711


def shared_with(path: Path, mode: int) -> None:
    """Give a path to the group of a user who is not root, with a mode."""
    user = pwd.getpwuid(os.geteuid() or pwd.getpwnam("nobody").pw_uid)
    os.chown(path, -1, user.pw_gid)
    path.chmod(mode)


def test_a_group_with_other_members_may_write(tmp_path: Path) -> None:
    shared_with(tmp_path, 0o770)
    writers = other_writers(tmp_path, STRANGER)
    assert writers is not None
    assert " of the group " in writers
    tmp_path.chmod(0o750)
    assert other_writers(tmp_path, STRANGER) is None


def test_a_group_of_the_asker_alone_is_nobody_else(tmp_path: Path) -> None:
    """Many systems give each user a group of their own, and let it write."""
    tmp_path.chmod(0o775)
    groups = [user.pw_gid for user in pwd.getpwall()]
    for user in pwd.getpwall():
        is_alone = groups.count(user.pw_gid) == 1 and not grp.getgrgid(user.pw_gid).gr_mem
        if is_alone and os.geteuid() in {0, user.pw_uid}:
            os.chown(tmp_path, -1, user.pw_gid)
            assert other_writers(tmp_path, user.pw_uid) is None


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder to another group")
def test_write_access_to_a_parent_folder_counts_as_write_access(tmp_path: Path) -> None:
    shared_with(tmp_path, 0o775)
    risk = exchange_risk(tmp_path / "a" / "home", STRANGER)
    assert risk is not None
    assert risk.endswith(f" can write to {tmp_path}")
    tmp_path.chmod(0o1775)
    assert exchange_risk(tmp_path / "a" / "home", STRANGER) is None


def test_nobody_else_may_write_to_folders_that_are_made(tmp_path: Path) -> None:
    for umask, mode in ((0, 0o755), (0o002, 0o755), (0o077, 0o700)):
        before = os.umask(umask)
        try:
            make_folders_above(tmp_path / str(umask) / "a" / "b")
            make_folders_above(tmp_path / str(umask) / "a" / "b")
        finally:
            os.umask(before)
        made = [*(tmp_path / str(umask)).rglob("*"), tmp_path / str(umask)]
        assert [stat.S_IMODE(folder.stat().st_mode) for folder in made] == [mode, mode]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a link to another user")
def test_a_link_of_another_user_leads_nothing_that_is_written_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "mine")
    refuse_link_of_another_user("--output", link / "file")
    os.lchown(link, pwd.getpwnam("nobody").pw_uid, -1)
    for path in (link, link / "file", link / "no" / "folder"):
        with pytest.raises(InvalidInput, match=f"--output must not lead through {link}, a symb"):
            refuse_link_of_another_user("--output", path)
