"""Does the parser see what a person sees? Real reports of other systems against counts made by hand.

    python -m benchmarks.report_formats --data PATH [--json]

PATH holds `drb_reports/reports.jsonl` (reports of ten deep research systems). The counts lie beside this file
(`data/drb_hand_counts.json`): entries of the reference list, and distinct things cited before it. They were
made before the parser was run. A *miss* is the difference of two counts. Bare numbers are counted where they
follow the end of a sentence; those that a reader also takes for citations in table cells or in mid-sentence
cannot be told from figures, are left alone, and stand in a column of their own.

The last columns verify each report twice: against its own list (every entry registered; nothing may go), and
against nothing (nothing may stay, and no report may pass without a flag).
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

from deep_research.components.verifier.citations import verify_citations
from deep_research.components.verifier.citations.parser import parse_report

from .arguments import new_parser

COUNTS = Path(__file__).with_name("data") / "drb_hand_counts.json"
COLUMNS = (
    *("report", "style", "entries by hand", "found", "markers by hand", "found ", "misses", "seen elsewhere"),
    *("removed, all known", "kept, none known", "flag, none known", "CPU s"),
)


def main() -> None:
    """Print the table as Markdown or JSON, with the total agreement."""
    parser = new_parser(__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with drb_reports/")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of Markdown")
    arguments = parser.parse_args()
    counts = json.loads(COUNTS.read_text(encoding="utf-8"))["counts"]
    path = arguments.data / "drb_reports" / "reports.jsonl"
    with path.open(encoding="utf-8") as file:
        reports = [json.loads(line) for line in file]
    rows = [row(report["id"], report["text"], counts[report["id"]]) for report in reports]
    total = summary(rows)
    if arguments.json:
        print(json.dumps({"reports": rows, "total": total}, ensure_ascii=False, indent=1))
        return
    print("| " + " | ".join(COLUMNS) + " |\n" + "|---" * len(COLUMNS) + "|")
    for line in rows:
        print("| " + " | ".join(str(line[name]) for name in COLUMNS) + " |")
    print("\n" + "; ".join(f"{name}: {value}" for name, value in total.items()))


def row(name: str, text: str, hand: dict[str, Any]) -> dict[str, Any]:
    """One report: both counts, and what verification does in the two extreme cases."""
    started = time.process_time()
    parsed = parse_report(text)
    first = parsed.entries[0].start if parsed.entries else len(text)
    cited = [(*m.numbers, *m.keys) or (m.url,) for m in parsed.markers if m.start < first]
    entries, markers = len(parsed.entries), len({name for names in cited for name in names})
    known = [{"url": url} for entry in parsed.entries for url in entry.urls]
    known += [{"url": marker.url} for marker in parsed.markers if marker.url]
    known += [{"citation_key": key} for marker in parsed.markers for key in marker.keys]
    trusted, distrusted = verify_citations(text, known), verify_citations(text, [])
    cells = (
        *(name, hand["style"], hand["entries"], entries, hand["markers"], markers),
        abs(entries - hand["entries"]) + abs(markers - hand["markers"]),
        hand.get("seen_elsewhere", 0),
        sum(not gone.reason.startswith("duplicate") for gone in trusted.removed),
        len(distrusted.kept),
        distrusted.flag,
        round(time.process_time() - started, 2),
    )
    return dict(zip(COLUMNS, cells, strict=True))


def summary(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Agreement over all reports, without and with the numbers that are left alone on purpose."""
    counted = sum(line["entries by hand"] + line["markers by hand"] for line in rows)
    misses = sum(line["misses"] for line in rows)
    elsewhere = sum(line["seen elsewhere"] for line in rows)
    return {
        "reports": len(rows),
        "counted by hand": counted,
        "misses": misses,
        "agreement": round(1 - misses / counted, 4),
        "agreement with bare numbers elsewhere": round(1 - (misses + elsewhere) / (counted + elsewhere), 4),
        "exact reports": sum(not line["misses"] for line in rows),
        "unflagged with nothing known": sum(line["flag, none known"] is None for line in rows),
    }


if __name__ == "__main__":
    main()
