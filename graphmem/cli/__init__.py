"""The terminal: `main` reads the command line, runs one command and gives its exit code.

Exit codes: 0 success; 1 nothing was found, something was refused, or a failure; 2 the command line
or a value is not allowed; 130 interrupted; 141 the program that read the output has ended.

Commands live in modules of their own, imported when they run, so that `--help` and `serve` do
without the database's driver; a command imports what it works with only when it is called, so that
its own `--help` does without it, too. `--version` does not even need the library for command lines.
"""

import errno
import gc
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from graphmem import __version__, import_cost
from graphmem.cli import output
from graphmem.errors import GraphmemError, InvalidInput

if TYPE_CHECKING:
    from cyclopts import App

FAILED, USAGE, INTERRUPTED, PIPE_CLOSED = 1, 2, 130, 141

HELP = """A graph-aware knowledge store: search by words, meaning and name, follow the links between
entities, and see why each hit was found."""

EXAMPLES = """Examples:

    graphmem demo                                   try it on sample data
    graphmem search "who knows the event bus"       search this folder's project
    graphmem search queue --kind Incident --json    filter; print JSON
    graphmem view queue --open                      see a search as a picture
    graphmem show "Session store"                   show one entity in full
    graphmem remember "Redis cache" --kind Decision --text "For sessions."
    graphmem link "Redis cache" DEPENDS_ON "Session store" --note "for now"
    graphmem import markdown notes/                 import Markdown files
    graphmem export --output backup.jsonl           export as JSON lines
    graphmem serve                                  serve agents over MCP

The project is that of --project, or else of GRAPHMEM_PROJECT, or else of the
folder: its git remote, or its path. Exit codes: 0 success; 1 nothing found,
something refused, or a failure; 2 wrong usage.
"""

# Name, place and help of each command; a test compares the help with the docstring.
COMMANDS = (
    ("demo", "demo:demo", "Import sample data and search it, to see what graphmem does."),
    ("search", "search:search", "Find entities and those one link away, best first."),
    ("recent", "recent:recent", "List the entities that changed last."),
    ("context", "context:context", "Print the best results of a search as one text for a prompt."),
    ("view", "view:view", "Write a page that shows a search, or an entity, as a picture."),
    ("show", "show:show", "Show one entity in full, with its relations."),
    ("explore", "show:explore", "Show what is around an entity, or the shortest path to another."),
    ("remember", "write:remember", "Create an entity, or add to an existing one."),
    ("link", "write:link", "Create or update a relation between two entities."),
    ("unlink", "write:unlink", "Delete the relations from one entity to another."),
    ("edit", "change:edit", "Correct an entity: change, clear or remove what is stored."),
    ("rename", "change:rename", "Rename an entity; its links stay and the old name still works."),
    ("merge", "change:merge", "Merge two entities that are the same thing."),
    ("duplicates", "history:duplicates", "List entities that may be the same thing, and why."),
    ("supersede", "change:supersede", "Replace an entity by another one that exists."),
    ("forget", "write:forget", "Hide entities from searches; `restore` brings them back."),
    ("restore", "change:restore", "Bring back entities that somebody has hidden."),
    ("purge", "purge:purge", "Delete entities for good, with their links and history."),
    ("history", "history:history", "Show how an entity changed, when and by whom."),
    ("changes", "history:changes", "List the changes of a project, newest first."),
    ("undo", "change:undo", "Undo a change, unless what it touched was changed again since."),
    ("import", "importing:import_", "Import a file or folder; running it again is safe."),
    ("export", "exporting:export", "Export a project as JSON lines or as Markdown notes."),
    ("overview", "show:overview", "Summarize a project: counts, and entities to begin with."),
    ("stats", "show:stats", "Count the entities, relations and passages of a project."),
    ("doctor", "doctor:doctor", "Check what graphmem needs, and say how to fix what is wrong."),
    ("reembed", "reembed:reembed", "Embed the whole store with the model of the settings."),
    ("serve", "serve:serve", "Serve the memory to agents over MCP."),
    (
        "completion",
        "completion:completion",
        "Print a script by which a shell completes commands and options.",
    ),
)
DB_COMMANDS = (
    ("start", "db:start", "Start the private Neo4j unless it is running."),
    ("stop", "db:stop", "Stop the private Neo4j; the next command that needs it starts it again."),
    ("status", "db:status", "Show whether the private Neo4j is running, where, and its size."),
    (
        "browser",
        "browser:browser",
        "Open Neo4j Browser, and keep the private Neo4j running until Ctrl-C.",
    ),
    ("password", "browser:password", "Show the password of the private Neo4j, on a terminal only."),
    ("backup", "backup:backup", "Back up the private store to one file with a checksum."),
    (
        "restore",
        "backup:restore",
        "Replace the private store with the one in a backup; asks first.",
    ),
    (
        "reset-password",
        "backup:reset_password",
        "Give the private Neo4j a new password after its password file was lost.",
    ),
    ("compact", "compact:compact", "Delete history older than a day, in all projects; asks first."),
    ("reindex", "reindex:reindex", "Index all texts in the languages of GRAPHMEM_LANGUAGES."),
)
PROJECT_COMMANDS = (
    (
        "show",
        "project:show",
        "Show which project this folder belongs to, and how it was determined.",
    ),
    (
        "list",
        "project:list_",
        "List all projects and layers, with what they hold and their last change.",
    ),
    ("rename", "project:rename", "Rename a project with everything in it; asks first."),
    ("merge", "project:merge", "Move everything in a project to another one; asks first."),
    (
        "delete",
        "project:delete",
        "Delete everything in a project for good, with its links and history; asks first.",
    ),
)


