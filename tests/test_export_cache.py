"""A model is exported once, says what torch says, and nothing imports torch from then on."""

import json
import logging
import os
import re
import shutil
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from logging.handlers import BufferingHandler
from pathlib import Path

import numpy as np
import onnxruntime
import psutil
import pytest
from numpy.typing import NDArray

import model_hub
from graphmem.embedding import BackgroundEmbedder, export_cache, local_embedder
from graphmem.embedding.background_model import LoadProgress
from graphmem.embedding.export_cache import ExportCache, TorchRequiredError
from graphmem.embedding.loading import Precision, Runtime
from graphmem.embedding.onnx_model import (
    FORMAT,
    GRAPH,
    GRAPH_INT8,
    MANIFEST,
    TOKENIZER,
    OnnxModel,
    best_together,
)
from neo4j_servers import no_file_beyond, until
from python_programs import run_python
from small_models import EXPORTS, TEXTS

pytestmark = pytest.mark.live


@pytest.fixture(scope="module")
def models(made_models: Path) -> Path:
    """A folder of models: `small`, which can be exported, and `static`, which cannot."""
    return made_models


@pytest.fixture(scope="module")
def exports(models: Path) -> Path:
    """A folder of exports in which `small` is, with its copy for documents."""
    return models / EXPORTS


@pytest.fixture
def copy(exports: Path, tmp_path: Path) -> Path:
    """A copy of the exports to be damaged."""
    return shutil.copytree(exports, tmp_path / "exports")


def embedder(
    model: Path,
    exports: Path,
    said: list[str] | None = None,
    *,
    runtime: Runtime = "auto",
    precision: Precision = "float32",
) -> BackgroundEmbedder:
    listener = (lambda _: None) if said is None else said.append
    return local_embedder(
        str(model),
        exports=exports,
        hub=False,
        runtime=runtime,
        precision=precision,
        progress=LoadProgress(listener),
    )


def export_of(exports: Path) -> Path:
    """The folder of the one export."""
    (manifest,) = exports.glob(f"*/{MANIFEST}")
    return manifest.parent


def test_an_export_says_what_torch_says_with_the_prompts(models: Path, exports: Path) -> None:
    expected = np.load(models / "expected.npz")
    messages: list[str] = []
    small = embedder(models / "small", exports, messages)
    assert small.wait(), small.reason
    documents = np.array(small.documents(TEXTS))
    queries = np.array([small.query(text) for text in TEXTS])
    assert np.abs(documents - expected["document"]).max() < 1e-4
    assert np.abs(queries - expected["query"]).max() < 1e-4
    assert np.abs(documents - queries).max() > 1e-2
    assert small.identity().dimensions == 32
    assert small.identity().name == "small"
    assert messages == []


def test_no_export_looks_for_nan_in_its_attention(exports: Path) -> None:
    # What torch's kernel of attention becomes does, which takes an eighth of an embedding's time.
    assert b"IsNaN" not in (export_of(exports) / GRAPH).read_bytes()


def test_the_quantized_copy_embeds_documents_alone(models: Path, exports: Path) -> None:
    exact = embedder(models / "small", exports)
    quick = embedder(models / "small", exports, precision="int8")
    assert exact.wait()
    assert quick.wait()
    assert exact.identity() == quick.identity()
    assert exact.query("a tide") == quick.query("a tide")
    one, other = np.array(exact.documents(TEXTS)), np.array(quick.documents(TEXTS))
    assert 0 < np.abs(one - other).max() < 0.1


@dataclass
class Renewed:
    """An export that was made again, in a folder where others had left something.

    Args:
        exports: The folder.
        model: The model that was loaded.
        said: What it said meanwhile.
        warnings: What was logged of an export meanwhile.
    """

    exports: Path
    model: BackgroundEmbedder
    said: list[str]
    warnings: list[str]


@pytest.fixture(scope="module")
def renewed(models: Path, exports: Path, tmp_path_factory: pytest.TempPathFactory) -> Renewed:
    """An export that was damaged, beside an old one and what a killed process left."""
    folder = shutil.copytree(exports, tmp_path_factory.mktemp("renewed") / "exports")
    (folder / ".making-folder").mkdir()
    (folder / ".making-file").write_text("half")
    (folder / "old").mkdir()
    shutil.copy(export_of(exports) / MANIFEST, folder / "old")
    before = time.time() - 90 * 24 * 3600
    os.utime(folder / "old" / MANIFEST, (before, before))
    file = next(folder.glob(f"*/{GRAPH}"))
    file.write_bytes(file.read_bytes()[:-100])
    messages: list[str] = []
    log = BufferingHandler(100)
    logging.getLogger("graphmem").addHandler(log)
    try:
        small = embedder(models / "small", folder, messages, precision="int8")
        assert small.wait(), small.reason
    finally:
        logging.getLogger("graphmem").removeHandler(log)
    lines = [record.getMessage() for record in log.buffer]
    return Renewed(folder, small, messages, [line for line in lines if "the export of" in line])


