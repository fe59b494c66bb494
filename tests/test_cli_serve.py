"""The options of `graphmem serve`, as the terminal hands them on or refuses them."""

from pathlib import Path

import pytest

from graphmem import cli, server


def test_serve_hands_its_options_to_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: dict[str, object] = {}

    def run(**options: object) -> int:
        seen.update(options)
        return 3

    monkeypatch.setattr(server, "run", run)
    tokens = ["--project", "p", "--transport", "http", "--port", "9", "--profile", "rye"]
    tokens += ["--profile", "forge", "--layers", "user", "--folder", "/srv/checkouts"]
    assert cli.main(["serve", *tokens]) == 3
    assert seen == {
        "project": "p", "transport": "http", "host": "127.0.0.1", "port": 9, "read_only": False,
        "profiles": ["rye", "forge"], "layers": {"@user"}, "folders": (Path("/srv/checkouts"),),
        "allow_purge": False,
    }  # fmt: skip
    assert cli.main(["serve", "--allow-purge"]) == 3
    assert (seen["allow_purge"], seen["read_only"]) == (True, False)
    assert cli.main(["serve", "--read-only", "--project", "@user"]) == 3
    assert (seen["read_only"], seen["layers"]) == (True, {"@user"})


@pytest.mark.parametrize("layers", ["team", "user,team", "", " , "])
def test_only_layers_that_there_are_may_be_written(
    layers: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["serve", "--layers", layers]) == 2
    assert "--layers must be user, system, or user,system" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("option", "value"),
    [("--folder", "/srv/checkouts"), ("--host", "127.0.0.1"), ("--port", "8765")],
)
@pytest.mark.parametrize("transport", [[], ["--transport", "stdio"]])
def test_serve_refuses_over_stdio_what_only_http_reads(
    transport: list[str], option: str, value: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["serve", option, value, *transport]) == 2
    assert f"{option} must be given with --transport http, got" in capsys.readouterr().err


@pytest.mark.parametrize("host", ["", " "])
def test_serve_does_not_take_an_unset_variable_for_every_address(
    host: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(server, "run", lambda **_: 0)
    assert cli.main(["serve", "--transport", "http", "--host", host]) == 2
    assert "--host must be an address or a name" in capsys.readouterr().err


def test_serve_listens_where_its_help_says(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    seen: dict[str, object] = {}

    def run(**options: object) -> int:
        seen.update(options)
        return 0

    monkeypatch.setattr(server, "run", run)
    assert cli.main(["serve", "--transport", "http"]) == 0
    assert cli.main(["serve", "--help"]) == 0
    output = capsys.readouterr().out
    assert f"[default: {seen['host']}]" in output
    assert f"[default: {seen['port']}]" in output


@pytest.mark.parametrize("other", [["--read-only"], ["--profile", "memcp"]])
def test_serve_refuses_to_allow_what_it_does_not_offer(
    other: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["serve", "--allow-purge", *other]) != 0
    assert f"--allow-purge cannot be combined with {other[0]}" in capsys.readouterr().err
