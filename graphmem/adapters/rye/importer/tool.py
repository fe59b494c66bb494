"""Tools: programs and YAML whose metadata stands in names such as `__version__`, or in fields."""

import ast
import re
import tomllib
import warnings
from collections.abc import Callable, Iterator, Mapping
from itertools import chain, islice

from graphmem.adapters.rye.importer.item import ParsedItem
from graphmem.adapters.rye.importer.links import MOST_LINKS, VERBS, Link, link
from graphmem.adapters.rye.importer.metadata import line_of, number_or_text, read_yaml, title_of
from graphmem.adapters.rye.items import TYPES
from graphmem.importing.json_text import parse
from graphmem.importing.refusing import Refused
from graphmem.importing.toml_lines import TOML_LINE_CHARACTERS, has_long_line

# What a name such as `__tool_description__` says, by the name of the field.
FIELDS = {"tool_description": "description"}
# A JSON or TOML file without one of these is another program's.
FIELDS_OF_TOOLS = ("tool_type", "executor_id")
SCHEMAS = ("config_schema", "input_schema", "parameters")
# Names of that form that are Python's.
LANGUAGE_FIELDS = frozenset({"all", "file", "path", "slots"})
DEPTH = 64

_HEADER = re.compile(
    r"^(?:export\s+)?(?:(?:const|let|var)\s+)?#?[^\S\n]*__(\w+?)__(?:\s*:\s*\w+)?\s*=\s*"
    r"(?:\"([^\"\n]*)\"|'([^'\n]*)')",
    re.MULTILINE,
)
_HEADER_CHARACTERS = 16 * 1024


def read(content: str, suffix: str) -> ParsedItem | None:
    """Read a tool; None for a file that is none.

    A program or YAML that cannot be parsed keeps its text.

    Args:
        content: The file, its signature blanked.
        suffix: The file's ending, with its dot.
    """
    readers: dict[str, Callable[[str], ParsedItem | None]] = {
        ".py": _python, ".yaml": _yaml, ".yml": _yaml, ".json": _json, ".toml": _toml,
    }  # fmt: skip
    return readers.get(suffix, _script)(content)


def _python(content: str) -> ParsedItem:
    text = content.strip()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the tool's author hears of them, not its reader
            tree = ast.parse(content)
    except SyntaxError as error:
        problem = Refused(f"Python: {error.msg}", error.lineno)
        return ParsedItem(_header(content), text, problem=problem)
    except (ValueError, RecursionError, MemoryError) as error:
        return ParsedItem(_header(content), text, problem=Refused(f"Python: {error or 'too deep'}"))
    fields: dict[str, object] = {}
    for name, value in _assignments(tree):
        field = name.strip("_")
        if name == f"__{field}__" and field not in LANGUAGE_FIELDS:
            fields[FIELDS.get(field, field)] = value
        elif name.lower() in SCHEMAS and isinstance(value, dict):
            fields |= _inputs(value)
    docstring = ast.get_docstring(tree)
    if docstring and not fields.get("description"):
        fields["description"] = " ".join(docstring.split("\n\n")[0].split())
    return ParsedItem(fields, text, links=tuple(_executor(fields, content)))


def _assignments(tree: ast.Module) -> Iterator[tuple[str, object]]:
    """The names a module gives a literal value, and the value."""
    for node in tree.body:
        if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
            continue
        target = node.target if isinstance(node, ast.AnnAssign) else node.targets[-1]
        if isinstance(target, ast.Name):
            try:
                value = ast.literal_eval(node.value)
                repr(value)  # a number too long to be written is an error
                yield target.id, value
            except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
                continue


def _yaml(content: str) -> ParsedItem:
    try:
        return _from_fields(read_yaml(content, 1), content)
    except Refused as error:
        return ParsedItem({}, content.strip(), problem=Refused(f"YAML: {error}", error.line))


def _json(content: str) -> ParsedItem | None:
    try:
        fields = parse(content)
    except Refused as error:
        return _unreadable(content, error)
    return _from_marked_fields(fields, content)


