"""Settings come from the environment, then from `.env` in the home folder; nothing else."""

import logging
import os
import pwd
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import attrs
import pytest

from graphmem import Memory, settings
from graphmem.cli import main
from graphmem.errors import ConfigurationError, GraphmemError
from graphmem.model.language import NAMES
from graphmem.model.secret import Secret
from graphmem.server import logs, running
from graphmem.settings import Settings, ineffective

EXAMPLE = Path(__file__).parents[1] / ".env.example"
FIELDS = {field.name: field.metadata for field in attrs.fields(Settings)}
SECRET = "correct horse battery staple"  # noqa: S105 - to see that it is never shown


PATHS = [
    "GRAPHMEM_HOME", "GRAPHMEM_CACHE", "GRAPHMEM_NEO4J_HOME", "GRAPHMEM_JAVA_HOME", "JAVA_HOME",
    "GRAPHMEM_TOKENS",
]  # fmt: skip


@dataclass(frozen=True)
class Line:
    """One setting as `.env.example` has it: its comment, variable and default."""

    comment: list[str]
    default: str


def example() -> dict[str, Line]:
    blocks = EXAMPLE.read_text(encoding="utf-8").strip().split("\n\n")
    found = {}
    for block in blocks[1:]:
        *comment, setting = block.splitlines()
        variable, _, default = setting.partition("=")
        found[variable] = Line([line.removeprefix("# ") for line in comment], default)
    return found


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in [*os.environ]:
        if name.startswith(("GRAPHMEM_", "NEO4J_")) or name == "JAVA_HOME":
            monkeypatch.delenv(name)
    monkeypatch.setenv("GRAPHMEM_HOME", str(tmp_path))
    return tmp_path


def write(home: Path, *lines: str) -> None:
    (home / ".env").write_text("\n".join(lines), encoding="utf-8")


# The example file


def test_the_example_lists_every_setting_once_and_no_other() -> None:
    assert list(example()) == [known["variables"][0] for known in FIELDS.values()]


@pytest.mark.parametrize("field", FIELDS)
def test_the_example_says_what_a_setting_means(field: str) -> None:
    line = example()[FIELDS[field]["variables"][0]]

    assert line.comment[0] == FIELDS[field]["says"]


@pytest.mark.parametrize("field", FIELDS)
def test_the_example_names_the_other_variables_a_setting_is_read_from(field: str) -> None:
    first, *others = FIELDS[field]["variables"]

    assert [f"Also {other}." for other in others] == [
        line for line in example()[first].comment if line.startswith("Also ")
    ]


