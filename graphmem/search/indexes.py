"""Which text indexes a query asks: those of the languages its words may be in.

A word is looked for in every language of its script. Latin words, digits and scripts of no language
of the store go to its languages of Latin script and, beside words of another script, to that one's
languages too, whose texts are full of them. The exact index answers where no language can.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from graphmem import lucene
from graphmem.model.language import Language


@dataclass(frozen=True, slots=True)
class IndexQuery:
    """What one text index is asked.

    Args:
        index: Its name.
        query: Lucene text.
    """

    index: str
    query: str


@dataclass(frozen=True, slots=True)
class Share:
    """The words of a query for which one text index is asked.

    Args:
        index: Its name.
        language: That of its analyzer, or `exact`.
        words: Those of the query that may be found there.
    """

    index: str
    language: str
    words: tuple[lucene.Word, ...]


def exact(words: Sequence[lucene.Word]) -> Share:
    """Ask the index of words as they stand."""
    return Share("graphmem_passage_exact", "exact", tuple(words))


def content_words(words: Sequence[lucene.Word], languages: Sequence[Language]) -> list[lucene.Word]:
    """The words that are no stop words: in the exact index those match nearly every passage."""
    content = set(lucene.without_stop_words([word.text for word in words], languages))
    return [word for word in words if word.text in content]


def telling_words(words: Sequence[lucene.Word], languages: Sequence[Language]) -> list[lucene.Word]:
    """The words that say what is looked for: neither stop words nor those of any question."""
    content = content_words(words, languages)
    if not lucene.speaks_english(languages):
        return content
    return [word for word in content if not lucene.is_question_word(word.text)] or content


def shares(words: Sequence[lucene.Word], languages: Sequence[Language]) -> list[Share]:
    """Which index is asked for which words: first those of Latin script, then the others."""
    scripts = {word: lucene.script(word.text, languages) for word in words}
    latin = tuple(word for word in words if scripts[word] == lucene.LATIN)
    shares_of_words: list[Share] = []
    if latin:
        latin_languages = [language for language in languages if language.script == lucene.LATIN]
        shares_of_words += [
            Share(language.index, language.name, latin) for language in latin_languages
        ] or [exact(latin)]
    shares_of_words += [
        Share(
            language.index,
            language.name,
            tuple(word for word in words if scripts[word] in {lucene.LATIN, language.script}),
        )
        for language in languages
        if language.script != lucene.LATIN and language.script in scripts.values()
    ]
    return shares_of_words


def alone(leaves: Sequence[lucene.Node], languages: Sequence[Language]) -> Language | None:
    """The one language that can decide what matches a query with operators, or None.

    It knows the script of every word, no other does, and there are only words; in `cjk`, which cuts
    texts and queries alike into pairs of characters, there may be phrases too. `thai` cuts a word
    in one way alone and in another beside others, so it decides nothing.
    """
    words_of_query: list[str] = []
    phrases = False
    for leaf in leaves:
        match leaf:
            case lucene.Word(word):
                words_of_query.append(word)
            case lucene.Phrase(words, _):
                words_of_query.extend(words)
                phrases = True
            case _:
                return None
    scripts = {
        lucene.script(word, languages)
        for word in lucene.without_stop_words(words_of_query, languages)
    }
    candidates = [language for language in languages if language.script in scripts]
    if len(scripts) != 1 or len(candidates) != 1 or candidates[0].name == "thai":
        return None
    return None if phrases and candidates[0].name != "cjk" else candidates[0]
