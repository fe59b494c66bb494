"""The exports of models: one folder each, by the digest of the model's files, beside the caches."""

import hashlib
import json
import logging
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from filelock import FileLock

from graphmem.embedding.background_model import LoadProgress
from graphmem.embedding.export import Outcome
from graphmem.embedding.models import Source, available_on_disk, on_disk, open_first, short_name
from graphmem.embedding.onnx_model import FORMAT, GRAPH_INT8, MANIFEST, OnnxModel, sha256
from graphmem.ownership import exchange_risk, is_writable_by_others, make_folders_above

log = logging.getLogger("graphmem")

# A process for the export, which torch alone would keep a gigabyte of memory for.
_COMMAND = (sys.executable, "-P", "-m", "graphmem.embedding.export")
_UNSUITABLE = "unsuitable.json"
_MAKING = ".making-"
_UNUSED_SECONDS = 60 * 24 * 3600
_PREPARING = (
    "Preparing the embedding model, once: torch exports it for quick starts; about 20 seconds …"
)
_DOWNLOADING = "Downloading the embedding model from the model hub, once …"


class TorchRequiredError(Exception):
    """Torch has to run the model, for good or this time; the reason is the message."""


class NoExportError(TorchRequiredError):
    """Torch has to run the model for good: it cannot be exported, or torch has a GPU."""


class UnloadableError(OSError):
    """Nothing can load the model itself, neither for an export nor to run it."""


