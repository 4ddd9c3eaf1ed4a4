"""How sure it is that a way through the pages ends at what was asked.

A way is measured by some thirty features: how much of the question it holds and where, what of it no page
says, whether it ends in an answer of the kind asked. A weighted sum of them, squeezed between 0 and 1, is
the share of such ways that are right. The weights are in `certainty.toml`, fitted by
`benchmarks.train_certainty`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from .compare import Reading
from .lexicon import load
from .names import bare
from .paths import Way
from .query import COUNTED, is_core
from .rank import ENDED, HIT, SINCE, Ranking, Scored, is_doubtful, is_later, trust
from .text import is_cjk, terms, words
from .thesaurus import group_of, said_by, thesaurus
from .values import counts, dates, tells_when

SURE = 0.55
"""The certainty from which a way may be given as the answer."""
_UNNAMED = 0.9
"""How sure an answer is that holds all of a question in which nothing is named."""
_LACKED = 0.5
"""How little of a word lacks."""
_SAID = 0.6
"""How well a way has to hold a word to say it."""
_HOLDS = re.compile(r"\bwho (?!was\b)(?:\w*s|are)\b", re.IGNORECASE)
"""What asks who holds a place today."""
_WHO_IS = re.compile(r"\bwho (?:is|was|are|were)\b", re.IGNORECASE)
_HOW_MUCH_IT_IS = re.compile(r"\bhow much(?:['’]?s| is| are| was| were)\b", re.IGNORECASE)
_WHO_DID = re.compile(r"\bwho (\w+)", re.IGNORECASE)
"""What is asked of somebody, and what that is."""
_PLACED = frozenset(
    "in on at near from off under above below behind beside between outside inside across along by to into"
    " through over around opposite within beyond".split()
)
"""What stands before a place."""


def certainty(ranking: Ranking, way: Way, read: Reading | None, item: str = "") -> float:
    """The share of ways like this one that end at what was asked; `read` is the value at its end, `item` the
    thing that it is about, if the question is about several. What is not of the kind asked, such as the
    number of something else, is no answer at all."""
    counts = (
        ranking.query.kind != "name"
        and ranking.query.units <= {"time"}
        and COUNTED.search(ranking.query.text.lower())
    )
    if not of_kind(ranking, way) or (counts and not ranking.counted(way.last.text)):
        return 0.0
    if _says_nothing(ranking, way) or _leaves_out(ranking, way) or (ranking.query.units and read is None):
        return 0.0
    if way.last.passage.announces:  # what it introduces would tell
        return 0.0
    if ranking.query.kind == "yesno" and len(way.steps) > 1 and not item:
        return 0.0  # its words stand in passages that say nothing of each other
    if not ranking.concepts and ranking.query.time == "before" and not ENDED.search(way.last.text):
        return 0.0
    weights = load("certainty")["weights"]
    found = features(ranking, way, read, item)
    if not ranking.names:  # of what names nothing the webs for training have next to no examples
        signs = ("foreign", "other year", "no reason", *(() if found["wide"] else ("unshown",)))
        gone = any(found[name] for name in signs)
        vague = all(concept.weak for concept in ranking.query.concepts)
        return 0.0 if gone or vague or not found["to the point"] else _UNNAMED * found["cover"]
    return 1 / (1 + math.exp(-math.fsum(weights.get(name, 0.0) * value for name, value in found.items())))


def features(ranking: Ranking, way: Way, read: Reading | None, item: str = "") -> Mapping[str, float]:
    """What is measured of a way."""
    query, concepts, levels, last = ranking.query, ranking.concepts, way.levels, way.last
    asked = [n for n, concept in enumerate(concepts) if not concept.weak]
    centre = [n for n in asked if is_core(concepts[n])]
    wanted = [n for n in asked if ranking.is_asked(concepts[n])]
    why = group_of("reason") if query.kind == "reason" else frozenset()
    years = levels[len(concepts) : len(concepts) + len(ranking.years)]
    whole = sum(ranking.claims[n] for n in asked)
    held = sum(ranking.claims[n] * (levels[n] if levels[n] < HIT else 1) for n in asked if levels[n] >= _SAID)
    share = held / whole if whole else 1.0
    gone = [n for n in asked if not ranking.shown[n]]
    point = max((last.levels[n] for n in wanted), default=1.0)
    about = [levels, *(one.levels for one in ranking.scored if not ranking.missed(one.levels))]
    wide, far = is_cjk(query.text), len(way.steps) > 1
    return {
        "always": 1.0,
        "missed": ranking.missed(levels),
        "foreign": float(bool(ranking.strange)),
        "kind": ranking.kind_bonus(last.passage, way.names),
        "no value": float(bool(item and query.order) and read is None),
        "cover": ranking.cover(levels),
        "held": share,
        "held, far": share * far,
        "held, wide": share * wide,
        "wide": float(wide),
        "far": float(len(way.steps) - 1),
        "item, far": float(bool(item) and far),
        "point": point,
        "to the point": float(point >= _SAID),
        "lacking": sum(ranking.claims[n] for n in asked if all(one[n] < _LACKED for one in about))
        / (whole or 1),
        "own words": sum(n in last.said for n in asked) / (len(asked) or 1),
        "idle": float(not ranking.serves(last)),
        "unshown": len(gone) / (len(asked) or 1),
        "unshown centre": float(sum(n in centre for n in gone)),
        "unshown point": float(sum(n in wanted for n in gone)),
        "other year": float(len(years) == 1 and years[0] < HIT),
        "no reason": float(any(levels[n] < _SAID for n in asked if concepts[n].groups & why)),
        "order": float(bool(query.order and not item)),
        "hearsay": float(trust(last.page)[0] < 1 or is_doubtful(last.text)),
    }


def _says_nothing(ranking: Ranking, way: Way) -> bool:
    """Whether a question asks in words that say little ("who kept it"), and a way has not even these."""
    held = zip(ranking.concepts, way.levels, strict=False)
    return bool(ranking.concepts) and all(concept.weak and level < _SAID for concept, level in held)


def _leaves_out(ranking: Ranking, way: Way) -> bool:
    """Whether a way over several passages came to its end without a thing asked that pages show: it has gone
    another way than the question ("who founded the company that made its engines", by the builder)."""
    things = (n for n, c in enumerate(ranking.concepts) if c.thing and not c.weak and ranking.shown[n])
    return len(way.steps) > 1 and any(way.levels[n] < _SAID for n in things)


def of_kind(ranking: Ranking, way: Way) -> bool:
    """Whether a way ends in what is asked by its kind: a number, a time, or a name besides those known."""
    kind, text = ranking.query.kind, way.last.text
    asked, said = said_by(ranking.query.text)[1], said_by(text)[1]
    if _HOW_MUCH_IT_IS.search(ranking.query.text) and said_by("revenue")[1] & said - asked:
        return False  # what a fee brings in is not what it is
    if (ranking.query.when and not tells_when(text)) or (
        kind != "plain" and way.last.passage.sentence.kind == "code"
    ):
        return False
    if ranking.query.time == "before" and not ranking.query.change and is_later(text):
        return False
    if kind == "number":
        age = any(is_core(c) and c.groups & group_of("date") for c in ranking.concepts)
        return bool(counts(text) or (age and dates(text)))
    if kind == "date":
        return tells_when(text)
    if kind == "place":
        return _tells_place(ranking, way)
    if kind != "person" or all(concept.weak for concept in ranking.concepts):  # "who is" somebody
        return True
    over = ENDED.search(text) and not SINCE.search(text)
    if over and _HOLDS.search(ranking.query.text):
        return False
    return ranking.kind_bonus(way.last.passage, way.names) > 0 and _says_role(ranking, way.last)


def _says_role(ranking: Ranking, last: Scored) -> bool:
    """Whether a passage says the role or deed of which somebody is asked ("Who is the chief engineer of …",
    "Who built …")."""
    text, is_asked = ranking.query.text, ranking.query.asked
    whole = is_cjk(text) or _WHO_IS.search(text)
    deed = None if ranking.query.order else _WHO_DID.search(text)
    asked = ((n, c) for n, c in enumerate(ranking.concepts) if not c.weak)
    return all(
        last.levels[n] >= (_SAID if is_cjk(text) else _LACKED)
        for n, c in asked
        if (whole and c.word in is_asked) or c.word.startswith("who ") or (deed and c.word == deed[1].lower())
    )


def _tells_place(ranking: Ranking, way: Way) -> bool:
    """Whether the end of a way names a place, or says more behind "in", "at" …, than names that are known,
    dates, and what is asked: that somebody "was born in 1994" tells no place."""
    text = way.last.text
    for name in filter(None, (*ranking.names, *way.names, bare(way.last.page.title))):
        text = re.sub(re.escape(name), " ", text, flags=re.IGNORECASE)
    for value in reversed(dates(text)):
        text = f"{text[: value.start]} {text[value.start + len(value.text) :]}"
    text = thesaurus().said.pattern.sub(" ", text) if is_cjk(text) else text
    asked = {group for concept in ranking.concepts for group in concept.groups}
    said, free = words(text), is_cjk(text) or way.last.passage.sentence.kind != "prose"
    return any(
        any(len(term) > 1 for term in terms(word))
        and not said_by(word)[1] & asked
        and (free or word[0].isupper() or not _PLACED.isdisjoint(map(str.lower, said[max(0, n - 3) : n])))
        for n, word in enumerate(said)
    )
