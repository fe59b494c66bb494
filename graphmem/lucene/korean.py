"""Korean words without the particles that are written together with them."""

# After a syllable with a final consonant, after one without, and after any.
_AFTER_CONSONANT = ("으로는", "이라는", "으로", "이랑", "이나", "은", "을", "이", "과")
_AFTER_VOWEL = ("로는", "라는", "는", "를", "가", "와", "로", "랑", "나")
_AFTER_ANY = (
    "입니다", "에서는", "에서도", "에게서", "까지", "부터", "에서", "에게", "에는", "에도", "한테",
    "께서", "처럼", "보다", "마다", "밖에", "이다", "하고", "하는", "하다", "한다", "했다",
    "합니다", "했습니다", "의", "에", "도", "만",
)  # fmt: skip
_PARTICLES = sorted({*_AFTER_CONSONANT, *_AFTER_VOWEL, *_AFTER_ANY}, key=len, reverse=True)
SHORTEST_NOUN = 2

_FIRST, _LAST, _FINALS, _RIEUL = ord("가"), ord("힣"), 28, 8


def without_particle(word: str) -> str:
    """The noun of a word of Hangul, at least two syllables; the word itself without a particle.

    A particle is known by its letters and by whether the noun ends in a consonant, so that a few
    nouns lose their last syllable: search for the result only beside the word.
    """
    for particle in _PARTICLES:
        noun = word.removesuffix(particle)
        if len(noun) >= SHORTEST_NOUN and noun != word and _may_follow(particle, noun[-1]):
            return noun
    return word


def _may_follow(particle: str, syllable: str) -> bool:
    if particle in _AFTER_ANY:
        return True
    if not _FIRST <= ord(syllable) <= _LAST:
        return False
    final = (ord(syllable) - _FIRST) % _FINALS
    if particle.startswith("로") and final == _RIEUL:
        return True
    return particle in (_AFTER_CONSONANT if final else _AFTER_VOWEL)
