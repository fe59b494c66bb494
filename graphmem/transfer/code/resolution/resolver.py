"""Names become symbols as far as the folder itself says what they mean; nothing is guessed."""

from collections.abc import Iterator

from graphmem.transfer.code.modules import files
from graphmem.transfer.code.modules.files import Modules
from graphmem.transfer.code.outlines.outline import CALLED, SELF, Import, Outline, Path
from graphmem.transfer.code.resolution.extensions import (
    add_members,
    bases_by_extension,
    note_added,
)
from graphmem.transfer.code.resolution.import_targets import (
    module_file,
    qualified_referent,
    resolve,
)
from graphmem.transfer.code.resolution.imported_names import ImportedNames, imported_names
from graphmem.transfer.code.resolution.index import Index, packages_around
from graphmem.transfer.code.resolution.inheritance import Inheritance
from graphmem.transfer.code.resolution.members import SEES_MEMBERS, Members
from graphmem.transfer.code.resolution.namesakes import nearest
from graphmem.transfer.code.resolution.partial_types import join_parts
from graphmem.transfer.code.resolution.php_names import is_php_variable, php_parent, php_referent
from graphmem.transfer.code.resolution.receivers import Receivers
from graphmem.transfer.code.resolution.referents import (
    OUTSIDE,
    UNKNOWN,
    Module,
    Referent,
    Unresolved,
    type_or_none,
)
from graphmem.transfer.code.resolution.results import Results
from graphmem.transfer.code.resolution.ruby import Ruby
from graphmem.transfer.code.resolution.sites import Site
from graphmem.transfer.code.resolution.variable_types import VariableTypes

DEEPEST = 30
# As many others may be looked up for a name; a person's has fewer, each perhaps several times.
MOST_WALKS = 500
_OF_CLASS = frozenset({("csharp", "base"), ("java", "super"), ("swift", "super")})
# What may stand for the type around, an object of it, or what that inherits from.
_OF_TYPE_AROUND = SELF | {"base", "parent", "static", "super"}

# Families in which a field may have the name of a method.
_FIELDS_APART = frozenset({"java", "rust"})


