"""Tells which entity has the place of another one that is gone from its source: pure, no I/O.

Two are the same if they alone have this kind and begin with the same text. Where several do, as
with short functions, those with the same symbol, or the same file name, belong together. What was
edited as well is found by the file that the other symbols of its file are in now, a symbol that was
only given another name by its text without that name, and a note by most of its words.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from graphmem import text
from graphmem.graph import Row

# How many words of the longer of two texts the other one has in their order, and what says enough
# to be known again. Notes of one template, such as those of two days, have half in common.
LIKE_TEXT = 0.75
FEWEST_WORDS = 20
_WORD = re.compile(r"\w+")
# The kind of files of code: what they hold beside their symbols is often but a licence.
_FILE = "File"


@dataclass(frozen=True, slots=True)
class Beginning:
    """What tells that an entity is another one under a new name.

    Args:
        key: Its key.
        kind: Its kind.
        text: How its text begins; None without one that matters.
    """

    key: str
    kind: str
    text: str | None

    @classmethod
    def of(cls, row: Row) -> Self:
        """Read a row of `read/beginnings` or `read/appeared_texts`."""
        return cls(row["key"], row["kind"], row["text"])

    @property
    def file(self) -> str:
        """The folded name of the file that a symbol is in, or the whole folded name."""
        return file_of(self.key)

    @property
    def symbol(self) -> str:
        """The folded name of a symbol within its file; empty for what is none."""
        return text.name_of(self.key).partition(text.SYMBOL_MARK)[2]

    @property
    def is_note(self) -> bool:
        """Whether it is neither a file of code nor a symbol, so that its text tells it."""
        return not self.symbol and self.kind != _FILE

    @property
    def last_name(self) -> str:
        """What a move to another folder or file leaves as it is."""
        return self.symbol or self.file.rpartition("/")[2]

    @property
    def text_without_name(self) -> str | None:
        """The text of a symbol in which its own name is left out."""
        names = _WORD.findall(self.symbol)
        if not names or not self.text:
            return None
        return re.sub(rf"(?<!\w){re.escape(names[-1])}(?!\w)", "", self.text, flags=re.IGNORECASE)


def file_of(key: str) -> str:
    """The folded name of the file of a symbol's key, or the whole folded name."""
    return text.name_of(key).partition(text.SYMBOL_MARK)[0]


def matches(gone: Sequence[Beginning], appeared: Sequence[Beginning]) -> dict[str, str]:
    """Match what is gone with what has appeared, each at most once; gives keys by keys."""
    new_keys = _of_same_text(gone, appeared)
    return new_keys | _of_same_file(gone, appeared, new_keys)


def matches_by_text(
    gone: Sequence[Beginning], appeared: Sequence[Beginning], new_keys: Mapping[str, str],
    wanted: Collection[str],
) -> dict[str, str]:  # fmt: skip
    """Match what has another name and was edited, each at most once; gives keys by keys.

    Args:
        gone: What `matches` gave nothing for, with more than the first passages of the texts.
        appeared: What it did not give, likewise.
        new_keys: What it gave, which tells the new names of files.
        wanted: The keys of the notes to match.
    """
    files = {file_of(key): file_of(new_key) for key, new_key in new_keys.items()}
    return {
        **_of_other_symbol(gone, appeared, files),
        **_of_other_symbol(gone, appeared, {}),
        **_of_like_words(
            [beginning for beginning in gone if beginning.is_note],
            [beginning for beginning in appeared if beginning.is_note],
            wanted,
        ),
    }


def _of_same_text(gone: Sequence[Beginning], appeared: Sequence[Beginning]) -> dict[str, str]:
    """Those that alone begin with a text, and of several those that alone have its last name."""
    new_keys: dict[str, str] = {}
    appeared_groups = _groups(appeared, _kind_and_text)
    for group, gone_alike in _groups(gone, _kind_and_text).items():
        appeared_alike = appeared_groups.get(group, [])
        if len(gone_alike) == len(appeared_alike) == 1:
            new_keys[gone_alike[0].key] = appeared_alike[0].key
        else:
            new_keys |= _alone(gone_alike, appeared_alike, lambda beginning: beginning.last_name)
    return new_keys


