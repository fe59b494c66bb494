"""Forge's `memory_recall` and `memory_save`, over what `import forge` brought in and what is saved.

The project's patterns are the project's entities of the kind Pattern; the global ones are those of
the layer `@user`, which all projects share. A pattern is recalled where one word of the query, in
any of its forms, is a whole word of its text, its category or its tags.
"""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Literal, get_args

from pydantic import BeforeValidator, Field

from graphmem import lucene
from graphmem import project as projects
from graphmem.adapters.forge.items import DEFAULT_CONFIDENCE, KIND
from graphmem.arguments import QUERY_CHARACTERS, as_texts
from graphmem.errors import NOT_SHOWN, InvalidInput, shortened
from graphmem.model import Entity, limits
from graphmem.model.json_object import iso
from graphmem.model.status import HIDDEN_STATUSES
from graphmem.profiles.reading import entities_by_key
from graphmem.profiles.tool_spec import Opened, ToolSpec

if TYPE_CHECKING:
    from graphmem.memory import Memory
    from graphmem.model import Report

Category = Literal[
    "convention",
    "failure_pattern",
    "success_pattern",
    "test_command",
    "architecture",
    "dependency",
    "tool_usage",
]
CATEGORIES: tuple[str, ...] = get_args(Category)
SHARED = projects.LAYERS[0]
PATTERN_CHARACTERS = 10_000
TAGS = 50
PAGE = 200
# Patterns as sure as each other are told apart no further.
NARROWEST = 1 / 64
NO_FOLDER = (
    "The project memory is not included, because the server has no project folder; "
    "start it with --project."
)
# A pattern for any word asks for nothing.
_ANYTHING = re.compile(r"(?<!\w)[*?]+(?!\w)")


def offers(memory: Opened) -> list[ToolSpec]:
    """The tools of this profile."""
    tools = Tools(memory)
    return [ToolSpec(tools.memory_recall), ToolSpec(tools.memory_save, writes=True)]


class Tools:
    """The two tools.

    Args:
        memory: Gives the open memory.
    """

    def __init__(self, memory: Opened) -> None:
        self._memory = memory

    def memory_recall(
        self,
        query: Annotated[
            str, Field(max_length=QUERY_CHARACTERS, description="Keywords, any of which may match")
        ],
        scope: Annotated[
            Literal["project", "global", "all"], Field(description="Which memory is searched")
        ] = "all",
    ) -> str:
        """Recall learned patterns by keywords in their text, category or tags.

        Every match is given, those of the project first, then the global ones, each by confidence:
        `[category] confidence — pattern (time)`. Whole words count, also short ones such as `CI`.
        AND, OR and NOT in capitals combine them. Nothing is changed by reading.
        """
        memory = self._memory()
        scopes = ["project", "global"] if scope == "all" else [scope]
        notes = []
        if scope == "all" and memory.project is None:
            scopes, notes = ["global"], [NO_FOLDER]
        places = {_place(memory, name): name for name in scopes}
        lines: list[str] = []
        is_complete = True
        for place, name in places.items():
            patterns, has_all = _matches(memory, query, place)
            is_complete = is_complete and has_all
            by_confidence = sorted(
                patterns.values(), key=lambda pattern: (-_confidence(pattern), pattern.key or "")
            )
            lines += [_line(pattern, name if scope == "all" else None) for pattern in by_confidence]
        scope_words = f"{' and '.join(scopes)} memory"
        if not lines:
            return "\n".join([f"Found 0 matches in {scope_words} for {shortened(query)}.", *notes])
        if not is_complete:
            notes.append("More may match; narrow the query to see them.")
        return "\n".join([f"Found {len(lines)} matches in {scope_words}:", *lines, *notes])

    def memory_save(
        self,
        pattern: Annotated[
            str,
            Field(
                min_length=1,
                max_length=PATTERN_CHARACTERS,
                description="What was learned, in a sentence or two",
            ),
        ],
        category: Category,
        confidence: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)] = 0.7,
        scope: Annotated[
            Literal["project", "global"], Field(description="global: for all projects")
        ] = "project",
        tags: Annotated[
            tuple[Annotated[str, Field(max_length=limits.LABEL_CHARACTERS)], ...],
            Field(max_length=TAGS),
            BeforeValidator(as_texts),
        ] = (),
    ) -> str:
        """Save a learned pattern for later runs.

        The same text in the same category and scope is already known, whatever its case and spaces:
        it is not saved twice, and keeps the higher confidence.
        """
        # Imported here for weight: what reads Markdown comes with it.
        from graphmem.adapters.forge import importer  # noqa: PLC0415

        memory = self._memory()
        place = memory.project_name(_place(memory, scope), writes=True, argument="scope")
        pattern_entity = importer.pattern_entity(
            pattern, category, confidence=confidence, tags=tags
        )
        existing = _existing(memory, pattern_entity, place)
        is_known = (
            existing is not None and (existing.status or "").casefold() not in HIDDEN_STATUSES
        )
        # What is known keeps the words it was said with; what was hidden is learned anew.
        fields = pattern_entity.to_json() | (
            {"text": None, "category": existing.category}
            if existing is not None and is_known
            else {"status": "active"}
        )
        (item,) = _write(memory, fields, place).items
        if item.outcome == "refused":
            raise InvalidInput("pattern", NOT_SHOWN, f"was refused: {item.reason}")
        if item.outcome == "created" or (existing is not None and not is_known):
            return f"Saved to {scope} memory [{category}]: {pattern_entity.text}"
        current = _existing(memory, pattern_entity, place) or pattern_entity
        return (
            f"Duplicate: already known in {scope} memory [{category}], "
            f"with confidence {_confidence(current)}"
        )


