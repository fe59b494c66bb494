"""Marks as word processors, phones and keyboards of other scripts make them.

`“a b”`, `‘a b’`, `„a b“`, `« a b »` and `「a b」` are the phrase `"a b"` if a space or the
parenthesis of a group is before them, and a space or a mark behind them. Inside of a sentence
without spaces they are punctuation. Single ones may be apostrophes: around one word, as in
`rock ‘n’ roll`, and before a digit, as in `the ‘90s`, they are no phrase.
"""

import re

from graphmem.lucene.tree import NAMED_FIELDS
from graphmem.model.visible import visible_around_words

_FULL_WIDTH = {"（": "(", "）": ")", "＂": '"'}
_ESCAPED_OR_WIDE = re.compile(r"\\.|[（）＂]", re.DOTALL)
_HEBREW_MARK = r'(?<=[\u05d0-\u05ea])"(?=[\u05d0-\u05ea])'
# The same character ends a phrase of single marks.
_APOSTROPHE = r"(?<=\w)’(?=\w)"
_FIELDS = "|".join(sorted(NAMED_FIELDS))
# Letters and marks of Chinese, Japanese and Korean, behind which no space is written.
_UNSPACED = r"\u3001-\u303f\u3041-\u30ff\u3400-\u9fff\uac00-\ud7af\uff01-\uff60"
_MARK = re.compile(
    rf"""
      (?P<kept>\\. | {_HEBREW_MARK} | "(?:[^"\\]|\\.|{_HEBREW_MARK})*"?)
    | (?<![^\s(:：+−-])(?:
          “(?P<english>[^“”"]+)” | „(?P<german>[^„“”"]+)[“”] | ”(?P<swedish>[^“”"]+)”
        | ‘(?P<single>[^\W\d_](?:[^‘’"\s]|{_APOSTROPHE})*+\s(?:[^‘’"]|{_APOSTROPHE})*+)’
        | «(?P<french>[^«»"]+)» | »(?P<danish>[^«»"]+)«
        | 「(?P<japanese>[^「」"]+)」 | 『(?P<nested>[^『』"]+)』
      )(?=$|[\s~):,.;!?：…、。，；])
    | (?<=[{_UNSPACED}])(?P<field_behind>{_FIELDS})[:：](?=[^\s:：/)])
    | (?<!\w)(?P<field>{_FIELDS})：(?=\S)
    | (?<=[a-zA-Z0-9])[、，；。！？]+(?=[a-zA-Z0-9])
    """,
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)


def keyboard_marks(query: str) -> str:
    """A query with the marks of an English keyboard where others stand for them.

    They are quotation marks around a phrase, parentheses, the colon behind a field, the space
    before a field, and what Chinese and Japanese put between words of Latin letters in place of a
    space. What nobody sees around a word is left out.
    """
    if query.isascii():
        return query
    narrow = _ESCAPED_OR_WIDE.sub(
        lambda match: _FULL_WIDTH.get(match[0], match[0]), visible_around_words(query)
    )
    return _MARK.sub(_keyboard_mark, narrow)


def _keyboard_mark(match: re.Match[str]) -> str:
    if match["kept"] is not None:
        return match[0]
    if match["field"] is not None:
        return f"{match['field']}:"
    if match["field_behind"] is not None:
        return f" {match['field_behind']}:"
    return f'"{match[0][1:-1]}"' if match.lastgroup else " "
