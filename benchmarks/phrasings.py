"""Do answers survive wordings that nobody prepared for? Two more of every look-up of the samples, by hand.

    python -m benchmarks.phrasings                     both phrasings of every question
    python -m benchmarks.phrasings --system open_deep_research --limit 2

`data/phrasings.toml` holds them: what other people would type who want to know the same. They were written
without a look at the offline model, so they say what an answer owes to the wording of the samples. The model
was then developed on the questions with odd numbers; what it owes to that, the others show. With `--plain`
the samples' own wording is asked as well, to compare.
"""

from __future__ import annotations

import argparse
import asyncio
import tomllib
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from deep_research.evaluation.samples import Score, answer_sample, markdown_table, means_of, percent, score
from deep_research.evaluation.truth import GroundTruth
from deep_research.runs.environment import build_environment
from deep_research.runs.offline import invented_web
from deep_research.settings import Settings, load_settings
from deep_research_offline.web.types import Question, Web

from .arguments import new_parser

DATA = Path(__file__).with_name("data") / "phrasings.toml"
MEASURES = ("answered", "hedged", "wrongly_answered")
Asked = list[tuple[Question, str]]
"""Questions, and the words in which each is put."""


def main() -> None:
    args = _arguments()
    data = tomllib.loads(DATA.read_text(encoding="utf-8"))
    chosen = {"web.seed": data["seed"], "web.domain": data["domain"], "system": args.system}
    settings = load_settings(chosen)
    asked = chosen_phrasings(invented_web(settings.web), data["phrasings"], args.limit)
    print(f"## The phrasings, {args.system}\n\n{_table(asked, settings, args.show)}")
    if args.plain:
        plain = [(question, question.text) for question in dict.fromkeys(question for question, _ in asked)]
        print(f"## The samples' own wording, {args.system}\n\n{_table(plain, settings, args.show)}")


def chosen_phrasings(web: Web, phrasings: dict[str, list[str]], limit: int | None) -> Asked:
    """Every look-up (or the first `limit` of each class) in each of its phrasings.

    Raises ValueError where a look-up has no two phrasings, or phrasings have no look-up.
    """
    questions = {question.id: question for question in web.questions if question.kind != "report"}
    unlike = questions.keys() ^ phrasings.keys()
    if wrong := sorted(unlike | {name for name, texts in phrasings.items() if len(texts) != 2}):
        raise ValueError(f"{DATA.name} does not hold two phrasings for exactly the look-ups: {wrong}")
    kinds = dict.fromkeys(question.kind for question in questions.values())
    chosen = [q for kind in kinds for q in [q for q in questions.values() if q.kind == kind][:limit]]
    return [(question, text) for question in chosen for text in phrasings[question.id]]


async def score_phrasings(asked: Asked, settings: Settings, show: bool) -> list[Score]:
    """The scores in order; all runs share one environment and leave nothing on disk."""
    truth, world = GroundTruth(invented_web(settings.web)), build_environment(settings)
    scores = []
    try:
        for question, text in asked:
            report = await answer_sample(text, settings.system, settings, world)
            scores.append(score(question, report, truth))
            if show:
                print(f"<!-- {question.id}: {text} {_figures(scores[-1])}\n\n{report.markdown}\n-->\n")
    finally:
        await world.close()
    return scores


def _figures(one: Score) -> str:
    return ", ".join(f"{name} {value}" for name in MEASURES if (value := getattr(one, name)) is not None)


def _table(asked: Asked, settings: Settings, show: bool) -> str:
    return phrasings_table(asyncio.run(score_phrasings(asked, settings, show)))


def phrasings_table(scores: Sequence[Score]) -> str:
    """A row per class, per language and over all: how many wordings, and the mean of each measure."""
    groups = {kind: [one for one in scores if one.kind == kind] for kind in _each(scores, "kind")}
    odd = [int(one.id.rpartition("-")[2]) % 2 for one in scores]
    for name, rest in {"all, looked at in development": 1, "all, kept aside": 0}.items():
        groups[name] = [one for one, left in zip(scores, odd, strict=True) if left == rest]
    groups |= {f"all, {lang}": [one for one in scores if one.lang == lang] for lang in _each(scores, "lang")}
    groups["all"] = list(scores)
    rows = [[name, str(len(group)), *_shares(group)] for name, group in groups.items()]
    return markdown_table(["class", "n", *(name.replace("_", " ") for name in MEASURES), "failed"], rows)


def _each(scores: Sequence[Score], field: str) -> list[str]:
    return list(dict.fromkeys(getattr(one, field) for one in scores))


def _shares(group: Sequence[Score]) -> list[str]:
    means = means_of([asdict(one) for one in group])
    return [*(percent(means[name]) for name in MEASURES), str(means["failed"])]


def _arguments() -> argparse.Namespace:
    parser = new_parser(__doc__)
    parser.add_argument("--system", default="shallow_researcher", help="default: %(default)s")
    parser.add_argument("--limit", type=int, help="at most so many questions of each class")
    parser.add_argument("--plain", action="store_true", help="ask the samples' own wording as well")
    parser.add_argument("--show", action="store_true", help="print each report")
    return parser.parse_args()


if __name__ == "__main__":
    main()
