"""`verify` and `recheck`: anybody's report against its sources, and a saved run against today's pages.

Both exit with 0 whatever they find, unless `--fail-on-flagged` asks for 1 (`NOT_CONFIRMED`); 2 is for wrong
arguments, as everywhere.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from ..errors import UsageError
from .consent import require_reading
from .tables import print_json, screen_width, table
from .terminal import tell

NOT_CONFIRMED = 1
"""Exit status, with `--fail-on-flagged`, where a citation was removed or a sentence is not confirmed."""
_SHOWN = (
    *("report", "kept", "removed", "claims", "sanitized", "repaired", "conflicts", "flagged", "flag"),
    "uncited",
)


def verify(args: argparse.Namespace) -> int:
    """Print a report without its false citations, and what was found wrong."""
    from ..checks import doubts, honesty, marked
    from ..verification.claims import CitedSentence
    from ..verifier import verify as verify_report

    done = verify_report(
        _text(Path(args.report)), _sources(Path(args.sources)), mode="strict" if args.strict else "lenient"
    )
    doubtful = done.flagged or bool(done.removed) or any(claim.verdict == "flagged" for claim in done.claims)
    status = NOT_CONFIRMED if args.fail_on_flagged and doubtful else 0
    if args.json:
        data = done.model_dump(mode="json")
        print_json({key: data[key] for key in _SHOWN})
        return status
    checked = [
        (CitedSentence(claim.text, start, end, claim.sources), claim)
        for claim, (start, end) in zip(done.claims, done.spans, strict=True)
    ]
    print(marked(done.report, checked), end="" if done.report.endswith("\n") else "\n")
    sys.stdout.flush()
    kept, removed = len(done.kept), len(done.removed)
    tell(
        f"citations: {kept} kept, {removed} removed" + (f"; unverified: {done.flag}" if done.flagged else "")
    )
    for gone in done.removed:
        tell(f"  removed [{gone.number or ''}] {gone.url or gone.citation_key or ''}: {gone.reason}")
    for entry in done.uncited:
        tell(f"  nobody cites [{entry.number}] {entry.url or entry.citation_key or ''}")
    tell(honesty(done.claims, "en"), *(f"  flagged {line}" for line in doubts(done.claims, "en")))
    return status


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig", errors="replace")  # Windows writes a byte-order mark
    except OSError as error:
        raise UsageError(f"Cannot read '{path}': {error.strerror}.", "Give a Markdown file.") from error


def _sources(path: Path) -> list[dict[str, Any]]:
    """The list of what was retrieved; raises `UsageError` that says which entry is wrong."""
    from ..verification.matching import VerifySource

    shape = 'It needs a JSON list of {"url" or "citation_key", "title"?, "text"?}.'
    try:
        data = json.loads(_text(path))
    except (ValueError, RecursionError) as error:
        raise UsageError(f"'{path}' is no JSON: {error}.", shape) from error
    if not isinstance(data, list):
        raise UsageError(f"'{path}' holds no list.", shape)
    for place, entry in enumerate(data, start=1):
        if not isinstance(entry, dict) or not (entry.get("url") or entry.get("citation_key")):
            raise UsageError(f"Entry {place} of '{path}' has neither url nor citation_key.", shape)
        wrong = [key for key in VerifySource.model_fields if not isinstance(entry.get(key), str | None)]
        if wrong:
            raise UsageError(f"Entry {place} of '{path}': {wrong[0]} is no text.", shape)
    return [{k: v for k, v in entry.items() if v is not None} for entry in data]


def recheck(args: argparse.Namespace) -> int:
    """Read the cited pages of a saved run again and say which claims still hold."""
    from ..bundle import find_run, load_report
    from ..own_loop import run_in_own_loop
    from ..recheck import counts
    from ..recheck import recheck as recheck_run

    given = Path(args.bundle)
    folder = given if (given / "run.json").exists() else find_run(args.bundle, args.out)
    report = load_report(folder)
    require_reading(report.settings, len(report.cited), args.yes)
    found = run_in_own_loop(recheck_run(folder), "deep-research")
    doubtful = any(one.status != "still_there" or one.verdict == "flagged" for one in found)
    status = NOT_CONFIRMED if args.fail_on_flagged and doubtful else 0
    if args.json:
        print_json([one.model_dump(mode="json") for one in found])
        return status
    rows = [
        (_now(one.status, one.verdict), " ".join(f"[{n}]" for n in one.sources), one.text) for one in found
    ]
    if rows:
        print(table(("now", "cites", "claim"), rows, screen_width()))
    sys.stdout.flush()
    tell(", ".join(f"{name.replace('_', ' ')}: {n}" for name, n in counts(found).items()))
    return status


def _now(status: str, verdict: str) -> str:
    """A claim's state in words; a passage that is still there may never have borne the claim out."""
    return status.replace("_", " ") + (", flagged" if verdict == "flagged" else "")
