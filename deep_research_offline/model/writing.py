"""Answers in text: the report on findings, or a plain answer to a request of no known kind."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .answer import solve
from .conversation import Conversation, outside_fences
from .kinds import may_be_broad
from .layout import Limits, shortened
from .lookup import compose
from .notes import finding_pages
from .offer import limit, wanted_language
from .page import Page
from .phrases import say
from .report_words import DIFFERING, subject_terms
from .report_writer import compose as report
from .report_writer import limits_in
from .request import inner_question, read_request
from .sections import section
from .text import language, term_set, tidy
from .wishes import wished_words

QUESTION = re.compile(r"^\s*(?:Question|Query|问题|質問)\s*[:：]\s*(.+?)\s*$", re.MULTILINE)
_BRIEF = re.compile(r"^\s*Brief: (.+)$", re.MULTILINE)
_WHOLE = re.compile(r"^\s*The whole report answers: (.+?)\s*$", re.MULTILINE)
_SECTIONS = re.compile(r"^Its sections:\n((?:\d+\. .+\n?)+)", re.MULTILINE)
_OWN = re.compile(r"^\s*Your section is number (\d+)\.$", re.MULTILINE)
_ADDED = re.compile(r"^\s*The user added: (.+?)\s*$", re.MULTILINE)
_GAPS = re.compile(r"<gaps>(.*?)</gaps>", re.DOTALL)


def write(talk: Conversation) -> str:
    """The report as Markdown, every statement followed by the ids that it rests on."""
    question, prompt = asked_question(talk), f"{talk.system}\n{outside_fences(talk.evidence_text)}"
    lang = wanted_language(talk.system) or language(question)
    if whole := _WHOLE.search("\n".join(talk.said)):
        wanted = read_request(tidy(whole[1]))
        question = wanted.question if wanted.broad else question
    if read_request(question).broad:
        if whole:
            return _section(talk, question, lang)
        return report(question, pages_of(talk), language=lang, limits=limits_in(prompt, wish_of(talk)))
    if DIFFERING.search(question):
        return say("nothing", lang) + "\n"  # a look-up's answer tells of it itself
    told = "\n".join(_GAPS.findall(talk.evidence_text)).splitlines()
    gaps = [tidy(line.strip("-* ")) for line in told if line.strip("-* ")]
    sections = compose(question, pages_of(talk), gaps, lang, limit(prompt, "sections"))
    limits = limits_in(prompt, wish_of(talk), title=False)
    sections = _with_report(question, pages_of(talk), sections, limits, lang)
    return _within(sections, limit(prompt, "words"))


def _with_report(
    question: str, pages: Sequence[Page], sections: list[str], limits: Limits, lang: str
) -> list[str]:
    """The blocks on a look-up that may ask for more; without a sure answer they go on with what the sources
    tell of its matter."""
    if not may_be_broad(question) or (answer := solve(question, pages)).sure:
        return sections
    told = report(say("as_report", lang, it=question), pages, language=lang, limits=limits)
    if not told.startswith("## "):
        return sections
    blocks = re.split(r"\n\n(?=## )", told.strip())
    opening = sections[0]
    if answer.ranked or any(found.near for found in answer.founds):
        blocks = blocks[blocks[0].startswith(f"## {say('summary', lang)}") :]
    else:
        opening = "\n\n".join([opening.split("\n", 1)[0], say("told_of", lang)])
    rest = filter(None, (_without_told(section, told) for section in sections[1:]))
    return [opening, *blocks, *rest][: limits.sections]


def _without_told(section: str, told: str) -> str:
    """A section that lists quotes without those that a text has; "" if none is left."""
    head, *lines = section.splitlines()
    quotes = {
        line: re.split(r"(?<=[:：])\s?", line.lstrip("- ").rpartition(" [")[0])[-1] for line in lines if line
    }
    new = [line for line, quote in quotes.items() if quote not in told]
    return "\n".join([head, "", *new]) if new else ""


def wish_of(talk: Conversation) -> str:
    """What the user has said, with all wishes about form."""
    text = "\n".join(map(outside_fences, talk.said))
    return "\n".join([*QUESTION.findall(text), *_ADDED.findall(text), *_WHOLE.findall(text)]) or text


def pages_of(talk: Conversation) -> Sequence[Page]:
    """What a report is written from: the pages that findings quote, else those given."""
    return finding_pages("\n".join(b.text for b in talk.findings), talk.listed) or talk.sources


def _section(talk: Conversation, question: str, lang: str) -> str:
    """One section of a report on a broad question."""
    said = "\n".join(talk.said)
    listed, own = _SECTIONS.search(said), _OWN.search(said)
    headings = re.findall(r"^\d+\. (.+)$", listed[1], re.MULTILINE) if listed else []
    titles = [tidy(title) for title in QUESTION.findall(outside_fences(said))] or [""]
    headings = [question if read_request(h).question == question else h for h in headings]
    title = headings[int(own[1]) - 1] if own and int(own[1]) <= len(headings) else titles[0]
    topics = [block.attributes.get("topic", "") for block in talk.findings]
    words = wished_words(wish_of(talk))
    return section(title, pages_of(talk), headings, topics, question=question, language=lang, words=words)


def asked_question(talk: Conversation) -> str:
    """The user's question in a writing request."""
    turns = [outside_fences(said) for said in talk.said]
    text = "\n".join(turns)
    if named := QUESTION.search(text):
        asked, added = tidy(named[1]), _ADDED.search(text)
        if added and len(term_set(asked)) <= 1:
            asked = f"{asked} ({tidy(added[1])})"
        quoted = [inner_question(brief) for brief in _BRIEF.findall(text) if "“" in brief or "「" in brief]
        alone = next((q for q in quoted if term_set(q) & term_set(asked)), asked)
        return read_request(alone, tidy(text)).question
    said = [tidy(turn) for turn in reversed(turns)]
    asked = next((turn for turn in said if turn and not turn.endswith((":", "："))), tidy(text))
    return read_request(asked).question if read_request(asked).broad else asked


