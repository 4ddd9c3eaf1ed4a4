"""Writing the report: the answer first, then the evidence, disagreements, and what was not found."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from .answer import Answer, disagreements, related, solve
from .bearing import evidence_lines, states
from .conversation import Conversation, outside_fences
from .digest import evidence
from .names import mentions
from .nearest import nearest
from .offer import limit, wanted_language
from .page import Page, is_about
from .phrases import join, say
from .present import cite, compared, full_value, is_row, readable
from .question import Question
from .ranking import Claim, trust
from .scope import asks_something
from .supervise import finding_pages
from .task import Task, read_task, spelled_out
from .text import is_cjk, language, tidy
from .values import numbers

_QUESTION = re.compile(r"^\s*(?:Question|Query|问题|質問)\s*[:：]\s*(.+?)\s*$", re.MULTILINE)
_ADDED = re.compile(r"^\s*The user added: (.+?)\s*$", re.MULTILINE)
_CHANGE = re.compile(r"\b(?:chang\w*|differ\w*|affect\w*)\b|变化|改变|変わ|変化", re.IGNORECASE)
_GAPS = re.compile(r"<gaps>(.*?)</gaps>", re.DOTALL)


def write(talk: Conversation) -> str:
    """The report as Markdown, every statement followed by the ids that it rests on."""
    text = outside_fences(talk.evidence_text)
    task = read_task(asked_question(talk))
    lang = wanted_language(talk.system) or language(task.question.text)
    pages = finding_pages("\n".join(b.text for b in talk.findings), talk.listed) or talk.sources
    gaps = [
        tidy(line.strip("-* "))
        for m in _GAPS.finditer(talk.evidence_text)
        for line in m.group(1).splitlines()
        if line.strip("-* ")
    ]
    prompt = f"{talk.system}\n{text}"
    sections = compose(task, pages, gaps, lang, limit(prompt, "sections?", "节", "節"))
    return _shortened(sections, limit(prompt, "words?", "字", "文字"), lang)


def asked_question(talk: Conversation) -> str:
    """The user's question in a writing request."""
    text = outside_fences("\n".join(talk.said))
    asked = [tidy(question) for question in _QUESTION.findall(text)]
    added = [tidy(said) for said in _ADDED.findall(text)]
    if asked and added and not asks_something(asked[0]) and asks_something(added[0]):
        asked = added
    return spelled_out(asked[0], tidy(text)) if asked else tidy(text)


def compose(
    task: Task, pages: Sequence[Page], gaps: Sequence[str], lang: str, most: int | None = None
) -> list[str]:
    """The report's blocks, in order of importance; the first holds title and answer."""
    question = task.question
    answer = solve(task, pages)
    rivals = disagreements(question, answer, pages)
    if len(answer.claims) == 1 and rivals:
        answer = replace(answer, claims=(rivals[0][0],))
    opening = f"# {question.text}\n\n" + "\n".join(_answer_lines(task, answer, pages, lang))
    sections = [opening]
    if answer.found or answer.trails:
        lines = evidence_lines(task, answer, pages)
        if lines:
            sections.append(f"## {say('h_evidence', lang)}\n\n" + "\n".join(lines))
    if answer.found:
        conflicts = [_conflict_line(claims, lang) for claims in rivals]
        if conflicts:
            sections.append(f"## {say('h_conflict', lang)}\n\n" + "\n".join(conflicts))
    near = _nearest_lines(question, answer, pages, "\n".join(sections))
    if near:
        sections.append(f"## {say('h_nearest', lang)}\n\n" + "\n".join(near))
    missing = [f"- {say('no_value', lang, it=item)}" for item in answer.missing if answer.found]
    missing += [f"- {say('gap', lang, it=gap)}" for gap in gaps]
    if missing:
        sections.append(f"## {say('h_missing', lang)}\n\n" + "\n".join(missing))
    return sections[: max(1, most)] if most else sections


def _nearest_lines(question: Question, answer: Answer, pages: Sequence[Page], said: str) -> list[str]:
    """Statements about whatever has no answer, unless the report has them already."""
    trails = [t for t in answer.trails if t.anchor in answer.missing]
    found = nearest(question, trails, pages)
    return [
        f"- {readable(n.sentence, n.page, n.subject)} {cite(n.page)}"
        for n in found
        if n.sentence.text not in said
    ]


def _answer_lines(task: Task, answer: Answer, pages: Sequence[Page], lang: str) -> list[str]:
    question = task.question
    if not answer.found:
        seen = related(pages, question.anchors)
        line = say("no_answer", lang, it=_asked_phrase(question, lang))
        return [line, *([say("looked_at", lang, it=join(seen[:3], lang))] if seen else [])]
    if question.multi:
        return [_comparison_line(question, answer, lang)]
    if answer.verdict == "ranking":
        values = say("separator", lang).join(_valued(c, lang) for c in answer.claims)
        return [say("ranking", lang, values=values)]
    lines = [_statement(question, claim, pages) for claim in answer.claims]
    lines += _other_side(task, answer.claims[0], pages) if _CHANGE.search(question.text) else []
    way = _way(answer, lang)
    return [*lines, "", way] if way else lines


