"""Summarizing a page and compressing a researcher's sources: choosing sentences, never rewording them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from . import lexicon
from .answer import convincing, rivals
from .conversation import Conversation, outside_fences
from .dating import in_its_year
from .names import likeness, mentions, names
from .nearest import nearest
from .offer import avoided_sources
from .page import ABOUT, Page, aboutness, is_about
from .phrases import say
from .present import cite
from .question import Question
from .rank import Pick, score_all
from .ranking import rank_items
from .reason import Trail, follow
from .task import Task, read_task
from .text import Sentence, language, stem, term_set, tidy

MAX_EXCERPTS = 5
PER_PAGE = 4
SHORT_PAGE = 450
"""Characters of a page that a summary may always have: a short page loses too much in a third of it."""
OWN = 0.9
RELATED = frozenset(stem(word) for relation in lexicon.RELATIONS for word in relation.asked.split())
_LABEL = re.compile(r"^\s*[^:：\n]{2,30}[:：]\s*")


@dataclass(frozen=True, slots=True)
class Summary:
    """What a page says about a query: running text, and verbatim excerpts."""

    text: str
    excerpts: tuple[str, ...]


def summarize(talk: Conversation) -> Summary:
    """The sentences of the page that bear on the query, in page order, in about a third of its length at
    most."""
    block = next(b for b in talk.blocks if b.text.strip())
    page = Page("P", block.attributes.get("title", ""), block.text)
    query = tidy(_LABEL.sub("", outside_fences(talk.said[-1]).strip())) if talk.said else ""
    task = read_task(query) if query else read_task(page.title)
    picks = score_all(task.question, task.focus, [page])
    picks = picks if task.question.terms else _overview(picks)
    room = max(SHORT_PAGE, int(len(block.text) * 0.3))
    chosen: list[Pick] = []
    for pick in picks:
        if pick.score <= 0 and chosen:
            break
        if len(pick.sentence.text) <= room:
            chosen.append(pick)
            room -= len(pick.sentence.text) + 1
        if len(chosen) >= 12:
            break
    excerpts = [p.sentence.text for p in chosen if p.sentence.kind != "row" or p.sentence.text in block.text][
        :MAX_EXCERPTS
    ]
    rows = [line for line in block.text.splitlines() if line.lstrip().startswith("|")]
    excerpts += [_row_line(p.sentence, rows) for p in chosen if p.sentence.kind == "row"][
        : MAX_EXCERPTS - len(excerpts)
    ]
    text = " ".join(p.sentence.text for p in sorted(chosen, key=lambda p: p.place))
    return Summary(text, tuple(e for e in excerpts if e and e in block.text))


def _overview(picks: Sequence[Pick]) -> list[Pick]:
    """For a bare name as query: how the page opens, then what states relations of general language."""

    def worth(pick: Pick) -> tuple[bool, bool, int]:
        related = bool(RELATED & term_set(pick.sentence.text))
        return (pick.place > 0, not related, pick.place)

    return [replace(pick, score=1.0) for pick in sorted(picks, key=worth)]


def _row_line(sentence: Sentence, rows: Sequence[str]) -> str:
    """The table line that a row sentence was read from, for a verbatim excerpt."""
    label = sentence.text.split(" — ")[0].split()[-1:]
    return next((row.strip() for row in rows if label and label[0] in row), "")


def compress(talk: Conversation) -> str:
    """The sentences of the sources that bear on the topic, verbatim, each with the ids of its sources."""
    first = next((t for t in talk.said if outside_fences(t).strip()), "")
    task = read_task(_topic(outside_fences(first)))
    avoided = avoided_sources(talk.system)
    pages = [page for page in talk.sources if not avoided & term_set(f"{page.tier} {page.url} {page.title}")]
    lang = language(task.question.text)
    lines = [f"- {_titled(s.text, page)} {ids}" for page, s, ids in _merged(evidence(task, pages))]
    return "\n".join(lines) if lines else say("nothing", lang)


def _topic(text: str) -> str:
    lines = [
        line
        for line in text.splitlines()
        if line.strip() and not re.match(r"^(?:Results|No results) for\b", line.strip())
    ]
    return tidy(_LABEL.sub("", " ".join(lines), count=1))


def _titled(text: str, page: Page) -> str:
    return f"{page.title}: {text}" if page.title and page.title not in text else text


def evidence(task: Task, pages: Sequence[Page]) -> list[tuple[Page, Sentence]]:
    """What to quote: every step of the way to the answer, then what else speaks of the question."""
    question, dated = in_its_year(task.question, pages)
    task = replace(task, question=question, focus=question.anchors) if dated else task
    chosen: dict[tuple[str, str], tuple[Page, Sentence]] = {}
    met = list(task.focus)
    for claim in rank_items(question, pages) if question.shape == "rank" and question.hops else ():
        chosen[claim.step.page.id, claim.step.sentence.text] = (claim.step.page, claim.step.sentence)
    trails = [follow(question, anchor, pages) for anchor in task.focus] + ([dated] if dated else [])
    for step in (step for trail in trails for step in trail.steps):
        chosen.setdefault((step.page.id, step.sentence.text), (step.page, step.sentence))
        met.append(step.subject)
    last = met[-1:] if len(question.hops) > 1 and len(task.focus) == 1 else list(task.focus)
    quoted = [
        *chosen.values(),
        *((p.page, p.sentence) for p in worth_quoting(question, [*last, *task.focus], pages)),
    ]
    shown = {page.id for page, _ in quoted}
    more = [*on_the_way(question, trails, pages), *corroborating(trails, pages)]
    quoted += [(page, sentence) for page, sentence in more if page.id not in shown]
    for trail in (t for t in trails if t.done and t.steps[-1].hop.wants in {"number", "date"}):
        quoted += [(s.page, s.sentence) for s in rivals(question, trail.steps[-1], pages, per_page=2)]
    open_ones = [t for t in trails if not t.done or not convincing(t.steps[-1], question, t)]
    quoted += [(near.page, near.sentence) for near in nearest(question, open_ones, pages, most=8)]
    return list({(page.id, sentence.text): (page, sentence) for page, sentence in quoted}.values())


def on_the_way(
    question: Question, trails: Sequence[Trail], pages: Sequence[Page]
) -> list[tuple[Page, Sentence]]:
    """For each page about a name that the trails met, the sentence on it that bears most on the question."""
    met = [name for t in trails for name in (t.anchor, *(s.value for s in t.steps), t.lead) if name]
    found = []
    for page in pages:
        if page.sentences and any(is_about(page, name) for name in met):
            best = score_all(question, met, [page])[0]
            found.append((page, best.sentence if best.cover > 0 else page.sentences[0]))
    return found


def corroborating(trails: Sequence[Trail], pages: Sequence[Page]) -> list[tuple[Page, Sentence]]:
    """On pages about a name in an answering sentence, the first sentence that names question or answer."""
    found = []
    for trail in trails:
        if not trail.steps or not trail.steps[-1].value:
            continue
        last = trail.steps[-1]
        beside = [n.text for n in names(last.sentence.text) if " " in n.text]
        for page in pages:
            if page.id != last.page.id and any(aboutness(page, name) > OWN for name in beside):
                told = [
                    s
                    for s in page.sentences
                    if mentions(s.text, last.value) or mentions(s.text, last.subject)
                ]
                found += [(page, told[0])] if told else []
    return found


def worth_quoting(question: Question, subjects: Sequence[str], pages: Sequence[Page]) -> list[Pick]:
    """Sentences whose score comes near the best, a few per page; a ranking needs many rows."""
    picks = score_all(question, list(dict.fromkeys(subjects)), pages)
    if not picks:
        return []
    ranking = question.shape == "rank"
    floor = (0.4 if ranking else 0.55) * picks[0].score
    counts: Counter[str] = Counter()
    kept: list[Pick] = []
    for pick in picks:
        if not ranking and subjects and not _is_of(pick, subjects):
            continue
        counts[pick.page.id] += 1
        if pick.score >= floor and pick.cover > 0 and counts[pick.page.id] <= (30 if ranking else PER_PAGE):
            kept.append(pick)
    return kept[: 60 if ranking else 14]


def _is_of(pick: Pick, subjects: Sequence[str]) -> bool:
    return any(is_about(pick.page, name) or mentions(pick.sentence.text, name) for name in subjects)


def _merged(found: Sequence[tuple[Page, Sentence]]) -> list[tuple[Page, Sentence, str]]:
    """One entry per statement: the same words in reprints of one page carry all their ids.

    The same words on pages about different things ("He was born there.") are different statements.
    """
    groups: list[list[tuple[Page, Sentence]]] = []
    for page, sentence in found:
        for group in groups:
            first, words = group[0]
            if words.text == sentence.text and likeness(first.title, page.title) >= ABOUT:
                group.append((page, sentence))
                break
        else:
            groups.append([(page, sentence)])
    return [(*group[0], cite(*(page for page, _ in group))) for group in groups]