class Resolver:
    """Looks up what names mean.

    Args:
        index: The symbols; methods that stand outside of their type's file are added to it.
        modules: The files by what imports call them.
    """

    def __init__(self, index: Index, modules: Modules) -> None:
        self.index = index
        self.modules = modules
        self._depth = self._walks = 0
        self._imported_names: dict[str, ImportedNames] = {}
        # What was looked up. While it is being looked up it leads nowhere, so circles end.
        self._imports: dict[tuple[str, Import], Referent] = {}
        self._receivers = Receivers(self)
        self._ruby = Ruby(index)
        join_parts(index)
        self.inheritance = Inheritance(self)
        self._look_up_anew()
        for outline in index.outlines.values():
            self._imported_names[outline.path] = imported_names(outline, modules, index)
        add_members(self)
        note_added(self)
        if extended := list(bases_by_extension(self)):
            self.inheritance.add(extended)
            # What was looked up until now did not know of these.
            self._look_up_anew()

    def _look_up_anew(self) -> None:
        self._variable_types = VariableTypes(self)
        self._members = Members(self, self._variable_types, self.inheritance)
        self._results = Results(self, self._variable_types, self.inheritance)

    def walk(self, site: Site, path: Path) -> Referent:
        """What a path of names means.

        Args:
            site: Where it stands.
            path: The names; an empty first one for something that is no name.

        Returns:
            A symbol, a module, OUTSIDE for what the folder does not hold, or UNKNOWN where that
            cannot be told.
        """
        if site.family == "ruby":
            return self._ruby.walk(site, path)
        if self._depth == 0:
            self._walks = 0
        if self._depth >= DEEPEST or self._walks >= MOST_WALKS:
            return UNKNOWN
        self._depth += 1
        self._walks += 1
        try:
            return self._walk(site, path)
        finally:
            self._depth -= 1

    def _walk(self, site: Site, path: Path) -> Referent:
        part = next((index for index, name in enumerate(path) if name.startswith("[")), None)
        if part is None:
            first_call = path.index(CALLED) if CALLED in path else len(path)
            referent, count = self._start(site, path[:first_call])
            if isinstance(referent, Unresolved) and first_call == 1 < len(path):
                referent = self._results.called_object(site, path[0]) or referent
        else:
            referent, count = self._results.element_type(site, path[:part], path[part]), part + 1
        is_called = count > 1 and path[count : count + 1] == (CALLED,)
        owner = self.object_of(site, path[: count - 1]) if is_called else UNKNOWN
        end = self._results.resolve_rest(site, path[count - 1 :], referent, owner)
        is_open = part is None and isinstance(end, Unresolved)
        return self._results.element_referent(site, path) if is_open else end

    def object_of(self, site: Site, path: Path) -> Referent:
        """The type of the object that a path means before the name of a member."""
        if len(path) > 1 or self._depth >= DEEPEST:
            return self.walk(site, path)
        referent = self._special(site, path[0])
        if referent is None:
            referent = self._type_of_variable(site, path[0])
        return self.walk(site, path) if referent is None else referent

    def value(self, referent: Referent, path: Path) -> Referent | None:
        """The type of a variable of a module that a path begins with and asks for more."""
        if not isinstance(referent, Module) or referent.file is None:
            return None
        if len(path) == 1 or path[1] == CALLED:
            return None
        value = self._variable_types.of(referent.file, path[:1])
        return None if isinstance(value, Unresolved) else value

    def step(self, referent: Referent, *names: str) -> Referent:
        """What names mean that follow a symbol or a module; OUTSIDE after anything else."""
        for name in names:
            referent = self._members.member(referent, name)
        return referent

    def field(self, referent: Referent, path: Path) -> Referent | None:
        """The type of a field that the rest of a path begins with, where methods have its name."""
        type_ = type_or_none(referent)
        if type_ is None or path[1:2] in {(), (CALLED,)}:
            return None
        has_fields = self.index.family_of(type_) in _FIELDS_APART
        return self._members.field(type_, path[0]) if has_fields else None

    def resolve_import(self, outline: Outline, statement: Import) -> Referent:
        """What an import means."""
        key = (outline.path, statement)
        if key not in self._imports:
            self._imports[key] = OUTSIDE
            self._imports[key] = resolve(self, outline, statement)
        return self._imports[key]

    def imported(self, outline: Outline, name: str) -> Referent | None:
        """What a file imports under a name, None where it imports nothing so."""
        statement = self._imported_names[outline.path].names.get(name)
        return None if statement is None else self.resolve_import(outline, statement)

    def other_name(self, outline: Outline, name: str) -> Referent:
        """What a variable of a module stands for that has a symbol's name for its value."""
        variables = self.index.variables_of(outline.path, (name,))
        sources = {variable.origin_variable for variable in variables}
        source = sources.pop() if len(sources) == 1 else None
        return UNKNOWN if source is None else self.walk(Site(outline), (source,))

    def wildcards(self, outline: Outline) -> Iterator[Referent]:
        """The modules and packages of which a file imports everything."""
        for statement in self._imported_names[outline.path].wildcards:
            if outline.language.family in {"python", "ecmascript"}:
                file = module_file(self, outline, statement)
                yield OUTSIDE if file is None else Module(file)
            else:
                yield self.resolve_import(outline, statement)

    # The first name

    def _start(self, site: Site, path: Path) -> tuple[Referent, int]:
        """What the first names of a path mean, and how many these are."""
        passed_over = 0
        while (start := self._qualified_start(site, path[passed_over:])) is None:
            passed_over += 1
        referent, count = start
        return referent, passed_over + count

    def _qualified_start(self, site: Site, path: Path) -> tuple[Referent, int] | None:
        """The same; None where the first name of several only qualifies the next."""
        first_name = path[0]
        if not first_name:
            return UNKNOWN, 1
        first_referent = self._special(site, first_name)
        if first_referent is None and (len(path) > 1 or is_php_variable(site.outline, first_name)):
            first_referent = self._type_of_variable(site, first_name)
        if first_referent is not None:
            return first_referent, 1
        if site.family == "php":
            imports = self._imported_names[site.outline.path].names
            return php_referent(self, site.outline, imports, path), len(path)
        return self._named(site, path)

    def _named(self, site: Site, path: Path) -> tuple[Referent, int] | None:
        """The same for names of definitions and imports."""
        first_name, outline = path[0], site.outline
        if (start := self._imported_names[outline.path].at_start(path)) is not None:
            statement, count = start
            referent = self.resolve_import(outline, statement)
            file = module_file(self, outline, statement) if referent is OUTSIDE else None
            rest = (statement.name or "", *path[count:])
            value = self.value(Module(file), rest) if file else None
            is_hidden = value is not None and site.has_parameter(first_name)
            return UNKNOWN if is_hidden else value or referent, count
        for referent in self._visible_referents(site, first_name):
            if not isinstance(referent, Unresolved):
                return referent, 1
        if len(path) > 1 and first_name in self.index.namespaces[outline.path]:
            return None
        referent = qualified_referent(self, outline, path)
        nowhere = OUTSIDE if first_name[0].isupper() else UNKNOWN
        return (nowhere, 1) if isinstance(referent, Unresolved) else (referent, len(path))

    def _type_of_variable(self, site: Site, name: str) -> Referent | None:
        origin = site.origin
        referent = None if origin is None else self._variable_types.of(origin, (name,))
        is_seen = origin is None or site.family != "php"
        if referent is not None or not is_seen:
            return referent
        value = self._variable_types.of(site.outline.path, (name,))
        return UNKNOWN if value is not None and site.has_parameter(name) else value

    def _special(self, site: Site, first_name: str) -> Referent | None:
        """What a language's own word for a type, its base or a module means; None for names."""
        family = site.family
        owner = self._receivers.receiver(site.origin) if first_name in _OF_TYPE_AROUND else None
        is_static = first_name == "static" and family == "php"
        if (first_name in SELF or is_static) and owner is not None:
            return owner
        if family == "rust":
            file = files.rust_above(self.modules, site.outline.path, first_name)
            return Module(file) if file in self.index.outlines else None
        of_class = (family, first_name) in _OF_CLASS
        if (first_name == "super" or of_class) and owner is not None:
            # A class that implements interfaces beside has their members by itself.
            bases = self.inheritance.bases(owner)
            bases = [base for base in bases if not of_class or base.kind != "Interface"]
            return bases[0] if len(bases) == 1 else OUTSIDE
        if first_name == "parent" and owner is not None and family == "php":
            return php_parent(self.inheritance.bases(owner))
        return None

    def _visible_referents(self, site: Site, name: str) -> Iterator[Referent]:
        """What is seen under a name without an import of it, nearest first."""
        outline, origin, family = site.outline, site.origin, site.family
        if family in SEES_MEMBERS:
            owner = self._receivers.type_around(origin)
            is_added = origin is not None and origin.extended is not None
            if is_added and (receiver := self._receivers.receiver(origin)) is not None:
                yield self._members.member_of_type(receiver, name)
            while owner is not None:
                yield self._members.member_of_type(owner, name)
                owner = self.index.owners.get(owner)
        origin_path = () if origin is None else origin.path
        symbols_of_file = self.index.top_level.get((outline.path, name), ())
        yield nearest(symbols_of_file, origin_path) or self.other_name(outline, name)
        for package in () if symbols_of_file else packages_around(outline):
            symbols = self.index.packages.get(package, {}).get(name, ())
            yield nearest(symbols, origin_path) or UNKNOWN
        for referent in self.wildcards(outline):
            yield self.step(referent, name)
        if family == "rust":
            child = files.rust_child(self.modules, outline.path, name)
            file = child or self.modules.crates.get(name)
            yield UNKNOWN if file is None else Module(file)
