"""`graphmem db reindex`: the text indexes of a store in other languages."""

from graphmem import migrations, schema
from graphmem.cli import output, session
from graphmem.cli.options import Json
from graphmem.cli.progress import ProgressDisplay
from graphmem.errors import listed
from graphmem.memory.store.connecting import connect


def reindex(*, json: Json = False) -> int:
    """Index all texts in the languages of GRAPHMEM_LANGUAGES.

    Indexes of other languages are dropped, and missing or broken ones are created
    and filled; nothing else changes. Until a new index is filled, searches answer
    by meaning and links, after waiting for it up to GRAPHMEM_QUERY_SECONDS. A
    running program uses a new language once it opens its memory again.
    """
    config = session.configure()
    with (
        ProgressDisplay() as progress,
        connect(config, read_only=False, progress=progress) as graph,
    ):
        migrations.prepare(graph, config.languages, progress=progress)
        new_languages, old_languages = schema.remake(graph, config.languages, progress=progress)
    if json:
        languages = list(config.languages)
        output.document(
            {"languages": languages, "made": list(new_languages), "dropped": list(old_languages)}
        )
        return 0
    out = output.TextOutput()
    out.write(f"The texts are indexed in {listed(config.languages)}.")
    for verb, names in (("made", new_languages), ("dropped", old_languages)):
        if names:
            out.write(f"{verb:<9}{listed(names)}", indent=2)
    if not new_languages and not old_languages:
        out.write("This was already the case, so nothing was changed.", indent=2)
    return 0
