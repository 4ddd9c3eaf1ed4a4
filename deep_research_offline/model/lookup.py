"""The report on a look-up: the best passage quoted whole, what is computed, what was not found."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice

from .answer import Answer, Found, solve
from .compare import Reading
from .dating import with_dates
from .lexicon import spelled
from .names import mentions, names_in
from .page import SHORT, Page, Passage
from .phrases import join, say
from .points import pair_in
from .query import Query, is_keywords, kinds_in
from .rank import HIT, Scored, holds, is_asked_above
from .text import is_cjk
from .thesaurus import said_by, shows
from .titles import asked_title
from .values import difference
from .worth import alike

_MORE, _AS_WELL = 4, 0.72
"""How many further passages are shown, and how well each has to fit, of how well the answer does."""
_FIRST, _TOLD = 5, 3
"""How many of what is in order are shown where there may be more, and at least quoted."""


def compose(
    question: str, pages: Sequence[Page], gaps: Sequence[str], lang: str, most: int | None = None
) -> list[str]:
    """The report's blocks, in order of importance; the first holds title and answer."""
    answer = solve(question, pages)
    said: dict[str, str] = {}
    opening = "\n\n".join(dict.fromkeys(_opening(answer, pages, lang, said)))
    sections = [f"# {asked_title(question, pages)}\n\n{opening}"]
    for heading, lines in (
        ("h_way", _way_lines(answer, said)),
        ("h_more" if answer.sure else "h_nearest", _more_lines(answer, said)),
        ("h_missing", [say("gap", lang, it=gap) for gap in gaps]),
    ):
        if lines:
            listed = with_dates("\n".join(f"- {line}" for line in lines), pages, lang)
            sections.append(f"## {say(heading, lang)}\n\n{listed}")
    return sections[: max(1, most)] if most else sections


def _opening(answer: Answer, pages: Sequence[Page], lang: str, said: dict[str, str]) -> list[str]:
    """The answer, part by part; each part answered, given as the closest, or named as missing."""
    lines = [say("slip", lang, said=n.slip, name=n.text) for n in answer.slips]
    lines += _computed(answer, lang)
    for found in answer.founds:
        lines += [with_dates(line, pages, lang) for line in _on_part(found, answer, lang, said)]
    return [line for line in lines if line]


def _on_part(found: Found, answer: Answer, lang: str, said: dict[str, str]) -> list[str]:
    """What is found of one part or item."""
    lack = say("lacking", lang, it=join([f"“{w}”" for w in found.lacking], lang)) if found.lacking else ""
    asked = found.ranking.query if found.ranking else answer.query
    parts = len(answer.founds) > 1 and not found.item
    denial = f"{say('denied', lang, it=found.asked if parts else asked.spoken)} {lack}".strip()
    if found.way is None or not found.near:
        return [say("item_lacking", lang, item=found.item) if found.item else denial]
    if found.sure and len(found.others) > 1:
        values = say("separator", lang).join(_stated(read, lang) for read in found.others)
        first = [_quote(read.scored.passage, said) for read in found.others[:3]]
        return [" ".join(line for line in first if line), say("differ", lang, values=values)]
    texts = {s.text: s.passage for s in (*found.more, found.way.last)}.values()
    why = asked.kind == "reason"
    wide = (p.in_paragraph() if why else p for p in texts)
    told = " ".join(filter(None, (_quote(p, said, _above(p, asked)) for p in wide)))
    if not told:
        return [] if found.sure else [denial]
    if found.sure:  # each word of a list of keywords asks for something
        return [told, lack if is_keywords(answer.query.text) else ""]
    return [f"{say('closest', lang)} {told}", lack or (denial if parts else "")]


def _stated(read: Reading, lang: str) -> str:
    page = read.scored.page
    date = f", {page.published}" if page.published else ""
    return say("says", lang, value=read.text, title=page.title or page.id, date=date, ids=cite(read.scored))


def _computed(answer: Answer, lang: str) -> list[str]:
    """The outcome of a comparison or ranking, each value cited."""
    ranked = answer.ranked
    if not ranked:
        return []
    if answer.founds and len(ranked) == 2 and not answer.partly:
        first, second = ranked
        if first.key == second.key:
            return [say("equal", lang, values=say("separator", lang).join(_of_item(r, lang) for r in ranked))]
        truth = ""
        if "yesno" in kinds_in(answer.query.text.lower()) and _one_asked(answer):
            asked = first.item in {answer.founds[0].item, *answer.query.years[:1]}
            truth = say("yes_said" if asked else "no_said", lang)
        others, apart = _of_item(second, lang), difference(first.text, second.text)
        if apart and (answer.query.apart or answer.query.change):
            others = say("apart", lang, said=others, value=apart)
        line = say(
            "first_of_two", lang, first=first.item, value=first.text, ids=cite(first.scored), others=others
        )
        return [truth + line]
    told = _roll(ranked, lang) if answer.query.rolls else _in_order(answer, lang)
    return [f"{say('closest', lang)} {told}" if answer.partly else told]


