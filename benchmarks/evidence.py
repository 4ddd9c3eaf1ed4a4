"""The page `docs/evidence.md`, written from `docs/evidence.json` alone: a guide, what matters, the parts.

    python -m benchmarks.evidence               write the page again, measuring nothing

What is told besides the figures (what a part measures, with which model, what was fitted on what) is data in
`data/evidence.toml`. Its summary names good and bad figures side by side, each taken from a table by section,
row and column, so that no measured number in it is typed.
"""

from __future__ import annotations

import json
import re
import subprocess
import tomllib
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
_WORDS = Path(__file__).with_name("data") / "evidence.toml"
_FIGURE = re.compile(r"\{([^{}]+)\}")
Evidence = dict[str, dict[str, Any]]


def read() -> Evidence:
    """What is known: per part its Markdown, its tables, and when and on which code it was measured."""
    path = DOCS / "evidence.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def write(evidence: Evidence) -> None:
    """Write both files."""
    DOCS.mkdir(exist_ok=True)
    told = json.dumps(evidence, ensure_ascii=False, indent=1) + "\n"
    (DOCS / "evidence.json").write_text(told, encoding="utf-8")
    (DOCS / "evidence.md").write_text(page(evidence), encoding="utf-8")


def measured_now() -> dict[str, str]:
    """The day and the commit of a measurement; a changed working copy says so."""

    def git(*arguments: str) -> str:
        return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True).stdout.strip()

    changed = git("status", "--porcelain", "--untracked-files=no", "--", ":!docs")
    commit = git("rev-parse", "--short", "HEAD") or "unknown"
    return {"date": f"{datetime.now(UTC):%Y-%m-%d}", "commit": f"{commit} and changes" if changed else commit}


def page(evidence: Evidence) -> str:
    """The whole page."""
    words = tomllib.loads(_WORDS.read_text(encoding="utf-8"))
    titles = {name: words["sections"][name]["title"] for name in evidence}
    guide = [words["guide"].strip(), _summary(words["figures"], evidence, titles), words["names"].strip()]
    parts = [
        f"# {titles[name]}\n\n{_when(part)} {words['sections'][name]['about']}\n\n{part['markdown']}"
        for name, part in evidence.items()
    ]
    return "\n\n".join([*guide, *parts]) + "\n"


def _summary(rows: Iterable[Mapping[str, str]], evidence: Evidence, titles: Mapping[str, str]) -> str:
    lines = ["| measured | good | bad | where |", "| --- | --- | --- | --- |"]
    for row in rows:
        if row["section"] in evidence:
            title = titles[row["section"]]
            link = f"[{title}](#{re.sub(r'[^a-z0-9 -]', '', title.lower()).replace(' ', '-')})"
            cells = [_filled(row[name], evidence) for name in ("what", "good", "bad")]
            lines.append(f"| {' | '.join(cells)} | {link} |")
    return "\n".join(lines)


def _filled(text: str, evidence: Evidence) -> str:
    return _FIGURE.sub(lambda match: figure(match[1], evidence), text)


def figure(place: str, evidence: Evidence) -> str:
    """The figure at `section|row|column`; `row` are its first cells, joined by `//`.

    `section|column=value` is the number of such rows, `section|column` that of rows with the column. A place
    that no table has is a `LookupError`.
    """
    section, *where = place.split("|")
    rows = [row for table in evidence[section]["tables"] for row in table]
    column = where[-1].partition("=")[0]
    rows = [row for row in rows if column in row]
    if len(where) == 1:
        return str(sum(where[0] in (column, f"{column}={row[column]}") for row in rows))
    cells = where[0].split("//")
    for row in rows:
        if [*row.values()][: len(cells)] == cells:
            return row[column]
    raise LookupError(f"no table of the evidence has {place}")


def _when(part: Mapping[str, Any]) -> str:
    measured = part.get("measured")
    if measured:
        return f"*Measured on {measured['date']}, commit {measured['commit']}.*"
    if changed := part.get("changed"):
        return (
            f"*Figures last changed on {changed['date']}, commit {changed['commit']}; "
            "on which code they were measured was not recorded.*"
        )
    return "*When and on which code this was measured was not recorded.*"


if __name__ == "__main__":
    write(read())
