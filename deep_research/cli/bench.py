"""`bench`: how good the answers are, where the right ones are known. (`make bench` measures speed.)"""

from __future__ import annotations

import argparse

from .tables import print_json


def bench(args: argparse.Namespace) -> int:
    """Measure the designs on the sample questions and print a table, or the figures as JSON."""
    from ..evaluation.samples import bench_samples, table

    result = bench_samples(systems=args.system or None, seed=args.seed, domain=args.domain)
    if args.json:
        print_json(result)
    else:
        print(table(result))
    return 0
