"""The words that dates are said with, and what each means: one table for both languages."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal[
    "operator", "between", "and", "or", "to", "dash", "article", "last", "this", "past", "unit",
    "minute", "half", "ordinal",
    "month", "short month", "weekday", "day", "ago", "number", "year", "quarter", "iso",
    "part", "part of", "part of day", "clock", "at", "couple", "about", "other",
]  # fmt: skip
MONTHS = (
    ("january", "jan", "январ"), ("february", "feb", "феврал"), ("march", "mar", "март"),
    ("april", "apr", "апрел"), ("may", "may", "ма"), ("june", "jun", "июн"),
    ("july", "jul", "июл"), ("august", "aug", "август"), ("september", "sep", "сентябр"),
    ("october", "oct", "октябр"), ("november", "nov", "ноябр"), ("december", "dec", "декабр"),
)  # fmt: skip
WEEKDAYS = (
    ("monday", "понедельник", "понедельника"), ("tuesday", "вторник", "вторника"),
    ("wednesday", "среду", "среды"), ("thursday", "четверг", "четверга"),
    ("friday", "пятницу", "пятницы"), ("saturday", "субботу", "субботы"),
    ("sunday", "воскресенье", "воскресенья"),
)  # fmt: skip
NUMBERS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
    "один": 1, "одну": 1, "два": 2, "две": 2, "три": 3, "четыре": 4, "пять": 5, "шесть": 6,
    "семь": 7, "восемь": 8, "девять": 9, "десять": 10,
}  # fmt: skip
# `24h`, `7d` and `2w` are two words.
UNITS = {
    "hour": "hour hours h час часа часов",
    "day": "day days d день дня дней",
    "week": "week weeks w неделя неделе неделю недели недель",
    "month": "month months месяц месяце месяца месяцев",
    "quarter": "quarter quarters квартал квартале квартала кварталов",
    "year": "year years год году года лет",
}
# Apart from the units, since the minutes of a meeting are no time.
MINUTES = "minute minutes min mins минута минуту минуты минут"
ORDINALS = (
    "first первый первая первое первом первой первую",
    "second второй вторая второе втором вторую",
    "third третий третьем",
    "fourth четвертый четвёртый четвертом четвёртом",
)
HALVES = frozenset(
    {
        "half", "половина", "половине", "половину", "половины", "полугодие", "полугодии",
        "полугодия",
    }
)  # fmt: skip
OPERATORS = {
    "in": "in on during throughout within over в во на за",
    "from": "from",
    "since": "since с со",
    "after": "after после",
    "before": "before до",
    "until": "until till through by",
    "range end": "по",
}
OTHERS: dict[Kind, str] = {
    "between": "between между",
    "and": "and и",
    "or": "or или",
    "to": "to",
    "dash": "- – —",
    "article": "the",
    "last": "last прошлый прошлая прошлое прошлом прошлой прошлую прошлого",
    "this": "this этот эта этом этой эту этого",
    "past": "past previous последний последняя последнюю последние последних последнее",
    "ago": "ago назад",
    "at": "at",
    "couple": "couple пару",
    "about": "about around nearly almost roughly approximately примерно около почти",
}
# English nouns need an "of": `the end of March`.
PARTS = {
    "first half": ("early начале начала началу", "beginning start"),
    "middle": ("mid середине середины", "middle"),
    "second half": ("late конце конца концу", "end"),
}
# A morning begins at midnight: what was written before dawn belongs to it.
PARTS_OF_DAY = {
    "morning": "morning утром",
    "afternoon": "afternoon днем днём",
    "evening": "evening вечером",
    "night": "night ночью",
}
ONWARDS = frozenset({"on", "onward", "onwards"})
YEAR_WORDS = frozenset({"год", "году", "года", "годом"})
DAYS = {"today": 0, "сегодня": 0, "yesterday": 1, "вчера": 1, "позавчера": 2}
RUSSIAN_MONTH = re.compile(r"(?:а|я|е|у|ь|й|ю|ом|ем|ём)?")

_DIGITS_DATE = (
    r"\d{4}-\d{2}(?:-\d{2})?|\d{4}/\d{2}/\d{2}|\d{4}-[qQ][1-4]|\d{4}-[hH][12]|\d{4}-[wW]\d{2}"
)
_CLOCK_TIME = r"\d{1,2}:\d{2}(?:[aApP][mM])?"
# A word with the mark of a possessive; a number with that of an ordinal.
_TOKEN = re.compile(
    rf"(?:{_DIGITS_DATE}|{_CLOCK_TIME})(?![\w/:-])|\d{{1,3}}(?=[hdw]\b)"
    r"|[^\W_]+(?:['’]s\b)?|[^\w\s]"
)
# A phrase, with its field, or what stands between spaces.
_RUN = re.compile(r'(?:\w+:)?"[^"]*"?|[^\s"]+')
_ORDINAL = re.compile(r"(\d{1,2})(?:st|nd|rd|th)")
_PART_OF_YEAR = re.compile(r"q[1-4]|h[12]")
_ISO = re.compile(_DIGITS_DATE)
_TIME_ALONE = re.compile(rf"(?<![\w:]){_CLOCK_TIME}(?![\w:])")
_CLOCK = re.compile(r"(\d{1,2})(?::(\d{2}))?([ap]m)?")
_HOURS = 24
_MINUTES = 60
_YEAR_DIGITS = 4
_MOST_DIGITS = 3


@dataclass(frozen=True, slots=True)
class Token:
    """A word of the question.

    Args:
        kind: What sort of a word it is.
        value: What it means: a number, or the name of an operator or unit.
        text: As it is written, in small letters.
        start: Where it begins in the question.
        end: Where it ends.
    """

    kind: Kind
    value: int | str
    text: str
    start: int
    end: int

    @property
    def is_russian(self) -> bool:
        """Whether it is written in Cyrillic."""
        return any("а" <= letter <= "я" or letter == "ё" for letter in self.text)


def tokens(question: str) -> list[Token]:
    """The words and signs of a question, in order; what is quoted, and a field's text, is one."""
    question_tokens: list[Token] = []
    for match in _TOKEN.finditer(_mask_literals(question)):
        word = match[0].casefold().replace("’", "'").removesuffix("'s")
        kind, value = _meaning(word)
        question_tokens.append(Token(kind, value, word, match.start(), match.end()))
    return [
        token
        for place, token in enumerate(question_tokens)
        if not _says_nothing(question_tokens, place)
    ]


