"""What each persona makes of the same questions: form, length, sources and cost, beside no persona at all.

    python -m benchmarks.personas [--system NAME] [--limit N] [--reports N]

Five English sample questions of each class and eight reports by default, offline. It fails if two personas
cannot be told apart by any of the figures, or if the strict one does not keep its promise, on this web or on
the other one: at least 60 % as many gold facts as are found without a persona, and at least 95 % of the
sources cited are primary ones. How many of the facts stand on a primary page, so that they could be kept at
all, is told, too.
"""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Sequence

from deep_research.core.records import CitedSource, Kind, Source
from deep_research.core.tiers import classify
from deep_research.evaluation.answered import answered, answered_facts
from deep_research.evaluation.coverage import coverage, covered
from deep_research.evaluation.reading import sections
from deep_research.evaluation.repetition import repetition
from deep_research.evaluation.truth import GroundTruth
from deep_research.report import Report
from deep_research.report.forms import sentence_lines
from deep_research.runs import aresearch
from deep_research.runs.environment import build_environment
from deep_research.settings import load_settings
from deep_research.settings.files import list_files
from deep_research.sources.primary import is_paper, is_primary
from deep_research.text.language import count_words
from deep_research_offline.web import build_web
from deep_research_offline.web.types import Page, Question, Web

from .arguments import new_parser

STRICT = "fact_strict"
COLUMNS = (
    "answered (%)", "coverage (%)", "gold facts", "words", "bullet points (%)", "headings",
    "repeated (%)", "other perspectives", "sources cited", "primary", "left out", "critic's calls",
    "model calls", "searches", "tokens",
)  # fmt: skip


def main() -> int:
    """Print the table; exit status 1 if two personas look the same, or the strict one is not strict."""
    parser = new_parser(__doc__)
    parser.add_argument("--system", default="open_deep_research")
    parser.add_argument("--limit", type=int, default=5, help="questions of each class (default: 5)")
    parser.add_argument("--reports", type=int, default=8, help="reports (default: 8)")
    parser.add_argument("--seed", type=int, default=0, help="which web (default: 0)")
    parser.add_argument("--domain", default="airships", help="what it is about (default: %(default)s)")
    parser.add_argument("--also", default="libraries", help="the other web (default: %(default)s)")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="some personas, beside none at all")
    options = parser.parse_args()
    web = build_web(options.seed, domain=options.domain)
    asked = samples(web, options.limit, options.reports)
    names = ("", *(options.only or [one.name for one in list_files("personas")]))
    results = {name: asyncio.run(measured(name, options.system, asked, web)) for name in names}
    rows = {name: figures for name, (figures, _) in results.items()}
    print(f"{options.system}: means over {len(asked)} requests, {options.reports} of them for reports\n")
    print(f"| persona | {' | '.join(COLUMNS)} |\n|{'---|' * (len(COLUMNS) + 1)}")
    for name, figures in rows.items():
        print(f"| {name or '(none)'} | {' | '.join(f'{figure:.1f}' for figure in figures)} |")
    same = len({tuple(figures) for figures in rows.values()}) < len(rows)
    if STRICT not in rows:
        return int(same)
    kept = keeps_its_promise(*results[STRICT], results[""][1], web)
    other = build_web(options.seed, domain=options.also)
    asked = samples(other, options.limit, options.reports)
    _, without = asyncio.run(measured("", options.system, asked, other))
    kept &= keeps_its_promise(*asyncio.run(measured(STRICT, options.system, asked, other)), without, other)
    return int(same or not kept)


def keeps_its_promise(
    strict: Sequence[float], found: Sequence[set[str]], without: Sequence[set[str]], web: Web
) -> bool:
    """Whether the strict persona keeps enough of what is found, from primary sources; says so."""
    cited, own = (COLUMNS.index(name) for name in ("sources cited", "primary"))
    share = strict[own] / max(strict[cited], 1e-9)
    able = [{fact for fact in facts if has_primary_page(fact, web)} for facts in without]
    n, most, all_found, kept = (
        sum(map(len, sets))
        for sets in (without, able, found, [a & b for a, b in zip(able, found, strict=True)])
    )
    print(
        f"\nOn {web.domain}: without a persona {n} gold facts are found; a primary source states {most} of"
        f" them ({most / n:.2f}), and {STRICT} keeps {kept} of these ({kept / max(most, 1):.2f}). With what"
        f" it finds besides, it has {all_found} ({all_found / n:.2f}). Primary sources: {100 * share:.1f} %."
    )
    return all_found >= 0.6 * n and share >= 0.95


