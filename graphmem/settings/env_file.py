"""The file `.env` in the home, and names in it or in the environment that are no settings."""

import difflib
import stat
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from graphmem.errors import ConfigurationError
from graphmem.ownership import mode_of, rewrite_risk
from graphmem.settings.setting import by_name

PREFIX = "GRAPHMEM_"


def read_env_file(file: Path) -> dict[str, str]:
    """Read its variables that are not empty, by their names in capital letters; {} without a file.

    Raises:
        ConfigurationError: It is no text, cannot be read, or could be another user's words.
    """
    try:
        if not stat.S_ISREG(mode_of(file)):
            return {}
        risk = rewrite_risk(file)
        if risk is not None:
            raise ConfigurationError(
                f"GRAPHMEM_HOME: {risk}, so others could choose what graphmem runs and whom it "
                "sends what you store; make the file yours and run `chmod go-w` on what is named, "
                "or set another folder"
            )
        from dotenv import dotenv_values  # noqa: PLC0415 - for weight

        return by_name(dotenv_values(file, encoding="utf-8-sig"))
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"GRAPHMEM_HOME: {file} cannot be read: {error}") from None
    except OSError as error:
        raise ConfigurationError(
            f"GRAPHMEM_HOME: {file} cannot be read ({error.strerror}); set it to a folder of your "
            "own, or make the user who runs graphmem the owner of this one"
        ) from None


def misspelled(names: Iterable[str], known_names: Collection[str]) -> dict[str, str | None]:
    """Names that begin like graphmem's and are no setting, each with the setting it is like.

    Args:
        names: Names of variables, in capital letters.
        known_names: The variables of all settings.
    """
    return {
        name: _nearest(name, known_names)
        for name in sorted(set(names))
        if name.startswith(PREFIX) and name not in known_names
    }


def _nearest(name: str, known_names: Collection[str]) -> str | None:
    bare_names: Mapping[str, str] = {known.removeprefix(PREFIX): known for known in known_names}
    near_names = difflib.get_close_matches(name.removeprefix(PREFIX), bare_names, n=1)
    return bare_names[near_names[0]] if near_names else None
