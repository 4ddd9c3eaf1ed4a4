"""Fit the weights that tell whether two values are of one matter, on webs whose contradictions are known.

    python -m benchmarks.train_differences [--seeds 0,31] [--test 64]

A logistic regression over `Reader.told` of `deep_research_offline/model/differences.py`. Its examples are the
pairs of values on the pages that reports on the webs' own requests are written from; right are those of which
the web knows that a page contradicts the other, states it wrongly, or used to. It prints the weights, to be
copied into the module by hand, and how many pairs of the webs for the test they tell right.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence

import numpy as np

from deep_research.evaluation.samples import answer_sample
from deep_research.runs.environment import build_environment
from deep_research.runs.offline import invented_web
from deep_research.settings import load_settings
from deep_research_offline.model import draft
from deep_research_offline.model.differences import Difference, Reader, Statement, differences
from deep_research_offline.model.page import Page
from deep_research_offline.web.types import Web

from .arguments import new_parser

SYSTEM = "open_deep_research"
STEPS, SHRINK = 60, 1.0
Example = tuple[tuple[float, ...], bool]


def _figures(texts: Sequence[str]) -> set[str]:
    """The first number of each text, as digits."""
    found = (re.search(r"\d[\d,]*(?:\.\d+)?", text) for text in texts)
    return {match[0].replace(",", "") for match in found if match}


def _are_opposed(web: Web, a: Statement, b: Statement) -> bool:
    """Whether the web knows that the value of one page is denied, outdated or got wrong by the other."""
    mine, other = (_figures([s.text]) for s in (a, b))
    for dispute in (d for question in web.questions for d in question.disputes):
        sides = list(map(_figures, dispute.sides))
        if any(mine & x and other & y for x in sides for y in sides if x is not y):
            return True
    for fact in web.facts.values():
        now, once = _figures(fact.answers), _figures(fact.stale_answers)
        wrong = {web.page(url).title for url in fact.wrong_pages}
        got_wrong = (mine & now and b.page.title in wrong) or (other & now and a.page.title in wrong)
        if got_wrong or (mine & now and other & once) or (mine & once and other & now):
            return True
    return False


async def examples(domain: str, seed: int) -> list[Example]:
    """Each pair of values that a report of one web meets, once: what tells, and whether they are opposed."""
    settings = load_settings({"web.domain": domain, "web.seed": seed, "system": SYSTEM})
    web, world = invented_web(settings.web), build_environment(settings)
    found: dict[tuple[str, ...], Example] = {}

    def noted(pages: Sequence[Page], names: Sequence[str], others: Sequence[str]) -> list[Difference]:
        reader = Reader(pages, [*names, *others])
        for a, b in reader.pairs():
            if "date" not in a.unit:
                told = tuple(map(float, reader.told(a, b).values()))
                found[a.sentence.text, a.text, b.sentence.text, b.text] = told, _are_opposed(web, a, b)
        return differences(pages, names, others)

    draft.differences = noted  # type: ignore[assignment]
    try:
        for question in (q for q in web.questions if q.kind == "report"):
            await answer_sample(question.text, SYSTEM, settings, world)
    finally:
        draft.differences = differences
        await world.close()
    return list(found.values())


def fit(told: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Weights, and last the bias, by Newton's method."""
    told = np.c_[told, np.ones(len(told))]
    shrink = SHRINK * np.diag([*[1.0] * (told.shape[1] - 1), 0.0])
    weights = np.zeros(told.shape[1])
    for _ in range(STEPS):
        sure = 1 / (1 + np.exp(-told @ weights))
        slope = told.T @ (sure - right) + shrink @ weights
        weights -= np.linalg.solve((told.T * (sure * (1 - sure))) @ told + shrink, slope)
    return weights


async def main() -> None:
    """Fit, and say how it goes on other webs."""
    parser = new_parser(__doc__)
    parser.add_argument("--seeds", default="0,31")
    parser.add_argument("--test", default="64")
    args = parser.parse_args()
    sets = []
    for seeds in (args.seeds, args.test):
        webs = [(domain, int(seed)) for domain in ("airships", "libraries") for seed in seeds.split(",")]
        found = [one for web in webs for one in await examples(*web)]
        sets.append((np.array([t for t, _ in found]), np.array([r for _, r in found], float)))
    weights = fit(*sets[0])
    print("weights", weights[:-1].round(2).tolist(), "enough", round(-weights[-1], 2))
    for name, (told, right) in zip(("fitted on", "others"), sets, strict=True):
        taken = told @ weights[:-1] + weights[-1] >= 0
        hit = int((taken & (right > 0)).sum())
        print(f"{name}: {hit} of {int(right.sum())} found, {int(taken.sum()) - hit} others taken")


if __name__ == "__main__":
    asyncio.run(main())
