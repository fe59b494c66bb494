"""How far long work is, at a terminal and without one."""

import sys

import pytest

from graphmem.cli import progress as progress_module
from graphmem.cli.progress import ProgressDisplay
from graphmem.progress import Continued
from graphmem.write.write_progress import WriteProgress
from papers import Terminal


def test_a_write_of_one_passage_tells_no_progress(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    with ProgressDisplay() as shown:
        counts = WriteProgress(shown)
        counts.to_embed = 1
        counts.add_embedded(1)
        counts.finish()
    assert capsys.readouterr().err == ""


def test_progress_without_a_terminal_is_a_line_at_the_beginning(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with ProgressDisplay() as progress:
        progress.say("Starting …")
        progress.say("Starting …")
        for done in range(1, 1001):
            progress.advance("Writing", done, 1000)
        progress.advance("Finishing", 1, 1)
    assert capsys.readouterr().err.splitlines() == ["Starting …", "Writing …"]


def test_progress_without_a_terminal_is_counted_after_a_pause(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress_module, "PAUSE", 0)
    with ProgressDisplay() as progress:
        for done in (1, 2, 3):
            progress.advance("Writing", done, 1000)
        for done in (500, 1000, 1500):  # parts, of which each is complete
            progress.advance("Linking", done, done)
    assert capsys.readouterr().err.splitlines() == [
        "Writing …",
        "Writing: 2 of 1,000 …",
        "Writing: 3 of 1,000 …",
        "Linking …",
        "Linking: 1,500 …",
    ]


def test_progress_of_a_part_goes_on_from_the_parts_before_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress_module, "PAUSE", 0)
    with ProgressDisplay() as progress:
        for before in (0, 500, 1000):
            Continued(progress, before).advance("Writing relations", 250, 500)
    assert capsys.readouterr().err.splitlines() == [
        "Writing relations …",
        "Writing relations: 750 of 1,000 …",
        "Writing relations: 1,250 of 1,500 …",
    ]


def test_progress_on_a_terminal_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    with ProgressDisplay() as progress:
        progress.say("Starting …")
        progress.advance("Writing", 1, 2)
        progress.advance("Writing", 2, 2)
    assert "2 of 2" in stream.getvalue()
    assert stream.getvalue().endswith("\x1b[2K")
