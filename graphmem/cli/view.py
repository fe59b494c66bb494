"""`graphmem view`."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from graphmem import arguments
from graphmem.cli import files, output, session
from graphmem.cli.options import WITH_DEFAULT, Json, Project
from graphmem.cli.search import AnyTime, At, Expand, Kinds, SearchMode, time
from graphmem.errors import NOT_SHOWN, GraphmemError, InvalidInput, NotFound
from graphmem.model.spelling import SIGNS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from graphmem.memory import Memory
    from graphmem.memory.searches.options import SearchOptions
    from graphmem.model import Answer
    from graphmem.view import Picture

Words = Annotated[str, Parameter(help="A query as for `search`; not with --entity.")]
EntityName = Annotated[
    str | None,
    Parameter(
        name="--entity",
        help="Show this entity with its neighbours instead of a search: a name, alias, title, "
        "key, or place such as app/store.py:12.",
    ),
]
Limit = Annotated[
    int,
    Parameter(
        name=("--limit", "-n"),
        help="Maximum number of hits, or with --entity of neighbours, 1 to 200.",
    ),
    WITH_DEFAULT,
]
OutputFile = Annotated[
    Path | None,
    Parameter(
        name=("--output", "-o"),
        help="File to write; by default graphmem-….html in this folder, named after the query. An "
        "earlier page of `view` is replaced, any other file is not.",
    ),
]
Open = Annotated[bool, Parameter(help="Open the page in the web browser.", negative="")]

# What every page of `view` has near its beginning, and within how many bytes.
MARK = '<meta name="generator" content="graphmem view">'
BEGINNING = 4_000
# The most neighbours of an entity.
MOST_NEIGHBOURS = 200
# Even at four bytes each, they fit into the name of a file.
NAME_CHARACTERS = 50


def view(
    *query: Words,
    entity: EntityName = None,
    project: Project = None,
    limit: Limit = 30,
    kind: Kinds = (),
    mode: SearchMode = "hybrid",
    expand: Expand = True,
    at: At = None,
    any_time: AnyTime = False,
    output_file: OutputFile = None,
    open_: Annotated[Open, Parameter(name="--open")] = False,
    json: Json = False,
) -> int:
    """Write a page that shows a search, or an entity, as a picture.

    Hits and what leads to them are circles, coloured by kind; relations are lines,
    and one that led to a hit is as thick as its evidence. A click shows an entity's
    text and the parts of its score. The page is one HTML file that works offline,
    and its path is printed. Without a query, --kind shows the entities that changed
    last. With --json, no page is written: its content is printed as JSON. The exit
    code is 1 if nothing is found.
    """
    words = " ".join(query)
    _check(words, entity, kind=kind, output_file=output_file, json=json, opens=open_)
    moment = time(at, any_time=any_time)
    if entity is not None:
        _refuse_of_searches(
            {"--any-time": any_time, "--at": at, "--mode": mode != "hybrid" and mode,
             "--no-expand": not expand}
        )  # fmt: skip
        picture = _draw_entity(entity, project, limit=limit)
    else:
        options: SearchOptions = {
            "limit": limit, "kinds": kind, "mode": mode, "expand": expand, "at": moment,
            "detail": "full", "explain": True,
        }  # fmt: skip
        with session.open_search(project, words, options) as memory:
            picture = _draw_search(memory, words, memory.search(words, **options))
    if json:
        output.document(picture.to_json())
        return 0
    path = output_file or _default_path(picture.title)
    _write(path, picture)
    output.verbatim(str(path))
    for note in picture.notes:
        output.say(f"Note: {output.sentence(note)}")
    if open_:
        _open(path)
    else:
        output.say("Open this page in a web browser; with --open, the command does so.")
    return 0


def _check(
    words: str,
    entity: str | None,
    *,
    kind: tuple[str, ...],
    output_file: Path | None,
    json: bool,
    opens: bool,
) -> None:
    if entity is None and not words.strip() and not kind:
        raise InvalidInput("query", NOT_SHOWN, "must be given, or --entity with a name, or --kind")
    if entity is not None and words.strip():
        raise InvalidInput("--entity", entity, "cannot be combined with a query")
    if entity is not None and kind:
        _refuse_of_searches({"--kind": kind[0]})
    if json and (output_file is not None or opens):
        option = "--output" if output_file is not None else "--open"
        value = str(output_file) if output_file is not None else True
        raise InvalidInput(option, value, "cannot be combined with --json, which writes no page")
    if output_file is not None:
        _check_path(output_file)


def _refuse_of_searches(search_options: "Mapping[str, object]") -> None:
    """Refuse options that only a search has.

    Raises:
        InvalidInput: One of them is given.
    """
    for option, value in search_options.items():
        if value:
            shown = NOT_SHOWN if isinstance(value, bool) else value  # a flag has no value
            raise InvalidInput(
                option, shown, "is for searches and cannot be combined with --entity"
            )


def _draw_entity(name: str, project: str | None, *, limit: int) -> "Picture":
    with arguments.renaming_arguments(**{"names[0]": "--entity"}):
        arguments.names([name])
    arguments.number("limit", limit, 1, MOST_NEIGHBOURS)
    with session.open_memory(project) as (memory, _):
        from graphmem.memory.searches.pictures import entity_picture

        return entity_picture(memory.graph, memory.project_name(), name, limit=limit)


def _draw_search(memory: "Memory", words: str, answer: "Answer") -> "Picture":
    from graphmem.memory.searches.pictures import search_picture

    if not answer.hits:
        notes = "".join(f" {note[:1].upper()}{output.sentence(note)[1:]}" for note in answer.notes)
        missing = (
            f"there are no hits in {answer.project} for {words!r}"
            if words.strip()
            else f"no entity in {answer.project} passes the filters"
        )
        advice = (
            session.FIRST_STEP.removesuffix(".")
            if session.says_empty(answer.notes, answer.project)
            else "`graphmem stats` shows what the project holds; --project names another"
        )
        raise NotFound(f"{missing}, so no page was written.{notes} {advice}")
    return search_picture(memory.graph, answer)


def _default_path(title: str) -> Path:
    words = (
        re.sub(rf"[^\w{SIGNS}]+", "-", title.casefold()).strip("-_")[:NAME_CHARACTERS].rstrip("-_")
    )
    return Path(f"graphmem-{words or 'view'}.html")


def _check_path(path: Path) -> None:
    """Refuse what is there already, unless it is a page of this command.

    A link that leads to nothing is refused, too: the page would be written wherever the folder that
    somebody works in wants it.

    Raises:
        InvalidInput: It is another file, or no file at all.
    """
    if not path.exists() and not path.is_symlink():
        files.target_of(path)
        return
    if path.is_file():
        with path.open("rb") as file:
            if MARK.encode() in file.read(BEGINNING):
                return
    raise InvalidInput(
        "--output",
        str(path),
        "must be a new file or an earlier page of `graphmem view`",
        hint="Name another file, or remove this one first.",
    )


def _write(path: Path, picture: "Picture") -> None:
    from graphmem.view import html

    _check_path(path)
    with files.replacing(path) as stream:
        stream.write(html(picture))


def _open(path: Path) -> None:
    from graphmem.cli import screen

    program = screen.browser()
    if program is None:
        output.say("No web browser with a window is here. Open the file in one.")
    elif not program.open(path.resolve().as_uri()):
        raise GraphmemError(f"the web browser could not be started; open {path} in it yourself")
