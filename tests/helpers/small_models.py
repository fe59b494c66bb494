"""Small models for tests and an export of one, made once a run: each takes seconds of torch."""

import subprocess
import sys
import tempfile
from pathlib import Path

from filelock import FileLock

from graphmem.embedding import packaged_model

# The folder of exports among the models.
EXPORTS = "exports"
TEXTS = ["who answers for the bus", "Кто отвечает?", "港は船が泊まる所です。", "", "tide " * 400]

# Small models, made in a process of their own: this one shall not import torch.
MAKE = """
import sys
from pathlib import Path
import torch
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.modules import Pooling, StaticEmbedding, Transformer
from tokenizers import Tokenizer
from transformers import BertConfig, BertModel, BertTokenizerFast

packaged, target = Path(sys.argv[1]), Path(sys.argv[2])
torch.manual_seed(7)
tokenizer = BertTokenizerFast.from_pretrained(packaged)
config = BertConfig(
    vocab_size=tokenizer.vocab_size, hidden_size=32, num_hidden_layers=1, num_attention_heads=2,
    intermediate_size=32, max_position_embeddings=64,
    initializer_range=0.5,
)
bert = target / "bert"
BertModel(config).save_pretrained(bert)
tokenizer.save_pretrained(bert)
transformer = Transformer(str(bert), max_seq_length=64)
model = SentenceTransformer(
    modules=[transformer, Pooling(32, pooling_mode="cls")],
    prompts={"query": "question: ", "document": "passage: "},
)
model.save(str(target / "small"))
static = StaticEmbedding(Tokenizer.from_file(str(packaged / "tokenizer.json")), embedding_dim=16)
SentenceTransformer(modules=[static]).save(str(target / "static"))
texts = sys.argv[3:]
import numpy
numpy.savez(
    target / "expected.npz",
    query=model.encode_query(texts, normalize_embeddings=True),
    document=model.encode_document(texts, normalize_embeddings=True),
)

from graphmem.embedding import export_cache
from graphmem.embedding.background_model import LoadProgress
from graphmem.embedding.export import export

def here(options):
    source, folder = options.pop("source"), Path(options.pop("target"))
    return export(source, folder, **options)

export_cache._run = here  # a process of its own would import torch again
cache = export_cache.ExportCache(target / "exports", int8=True)
cache.open(str(target / "small"), hub=False, progress=LoadProgress(lambda _: None))
"""


def make(folder: Path) -> Path:
    """Give the models below a folder, whichever process of a run makes them.

    They are `small`, which can be exported, and `static`, which cannot; what torch says with the
    prompts of `small`; and the exports, in which `small` is with its copy for documents.
    """
    models = folder / "models"
    with FileLock(folder / "models.lock"):
        if not models.exists():
            draft = Path(tempfile.mkdtemp(dir=folder))
            command = [sys.executable, "-c", MAKE, str(packaged_model()), str(draft), *TEXTS]
            subprocess.run(command, check=True, capture_output=True)
            draft.rename(models)
    return models
