"""The command line as cyclopts reads it; its help names every argument, and may be cut off."""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from inspect import cleandoc
from typing import TYPE_CHECKING, Annotated

from cyclopts import (
    App,
    CoercionError,
    CycloptsError,
    MissingArgumentError,
    Parameter,
    UnknownCommandError,
    UnknownOptionError,
    UnusedCliTokensError,
)

from graphmem import __version__
from graphmem.model.intended_names import intended_name

if TYPE_CHECKING:
    from cyclopts.argument import Argument

# The lines of docstrings are at most so long.
HELP_WIDTH = 80
# Commands of which an argument in the middle may be left out.
USAGES = {"unlink": "FROM [RELATION] TO"}
# What other programs, and other interfaces of this one, call a command.
SYNONYMS = {
    "get": "show", "open": "show", "list": "recent", "ls": "recent", "find": "search",
    "query": "search", "recall": "search", "add": "remember", "create": "remember",
    "save": "remember", "update": "edit", "alias": "rename", "delete": "forget",
    "remove": "forget", "rm": "forget", "mcp": "serve",
}  # fmt: skip

# What errors call the values of options.
NUMBERS = {int: "whole number", float: "number"}


class CommandLine(App):
    """An `App` whose usage lines name the optional arguments, which cyclopts calls `[ARGS...]`."""

    def help_print(
        self,
        tokens: Annotated[str | Iterable[str] | None, Parameter(show=False)] = None,
        *,
        console: Annotated[object, Parameter(parse=False)] = None,  # noqa: ARG002 - cyclopts's own
    ) -> None:
        """Print the help of the command that the tokens name.

        Raises:
            BrokenPipeError: Nobody reads any more.
        """
        # Imported here for weight: most commands print no help.
        from cyclopts.help import format_usage

        from graphmem.cli.terminal import Terminal

        words, apps, _ = self.parse_commands(tokens)
        usage = format_usage(self, words, execution_path=apps).plain.rstrip()
        if words and words[-1] in USAGES:
            apps[-1].usage = f"Usage: graphmem {words[-1]} [OPTIONS] {USAGES[words[-1]]}"
        elif usage.endswith(("[ARGS]", "[ARGS...]")):
            usage, _, _ = usage.rpartition(" ")
            labels = [
                _label(argument) for argument in positional(apps[-1]) if not argument.required
            ]
            apps[-1].usage = " ".join([usage, *labels])
        terminal = Terminal()
        if terminal.width < HELP_WIDTH:
            apps[-1].help = _rewrapped(apps[-1].help)
        super().help_print(tokens, console=terminal)


def group(
    name: str, text: str, commands: Sequence[tuple[str, str, str]], tokens: Sequence[str]
) -> CommandLine:
    """Several commands under a name; their modules are imported when they run.

    Args:
        name: What the command line calls the group.
        text: Its help.
        commands: Name, place and help of each.
        tokens: The command line: the help of a command that is named here is its docstring.
    """
    app = CommandLine(
        name=name,
        help=text,
        help_format="plaintext",
        help_epilogue="",
        version=__version__,
        version_flags=("--version",) if name == "graphmem" else (),
        default_parameter=Parameter(negative=(), show_default=False),
        suppress_keyboard_interrupt=False,
    )
    for command, place, summary in commands:
        app.command(
            f"graphmem.cli.{place}",
            name=command,
            help=None if command in tokens else summary,
            help_epilogue="",
        )
    return app


def sentence(error: CycloptsError) -> str:
    """What is wrong with a command line.

    cyclopts would import every command to suggest one, and calls arguments that are too many
    `Unused Tokens`.
    """
    token = next(iter(error.unused_tokens or ()), "")
    if isinstance(error, UnknownCommandError):
        return _unknown(token, error.app or ())
    if isinstance(error, UnusedCliTokensError):
        hint = "" if error.app is None else _place_of(token, error.app)
        return f'Unexpected argument "{token}".{hint}'
    if isinstance(error, UnknownOptionError):
        return _unknown_option(error)
    if isinstance(error, MissingArgumentError) and error.argument is not None:
        return _missing(error, error.argument)
    if isinstance(error, CoercionError) and error.target_type in NUMBERS and error.token:
        name = error.token.keyword or (error.argument.name if error.argument else "")
        return f"{name} must be a {NUMBERS[error.target_type]}, got {error.token.value!r}."
    return str(error)


def positional(command: App) -> "list[Argument]":
    """The arguments of a command that are told by their place, in order."""
    arguments = command.assemble_argument_collection()
    return [argument for argument in arguments if argument.index is not None]


def _unknown(token: str, commands: Iterable[str]) -> str:
    """That there is no such command or option, with the command that may be meant."""
    if token.startswith("-"):
        return f"Unknown option: {token}."
    names = [name for name in commands if not name.startswith("-")]
    similar = [name for name in names if name == SYNONYMS.get(token)]
    similar = similar or get_close_matches(token, names, n=1)
    suggestion = f' Did you mean "{similar[0]}"?' if similar else ""
    return f'Unknown command "{token}".{suggestion}'


def _missing(error: MissingArgumentError, argument: "Argument") -> str:
    """That an argument is missing, or the value of an option."""
    if error.keyword is None:
        _, _, suggestion = str(error).partition("requires an argument.")
        return f"{argument.name} is missing.{suggestion}"
    tokens = list(error.root_input_tokens or ())
    following = tokens[tokens.index(error.keyword) + 1 :] if error.keyword in tokens else []
    hint = f" If it begins with a hyphen, write {error.keyword}='…'."
    return f"{error.keyword} needs a value.{hint if following and _is_prose(following[0]) else ''}"


def _unknown_option(error: UnknownOptionError) -> str:
    """That there is no such option, or none where it stands, with the one that may be meant."""
    option = error.token.keyword or error.token.value
    tokens = list(error.root_input_tokens or ())
    if "--" in tokens and option in tokens[tokens.index("--") + 1 :]:
        return f"Put {option} before the `--`: what follows it is not read as an option."
    takes_words = error.app is not None and bool(positional(error.app))
    if _is_prose(option) or (takes_words and not option.startswith("--")):
        return f"Unknown option: {option}. Put `--` before words that begin with a hyphen."
    # Hyphens are alike in all names.
    names = [name.lstrip("-") for argument in error.argument_collection for name in argument.names]
    meant = intended_name(option.partition("=")[0].lstrip("-"), names)
    if not option.startswith("--"):
        return str(error)
    return f"Unknown option: {option}." + (f" Did you mean --{meant}?" if meant else "")


def _is_prose(token: str) -> bool:
    """Whether a token can be no option, but words of a person."""
    return any(letter.isspace() for letter in token)


def _place_of(token: str, command: App) -> str:
    """Where an argument may belong that a command has no place for."""
    if not positional(command):
        return ""
    if not _is_prose(token):
        return " Put a name of several words in quotes."
    options = {
        name for argument in command.assemble_argument_collection() for name in argument.names
    }
    prose = next((word for word in ("text", "note") if f"--{word}" in options), None)
    return f" If it is a {prose}, put --{prose} before it." if prose else ""


def _rewrapped(text: str) -> str:
    """A docstring without the ends of its lines, which a narrower terminal would break again."""
    paragraphs = (" ".join(paragraph.split()) for paragraph in cleandoc(text).split("\n\n"))
    return "\n\n".join(paragraphs)


def _label(argument: "Argument") -> str:
    more = "..." if argument.field_info.kind is argument.field_info.VAR_POSITIONAL else ""
    return f"[{argument.name}{more}]"
