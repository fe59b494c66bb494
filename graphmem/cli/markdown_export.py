"""`graphmem export --format markdown`."""

from pathlib import Path

from graphmem.arguments import renaming_arguments
from graphmem.cli import files, output, session
from graphmem.errors import NOT_SHOWN, InvalidInput, NotFound, quantity


def export_markdown(folder: Path | None, *, project: str | None, json: bool) -> int:
    """Export a project as a folder of notes."""
    # Imported here for its weight, which other commands need not wait for.
    from graphmem.memory.exporting_notes import check_folder

    if folder is None:
        raise InvalidInput(
            "--output", NOT_SHOWN, "is required with --format markdown: a new folder"
        )
    with renaming_arguments(folder="--output"):
        # Checked here as well, so that a wrong one starts no database.
        check_folder(folder)
    with files.ending_as_exceptions(), session.open_memory(project) as (memory, progress):
        try:
            with renaming_arguments(folder="--output"):
                written = memory.export_markdown(folder, progress=progress)
        except NotFound as error:
            predicate = "holds nothing to export"
            note = session.empty_project_note(memory, memory.project_name(), predicate)
            raise NotFound(note or str(error)) from None
        finally:
            progress.finish()
    if json:
        output.document(written.to_json())
        return 0
    left_out = quantity(written.left_out, "entity that is", "entities that are")
    output.say(
        f"{quantity(written.count, 'note', 'notes')} of {written.project} written to {folder}"
        + (f"; without {left_out} forgotten or removed" if written.left_out else "")
    )
    for note in written.notes:
        output.say(f"Note: {note}")
    return 0
