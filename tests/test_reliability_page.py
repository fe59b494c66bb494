"""Every promise of `docs/reliability.md` names a test that there is."""

import re
from pathlib import Path

from doc_pages import page

TESTS = Path(__file__).parent
PAGE = page("reliability")
NAMED = re.findall(r"`([\w/]+\.py)::(test_\w+)`", PAGE)


def test_every_promise_names_a_test_that_there_is() -> None:
    for file, name in NAMED:
        assert f"def {name}(" in (TESTS / file).read_text(encoding="utf-8"), f"{file}::{name}"


def test_every_promise_names_a_test() -> None:
    promises = re.findall(r"^- \*\*.*?(?=^- |^#|\Z|^A project)", PAGE, re.MULTILINE | re.DOTALL)
    assert len(promises) > 25
    assert [promise for promise in promises if "::test_" not in promise] == []
