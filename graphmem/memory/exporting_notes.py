"""A project as a folder of Markdown notes, which appears whole or not at all."""

import os
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from graphmem import arguments, read, text
from graphmem.errors import InvalidInput, NotFound, quantity
from graphmem.graph import Graph
from graphmem.importing.yaml_loaders import YAML_CHARACTERS
from graphmem.memory.drafts import draft_of
from graphmem.model import Entity, Relation
from graphmem.model.notes_export import NotesExport
from graphmem.model.status import FORGOTTEN, REMOVED
from graphmem.progress import Progress
from graphmem.transfer.markdown.note_paths import NotePaths
from graphmem.transfer.markdown.unfinished import conflict_line
from graphmem.transfer.markdown.writing import note_of

# Who reads notes does not expect what was deleted.
LEFT_OUT = frozenset({FORGOTTEN, REMOVED})
# Notes between two looks at how far it is.
SHOWN_NOTES = 100
NAMED_NOTES = 3


def check_folder(folder: Path) -> Path:
    """The folder that a path leads to, in which an export may write.

    Raises:
        InvalidInput: It is not empty, is no folder, there is no folder to make it in, or another
            user's link leads to it.
    """
    if "\0" in str(folder):
        raise InvalidInput("folder", str(folder), "must not contain a null character")
    arguments.refuse_link_of_another_user("folder", folder)
    target = Path(os.path.realpath(folder))
    if not target.parent.is_dir():
        raise InvalidInput("folder", str(folder), "must be in an existing folder")
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        hint = "Name another folder, or remove this one first; the export is written anew."
        raise InvalidInput("folder", str(folder), "must be new, or an empty folder", hint=hint)
    return target


def export_notes(graph: Graph, project: str, folder: Path, progress: Progress) -> NotesExport:
    """Write the notes of a project; see `Memory.export_markdown`."""
    target = check_folder(folder)
    paths, left_out = NotePaths(), 0
    for entity in read.all_entities(graph, project):
        if entity.status in LEFT_OUT:
            left_out += 1
        else:
            paths.give(entity)
    if not paths.count:
        raise NotFound(f"{project} holds nothing to export")
    relations = defaultdict[str, list[Relation]](list)
    for relation in read.all_relations(graph, project):
        relations[text.normalised(relation.start)].append(relation)
    long_notes, conflicts = list[str](), list[str]()
    with _appearing(folder, target) as draft:
        count = 0
        for entity in read.all_entities(graph, project):
            path = paths.path_of(entity.name)
            if path is None:  # it is new, or left out
                continue
            note = note_of(entity, _of(relations, entity), paths.link_to)
            if len(note) - len(entity.text or "") > YAML_CHARACTERS:
                long_notes.append(path)
            if entity.text and conflict_line(entity.text) is not None:
                conflicts.append(path)
            file = draft / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(note, encoding="utf-8", newline="\n")
            count += 1
            if count % SHOWN_NOTES == 0:
                progress.advance("Writing notes", count, max(paths.count, count))
    return NotesExport(project, folder, count, left_out, _notes(long_notes, conflicts))


@contextmanager
def _appearing(folder: Path, target: Path) -> Iterator[Path]:
    """A folder to write in, which gets its name at the end, or is gone.

    Raises:
        InvalidInput: Somebody else wrote into the folder meanwhile.
        OSError: The disk is full or fails; it names the folder.
    """
    try:
        with draft_of(target) as draft:
            yield draft
            check_folder(folder)
            draft.rename(target)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(folder)) from error


def _of(relations: Mapping[str, Sequence[Relation]], entity: Entity) -> Sequence[Relation]:
    return relations.get(text.normalised(entity.name), ())


def _notes(long_notes: Sequence[str], conflicts: Sequence[str]) -> tuple[str, ...]:
    """What `import markdown` does not read of these notes."""
    contents = f"more than {YAML_CHARACTERS:,} characters of observations and relations"
    conflict = "both sides of a conflict of git outside of a fence of code"
    return tuple(
        f"{quantity(len(paths), 'note has', 'notes have')} {what}, which `import markdown` does "
        f"not read: {', '.join(map(repr, paths[:NAMED_NOTES]))}"
        for paths, what in ((long_notes, contents), (conflicts, conflict))
        if paths
    )
