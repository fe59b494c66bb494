"""Which project a folder belongs to: its git remote's canonical form, else a name for the folder.

Nothing here starts git: the configuration is read as a file, so that detection works without a git
binary and in a folder that somebody else owns.
"""

import configparser
import hashlib
import os
import re
import unicodedata
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from urllib.parse import unquote

from graphmem.errors import NOT_SHOWN, ConfigurationError, InvalidInput
from graphmem.git_files import opened_repository
from graphmem.model import limits
from graphmem.ownership import mode_of

if TYPE_CHECKING:
    from git import GitConfigParser, Repo

LAYERS = ("@user", "@system")
_DIGEST_CHARACTERS = 8
_FOLDER_MARK = re.compile(r"-[0-9a-f]{8}$")
_SEPARATOR = "#"  # stands between project and name in an entity's key
_URL = re.compile(
    r"(?P<scheme>[a-z][a-z0-9+.-]+)://(?P<authority>[^/?#]*)(?P<rest>.*)", re.IGNORECASE | re.DOTALL
)
_AUTHORITY = re.compile(r"(?P<host>\[[^\]]*\]|[^:\[\]]*)(:\d*)?")
# git takes a remote for ssh when a colon comes before the first slash.
_SCP = re.compile(
    r"(?P<user>[^/\[]*@)?(?P<host>\[[^\]/]+\]|[^/:@\[\]]+):(?!:|//)(?P<path>.*)", re.DOTALL
)
_HOST = re.compile(r"\[[0-9a-f:.]+(%\w+)?\]|[\w.-]*\w[\w.-]*")
_REMOTE_SECTION = re.compile(r'remote "(?P<name>.*)"', re.IGNORECASE | re.DOTALL)
# Where the great hosts answer ssh on port 443: the same repositories under another host name.
_SSH_HOSTS = {
    "ssh.github.com": "github.com",
    "altssh.gitlab.com": "gitlab.com",
    "altssh.bitbucket.org": "bitbucket.org",
}


@dataclass(frozen=True, slots=True)
class Project:
    """A project's name and how it was found.

    Args:
        name: `host/owner/repo`, or `folder-name-1a2b3c4d`, or what the caller gave.
        source: What the name was taken from.
        folder: The folder that stands for the project, resolved: the main working tree of a
            repository (that of its worktrees too), a bare repository, or a plain folder; None
            when the name was given.
    """

    name: str
    source: Literal["argument", "setting", "git remote", "git folder", "folder"]
    folder: Path | None


def detect(
    folder: Path | str | None = None, *, given: str | None = None, setting: str | None = None
) -> Project:
    """Tell which project to use: `given`, else `setting`, else what `folder` says.

    A folder in a git repository stands for its remote: `origin` if that has a host, else the
    first by name that has one. A repository without such a remote stands for its main working
    tree, and a folder without git for itself.

    Args:
        folder: A folder, or a file in it; the current folder by default. Not looked at when a
            name is given.
        given: A name from the caller, a layer (`@user`, `@system`) or a remote's URL.
        setting: The same, from `GRAPHMEM_PROJECT`.

    Raises:
        InvalidInput: A name is not allowed, or there is no such folder.
        ConfigurationError: The folder's git configuration cannot be read. A name made without
            it would be another project's, so none is made.
    """
    if given is not None:
        return Project(check_project_name(given), "argument", None)
    if setting is not None:
        return Project(check_project_name(setting, argument="GRAPHMEM_PROJECT"), "setting", None)
    start = _existing_folder(folder)
    return _of_repository(start) or Project(_folder_name(start), "folder", start)


