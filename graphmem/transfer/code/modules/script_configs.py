"""Where `paths` and `baseUrl` of `tsconfig.json` and `jsconfig.json` say that modules are."""

import itertools
import posixpath
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from graphmem.importing import json_text
from graphmem.importing.refusing import Refused
from graphmem.transfer.code.files.folder import SCRIPT_CONFIGS, Manifest, parents
from graphmem.transfer.code.modules.path_patterns import PathPatterns, path_patterns

# So many configs may be extended by one, or stand for parts of its folder.
_MOST_CONFIGS = 20
# The folder of the config that holds for a file, in one that it extends.
_OWN_FOLDER = "${configDir}"
# A text, or a comment; either may lack its end.
_COMMENT = re.compile(r'"(?:[^"\\\n]++|\\.)*+"?|//[^\n]*+|/\*.*?(?:\*/|\Z)', re.DOTALL)
_LAST_COMMA = re.compile(r'"(?:[^"\\\n]++|\\.)*+"?|,(?=\s*+[\]}])', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Location:
    """A folder or module as a config names it.

    Args:
        manifest: The config from which it is seen.
        path: Its path from there.
    """

    manifest: Manifest
    path: str = ""

    @property
    def place(self) -> str | None:
        """Its path as seen from the imported folder; None where it is outside."""
        return self.manifest.place(self.path)

    def at(self, path: str) -> "Location":
        """What has a path below it."""
        return Location(self.manifest, posixpath.join(self.path, path))


@dataclass(frozen=True, slots=True)
class Options:
    """What holds for the files of a config, which may extend others.

    Args:
        own: The folder of the config.
        root: The folder from which the paths of its patterns are seen.
        patterns: Its `paths`.
        base: Its `baseUrl`.
    """

    own: Location
    root: Location
    patterns: PathPatterns
    base: Location | None

    def places(self, module_name: str) -> list[str]:
        """Where a module may be, the likeliest first."""
        locations = [_at(self.root, path, self.own) for path in self.patterns.paths(module_name)]
        if self.base is not None:
            locations.append(self.base.at(module_name))
        return [place for location in locations if (place := location.place) is not None]


@dataclass(frozen=True, slots=True)
class _Config:
    """A config as it is written.

    Args:
        manifest: Its file.
        path: Of the file, as seen from the imported folder.
        fields: What it says.
        patterns: Its own `paths`.
        base: Its own `baseUrl`.
    """

    manifest: Manifest
    path: str
    fields: dict[str, Any]
    patterns: PathPatterns | None
    base: str | None

    def named(self, key: str) -> Iterator[str]:
        """The paths of the configs that a field names by theirs."""
        value = self.fields.get(key)
        for item in (value if isinstance(value, list) else [value])[:_MOST_CONFIGS]:
            name = item.get("path") if isinstance(item, dict) else item
            if isinstance(name, str) and name.startswith("."):
                path = posixpath.normpath(posixpath.join(posixpath.dirname(self.path), name))
                yield path if path.endswith(".json") else f"{path}.json"


@dataclass(frozen=True, slots=True)
class Configs:
    """The configs of an import, by their paths as seen from the imported folder.

    Args:
        by_path: All; the path of one above the imported folder begins with `..`.
        above: The folders above the imported one that have any, nearest first: `..`, `../..`.
        known: The options of those that were looked up.
    """

    by_path: dict[str, _Config] = field(default_factory=dict)
    above: dict[str, None] = field(default_factory=dict)
    known: dict[str, tuple[Options, ...]] = field(default_factory=dict)

    def add(self, manifest: Manifest) -> None:
        """Note a config."""
        folder = manifest.folder
        if manifest.below:
            folder = "/".join([".."] * len(manifest.below.split("/")))
            self.above.setdefault(folder)
        path = posixpath.join(folder, manifest.name)
        fields = _fields(manifest.text)
        options = fields.get("compilerOptions")
        options = options if isinstance(options, dict) else {}
        paths, base = options.get("paths"), options.get("baseUrl")
        self.by_path[path] = _Config(
            manifest,
            path,
            fields,
            patterns=path_patterns(paths) if isinstance(paths, dict) else None,
            base=base if isinstance(base, str) else None,
        )

    def places(self, file: str, module_name: str) -> list[str]:
        """Where a module that a file imports may be, the likeliest first."""
        config = self._nearest(file)
        if config is None:
            return []
        if config.path not in self.known:
            self.known[config.path] = tuple(self._options(config))
        return [
            place for options in self.known[config.path] for place in options.places(module_name)
        ]

    def _nearest(self, file: str) -> _Config | None:
        """The config of the nearest folder that has one."""
        folders = itertools.chain(parents(file), self.above)
        paths = (posixpath.join(folder, name) for folder in folders for name in SCRIPT_CONFIGS)
        return next((self.by_path[path] for path in paths if path in self.by_path), None)

    def _options(self, config: _Config) -> Iterator[Options]:
        """The options of a config, then of those in its folder that it shares its files out to."""
        yield self._with_inherited(config)
        for path in config.named("references"):
            part = self.by_path.get(path)
            if part is not None and posixpath.dirname(path) == posixpath.dirname(config.path):
                yield self._with_inherited(part)

    def _with_inherited(self, config: _Config) -> Options:
        own = Location(config.manifest)
        root, patterns, base = own, PathPatterns(), None
        for inherited in reversed(self._chain(config)):
            folder = Location(inherited.manifest)
            if inherited.patterns is not None:
                root, patterns = folder, inherited.patterns
            if inherited.base is not None:
                base = _at(folder, inherited.base, own)
        return Options(own, base or root, patterns, base)

    def _chain(self, config: _Config) -> list[_Config]:
        """A config and those that it extends, each before what it takes precedence of."""
        chain: dict[str, _Config] = {}
        paths = [config.path]
        while paths and len(chain) < _MOST_CONFIGS:
            path = paths.pop()
            if path in self.by_path and path not in chain:
                chain[path] = self.by_path[path]
                paths += chain[path].named("extends")
        return list(chain.values())


def _at(folder: Location, path: str, own: Location) -> Location:
    """What has a path as seen from a folder, or from that of the config that holds for a file."""
    is_own = path.startswith(_OWN_FOLDER)
    return own.at(f".{path.removeprefix(_OWN_FOLDER)}") if is_own else folder.at(path)


def _fields(content: str) -> dict[str, Any]:
    """The fields of JSON with comments and commas behind the last item; of anything else none."""
    without_comments = _COMMENT.sub(_text_or("\n"), content.removeprefix("\ufeff"))
    try:
        fields = json_text.parse(_LAST_COMMA.sub(_text_or(""), without_comments))
    except Refused:
        return {}
    return fields if isinstance(fields, dict) else {}


def _text_or(other: str) -> Callable[[re.Match[str]], str]:
    return lambda match: match[0] if match[0].startswith('"') else other
