"""Claims that are right, in three sets: what the claim check must not flag, and what corruptions start from.

- *verbatim*: the cited sentences of extractive reports, made here by asking the sample questions;
- *paraphrased*: a sentence of one page of the mini-web, cited to another page that states the same fact in
  other words: no passage there shares more than 60 % of its words, and no number of it is missing there;
- *wice*: the claims of WiCE that its annotators call supported by the page that Wikipedia cites.
"""

from __future__ import annotations

import asyncio
import json
import re
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from deep_research.components.verifier.claims import SourceText
from deep_research.evaluation.cells import code_version
from deep_research.evaluation.citation_precision import SOURCE_LIST
from deep_research.evaluation.samples import answer_sample
from deep_research.evaluation.surface import normalized, numbers_in_text, says
from deep_research.evaluation.truth import GroundTruth
from deep_research.runs.environment import build_environment
from deep_research.runs.offline import sample_questions
from deep_research.settings import load_settings
from deep_research.text.cited_sentences import cited_sentences, sentence_spans, text_blocks
from deep_research_offline.web import build_web, domains
from deep_research_offline.web.types import Fact, Page, Web

SEEDS = (0, 1, 2)
MOST_SHARED = 0.6
PER_CLASS = 3


@dataclass(frozen=True)
class Case:
    """A claim with the texts that it cites, texts that do not state it, and the names of its web."""

    claim: str
    sources: tuple[SourceText, ...]
    lang: str
    others: tuple[SourceText, ...] = ()
    names: tuple[str, ...] = ()
    stale: tuple[tuple[str, str], ...] = ()  # a value that is right, and the one that it replaced

    def changed(self, claim: str) -> Case:
        """The same with another claim."""
        return replace(self, claim=claim)


def verbatim(seeds: Sequence[int] = (0,)) -> list[Case]:
    """Every cited sentence of the offline reports on sample questions of both domains; cached per version."""
    found = []
    for domain in domains():
        for seed in seeds:
            web = build_web(seed=seed, domain=domain)
            for claim, urls in _cited(web):
                pages = [page for url in urls if (page := web.page(url))]
                found.append(_case(web, claim, pages))
    return found


def quoted(case: Case) -> bool:
    """Whether each piece of a claim stands word for word in a page that it cites; else it connects others."""
    texts = [normalized(f"{source.title}\n{source.text}") for source in case.sources]
    pieces = [piece for piece in re.split(r" — |: |; ", normalized(case.claim.rstrip("."))) if piece]
    return any(all(piece in text for piece in pieces) for text in texts)


def paraphrased(seeds: Sequence[int] = SEEDS) -> list[Case]:
    """Sentences of one page cited to another that states the same fact in other words."""
    found: dict[tuple[str, str], Case] = {}
    for domain in domains():
        for seed in seeds:
            web = build_web(seed=seed, domain=domain)
            for fact in web.facts.values():
                for claim, page in _restated(web, fact):
                    found.setdefault((claim, page.url), _case(web, claim, [page]))
    return list(found.values())


