"""The command line as cyclopts reads it; its help names every argument, and may be cut off."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter

from graphmem import __version__

if TYPE_CHECKING:
    from cyclopts.argument import Argument


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
        if usage.endswith(("[ARGS]", "[ARGS...]")):
            usage, _, _ = usage.rpartition(" ")
            labels = [
                _label(argument) for argument in positional(apps[-1]) if not argument.required
            ]
            apps[-1].usage = " ".join([usage, *labels])
        super().help_print(tokens, console=Terminal())


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


def positional(command: App) -> "list[Argument]":
    """The arguments of a command that are told by their place, in order."""
    arguments = command.assemble_argument_collection()
    return [argument for argument in arguments if argument.index is not None]


def _label(argument: "Argument") -> str:
    more = "..." if argument.field_info.kind is argument.field_info.VAR_POSITIONAL else ""
    return f"[{argument.name}{more}]"
