"""What a file of code says, read from what the queries found in it; nothing is looked up yet."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from graphmem.transfer.code.languages import Language

# Names, one after the other. A variable of an inner scope is `name@4711`, by the first byte of its
# scope, which `scopes` tells.
Path = tuple[str, ...]
# In a path, after what is called: what that gives.
CALLED = "()"
# Likewise: each of what it holds, such as an element of a list, and each value of a mapping.
ELEMENT, VALUE = "[]", "[:]"
# What an object calls itself, or its type.
SELF = frozenset({"self", "this", "cls", "Self", "$this"})
# The path of what a function gives that says no type; no variable is called so.
GIVEN = ("return",)
# The types of what a type holds, by these marks and those of `result`.
Parts = tuple[tuple[str, Path], ...]
# The place of an argument that stands behind the others.
LAST = -1
# What a call gives: of each argument the last name of its type, `$` and the name of a variable, or
# nothing where neither is known.
Arguments = tuple[str, ...]


def result(index: int) -> str:
    """The mark in a path for one of several results, which count from 0."""
    return f"[{index}]"


@dataclass(frozen=True, slots=True)
class Arity:
    """How many arguments a function takes.

    Args:
        least: The fewest.
        most: The most; None for any number.
        types: Those of its parameters, as they are written, without what they hold.
        labels: What stands before each argument in Swift, `_` for nothing.
        optional: The places of those in the labels that need not be given.
        closure: Whether an argument is written to be a function in Swift.
    """

    least: int
    most: int | None
    types: tuple[str, ...] = ()
    labels: Path = ()
    optional: frozenset[int] = frozenset()
    closure: bool = False

    def allows(self, count: int, labels: Path = ()) -> bool:
        """Whether so many arguments can be given, of which the first have labels in Swift."""
        if count < self.least or (self.most is not None and count > self.most):
            return False
        if self.most is None or not self.labels:
            return not self.labels or {*labels} <= {*self.labels, "_"}
        return self._lacks(labels) <= count - len(labels)

    def _lacks(self, labels: Path) -> int:
        """How many arguments are lacking beside those with labels; too many for wrong labels."""
        lacking, place = 0, 0
        for label in labels:
            while place < len(self.labels) and self.labels[place] != label:
                lacking += place not in self.optional
                place += 1
            if place == len(self.labels):
                return len(self.labels) + len(labels)
            place += 1
        return lacking + sum(rest not in self.optional for rest in range(place, len(self.labels)))


@dataclass(frozen=True, slots=True, eq=False)
class Symbol:
    """A definition.

    Args:
        file: Its file's path.
        kind: Function, Method, Class, Struct, Interface, Enum, Trait, Type, Macro or Constant.
        path: Its name after those of what it stands in: `("Server", "handle")`.
        first_line: Its first line, from 1; comments above it do not count.
        last_line: Its last line.
        signature: What it says before its body, on one line.
        test: Whether it is a test or stands among tests.
        private: Whether it is seen in its own file, or its type, only.
        returns: The name of the type it gives, where that can be said in one.
        static: Whether the type itself is asked for it, as Ruby's `def self.open` says.
        abstract: Whether it is a method without a body, as interfaces have them.
        implements: In Rust, the trait of the `impl` that it stands in.
        arity: How many arguments it takes, where the language tells functions apart by that.
        parts: The types of what it gives holds.
        wrapper: What the type it `returns` is held by, such as `Option`.
        extended: The type that Kotlin or C# adds it to, wherever it stands.
        parameters: The types of its parameters as they are written, where those may be functions;
            in TypeScript of each way in which it is declared to be called.
    """

    file: str
    kind: str
    path: Path
    first_line: int
    last_line: int
    signature: str
    test: bool
    private: bool
    returns: Path | None
    static: bool = False
    abstract: bool = False
    implements: Path | None = None
    arity: Arity | None = None
    parts: Parts = ()
    wrapper: str | None = None
    extended: Path | None = None
    parameters: tuple[tuple[str, ...], ...] = ()

    @property
    def short(self) -> str:
        """Its own name alone."""
        return self.path[-1]

    @property
    def modifiers(self) -> frozenset[str]:
        """The words before its name, such as `private` and `static`."""
        return frozenset(self.signature.partition(self.short)[0].split())

    @property
    def is_callable(self) -> bool:
        """Whether it is a function, or a property, which looks like one."""
        return self.kind in {"Function", "Method"}

    def has_parameter(self, name: str) -> bool:
        """Whether it has a parameter of a name, which may have no type that is known."""
        signature = self.signature if self.is_callable else ""
        return re.search(rf"[(,]\s*\*{{0,2}}{re.escape(name)}\b", signature) is not None

    @property
    def is_type(self) -> bool:
        """Whether it has members."""
        return self.kind not in {"Function", "Method", "Macro", "Constant"}


@dataclass(frozen=True, slots=True)
class Use:
    """A name that is called, passed on, inherited from, or mentioned.

    Args:
        origin: The symbol in which that happens, or None for the module level.
        path: The names that lead there: `("self", "store", "get")`, with `CALLED` after what is
            called on the way; an empty first one stands for something that is no name.
        relation: CALLS, PASSES for an argument that may be a function, INHERITS, or IMPORTS for a
            mention that only shows what is imported.
        arguments: What a call gives, where it says that.
        labels: What stands before each argument in the parentheses of Swift, `_` for nothing.
        heir: The type that inherits, where that may be in another file.
    """

    origin: Symbol | None
    path: Path
    relation: str
    arguments: Arguments | None = None
    labels: Path = ()
    heir: Path | None = None


@dataclass(frozen=True, slots=True)
class Import:
    """What a file imports.

    Args:
        module: As it is written.
        name: What of the module; None for the module itself.
        alias: What it is called here, if that is another name.
        default: Whether it is what the module exports by default, called `alias`.
        wildcard: Whether it is everything of the module.
        exported: Whether what imports the file's module has it, too.
    """

    module: str
    name: str | None = None
    alias: str | None = None
    default: bool = False
    wildcard: bool = False
    exported: bool = False


@dataclass(frozen=True, slots=True)
class LambdaParameter:
    """Which parameter a variable is of a function without a name that a call gets.

    Args:
        argument: Which argument the function is, from 0, or LAST.
        place: Which of its parameters, from 0.
        count: How many it has; None where it names none.
    """

    argument: int
    place: int
    count: int | None

    def may_be_of(self, count: int) -> bool:
        """Whether a function with so many parameters may be meant."""
        return self.place < count and self.count in {None, count}


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable, parameter or field, and what is known of its type.

    Args:
        origin: The symbol in which it is; a type for a field.
        path: Its name, `name@4711` where several scopes have one of it, perhaps after `self` or
            `this`; `GIVEN` for what a function gives.
        type: Its type's name.
        creator: The path of the function or type that is called for its value, or of what holds
            it, with a mark for which part it is.
        origin_variable: The variable it takes its value from.
        parts: The types of what its type holds.
        lambda_parameter: Which one it is, if it is one; the creator is what the function is given
            to, then.
        narrowed: Whether the type is one that the code asks whether the value has it.
    """

    origin: Symbol | None
    path: Path
    type: Path | None = None
    creator: Path | None = None
    origin_variable: str | None = None
    parts: Parts = ()
    lambda_parameter: LambdaParameter | None = None
    narrowed: bool = False


@dataclass(frozen=True, slots=True)
class Source:
    """What stands in a file for a symbol.

    Args:
        text: The comments above it and its source; of a class, its methods' signatures alone.
        code: The same with its methods whole; None where the text has all.
    """

    text: str
    code: str | None


@dataclass(frozen=True, slots=True, eq=False)
class Outline:
    """A file.

    Args:
        path: As seen from the folder that is imported.
        language: What it is written in.
        lines: How many it has.
        text: What stands in it beside its symbols.
        test: Whether it holds tests.
        package: What it says its package is; empty where it says nothing.
        default: The name it exports by default.
        symbols: In the order of the file.
        uses: Likewise.
        imports: Likewise.
        variables: Likewise.
        sources: What stands there for each symbol.
    """

    path: str
    language: Language
    lines: int
    text: str
    test: bool
    package: str
    default: str | None
    symbols: tuple[Symbol, ...]
    uses: tuple[Use, ...]
    imports: tuple[Import, ...]
    variables: tuple[Variable, ...]
    sources: Mapping[Symbol, Source]

    def without_text(self) -> "Outline":
        """The same without the text and the sources: enough to resolve the links."""
        return replace(self, text="", sources={})