def _says_nothing(words: Sequence[Token], place: int) -> bool:
    """Whether it is the `the` or the `of` of `the 5th of March`."""
    day = {"the": place + 1, "of": place - 1}.get(words[place].text, -1)
    if (
        not 0 <= day < len(words)
        or words[day].kind != "number"
        or not words[day].text[0].isdecimal()
    ):
        return False
    later_words = [word for word in words[max(day, place) + 1 :][:2] if word.text != "of"]
    return bool(later_words) and later_words[0].kind in {"month", "short month"}


def is_tight(words: Sequence[Token], place: int) -> bool:
    """Whether no space stands around a word between two others."""
    before, word, after = words[place - 1 : place + 2]
    return before.end == word.start and word.end == after.start


def _mask_literals(question: str) -> str:
    """The question with signs for phrases, fields and patterns: they are looked for as they are."""
    return _RUN.sub(lambda run: "#" * len(run[0]) if _is_literal(run[0]) else run[0], question)


def _is_literal(run: str) -> bool:
    """Whether it is a phrase, `field:word`, or a word with `*`, `~` or a backslash."""
    if '"' in run or any(sign in run for sign in "*~\\"):
        return True
    return ":" in _TIME_ALONE.sub("", run).rstrip(":")


def _meaning(word: str) -> tuple[Kind, int | str]:
    meaning = _KNOWN.get(word) or _numeral(word) or _russian_month(word)
    return meaning or ("other", word)


def _numeral(word: str) -> tuple[Kind, int | str] | None:
    """A year, a number, a quarter or half, a time of the day or a date in digits."""
    if word.isdecimal() and word.isascii():
        if len(word) == _YEAR_DIGITS:
            return "year", int(word)
        return ("number", int(word)) if len(word) <= _MOST_DIGITS else None
    if ordinal := _ORDINAL.fullmatch(word):
        return "number", int(ordinal[1])
    if _PART_OF_YEAR.fullmatch(word):
        return "quarter" if word[0] == "q" else "half", int(word[1])
    if _ISO.fullmatch(word):
        return "iso", word.replace("/", "-")
    minutes = clock_minutes(word)
    return ("clock", minutes) if minutes is not None else None


def clock_minutes(word: str) -> int | None:
    """The minutes since midnight of a time such as `17:00`, `5pm` or `5:30pm`; None for others."""
    match = _CLOCK.fullmatch(word)
    if match is None or not (match[2] or match[3]):
        return None
    hour, minute = int(match[1]), int(match[2] or 0)
    if match[3]:
        if not 1 <= hour <= _HOURS // 2:
            return None
        hour = hour % 12 + (12 if match[3] == "pm" else 0)
    return hour * _MINUTES + minute if hour < _HOURS and minute < _MINUTES else None


def _russian_month(word: str) -> tuple[Kind, int | str] | None:
    for number, (_, _, stem) in enumerate(MONTHS, 1):
        ending = word.removeprefix(stem)
        # The stem alone is a month only where it is a word: `март`, but not `ма`.
        if ending != word and RUSSIAN_MONTH.fullmatch(ending) and word != "ма":
            return "month", number
    return None


def _table() -> dict[str, tuple[Kind, int | str]]:
    meanings: dict[str, tuple[Kind, int | str]] = {}
    for kind, words in OTHERS.items():
        meanings |= {word: (kind, word) for word in words.split()}
    for name, words in UNITS.items():
        meanings |= dict.fromkeys(words.split(), ("unit", name))
    meanings |= dict.fromkeys(MINUTES.split(), ("minute", "minute"))
    for number, words in enumerate(ORDINALS, 1):
        meanings |= dict.fromkeys(words.split(), ("ordinal", number))
    for name, words in PARTS_OF_DAY.items():
        meanings |= dict.fromkeys(words.split(), ("part of day", name))
    for name, (adjectives, nouns) in PARTS.items():
        meanings |= dict.fromkeys(adjectives.split(), ("part", name))
        meanings |= dict.fromkeys(nouns.split(), ("part of", name))
    for name, words in OPERATORS.items():
        meanings |= dict.fromkeys(words.split(), ("operator", name))
    for number, (english, short, _) in enumerate(MONTHS, 1):
        meanings[short] = ("short month", number)
        meanings[english] = ("month", number)
    meanings["sept"] = ("short month", 9)
    for number, names in enumerate(WEEKDAYS):
        meanings |= dict.fromkeys(names, ("weekday", number))
    meanings |= {word: ("number", number) for word, number in NUMBERS.items()}
    meanings |= {"midnight": ("clock", 0), "noon": ("clock", 720)}
    meanings |= {word: ("day", days) for word, days in DAYS.items()}
    return meanings


_KNOWN = _table()
