"""The types of what a type holds, where its text says them, such as those of elements."""

import re

from graphmem.transfer.code.outlines.names import NAMED_RESULT, held_by, split_at_commas, type_of
from graphmem.transfer.code.outlines.outline import ELEMENT, VALUE, Parts, result

# Types whose first argument is what they hold, by their last name.
_COLLECTIONS = frozenset(
    {"Array", "ArrayDeque", "ArrayList", "AsyncGenerator", "AsyncIterable", "AsyncIterator",
     "BTreeSet", "BinaryHeap", "Collection", "Deque", "FrozenSet", "Generator", "HashSet",
     "IAsyncEnumerable", "ICollection", "IEnumerable", "IList", "IReadOnlyCollection",
     "IReadOnlyList", "ISet", "ImmutableArray", "Iterable", "IterableIterator", "Iterator",
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
_TUPLES = frozenset({"Tuple", "pair", "tuple"})
_ARRAY_BEHIND = re.compile(r"^\(?(?P<held>.*?)\)?\[\]$", re.DOTALL)
_ARRAY_BEFORE = re.compile(r"^(?:\[\d*\]|\.\.\.|<-\s*chan\s|chan\s)\s*(?P<held>.+)$", re.DOTALL)
_MAP_OF_GO = re.compile(r"^map\[[^\[\]]+\](?P<held>.+)$", re.DOTALL)
_SLICE = re.compile(r"^\[(?P<held>[^,\[\];]+)(?:;.*)?\]$", re.DOTALL)
_HOLDER = re.compile(r"^(?:[\w.:\\]*[.:\\])?(?P<name>\w+)[<\[](?P<held>.+)[>\]]$", re.DOTALL)
_SEVERAL = re.compile(r"^[(\[](?P<held>.+)[)\]]$", re.DOTALL)
# What C++ has behind a type.
_BEHIND = re.compile(r"(?:\s*(?:[&*]|\bconst\b))+$")
MOST_CHARACTERS = 400


def parts_of(text: str) -> Parts:
    """What a type holds, by the mark that a path has for it.

    `list[Row]` gives `(("[]", ("Row",)),)`, and `(Row, error)` has `[0]` and `[1]`.
    """
    if not text or len(text) > MOST_CHARACTERS or not re.search(r"[\[(<]|chan|\.\.\.", text):
        return ()
    held_text = _BEHIND.sub("", held_by(text))
    for pattern in (_ARRAY_BEHIND, _ARRAY_BEFORE, _MAP_OF_GO):
        if match := pattern.match(held_text):
            return _parts((ELEMENT, match["held"]))
    if (match := _HOLDER.match(held_text)) and not held_text.startswith(("(", "[")):
        return _of_holder(match["name"], split_at_commas(match["held"]))
    if match := _SLICE.match(held_text):
        return _parts((ELEMENT, match["held"]))
    if match := _SEVERAL.match(held_text):
        return _of_several([NAMED_RESULT.sub("", each) for each in split_at_commas(match["held"])])
    return ()


def _of_holder(name: str, arguments: list[str]) -> Parts:
    if name in _TUPLES:
        is_endless = arguments[1:] == ["..."]
        return _parts((ELEMENT, arguments[0])) if is_endless else _of_several(arguments)
    if name in _COLLECTIONS:
        return _parts((ELEMENT, arguments[0]))
    if name in _MAPS and len(arguments) > 1:
        return _parts((VALUE, arguments[1]))
    return ()


def _of_several(texts: list[str]) -> Parts:
    return _parts(*((result(place), text) for place, text in enumerate(texts)))


def _parts(*texts: tuple[str, str]) -> Parts:
    typed = ((mark, type_of(text)) for mark, text in texts)
    return tuple((mark, path) for mark, path in typed if path is not None)
