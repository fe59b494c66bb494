"""An exported model run by onnxruntime: loaded in a fraction of a second, in little memory."""

import hashlib
import json
import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from onnxruntime.capi import onnxruntime_pybind11_state as state
from tokenizers import Tokenizer

from graphmem.embedding.embedder import TOGETHER, ModelIdentity, Vector
from graphmem.embedding.native_code import native_code

MANIFEST, GRAPH, TOKENIZER = "manifest.json", "model.onnx", "tokenizer.json"
# The copy for documents, where the setting asks for it.
GRAPH_INT8 = "model-int8.onnx"
# Changes when an older export cannot be used any more, or is slower; it is made again then.
FORMAT = 2

# Tokens of a batch, its padding included. Larger ones take more memory and are no quicker.
BATCH_TOKENS = 256
# What more tokens at once took of memory is given back, for a long text may take a gigabyte.
KEPT_TOKENS = 1024
# Documents that it is best given together: about so many seconds of work, which an import that is
# killed loses, and enough batches for all cores to end together.
SECONDS_TOGETHER = 1.0
FEWEST_TOGETHER, MOST_TOGETHER = 8, 128
# onnxruntime's errors have no ancestor of their own; they become Python's here.
ONNX_ERRORS = (
    state.EPFail, state.Fail, state.InvalidArgument, state.InvalidGraph, state.InvalidProtobuf,
    state.NoModel, state.NoSuchFile, state.NotImplemented, state.RuntimeException,
)  # fmt: skip
# The kernel that adds and normalises in one step takes longer than the two that it replaces.
_SLOWER_FUSIONS = ["SkipLayerNormFusion"]
# onnxruntime logs what ails a model, and raises it too.
_ERRORS_ONLY = 3


@dataclass(frozen=True, slots=True)
class ExportManifest:
    """What an export was made of and how it is used.

    Args:
        revision: The digest of the weights.
        dimensions: The length of an embedding.
        most_tokens: Tokens of a text that the model reads; the rest is cut.
        query_prompt: Stands before every question.
        document_prompt: Stands before every document.
        inputs: The names of the graph's inputs, each [texts, tokens].
        sizes: The bytes of each file; a file of another size is damaged.
        tokenizer_digest: The SHA-256 of the tokenizer, which its library does not check.
        format: The layout of the export.
    """

    revision: str
    dimensions: int
    most_tokens: int
    query_prompt: str
    document_prompt: str
    inputs: tuple[str, ...]
    sizes: dict[str, int]
    tokenizer_digest: str
    format: int = FORMAT

    @classmethod
    def read(cls, folder: Path) -> Self:
        """Read the manifest of an export and see that its files are whole.

        Raises:
            OSError: A file is missing.
            ValueError: A file is damaged, or another version of graphmem made the export.
        """
        fields = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        if not isinstance(fields, dict) or fields.get("format") != FORMAT:
            raise ValueError("another version of graphmem made it")
        try:
            manifest = cls(**{**fields, "inputs": tuple(fields["inputs"])})
        except (TypeError, KeyError) as error:
            raise ValueError(f"its manifest is damaged: {error}") from error
        for name, size in manifest.sizes.items():
            if (folder / name).stat().st_size != size:
                raise ValueError(f"{name} is damaged")
        if sha256(folder / TOKENIZER) != manifest.tokenizer_digest:
            raise ValueError(f"{TOKENIZER} is damaged")
        return manifest

    def write(self, folder: Path) -> None:
        """Write the manifest into the folder of the export."""
        text = json.dumps(asdict(self), indent=1, ensure_ascii=False)
        (folder / MANIFEST).write_text(text, encoding="utf-8")


