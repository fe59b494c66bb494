"""What an expression or a type's text names, in every language: a path of names, or nothing."""

import re

from graphmem.text import split_identifier
from graphmem.transfer.code.outlines.outline import Path

NAME_CHARACTERS = 120

_ARGUMENTS = re.compile(r"(?:::)?<[^<>]*>|\[[^\[\]]*\]")
_JOINT = re.compile(r"\s*(?:\?\.|!\.|&\.|\?->|->|::|\.|\\)\s*")
_PATH = re.compile(r"(?:~|@@?)?[\w$#]+(?:\.~?[\w$#]+)*")
# What PHP writes before a name that is seen from the root of all namespaces.
ROOT = "\\"
# A property of PHP is called as a variable is, so that a method of its name is another.
_PHP_PROPERTY = re.compile(r"(?<=->)\s*(?=\w)")
_SUPER = re.compile(r"super\([^()]*\)")
# What stands before a type's name and does not change whose members it has.
_PREFIX = re.compile(
    r"^(?:[&*:]|'\w+\s|(?:mut|dyn|impl|const|struct|enum|union|class|readonly|some|any)\s)+"
)
# Types that stand for what they hold, by their last name.
_WRAPPERS = frozenset(
    {"Annotated", "Arc", "Awaitable", "Box", "Final", "Option", "Optional", "Promise", "Rc",
     "RefCell", "Result", "shared_ptr", "unique_ptr"}
)  # fmt: skip
# Those of them whose own methods have common names.
_WITH_METHODS = frozenset({"Option", "Optional", "Result", "shared_ptr", "unique_ptr"})
_WRAPPED = re.compile(r"^(?:[\w.:]*[.:])?(?P<wrapper>\w+)[<\[](?P<wrapped>.+)[>\]]$")
# A type in a comment of PHP; `Row[]` is a list of rows, and no row.
_DOCUMENTED = re.compile(
    r"@(?P<tag>var|param|return)\s+(?P<type>[\w\\|?$]+)(?:<[^@]*?>)?"
    r"(?=[\s*])(?:\s+(?P<name>\$\w+))?"
)
# Of what a list of PHP is, also of a generator: `Row[]`, `array<int, Row>`, `iterable<Row>|null`.
_DOCUMENTED_LIST = re.compile(
    r"@(?P<tag>var|param|return)\s+(?:\?|null\|)?(?:(?P<item>[\w\\]+)\[\]"
    r"|(?:array|iterable|list|non-empty-array|non-empty-list|\\?(?:Generator|Iterator|Traversable))"
    r"<(?:[\w\\-]+\s*,\s*)?(?P<held>[\w\\]+)>)(?:\|[\w\\]+)*(?=[\s*])(?:\s+(?P<name>\$\w+))?"
)
# Types of PHP that say nothing of what they hold.
LISTS = frozenset({"", "array", "?array", "iterable", "?iterable", "Generator", "\\Generator"})
# A result of Go may have a name before its type.
NAMED_RESULT = re.compile(r"^(?!chan\b|func\b|map\b|interface\b|struct\b)[a-z_]\w*\s+(?=[*\[\w(])")
_NONE = re.compile(
    r"\s*\|\s*(?:None|null|undefined|false)\b|^(?:None|null|undefined|false)\s*\|\s*"
)
_OPERATOR = re.compile(r"^(?:(?P<owner>.*)::)?(?P<name>operator\b.*|~?\w+)$")
_TEXT = re.compile(r'"((?:[^"\\]++|\\.)*+)"')
_NAMING_TEXT = re.compile(rf"\(\s*(?:(?P<suite>\w+)\s*,\s*)?(?P<text>(?:{_TEXT.pattern}\s*)++)")
_WRITTEN_DEEP = 10


def path_of(text: str) -> Path | None:
    """The names of an expression such as `self.store`, `a::b` or `p->q`; None if it is no path."""
    if text.startswith(ROOT):
        below = path_of(text[1:]) if text != ROOT else ()
        return None if below is None else (ROOT, *below)
    if "$" in text and "->" in text:
        text = _PHP_PROPERTY.sub("$", text)
    simple_text = _SUPER.sub("super", _without_arguments(text))
    dotted = _JOINT.sub(".", simple_text).lstrip(".")
    return tuple(dotted.split(".")) if _PATH.fullmatch(dotted) else None


def type_of(text: str) -> Path | None:
    """The names of a type, taken out of pointers, quotes and what only holds it."""
    type_text = text.strip().strip("'\"")
    for _ in range(_WRITTEN_DEEP):
        previous_text = type_text
        type_text = unwrapped(type_text)
        if type_text.startswith("("):  # Go gives several, the first is the value
            type_text = NAMED_RESULT.sub("", type_text[1:].rstrip(")"))
        type_text = split_at_commas(type_text)[0]
        if type_text == previous_text:
            break
    return path_of(type_text)