def _place(memory: "Memory", scope: str) -> str:
    """The project or layer that holds the patterns of a scope."""
    if scope == "global":
        return SHARED
    if memory.project is None:
        requirement = "must be global, because the server has no project folder"
        raise InvalidInput("scope", scope, requirement, hint="Or start it with --project.")
    return memory.project


def _existing(memory: "Memory", pattern_entity: Entity, place: str) -> Entity | None:
    """The pattern of the same text, category and scope, hidden ones too."""
    patterns = memory.in_layers([pattern_entity.name], project=place)
    return next((pattern for pattern in patterns if pattern.project == place), None)


def _write(memory: "Memory", fields: Mapping[str, object], project: str) -> "Report":
    """Remember a pattern; of the confidence that is stored and the new one the higher is kept."""
    # Imported here for weight: the driver comes with it.
    from graphmem.memory.writing.asserting import write  # noqa: PLC0415
    from graphmem.memory.writing.remembering import Input  # noqa: PLC0415
    from graphmem.write import WriteOptions  # noqa: PLC0415

    options = WriteOptions(project, may_lower_confidence=False)
    return write(memory.graph, memory.model, Input.read([fields], []), options)


def _matches(memory: "Memory", query: str, place: str) -> tuple[dict[str, Entity], bool]:
    """Every pattern of one memory that a keyword matches, by key, and whether these are all.

    A search ranks a few hundred of a great many matches; then each category is searched by itself,
    and one that is still too large by bands of confidence, so that the surest are not lost.
    """
    words = _words(query)
    if words is None:
        return {}, True
    patterns, is_complete = _search(memory, words, place, {})
    if not is_complete:
        is_complete = all(pattern.category in CATEGORIES for pattern in patterns.values())
        for category in CATEGORIES:
            category_patterns, has_all = _search(memory, words, place, {"category": category})
            if not has_all:
                category_patterns, has_all = _by_confidence(
                    memory, words, place, category, (0.0, 1.0)
                )
            patterns, is_complete = patterns | category_patterns, is_complete and has_all
    return patterns, is_complete


def _words(query: str) -> str | None:
    """What is looked for, or None where no word is asked for."""
    words = _ANYTHING.sub(" ", query.replace(":", " "))  # `npm run test:unit` asks for no field
    tree = lucene.parse(lucene.clean(words)).tree
    return None if tree is None or isinstance(tree, lucene.Not) else words


def _by_confidence(
    memory: "Memory", words: str, place: str, category: str, band: tuple[float, float]
) -> tuple[dict[str, Entity], bool]:
    low, high = band
    where = {"category": category, "confidence": {">=": low, "<=": high}}
    patterns, is_complete = _search(memory, words, place, where)
    if is_complete or high - low <= NARROWEST:
        return patterns, is_complete
    middle = (low + high) / 2
    upper_band, all_above = _by_confidence(memory, words, place, category, (middle, high))
    lower_band, all_below = _by_confidence(memory, words, place, category, (low, middle))
    return patterns | upper_band | lower_band, all_above and all_below


def _search(
    memory: "Memory", words: str, place: str, where: Mapping[str, object]
) -> tuple[dict[str, Entity], bool]:
    patterns: dict[str, Entity] = {}
    is_complete, cursor = True, None
    while True:
        answer = memory.search(
            words,
            project=place,
            scope="project",
            kinds=[KIND],
            where=where,
            mode="keyword",
            expand=False,
            fuzzy_names=False,
            limit=PAGE,
            detail="names",
            cursor=cursor,
        )
        patterns |= entities_by_key(memory, (hit.key for hit in answer.hits), project=place)
        is_complete, cursor = is_complete and answer.total_exact, answer.cursor
        if cursor is None:
            return patterns, is_complete


def _confidence(pattern: Entity) -> float:
    return DEFAULT_CONFIDENCE if pattern.confidence is None else pattern.confidence


def _line(pattern: Entity, scope: str | None) -> str:
    words = " ".join((pattern.text or pattern.name).split())
    if len(words) > PATTERN_CHARACTERS:
        words = f"{words[:PATTERN_CHARACTERS]}…"
    details = ", ".join(part for part in (scope, iso(pattern.created_at)) if part)
    return f"[{pattern.category or 'pattern'}] {_confidence(pattern)} — {words} ({details})"
