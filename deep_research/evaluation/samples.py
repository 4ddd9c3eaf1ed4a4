"""The benchmark over the mini-web's sample questions: every system beside the single-shot baseline.

`score_samples` gives one `Score` per system and question, `bench_samples` their means per class in the shape
of `bench samples --json`, `rows_of_samples` the same as a table. Runs leave nothing on disk, and all of one
system share one environment, so the search index is built once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any, NamedTuple

from deep_research.core.errors import ResearchError, UsageError
from deep_research.report import Report
from deep_research.runs import aresearch
from deep_research.runs.environment import Environment, build_environment
from deep_research.runs.offline import invented_web, sample_questions
from deep_research.runs.own_loop import run_in_own_loop
from deep_research.settings import Settings, load_settings
from deep_research.systems import get_system
from deep_research.text.language import report_language
from deep_research_offline.web.types import Question

from .answered import answered, hedged, wrongly_answered
from .citation_precision import citation_precision
from .coverage import aspects_covered, coverage
from .disagreements import disagreements
from .fact_recall import fact_recall
from .focus import focus
from .origins import independent_origins
from .repetition import repetition, words
from .right_abstention import right_abstention
from .single_shot import NAME as SINGLE_SHOT
from .single_shot import single_shot
from .staleness import dated_as_current
from .truth import GroundTruth
from .unknown_citations import unknown_citations

_MAIN = {"report": "coverage", "unanswerable": "right_abstention"}
SHOWN = {
    "answered": "answered",
    "hedged": "hedged",
    "wrongly_answered": "wrong",
    "coverage": "cover",
    "aspects": "aspects",
    "focus": "focus",
    "disagreements": "disagr",
    "dated_as_current": "stale",
    "repetition": "repeat",
    "citation_precision": "cited",
    "words": "words",
    "origins": "origins",
    "model_calls": "calls",
    "searches": "search",
}
"""The measures of the table and their columns: shares in percent, so that a line fits a screen."""
_COUNTS = {"words": 0, "origins": 1, "model_calls": 1, "searches": 1}
Bench = dict[str, dict[str, Any]]


def _share() -> Any:
    """A measure from 0 to 1; most do not apply to every report."""
    return field(default=None, metadata={"digits": 4, "share": True})


def _figure(digits: int, default: Any = 0) -> Any:
    """Any other measure, with the digits that its mean is rounded to."""
    return field(default=default, metadata={"digits": digits, "share": False})


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """What one system made of one question. A measure that does not apply is None."""

    system: str
    id: str
    kind: str
    lang: str
    status: str
    answered: float | None = _share()
    hedged: float | None = _share()
    wrongly_answered: float | None = _share()
    coverage: float | None = _share()
    aspects: float | None = _share()
    focus: float | None = _share()
    disagreements: float | None = _share()
    dated_as_current: float | None = _share()
    repetition: float | None = _share()
    words: int = _figure(0)
    origins: int | None = _figure(2, None)
    fact_recall: float | None = _share()
    citation_precision: float | None = _share()
    right_abstention: float | None = _share()
    unknown_citations: int = _figure(4)
    model_calls: int = _figure(2)
    searches: int = _figure(2)
    input_tokens: int = _figure(0)
    seconds: float = _figure(2)  # of the run's clock; offline simulated, with 0.2 s for every call
    output_tokens: int = _figure(0)
    cost_usd: float = _figure(6)
    gaps: int = _figure(2)


_MEASURES = [measure for measure in fields(Score) if measure.metadata]
SAMPLE_MEASURES = {measure.name: measure.metadata["digits"] for measure in _MEASURES}
"""Each measure with the digits that its mean is rounded to."""
SHARES = tuple(measure.name for measure in _MEASURES if measure.metadata["share"])


def bench_samples(
    systems: Sequence[str] | None = None,
    settings: Settings | Mapping[str, Any] | None = None,
    limit: int | None = None,
) -> Bench:
    """Run the sample questions and return `{system: {"overall": {...}, "classes": {class: {...}}}}`.

    `systems` are names (default: the settings' own), beside which stands the single-shot baseline; `limit` is
    the most questions per class. Each group holds `n`, the number of runs that `failed`, and the mean of
    every measure over the questions to which it applies (None where there are none). Offline only: raises
    `UsageError` for a real model, an unknown system or an unknown domain. Callable with or without a running
    event loop.
    """
    return summarize(run_in_own_loop(score_samples(systems, settings, limit)))


async def score_samples(
    systems: Sequence[str] | None = None,
    settings: Settings | Mapping[str, Any] | None = None,
    limit: int | None = None,
    environment: Callable[[Settings], Environment] = build_environment,
) -> list[Score]:
    """The scores behind `bench_samples`, in order of system and question.

    `environment` builds what the runs talk to, for experiments with other models or indexes.
    """
    chosen = settings if isinstance(settings, Settings) else load_settings(settings)
    if chosen.is_live() or chosen.search.docs:
        raise UsageError(
            "The sample questions are about the offline web.", "Use --model offline and no --docs."
        )
    names = [get_system(name).name for name in systems or [chosen.system]]
    web = invented_web(chosen.web)
    questions, truth = sample_questions(web, limit=limit), GroundTruth(web)
    scores: list[Score] = []
    for name in [*names, SINGLE_SHOT]:
        world = environment(chosen)
        try:
            for question in questions:
                report = await answer_sample(question.text, name, chosen, world)
                scores.append(score(question, report, truth))
        finally:
            await world.close()
    return scores


async def answer_sample(
    question: str,
    system: str,
    settings: Settings,
    environment: Environment,
    *,
    keep: bool = False,
    history: Sequence[Mapping[str, str]] = (),
) -> Report:
    """The report of a system, or of the single-shot baseline, for a question; a failure is a report too.

    The baseline knows no conversation: it asks what it is asked.
    """
    try:
        if system == SINGLE_SHOT:
            return await single_shot(question, settings, environment)
        chosen = settings if settings.system == system else settings.model_copy(update={"system": system})
        return await aresearch(question, settings=chosen, history=history, keep=keep, environment=environment)
    except UsageError:
        raise
    except ResearchError as error:
        return failed_report(question, system, settings, error)


def failed_report(question: str, system: str, settings: Settings, error: Exception) -> Report:
    """What stands for a run that left no report of its own."""
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
        answered=answered(question, report, truth) if question and truth else None,
        hedged=hedged(question, report) if question else None,
        wrongly_answered=wrongly_answered(question, report, truth) if question and truth else None,
        coverage=coverage(question, report, truth) if question and truth else None,
        aspects=aspects_covered(question, report, truth) if question and truth else None,
        focus=focus(question, report, truth) if question and truth else None,
        disagreements=disagreements(question, report) if question else None,
        dated_as_current=dated_as_current(question, report, truth) if question and truth else None,
        repetition=repetition(report),
        words=words(report),
        origins=independent_origins(report, truth) if truth else None,
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


def summarize(scores: Iterable[Score]) -> Bench:
    """Scores as means, per system: over all questions and per class, in order of first appearance."""
    rows = [asdict(one) for one in scores]
    result: Bench = {}
    for system in dict.fromkeys(row["system"] for row in rows):
        own = [row for row in rows if row["system"] == system]
        kinds = dict.fromkeys(row["kind"] for row in own)
        classes = {kind: means_of([row for row in own if row["kind"] == kind]) for kind in kinds}
        result[system] = {"overall": means_of(own), "classes": classes}
    return result


def means_of(rows: Sequence[Mapping[str, Any]]) -> dict[str, float | None]:
    """How many rows there are, how many failed, and the mean of every measure where it applies."""
    means: dict[str, float | None] = {
        "n": len(rows),
        "failed": sum(row["status"] == "failed" for row in rows),
    }
    for measure, digits in SAMPLE_MEASURES.items():
        values = [row[measure] for row in rows if row[measure] is not None]
        means[measure] = round(sum(values) / len(values), digits) if values else None
    return means


class Table(NamedTuple):
    """A table, of which the first `names` columns are words and the rest figures."""

    header: Sequence[str]
    lines: Sequence[Sequence[str]]
    names: int = 1


def rows_of_samples(result: Bench) -> Table:
    """A result as a table: a row per class and an overall row, system by system."""
    groups = [
        (system, kind, means)
        for system, of in result.items()
        for kind, means in {**of["classes"], "overall": of["overall"]}.items()
    ]
    shown = [name for name in SHOWN if any(means[name] is not None for _, _, means in groups)]
    lines = [
        [system, kind, str(means["n"]), *(_shown(name, means[name]) for name in shown)]
        for system, kind, means in groups
    ]
    return Table(["system", "class", "n", *(SHOWN[name] for name in shown)], lines, names=2)


def _shown(name: str, value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:.{_COUNTS[name]}f}" if name in _COUNTS else f"{100 * value:.0f}"


def main_measure(kind: str) -> str:
    """What decides for a class of questions: a look-up is answered, a report covers its subject."""
    return _MAIN.get(kind, "answered")


def markdown_table(header: Sequence[str], lines: Sequence[Sequence[str]], names: int = 1) -> str:
    """A Markdown table whose first `names` columns are words and the rest figures."""
    ruler = [*["---"] * names, *["---:"] * (len(header) - names)]
    return "\n".join(f"| {' | '.join(line)} |" for line in [header, ruler, *lines]) + "\n"


def percent(share: float | None) -> str:
    """A share as people read it; a dash where it does not apply."""
    return "–" if share is None else f"{100 * share:.1f} %"
