"""Fit the weights that tell how sure an answer is, and say how often it is right from which certainty on.

    python -m benchmarks.train_certainty [--write]

A logistic regression over the features of `deep_research_offline/model/certainty.py`. Its examples are the
ways that the offline model chose, in the webs of `data/phrasings.toml` that are not kept aside and for the
questions of `data/unanswerable.jsonl` and `data/typed.jsonl` that are for training; right is one whose
passage states a gold fact.
For many questions the pages that state what was asked are taken away as well, so that what is left to choose
is wrong. The table comes from weights that were fitted without the web that they are tried on; `--write` fits
them on all, and writes them into the package. Choosing depends on the weights, so two fits in a row make
sense.
"""

from __future__ import annotations

import asyncio
import json
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from deep_research.core.clock import FrozenClock
from deep_research.engine.clients import Models
from deep_research.evaluation.samples import answer_sample
from deep_research.evaluation.surface import says
from deep_research.runs.environment import Environment
from deep_research.runs.offline import invented_web, offline_search
from deep_research.settings import load_settings
from deep_research_offline.model import complete, writing
from deep_research_offline.model.answer import Found, solve
from deep_research_offline.model.certainty import SURE, features
from deep_research_offline.model.conversation import Conversation
from deep_research_offline.model.kinds import kind_of
from deep_research_offline.model.page import Page
from deep_research_offline.provider import OfflineProvider
from deep_research_offline.web.types import Web

from .arguments import new_parser

DATA = Path(__file__).parent / "data"
WEIGHTS = Path(__file__).parent.parent / "deep_research_offline" / "model" / "certainty.toml"
SYSTEM = "shallow_researcher"
TAKEN_AWAY = {"single_fact", "comparison", "multi_hop"}
"""Classes of which other pages do not state an older or a wrong value."""
STEPS, RATE, SHRINK, HALF, TYPED = 600, 0.05, 3.0, 0.5, 3.0


class Asked(NamedTuple):
    """A question of a web with the forms of its answers (none if nothing answers it) and of former ones, and
    its class."""

    text: str
    kind: str
    answers: tuple[str, ...] = ()
    former: tuple[str, ...] = ()


class Example(NamedTuple):
    """A way that was chosen: in which web, for a question that the pages answer or not, and whether it is
    right; `weight` is what it counts."""

    web: str
    answerable: bool
    measured: Mapping[str, float]
    right: bool
    weight: float


def main() -> None:
    """Print the table; with `--write` write the weights of all examples into the package."""
    parser = new_parser(__doc__)
    parser.add_argument(
        "--write", action="store_true", help="fit the weights, and write them into the package"
    )
    options = parser.parse_args()
    found = asyncio.run(examples())
    print(table(found))
    if options.write:
        rows = [f'"{name}" = {weight:.2f}' for name, weight in fit(found).items()]
        WEIGHTS.write_text("\n".join(["[weights]", *rows, ""]), encoding="utf-8")


async def examples() -> list[Example]:
    """The ways chosen in all webs for training."""
    found = []
    for (domain, seed), texts in asked_in_webs().items():
        settings = load_settings({"web.seed": seed, "web.domain": domain, "system": SYSTEM})
        web = invented_web(settings.web)
        heard: list[Conversation] = []
        provider = OfflineProvider(web=web, clock=FrozenClock(web.date), model=listening(heard))
        models = Models(settings, provider)
        world = Environment(models, offline_search(provider), FrozenClock(web.date), provider)
        try:
            for asked in texts:
                heard.clear()
                await answer_sample(asked.text, SYSTEM, settings, world)
                if heard and not kind_of(asked.text):
                    found += ways_of(f"{domain}, seed {seed}", asked, heard[-1])
        finally:
            await world.close()
    return found


def asked_in_webs() -> dict[tuple[str, int], list[Asked]]:
    """Per web the questions asked there: in several wordings each, and as people type them."""
    found: dict[tuple[str, int], list[Asked]] = {}
    for one in tomllib.loads((DATA / "phrasings.toml").read_text(encoding="utf-8"))["web"]:
        place = (one["domain"], one["seed"])
        if not one["kept_aside"]:
            web = invented_web(load_settings({"web.domain": place[0], "web.seed": place[1]}).web)
            found.setdefault(place, []).extend(_reworded(web, one["phrasings"]))
    for name in ("unanswerable.jsonl", "typed.jsonl"):
        for line in (DATA / name).read_text(encoding="utf-8").splitlines():
            one = json.loads(line)
            if one["part"] == "train":
                answers = tuple(form for forms in one.get("gold", ()) for form in forms)
                asked = Asked(one["text"], "typed", answers)
                found.setdefault((one["domain"], one["seed"]), []).append(asked)
    return found


