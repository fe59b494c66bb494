"""Where the modules are that imports of JavaScript and TypeScript name."""

import posixpath
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field

from graphmem.importing import json_text
from graphmem.importing.refusing import Refused
from graphmem.transfer.code.files.folder import Manifest, parents
from graphmem.transfer.code.modules.path_patterns import PathPatterns, path_patterns
from graphmem.transfer.code.modules.script_configs import Configs

_SUFFIXES = (".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mts", ".cts", ".mjs", ".cjs")
_SUFFIX = re.compile(r"(?:\.d\.[mc]?ts|\.[mc]?jsx?)$")  # of what a compiler made
# What a `package.json` calls the first file of its package, the likeliest to be its source first.
_ENTRIES = ("source", "main", "module", "types")
_OF_A_PACKAGE = ("src", "")  # where the sources of a package are
_BUILT = re.compile(r"^(?:\./)?(?:build|dist|lib|out)/")  # where a compiler puts them
# How an application calls the folder of its own sources where no config says it, and how
# Docusaurus calls that of the site.
_OWN_SOURCES = ("@/", "~/", "@site/")


@dataclass(frozen=True, slots=True)
class Package:
    """A package.

    Args:
        manifest: Its `package.json`.
        entries: What that calls its first file.
        exports: Its modules as others name them: `.` or `./adapters/*`.
        imports: Its modules as its own files name them: `#adapters/*`.
    """

    manifest: Manifest
    entries: tuple[str, ...]
    exports: PathPatterns
    imports: PathPatterns

    def places(self, path: str) -> list[str]:
        """Where a module of the package may be, the likeliest first; empty for the package."""
        named = [*(() if path else self.entries), *self.exports.paths(f"./{path}" if path else ".")]
        sources = [_BUILT.sub("src/", name) for name in named if _BUILT.match(name)]
        folders = (posixpath.join(folder, path) for folder in _OF_A_PACKAGE)
        return self._inside([*named, *sources, *folders])

    def places_inside(self, name: str) -> list[str]:
        """Where a module that only the package's own files name may be, the likeliest first."""
        return self._inside(self.imports.paths(name))

    def _inside(self, paths: Iterable[str]) -> list[str]:
        places = (self.manifest.place(path) for path in paths)
        return [place for place in places if place is not None]


@dataclass(frozen=True, slots=True)
class Packages:
    """The packages that an import may name, or be in.

    Args:
        by_name: Those with a name; None where two have it.
        by_folder: All, by the folder they are in.
        configs: What else says where modules are.
        known: The places of modules that were looked up, by the folder of the file and their names.
    """

    by_name: dict[str, Package | None] = field(default_factory=dict)
    by_folder: dict[str, Package] = field(default_factory=dict)
    configs: Configs = field(default_factory=Configs)
    known: dict[tuple[str, str], str | None] = field(default_factory=dict)

    def add(self, manifest: Manifest) -> None:
        """Note a package; of those above the imported folder the nearest comes first."""
        try:
            fields = json_text.parse(manifest.text.removeprefix("\ufeff"))
        except Refused:
            fields = None
        fields = fields if isinstance(fields, dict) else {}
        entries = tuple(entry for key in _ENTRIES if isinstance(entry := fields.get(key), str))
        exports = fields.get("exports")
        if not isinstance(exports, dict) or not any(key.startswith(".") for key in exports):
            exports = {".": exports}
        imports = path_patterns(fields.get("imports"))
        package = Package(manifest, entries, path_patterns(exports), imports)
        self.by_folder.setdefault(manifest.folder, package)
        if isinstance(name := fields.get("name"), str):
            self.by_name[name] = None if name in self.by_name else package

    def places(self, file: str, module_name: str) -> list[str]:
        """Where the module of an import may be, the likeliest first.

        Args:
            file: The file with the import.
            module_name: `./x` for a place, what a config of the file's folder or those above says,
                `@/x`, `~/x` and `@site/x` for one below the sources of the package that the file is
                in, `#x` for what that package says, else the name of a package, perhaps with a
                path in it.
        """
        if module_name.startswith("."):
            return [posixpath.join(posixpath.dirname(file), module_name)]
        configured = self.configs.places(file, module_name)
        return [*configured, *self._places_in_packages(file, module_name)]

    def _places_in_packages(self, file: str, module_name: str) -> list[str]:
        own_sources = next(filter(module_name.startswith, _OWN_SOURCES), None)
        if own_sources is not None or module_name.startswith("#"):
            packages = (self.by_folder.get(folder) for folder in parents(file))
            own_package = next(filter(None, packages), None)
            if own_package is None or own_sources is None:
                return [] if own_package is None else own_package.places_inside(module_name)
            return own_package.places(module_name.removeprefix(own_sources))
        parts = module_name.split("/")
        length = 2 if module_name.startswith("@") else 1
        package = self.by_name.get("/".join(parts[:length]))
        return [] if package is None else package.places("/".join(parts[length:]))


def file_at(places: Iterable[str], files: Collection[str]) -> str | None:
    """The file of the first module that there is; an import of `x.js` may mean `x.ts`."""
    candidates = (path for place in places for path in _paths(place))
    return next((path for path in candidates if path in files), None)


def _paths(place: str) -> Iterator[str]:
    path = posixpath.normpath(place)
    path = "" if path == "." else path
    stem = _SUFFIX.sub("", path)
    folder = f"{path}/" if path else ""
    yield path
    for beginning in (path, stem) if stem != path else (path,):
        yield from (f"{beginning}{suffix}" for suffix in _SUFFIXES)
    yield from (f"{folder}index{suffix}" for suffix in _SUFFIXES)