def _within(blocks: list[str], words: int | None) -> str:
    """At most so many words (characters in Chinese and Japanese); the block that answers always stays."""
    text = shortened("\n\n".join(blocks), words)
    answers = any(line and not line.startswith("#") for line in text.splitlines())
    return (text if answers else "\n\n".join(blocks[:2])) + "\n"


def plain_answer(talk: Conversation) -> str:
    """An answer to a request of no known kind: from its own evidence if there is any, else an honest no."""
    last = talk.said[-1] if talk.said else ""
    plain = outside_fences(last)
    lang = wanted_language(talk.system) or language(plain or last)
    asked, prompt = asked_question(talk), f"{talk.system}\n{plain}"
    if talk.sources and read_request(asked).broad:
        return report(asked, talk.sources, language=lang, limits=limits_in(prompt, plain, title=False))
    if talk.sources:
        limits = limits_in(prompt, plain, title=False)
        told = _with_report(asked, talk.sources, compose(asked, talk.sources, [], lang), limits, lang)
        return _untitled(_within(told, limit(prompt, "words")).strip()) + "\n"
    if is_greeting(last):
        return say("greeting", lang)
    pages = [Page(str(n), b.attributes.get("title", ""), b.text) for n, b in enumerate(talk.blocks)]
    if not pages and not talk.calls:
        return say("no_evidence", lang)
    if read_request(asked).broad and not any(term_set(page.text) & {*subject_terms(asked)} for page in pages):
        return report(asked, (), language=lang, limits=limits_in(prompt, plain, title=False))
    told = compose(inner_question(plain) if pages else asked, pages, [], lang)
    return re.sub(r"\s*\[\d+\]", "", _untitled("\n\n".join(told)))


def is_greeting(text: str) -> bool:
    """Whether a turn only greets or thanks: it has no word of content at all."""
    plain = outside_fences(text)
    return bool(re.search(r"\w", plain)) and not term_set(plain) and "?" not in plain and len(plain) < 80


def _untitled(text: str) -> str:
    """A report without its title: the first words of an answer say what was asked."""
    return text.split("\n", 1)[1].strip() if text.startswith("# ") else text