def _in_order(answer: Answer, lang: str) -> str:
    """The first of what is in order, each with its value."""
    shown = answer.first[: _FIRST if answer.partly else None]
    values = say("separator", lang).join(
        say("ranked_value", lang, item=r.item, value=r.text, ids=cite(r.scored)) for r in shown
    )
    if len(shown) > 1 and (answer.founds or answer.partly):
        return say("ranked", lang, values=values)
    return values + ("." if lang == "en" else "。")


def _roll(rows: Sequence[Reading], lang: str) -> str:
    """The things named, and how many if they are few; those of one page have one citation."""
    pages: dict[str, list[str]] = {}
    for row in rows:
        pages.setdefault(cite(row.scored), []).append(row.item)
    items = say("separator", lang).join(f"{join(names, lang)} {ids}" for ids, names in pages.items())
    many = spelled(len(rows), lang)
    return say("named" if many else "named_many", lang, number=many.capitalize(), items=items)


def _one_asked(answer: Answer) -> bool:
    """Whether a comparison asks of its first thing ("Is X longer than Y?") and not which one."""
    low = answer.query.text.lower()
    return " than " in f" {low} " and " or " not in f" {low} "


def _of_item(read: Reading, lang: str) -> str:
    return say("of_item", lang, item=read.item, value=read.text, ids=cite(read.scored))


def _way_lines(answer: Answer, said: dict[str, str]) -> list[str]:
    """The passages that lead to the answer, the last hop first, where it takes more than one."""
    ways = [found.way for found in answer.founds if found.way and found.near]
    told = [step for way in ways for step in reversed(way.steps[:-1])]
    if not answer.founds and not answer.query.rolls:
        told += [row.scored for row in answer.ranked[: max(_TOLD, len(answer.first))]]
    return list(filter(None, (_quote(one.passage, said) for one in told)))


def _more_lines(answer: Answer, said: dict[str, str]) -> list[str]:
    """Further passages that serve the question; none that its page said above in other words, and no label
    of what any page said."""
    ways = [(found.way.last.score, found.near_by) for found in answer.founds if found.way]
    serving = (one.passage for score, near in ways for one in near if one.score >= _AS_WELL * score)

    def is_new(passage: Passage) -> bool:
        label = passage.sentence.kind == "row" or pair_in(passage.sentence) is not None
        told = (earlier for earlier, page in said.items() if label or page == passage.page.id)
        return not any(alike(_standing(passage, said), earlier) for earlier in told)

    return list(islice(filter(None, (_quote(one, said) for one in serving if is_new(one))), _MORE))


def _quote(passage: Passage, said: dict[str, str], above: str = "") -> str:
    """A passage, verbatim, so that it can stand alone, with its id; "" if it was quoted before."""
    if any(passage.text in earlier for earlier in said):
        return ""
    text = _standing(passage, said, above)
    said[text] = passage.page.id
    return f"{ended(text)} [{passage.page.id}]"


def ended(text: str) -> str:
    """A text that ends like a sentence."""
    if text.endswith((".", "!", "?", "。", "！", "？", "…", ".”", '."', ".)")):
        return text
    return text.rstrip(":;") + ("。" if is_cjk(text[-1:]) else ".")


def _above(passage: Passage, query: Query) -> str:
    """The heading of a passage if that says something asked which the passage does not; none that asks."""
    heading, told = passage.sentence.heading.rstrip(":"), said_by(passage.text)
    rest = tuple(c for c in query.concepts if holds(c, told) < HIT and not shows(c.groups, passage.text))
    asked = not heading.endswith(("?", "？")) and is_asked_above(replace(query, concepts=rest), heading)
    return heading if asked and not mentions(passage.page.title, heading) else ""


def _standing(passage: Passage, said: Iterable[str], above: str = "") -> str:
    """A passage with the one before it where it points back, and under its page's title and the heading
    `above` it, if there is one; else, if it does not say what it is about, with the one before it that does,
    unless that is said already, or under its page's title."""
    title, text, wide = passage.page.title, passage.text, is_cjk(passage.text)
    if passage.points_back and passage.before and not any(passage.before[-1].text in e for e in said):
        text = f"{passage.before[-1].text} {text}"
    if above:
        return f"{title}, {above}: {text}" if title else f"{above}: {text}"
    if not title or _names_part_of(title, text):
        return text
    for before in passage.before[-1:]:
        new = not any(before.text in earlier for earlier in said)
        if new and _names_part_of(title, before.text) and len(before.text) + len(text) < SHORT:
            return f"{before.text}{'' if wide else ' '}{text}"
    return f"{title}{'：' if wide else ': '}{text}"


def _names_part_of(title: str, text: str) -> bool:
    """Whether a text names what a title names, or a part of it."""
    return mentions(text, title) or any(mentions(title, n) for n in names_in(text))


def cite(one: Scored) -> str:
    """The id of a passage's page."""
    return f"[{one.page.id}]"
