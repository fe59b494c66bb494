"""The text of a Jupyter notebook: what people wrote in its cells, without what their code gave."""

from collections.abc import Iterator

from graphmem.importing import json_text
from graphmem.importing.refusing import Refused

SUFFIX = ".ipynb"
# Most of it is pictures.
NOTEBOOK_BYTES = 16 * 1024 * 1024


def text_of_cells(content: bytes) -> str:
    """The cells of a notebook in their order, with a blank line between two.

    Raises:
        Refused: It is no JSON, or holds no cells.
    """
    notebook = json_text.parse(content)
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if not isinstance(cells, list):
        raise Refused("it must be a Jupyter notebook of version 4 or newer, with a list of `cells`")
    return "\n\n".join(_sources(cells)) + "\n"


def _sources(cells: list[object]) -> Iterator[str]:
    for cell in cells:
        source = cell.get("source") if isinstance(cell, dict) else None
        lines = source if isinstance(source, list) else [source]
        if text := "".join(line for line in lines if isinstance(line, str)).strip("\n"):
            yield text
