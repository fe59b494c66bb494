"""`graphmem search`."""

from typing import Annotated, Literal

from cyclopts import Parameter

from graphmem.cli import answers, output, session
from graphmem.cli.options import WITH_DEFAULT, Json, Project
from graphmem.model.answer import Mode, Ranking

Expand = Annotated[
    bool,
    Parameter(
        name="--expand",
        negative="--no-expand",
        help="Whether the entities one link away are found too.",
    ),
    WITH_DEFAULT,
]


def search(
    *query: Annotated[str, Parameter(help="Words, a question, a name; AND OR NOT ( ) and quotes.")],
    project: Project = None,
    limit: Annotated[
        int, Parameter(name=("--limit", "-n"), help="Most hits, 1 to 200."), WITH_DEFAULT
    ] = 10,
    expand: Expand = True,
    mode: Annotated[
        Mode,
        Parameter(help="hybrid; keyword: words and names; semantic: meaning."),
        WITH_DEFAULT,
    ] = "hybrid",
    ranking: Annotated[
        Ranking,
        Parameter(help="evidence: an absolute scale, 0 to 1; rrf: by ranks alone."),
        WITH_DEFAULT,
    ] = "evidence",
    kind: Annotated[tuple[str, ...], Parameter(help="Only this kind; may be repeated.")] = (),
    tag: Annotated[tuple[str, ...], Parameter(help="Only with this tag; repeated: any.")] = (),
    status: Annotated[
        tuple[str, ...],
        Parameter(help="Only this status; by default not forgotten, superseded, deprecated."),
    ] = (),
    min_score: Annotated[
        float, Parameter(help="Hits below are left out, 0 to 1."), WITH_DEFAULT
    ] = 0.0,
    scope: Annotated[
        Literal["layers", "project"],
        Parameter(help="layers: the project, @user and @system; project: it alone."),
        WITH_DEFAULT,
    ] = "layers",
    explain: Annotated[bool, Parameter(help="Show how each score came about.")] = False,
    json: Json = False,
) -> int:
    """Find entities, and those one link away from them, best first.

    A hit that only a link led to names it: `⟵ DEPENDS_ON from A` where the
    relation goes from A to the hit, `⟶ DEPENDS_ON to A` where it goes from the
    hit to A. The exit code is 1 when nothing is found.
    """
    with session.opened(project, model_soon=mode != "keyword") as (memory, _):
        answer = memory.search(
            " ".join(query),
            scope=scope,
            limit=limit,
            expand=expand,
            mode=mode,
            ranking=ranking,
            kinds=kind,
            tags=tag,
            status=status,
            min_score=min_score,
            explain=explain or not json,
        )
    if json:
        output.document(answer.to_json())
    else:
        answers.write(answer, output.Paper(), ranking=ranking, explain=explain)
    return 0 if answer.hits else 1
