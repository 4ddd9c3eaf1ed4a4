"""Writing the report: the answer first, then the evidence, disagreements, and what was not found."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .answer import Answer, better, disagreements, related, solve
from .conversation import Conversation, outside_fences
from .digest import evidence, on_the_way
from .offer import limit, wanted_language
from .page import Page
from .phrases import join, say
from .question import Question
from .ranking import Claim
from .supervise import finding_pages
from .task import Task, read_task
from .text import is_cjk, language, tidy

_QUESTION = re.compile(r"^\s*(?:Question|Query|问题|質問)\s*[:：]\s*(.+?)\s*$", re.MULTILINE)
_GAPS = re.compile(r"<gaps>(.*?)</gaps>", re.DOTALL)


def write(talk: Conversation) -> str:
    """The report as Markdown, every statement followed by the ids that it rests on."""
    text = outside_fences(talk.evidence_text)
    task = read_task(asked_question(talk))
    lang = wanted_language(talk.system) or language(task.question.text)
    pages = finding_pages("\n".join(b.text for b in talk.findings), talk.listed)
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
    match = _QUESTION.search(text)
    return tidy(match.group(1)) if match else tidy(text)


def compose(
    task: Task, pages: Sequence[Page], gaps: Sequence[str], lang: str, most: int | None = None
) -> list[str]:
    """The report's blocks, in order of importance; the first holds title and answer."""
    question = task.question
    answer = solve(task, pages)
    opening = f"# {question.text}\n\n" + "\n".join(_answer_lines(question, answer, pages, lang))
    sections = [opening]
    if answer.found or answer.trails:
        lines = _evidence_lines(task, answer, pages)
        if lines:
            sections.append(f"## {say('h_evidence', lang)}\n\n" + "\n".join(lines))
    if answer.found:
        conflicts = [_conflict_line(claims, lang) for claims in disagreements(question, answer, pages)]
        if conflicts:
            sections.append(f"## {say('h_conflict', lang)}\n\n" + "\n".join(conflicts))
    missing = [f"- {say('no_value', lang, it=item)}" for item in answer.missing if answer.found]
    missing += [f"- {say('gap', lang, it=gap)}" for gap in gaps]
    if missing:
        sections.append(f"## {say('h_missing', lang)}\n\n" + "\n".join(missing))
    return sections[: max(1, most)] if most else sections


def _answer_lines(question: Question, answer: Answer, pages: Sequence[Page], lang: str) -> list[str]:
    if not answer.found:
        seen = related(pages, question.anchors)
        line = say("no_answer", lang, it=_asked_phrase(question, lang))
        return [line, *([say("looked_at", lang, it=join(seen[:3], lang))] if seen else [])]
    if question.multi:
        return [_comparison_line(question, answer, lang)]
    if answer.verdict == "ranking":
        values = say("separator", lang).join(_valued(c, lang) for c in answer.claims)
        return [say("ranking", lang, values=values)]
    return [_statement(claim) for claim in answer.claims]


def _asked_phrase(question: Question, lang: str) -> str:
    if lang != "en" or not question.anchors or not question.hops:
        return say("the_asked", lang)
    return f"what the question asks about {join(list(question.anchors), lang)}"


def _statement(claim: Claim) -> str:
    """The sentence that answers, led by the value where it is a clear one."""
    sentence = titled(claim.step.sentence.text, claim.step.page)
    lead = (
        f"**{claim.value}** — "
        if claim.value and claim.step.hop.wants in {"date", "number", "name", "place"}
        else ""
    )
    return f"{lead}{sentence} [{claim.step.page.id}]"


def _comparison_line(question: Question, answer: Answer, lang: str) -> str:
    values = say("separator", lang).join(_valued(c, lang) for c in answer.claims)
    if answer.verdict in {"yes", "no", "tie"}:
        return say(answer.verdict, lang, values=values)
    if answer.verdict:
        return say("wins", lang, winner=answer.verdict, values=values)
    return values + ("。" if lang != "en" else ".")


def _valued(claim: Claim, lang: str) -> str:
    return f"{say('value_of', lang, item=claim.item, value=claim.value)} [{claim.step.page.id}]"


def _evidence_lines(task: Task, answer: Answer, pages: Sequence[Page]) -> list[str]:
    """Each step on the way, then what else bears on the question; one bullet per sentence.

    Without an answer only the way is shown, as far as it led; facts nearby would look like one.
    """
    told = [(s.page, s.sentence) for t in answer.trails for s in t.steps]
    told += [(c.step.page, c.step.sentence) for c in answer.claims]
    if answer.found:
        told += evidence(task, pages)
    elif len(task.question.hops) > 1:
        told += on_the_way(task.question, answer.trails, pages)
    chosen: dict[str, list[str]] = {}
    for page, sentence in told:
        ids = chosen.setdefault(titled(sentence.text, page), [])
        ids += [page.id] if page.id not in ids else []
    return [f"- {text} {''.join(f'[{i}]' for i in ids)}" for text, ids in chosen.items()]


def titled(text: str, page: Page) -> str:
    """A sentence with its page's title before it, unless it names it."""
    return f"{page.title}: {text}" if page.title and page.title not in text else text


def _conflict_line(claims: Sequence[Claim], lang: str) -> str:
    parts = []
    for claim in claims:
        page = claim.step.page
        date = f", {page.published}" if page.published else ""
        parts.append(
            say("says", lang, value=claim.value, title=page.title or page.id, date=date) + f" [{page.id}]"
        )
    chosen = better(claims)
    line = say("differ", lang, values=say("separator", lang).join(parts))
    return f"- {line} {say('prefer', lang, it=chosen.value)} [{chosen.step.page.id}]"


def _shortened(sections: Sequence[str], words: int | None, lang: str) -> str:
    """At most so many words (characters in Chinese and Japanese), dropping from the end, line by line."""
    text = "\n\n".join(sections)
    if not words:
        return text + "\n"
    kept: list[str] = []
    for line in text.splitlines():
        if kept and _length("\n".join([*kept, line])) > words:
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
    pages = talk.sources or [
        Page(str(n), b.attributes.get("title", ""), b.text) for n, b in enumerate(talk.blocks)
    ]
    if not pages:
        return say("no_evidence", lang)
    task = read_task(outside_fences(last))
    lines = [titled(s.text, p) for p, s in evidence(task, pages)][:5]
    return "\n".join(lines) if lines else say("nothing", lang)
