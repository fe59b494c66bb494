"""How much a word counts in its projects: a text index counts words over the whole store.

BM25 takes a word for telling that few passages of the store have, so a word that most passages of
one project have, such as the name of a speaker, counts much beside other projects and little in a
store of its own. A query therefore weighs such a word by `log f / log F`, where `f` is the share of
the projects' passages that have it and `F` that of the store's: the ratio of the two inverse
document frequencies (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009, 3.1).
Both are counted in samples, which tell the frequent words, and only these are weighed.
"""

import math
import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from graphmem import lucene
from graphmem.model.language import Language

# The fields of a passage's index that are counted, each for itself as BM25 does.
FIELDS = ("names", "text", "words")
# Words that fewer passages of the sample have are rare, or may be so.
LEAST_PASSAGES = 5
# So many passages with the store's frequencies are added to those of the projects.
PRIOR_PASSAGES = 20
# Projects that hold more of the store than this have its frequencies: no texts are read.
LARGEST_PART = 0.5
# A word that every passage has still matches.
LEAST_WEIGHT = 0.01
# A word's forms share its stem up to the last letter: `query` has `queri`, and `using` has `use`.
SHORTEST_BEGINNING = 2
# What the digests of passages begin with is a number by chance below this.
DIGEST_PREFIX = 12
DIGESTS = 16.0**DIGEST_PREFIX

_WORD = re.compile(r"\w+")
_DIGEST = re.compile(rf"[0-9a-f]{{{DIGEST_PREFIX}}}")


class WordCounts:
    """In which passages of a sample each word stands.

    Args:
        passages: Of each its texts by the names in FIELDS; null for none.
    """

    def __init__(self, passages: Sequence[Mapping[str, str | None]] = ()) -> None:
        self.passages = len(passages)
        # Of each field and word the numbers of the passages that have it.
        self._numbers: dict[str, dict[str, list[int]]] = {}
        for name in FIELDS:
            numbers: defaultdict[str, list[int]] = defaultdict(list)
            for number, passage in enumerate(passages):
                for word in set(_WORD.findall((passage[name] or "").casefold())):
                    numbers[word].append(number)
            self._numbers[name] = dict(numbers)
        self._words = {name: sorted(numbers) for name, numbers in self._numbers.items()}

    def count(self, word: str, name: str, languages: Sequence[Language]) -> int:
        """In how many passages a form of a word stands in a field.

        Args:
            word: As it stands in a query.
            name: One of FIELDS.
            languages: Those whose stems the index holds; none where it holds words as they stand.
        """
        stems = lucene.stems(word, languages)
        shortest = min(stems, key=len)
        beginning = shortest[: max(SHORTEST_BEGINNING, len(shortest) - 1)]
        words, numbers = self._words[name], self._numbers[name]
        with_form: set[int] = set()
        for place in range(bisect_left(words, beginning), len(words)):
            form = words[place]
            if not form.startswith(beginning):
                break
            if form in stems or not stems.isdisjoint(lucene.stems(form, languages)):
                with_form.update(numbers[form])
        return len(with_form)


@dataclass(frozen=True, slots=True)
class WordWeights:
    """The weights of a query's words in some projects.

    Args:
        projects: The words of a sample of their passages.
        others: The words of a sample of all other passages.
        part: How many of the store's passages are theirs, from 0 to 1.
    """

    projects: WordCounts = field(default_factory=WordCounts)
    others: WordCounts = field(default_factory=WordCounts)
    part: float = 1.0

    def weight(self, word: str, name: str, languages: Sequence[Language]) -> float:
        """The weight of a word in a field, above 0 and at most 1; 1 where it is rare.

        Args:
            word: As it stands in a query.
            name: One of FIELDS.
            languages: Those whose stems the index holds; none where it holds words as they stand.
        """
        count = self.projects.count(word, name, languages)
        if count < LEAST_PASSAGES:
            return 1.0
        other_share = self.others.count(word, name, languages) / max(1, self.others.passages)
        prior = PRIOR_PASSAGES * other_share
        share = (count + prior + 0.5) / (self.projects.passages + PRIOR_PASSAGES + 1)
        store_share = self.part * share + (1 - self.part) * other_share
        ratio = math.log(share) / math.log(store_share)
        return max(LEAST_WEIGHT, min(1.0, ratio))


NO_WEIGHTS = WordWeights()


def estimated_passages(digests: Sequence[str | None], size: int) -> float:
    """Estimate how many passages there are from those with the smallest digests, in order.

    The k-th smallest of n numbers by chance below 1 lies near k / n, so n is about (k - 1) over it
    (Bar-Yossef and others, Counting Distinct Elements in a Data Stream, 2002). Of 100 the estimate
    has a standard deviation of a tenth.

    Args:
        digests: Those of the sample; null of a passage that was deleted while it was read.
        size: How many were asked for; fewer are all there are, and so are others than `text.digest`
            makes, which somebody wrote by hand.
    """
    known = [digest for digest in digests if digest is not None]
    if len(digests) < size or not known or not _DIGEST.match(known[-1]):
        return len(known)
    return (len(known) - 1) * DIGESTS / (int(known[-1][:DIGEST_PREFIX], 16) + 1)