def test_a_damaged_export_is_made_again_and_an_old_one_deleted(renewed: Renewed) -> None:
    (sentence,) = renewed.said
    assert sentence.startswith("Preparing the embedding model, once")
    assert len(renewed.warnings) == 1
    assert (export_of(renewed.exports) / GRAPH_INT8).is_file()
    lengths = np.linalg.norm(renewed.model.documents(TEXTS), axis=1)
    assert np.allclose(lengths, 1, atol=1e-5)
    assert not (renewed.exports / "old").exists()


def test_what_a_killed_process_left_beside_the_exports_is_deleted(renewed: Renewed) -> None:
    assert not [*renewed.exports.glob(".making-*")]


@pytest.mark.parametrize("name", [GRAPH, TOKENIZER, MANIFEST])
@pytest.mark.parametrize("damage", [lambda content: content[:-100], lambda _: b"", None])
def test_damage_is_noticed(copy: Path, name: str, damage: Callable[[bytes], bytes] | None) -> None:
    file = export_of(copy) / name
    if damage is None:
        file.unlink()
    else:
        file.write_bytes(damage(file.read_bytes()))
    with pytest.raises((OSError, ValueError)):
        OnnxModel(file.parent, "small")


def test_an_export_of_another_version_is_not_used(copy: Path) -> None:
    file = export_of(copy) / MANIFEST
    file.write_text(json.dumps({**json.loads(file.read_text()), "format": 0}))
    with pytest.raises(ValueError, match="another version of graphmem made it"):
        OnnxModel(file.parent, "small")