def _way(answer: Answer, lang: str) -> str:
    """A chain of more than one step, name by name, each with the source that leads to it."""
    steps = next((t.steps for t in answer.trails if t.done and t.steps[-1] is answer.claims[0].step), ())
    named = [step for step in steps if step.value]
    if len(named) < 2:
        return ""
    chain = " → ".join(f"{step.value} {cite(step.page)}" for step in named)
    return say("way", lang, it=f"{named[0].subject} → {chain}")


def _asked_phrase(question: Question, lang: str) -> str:
    if lang != "en" or not question.anchors or not question.hops:
        return say("the_asked", lang)
    return f"what the question asks about {join(list(question.anchors), lang)}"


def _statement(question: Question, claim: Claim, pages: Sequence[Page]) -> str:
    """The sentence that answers, led by the value where that is clear; running text before a table row."""
    step = claim.step
    sentence, page = step.sentence, step.page
    if is_row(sentence):
        said = (
            (p, s)
            for p in sorted(pages, key=lambda p: (p.id != page.id, p.id))
            for s in p.sentences
            if not is_row(s)
            and claim.value in s.text
            and mentions(s.text, step.subject)
            and states(question, claim, p, s)
        )
        page, sentence = next(said, (page, sentence)) if claim.value else (page, sentence)
    leads = claim.value and step.hop.wants in {"date", "number", "name", "place", "text"}
    lead = f"**{full_value(replace(claim, step=replace(step, sentence=sentence)))}** — " if leads else ""
    return f"{lead}{readable(sentence, page, step.subject)} {cite(page)}"


def _other_side(task: Task, claim: Claim, pages: Sequence[Page]) -> list[str]:
    """For a question about a change: the sentence on the same thing with another number in the same unit."""
    own = numbers(claim.step.sentence.text)
    for page, sentence in evidence(task, pages):
        found = numbers(sentence.text)
        same_unit = own and found and own[0].unit == found[0].unit and own[0].key != found[0].key
        if same_unit and (mentions(sentence.text, claim.step.subject) or is_about(page, claim.step.subject)):
            return [f"{readable(sentence, page, claim.step.subject)} {cite(page)}"]
    return []


def _comparison_line(question: Question, answer: Answer, lang: str) -> str:
    values = say("separator", lang).join(_valued(c, lang) for c in answer.claims)
    if answer.verdict in {"yes", "no", "tie"}:
        return say(answer.verdict, lang, values=values)
    if any(claim.item == answer.verdict for claim in answer.claims):
        return compared(question, answer.verdict, answer.claims, lang)
    return values + ("。" if lang != "en" else ".")


def _valued(claim: Claim, lang: str) -> str:
    return f"{say('value_of', lang, item=claim.item, value=full_value(claim))} {cite(claim.step.page)}"


def _conflict_line(claims: Sequence[Claim], lang: str) -> str:
    """Who says which value, when, and which one is preferred for what reason; best source first."""
    parts = []
    for claim in claims:
        page = claim.step.page
        date = f", {page.published}" if page.published else ""
        said = say("says", lang, value=full_value(claim), title=page.title or page.id, date=date)
        parts.append(f"{said} {cite(page)}")
    line = say("differ", lang, values=say("separator", lang).join(parts))
    best, second = (trust(claim.step.page) for claim in claims[:2])
    reason = "tier" if best[0] > second[0] else "newer" if best[1] > second[1] else "first"
    preferred = say(f"prefer_{reason}", lang, it=full_value(claims[0]))
    return f"- {line} {preferred} {cite(claims[0].step.page)}"


def _shortened(sections: Sequence[str], words: int | None, lang: str) -> str:
    """At most so many words (characters in Chinese and Japanese), dropping from the end, line by line; the
    first line that answers always stays."""
    text = "\n\n".join(sections)
    if not words:
        return text + "\n"
    kept: list[str] = []
    for line in text.splitlines():
        answers = any(said and not said.startswith("#") for said in kept)
        if answers and _length("\n".join([*kept, line])) > words:
            break
        kept.append(line)
    while kept and (not kept[-1].strip() or kept[-1].startswith("##")):
        kept.pop()
    return "\n".join(kept) + "\n"


def _length(text: str) -> int:
    text = re.sub(r"\[[A-Z]\d[^\]]*\]|[#*\-]", " ", text)
    return sum(1 for c in text if is_cjk(c)) + len(re.findall(r"[A-Za-z0-9][^\s]*", text))


def plain_answer(talk: Conversation) -> str:
    """An answer to a request of no known kind: from its own evidence if there is any, else an honest no."""
    last = talk.said[-1] if talk.said else ""
    lang = language(last)
    if talk.sources:
        return _untitled("\n\n".join(compose(read_task(asked_question(talk)), talk.sources, [], lang))) + "\n"
    pages = [Page(str(n), b.attributes.get("title", ""), b.text) for n, b in enumerate(talk.blocks)]
    if not pages:
        return say("no_evidence", lang)
    task = read_task(outside_fences(last))
    lines = [readable(s, p) for p, s in evidence(task, pages)][:5]
    return "\n".join(lines) if lines else say("nothing", lang)


def _untitled(text: str) -> str:
    """A report without its title: the first words of an answer say what was asked."""
    return text.split("\n", 1)[1].strip() if text.startswith("# ") else text
