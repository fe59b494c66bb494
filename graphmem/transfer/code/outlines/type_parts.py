"""The types of what a type holds, where its text says them, such as those of elements."""

import re

from graphmem.transfer.code.outlines.names import (
    NAMED_RESULT,
    split_at_commas,
    type_of,
    unwrapped,
    wrapper_of,
)
from graphmem.transfer.code.outlines.outline import ELEMENT, VALUE, Parts, result

# Types whose first argument is what they hold, by their last name.
_COLLECTIONS = frozenset(
    {"Array", "ArrayDeque", "ArrayList", "AsyncGenerator", "AsyncIterable", "AsyncIterator",
     "BTreeSet", "BinaryHeap", "Collection", "Deque", "FrozenSet", "Generator", "HashSet",
     "DoubleEndedIterator", "ExactSizeIterator", "IAsyncEnumerable", "ICollection", "IEnumerable",
     "IList", "IReadOnlyCollection", "IReadOnlyList", "ISet", "ImmutableArray", "IntoIterator",
     "Iterable", "IterableIterator", "Iterator",
     "LinkedHashSet", "LinkedList", "List", "MutableCollection", "MutableList", "MutableSet",
     "Queue", "ReadonlyArray", "ReadonlySet", "Sequence", "Set", "Stream", "Vec", "VecDeque",
     "deque", "frozenset", "initializer_list", "list", "set", "span", "vector"}
)  # fmt: skip
# Types whose second argument is what they hold.
_MAPS = frozenset(
    {"BTreeMap", "ConcurrentDictionary", "ConcurrentHashMap", "ConcurrentMap", "Dict", "Dictionary",
     "HashMap", "IDictionary", "IReadOnlyDictionary", "LinkedHashMap", "Map", "Mapping",
     "MutableMap", "MutableMapping", "OrderedDict", "ReadonlyMap", "Record", "SortedMap", "TreeMap",
     "defaultdict", "dict", "map", "unordered_map"}
)  # fmt: skip
# Types that hold one thing or none.
_OPTIONS = frozenset({"Option", "Optional"})
_TUPLES = frozenset({"Tuple", "pair", "tuple"})
_ARRAY_BEHIND = re.compile(r"^\(?(?P<inside>.*?)\)?\[\]$", re.DOTALL)
_ARRAY_BEFORE = re.compile(r"^(?:\[\d*\]|\.\.\.|<-\s*chan\s|chan\s)\s*(?P<inside>.+)$", re.DOTALL)
_MAP_OF_GO = re.compile(r"^map\[[^\[\]]+\](?P<inside>.+)$", re.DOTALL)
_SLICE = re.compile(r"^\[(?P<inside>[^,\[\];]+)(?:;.*)?\]$", re.DOTALL)
_GENERIC = re.compile(r"^(?:[\w.:\\]*[.:\\])?(?P<name>\w+)[<\[](?P<inside>.+)[>\]]$", re.DOTALL)
_TUPLE = re.compile(r"^[(\[](?P<inside>.+)[)\]]$", re.DOTALL)
# What C++ has behind a type.
_BEHIND = re.compile(r"(?:\s*(?:[&*]|\bconst\b))+$")
# In Rust: `impl Iterator<Item = &Row> + Send + 'a`.
_FURTHER_BOUNDS = re.compile(r"(?:\s*\+\s*[\w:'?]+)+$")
_ASSOCIATED = re.compile(r"^\w+\s*=\s*(?!=)")
MOST_CHARACTERS = 400


def parts_of(text: str) -> Parts:
    """What a type holds, by the mark that a path has for it.

    `list[Row]` gives `(("[]", ("Row",)),)`, and `(Row, error)` has `[0]` and `[1]`.
    """
    if not text or len(text) > MOST_CHARACTERS or not re.search(r"[\[(<]|chan|\.\.\.", text):
        return ()
    parts = _parts_of_collection(_BEHIND.sub("", _FURTHER_BOUNDS.sub("", unwrapped(text))))
    is_option = wrapper_of(text) in _OPTIONS
    return parts or (_parts((ELEMENT, text)) if is_option else ())


def _parts_of_collection(type_text: str) -> Parts:
    for pattern in (_ARRAY_BEHIND, _ARRAY_BEFORE, _MAP_OF_GO):
        if match := pattern.match(type_text):
            return _parts((ELEMENT, match["inside"]))
    if (match := _GENERIC.match(type_text)) and not type_text.startswith(("(", "[")):
        return _parts_of_generic(match["name"], split_at_commas(match["inside"]))
    if match := _SLICE.match(type_text):
        return _parts((ELEMENT, match["inside"]))
    if match := _TUPLE.match(type_text):
        return _parts_of_tuple(
            [NAMED_RESULT.sub("", each) for each in split_at_commas(match["inside"])]
        )
    return ()


def _parts_of_generic(name: str, arguments: list[str]) -> Parts:
    if name in _TUPLES:
        is_endless = arguments[1:] == ["..."]
        return _parts((ELEMENT, arguments[0])) if is_endless else _parts_of_tuple(arguments)
    if name in _COLLECTIONS:
        return _parts((ELEMENT, _ASSOCIATED.sub("", arguments[0])))
    if name in _MAPS and len(arguments) > 1:
        return _parts((VALUE, arguments[1]))
    return ()


def _parts_of_tuple(texts: list[str]) -> Parts:
    return _parts(*((result(place), text) for place, text in enumerate(texts)))


def _parts(*texts: tuple[str, str]) -> Parts:
    typed = ((mark, type_of(text)) for mark, text in texts)
    return tuple((mark, path) for mark, path in typed if path is not None)