class OnnxModel:
    """A model that onnxruntime runs: documents on all cores, questions at the same time.

    Args:
        folder: The export.
        name: The setting's name of the model, without an organisation.
        int8: Whether the quantized copy embeds the documents.

    Raises:
        OSError: A file is missing.
        ValueError: A file is damaged.
        RuntimeError: onnxruntime cannot run it.
    """

    def __init__(self, folder: Path, name: str, *, int8: bool = False) -> None:
        self._manifest = manifest = ExportManifest.read(folder)
        self.identity = ModelIdentity(
            name=name, revision=manifest.revision, dimensions=manifest.dimensions
        )
        with native_code():
            self._tokenizer = _tokenizer(folder / TOKENIZER, manifest.most_tokens)
            self._session = _session(folder / GRAPH)
            self._documents_session = _session(folder / GRAPH_INT8) if int8 else self._session
        self.together = TOGETHER
        self._workers: ThreadPoolExecutor | None = None
        self._starting = threading.Lock()

    def query(self, text: str) -> Vector:
        """The embedding of a question."""
        tokens = self._tokens([self._manifest.query_prompt + text])
        vector: Vector = self._run(self._session, tokens)[0].tolist()
        return vector

    def documents(self, texts: Sequence[str], advance: Callable[[int], None]) -> list[Vector]:
        """The embeddings of texts in order, those of like length through the model together.

        Where `advance` raises, what has not begun is dropped.
        """
        start = time.monotonic()
        tokens = self._tokens([self._manifest.document_prompt + text for text in texts])
        vectors: list[Vector] = [[]] * len(texts)
        batches = [*_batches([len(text_tokens) for text_tokens in tokens])]
        pool, session = self._pool(), self._documents_session
        futures = [pool.submit(self._run, session, [tokens[i] for i in batch]) for batch in batches]
        try:
            for batch, rows in zip(batches, futures, strict=True):
                for index, vector in zip(batch, rows.result().tolist(), strict=True):
                    vectors[index] = vector
                advance(len(batch))
        finally:
            for rows in futures:
                rows.cancel()
        self.together = best_together(len(texts), time.monotonic() - start)
        return vectors

    def _pool(self) -> ThreadPoolExecutor:
        with self._starting:
            if self._workers is None:
                self._workers = ThreadPoolExecutor(_cores(), "graphmem-embed")
            return self._workers

    def _tokens(self, texts: list[str]) -> list[list[int]]:
        with native_code():
            return [encoding.ids for encoding in self._tokenizer.encode_batch(texts)]

    def _run(
        self, session: onnxruntime.InferenceSession, tokens: list[list[int]]
    ) -> NDArray[np.float32]:
        """The embeddings of tokens, [texts, dimensions]."""
        ids = np.zeros((len(tokens), max(map(len, tokens))), dtype=np.int64)
        mask = np.zeros_like(ids)
        for row, sequence in enumerate(tokens):
            ids[row, : len(sequence)] = sequence
            mask[row, : len(sequence)] = 1
        values = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        inputs = {name: values[name] for name in self._manifest.inputs}
        try:
            with native_code():
                options = _giving_back() if ids.size > KEPT_TOKENS else None
                embeddings: NDArray[np.float32] = session.run(None, inputs, options)[0]
        except ONNX_ERRORS as error:
            raise RuntimeError(error) from error
        return embeddings


def best_together(texts: int, seconds: float) -> int:
    """How many texts are about a second of work, given how long so many of them took."""
    count = texts * SECONDS_TOGETHER / max(seconds, 1e-6)
    return max(FEWEST_TOGETHER, min(MOST_TOGETHER, round(count)))


def sha256(file: Path) -> str:
    """The digest of a file, in hexadecimal digits."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Cut texts into batches of like length, longest first; gives their places."""
    order = sorted(range(len(lengths)), key=lambda index: -lengths[index])
    start = 0
    while start < len(order):
        size = max(1, BATCH_TOKENS // max(1, lengths[order[start]]))
        yield order[start : start + size]
        start += size


def _tokenizer(file: Path, most_tokens: int) -> Tokenizer:
    tokenizer = Tokenizer.from_str(file.read_text(encoding="utf-8"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(most_tokens)
    return tokenizer


def _session(file: Path) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    # A batch a thread, several at a time: twice as quick as several threads a batch.
    options.intra_op_num_threads = 1
    # It keeps what a batch took for the next one. Without it, malloc keeps several times as much in
    # pieces, for it has an arena a thread; and a malloc that gives everything back at once, by
    # M_MMAP_THRESHOLD, has the system clear those pages anew for every batch: half the speed.
    options.enable_cpu_mem_arena = True
    options.enable_mem_pattern = False
    options.log_severity_level = _ERRORS_ONLY
    try:
        return onnxruntime.InferenceSession(
            file,
            options,
            providers=["CPUExecutionProvider"],
            disabled_optimizers=_SLOWER_FUSIONS,
        )
    except ONNX_ERRORS as error:
        raise RuntimeError(f"onnxruntime cannot run {file.name}: {error}") from error


def _giving_back() -> onnxruntime.RunOptions:
    """Options by which the memory that is free after a run goes back to the system."""
    options = onnxruntime.RunOptions()
    options.add_run_config_entry("memory.enable_memory_arena_shrinkage", "cpu:0")
    return options


def _cores() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on this system
        return os.cpu_count() or 1
