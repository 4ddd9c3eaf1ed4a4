"""Do answers survive other wordings? The English look-ups of the samples, worded in seven other ways.

python -m benchmarks.rewordings                          every kind, every question
python -m benchmarks.rewordings --kinds lower typo --limit 8 --seed 1
"""

from __future__ import annotations

import argparse
import asyncio

from deep_research.evaluation.rewordings import KINDS, rewordings_table, score_rewordings
from deep_research.settings import load_settings
from deep_research_offline.web.rewording import reword

from .arguments import new_parser


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
