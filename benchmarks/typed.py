"""Questions as people type them: what does the reader get, and is he told where it is not enough?

    python -m benchmarks.typed
    python -m benchmarks.typed --system graph_agent --show

`data/typed.jsonl` holds look-ups of four webs, typed by people who had not seen the model: no capitals,
slips, two questions in one, questions of which only half or nothing is on any page. Half of them served to
fit weights; the others are kept aside.

    right            all that was asked stands before the first further section, and the status is `complete`
    right, partial   the same, but the status says that something is missing
    declined         no page has it, and the status says so
    missed           a page has it, the report does not, and the status says so
    unmarked         the status is `complete`, but something asked is missing, wrong, or on no page at all
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from deep_research.evaluation.reading import sections
from deep_research.evaluation.samples import answer_sample, markdown_table
from deep_research.evaluation.surface import says
from deep_research.report import Report
from deep_research.runs.environment import build_environment
from deep_research.settings import load_settings

from .arguments import new_parser

DATA = Path(__file__).with_name("data") / "typed.jsonl"
VERDICTS = ("right", "right, partial", "declined", "missed", "unmarked")


def main() -> None:
    """Print how many questions of each kind and web end in each verdict."""
    parser = new_parser(__doc__)
    parser.add_argument("--system", default="shallow_researcher", help="default: %(default)s")
    parser.add_argument("--limit", type=int, help="at most so many questions of each web")
    parser.add_argument("--show", action="store_true", help="print each report")
    options = parser.parse_args()
    webs: dict[tuple[str, int], list[dict[str, Any]]] = {}
    for one in map(json.loads, DATA.read_text(encoding="utf-8").splitlines()):
        webs.setdefault((one["domain"], one["seed"]), []).append(one)
    counts: dict[str, Counter[str]] = {}
    for (domain, seed), asked in webs.items():
        asked = asked[: options.limit]
        verdicts = asyncio.run(_verdicts(domain, seed, options.system, asked, options.show))
        for one, verdict in zip(asked, verdicts, strict=True):
            part = "fitted on" if one["part"] == "train" else "kept aside"
            kind = "nothing" if not one["gold"] else "half" if one["half"] else "all"
            for group in (f"{domain}, seed {seed}", f"answer to {kind} on the pages", "together"):
                counts.setdefault(f"{part}: {group}", Counter())[verdict] += 1
    print(f"## Questions as people type them, {options.system}\n\n{_table(counts)}")


async def _verdicts(
    domain: str, seed: int, system: str, asked: Sequence[dict[str, Any]], show: bool
) -> list[str]:
    settings = load_settings({"web.seed": seed, "web.domain": domain, "system": system})
    world = build_environment(settings)
    found = []
    try:
        for one in asked:
            report = await answer_sample(one["text"], system, settings, world)
            found.append(verdict(one["gold"], one["half"], report))
            if show:
                print(f"<!-- {one['id']}: {one['text']} {found[-1]}\n\n{report.markdown}\n-->\n")
    finally:
        await world.close()
    return found


def verdict(gold: Sequence[Sequence[str]], half: bool, report: Report) -> str:
    """The verdict on a report: `gold` are the facts asked for, each in its accepted forms; with `half` the
    pages answer only a part of what was asked."""
    head = " ".join(said.text for part in sections(report.markdown)[:1] for said in part.sentences)
    stated = all(any(says(head, form) for form in forms) for forms in gold)
    if report.status == "complete":
        return "right" if gold and stated and not half else "unmarked"
    if not gold:
        return "declined"
    return "right, partial" if stated else "missed"


def _table(counts: dict[str, Counter[str]]) -> str:
    rows = [
        [group, str(found.total()), *(str(found[name]) for name in VERDICTS)]
        for group, found in sorted(counts.items())
    ]
    return markdown_table(["questions", "n", *VERDICTS], rows)


if __name__ == "__main__":
    main()