def _reworded(web: Web, phrasings: Mapping[str, Sequence[str]]) -> list[Asked]:
    """The look-ups of a web, each in the samples' own wording and in others."""
    found = []
    for question in web.questions:
        facts = [web.facts[name] for name in question.facts]
        answers = tuple(form for fact in facts for form in fact.answers)
        former = tuple(form for fact in facts for form in fact.stale_answers)
        texts = () if question.kind == "report" else (question.text, *phrasings[question.id])
        found += [Asked(text, question.kind, answers, former) for text in dict.fromkeys(texts)]
    return found


def listening(heard: list[Conversation]) -> Any:
    """The offline model, which notes every request that a report was written from."""

    def model(request: Mapping[str, Any]) -> dict[str, Any]:
        talk = Conversation(request.get("messages") or ())
        if (talk.findings or talk.sources) and not request.get("response_format"):
            heard.append(talk)
        return complete(request)

    return model


def ways_of(web: str, asked: Asked, talk: Conversation) -> list[Example]:
    """The ways chosen for a question with all its pages, and without those that state what was asked."""
    question, pages = writing.asked_question(talk), writing.pages_of(talk)
    found = chosen(web, asked, question, pages, TYPED if asked.kind == "typed" else 1.0)
    if asked.kind in TAKEN_AWAY:
        told = (*asked.answers, *asked.former)
        left = [page for page in pages if not states(f"{page.title}\n{page.text}", told)]
        found += chosen(web, asked._replace(answers=()), question, left, HALF) if left else []
    return found


def chosen(web: str, asked: Asked, question: str, pages: Sequence[Page], weight: float) -> list[Example]:
    """The ways chosen for the parts and things of a question. Which of several ranked things has the right
    value, its gold does not tell."""
    founds = [f for f in solve(question, pages).founds if f.way and f.ranking and f.ranking.names]
    return [
        Example(web, bool(asked.answers), measured(one), is_right(one, asked), weight)
        for one in founds
        if not (one.item and asked.kind == "ranking")
    ]


def measured(found: Found) -> Mapping[str, float]:
    """The features of what was found."""
    assert found.way and found.ranking
    return features(found.ranking, found.way, found.read, found.item)


def is_right(found: Found, asked: Asked) -> bool:
    """Whether the passage at which a way ends states a fact that was asked for."""
    return found.way is not None and states(found.way.last.text, asked.answers)


def states(text: str, forms: Sequence[str]) -> bool:
    """Whether a text states an answer in one of its forms."""
    return any(says(text, form) for form in forms)


def fit(found: Sequence[Example]) -> dict[str, float]:
    """The weight of each feature, by gradient descent (Adam); large ones cost."""
    names = list(found[0].measured)
    values = np.array([[one.measured[name] for name in names] for one in found])
    right = np.array([float(one.right) for one in found])
    counts = np.array([one.weight for one in found])
    scale = values.std(axis=0)
    scale[scale == 0] = 1.0
    values = values / scale
    weights, mean, square = (np.zeros(len(names)) for _ in range(3))
    for step in range(1, STEPS + 1):
        shares = 1 / (1 + np.exp(-values @ weights))
        slope = values.T @ ((shares - right) * counts) + SHRINK * weights
        mean, square = 0.9 * mean + 0.1 * slope, 0.999 * square + 0.001 * slope**2
        weights -= RATE * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
    return {name: float(weight) for name, weight in zip(names, weights / scale, strict=True)}


def table(found: Sequence[Example]) -> str:
    """How often a way is given as the answer from each certainty on, each web judged by weights from the
    others."""
    sure: list[tuple[Example, float]] = []
    for web in dict.fromkeys(one.web for one in found):
        weights = fit([one for one in found if one.web != web])
        for one in found:
            if one.web == web:
                score = sum(weights[name] * value for name, value in one.measured.items())
                sure.append((one, 1 / (1 + float(np.exp(-score)))))
    lines = [
        "| certainty | n | answered and right | answered and wrong | n, no answer there | answered anyway |",
        "| ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for least in (0.4, 0.5, SURE, 0.7, 0.8):
        held = [(one.right, share >= least) for one, share in sure if one.answerable]
        none = [share >= least for one, share in sure if not one.answerable and not one.right]
        right, wrong = (sum(r == want and s for r, s in held) / len(held) for want in (True, False))
        anyway = sum(none) / len(none)
        lines.append(f"| {least} | {len(held)} | {right:.1%} | {wrong:.1%} | {len(none)} | {anyway:.1%} |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
