"""Do reports survive wordings that nobody prepared for? Requests for a report, as other people put them.

    python -m benchmarks.report_phrasings                       every wording
    python -m benchmarks.report_phrasings --part looked_at      leaving alone what is kept aside
    python -m benchmarks.report_phrasings --plain --limit 2

`data/report_phrasings.toml` holds two everyday wordings of each sample request for a report, of several webs.
With `--plain` the sample's own wording of the same requests is measured as well, and stands below each row.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from deep_research.evaluation.samples import Score, markdown_table, means_of, percent

from .phrasings import Asked, asked_of, in_own_words, phrasings_parser, read_webs, score_phrasings

DATA = Path(__file__).with_name("data") / "report_phrasings.toml"
MEASURES = ("coverage", "aspects", "focus", "disagreements", "dated_as_current")
PARTS = {"looked_at": "looked at in development", "kept_aside": "kept aside"}
EVERYDAY, OWN = "everyday", "the sample's own"


def main() -> None:
    """Print the table of all webs, or of those of one part."""
    parser = phrasings_parser(__doc__, "open_deep_research")
    parser.add_argument("--part", choices=PARTS, help="only the webs of this part")
    args = parser.parse_args()
    webs = [asked_of(data, args, report=True) for data in read_webs(DATA)]
    found: list[tuple[Asked, str, list[Score]]] = []
    for web in [web for web in webs if args.part in (None, _part(web))]:
        for wording, asked in {EVERYDAY: web, OWN: in_own_words(web)}.items():
            if wording == EVERYDAY or args.plain:
                found.append((web, wording, asyncio.run(score_phrasings(asked, args.show))))
    print(f"## Reports in everyday wordings, {args.system}\n\n{report_phrasings_table(found)}")


def _part(web: Asked) -> str:
    return "kept_aside" if web.kept_aside else "looked_at"


def report_phrasings_table(found: Sequence[tuple[Asked, str, Sequence[Score]]]) -> str:
    """Rows for each web, each language and all together, part by part, and for each wording of them: how many
    reports, the mean of each measure, and the share that is `complete`."""
    groups: dict[str, dict[str, list[Score]]] = {}
    for part, title in PARTS.items():
        own = [(web, wording, one) for web, wording, scores in found if _part(web) == part for one in scores]
        for name in (_web, _language, _together):
            for web, wording, one in own:
                group = groups.setdefault(f"{title}: {name(web, one)}", {})
                group.setdefault(wording, []).append(one)
    rows = [
        [name, wording, str(len(scores)), *_shares(scores)]
        for name, wordings in groups.items()
        for wording, scores in wordings.items()
    ]
    measures = [name.replace("_", " ") for name in MEASURES]
    return markdown_table(["requests", "wording", "n", *measures, "complete"], rows, names=2)


def _web(web: Asked, _: Score) -> str:
    return f"{web.domain}, seed {web.settings.web.seed}"


def _language(_: Asked, score: Score) -> str:
    return score.lang


def _together(_: Asked, __: Score) -> str:
    return "together"


def _shares(group: Sequence[Score]) -> list[str]:
    means = means_of([asdict(one) for one in group])
    complete = sum(one.status == "complete" for one in group) / len(group)
    return [*(percent(means[name]) for name in MEASURES), percent(complete)]


if __name__ == "__main__":
    main()
