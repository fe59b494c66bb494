"""The file `.env` in the home."""

import stat
from io import StringIO
from pathlib import Path

from graphmem.errors import ConfigurationError
from graphmem.ownership import mode_of, rewrite_risk
from graphmem.settings.setting import by_name


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
