"""From text to search terms, the same way for documents and for queries.

Word tokenizers find nothing in Chinese and Japanese, which write no spaces. So a run of such characters is
indexed as overlapping pairs ("東京都" becomes "東京 京都 都"): each character starts exactly one token, which
lets a query of one character match by prefix and a longer one match by pairs. Everything else is left to the
engine's own tokenizer and English stemmer. A query is only ever built from these terms, never from raw text,
so no quote, operator or control character of a user can reach an engine's query parser.
"""

from __future__ import annotations

import re
import unicodedata

MAX_QUERY_TERMS = 64
MAX_QUERY_CHARS = 10_000

_CJK = (
    "\u3005-\u3007\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
_CJK_RUN = re.compile(f"[{_CJK}]+")
_CJK_CHARACTER = re.compile(f"[{_CJK}]")
_TERM = re.compile(rf"[{_CJK}]+|[^\W_{_CJK}]+")

_STOP_WORDS = (
    "a about after all also an and any are as at be because been before being between both but by can "
    "could did do does during each for from had has have having he her here him his how i if in into is "
    "it its itself just me more most my no nor not of off on once only or other our out over own s same "
    "she should so some such t than that the their them then there these they this those through to too "
    "under until up versus very vs was we were what when where which while who whom whose why will with "
    "would you your"
)
STOP_WORDS = frozenset(_STOP_WORDS.split())


def is_cjk(term: str) -> bool:
    """Whether a term is written in Chinese, Japanese or Korean characters."""
    return bool(term) and _CJK_RUN.match(term) is not None


def cjk_count(text: str) -> int:
    """How many of its characters are Chinese, Japanese or Korean."""
    return 0 if text.isascii() else len(_CJK_CHARACTER.findall(text))


def indexable(text: str) -> str:
    """The text as an engine should tokenize it: compatibility forms unified, CJK runs split into pairs."""
    if text.isascii():
        return text.replace("\0", " ")
    return _CJK_RUN.sub(lambda run: f" {_pairs(run[0], closing=True)} ", _normalized(text))


def query_terms(query: str) -> list[str]:
    """The distinct terms of a query in order, without stop words unless nothing else is left.

    A term is a lower-case word, a pair of CJK characters, or one CJK character that stands alone.
    """
    terms: dict[str, None] = {}
    for word in _TERM.findall(_normalized(query[:MAX_QUERY_CHARS]).lower()):
        terms.update(dict.fromkeys(_pairs(word).split() if is_cjk(word) else [word]))
    useful = [term for term in terms if term not in STOP_WORDS]
    return (useful or list(terms))[:MAX_QUERY_TERMS]


def _normalized(text: str) -> str:
    """Compatibility forms (full-width letters ...) as their plain ones, without surrogates and NUL."""
    return unicodedata.normalize("NFKC", text).encode("utf-8", "ignore").decode().replace("\0", " ")


def _pairs(run: str, closing: bool = False) -> str:
    """Overlapping pairs of a run, joined by spaces; `closing` adds the last character as a token."""
    pairs = [run[i : i + 2] for i in range(len(run) - 1)]
    return " ".join([*pairs, run[-1]] if closing or not pairs else pairs)