def test_versions_with_other_exports_leave_those_of_each_other(
    models: Path, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = ExportCache(copy)
    assert kept.place(models / "small") == export_of(copy)
    monkeypatch.setattr(export_cache, "FORMAT", FORMAT + 1)
    other = kept.place(models / "small")
    assert other != export_of(copy)
    assert kept.place(models / "small") == other
    monkeypatch.undo()
    assert kept.place(models / "small") == export_of(copy)


def test_a_model_that_changed_has_another_export(models: Path, copy: Path, tmp_path: Path) -> None:
    changed = shutil.copytree(models / "small", tmp_path / "small")
    kept = ExportCache(copy)
    assert kept.place(changed) == kept.place(models / "small") == export_of(copy)
    file = changed / "config_sentence_transformers.json"
    file.write_text(file.read_text().replace("question: ", "asked: "))
    assert kept.place(changed) != kept.place(models / "small")


def test_a_model_that_cannot_be_exported_is_run_by_torch_and_not_tried_again(
    models: Path, tmp_path: Path
) -> None:
    for number in range(2):
        messages: list[str] = []
        static = embedder(models / "static", tmp_path / "exports", messages)
        assert static.wait(), static.reason
        assert np.allclose(np.linalg.norm(static.documents(["a tide"]), axis=1), 1, atol=1e-5)
        assert static.missing_export is None
        assert messages[-1].startswith("Loading the embedding model with torch: it reads")
        assert any("Preparing" in sentence for sentence in messages) is (number == 0)


def test_torch_runs_the_model_where_the_setting_says_so(
    models: Path, exports: Path, tmp_path: Path
) -> None:
    with_torch = embedder(models / "small", tmp_path / "none", runtime="torch")
    exported = embedder(models / "small", exports)
    assert with_torch.wait(), with_torch.reason
    assert exported.wait()
    assert with_torch.identity() == exported.identity()
    difference = np.array(with_torch.documents(TEXTS)) - np.array(exported.documents(TEXTS))
    assert np.abs(difference).max() < 1e-4
    assert not (tmp_path / "none").exists()


def test_where_no_export_can_be_kept_torch_runs_the_model_this_time(
    models: Path, tmp_path: Path
) -> None:
    taken = tmp_path / "taken"
    taken.write_text("a file")
    small = embedder(models / "small", taken / "exports")
    assert small.wait(), small.reason
    assert len(small.query("a tide")) == 32

    taken.unlink()
    messages: list[str] = []
    again = embedder(models / "small", taken / "exports", messages)
    assert again.wait(), again.reason
    assert export_of(taken / "exports").is_dir()
    assert len(messages) == 1


def test_an_error_of_the_disk_that_has_no_class_of_its_own_leaves_the_model_to_torch(
    models: Path, tmp_path: Path
) -> None:
    """A ring of links, since that of a full disk has none either."""
    ring = tmp_path / "ring"
    ring.symlink_to(ring)
    exports = ExportCache(ring / "exports")
    with pytest.raises(TorchRequiredError, match="no export can be kept"):
        exports.open(str(models / "small"), hub=False, progress=LoadProgress(lambda _: None))


def test_an_export_that_the_disk_has_no_room_for_is_reported_with_its_folder(
    models: Path, tmp_path: Path
) -> None:
    with no_file_beyond(os.getpid(), 4096):
        small = embedder(models / "small", tmp_path / "exports")
        assert small.wait(), small.reason
    said = small.missing_export or ""
    assert f"torch runs {models}/small, which takes seconds and a gigabyte each time: " in said
    assert re.search(rf"its export to {re.escape(str(tmp_path))}/exports failed: .*large", said)
    assert not [*tmp_path.glob("exports/.making-*")]


def test_a_reader_of_a_model_s_digest_never_sees_half_of_it(models: Path, tmp_path: Path) -> None:
    model = shutil.copytree(models / "small", tmp_path / "small")
    kept = ExportCache(tmp_path / "exports")
    first = kept.place(model)
    (memo,) = (tmp_path / "exports").iterdir()
    with memo.open() as reader:
        (model / "config.json").touch()
        (model / "README.md").write_text("changed")
        assert kept.place(model) != first
        assert reader.read().endswith(first.name)
    assert [*(tmp_path / "exports").iterdir()] == [memo]


@pytest.mark.parametrize(
    ("files", "why"),
    [({}, "holds no modules.json or config.json"), ({"modules.json": "["}, "cannot be loaded")],
)
def test_a_folder_that_is_no_model_is_refused_with_the_next_step(
    tmp_path: Path, files: dict[str, str], why: str
) -> None:
    model = tmp_path / "model"
    model.mkdir()
    for name, content in files.items():
        (model / name).write_text(content)
    broken = embedder(model, tmp_path / "exports")
    assert not broken.wait()
    assert why in (broken.reason or "")
    assert "GRAPHMEM_MODEL" in (broken.reason or "")
    assert not [*tmp_path.glob("exports/.making-*")]


@pytest.mark.parametrize("place", [".", ".."])
def test_exports_that_other_users_could_exchange_are_not_loaded(
    models: Path, exports: Path, tmp_path: Path, place: str
) -> None:
    folder = shutil.copytree(exports, tmp_path / "cache" / "models")
    kept = ExportCache(folder)
    assert kept.open(str(models / "small"), hub=False, progress=LoadProgress(lambda _: None))
    (folder / place).chmod(0o777)
    with pytest.raises(
        TorchRequiredError, match=r"write to .*, so others could exchange its export"
    ):
        kept.open(str(models / "small"), hub=False, progress=LoadProgress(lambda _: None))


def exporting() -> Iterator[psutil.Process]:
    """The processes that export for this one."""
    for process in psutil.Process().children(recursive=True):
        with suppress(psutil.NoSuchProcess):  # those of other tests may end meanwhile
            if "graphmem.embedding.export" in process.cmdline():
                yield process


def test_an_export_that_is_killed_is_made_once_the_next_time(models: Path, tmp_path: Path) -> None:
    exports = tmp_path / "exports"
    first = embedder(models / "small", exports)
    first.start()
    until(lambda: [*exporting()])
    until(lambda: [*exports.glob(".making-*")])
    for process in exporting():
        os.kill(process.pid, signal.SIGKILL)
    assert first.wait(), first.reason
    assert first.query("a tide")
    assert not [*exports.glob(f"*/{MANIFEST}")]
    (exports / ".making-left").mkdir()
    messages: list[str] = []

    def opened(_: int) -> OnnxModel:
        model = str(models / "small")
        return ExportCache(exports).open(model, hub=False, progress=LoadProgress(messages.append))

    with ThreadPoolExecutor(3) as threads:
        made = [*threads.map(opened, range(3))]
    assert len(messages) == 1
    assert {model.identity for model in made} == {first.identity()}
    assert not [*exports.glob(".making-*")]


def test_a_question_is_answered_while_documents_go_through_the_model(
    models: Path, exports: Path
) -> None:
    small = embedder(models / "small", exports)
    assert small.wait()
    begun = threading.Event()
    done = 0

    def advance(more: int) -> None:
        nonlocal done
        done += more
        begun.set()

    texts = [f"tide {number} " * 30 for number in range(3000)]
    with ThreadPoolExecutor(1) as threads:
        documents = threads.submit(small.documents, texts, advance=advance)
        begun.wait()
        small.query("a question in between")
        assert done < len(texts)
        assert len(documents.result()) == len(texts)


class CountingModel(OnnxModel):
    """Counts its runs; those after the first ones wait until somebody has left."""

    runs = 0
    left = threading.Event()

    def _run(
        self, session: onnxruntime.InferenceSession, tokens: list[list[int]]
    ) -> NDArray[np.float32]:
        self.runs += 1
        if self.runs > 10:
            self.left.wait()
        return super()._run(session, tokens)


def test_what_nobody_waits_for_any_more_does_not_go_through_the_model(exports: Path) -> None:
    small = CountingModel(export_of(exports), "small")

    def leave(_: int) -> None:
        small.left.set()
        raise KeyboardInterrupt

    texts = [f"tide {number} " * 60 for number in range(3000)]
    with pytest.raises(KeyboardInterrupt):
        small.documents(texts, leave)
    small.documents(["behind all that has begun"], lambda _: None)
    assert small.runs < 100


def test_a_model_is_given_about_a_second_of_work_together(exports: Path) -> None:
    assert best_together(128, 0.01) == 128
    assert best_together(128, 2.56) == 50
    assert best_together(1, 60.0) == 8
    small = OnnxModel(export_of(exports), "small")
    before = small.together
    small.documents([f"tide {number}" for number in range(1000)], lambda _: None)
    assert small.together > before


@pytest.mark.parametrize("runtime", ["onnx", "torch"])
def test_a_model_whose_download_was_interrupted_is_downloaded_whole(
    runtime: Runtime, models: Path, tmp_path: Path
) -> None:
    model_hub.leave_part(models / "small", tmp_path)
    script = f"""
from pathlib import Path
from graphmem.embedding import local_embedder
exports = Path({str(tmp_path / "exports")!r})
model = local_embedder({model_hub.NAME!r}, exports=exports, runtime={runtime!r})
assert model.wait(), model.reason
assert model.identity().dimensions == 32
"""
    with model_hub.serving(models / "small") as address:
        environment = {"HF_HOME": str(tmp_path), "HF_ENDPOINT": address}
        ran = run_python(script, environment=environment)
    assert ran.returncode == 0, ran.stderr


@pytest.mark.parametrize("runtime", ["onnx", "torch"])
def test_a_hub_that_does_not_answer_is_asked_once_and_again_later(
    runtime: Runtime, models: Path, tmp_path: Path
) -> None:
    script = f"""
from pathlib import Path
from graphmem.embedding import local_embedder
exports = Path({str(tmp_path / "exports")!r})
model = local_embedder({model_hub.NAME!r}, exports=exports, runtime={runtime!r})
assert not model.wait()
print(model.state, model.reason)
"""
    with model_hub.serving(models / "small") as address:
        pass  # and gone again
    ran = run_python(script, environment={"HF_HOME": str(tmp_path), "HF_ENDPOINT": address})
    assert ran.stdout.startswith(
        f"unavailable the embedding model {model_hub.NAME} cannot be downloaded "
        f"({address} does not answer: "
    ), ran.stderr


@pytest.mark.parametrize("seconds", [0.0, 0.05, 0.1, 0.15, 0.2, 0.3])
def test_a_program_ends_as_any_other_while_its_model_is_loading(
    models: Path, exports: Path, seconds: float
) -> None:
    program = (
        "import sys, time; from pathlib import Path; from graphmem.embedding import local_embedder;"
        "model = local_embedder(sys.argv[1], exports=Path(sys.argv[2]), hub=False);"
        "model.start(); time.sleep(float(sys.argv[3]))"
    )
    ended = run_python(program, str(models / "small"), str(exports), str(seconds))
    assert (ended.returncode, ended.stderr) == (0, "")


def test_nothing_imports_torch_once_the_export_is_there(models: Path, exports: Path) -> None:
    code = f"""
import sys
from pathlib import Path
from graphmem.embedding import local_embedder
model = local_embedder({str(models / "small")!r}, exports=Path({str(exports)!r}), hub=False)
assert model.wait(), model.reason
model.query("a tide")
model.documents(["a tide"])
heavy = {{"torch", "transformers", "sentence_transformers", "onnx", "scipy"}}
print(sorted(heavy & set(sys.modules)))
"""
    assert run_python(code, check=True).stdout == "[]\n"
