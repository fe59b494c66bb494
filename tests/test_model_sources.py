"""Where a model is loaded from, without and with the package that holds the default one."""

import pytest

from graphmem.embedding import DEFAULT_MODEL, models, packaged_model
from graphmem.embedding.models import Source, sources


def test_the_default_model_is_downloaded_where_no_package_holds_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(models, "packaged_model", lambda: None)
    assert sources(DEFAULT_MODEL, hub=True)[-1] == Source(DEFAULT_MODEL, is_local=False)


def test_the_default_model_is_never_downloaded_where_a_package_holds_it() -> None:
    assert sources(DEFAULT_MODEL, hub=True) == [Source(str(packaged_model()), is_local=True)]
