"""Answers in text: the report on findings, or a plain answer to a request of no known kind."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .conversation import Conversation, outside_fences
from .lookup import compose
from .notes import finding_pages
from .offer import limit, wanted_language
from .overview import is_broad
from .page import Page
from .phrases import say
from .report_words import DIFFERING
from .report_writer import compose as report
from .report_writer import limits_in
from .sections import section
from .task import inner_question, spelled_out
from .text import language, term_set, tidy
from .units import length

QUESTION = re.compile(r"^\s*(?:Question|Query|问题|質問)\s*[:：]\s*(.+?)\s*$", re.MULTILINE)
_BRIEF = re.compile(r"^\s*Brief: (.+)$", re.MULTILINE)
_WHOLE = re.compile(r"^\s*The whole report answers: (.+?)\s*$", re.MULTILINE)
_SECTIONS = re.compile(r"^Its sections:\n((?:\d+\. .+\n?)+)", re.MULTILINE)
_OWN = re.compile(r"^\s*Your section is number (\d+)\.$", re.MULTILINE)
_ADDED = re.compile(r"^\s*The user added: (.+?)\s*$", re.MULTILINE)
_GAPS = re.compile(r"<gaps>(.*?)</gaps>", re.DOTALL)


def write(talk: Conversation) -> str:
    """The report as Markdown, every statement followed by the ids that it rests on."""
    question = asked_question(talk)
    lang = wanted_language(talk.system) or language(question)
    whole = _WHOLE.search("\n".join(talk.said))
    if is_broad(tidy(whole[1]) if whole else question):
        return _report(talk, tidy(whole[1]) if whole else question, lang, _titles(talk)[0] if whole else "")
    if DIFFERING.search(question):
        return say("nothing", lang) + "\n"  # a look-up's answer tells of it itself
    pages = pages_of(talk)
    gaps = [
        tidy(line.strip("-* "))
        for m in _GAPS.finditer(talk.evidence_text)
        for line in m.group(1).splitlines()
        if line.strip("-* ")
    ]
    prompt = f"{talk.system}\n{outside_fences(talk.evidence_text)}"
    sections = compose(question, pages, gaps, lang, limit(prompt, "sections?", "节", "節"))
    return shortened(sections, limit(prompt, "words?", "字", "文字"))


def pages_of(talk: Conversation) -> Sequence[Page]:
    """What a report is written from: the pages that findings quote, else those given."""
    return finding_pages("\n".join(b.text for b in talk.findings), talk.listed) or talk.sources


def _report(talk: Conversation, question: str, lang: str, title: str) -> str:
    """The report on a broad question; only its section of that title where there is one."""
    pages = pages_of(talk)
    if title:
        listed, own = (pattern.search("\n".join(talk.said)) for pattern in (_SECTIONS, _OWN))
        headings = re.findall(r"^\d+\. (.+)$", listed[1], re.MULTILINE) if listed else []
        title = headings[int(own[1]) - 1] if own and int(own[1]) <= len(headings) else title
        topics = [block.attributes.get("topic", "") for block in talk.findings]
        return section(title, pages, headings, topics, question=question, language=lang)
    prompt = f"{talk.system}\n{outside_fences(talk.evidence_text)}"
    return report(question, pages, language=lang, limits=limits_in(prompt))


def _titles(talk: Conversation) -> list[str]:
    """What requests name as their question, as it stands."""
    return [tidy(title) for title in QUESTION.findall(outside_fences("\n".join(talk.said)))] or [""]


def asked_question(talk: Conversation) -> str:
    """The user's question in a writing request."""
    text = outside_fences("\n".join(talk.said))
    asked = [tidy(question) for question in QUESTION.findall(text)]
    added = [tidy(said) for said in _ADDED.findall(text)]
    if asked and added and len(term_set(asked[0])) <= 1:
        asked = [f"{asked[0]} ({added[0]})"]
    if asked:
        quoted = [inner_question(brief) for brief in _BRIEF.findall(text) if "“" in brief or "「" in brief]
        alone = next((q for q in quoted if term_set(q) & term_set(asked[0])), asked[0])
        return spelled_out(inner_question(alone), tidy(text))
    turns = [tidy(outside_fences(said)) for said in talk.said]
    return next((said for said in reversed(turns) if said and not said.endswith((":", "："))), tidy(text))


def shortened(sections: list[str], words: int | None) -> str:
    """At most so many words (characters in Chinese and Japanese), dropping from the end, line by line; the
    first line that answers always stays."""
    text = "\n\n".join(sections)
    if not words:
        return text + "\n"
    kept: list[str] = []
    for line in text.splitlines():
        answers = any(said and not said.startswith("#") for said in kept)
        if answers and length("\n".join([*kept, line])) > words:
            break
        kept.append(line)
    while kept and (not kept[-1].strip() or kept[-1].startswith("##")):
        kept.pop()
    return "\n".join(kept) + "\n"


def plain_answer(talk: Conversation) -> str:
    """An answer to a request of no known kind: from its own evidence if there is any, else an honest no."""
    last = talk.said[-1] if talk.said else ""
    lang = wanted_language(talk.system) or language(outside_fences(last) or last)
    asked = asked_question(talk)
    if talk.sources and is_broad(asked):
        limits = limits_in(f"{talk.system}\n{outside_fences(last)}", title=False)
        return report(asked, talk.sources, language=lang, limits=limits)
    if talk.sources:
        blocks = compose(asked_question(talk), talk.sources, [], lang)
        most = limit(f"{talk.system}\n{outside_fences(last)}", "words?", "字", "文字")
        return _untitled(shortened(blocks, most).strip()) + "\n"
    if is_greeting(last):
        return say("greeting", lang)
    pages = [Page(str(n), b.attributes.get("title", ""), b.text) for n, b in enumerate(talk.blocks)]
    if not pages:
        if talk.calls:
            return _untitled("\n\n".join(compose(asked_question(talk), [], [], lang)))
        return say("no_evidence", lang)
    lines = compose(inner_question(outside_fences(last)), pages, [], lang)
    return re.sub(r"\s*\[\d+\]", "", _untitled("\n\n".join(lines)))


def is_greeting(text: str) -> bool:
    """Whether a turn only greets or thanks: it has no word of content at all."""
    plain = outside_fences(text)
    return bool(re.search(r"\w", plain)) and not term_set(plain) and "?" not in plain and len(plain) < 80


def _untitled(text: str) -> str:
    """A report without its title: the first words of an answer say what was asked."""
    return text.split("\n", 1)[1].strip() if text.startswith("# ") else text