def canonical_remote(url: str) -> str | None:
    """Write a git remote as `host/owner/repo`, whichever way it is reached.

    The scheme, user, password, port, query, `.git` and doubled or trailing slashes go; the host
    becomes lower case and its ssh-over-443 alias the host itself. The path's case stays, as some
    hosts tell `Repo` from `repo`, and so do GitLab's subgroups and `~user`. A result over the
    limits of a project's name is cut and ends in a digest of the whole.

    Args:
        url: A URL or the short form `user@host:path`.

    Returns:
        The canonical form, which is always an allowed project name; None for a remote that names
        no host or no path on it (a local path, `file://`, a transport helper's `name::address`)
        and for one with `@` in its path, which may be the rest of a password.
    """
    parts = _host_and_path(unicodedata.normalize("NFKC", url).strip())
    if parts is None:
        return None
    host, path = parts
    host = host.lower().rstrip(".")
    segments = [segment for segment in path.split("/") if segment.strip() not in {"", "."}]
    if segments:
        segments[-1] = segments[-1].strip().removesuffix(".git")
    if not _HOST.fullmatch(host) or not any(segments) or "@" in path:
        return None
    return _fit_name("/".join([_SSH_HOSTS.get(host, host), *filter(None, segments)]))


def project_of_short_name(name: str, own_project: str | None) -> str:
    """The project that a short name means: the own one where its repository is called so."""
    repository = (own_project or "").rpartition("/")[2]
    short_names = {repository, _FOLDER_MARK.sub("", repository)}
    return own_project if own_project and name in short_names else name


def place(path: Path) -> str:
    """Name a file or folder as seen from its working tree, so that every checkout agrees.

    Without a repository around it, by its whole path.
    """
    resolved = path.resolve()
    working_tree = _working_tree(resolved if resolved.is_dir() else resolved.parent)
    if working_tree is None or not resolved.is_relative_to(working_tree):
        return resolved.as_posix()
    return resolved.relative_to(working_tree).as_posix()


def check_project_name(value: str, *, argument: str = "project") -> str:
    """Check a project's name as a caller gave it.

    Args:
        value: 1 to 200 characters and at most 512 bytes, without `#`, control or bidi characters;
            not starting with `@`, but for the layers `@user` and `@system`. A remote's URL stands
            for its canonical form.
        argument: What to call the value in an error.

    Returns:
        The name in Unicode's form NFKC, spaces trimmed and collapsed.

    Raises:
        InvalidInput: The name is not allowed; a URL is never shown, as it may hold a password.
    """
    if isinstance(value, str) and "://" in value:
        remote_name = canonical_remote(value)
        if remote_name is None:
            requirement = "must be host/owner/repo, the URL of such a remote, or a name of your own"
            raise InvalidInput(argument, f"{value.partition(':')[0]}://…", requirement)
        return remote_name
    name = limits.label(argument, value)
    if _SEPARATOR in name:
        raise InvalidInput(
            argument, value, "must not contain `#`, which separates project and name in keys"
        )
    if any(unicodedata.category(mark) == "Cc" for mark in value.strip()):
        raise InvalidInput(argument, value, "must not contain control characters")
    if name.startswith("@") and name not in LAYERS:
        requirement = f"must not start with `@`, as only the layers {' and '.join(LAYERS)} do"
        raise InvalidInput(argument, value, requirement)
    return name


def is_project_name(name: str) -> bool:
    """Whether a stored name is one that a project can have; somebody may have written another."""
    with suppress(InvalidInput):
        return check_project_name(name) == name
    return False


def _existing_folder(folder: Path | str | None) -> Path:
    """Resolve a folder, or a file's folder; GitPython cannot follow a link into a subfolder."""
    try:
        place = Path.cwd() if folder is None else Path(folder)
        resolved = place.resolve(strict=True)
        return resolved if resolved.is_dir() else resolved.parent
    except (OSError, RuntimeError, ValueError):  # gone or closed; a ring of links; a NUL in it
        if folder is None:
            requirement = "must exist, but the current folder no longer exists"
            hint = "Change to another folder, or name a project."
            raise InvalidInput("folder", NOT_SHOWN, requirement, hint=hint) from None
        hint = "Give another folder, or name a project."
        raise InvalidInput("folder", str(folder), "must be readable", hint=hint) from None


def _working_tree(folder: Path) -> Path | None:
    try:
        with opened_repository(folder) or nullcontext() as repository:
            working_tree = repository.working_tree_dir if repository else None
    except (ConfigurationError, OSError, ValueError):
        return None
    return None if working_tree is None else Path(working_tree).resolve()


