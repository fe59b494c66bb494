"""The tokens that callers over HTTP send: one of nobody's, and those of named callers in a file."""

import hashlib
import hmac
import logging
import os
import re
import shlex
import stat
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from graphmem import project as projects
from graphmem.errors import ConfigurationError, InvalidInput, quantity
from graphmem.model import limits
from graphmem.model.secret import Secret
from graphmem.model.visible import visible
from graphmem.ownership import other_owner

TOKEN_CHARACTERS = 16
MAKE_TOKEN = "`python3 -c 'import secrets; print(secrets.token_urlsafe(32))'`"  # noqa: S105 - a hint
KEYS = ("token", "projects", "read_only")

log = logging.getLogger("graphmem")

_SENDABLE = re.compile("[!-~]+")
_LINE = re.compile(r"line \d+")


@dataclass(frozen=True, slots=True)
class Caller:
    """Who has a token.

    Args:
        name: Who is noted for what this caller changes; None for the anonymous token.
        projects: The names of the projects it may reach; None for all that the server reaches.
        read_only: Whether it may only read.
        reserved: Names that its client cannot give itself, as they are those of other callers.
    """

    name: str | None = None
    projects: frozenset[str] | None = None
    read_only: bool = False
    reserved: frozenset[str] = frozenset()

    @property
    def is_limited(self) -> bool:
        """Whether it reaches less than the server."""
        return self.read_only or self.projects is not None


class KnownCallers:
    """Who may call, by their tokens; read again when the file of the named callers was changed.

    Where a changed file cannot be used, the callers known before stay, and the log says why.

    Args:
        token: The anonymous token, GRAPHMEM_TOKEN.
        file: The file of the named callers, GRAPHMEM_TOKENS.

    Raises:
        ConfigurationError: As for `callers_of`.
    """

    def __init__(self, token: Secret | None, file: Path | None) -> None:
        self._token = token
        self._file = file
        self._version = _version(file)
        self._callers = self._read()

    def __bool__(self) -> bool:
        """Whether there is a token at all."""
        return bool(self._callers)

    def caller_with(self, token: str) -> Caller | None:
        """Give whose token it is, or None; takes the same time for all."""
        self._renew()
        digest, known_caller = _digest(token), None
        for caller_digest, caller in self._callers:
            if hmac.compare_digest(digest, caller_digest):
                known_caller = caller
        return known_caller

    def _renew(self) -> None:
        version = _version(self._file)
        if version == self._version:
            return
        self._version = version
        try:
            self._callers = self._read()
        except ConfigurationError as error:
            # Its traceback says nothing more, and might show what the file holds.
            log.error("%s; the previous tokens stay in use", error)  # noqa: TRY400
        else:
            log.warning("GRAPHMEM_TOKENS: %s was changed and has been read again", self._file)

    def _read(self) -> list[tuple[bytes, Caller]]:
        callers = callers_of(self._token, self._file)
        return [(_digest(secret.get_secret_value()), caller) for secret, caller in callers]


def _version(file: Path | None) -> tuple[int, ...] | None:
    """What changes whenever the file does, its mode included; None where there is none."""
    try:
        status = None if file is None else file.stat()
    except OSError:
        return None
    return status and (status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)


def _digest(token: str) -> bytes:
    """Digests are of one length, so that not even the token's length shows in the time."""
    return hashlib.sha256(token.encode()).digest()


def check_token(token: str) -> str | None:
    """Why a token cannot be used, without showing it; None for one that can."""
    if len(token) >= TOKEN_CHARACTERS and _SENDABLE.fullmatch(token):
        return None
    length = quantity(len(token), "character", "characters")
    return (
        f"has {length}; it must have at least {TOKEN_CHARACTERS} ASCII letters, "
        f"digits and punctuation marks, without spaces; make one with {MAKE_TOKEN}"
    )


def callers_of(token: Secret | None, file: Path | None) -> list[tuple[Secret, Caller]]:
    """Every token that lets somebody in, with whom.

    Args:
        token: The anonymous one, GRAPHMEM_TOKEN.
        file: The file of the named callers, GRAPHMEM_TOKENS: TOML, a table for each caller.

    Raises:
        ConfigurationError: A token is too short or cannot be sent, two are the same, or the file
            cannot be used: it is another user's or others may read it, it is no TOML, or something
            in it is not known.
    """
    if token is not None and (reason := check_token(token.get_secret_value())) is not None:
        raise ConfigurationError(f"GRAPHMEM_TOKEN {reason}")
    try:
        named = [] if file is None else _named_callers(_tables(file), token)
    except _Unusable as error:
        raise ConfigurationError(f"GRAPHMEM_TOKENS: {file}: {error}") from None
    if token is None:
        return named
    names = frozenset(str(caller.name) for _, caller in named)
    return [(token, Caller(reserved=names)), *named]


