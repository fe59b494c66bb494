"""The file `.env` in the home, and names in it or in the environment that are no settings."""

import difflib
import stat
from collections.abc import Collection, Iterable, Mapping
from io import StringIO
from pathlib import Path

from graphmem.errors import ConfigurationError
from graphmem.ownership import mode_of, rewrite_risk
from graphmem.settings.setting import by_name

PREFIX = "GRAPHMEM_"


def read_env_file(file: Path) -> dict[str, str]:
    """Read its variables that are not empty, by their names in capital letters; {} without a file.

    Raises:
        ConfigurationError: It is no file or no text, cannot be read, has a line that is no setting,
            or could be another user's words.
    """
    try:
        mode = mode_of(file)
        if not mode and not file.is_symlink():
            return {}
        if not stat.S_ISREG(mode):
            raise ConfigurationError(
                f"GRAPHMEM_HOME: {file} must be a file, or a symbolic link to one, not "
                f"{_sort(mode)}; remove it, or write the settings into a file of that name"
            )
        risk = rewrite_risk(file)
        if risk is not None:
            raise ConfigurationError(
                f"GRAPHMEM_HOME: {risk}, so others could choose what graphmem runs and whom it "
                "sends what you store; make the file yours and run `chmod go-w` on what is named, "
                "or set another folder"
            )
        from dotenv import dotenv_values  # noqa: PLC0415 - for weight

        file_text = file.read_text(encoding="utf-8-sig")
        _check_lines(file, file_text)
        return by_name(dotenv_values(stream=StringIO(file_text)))
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"GRAPHMEM_HOME: {file} cannot be read: {error}") from None
    except OSError as error:
        raise ConfigurationError(
            f"GRAPHMEM_HOME: {file} cannot be read ({error.strerror}); set it to a folder of your "
            "own, or make the user who runs graphmem the owner of this one"
        ) from None


def _sort(mode: int) -> str:
    if not mode:
        return "a link that leads to nothing"
    return "a folder" if stat.S_ISDIR(mode) else "a device or a pipe"


def _check_lines(file: Path, file_text: str) -> None:
    from dotenv.parser import parse_stream  # noqa: PLC0415 - for weight

    for binding in parse_stream(StringIO(file_text)):
        if binding.error:  # its line may hold a secret
            statement = binding.original.string
            blank_lines = statement[: len(statement) - len(statement.lstrip())].count("\n")
            raise ConfigurationError(
                f"GRAPHMEM_HOME: {file}, line {binding.original.line + blank_lines}, must be "
                "`NAME=value`, where a quoted value ends with its quotation mark; correct the "
                "line, or begin it with `#`"
            )


def ineffective(
    environment: Mapping[str, str],
    file: Path,
    file_values: Mapping[str, str],
    known_names: Collection[str],
) -> list[str]:
    """A sentence on each variable that begins like graphmem's and has no effect.

    Args:
        environment: The variables of the environment, by their names in capital letters.
        file: The file `.env` in the home.
        file_values: Its variables.
        known_names: The variables of all settings.
    """
    names = _misspelled([*environment, *file_values], known_names)
    sentences = [
        f"{name} is not a setting, so it has no effect"
        + (f"; did you mean {near}?" if near else "; `.env.example` lists all settings")
        for name, near in names.items()
    ]
    home = environment.get("GRAPHMEM_HOME")
    if home is not None and file_values.get("GRAPHMEM_HOME", home) != home:
        sentences.append(
            f"GRAPHMEM_HOME in {file} has no effect, since the environment has it, too; remove it "
            "there, or change that of the environment"
        )
    return sentences


def _misspelled(names: Iterable[str], known_names: Collection[str]) -> dict[str, str | None]:
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
