"""Says of a query of unknown words that the texts may be in another language."""

from collections.abc import Sequence

from graphmem import lucene
from graphmem.model.language import Language
from graphmem.model.spelling import WORD

# The share of stop words in what is written in a language, and what is no language.
SPOKEN = 0.25
UNSPOKEN = frozenset({"cjk", "standard-folding"})


def unknown_words_note(query: str, languages: Sequence[Language]) -> str:
    """A sentence on a query of which the texts have hardly a word: in what language to ask.

    Args:
        query: Without marks that nobody sees.
        languages: Those of the store. None is named if the query is in one of them that shares its
            script with other languages.
    """
    words = WORD.findall(query)
    scripts = [lucene.script(word, languages) for word in words]
    others: list[str] = []
    for language in languages:
        is_in_script = 2 * scripts.count(language.script) > len(words)
        if language.script != lucene.LATIN and is_in_script:
            continue
        spoken_words = sum(
            word.casefold() in language.stop_words
            or (language.name == lucene.ENGLISH.name and lucene.is_question_word(word))
            for word in words
        )
        if is_in_script and spoken_words > SPOKEN * len(words):
            others = []
            break
        if language.name not in UNSPOKEN:
            others.append(language.name.title())
    note = "the texts have few or none of these words"
    if not others:
        return note
    return f"{note}; if they are in another language, such as {' or '.join(others)}, ask in that"
