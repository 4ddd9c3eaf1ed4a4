"""The benchmark over the mini-web's sample questions: every system beside the single-shot baseline.

`score_samples` gives one `Score` per system and question, `bench_samples` their means per class in the shape
of `bench samples --json`, `table` the same as Markdown. Runs leave nothing on disk, and all of one system
share one environment, so the search index is built once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from ..errors import ResearchError, UsageError
from ..ledger import report_language
from ..own_loop import run_in_own_loop
from ..settings import Settings, load_settings
from ..systems import get_system
from .citation_precision import citation_precision
from .fact_recall import fact_recall
from .right_abstention import right_abstention
from .single_shot import NAME as SINGLE_SHOT
from .single_shot import single_shot
from .truth import GroundTruth
from .unknown_citations import unknown_citations

if TYPE_CHECKING:
    from ..environment import Environment
    from ..offline.web import Question, Web
    from ..report import Report

MEASURES = {
    "fact_recall": 4,
    "citation_precision": 4,
    "right_abstention": 4,
    "unknown_citations": 4,
    "model_calls": 2,
    "searches": 2,
    "input_tokens": 0,
    "seconds": 2,
    "output_tokens": 0,
    "cost_usd": 6,
    "gaps": 2,
}
"""Each measure with the digits that its mean is rounded to."""

Bench = dict[str, dict[str, Any]]
Progress = Callable[["Score"], None]
Surroundings = Callable[[Settings], "Environment"]


@dataclass(frozen=True, slots=True)
class Score:
    """What one system made of one question. A measure that does not apply is None."""

    system: str
    id: str
    kind: str
    lang: str
    status: str
    fact_recall: float | None
    citation_precision: float | None
    right_abstention: float | None
    unknown_citations: int
    model_calls: int
    searches: int
    input_tokens: int
    seconds: float  # of the run's clock; offline simulated, with 0.2 s for every call
    output_tokens: int = 0
    cost_usd: float = 0.0
    gaps: int = 0


def bench_samples(
    systems: Sequence[str] | None = None,
    seed: int | None = 0,
    domain: str = "airships",
    settings: Settings | Mapping[str, Any] | None = None,
    limit: int | None = None,
    baseline: bool = True,
    on_score: Progress | None = None,
) -> Bench:
    """Run the sample questions and return `{system: {"overall": {...}, "classes": {class: {...}}}}`.

    `systems` are names (default: the settings' own), `limit` is the most questions per class, `baseline` adds
    the single-shot baseline as a system of its own. Each group holds `n`, the number of runs that `failed`,
    and the mean of every measure over the questions to which it applies (None where there are none). Offline
    only: raises `UsageError` for a real model, an unknown system or an unknown domain. Callable with or
    without a running event loop.
    """
    job = score_samples(systems, seed, domain, settings, limit, baseline, on_score)
    return summary(run_in_own_loop(job, "bench-samples"))


async def score_samples(
    systems: Sequence[str] | None = None,
    seed: int | None = 0,
    domain: str = "airships",
    settings: Settings | Mapping[str, Any] | None = None,
    limit: int | None = None,
    baseline: bool = True,
    on_score: Progress | None = None,
    environment: Surroundings | None = None,
) -> list[Score]:
    """The scores behind `bench_samples`, in order of system and question.

    `environment` builds what the runs talk to, for experiments with other models or indexes.
    """
    chosen = offline_settings(settings, seed or 0, domain)
    names = [get_system(name).name for name in systems or [chosen.system]]
    scores: list[Score] = []
    for name in [*names, *([SINGLE_SHOT] if baseline else [])]:
        scores += await _scores_of(name, chosen, limit, environment, on_score or (lambda score: None))
    return scores


def offline_settings(settings: Settings | Mapping[str, Any] | None, seed: int, domain: str) -> Settings:
    """The settings with the web of this seed and domain; refuses a real model: for it there is no truth."""
    chosen = settings if isinstance(settings, Settings) else load_settings(settings)
    if chosen.is_live() or chosen.search.docs:
        raise UsageError(
            "The sample questions are about the offline web.", "Use --model offline and no --docs."
        )
    web = chosen.web.model_copy(update={"seed": seed, "domain": domain})
    return chosen.model_copy(update={"web": web})


async def _scores_of(
    system: str, settings: Settings, limit: int | None, build: Surroundings | None, on_score: Progress
) -> list[Score]:
    from ..environment import build_environment
    from ..offline.web import build_web

    web = build_web(settings.web.seed, settings.web.pages, settings.web.domain)
    environment, truth = (build or build_environment)(settings), GroundTruth(web)
    scores = []
    try:
        for question in sample(web, limit):
            scores.append(score(question, await answer(question.text, system, settings, environment), truth))
            on_score(scores[-1])
    finally:
        await environment.close()
    return scores


def sample(web: Web, limit: int | None) -> list[Question]:
    """The sample questions, at most `limit` of each class, in the web's order."""
    kinds = dict.fromkeys(question.kind for question in web.questions)
    return [question for kind in kinds for question in [q for q in web.questions if q.kind == kind][:limit]]


async def answer(
    question: str, system: str, settings: Settings, environment: Environment, *, keep: bool = False
) -> Report:
    """The report of a system, or of the single-shot baseline, for a question; a failure is a report too."""
    from ..runs import aresearch

    try:
        if system == SINGLE_SHOT:
            return await single_shot(question, settings, environment)
        chosen = settings if settings.system == system else settings.model_copy(update={"system": system})
        return await aresearch(question, settings=chosen, keep=keep, environment=environment)
    except UsageError:
        raise
    except ResearchError as error:
        return failed_report(question, system, settings, error)


def failed_report(question: str, system: str, settings: Settings, error: Exception) -> Report:
    """What stands for a run that left no report of its own."""
    from ..report import Report

    why = str(error) if isinstance(error, ResearchError) else f"{type(error).__name__}: {error}"
    return Report(
        run_id="", question=question, system=system, status="failed", errors=[why], settings=settings
    )


def score(question: Question | None, report: Report, truth: GroundTruth | None) -> Score:
    """All measures of one report; without a sample question or its web, those that need no truth."""
    return Score(
        system=report.system,
        id=question.id if question else "",
        kind=question.kind if question else "",
        lang=question.lang if question else report_language(report.question, report.settings.language),
        status=report.status,
        fact_recall=fact_recall(question, report, truth) if question and truth else None,
        citation_precision=citation_precision(report, truth) if truth else None,
        right_abstention=right_abstention(question, report) if question else None,
        unknown_citations=unknown_citations(report),
        model_calls=report.usage.model_calls,
        searches=report.usage.searches,
        input_tokens=report.usage.input_tokens,
        seconds=max((line.end for line in report.trace), default=0.0),
        output_tokens=report.usage.output_tokens,
        cost_usd=report.usage.cost_usd,
        gaps=len(report.gaps),
    )


def summary(scores: Iterable[Score]) -> Bench:
    """Scores as means, per system: over all questions and per class, in order of first appearance."""
    groups: dict[str, list[Score]] = {}
    for one in scores:
        groups.setdefault(one.system, []).append(one)
    return {
        system: {
            "overall": means_of([asdict(s) for s in of]),
            "classes": {
                kind: means_of([asdict(s) for s in of if s.kind == kind])
                for kind in dict.fromkeys(s.kind for s in of)
            },
        }
        for system, of in groups.items()
    }


def means_of(rows: Sequence[Mapping[str, Any]]) -> dict[str, float | None]:
    """How many rows there are, how many failed, and the mean of every measure where it applies."""
    means: dict[str, float | None] = {
        "n": len(rows),
        "failed": sum(row["status"] == "failed" for row in rows),
    }
    for measure, digits in MEASURES.items():
        values = [row[measure] for row in rows if row[measure] is not None]
        means[measure] = round(sum(values) / len(values), digits) if values else None
    return means


def table(result: Bench) -> str:
    """A result as one Markdown table: a row per class and an overall row, system by system."""
    lines = [
        "| system | class | n | failed | fact recall | citation precision | right abstention | unknown "
        "| calls | searches | input tokens | seconds |",
        "|---|---|" + "---:|" * 10,
    ]
    for system, groups in result.items():
        rows = {**groups["classes"], "overall": groups["overall"]}
        lines += [_row(system, kind, means) for kind, means in rows.items()]
    return "\n".join(lines) + "\n"


def _row(system: str, kind: str, means: Mapping[str, float | None]) -> str:
    shares = [percent(means[name]) for name in ("fact_recall", "citation_precision", "right_abstention")]
    counts = [f"{means[name] or 0:.{digits}f}" for name, digits in _SHOWN.items()]
    return f"| {' | '.join([system, kind, str(means['n']), str(means['failed']), *shares, *counts])} |"


_SHOWN = {"unknown_citations": 1, "model_calls": 1, "searches": 1, "input_tokens": 0, "seconds": 1}


def percent(share: float | None) -> str:
    """A share as people read it; a dash where it does not apply."""
    return "–" if share is None else f"{100 * share:.1f} %"
