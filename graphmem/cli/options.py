"""The options that several commands share, each documented once."""

from typing import Annotated

from cyclopts import Parameter

Project = Annotated[
    str | None,
    Parameter(help="Project to use; by default GRAPHMEM_PROJECT, the git remote or the folder."),
]
Json = Annotated[
    bool, Parameter(name="--json", help="Print one JSON document to stdout and nothing else.")
]
# Beside another Parameter: the help shows the default.
WITH_DEFAULT = Parameter(show_default=True)
