"""What the modules of this folder may ask the resolver."""

from collections.abc import Iterator
from typing import Protocol

from graphmem.transfer.code.modules.files import Modules
from graphmem.transfer.code.outlines.outline import Outline, Path
from graphmem.transfer.code.resolution.index import Index
from graphmem.transfer.code.resolution.referents import Referent
from graphmem.transfer.code.resolution.sites import Site


class NameResolver(Protocol):
    """Knows what names mean in a file."""

    index: Index
    modules: Modules

    def walk(self, site: Site, path: Path) -> Referent:
        """What a path of names means."""

    def imported(self, outline: Outline, name: str) -> Referent | None:
        """What a file imports under a name, None where it imports nothing so."""

    def other_name(self, outline: Outline, name: str) -> Referent:
        """What a variable of a module stands for that has a symbol's name for its value."""

    def step(self, referent: Referent, *names: str) -> Referent:
        """What names mean that follow a symbol or a module; OUTSIDE after anything else."""

    def field(self, referent: Referent, path: Path) -> Referent | None:
        """The type of a field that the rest of a path begins with, where methods have its name."""

    def value(self, referent: Referent, path: Path) -> Referent | None:
        """The type of a variable of a module that a path begins with and asks for more."""

    def object_of(self, site: Site, path: Path) -> Referent:
        """The type of the object that a path means before the name of a member."""

    def wildcards(self, outline: Outline) -> Iterator[Referent]:
        """The modules and packages of which a file imports everything."""