def test_the_example_loads_and_changes_no_default(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without = settings.load()
    (home / ".env").write_text(EXAMPLE.read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.delenv("GRAPHMEM_HOME")
    monkeypatch.setattr("platformdirs.user_data_path", lambda _: home)

    assert settings.load() == without


@pytest.mark.parametrize("field", FIELDS)
def test_the_example_shows_a_default_where_there_is_one(field: str) -> None:
    variable, default = FIELDS[field]["variables"][0], FIELDS[field]["default"]
    shown = example()[variable].default

    assert bool(shown) == (default is not None and not callable(default))


@pytest.mark.parametrize(
    "field", [name for name, known in FIELDS.items() if isinstance(known["default"], float)]
)
def test_the_example_gives_the_unit_of_a_number(field: str) -> None:
    comment = " ".join(example()[FIELDS[field]["variables"][0]].comment)

    assert re.search(r"\b(Seconds|Minutes|mebibytes)\b", comment)


# Where a value comes from


def test_the_environment_wins_over_the_file(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(home, "GRAPHMEM_PROJECT=of-the-file", "GRAPHMEM_MODEL=/models/of-the-file")
    monkeypatch.setenv("GRAPHMEM_PROJECT", "of-the-environment")

    found = settings.load()

    assert (found.project, found.model) == ("of-the-environment", "/models/of-the-file")


def test_a_name_in_braces_in_the_file_stands_for_that_variable(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(home, "GRAPHMEM_MODEL=${SHELF}/minilm", "NEO4J_PASSWORD=a$SHELF")
    monkeypatch.setenv("SHELF", "/models")

    values = settings.load()

    assert values.model == "/models/minilm"
    assert values.neo4j_password is not None
    assert values.neo4j_password.get_secret_value() == "a$SHELF"


@pytest.mark.parametrize("field", FIELDS)
def test_an_empty_variable_counts_as_absent(field: str, monkeypatch: pytest.MonkeyPatch) -> None:
    without = Settings()
    for variable in FIELDS[field]["variables"]:
        if variable != "GRAPHMEM_HOME":
            monkeypatch.setenv(variable, "")

    assert getattr(Settings(), field) == getattr(without, field)


def test_the_first_variable_of_a_setting_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    for field, (first, second) in {
        "neo4j_uri": ("bolt://first", "bolt://second"),
        "neo4j_home": ("/first", "/second"),
    }.items():
        variables = FIELDS[field]["variables"]
        monkeypatch.setenv(variables[1], second)
        assert str(getattr(Settings(), field)) == second
        monkeypatch.setenv(variables[0], first)
        assert str(getattr(Settings(), field)) == first


def test_every_setting_can_be_given_by_its_name_in_python() -> None:
    settings = Settings(
        neo4j_uri="bolt://elsewhere",
        neo4j_password=Secret(SECRET),
        neo4j_home=Path("/opt/neo4j"),
        system_java_home=Path("/opt/java"),
    )

    assert settings.neo4j_uri == "bolt://elsewhere"
    assert settings.neo4j_password == Secret(SECRET)
    assert (settings.neo4j_home, settings.system_java_home) == (
        Path("/opt/neo4j"),
        Path("/opt/java"),
    )


def test_a_tilde_is_the_users_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("GRAPHMEM_HOME", "~/memory")
    monkeypatch.setenv("GRAPHMEM_CACHE", "~/jars")
    (tmp_path / "memory").mkdir()
    write(tmp_path / "memory", "GRAPHMEM_PROJECT=found")

    found = settings.load()

    assert (found.home, found.cache) == (tmp_path / "memory", tmp_path / "jars")
    assert found.project == "found"


@pytest.fixture
def no_user(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither HOME nor the system says where the user's files are, as in some containers."""
    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr("posixpath.expanduser", lambda path: path)


@pytest.mark.usefixtures("no_user")
def test_a_user_without_a_home_directory_is_told_what_to_set(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    step = "set HOME, or GRAPHMEM_HOME and GRAPHMEM_CACHE"
    with pytest.raises(ConfigurationError, match=rf"GRAPHMEM_CACHE must be set, .*; {step}$"):
        settings.load()
    monkeypatch.setenv("GRAPHMEM_CACHE", str(home))
    assert settings.load().home == home
    monkeypatch.delenv("GRAPHMEM_HOME")
    for read in (settings.load, ineffective.sentences):
        with pytest.raises(ConfigurationError, match=rf"GRAPHMEM_HOME must be set, .*; {step}$"):
            read()


@pytest.mark.parametrize("variable", [*PATHS, "GRAPHMEM_MODEL", "GRAPHMEM_RERANKER"])
@pytest.mark.parametrize("user_home", ["", "relative"])
def test_a_tilde_that_stands_for_no_home_directory_is_refused(
    variable: str, user_home: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", user_home)
    monkeypatch.setenv("GRAPHMEM_CACHE", "/cache")
    monkeypatch.setenv(variable, "~/x")
    with pytest.raises(ConfigurationError, match=rf"{variable} must not begin with `~`.*set HOME"):
        settings.load()


@pytest.mark.parametrize("variable", PATHS)
def test_a_tilde_with_the_name_of_an_unknown_user_is_refused(
    variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, "~nosuch/x")
    with pytest.raises(ConfigurationError, match=f"{variable} must not .* a user who is not known"):
        settings.load()


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("german", ("german",)),
        ("German, ENGLISH,german", ("german", "english")),
        (" cjk english\tthai ", ("cjk", "english", "thai")),
        ("english french german greek", ("english", "french", "german", "greek")),
        ("standard-folding,russian", ("standard-folding", "russian")),
    ],
)
def test_languages_are_names_with_commas_or_spaces_between(
    said: str, found: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRAPHMEM_LANGUAGES", said)

    assert settings.load().languages == found


def test_languages_can_be_given_as_a_list_in_python() -> None:
    assert Settings(languages=("german", "english")).languages == ("german", "english")


def test_the_example_names_every_language() -> None:
    comment = " ".join(example()["GRAPHMEM_LANGUAGES"].comment)

    assert [name for name in NAMES if not re.search(rf"(^|\s){name}\b", comment)] == []


def test_a_prompt_in_quotes_keeps_the_space_at_its_end(home: Path) -> None:
    write(home, "GRAPHMEM_EMBEDDING_QUERY_PROMPT='query: '")

    assert settings.load().embedding_query_prompt == "query: "


def test_a_file_with_a_byte_order_mark_is_read(home: Path) -> None:
    (home / ".env").write_text("NEO4J_URI=bolt://elsewhere", encoding="utf-8-sig")

    assert settings.load().neo4j_uri == "bolt://elsewhere"


def test_other_variables_of_the_file_are_left_alone(home: Path) -> None:
    write(home, "SOMEONE_ELSES=1", "GRAPHMEM_PROJECT=ours")

    assert settings.load().project == "ours"


@pytest.mark.parametrize(
    ("variable", "value", "field", "word"),
    [
        ("GRAPHMEM_LOG_LEVEL", "error", "log_level", "ERROR"),
        ("GRAPHMEM_LOG_LEVEL", " Debug ", "log_level", "DEBUG"),
        ("GRAPHMEM_MODEL_RUNTIME", "ONNX", "model_runtime", "onnx"),
    ],
)
def test_words_of_settings_may_be_in_letters_of_any_case(
    variable: str, value: str, field: str, word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, value)

    assert getattr(settings.load(), field) == word


@pytest.mark.parametrize(
    ("variable", "value", "field"),
    [
        ("GRAPHMEM_QUERY_SECONDS", "600", "query_seconds"),
        ("GRAPHMEM_EMBEDDING_DIMENSIONS", "4096", "embedding_dimensions"),
        ("GRAPHMEM_EMBEDDING_DIMENSIONS", "1", "embedding_dimensions"),
    ],
)
def test_the_bounds_of_a_number_are_allowed(
    variable: str, value: str, field: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, value)

    assert getattr(settings.load(), field) == float(value)


# What cannot be used


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("GRAPHMEM_IDLE_MINUTES", "soon"),
        ("GRAPHMEM_IDLE_MINUTES", "0"),
        ("GRAPHMEM_IDLE_MINUTES", "inf"),
        ("GRAPHMEM_START_SECONDS", "1e999"),
        ("GRAPHMEM_MODEL_SECONDS", "nan"),
        ("GRAPHMEM_START_SECONDS", "-1"),
        ("GRAPHMEM_QUERY_SECONDS", "601"),
        ("GRAPHMEM_MODEL_SECONDS", "3601"),
        ("GRAPHMEM_NEO4J_HEAP", "half a gigabyte"),
        ("GRAPHMEM_NEO4J_PAGE_CACHE", "256"),
        ("GRAPHMEM_NEO4J_PAGE_CACHE", "256mb"),
        ("GRAPHMEM_EMBEDDING_DIMENSIONS", "0"),
        ("GRAPHMEM_EMBEDDING_DIMENSIONS", "4097"),
        ("GRAPHMEM_EMBEDDING_DIMENSIONS", "many"),
        ("GRAPHMEM_HUB", "perhaps"),
        ("GRAPHMEM_LOG_LEVEL", "LOUD"),
        ("GRAPHMEM_ALLOWED_HOSTS", "http://memory.example"),
        ("GRAPHMEM_ALLOWED_HOSTS", "memory.example:8765"),
        ("GRAPHMEM_ALLOWED_HOSTS", " , "),
        ("GRAPHMEM_LANGUAGES", "klingon"),
        ("GRAPHMEM_LANGUAGES", "keyword"),
        ("GRAPHMEM_LANGUAGES", "english,french,german,greek,thai"),
        ("GRAPHMEM_LANGUAGES", " , "),
    ],
)
def test_a_value_that_cannot_be_used_is_an_error_that_names_its_variable(
    variable: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, value)

    with pytest.raises(ConfigurationError, match=variable) as refused:
        settings.load()

    assert f"'{value}'" not in str(refused.value)
    assert refused.value.__cause__ is None


def test_languages_that_cannot_be_used_are_told_which_can(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("GRAPHMEM_LANGUAGES", "english,klingon")

    with pytest.raises(ConfigurationError, match=r"1 to 4 of arabic, .*, english, .*, turkish"):
        settings.load()


def test_every_unusable_value_is_named_those_of_the_environment_first(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRAPHMEM_LOG_LEVEL", "LOUD")
    monkeypatch.setenv("GRAPHMEM_HUB", "perhaps")
    write(home, "GRAPHMEM_NEO4J_HEAP=lots")

    with pytest.raises(ConfigurationError, match=r"GRAPHMEM_HUB.*GRAPHMEM_LOG_LEVEL"):
        settings.load()
    monkeypatch.delenv("GRAPHMEM_HUB")
    monkeypatch.delenv("GRAPHMEM_LOG_LEVEL")
    with pytest.raises(ConfigurationError, match="GRAPHMEM_NEO4J_HEAP") as refused:
        settings.load()
    assert str(refused.value).endswith(f" (in {home / '.env'})")


def test_names_that_are_no_settings_are_known_with_those_that_may_be_meant(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ineffective.sentences() == []

    monkeypatch.setenv("GRAPHMEM_EMBEDING_URL", "http://127.0.0.1:1")
    monkeypatch.setenv("GRAPHMEM_URI", "bolt://127.0.0.1:1")
    write(home, "graphmem_neo4j_password=hush", "GRAPHMEM_COLOUR=red", "OTHER_TOOL=1")

    no_setting = "is not a setting, so it has no effect"
    assert ineffective.sentences() == [
        f"GRAPHMEM_COLOUR {no_setting}; `.env.example` lists all settings",
        f"GRAPHMEM_EMBEDING_URL {no_setting}; did you mean GRAPHMEM_EMBEDDING_URL?",
        f"GRAPHMEM_NEO4J_PASSWORD {no_setting}; did you mean NEO4J_PASSWORD?",
        f"GRAPHMEM_URI {no_setting}; did you mean NEO4J_URI?",
    ]


def _open() -> None:
    Memory.open(project="elsewhere", read_only=True).close()


def _serve() -> None:
    running.run(transport="http", host="0.0.0.0")  # noqa: S104 - refused, since there is no token


def _show_project() -> None:
    main(["project", "show"])


@pytest.mark.parametrize("start", [_open, _serve, _show_project])
def test_a_memory_a_server_and_a_command_warn_of_names_that_are_no_settings(
    start: Callable[[], None], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    for name in (*logs.LOGGERS, logs.SLIPS, logs.CALLS):
        logger = logging.getLogger(name)
        monkeypatch.setattr(logger, "handlers", [])
        monkeypatch.setattr(logger, "propagate", False)
        monkeypatch.setattr(logger, "level", logger.level)
    monkeypatch.setenv("NEO4J_URI", "bolt://127.0.0.1:1")
    monkeypatch.setenv("GRAPHMEM_URI", "bolt://127.0.0.1:2")
    with suppress(GraphmemError):
        start()
    assert "GRAPHMEM_URI is not a setting, so it has no effect" in capfd.readouterr().err


def test_a_home_in_the_file_of_another_one_is_named_as_without_effect(home: Path) -> None:
    write(home, f"GRAPHMEM_HOME={home}")
    assert ineffective.sentences() == []
    write(home, "GRAPHMEM_HOME=/elsewhere")
    (sentence,) = ineffective.sentences()
    assert sentence.startswith(f"GRAPHMEM_HOME in {home}/.env has no effect, since the environment")
    assert settings.load().home == home


@pytest.mark.parametrize(
    ("lines", "number"),
    [
        (["NEO4J_URI='bolt://10.0.0.1:7687", "GRAPHMEM_QUERY_SECONDS=5"], 1),
        (["", "# a comment", "", "NEO4J_PASSWORD hush"], 4),
        (["GRAPHMEM_PROJECT=ours", 'NEO4J_PASSWORD="hush" hush'], 2),
    ],
)
def test_a_line_of_the_file_that_is_no_setting_is_named_and_not_shown(
    home: Path, lines: list[str], number: int
) -> None:
    write(home, *lines)
    reason = rf"/\.env, line {number}, must be `NAME=value`"
    with pytest.raises(ConfigurationError, match=reason) as refused:
        settings.load()
    assert "hush" not in str(refused.value)


@pytest.mark.parametrize(
    ("make", "sort"),
    [
        (Path.mkdir, "a folder"),
        (os.mkfifo, "a device or a pipe"),
        (lambda place: place.symlink_to("nothing"), "a link that leads to nothing"),
    ],
)
def test_what_is_no_file_in_the_place_of_the_file_is_refused(
    home: Path, make: Callable[[Path], None], sort: str
) -> None:
    make(home / ".env")
    with pytest.raises(ConfigurationError, match=rf"\.env must be a file, .* not {sort}; remove"):
        settings.load()


def test_a_link_to_a_file_in_the_place_of_the_file_is_read(home: Path) -> None:
    (home / "settings").write_text("GRAPHMEM_PROJECT=ours\n")
    (home / ".env").symlink_to("settings")
    assert settings.load().project == "ours"


def test_a_file_that_every_user_can_write_to_chooses_nothing(home: Path) -> None:
    (home / ".env").write_text("GRAPHMEM_JAVA_HOME=/elsewhere\n")
    (home / ".env").chmod(0o666)
    with pytest.raises(ConfigurationError, match=r"every user can write to .*\.env, so others"):
        settings.load()


def test_a_file_that_every_user_could_exchange_chooses_nothing(home: Path) -> None:
    write(home, "GRAPHMEM_JAVA_HOME=/elsewhere")
    home.chmod(0o777)
    with pytest.raises(ConfigurationError, match=rf"every user can write to {home}, so others"):
        settings.load()
    home.chmod(0o1777)
    assert settings.load().java_home == Path("/elsewhere")


def test_a_file_that_a_group_may_write_to_is_read(home: Path) -> None:
    write(home, "GRAPHMEM_PROJECT=ours")
    (home / ".env").chmod(0o660)

    assert settings.load().project == "ours"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file to another user")
def test_a_file_of_another_user_chooses_nothing(home: Path) -> None:
    (home / ".env").write_text("GRAPHMEM_JAVA_HOME=/elsewhere\n")
    os.chown(home / ".env", pwd.getpwnam("nobody").pw_uid, -1)
    with pytest.raises(ConfigurationError, match=r"\.env belongs to the user nobody, so others"):
        settings.load()


def test_a_file_that_is_no_text_is_an_error_that_names_it(home: Path) -> None:
    (home / ".env").write_bytes(b"NEO4J_PASSWORD=\xff\xfe")

    with pytest.raises(ConfigurationError, match=r"\.env cannot be read"):
        settings.load()


def test_a_home_that_cannot_be_looked_into_is_an_error_with_the_next_step(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRAPHMEM_HOME", str(home / ("x" * 300)))

    with pytest.raises(ConfigurationError, match=r"\.env cannot be read .*; set it to a folder of"):
        settings.load()


def test_another_settings_error_does_not_show_the_password(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(home, f"NEO4J_PASSWORD={SECRET}")
    monkeypatch.setenv("GRAPHMEM_HUB", "perhaps")

    with pytest.raises(ConfigurationError) as refused:
        settings.load()

    assert SECRET not in f"{refused.value!r} {refused.value.__cause__} {refused.value.__context__}"


def test_a_secret_in_the_place_of_another_setting_is_not_shown(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(home, f"GRAPHMEM_NEO4J_HEAP={SECRET}")
    monkeypatch.setenv("GRAPHMEM_HUB", SECRET)

    with pytest.raises(ConfigurationError, match=r"GRAPHMEM_NEO4J_HEAP.*GRAPHMEM_HUB") as refused:
        settings.load()

    assert SECRET not in f"{refused.value!r} {refused.value.__cause__} {refused.value.__context__}"


@pytest.mark.parametrize("variable", ["NEO4J_PASSWORD", "GRAPHMEM_EMBEDDING_KEY", "GRAPHMEM_TOKEN"])
def test_no_secret_is_in_a_repr_or_a_dump(variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(variable, SECRET)
    found = settings.load()

    assert Secret(SECRET) in {found.neo4j_password, found.embedding_key, found.token}
    assert SECRET not in f"{found!r} {found} {attrs.asdict(found)} {found.neo4j_password}"


def test_a_value_of_python_that_cannot_be_used_is_an_error_that_does_not_show_it() -> None:
    given: dict[str, Any] = {"neo4j_password": SECRET.encode()}
    with pytest.raises(ConfigurationError, match="NEO4J_PASSWORD must be a text") as refused:
        Settings(**given)

    assert SECRET not in f"{refused.value!r} {refused.value.__cause__} {refused.value.__context__}"


def test_the_names_of_variables_are_read_in_small_letters_too(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(home, "graphmem_model=/models/mine")
    monkeypatch.setenv("graphmem_project", "ours")

    assert (settings.load().project, settings.load().model) == ("ours", "/models/mine")


def test_a_copy_with_other_values_asks_for_languages_only_if_they_were_chosen() -> None:
    default = attrs.evolve(Settings(), project="another")

    assert (default.project, default.asks_for_languages) == ("another", False)
    assert attrs.evolve(default, languages=("german",)).asks_for_languages
    assert attrs.evolve(Settings(languages=("german",)), project="another").asks_for_languages


def test_who_names_the_languages_of_the_default_has_chosen_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("GRAPHMEM_LANGUAGES", ",".join(Settings().languages))

    assert settings.load().asks_for_languages


def test_settings_do_not_change() -> None:
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        Settings().project = "another"  # type: ignore[misc]