def unwrapped(text: str) -> str:
    """The text of a type without what changes nothing about its members, and what only holds it."""
    type_text = text.strip().strip("'\"")
    for _ in range(_WRITTEN_DEEP):
        previous_text = type_text
        type_text = _NONE.sub("", type_text).strip().strip("'\"").removesuffix("?")
        type_text = _PREFIX.sub("", type_text.lstrip(":? ")).strip()
        if (wrapper := _WRAPPED.match(type_text)) and wrapper["wrapper"] in _WRAPPERS:
            type_text = split_at_commas(wrapper["wrapped"])[0]
        if type_text == previous_text:
            break
    return type_text


def wrapper_of(text: str) -> str | None:
    """The name of a type that stands for what it holds, and has methods of its own."""
    match = _WRAPPED.match(_PREFIX.sub("", text.strip().lstrip(": ").removeprefix("->").strip()))
    return match["wrapper"] if match and match["wrapper"] in _WITH_METHODS else None


def type_in_comment(text: str, tag: str, name: str = "") -> str:
    """The type that `@return`, or `@param` or `@var` of a name, says in a comment; else nothing."""
    for pattern in (_DOCUMENTED_LIST, _DOCUMENTED):
        for match in pattern.finditer(text if text.startswith("/**") else ""):
            is_meant = match["name"] == name or (tag == "var" and match["name"] is None)
            if match["tag"] == tag and (tag == "return" or is_meant):
                is_list = pattern is _DOCUMENTED_LIST
                return f"list<{match['item'] or match['held']}>" if is_list else match["type"]
    return ""


def split_at_commas(text: str) -> list[str]:
    """The texts between the commas outside of brackets."""
    parts, depth, start = [], 0, 0
    for place, mark in enumerate(text):
        depth += (mark in "<[({") - (mark in ">])}")
        if mark == "," and depth == 0:
            parts.append(text[start:place].strip())
            start = place + 1
    return [*parts, text[start:].strip()]


def split_owner(text: str) -> tuple[str, str]:
    r"""The owner and the name of C++'s `Owner::name`, operators may follow; of PHP's `A\b`."""
    if ROOT in text:
        owner, _, name = text.rpartition(ROOT)
        return owner or ROOT, name
    name_text = text if "operator" in text else _without_arguments(text)
    match = _OPERATOR.match(name_text)
    return (match["owner"] or "", match["name"]) if match else ("", name_text)


def split_type(text: str) -> tuple[str, str]:
    """The owner and the name of a C++ type such as `std::hash<Key>`, which keeps its arguments."""
    depth, end = 0, 0
    for place, mark in enumerate(text):
        depth += (mark == "<") - (mark == ">")
        if mark == ":" and depth == 0:
            end = place + 1
    return text[:end].rstrip(":"), text[end:]


def of_macro(arguments: str) -> str:
    """The name of what a macro defines, empty where its arguments say none.

    It is `Suite.Name` of `(Suite, Name)`, else the first. A name may be a text: `Opens twice` of
    `("Opens twice", "[store]")`, and `Suite.Opens twice` of `(Suite, "Opens twice")`.
    """
    if not _is_one_list(_TEXT.sub("", arguments)):
        return ""
    if named := _NAMING_TEXT.match(arguments):
        words = " ".join("".join(_TEXT.findall(named["text"])).replace('\\"', '"').split())
        return ".".join(word for word in (named["suite"], words) if word)
    names = [argument.strip() for argument in arguments.strip("()").split(",")]
    if len(names) == len(("suite", "name")) and all(name.isidentifier() for name in names):
        return ".".join(names)
    return names[0] if names[0].isidentifier() else ""


def _is_one_list(arguments: str) -> bool:
    """Whether the last mark closes the first; what has more was not understood by the grammar."""
    depth = 0
    for place, mark in enumerate(arguments):
        depth += (mark == "(") - (mark == ")")
        if mark in "{;" or (depth == 0 and place < len(arguments) - 1):
            return False
    return True


def is_telling(name: str) -> bool:
    """Whether a name has several words, which are hardly said but of what it names."""
    return len(split_identifier(name)) > 1


def short(text: str) -> str:
    """A name as it is stored: on one line, without quotes, at most 120 characters."""
    return " ".join(text.strip("'\"`").split())[:NAME_CHARACTERS]


def _without_arguments(text: str) -> str:
    for _ in range(_WRITTEN_DEEP):
        without = _ARGUMENTS.sub("", text)
        if without == text:
            break
        text = without
    return text
