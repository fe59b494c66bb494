"""`graphmem project show`."""

from graphmem import project as projects
from graphmem.cli import output, session
from graphmem.cli.options import Json


def show(*, json: Json = False) -> int:
    """Show which project this folder belongs to, and how it was determined."""
    found = projects.detect(setting=session.configure().project)
    folder = None if found.folder is None else str(found.folder)
    if json:
        output.document({"project": found.name, "source": found.source, "folder": folder})
    else:
        place = f" of {folder}" if folder else ""
        output.TextOutput().write(f"{found.name}  ({found.source}{place})")
    return 0