def wice_rows(path: Path) -> list[tuple[str, SourceText, str]]:
    """The claims of WiCE with the cited page and the label."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [(row["claim"], _wice_source(row["source_sentences"]), row["label"]) for row in rows]


def _wice_source(sentences: Sequence[str]) -> SourceText:
    """The page as text; its first line may give its title."""
    title = re.fullmatch(r"\(meta data\) TITLE: *(.*)", sentences[0])
    return SourceText("\n\n".join(sentences[1:] if title else sentences), title[1] if title else "")


def wice(path: Path) -> list[Case]:
    """The supported claims of WiCE; the pages of the others serve as wrong sources."""
    rows = wice_rows(path)
    texts = [source for _, source, _ in rows]
    return [
        Case(claim, (source,), "en", tuple(texts[max(i - 20, 0) : i] or texts[i + 1 : i + 20]))
        for i, (claim, source, label) in enumerate(rows)
        if label == "supported"
    ]


def _case(web: Web, claim: str, pages: Sequence[Page]) -> Case:
    facts = [fact for fact in web.facts.values() if any(says(claim, form) for form in fact.answers)]
    stating = {url for fact in facts for url in (*fact.pages, *fact.wrong_pages, *fact.stale_pages)}
    lang = pages[0].lang
    same = [page for page in web.pages if page.lang == lang]
    return Case(
        claim,
        tuple(map(_text, pages)),
        lang,
        tuple(_text(page) for page in same if page.url not in stating and page not in pages),
        tuple(_name(page) for page in same if len(_name(page)) > 2),
        tuple(_stale(web, claim, facts)),
    )


def _stale(web: Web, claim: str, facts: Iterable[Fact]) -> Iterator[tuple[str, str]]:
    """Each current value that the claim states, with the value before it in the same form."""
    for fact in facts:
        before = web.facts.get(fact.id + "_before")
        if before and len(before.answers) == len(fact.answers) and _about(claim, fact):
            for now, then in zip(fact.answers, before.answers, strict=True):
                if now in claim and now != then:
                    yield now, then


def _about(claim: str, fact: Fact) -> bool:
    return fact.subject in claim


def _text(page: Page) -> SourceText:
    return SourceText(page.text, page.title, page.published or "")


def _name(page: Page) -> str:
    """What an encyclopedia page is about; empty for other pages."""
    return re.sub(r"\s*[(（].*", "", page.title) if page.style in ("encyclopedia", "biography") else ""


def _restated(web: Web, fact: Fact) -> Iterator[tuple[str, Page]]:
    pages = [page for url in fact.pages if (page := web.page(url))]
    for page in pages:
        for claim in _sentences(page):
            if _states(claim, page, fact):
                yield from ((claim, other) for other in pages if _in_other_words(claim, page, other))


def _sentences(page: Page) -> Iterator[str]:
    """The sentences of a page's prose."""
    for block in text_blocks(page.text):
        if block.kind == "paragraph":
            yield from (page.text[start:end] for start, end in sentence_spans(page.text, *block[:2]))


def _states(sentence: str, page: Page, fact: Fact) -> bool:
    """Whether a sentence states the fact and names its subject, so that it can stand alone."""
    subject = fact.subject if page.lang == "en" else _name(page)
    return bool(subject) and subject in sentence and any(says(sentence, form) for form in fact.answers)


def _in_other_words(claim: str, page: Page, other: Page) -> bool:
    if other is page or other.lang != page.lang:
        return False
    words = _words(claim)
    if not numbers_in_text(claim) <= numbers_in_text(f"{other.title} {other.text} {other.published}"):
        return False
    return all(len(words & _words(text)) <= MOST_SHARED * len(words) for text in _sentences(other))


def _words(text: str) -> set[str]:
    """Words, and pairs of Chinese and Japanese characters."""
    found = set(re.findall(r"[a-z0-9][a-z0-9'’.,]*[a-z0-9]|[a-z0-9]", text.lower()))
    return found | {a + b for a, b in pairwise(text) if min(a, b) > "\u3000"}


def _cited(web: Web) -> list[tuple[str, list[str]]]:
    """The cited sentences of the reports on this web's sample questions, with the addresses cited."""
    found = []
    for markdown, addresses in offline_reports(web):
        for claim in cited_sentences(SOURCE_LIST.split(markdown)[0]):
            found.append((claim.text, [addresses[str(n)] for n in claim.numbers if str(n) in addresses]))
    return [claim for claim in found if claim[1]]


def offline_reports(web: Web) -> list[tuple[str, dict[str, str]]]:
    """The reports on this web's sample questions, with the page behind each number; cached per version."""
    cache = Path(tempfile.gettempdir()) / "deep-research-benchmarks"
    cache.mkdir(exist_ok=True)
    kept = cache / f"cited-{_version()}-{web.domain}-{web.seed}.json"
    if not kept.exists():
        kept.write_text(json.dumps(asyncio.run(_report(web)), ensure_ascii=False), encoding="utf-8")
    return [(markdown, addresses) for markdown, addresses in json.loads(kept.read_text(encoding="utf-8"))]


async def _report(web: Web) -> list[tuple[str, dict[str, str]]]:
    settings = load_settings({"web.seed": web.seed, "web.domain": web.domain})
    environment, truth = build_environment(settings), GroundTruth(web)
    made = []
    try:
        for question in sample_questions(web, limit=PER_CLASS):
            report = await answer_sample(question.text, settings.system, settings, environment)
            pages = {source.number: truth.page(source.url) for source in report.cited}
            made.append((report.markdown, {str(number): page.url for number, page in pages.items() if page}))
    finally:
        await environment.close()
    return made


def _version() -> str:
    """A digest of the code that makes reports."""
    return code_version()[:12]