class _Unusable(Exception):
    """Why the file of the named callers cannot be used, with no secret in it."""


def _named_callers(
    tables: Mapping[str, object], anonymous: Secret | None
) -> list[tuple[Secret, Caller]]:
    owners = {} if anonymous is None else {anonymous: "GRAPHMEM_TOKEN"}
    callers: list[tuple[Secret, Caller]] = []
    for name, table in tables.items():
        _check_name(name)
        if not isinstance(table, dict):
            # Neither is shown what may be a token in the wrong place.
            raise _Unusable("every key must be in the table of a caller, such as `[alice]`")
        caller = _caller(name, table)
        for token in _tokens(name, table.get("token")):
            if token in owners:
                raise _Unusable(f"{owners[token]} and {name} have the same token")
            owners[token] = name
            callers.append((token, caller))
    if not callers:
        raise _Unusable("it names no caller; add a table such as `[alice]`, with a `token` in it")
    return callers


def _tables(file: Path) -> dict[str, object]:
    """What the file says; nobody but its owner may read it, who is this user or root."""
    try:
        with file.open("rb") as opened:
            mode = os.fstat(opened.fileno()).st_mode
            if mode & (stat.S_IRWXG | stat.S_IRWXO):
                raise _Unusable(
                    f"other users can read or write it; run `chmod 600 {shlex.quote(str(file))}`"
                )
            if (owner := other_owner(file)) not in {None, "root"}:
                raise _Unusable(
                    f"it belongs to the user {owner}, who could let anybody in; make it yours with "
                    "`chown`, or name a file of your own"
                )
            return tomllib.load(opened)
    except OSError as error:
        raise _Unusable(f"it cannot be read ({error.strerror}); name a TOML file") from None
    except UnicodeDecodeError:
        raise _Unusable("it is not UTF-8 text; write it as TOML") from None
    except tomllib.TOMLDecodeError as error:
        place = _LINE.search(str(error))
        # What the parser says may show a part of the line.
        raise _Unusable(
            f"{place[0] if place else 'its end'} is not TOML; see https://toml.io"
        ) from None


def _check_name(name: str) -> None:
    try:
        checked = limits.label("name", name)
    except InvalidInput as error:
        raise _Unusable(f"a caller's {error}") from None
    if checked != name or visible(name) != name:
        raise _Unusable(f"the caller's name {name!r} must be written as it is shown: {checked!r}")


def _caller(name: str, table: Mapping[str, object]) -> Caller:
    if not table.keys() <= set(KEYS):
        raise _Unusable(f"{name} has a key that is not known; the keys are {', '.join(KEYS)}")
    read_only = table.get("read_only", False)
    if not isinstance(read_only, bool):
        raise _Unusable(f"read_only of {name} must be true or false")
    return Caller(name, _projects(name, table.get("projects")), read_only)


def _projects(name: str, project_list: object) -> frozenset[str] | None:
    if project_list is None:
        return None
    if not isinstance(project_list, list) or not project_list:
        raise _Unusable(f"projects of {name} must be a list of projects; leave it out to allow all")
    names = set()
    for index, project in enumerate(project_list):
        argument = f"projects[{index}] of {name}"
        try:
            checked = projects.check_project_name(project, argument=argument)
        except InvalidInput as error:
            raise _Unusable(str(error)) from None
        if checked in projects.LAYERS:
            raise _Unusable(
                f"{argument} must not be the layer {checked}: every caller reads it, and "
                "`graphmem serve --layers` lets callers write it"
            )
        names.add(checked)
    return frozenset(names)


def _tokens(name: str, token_or_list: object) -> list[Secret]:
    tokens: list[Secret] = []
    for token in token_or_list if isinstance(token_or_list, list) else [token_or_list]:
        if not isinstance(token, str):
            raise _Unusable(f"the token of {name} must be a text, or a list of texts")
        if (reason := check_token(token)) is not None:
            raise _Unusable(f"the token of {name} {reason}")
        tokens.append(Secret(token))
    if not tokens:
        raise _Unusable(f"{name} must have a token")
    return tokens
