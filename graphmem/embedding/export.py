"""`python -m graphmem.embedding.export`: exports a model for onnxruntime, in a process of its own.

The process ends and gives back what torch took, a gigabyte; what uses the export never imports
torch. The last line of its output is an `Outcome` as JSON.
"""

import json
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np

from graphmem.embedding.background_model import BROKEN
from graphmem.embedding.onnx_model import (
    GRAPH,
    GRAPH_INT8,
    TOKENIZER,
    ExportManifest,
    OnnxModel,
    sha256,
)
from graphmem.embedding.torch_model import has_gpu, identity_of, open_model
from graphmem.errors import first_line

if TYPE_CHECKING:
    import torch
    from sentence_transformers import SentenceTransformer

# What the export has to say as torch does: three scripts, code, marks, nothing, and much.
SAMPLES = (
    "who answers for the event bus",
    "A harbour is where boats are tied up; its master gives out the berths. " * 2,
    "Кто отвечает за ночные сообщения, если база не отвечает?",
    "港は船が泊まる所です。係留の予約は前日までに。",
    "def mooring_of(boat: Boat) -> Berth | None:  # C++, a/b/c.py, 10€",
    "🦀",
    "",
    "The tide comes in, and the tide goes out. " * 200,
)
# Of each component of an embedding of length 1.
MOST_DIFFERENCE = 1e-4
# The lengths that no tokenizer means: it knows no limit.
_NO_LIMIT = 1_000_000


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of an export.

    Args:
        result: Exported; failed this time, such as on a full disk; unsuitable, so that torch has to
            run the model; or the model itself cannot be loaded.
        reason: Why not, in words that end no sentence; empty when exported.
        gpu: Whether it is a GPU that makes the export unsuitable.
    """

    result: Literal["exported", "failed", "unsuitable", "unloadable"]
    reason: str = ""
    gpu: bool = False


class UnsuitableError(Exception):
    """A model that onnxruntime cannot run as torch does."""


def export(source: str, target: Path, *, local: bool, despite_gpu: bool, int8: bool) -> Outcome:
    """Export a model and compare it with torch.

    Args:
        source: The model's folder, or its name at the model hub.
        target: An empty folder; what is in it may be used when the outcome says exported.
        local: Whether nothing may be downloaded.
        despite_gpu: Whether it is exported also where torch would run it on a GPU.
        int8: Whether a quantized copy is made for documents.
    """
    try:
        model = open_model(source, local=local)
    except BROKEN as error:
        return Outcome("unloadable", first_line(error))
    if has_gpu() and not despite_gpu:
        return Outcome("unsuitable", "torch runs it on the GPU of this machine", gpu=True)
    try:
        _write(model.to("cpu").eval(), target, int8=int8)
        _compare(model, OnnxModel(target, source))
    except (OSError, MemoryError) as error:
        return Outcome("failed", first_line(error))
    except (UnsuitableError, *BROKEN) as error:
        return Outcome("unsuitable", first_line(error))
    return Outcome("exported")


def _write(model: "SentenceTransformer", folder: Path, *, int8: bool) -> None:
    features = model.preprocess([SAMPLES[0], SAMPLES[1]])
    inputs = {name: value for name, value in features.items() if hasattr(value, "shape")}
    if not {"input_ids", "attention_mask"} <= set(inputs) <= {
        "input_ids", "attention_mask", "token_type_ids",
    }:  # fmt: skip
        raise UnsuitableError(f"it reads {', '.join(sorted(inputs))}")
    most_tokens = int(model.max_seq_length or _NO_LIMIT)
    if most_tokens >= _NO_LIMIT:
        raise UnsuitableError("it does not say how many tokens it reads")
    backend = getattr(model.tokenizer, "backend_tokenizer", None)
    if backend is None:
        raise UnsuitableError("it has no tokenizer of the tokenizers library")
    (folder / TOKENIZER).write_text(backend.to_str(), encoding="utf-8")
    _write_graph(model, inputs, most_tokens, folder / GRAPH)
    files = [GRAPH, TOKENIZER]
    if int8:
        files.append(GRAPH_INT8)
        _quantize(folder)
    identity = identity_of(model, folder.name)
    prompts = model.prompts or {}
    ExportManifest(
        revision=identity.revision,
        dimensions=identity.dimensions,
        most_tokens=most_tokens,
        query_prompt=_prompt(model, prompts, ("query",)),
        document_prompt=_prompt(model, prompts, ("document", "passage", "corpus")),
        inputs=tuple(inputs),
        sizes={name: (folder / name).stat().st_size for name in files},
        tokenizer_digest=sha256(folder / TOKENIZER),
    ).write(folder)


def _prompt(
    model: "SentenceTransformer", prompts: Mapping[str, str | None], names: Sequence[str]
) -> str:
    """The prompt that sentence-transformers would put before a text."""
    for name in names:
        if prompt := prompts.get(name):
            return prompt
    default = model.default_prompt_name
    return (default and prompts.get(default)) or ""


def _write_graph(
    model: "SentenceTransformer", inputs: "dict[str, torch.Tensor]", most_tokens: int, file: Path
) -> None:
    import torch  # noqa: PLC0415 - seconds of import, and loaded by now

    names = tuple(inputs)

    class Pipeline(torch.nn.Module):
        """All modules of the model, and a normalisation, from tokens to embeddings."""

        def __init__(self) -> None:
            super().__init__()
            self.modules_in_turn = model

        def forward(self, *values: torch.Tensor) -> torch.Tensor:
            """The embeddings of length 1, [texts, dimensions]."""
            features = dict(zip(names, values, strict=True))
            for module in self.modules_in_turn:
                features = module(features)
            return torch.nn.functional.normalize(features["sentence_embedding"], p=2, dim=1)

    texts = torch.export.Dim("texts", min=1, max=1_000_000)
    tokens = torch.export.Dim("tokens", min=2, max=most_tokens)
    with warnings.catch_warnings(), torch.inference_mode(), _eager_attention(model):
        warnings.simplefilter("ignore")
        program = torch.onnx.export(
            Pipeline().eval(),
            tuple(inputs.values()),
            dynamo=True,
            dynamic_shapes=(tuple({0: texts, 1: tokens} for _ in names),),
            input_names=names,
            output_names=["unit_embedding"],
            verbose=False,
        )
    if program is None:
        raise UnsuitableError("torch gave no program")
    program.save(file)


@contextmanager
def _eager_attention(model: "SentenceTransformer") -> Iterator[None]:
    """Have the model compute attention step by step, where it can, and as before afterwards.

    What torch computes in one kernel becomes a graph that looks for NaN in every attention matrix,
    which takes an eighth of the time of an embedding.
    """
    from transformers import PreTrainedModel  # noqa: PLC0415 - seconds of import, and loaded by now

    part = next((part for part in model.modules() if isinstance(part, PreTrainedModel)), None)
    usual = getattr(getattr(part, "config", None), "_attn_implementation", None)
    if part is None or usual is None:
        yield
        return
    with suppress(ValueError):  # the architecture has no other
        part.set_attn_implementation("eager")
    try:
        yield
    finally:
        part.set_attn_implementation(usual)


def _quantize(folder: Path) -> None:
    """Make a copy whose weights are bytes, with a scale a channel: quicker and less exact."""
    from onnxruntime.quantization import QuantType, quantize_dynamic  # noqa: PLC0415 - on request

    quantize_dynamic(
        folder / GRAPH,
        folder / GRAPH_INT8,
        per_channel=True,
        weight_type=QuantType.QInt8,
        op_types_to_quantize=["MatMul", "Gemm"],
    )


def _compare(model: "SentenceTransformer", exported: OnnxModel) -> None:
    """Raise unless the export gives what torch gives, alone and in a batch."""
    texts = list(SAMPLES)
    torch_documents = model.encode_document(
        texts, normalize_embeddings=True, show_progress_bar=False
    )
    export_documents = np.array(exported.documents(texts, lambda _: None))
    torch_queries = model.encode_query(texts, normalize_embeddings=True, show_progress_bar=False)
    export_queries = np.array([exported.query(text) for text in texts])
    difference = max(
        float(np.abs(np.asarray(torch_vectors) - export_vectors).max())
        for torch_vectors, export_vectors in (
            (torch_documents, export_documents),
            (torch_queries, export_queries),
        )
    )
    if not difference <= MOST_DIFFERENCE:
        raise UnsuitableError(f"its embeddings differ from torch's by {difference:.1g}")


def main(arguments: Sequence[str]) -> None:
    """Export as one JSON object says, and print the outcome."""
    options = json.loads(arguments[0])
    outcome = export(options.pop("source"), Path(options.pop("target")), **options)
    print(json.dumps(asdict(outcome)))  # noqa: T201 - the process's answer


if __name__ == "__main__":
    main(sys.argv[1:])
