"""Do answers survive other wordings? The English look-ups of the samples, worded in seven other ways.

python -m benchmarks.rewordings                          every kind, every question
python -m benchmarks.rewordings --kinds lower typo --limit 8 --seed 1

Every question is asked plainly and in each kind of rewording; the table has the share that is answered, and
what the rewording costs. A follow-up is asked with the conversation before it.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from deep_research.evaluation.answered import answered, hedged
from deep_research.evaluation.samples import answer_sample, markdown_table
from deep_research.evaluation.truth import GroundTruth
from deep_research.runs.environment import Environment, build_environment
from deep_research.runs.offline import invented_web, sample_questions
from deep_research.settings import Settings, load_settings
from deep_research_offline.web.types import Question, Web

from .arguments import new_parser
from .everyday import reword

PLAIN = "plain"
KINDS = ("lower", "typo", "thanks", "context", "fragment", "double", "follow_up")
Reword = Callable[[Question, str, Web], str | tuple[str, str]]
"""Words a question in another way; a follow-up is the question before it and the elliptical one."""


@dataclass(frozen=True, slots=True)
class RewordedScore:
    """How one wording of one question was answered."""

    kind: str
    id: str
    status: str
    answered: float
    hedged: float


async def score_rewordings(
    reword: Reword,
    settings: Settings,
    kinds: Sequence[str] = KINDS,
    limit: int | None = None,
    lang: str = "en",
) -> list[RewordedScore]:
    """The plain wording and these kinds, over the answerable look-ups of a language (`limit` of them)."""
    web = invented_web(settings.web)
    truth = GroundTruth(web)
    questions = [q for q in sample_questions(web) if q.lang == lang and q.facts and not q.aspects][:limit]
    world = build_environment(settings)
    try:
        return [
            await _score(question, kind, reword, truth, settings, world)
            for kind in (PLAIN, *kinds)
            for question in questions
        ]
    finally:
        await world.close()


async def _score(
    question: Question,
    kind: str,
    reword: Reword,
    truth: GroundTruth,
    settings: Settings,
    world: Environment,
) -> RewordedScore:
    wording = question.text if kind == PLAIN else reword(question, kind, truth.web)
    before, text = wording if isinstance(wording, tuple) else ("", wording)
    history = await _conversation(before, settings, world) if before else []
    report = await answer_sample(text, settings.system, settings, world, history=history)
    found, doubted = answered(question, report, truth), hedged(question, report)
    return RewordedScore(kind, question.id, report.status, found or 0.0, doubted or 0.0)


async def _conversation(question: str, settings: Settings, world: Environment) -> list[dict[str, str]]:
    """A question and its report, as the turns before a follow-up."""
    report = await answer_sample(question, settings.system, settings, world)
    return [{"role": "user", "content": question}, {"role": "assistant", "content": report.markdown}]


def rewordings_table(scores: Sequence[RewordedScore]) -> str:
    """A row per kind: how many, the shares answered and hedged, and the points to the plain wording."""
    kinds = list(dict.fromkeys(one.kind for one in scores))
    means = {kind: _means([one for one in scores if one.kind == kind]) for kind in kinds}
    plain = means[kinds[0]][1]
    lines = [
        [kind, str(n), f"{100 * found:.1f}", f"{100 * doubted:.1f}", f"{100 * (found - plain):+.1f}"]
        for kind, (n, found, doubted) in means.items()
    ]
    return markdown_table(["wording", "n", "answered", "hedged", "points to plain"], lines)


def _means(scores: Sequence[RewordedScore]) -> tuple[int, float, float]:
    n = len(scores)
    return n, sum(one.answered for one in scores) / n, sum(one.hedged for one in scores) / n


def main() -> None:
    args = _arguments()
    chosen = {"web.seed": args.seed, "web.domain": args.domain, "system": args.system}
    scores = asyncio.run(score_rewordings(reword, load_settings(chosen), args.kinds, args.limit))
    print(rewordings_table(scores))


def _arguments() -> argparse.Namespace:
    parser = new_parser(__doc__)
    parser.add_argument("--kinds", nargs="+", default=KINDS, choices=KINDS, help="default: all")
    parser.add_argument("--limit", type=int, help="at most so many questions")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--domain", default="airships")
    parser.add_argument("--system", default="open_deep_research")
    return parser.parse_args()


if __name__ == "__main__":
    main()
