"""Questions about the real world that are asked of the invented web.

The command line stops such a run before it starts, with the ways out; the report of one that runs all the
same names them as a gap. A question counts as foreign when most of its names, or half of its other words,
occur nowhere in the offline web; one in Chinese or Japanese, of which the web has few pages, when none of the
subjects does that stand between words of grammar and of asking.
"""

from __future__ import annotations

import difflib
import re
from itertools import pairwise
from typing import TYPE_CHECKING

from deep_research.core.forms import form
from deep_research.text.terms import is_cjk, query_terms

if TYPE_CHECKING:
    from deep_research.sources.index import Index
    from deep_research_offline.web.types import Web


_NAME = re.compile(r"(?<=[^\W_] )[A-Z][\w'’-]+|\b\w*[a-z]+[A-Z]\w*|\b[A-Z]{2,}\b")
_GRAMMAR = (
    "[哪几][里些一个]?[座艘家台位条本]?|多[少长高大重远快久]|什么|怎么样?|为什么|那里|各有|请问|今天|[上下]个?月"
    "|[的是在吗有其谁和与跟请了何最年月日我你您要想叫呢吧更]"
)
_CJK_WORD = re.compile("[\u30a1-\u30fa\u30fc\u3400-\u9fff]+")
"""What stands between grammatical words: a word, or a few that belong together."""
_CJK_NAME = re.compile("[\u30a1-\u30fa\u30fc\u4e00-\u9fff]{4,}")
_TITLED = re.compile(r"\b[A-Z][^\W\d_]{3,}")
_SMALL = re.compile(r"\b[a-z]{4,}")
_SUPERLATIVE = re.compile(r"\w{3,}est")
"""What compares ("the fastest") is no subject."""
_NEAR = 0.8
_SHORT = 3
"""Shorter words have too many neighbours."""
_LONG = 5
"""So many Chinese or Japanese characters that a title has are a name, or a good part of one."""
_NAMED = 5
"""So many words are named."""


def foreign_words(question: str, web: Web, index: Index) -> list[str]:
    """The words of a foreign question that the offline web does not hold, the first few; else none."""
    if question in {sample.text for sample in web.questions}:
        return []
    unknown = unknown_words(question, index)
    known = not unknown or _names_a_page(question, web) or near_names(question, web, index)
    return [] if known else unknown[:_NAMED]


def _names_a_page(question: str, web: Web) -> bool:
    """Whether a word of the question is a name in a page's title: no page writes it in small letters."""
    titles = " ".join(page.title for page in web.pages)
    words = [word for word in words_that_matter(question) if len(word) > _SHORT]
    runs = [word for word in words if is_cjk(word)]
    if any(run[at : at + _LONG] in titles for run in runs for at in range(max(1, len(run) - _LONG + 1))):
        return True
    names = {name.casefold() for name in _TITLED.findall(titles)}.intersection(words)
    return bool(names) and not names <= {word for page in web.pages for word in _SMALL.findall(page.text)}


def near_names(question: str, web: Web, index: Index) -> dict[str, str]:
    """Words of the question that the offline web lacks, each with a name in its titles that is nearly it."""
    missing = _missing([word for word in words_that_matter(question) if not is_cjk(word)], index)
    titles = " ".join(page.title for page in web.pages)
    names = {word.casefold(): word for word in _TITLED.findall(titles)}
    near = {word: difflib.get_close_matches(word.casefold(), names, n=1, cutoff=_NEAR) for word in missing}
    found = {word: names[close[0]] for word, close in near.items() if close and len(word) > _SHORT}
    return found | _near_in_cjk(question, titles)


def _near_in_cjk(question: str, titles: str) -> dict[str, str]:
    """The same for names in Chinese or Japanese: one character of four or more is another."""
    known = {name for name in _CJK_NAME.findall(titles) if name not in question}
    places = range(len(question))
    return {
        question[at : at + len(name)]: name
        for name in sorted(known)
        for at in places
        if sum(a != b for a, b in zip(name, question[at : at + len(name)], strict=False)) == 1
        and at + len(name) <= len(question)
        and not any(other in question for other in known if other != name and other[:3] == name[:3])
    }


def unknown_words(question: str, index: Index) -> list[str]:
    """The content words that the index does not hold; empty if it knows what the question is about.

    Names decide alone, where there are any and not just half of them are known.
    """
    names = list(dict.fromkeys(_NAME.findall(question)))
    unknown = _missing(names, index)
    if 2 * len(unknown) != len(names):
        return unknown if 2 * len(unknown) > len(names) else []
    words = [word for word in words_that_matter(question) if not _SUPERLATIVE.fullmatch(word)]
    unknown = [word for word in _missing(words, index) if not _is_compound(word, index)]
    if any(is_cjk(word) and word not in unknown for word in words):
        return []
    return unknown if 2 * len(unknown) >= len(words) else []


def _is_compound(word: str, index: Index) -> bool:
    """Whether a word is two that the index knows ("airline")."""
    ends = range(_SHORT, len(word) - _SHORT + 1) if not is_cjk(word) else ()
    return any(len(index.knows({word[:end], word[end:]})) == 2 for end in ends)


def _missing(words: list[str], index: Index) -> list[str]:
    """The words that the index lacks; of a Chinese or Japanese one it has the first pair, or two in a row."""
    pairs = {word: query_terms(word) if is_cjk(word) else [word] for word in words}
    known = index.knows({pair for of_word in pairs.values() for pair in of_word})

    def is_known(word: str) -> bool:
        has = [pair in known for pair in pairs[word]]
        return has[0] or any(map(all, pairwise(has)))

    return [word for word in words if not is_known(word)]


def words_that_matter(question: str) -> list[str]:
    """The words that carry a subject: no stop words; in Chinese or Japanese none of grammar or asking."""
    plain = [term for term in query_terms(question) if not is_cjk(term)]
    runs = _CJK_WORD.findall(re.sub(_GRAMMAR, " ", form("questions.asking").sub(" ", question)))
    return plain + list(dict.fromkeys(run for run in runs if len(run) > 1))
