"""Do answers survive wordings that nobody prepared for? Look-ups of several webs, as other people put them.

    python -m benchmarks.phrasings                     every wording
    python -m benchmarks.phrasings --system open_deep_research --limit 2

`data/phrasings.toml` holds them: what other people would type who want to know the same, written without a
look at the offline model. The model was developed on some webs; the others, kept aside, say what an answer
owes to that. With `--plain` the samples' own wording of the same questions is asked as well, to compare.
`data/unanswerable.jsonl` holds questions on things of a web that no page answers.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tomllib
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from deep_research.evaluation.samples import (
    SHARES,
    Score,
    answer_sample,
    markdown_table,
    means_of,
    percent,
    score,
)
from deep_research.evaluation.truth import GroundTruth
from deep_research.runs.environment import build_environment
from deep_research.runs.offline import invented_web
from deep_research.settings import Settings, load_settings
from deep_research_offline.model.text import language
from deep_research_offline.web.types import Question

from .arguments import new_parser

DATA = Path(__file__).with_name("data") / "phrasings.toml"
MEASURES = ("answered", "hedged", "wrongly_answered")


@dataclass(frozen=True)
class Asked:
    """The look-ups of one web, each in the words in which it is put."""

    domain: str
    settings: Settings
    kept_aside: bool
    texts: list[tuple[Question, str]]


def main() -> None:
    args = _arguments()
    webs = [asked_of(data, args, report=False) for data in read_webs(DATA)]
    print(f"## The phrasings, {args.system}\n\n{_table(webs, args.show)}")
    if args.plain:
        plain = _table([in_own_words(one) for one in webs], args.show)
        print(f"## The samples' own wording, {args.system}\n\n{plain}\n")
    print(f"## Questions that nothing answers, {args.system}\n\n{_table(unanswerable(args), args.show)}")


def read_webs(path: Path) -> list[dict[str, Any]]:
    """The webs of a file of phrasings: domain, seed, whether it was kept aside, wordings by question."""
    return list(tomllib.loads(path.read_text(encoding="utf-8"))["web"])


def asked_of(data: dict[str, Any], args: argparse.Namespace, *, report: bool) -> Asked:
    """The requests for a report of one web, or its look-ups, as `data` words them."""
    chosen = {"web.seed": data["seed"], "web.domain": data["domain"], "system": args.system}
    settings = load_settings(chosen)
    questions = [one for one in invented_web(settings.web).questions if (one.kind == "report") == report]
    texts = chosen_phrasings(questions, data["phrasings"], args.limit)
    return Asked(data["domain"], settings, data["kept_aside"], texts)


def in_own_words(asked: Asked) -> Asked:
    """The same questions, each once, as the samples put them."""
    return replace(asked, texts=[(question, question.text) for question in dict(asked.texts)])


def unanswerable(args: argparse.Namespace) -> list[Asked]:
    """The questions that nothing answers, web by web."""
    lines = (DATA.parent / "unanswerable.jsonl").read_text(encoding="utf-8").splitlines()
    texts: dict[tuple[str, int, bool], list[tuple[Question, str]]] = {}
    for one in map(json.loads, lines):
        web = texts.setdefault((one["domain"], one["seed"], one["part"] == "kept_aside"), [])
        question = Question(f"nothing-{len(web)}", "unanswerable", language(one["text"]), one["text"], (), ())
        web.append((question, one["text"]))
    return [
        Asked(
            domain,
            load_settings({"web.seed": seed, "web.domain": domain, "system": args.system}),
            aside,
            asked,
        )
        for (domain, seed, aside), every in texts.items()
        for asked in [every[: args.limit]]
    ]


def chosen_phrasings(
    questions: Sequence[Question], phrasings: dict[str, list[str]], limit: int | None
) -> list[tuple[Question, str]]:
    """Every question (or the first `limit` of each class) in each of its phrasings.

    Raises ValueError where a question has no phrasing, or phrasings have no question.
    """
    if unlike := {question.id for question in questions} ^ phrasings.keys():
        raise ValueError(f"There are not phrasings for exactly these questions: {sorted(unlike)}")
    kinds = dict.fromkeys(question.kind for question in questions)
    chosen = [q for kind in kinds for q in [q for q in questions if q.kind == kind][:limit]]
    return [(question, text) for question in chosen for text in phrasings[question.id]]


async def score_phrasings(asked: Asked, show: bool) -> list[Score]:
    """The scores in order; all runs share one environment and leave nothing on disk."""
    truth, world = GroundTruth(invented_web(asked.settings.web)), build_environment(asked.settings)
    scores = []
    try:
        for question, text in asked.texts:
            report = await answer_sample(text, asked.settings.system, asked.settings, world)
            scores.append(score(question, report, truth))
            if show:
                print(f"<!-- {question.id}: {text} {_figures(scores[-1])}\n\n{report.markdown}\n-->\n")
    finally:
        await world.close()
    return scores


def _figures(one: Score) -> str:
    return ", ".join(f"{name} {value}" for name in SHARES if (value := getattr(one, name)) is not None)


def _table(webs: Sequence[Asked], show: bool) -> str:
    return phrasings_table([(one, asyncio.run(score_phrasings(one, show))) for one in webs])


def phrasings_table(found: Sequence[tuple[Asked, Sequence[Score]]]) -> str:
    """A row per class, language and web, and those of the webs kept aside: how many wordings, and the mean of
    each measure."""
    every = [score for _, scores in found for score in scores]
    groups = {kind: [one for one in every if one.kind == kind] for kind in _each(every, "kind")}
    groups |= {lang: [one for one in every if one.lang == lang] for lang in _each(every, "lang")}
    for asked, scores in found:
        aside = ", kept aside" if asked.kept_aside else ""
        groups[f"{asked.domain}, seed {asked.settings.web.seed}{aside}"] = list(scores)
    for name, aside in {"all, looked at in development": False, "all, kept aside": True}.items():
        groups[name] = [one for asked, scores in found if asked.kept_aside == aside for one in scores]
    rows = [[name, str(len(group)), *_shares(group)] for name, group in groups.items() if group]
    return markdown_table(["class", "n", *(name.replace("_", " ") for name in MEASURES), "failed"], rows)


def _each(scores: Sequence[Score], field: str) -> list[str]:
    return list(dict.fromkeys(getattr(one, field) for one in scores))


def _shares(group: Sequence[Score]) -> list[str]:
    means = means_of([asdict(one) for one in group])
    return [*(percent(means[name]) for name in MEASURES), str(means["failed"])]


def _arguments() -> argparse.Namespace:
    return phrasings_parser(__doc__, "shallow_researcher").parse_args()


def phrasings_parser(doc: str | None, system: str) -> argparse.ArgumentParser:
    """The command line of a measure of phrasings, with the system that it asks unless told otherwise."""
    parser = new_parser(doc)
    parser.add_argument("--system", default=system, help="default: %(default)s")
    parser.add_argument("--limit", type=int, help="at most so many questions of each class")
    parser.add_argument("--plain", action="store_true", help="ask the samples' own wording as well")
    parser.add_argument("--show", action="store_true", help="print each report")
    return parser


if __name__ == "__main__":
    main()