def _toml(content: str) -> ParsedItem | None:
    if has_long_line(content):
        return _unreadable(
            content, f"TOML: a line of more than {TOML_LINE_CHARACTERS:,} characters"
        )
    try:
        fields = tomllib.loads(content)
        repr(fields)  # a number too long to be written is an error
    except (ValueError, RecursionError) as error:
        return _unreadable(content, f"TOML: {error}")
    return _from_marked_fields(fields, content)


def _unreadable(content: str, reason: object) -> ParsedItem | None:
    """A file that cannot be parsed, with its text alone; None if no mark shows it to be a tool."""
    if not any(mark in content for mark in FIELDS_OF_TOOLS):
        return None
    return ParsedItem({}, content.strip(), problem=Refused(str(reason)))


def _from_marked_fields(fields: object, content: str) -> ParsedItem | None:
    if not isinstance(fields, dict) or not any(mark in fields for mark in FIELDS_OF_TOOLS):
        return None
    return _from_fields({str(name): value for name, value in fields.items()}, content)


def _from_fields(fields: dict[str, object], content: str) -> ParsedItem:
    """A tool whose file is its metadata."""
    links_by_field = (_executor(fields, content), _server(fields, content))
    links = islice(chain(*links_by_field, _actions(fields, content, visited=set())), MOST_LINKS)
    inputs: dict[str, object] = {}
    for schema in SCHEMAS:
        inputs |= _inputs(fields.get(schema))
    plain_fields = {name: value for name, value in fields.items() if not isinstance(value, dict)}
    return ParsedItem(plain_fields | inputs, content.strip(), title_of(fields), tuple(links))


def _script(content: str) -> ParsedItem:
    fields = _header(content)
    return ParsedItem(fields, content.strip(), links=tuple(_executor(fields, content)))


def _header(content: str) -> dict[str, object]:
    """The metadata of a program of any language, as far as its beginning says it in texts."""
    fields: dict[str, object] = {}
    for name, double_quoted, single_quoted in _HEADER.findall(content[:_HEADER_CHARACTERS]):
        words = double_quoted or single_quoted
        fields.setdefault(
            FIELDS.get(name, name), words if name == "version" else number_or_text(words)
        )
    return fields


def _inputs(schema: object) -> dict[str, object]:
    properties = schema.get("properties") if isinstance(schema, Mapping) else None
    return {"inputs": [str(name) for name in properties]} if isinstance(properties, dict) else {}


def _executor(fields: Mapping[str, object], content: str) -> list[Link]:
    """What runs the tool, where that is a tool and not a word such as `python`."""
    executor = fields.get("executor_id")
    if not isinstance(executor, str) or "/" not in executor:
        return []
    return link("EXECUTED_BY", "tool", executor, line_of(content, executor))


def _server(fields: Mapping[str, object], content: str) -> list[Link]:
    config = fields.get("config")
    server = config.get("server") if isinstance(config, Mapping) else None
    return link("USES_SERVER", "tool", server, line_of(content, server))


def _actions(value: object, content: str, *, visited: set[int], depth: int = 0) -> Iterator[Link]:
    """The items that a graph's nodes use, however deep; a part that is said twice is read once."""
    if depth > DEPTH or id(value) in visited:
        return
    if isinstance(value, Mapping):
        visited.add(id(value))
        item_type, item_id = value.get("item_type"), value.get("item_id")
        verb = VERBS.get(str(value.get("primary", "execute")))
        if verb is not None and item_type in TYPES:
            yield from link(verb, str(item_type), item_id, line_of(content, f"item_id: {item_id}"))
        for name in ("directive_name", "directive_id"):
            item = value.get(name)
            yield from link("EXECUTES", "directive", item, line_of(content, item))
        parts = list(value.values())
    elif isinstance(value, list | tuple):
        visited.add(id(value))
        parts = list(value)
    else:
        return
    for part in parts:
        yield from _actions(part, content, visited=visited, depth=depth + 1)