def make_app(tokens: Sequence[str] = ()) -> "App":
    """The command line; no command's module is imported yet.

    Args:
        tokens: The command line: the help of a command that is named here is its docstring.
    """
    from graphmem.cli.command_line import group

    app = group("graphmem", HELP, COMMANDS, tokens)
    app.command(group("db", "Start, stop and back up the private Neo4j.", DB_COMMANDS, tokens))
    app.command(
        group("project", "Show, list, rename, merge and delete projects.", PROJECT_COMMANDS, tokens)
    )
    app.help_epilogue = EXAMPLES
    return app


def main(tokens: Sequence[str] | None = None) -> int:
    """Run one command.

    Args:
        tokens: The command line after the program's name; by default that of this process.

    Returns:
        The exit code.
    """
    output.prepare()
    if tokens is not None:
        return _run_to_exit_code(list(tokens))
    sys.unraisablehook = _interrupted_again
    try:
        return _run_to_exit_code(sys.argv[1:])
    finally:
        # The process is about to end, so collecting garbage from all the imported modules would
        # be wasted time. Not with torch: it warns on stderr about objects that are never collected.
        if "torch" not in sys.modules:
            gc.freeze()


def _interrupted_again(unraisable: "sys.UnraisableHookArgs") -> None:
    """Raise Ctrl-C again that arrived inside a finalizer, where Python only prints it.

    A thread does so a moment later: at once, it would interrupt this function instead.
    """
    if unraisable.exc_type is KeyboardInterrupt:
        import signal
        import threading

        # Sent to the main thread: nothing else wakes it while it waits for a lock or an answer.
        main_thread = threading.main_thread().ident
        timer = threading.Timer(0.05, signal.pthread_kill, (main_thread, signal.SIGINT))
        timer.daemon = True
        timer.start()
    else:
        sys.__unraisablehook__(unraisable)


def _run_to_exit_code(tokens: Sequence[str]) -> int:
    try:
        code = _run(tokens)
        sys.stdout.flush()
    except BrokenPipeError:
        output.abandon()
        return PIPE_CLOSED
    except (GraphmemError, OSError) as error:
        output.abandon_what_cannot_be_written()
        return _report_failure(
            _sentence(error), USAGE if isinstance(error, InvalidInput) else FAILED
        )
    except KeyboardInterrupt:
        return _report_failure("interrupted", INTERRUPTED)
    return code


def _run(tokens: Sequence[str]) -> int:
    if tokens == ["--version"]:
        sys.stdout.write(f"{__version__}\n")
        return 0
    with import_cost.uncollected():
        from cyclopts import CycloptsError

        from graphmem.cli.command_line import sentence

        app = make_app(tokens)
    try:
        code = app(tokens, exit_on_error=False, print_error=False, result_action="return_value")
    except InvalidInput as error:
        from graphmem.cli.option_names import as_typed

        _, apps, _ = app.parse_commands(tokens)
        raise as_typed(error, apps[-1]) from error
    except CycloptsError as error:
        command = " ".join(("graphmem", *(error.command_chain or ())))
        return _report_failure(f"{sentence(error)} See `{command} --help`.", USAGE)
    return code if isinstance(code, int) else 0


def _report_failure(sentence: str, code: int) -> int:
    output.complain(sentence)
    return code


def _sentence(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        words = f"{error.filename}: {error.strerror}" if error.filename else error.strerror
        if error.errno in {errno.ENOSPC, errno.EDQUOT}:
            return f"{words}; free some space there and run the command again"
        return words
    return str(error)