class ExportCache:
    """Finds and makes exports; processes may share the folder.

    Args:
        folder: Where they are kept; made when needed.
        despite_gpu: Whether a model is exported where torch would run it on a GPU, too.
        int8: Whether documents are embedded by the model's quantized copy.
    """

    def __init__(self, folder: Path, *, despite_gpu: bool = False, int8: bool = False) -> None:
        self._folder = folder
        self._despite_gpu = despite_gpu
        self._int8 = int8

    def open(self, model: str, *, hub: bool, progress: LoadProgress) -> OnnxModel:
        """Open the export of a model; make it first where there is none, or a damaged one.

        Args:
            model: As the setting has it.
            hub: Whether the model may be downloaded.
            progress: Hears that the model is downloaded or prepared.

        Raises:
            TorchRequiredError: Torch has to run it.
            OSError: The model is not there, or cannot be loaded.
            ValueError: It cannot be loaded.
        """
        available_on_disk(model, hub=hub)
        try:
            self._refuse_others()
            model_of_export = self._existing(model)
            if model_of_export is not None:
                return model_of_export
            make_folders_above(self._folder)
            self._folder.mkdir(mode=0o700, exist_ok=True)
            with FileLock(self._folder / ".lock", mode=0o600):
                return self._existing(model, warns=True) or self._make(model, progress, hub=hub)
        except UnloadableError:
            raise
        except OSError as error:
            # A full disk, or a folder for reading only; perhaps not the next time.
            raise TorchRequiredError(f"no export can be kept: {error}") from error

    def _refuse_others(self) -> None:
        """Raise where another user could exchange the exports: what is loaded would be theirs."""
        risk = exchange_risk(self._folder)
        if risk is None and self._folder.exists() and is_writable_by_others(self._folder):
            risk = f"other users can write to {self._folder}"
        if risk is not None:
            raise TorchRequiredError(f"{risk}, so others could exchange its export")

    def place(self, source: Path) -> Path:
        """The folder of a model's export: the digest of its format and of the model's files.

        The digest is kept until one of the files changes, for they may be large. Versions of
        graphmem whose exports differ leave those of each other in place.
        """
        files = [*_files(source)]
        states = [(file.relative_to(source).as_posix(), file.stat()) for file in files]
        stamp = _short_digest(
            repr([FORMAT, *((name, s.st_size, s.st_mtime_ns) for name, s in states)]).encode()
        )
        memo = self._folder / f"{_short_digest(str(source.resolve()).encode())}.digest"
        with suppress(OSError):
            memo_fields = memo.read_text(encoding="utf-8").split()
            if len(memo_fields) == 2 and memo_fields[0] == stamp:  # noqa: PLR2004 - a stamp and a digest
                return self._folder / memo_fields[1]
        digest = hashlib.sha256(f"{FORMAT}\n".encode())
        for file in files:
            digest.update(f"{file.relative_to(source).as_posix()}\n".encode())
            digest.update(sha256(file).encode())
        short_digest = digest.hexdigest()[:32]
        with suppress(OSError):
            make_folders_above(self._folder)
            self._folder.mkdir(mode=0o700, exist_ok=True)
            self._replace(memo, f"{stamp} {short_digest}")
        return self._folder / short_digest

    def _replace(self, file: Path, content: str) -> None:
        """Write a file whole or not at all: another process may read it just now."""
        descriptor, temporary = tempfile.mkstemp(dir=self._folder, prefix=_MAKING)
        try:
            with open(descriptor, "w", encoding="utf-8") as stream:  # noqa: PTH123 - a descriptor
                stream.write(content)
            Path(temporary).replace(file)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise

    def _existing(self, model: str, *, warns: bool = False) -> OnnxModel | None:
        source = on_disk(model)
        if source is None:
            return None
        folder = self.place(source)
        self._raise_if_unsuitable(folder)
        required_files = [MANIFEST, GRAPH_INT8] if self._int8 else [MANIFEST]
        if not all((folder / name).is_file() for name in required_files):
            return None
        try:
            model_of_export = OnnxModel(folder, short_name(model), int8=self._int8)
        except (OSError, ValueError, RuntimeError) as error:
            if warns:
                log.warning("the export of %s is made again: %s", model, error)
            return None
        with suppress(OSError):
            os.utime(folder / MANIFEST)
        return model_of_export

    def _raise_if_unsuitable(self, folder: Path) -> None:
        try:
            record = json.loads((folder / _UNSUITABLE).read_text(encoding="utf-8"))
            reason, gpu, made_by = record["reason"], record["gpu"], record["format"]
        except (OSError, ValueError, LookupError, TypeError):
            return
        if made_by == FORMAT and not (gpu and self._despite_gpu):
            raise NoExportError(reason)

    def _make(self, model: str, progress: LoadProgress, *, hub: bool) -> OnnxModel:
        """Export a model in a process of its own; the caller holds the lock."""
        self._sweep()
        folder_in_progress = Path(tempfile.mkdtemp(dir=self._folder, prefix=_MAKING))
        try:
            outcome = open_first(
                model, lambda source: self._export(source, folder_in_progress, progress), hub=hub
            )
            if outcome.result == "failed":
                raise TorchRequiredError(f"its export to {self._folder} failed: {outcome.reason}")
            source = on_disk(model)
            if source is None:
                raise TorchRequiredError("its files are not found on this machine")
            folder = self.place(source)
            if outcome.result == "unsuitable":
                _note(folder_in_progress, outcome)
            shutil.rmtree(folder, ignore_errors=True)
            folder_in_progress.rename(folder)
        finally:
            shutil.rmtree(folder_in_progress, ignore_errors=True)
        self._raise_if_unsuitable(folder)
        return OnnxModel(folder, short_name(model), int8=self._int8)

    def _export(self, source: Source, target: Path, progress: LoadProgress) -> Outcome:
        """Export what a source has.

        Raises:
            UnloadableError: It has no model, or a part of one.
        """
        if source.is_local:
            progress.begin("being prepared for quick starts", _PREPARING)
        else:
            progress.begin("being downloaded from the model hub", _DOWNLOADING)
        outcome = _run(
            {
                "source": source.name,
                "target": str(target),
                "local": source.is_local,
                "despite_gpu": self._despite_gpu,
                "int8": self._int8,
            }
        )
        if outcome.result == "unloadable":
            raise UnloadableError(outcome.reason)
        return outcome

    def _sweep(self) -> None:
        """Delete what was not finished, and exports that nobody has opened for two months."""
        for folder in self._folder.iterdir():
            manifest = folder / MANIFEST
            is_unused = (
                manifest.is_file() and time.time() - manifest.stat().st_mtime > _UNUSED_SECONDS
            )
            if is_unused or folder.name.startswith(_MAKING):
                shutil.rmtree(folder, ignore_errors=True)
                with suppress(OSError):  # a file, see `_replace`
                    folder.unlink()


def _files(source: Path) -> Iterator[Path]:
    """The files that a model is made of: those of its folder and of the folders of its modules."""
    for file in sorted([*source.glob("*"), *source.glob("*/*")]):
        if file.is_file() and not any(
            part.startswith(".") or part in {"onnx", "openvino"}
            for part in file.relative_to(source).parts
        ):
            yield file


def _run(arguments: dict[str, object]) -> Outcome:
    """Run the export in a process of its own, and read its outcome.

    Raises:
        TorchRequiredError: It ended without one.
    """
    process = subprocess.run(  # noqa: S603 - our own module
        [*_COMMAND, json.dumps(arguments)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    try:
        return Outcome(**json.loads(process.stdout.splitlines()[-1]))
    except (IndexError, ValueError, TypeError):
        last_line = (process.stderr.strip().splitlines() or ["no output"])[-1]
        raise TorchRequiredError(
            f"its export ended with code {process.returncode}: {last_line}"
        ) from None


def _note(folder: Path, outcome: Outcome) -> None:
    """Leave in the folder why there is no export, so that it is not tried again."""
    for file in folder.iterdir():
        file.unlink()
    record = {"format": FORMAT, "reason": outcome.reason, "gpu": outcome.gpu}
    (folder / _UNSUITABLE).write_text(json.dumps(record), encoding="utf-8")


def _short_digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:32]
