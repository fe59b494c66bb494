"""Where the modules are that imports of JavaScript and TypeScript name."""

import posixpath
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from graphmem.importing import json_text
from graphmem.importing.refusing import Refused
from graphmem.transfer.code.folder import Manifest, parents

_SUFFIXES = (".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mts", ".cts", ".mjs", ".cjs")
# What a `package.json` calls the first file of its package, the likeliest to be its source first.
_ENTRIES = ("source", "main", "module", "types")
_OF_A_PACKAGE = ("src", "")  # where the sources of a package are
_OWN_SOURCES = ("@/", "~/")  # how an application calls the folder of its own sources


@dataclass(frozen=True, slots=True)
class Package:
    """A package.

    Args:
        manifest: Its `package.json`.
        entries: What that calls its first file.
    """

    manifest: Manifest
    entries: tuple[str, ...]

    def places(self, path: str) -> list[str]:
        """Where a module of the package may be, the likeliest first; empty for the package."""
        entries = () if path else self.entries
        paths = (*entries, *(posixpath.join(folder, path) for folder in _OF_A_PACKAGE))
        places = (self.manifest.place(path) for path in paths)
        return [place for place in places if place is not None]


@dataclass(frozen=True, slots=True)
class Packages:
    """The packages that an import may name, or be in.

    Args:
        by_name: Those with a name; None where two have it.
        by_folder: All, by the folder they are in.
    """

    by_name: dict[str, Package | None] = field(default_factory=dict)
    by_folder: dict[str, Package] = field(default_factory=dict)

    def add(self, manifest: Manifest) -> None:
        """Note a package; of those above the imported folder the nearest comes first."""
        try:
            fields = json_text.parse(manifest.text.removeprefix("\ufeff"))
        except Refused:
            fields = None
        fields = fields if isinstance(fields, dict) else {}
        entries = tuple(entry for key in _ENTRIES if isinstance(entry := fields.get(key), str))
        package = Package(manifest, entries)
        self.by_folder.setdefault(manifest.folder, package)
        if isinstance(name := fields.get("name"), str):
            self.by_name[name] = None if name in self.by_name else package

    def places(self, file: str, module_name: str) -> list[str]:
        """Where the module of an import may be, the likeliest first.

        Args:
            file: The file with the import.
            module_name: `./x` for a place, `@/x` and `~/x` for one below the sources of the package
                that the file is in, else the name of a package, perhaps with a path in it.
        """
        if module_name.startswith("."):
            return [posixpath.join(posixpath.dirname(file), module_name)]
        if module_name.startswith(_OWN_SOURCES):
            folder = next((folder for folder in parents(file) if folder in self.by_folder), None)
            return [] if folder is None else self.by_folder[folder].places(module_name[2:])
        parts = module_name.split("/")
        length = 2 if module_name.startswith("@") else 1
        package = self.by_name.get("/".join(parts[:length]))
        return [] if package is None else package.places("/".join(parts[length:]))


def file_at(places: Iterable[str], files: Collection[str]) -> str | None:
    """The file of the first module that there is; an import of `x.js` may mean `x.ts`."""
    candidates = (path for place in places for path in _paths(place))
    return next((path for path in candidates if path in files), None)


def _paths(place: str) -> list[str]:
    path = posixpath.normpath(place)
    path = "" if path == "." else path
    stem = re.sub(r"\.[mc]?jsx?$", "", path)
    return [
        path,
        *(f"{path}{suffix}" for suffix in _SUFFIXES),
        *(f"{stem}{suffix}" for suffix in _SUFFIXES),
        *(posixpath.join(path, f"index{suffix}") for suffix in _SUFFIXES),
    ]