def _of_repository(folder: Path) -> Project | None:
    """Name the project of the repository around a folder; None when there is none."""
    try:
        with opened_repository(folder) or nullcontext() as repository:
            if repository is None:
                return None
            # GitPython would take a file that may not be read for an empty one.
            settings_file = Path(repository.common_dir, "config")
            if mode_of(settings_file):
                settings_file.open("rb").close()
            settings = repository.config_reader("repository")
            root = _main_folder(repository, settings)
            remote = _canonical_remote_of(settings)
    except (configparser.Error, OSError, ValueError):
        # The cause quotes the line it stumbled over, which may hold a password.
        raise ConfigurationError(
            f"the git configuration of {folder} cannot be read; "
            "`git config --list` there tells the line to repair, or name a project"
        ) from None
    if remote is not None:
        return Project(remote, "git remote", root)
    return Project(_folder_name(root), "git folder", root)


def _main_folder(repository: "Repo", settings: "GitConfigParser") -> Path:
    """Find the folder that a repository, its subfolders and all its worktrees have in common."""
    common = Path(repository.common_dir).resolve()
    if settings.has_option("core", "worktree"):  # a submodule's, whose .git lies elsewhere
        return (common / str(settings.get("core", "worktree"))).resolve()
    # `.bare` is what people call a bare repository whose worktrees are its neighbours.
    return common.parent if common.name in {".git", ".bare"} else common


def _canonical_remote_of(settings: "GitConfigParser") -> str | None:
    """Give the first remote that has a canonical form: `origin`, then the others by name."""
    sections = {
        match["name"]: section
        for section in settings.sections()
        if (match := _REMOTE_SECTION.fullmatch(section)) and settings.has_option(section, "url")
    }
    for name in sorted(sections, key=lambda name: (name != "origin", name)):
        for url in settings.get_values(sections[name], "url"):
            canonical = canonical_remote(str(url))
            if canonical is not None:
                return canonical
    return None


def _host_and_path(remote: str) -> tuple[str, str] | None:
    """Split a remote; the host without user and port, the path percent-decoded if from a URL."""
    url = _URL.fullmatch(remote)
    if url is None:
        short = _SCP.fullmatch(remote)
        # One letter alone is a Windows drive: `C:\code`.
        if short is None or (len(short["host"]) == 1 and not short["user"]):
            return None
        return short["host"], short["path"]
    authority = _AUTHORITY.fullmatch(url["authority"].rpartition("@")[2])
    # An unescaped `/`, `?` or `#` in a password ends the authority too early.
    if authority is None or url["scheme"].lower() == "file" or "@" in url["rest"]:
        return None
    path = re.split("[?#]", url["rest"], maxsplit=1)[0]
    try:
        return authority["host"], unquote(path, errors="strict")
    except UnicodeDecodeError:
        return authority["host"], path


def _folder_name(folder: Path) -> str:
    """Name a folder that has no better name: what it is called, and a digest of where it is."""
    name = unicodedata.normalize("NFKC", folder.name).strip().removesuffix(".git").lstrip("@")
    return _fit_name(name or "folder", mark=_digest(os.fsencode(folder)))


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:_DIGEST_CHARACTERS]


def _fit_name(name: str, *, mark: str = "") -> str:
    """Make an allowed project name of a derived one: `-` for what cannot stand or be seen, cut.

    Args:
        name: The derived name.
        mark: A digest to end in; without one, a name that must be cut ends in its own.
    """
    normal = unicodedata.normalize("NFKC", name)
    visible_letters = (c if c.isprintable() and c != _SEPARATOR else "-" for c in normal)
    clean = " ".join("".join(visible_letters).split())
    if not mark:
        if len(clean) <= limits.LABEL_CHARACTERS and len(clean.encode()) <= limits.LABEL_BYTES:
            return clean
        mark = _digest(clean.encode())
    room = len(mark) + 1
    beginning = clean[: limits.LABEL_CHARACTERS - room].encode()[: limits.LABEL_BYTES - room]
    return f"{beginning.decode(errors='ignore').rstrip()}-{mark}"