def _of_same_file(
    gone: Sequence[Beginning], appeared: Sequence[Beginning], new_keys: Mapping[str, str]
) -> dict[str, str]:
    """The others of files most of whose symbols, as far as they were found, are in one file now."""
    by_key = {beginning.key: beginning for beginning in appeared}
    by_place = {
        (beginning.file, beginning.symbol, beginning.kind): beginning.key for beginning in appeared
    }
    taken_keys = set(new_keys.values())
    new_files: dict[str, Counter[str]] = {}
    for beginning in gone:
        if beginning.key in new_keys:
            new_file = by_key[new_keys[beginning.key]].file
            new_files.setdefault(beginning.file, Counter())[new_file] += 1
    others: dict[str, str] = {}
    for beginning in gone:
        if beginning.key in new_keys or beginning.file not in new_files:
            continue
        counts = new_files[beginning.file]
        ((new_file, count),) = counts.most_common(1)
        candidate = by_place.get((new_file, beginning.symbol, beginning.kind))
        if candidate is not None and candidate not in taken_keys and 2 * count > counts.total():
            others[beginning.key] = candidate
            taken_keys.add(candidate)
    return others


def _of_other_symbol(
    gone: Sequence[Beginning], appeared: Sequence[Beginning], files: Mapping[str, str]
) -> dict[str, str]:
    """Symbols that alone have a text in a file once their own names are left out of it."""

    def place(beginning: Beginning, files: Mapping[str, str]) -> Hashable:
        content = beginning.text_without_name
        file = files.get(beginning.file, beginning.file)
        return None if content is None else (file, beginning.kind, content)

    return _alone(
        gone,
        appeared,
        lambda beginning: place(beginning, files),
        lambda beginning: place(beginning, {}),
    )


def _of_like_words(
    gone: Sequence[Beginning], appeared: Sequence[Beginning], wanted: Collection[str]
) -> dict[str, str]:
    """The wanted ones that are most like one that has appeared, as it is to them, and enough so."""
    words = {beginning.key: _WORD.findall(beginning.text or "") for beginning in (*gone, *appeared)}
    new_keys: dict[str, str] = {}
    for kind in {beginning.kind for beginning in gone}:
        gone_words, appeared_words = (
            {
                beginning.key: words[beginning.key]
                for beginning in beginnings
                if beginning.kind == kind and len(words[beginning.key]) >= FEWEST_WORDS
            }
            for beginnings in (gone, appeared)
        )
        for key in gone_words.keys() & wanted:
            candidate = _most_like(gone_words[key], appeared_words)
            if candidate and _most_like(appeared_words[candidate], gone_words) == key:
                new_keys[key] = candidate
    return new_keys


def _most_like(content: Sequence[str], others: Mapping[str, Sequence[str]]) -> str | None:
    """The key of the text most like a text; None where none is like it, or two are equally so."""
    # Imported here for weight: hardly an import has a note that was renamed and edited.
    from rapidfuzz import process  # noqa: PLC0415
    from rapidfuzz.distance import LCSseq  # noqa: PLC0415

    best = process.extract(
        content, others, scorer=LCSseq.normalized_similarity, score_cutoff=LIKE_TEXT, limit=2
    )
    if not best or (len(best) > 1 and best[0][1] == best[1][1]):
        return None
    return str(best[0][2])


def _alone(
    gone: Iterable[Beginning],
    appeared: Iterable[Beginning],
    group: Callable[[Beginning], Hashable],
    appeared_group: Callable[[Beginning], Hashable] | None = None,
) -> dict[str, str]:
    """Match those that are alone in their group on both sides; None is no group."""
    appeared_groups = _groups(appeared, appeared_group or group)
    return {
        alike[0].key: candidates[0].key
        for name, alike in _groups(gone, group).items()
        if len(candidates := appeared_groups.get(name, [])) == len(alike) == 1
    }


def _kind_and_text(beginning: Beginning) -> Hashable:
    return (beginning.kind, beginning.text) if beginning.text else None


def _groups(
    beginnings: Iterable[Beginning], group: Callable[[Beginning], Hashable]
) -> dict[Hashable, list[Beginning]]:
    groups: dict[Hashable, list[Beginning]] = {}
    for beginning in beginnings:
        name = group(beginning)
        if name is not None:
            groups.setdefault(name, []).append(beginning)
    return groups
