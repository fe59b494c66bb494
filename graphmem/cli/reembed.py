"""`graphmem reembed`: the embeddings of a store from another model."""

from graphmem.cli import output, session
from graphmem.cli.options import Json
from graphmem.embedding import described
from graphmem.errors import quantity
from graphmem.memory.store.reembedding import Reembedded


def reembed(*, json: Json = False) -> int:
    """Embed the whole store with the model of the settings.

    All projects get new embeddings, which takes as long as embedding them the first
    time. Searches use the earlier embeddings until all new ones are there. After an
    interruption, run the command again: it continues where it was. The exit code
    is 1 if the model fails on some passages.
    """
    with session.open_memory(None, model_soon=True) as (memory, progress):
        report = memory.reembed(progress=progress)
    if json:
        output.document(report.to_json())
    else:
        _write(report, output.TextOutput())
    return 1 if report.pending else 0


def _write(report: Reembedded, out: output.TextOutput) -> None:
    out.write(
        f"The store is embedded with {described(report.model)}, "
        f"{report.model.dimensions} dimensions."
    )
    if report.previous is None:
        out.write("Nothing to do: the store already uses this model.", indent=2)
    else:
        out.write(f"previous  {described(report.previous)}", indent=2)
        out.write(f"embedded  {_passages(report.embedded)}", indent=2)
        if report.reused:
            out.write(f"reused    {_passages(report.reused)}, embedded before", indent=2)
    if report.pending:
        out.write(f"pending   {_passages(report.pending)}, found by keyword only", indent=2)


def _passages(count: int) -> str:
    return quantity(count, "passage", "passages")
