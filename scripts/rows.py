"""Which promises have a test named after them, and which have none.

    python scripts/rows.py           the rows without a test
    python scripts/rows.py --all     every row with the number of its tests

The rows and those that may still be missing stand in `tests/rows/ROWS.toml`. The exit status is 1 if another
row has no test, or one that may be missing has got one.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent / "tests"
_ROW = re.compile(r"([a-z]\d+)_")


def main() -> int:
    """Print the rows and say whether they are as expected."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--all", action="store_true", help="every row with the number of its tests")
    rows, excused = promises()
    tests = counted(rows)
    for row, promise in rows.items():
        if parser.parse_args().all or not tests[row]:
            print(f"{row:12}{tests[row] or '-':>4}  {promise}")
    wrong = faults(rows, excused, tests)
    print(*wrong, sep="\n", file=sys.stderr, end="\n" if wrong else "")
    return int(bool(wrong))


def promises() -> tuple[dict[str, str], dict[str, str]]:
    """Every row with its promise, and the rows that may be missing with the reason."""
    data = tomllib.loads((TESTS / "rows" / "ROWS.toml").read_text(encoding="utf-8"))
    excused = data.pop("missing")
    return {row: promise for part in data.values() for row, promise in part.items()}, excused


def counted(rows: dict[str, str]) -> Counter[str]:
    """Row → number of tests named after it."""
    return Counter(row for name in test_names() for row in rows_of(name, rows))


def test_names() -> Iterator[str]:
    """The names of all test functions."""
    for path in sorted(TESTS.rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
                yield node.name


def rows_of(test: str, rows: dict[str, str]) -> list[str]:
    """The rows that a test's name begins with: `test_v4_v6_markers` has two; a part of a row is one, too."""
    rest = test.removeprefix("test_")
    parts = [row for row in rows if "_" in row and rest.startswith(f"{row}_")]
    while found := _ROW.match(rest):
        parts += [found[1]] if found[1] in rows else []
        rest = rest[found.end() :]
    return parts


def faults(rows: dict[str, str], excused: dict[str, str], tests: Counter[str]) -> list[str]:
    """What is not as `ROWS.toml` says."""
    return [
        *(f"{row} has no test" for row in rows if not tests[row] and row not in excused),
        *(f"{row} has a test: take it off the list of missing rows" for row in excused if tests[row]),
        *(f"{row} is no row" for row in excused if row not in rows),
    ]


if __name__ == "__main__":
    sys.exit(main())