def has_primary_page(fact: str, web: Web) -> bool:
    """Whether a primary source states a gold fact."""
    pages = [page for url in web.facts[fact].pages if (page := web.page(url))] if fact in web.facts else []
    return any(is_primary(_source_of(page)) for page in pages)


def _source_of(page: Page) -> Source:
    kind: Kind = "paper" if is_paper(page.text) else "web"
    return Source(id="S1.1", kind=kind, url=page.url, title=page.title, tier=classify(page.url)[0])


async def measured(
    persona: str, system: str, asked: Sequence[Question], web: Web
) -> tuple[list[float], list[set[str]]]:
    """The means of all columns over the sample questions, and the gold facts that each report has."""
    chosen = {"web.seed": web.seed, "web.domain": web.domain, "system": system, "persona": persona}
    settings = load_settings(chosen)
    environment, found = build_environment(settings), list[list[float | None]]()
    told = list[set[str]]()
    truth = GroundTruth(web)
    try:
        for question in asked:
            print(f"{persona or '(none)'}: {question.text}", file=sys.stderr, flush=True)
            report = await aresearch(question.text, settings=settings, environment=environment, keep=False)
            shares = (answered(question, report, truth), coverage(question, report, truth))
            facts = covered if question.aspects else answered_facts
            told.append(set(facts(question, report, truth)))
            of = [*(None if share is None else 100 * share for share in shares), len(told[-1])]
            found.append([*of, *figures_of(report)])
    finally:
        await environment.close()
    return [mean(column) for column in zip(*found, strict=True)], told


def mean(column: Sequence[float | None]) -> float:
    """The mean of the figures that apply; look-ups have no coverage, and reports are not answered."""
    known = [figure for figure in column if figure is not None]
    return sum(known) / max(len(known), 1)


def samples(web: Web, limit: int, reports: int) -> list[Question]:
    """So many English questions of each class, and so many reports."""
    asked = [question for question in web.questions if question.lang == "en"]
    most = {question.kind: reports if question.kind == "report" else limit for question in asked}
    return [q for kind, n in most.items() for q in [q for q in asked if q.kind == kind][:n]]


def figures_of(report: Report) -> list[float]:
    """One report in the order of `COLUMNS`."""
    body = re.split(r"^## (?:Sources|How this report)", report.markdown, maxsplit=1, flags=re.MULTILINE)[0]
    said = list(sentence_lines(body))
    points = len(re.findall(r"^- ", body, re.MULTILINE))
    critic = report.usage.by_role.get("critic")
    used = report.usage
    return [
        count_words(re.sub(r"\[\d+\]|[#*]", " ", body)),
        100 * points / max(len(said), 1),
        len(re.findall(r"^##+ ", body, re.MULTILINE)),
        100 * (repetition(report) or 0),
        len(re.findall(r"^## Another perspective: ", body, re.MULTILINE)),
        len(report.cited),
        primary(report),
        sum(one.reason.partition(":")[0] in LEFT_OUT for one in report.removed),
        critic.model_calls if critic else 0,
        used.model_calls,
        used.searches,
        used.input_tokens + used.output_tokens,
    ]


LEFT_OUT = ("hedged", "predictive", "opinion", "not_primary", "no_evidence", "over_length")


def primary(report: Report) -> int:
    """How many of the cited sources are primary for each sentence that cites them."""
    told = [said for section in sections(report.markdown) for said in section.sentences]
    of = [([said.text for said in told if one.number in said.numbers] or [""], one) for one in report.cited]
    return sum(all(is_primary(_as_source(one), text) for text in texts) for texts, one in of)


def _as_source(one: CitedSource) -> Source:
    known = {"id", "kind", "url", "citation_key", "tier", "title"}
    return Source.model_validate(one.model_dump(include=known))


if __name__ == "__main__":
    sys.exit(main())
