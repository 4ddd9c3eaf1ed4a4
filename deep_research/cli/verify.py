"""`verify` and `recheck`: anybody's report against its sources, and a saved run against today's pages.

Both exit with 0 whatever they find, unless `--fail-on-flagged` asks for 1 (`NOT_CONFIRMED`); 2 is for wrong
arguments, as everywhere.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from deep_research.core.errors import UsageError, nearest_hint
from deep_research.text.language import shorten

from .terminal import print_json, screen_width, table, tell

if TYPE_CHECKING:
    from deep_research.components.verifier import Verification
    from deep_research.runs.judging import Judged
    from deep_research.text.matching import VerifySource

FORMATS = ("text", "json", "sarif")
NOT_CONFIRMED = 1
"""Exit status, with `--fail-on-flagged`, where a citation was removed or a sentence is not confirmed."""
_SHOWN = "report kept removed claims sanitized repaired conflicts flagged flag uncited".split()


def verify_file(args: argparse.Namespace) -> int:
    """Print a report without its false citations, and what was found wrong."""
    from deep_research.components.verifier import verify
    from deep_research.components.verifier.given import file_text
    from deep_research.components.verifier.marks import DOUBTED

    form = "json" if args.json else args.format or "text"
    if form not in FORMATS:
        raise UsageError(f"There is no format '{form}'.", nearest_hint(form, FORMATS))
    path, sources = _files(args)
    done = verify(path, _sources(sources), mode="strict" if args.strict else "lenient")
    judged = _judged(done, args) if args.judge else None
    if form == "json":
        data = done.model_dump(mode="json")
        print_json({key: data[key] for key in _SHOWN} | ({"judge": judged.model_dump()} if judged else {}))
    elif form == "sarif":
        from .findings import findings, sarif

        report = file_text(path)
        print_json(sarif(findings(done, report), report, path))
    else:
        _show(done)
    if judged:
        tell(*_agreement(judged))
    doubtful = done.flagged or bool(done.removed) or any(claim.verdict in DOUBTED for claim in done.claims)
    return NOT_CONFIRMED if args.fail_on_flagged and doubtful else 0


def _show(done: Verification) -> None:
    """The report on stdout, everything else on stderr, the checks that ran last."""
    from deep_research.components.verifier import OTHER_PAGE
    from deep_research.components.verifier.marks import DOUBTED, CheckNotes

    from .findings import what_differs

    print(done.report, end="" if done.report.endswith("\n") else "\n")
    sys.stdout.flush()
    flag = f"; unverified: {done.flag}" if done.flagged else ""
    tell(f"citations: {len(done.kept)} kept, {len(done.removed)} removed{flag}")
    for gone in done.removed:
        tell(f"  removed [{gone.number or ''}] {gone.url or gone.citation_key or ''}: {gone.reason}")
    for entry in done.kept:
        if entry.level in OTHER_PAGE:
            tell(f"  not retrieved [{entry.number}] {entry.url}: only {entry.matched} was ({entry.level})")
        if entry.problem:
            tell(f"  kept because it is registered [{entry.number}] {entry.url}: {entry.problem}")
    for entry in done.uncited:
        tell(f"  nobody cites [{entry.number}] {entry.url or entry.citation_key or ''}")
    notes = CheckNotes(done.claims)
    tell(notes.summary())
    doubted = [claim for claim in done.claims if claim.verdict in DOUBTED]
    for claim, line in zip(doubted, notes.doubts(), strict=True):
        tell(f"  flagged {line}", *(f"    {why}" for why in [what_differs(claim)] if why))
    for line in notes.lacking():
        tell(f"  not in each source {line.removeprefix('- ')}")
    read = any(claim.checked_by == "judge" for claim in done.claims)
    tell(
        "checked: each citation against what was retrieved; each cited sentence by rules, for words, "
        "numbers, dates, names, negation, comparison and splices",
        f"not checked: sentences without a citation{'' if read else ', and by a reader (--judge)'}",
    )


def _judged(done: Verification, args: argparse.Namespace) -> Judged:
    """What a model says of the sentences, after a yes to what that may cost."""
    from deep_research.components.verifier.judging import judgeable
    from deep_research.runs.environment import check_judge
    from deep_research.runs.judging import judge_report
    from deep_research.runs.own_loop import run_in_own_loop
    from deep_research.settings import load_settings

    from .consent import require_judge

    settings = load_settings({"models.model": args.judge, "models.verifier": args.judge}, env=os.environ)
    check_judge(settings)
    require_judge(args.judge, len(judgeable(done.claims, done.texts)), args.yes)
    return run_in_own_loop(judge_report(done, settings))


def _agreement(judged: Judged) -> Iterator[str]:
    """How far judge and rules agree, where they do not, and what was spent."""
    used = judged.usage
    yield f"judge {judged.model}: read {judged.read} of {judged.sentences} sentences with a source's text"
    for why, count in Counter(judged.failed).items():
        yield f"  no verdict on {count}, the rules' word stays: {why}"
    yield f"  agrees with the rules on {judged.agreed} of {judged.compared}"
    yield from (f"  differs on “{shorten(text, 160)}”" for text in judged.disagreements)
    tokens = used.input_tokens + used.output_tokens
    yield f"  {used.model_calls} calls, {tokens:,} tokens, {used.cost_usd:.4f} US dollars by the price list"


def _files(args: argparse.Namespace) -> tuple[Path, Path]:
    """The report and its sources: two files, or those of a run that is named by its id or folder."""
    from deep_research.runs.bundle import find_run

    given = Path(args.report)
    if given.suffix and not (args.sources or given.exists()):
        raise UsageError(f"There is no file '{args.report}'.", "Check the path, or name a run by its id.")
    if not given.is_file() and (not args.sources or (given / "run.json").exists()):
        given = given if given.is_dir() else find_run(args.report, args.out)
        given, sources = given / "report.md", given / "sources.json"
        return given, Path(args.sources or sources)
    if not args.sources:
        raise UsageError("`verify` needs --sources for a report that is a file.", "Or name a run by its id.")
    return given, Path(args.sources)


def _sources(path: Path) -> list[VerifySource]:
    """The list of what was retrieved; raises `UsageError` that says which entry is wrong.

    JSON (a list, or an object with `results`) or a JSON object a line. Sources of a run of ours name their
    texts in the folder beside the file.
    """
    from deep_research.components.verifier.given import known_sources

    data = _parsed(path)
    if isinstance(data, dict) and "results" in data:
        data = data["results"]
    known = known_sources(data, f"'{path}'")
    return [
        source.model_copy(update={"text": source.text or _stored_text(path.parent, entry)})
        for source, entry in zip(known, data, strict=True)
    ]


def _parsed(path: Path) -> Any:
    """What a file of JSON holds, or of a JSON object a line."""
    from deep_research.components.verifier.given import SHAPE, file_text

    text = file_text(path)
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        try:
            lines = [json.loads(line) for line in text.splitlines() if line.strip()]
        except (ValueError, RecursionError):
            lines = []
        if lines and isinstance(lines[0], dict):
            return lines
        raise UsageError(f"'{path}' is no JSON: {error}.", SHAPE) from error


def _stored_text(folder: Path, source: dict[str, Any]) -> str:
    """What a run of ours has read of a source, or the snippet that it saw."""
    from deep_research.engine.store import PageStore

    key, pages = str(source.get("content_hash")), PageStore(folder / "pages")
    return pages.get(key) if key.isalnum() and pages.holds(key) else str(source.get("snippet") or "")


def recheck(args: argparse.Namespace) -> int:
    """Read the cited pages of a saved run again and say which claims still hold."""
    from deep_research.runs.bundle import find_run, load_report
    from deep_research.runs.own_loop import run_in_own_loop
    from deep_research.runs.recheck import change_counts, recheck_run

    from .consent import require_reading

    folder = find_run(args.run_id, args.out)
    report = load_report(folder)
    require_reading(report.settings, len(report.cited), args.yes)
    found = run_in_own_loop(recheck_run(folder))
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
    tell(", ".join(f"{name.replace('_', ' ')}: {n}" for name, n in change_counts(found).items()))
    return status


def _now(status: str, verdict: str) -> str:
    """A claim's state in words; a passage that is still there may never have supported the claim."""
    return status.replace("_", " ") + (", flagged" if verdict == "flagged" else "")
