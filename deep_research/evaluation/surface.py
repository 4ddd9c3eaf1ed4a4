"""Does a text say this value? One way to compare surface forms, for all metrics.

Texts are compared after Unicode NFKC and case folding, with thousands separators, Markdown emphasis and kinds
of dashes and blanks made equal. A form is found only on word and number boundaries: `12` is not in `2,412`,
`12.5` or `12万`, and `rail` is not in `trail`. Between a number and its unit, and next to Chinese and
Japanese characters, white space is free. Works on English, Chinese and Japanese.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_THOUSANDS = re.compile(r"(?<=\d)[,'’\u00a0\u2009\u202f](?=\d{3}(?!\d))")
_EMPHASIS = re.compile(r"[*`]|(?<!\w)_+|_+(?!\w)")
_DASHES = re.compile("[\u2010-\u2015\u2212]")
_PIECE = re.compile(r"\d+(?:\.\d+)*|[^\W\d_\u3040-\u30ff\u3400-\u9fff]+|\S")
_NUMBER = re.compile(r"\d+(?:\.\d+)*")
_BEFORE_NUMBER = r"(?<!\d)(?<!\d\.)(?<![万億亿兆])"
_AFTER_NUMBER = r"(?!\d)(?!\.\d)(?!\s*[万億亿兆])"
_LATIN = r"[^\W\d_\u3040-\u30ff\u3400-\u9fff]"


@lru_cache(maxsize=16_384)
def normalized(text: str) -> str:
    """The text as it is compared: one spelling of widths, letter case, thousands, dashes and blanks."""
    plain = unicodedata.normalize("NFKC", _THOUSANDS.sub("", text)).casefold()
    plain = _EMPHASIS.sub("", _DASHES.sub("-", _THOUSANDS.sub("", plain)).replace("·", "・"))
    return " ".join(plain.split())


def says(text: str, form: str) -> bool:
    """Whether `text` contains `form` on word and number boundaries; an empty form is never found."""
    return bool(form.strip()) and form_pattern(form).search(normalized(text)) is not None


def numbers_in_text(text: str) -> frozenset[str]:
    """All numbers of a text, without thousands separators; dates count as their parts."""
    return frozenset(_NUMBER.findall(normalized(text)))


@lru_cache(maxsize=16_384)
def form_pattern(form: str) -> re.Pattern[str]:
    """The words, numbers and CJK characters of a form in order, with boundaries, for normalized text."""
    wanted = normalized(form)
    pieces = list(_PIECE.finditer(wanted))
    parts = [_boundary(pieces[0][0], before=True)]
    for piece, following in zip(pieces, [*pieces[1:], None], strict=True):
        parts.append(re.escape(piece[0]))
        if following is not None:
            parts.append(_gap(piece[0], following[0], touching=piece.end() == following.start()))
    parts.append(_boundary(pieces[-1][0], before=False))
    return re.compile("".join(parts))


def _boundary(piece: str, before: bool) -> str:
    """What may not stand beside the first or last piece: more digits of a number, more letters of a word."""
    if piece[0].isdigit():
        return _BEFORE_NUMBER if before else _AFTER_NUMBER
    if re.match(_LATIN, piece):
        return f"(?<!{_LATIN})" if before else f"(?!{_LATIN})"
    return ""


def _gap(left: str, right: str, touching: bool) -> str:
    """White space between two pieces: free beside numbers and CJK, else as in the form."""
    both_words = all(re.match(_LATIN, piece) for piece in (left, right))
    return r"\s+" if both_words else "" if touching and left.isdigit() and right.isdigit() else r"\s*"
