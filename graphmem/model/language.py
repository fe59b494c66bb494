"""The languages a store's texts may be indexed in."""

from dataclasses import dataclass, field

# Neo4j's analyzers that know a language, by the script of its words as Unicode names it. Of those
# that know none only `standard-folding` is here: it finds words with and without their accents.
# `keyword` would let one long text destroy the store.
_BY_SCRIPT = {
    "ARABIC": ("arabic", "persian", "sorani"),
    "ARMENIAN": ("armenian",),
    "CJK": ("cjk",),
    "CYRILLIC": ("bulgarian", "russian"),
    "DEVANAGARI": ("hindi",),
    "GREEK": ("greek",),
    "LATIN": (
        "basque", "brazilian", "catalan", "czech", "danish", "dutch", "english", "finnish",
        "french", "galician", "german", "hungarian", "indonesian", "irish", "italian", "latvian",
        "lithuanian", "norwegian", "portuguese", "romanian", "spanish", "swedish", "turkish",
        "standard-folding",
    ),
    "THAI": ("thai",),
}  # fmt: skip
SCRIPTS: dict[str, str] = {name: script for script, names in _BY_SCRIPT.items() for name in names}
NAMES = tuple(sorted(SCRIPTS))
# Every language is one more index that each write fills, and one more that a search may ask.
MOST_LANGUAGES = 4
DEFAULT = ("english", "russian")


@dataclass(frozen=True, slots=True)
class Language:
    """A language that a store's texts are indexed in.

    Args:
        name: One of `NAMES`, the name of Neo4j's analyzer.
        stop_words: What the analyzer leaves out, folded.
    """

    name: str
    stop_words: frozenset[str] = field(default=frozenset(), repr=False)

    @property
    def script(self) -> str:
        """The script of its words, as Unicode names it."""
        return SCRIPTS[self.name]

    @property
    def index(self) -> str:
        """The name of its text index."""
        return index_name(self.name)


def index_name(language: str) -> str:
    """The name of a language's text index."""
    return f"graphmem_passage_{language.replace('-', '_')}"
