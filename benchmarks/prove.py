"""All long proofs; the tables go to `docs/evidence.md` and `docs/evidence.json`.

    python -m benchmarks.prove [--data PATH] [--only NAME ...] [--jobs N]

Two run at a time, and those that measure time or kill processes by themselves when the others are done.

Each proof is a command of its own that prints Markdown and fails by its exit status; day and commit are kept
with it, and `evidence` makes the page. With `--data` (or the variable DATA) the real data sets that stand
beside the project are measured too; without it they are left as they were. A proof that fails keeps its old
tables, and this command fails in the end.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import Any

from . import evidence
from .arguments import new_parser
from .evidence import DOCS

PROOFS = {
    "samples": ["benchmarks.samples"],
    "phrasings": ["benchmarks.phrasings", "--plain"],
    "report_phrasings": ["benchmarks.report_phrasings", "--plain"],
    "typed": ["benchmarks.typed"],
    "requests": ["benchmarks.train_request_kinds"],
    "documents": ["benchmarks.documents"],
    "loading": ["benchmarks.loading"],
    "designs": ["benchmarks.designs", "--page", str(DOCS / "designs.md")],
    "ideas": ["benchmarks.ideas", "--limit", "5"],
    "concurrency": ["benchmarks.concurrency", "--limit", "2"],
    "kills": ["benchmarks.kills", "--runs", "216"],
    "faults": ["benchmarks.faults"],
    "awkward": ["benchmarks.awkward"],
    "attacks": ["benchmarks.attacks"],
    "undefended": ["benchmarks.attacks", "--undefended", "--models", "offline:obeying"],
    "hostile": ["benchmarks.hostile"],
    "follow_ups": ["benchmarks.follow_ups"],
    "personas": ["benchmarks.personas"],
    "verifier": ["benchmarks.corruptions"],
    "citations": ["benchmarks.citation_corruptions"],
    "speed": ["benchmarks"],
}
ALONE = ("concurrency", "kills", "speed", "retrieval", "loading", "hostile")
ON_DATA = {
    "multihop": ["benchmarks.multihop", "--data", "{data}/2wiki"],
    "retrieval": ["benchmarks.retrieval", "--data", "{data}"],
    "wice": ["benchmarks.wice", "{data}/wice_dev", "--scifact", "{data}/scifact"],
    "contrasts": ["benchmarks.contrasts", "--data", "{data}"],
    "corruptions": [
        "benchmarks.corruptions",
        "--wice",
        "{data}/wice_dev",
        "--plot",
        str(DOCS / "claim_check.png"),
    ],
    "report_formats": ["benchmarks.report_formats", "--data", "{data}"],
}


def main() -> int:
    """Run the proofs and write the evidence."""
    parser = new_parser(__doc__)
    parser.add_argument("--data", default=os.environ.get("DATA"), help="folder with the real data sets")
    parser.add_argument(
        "--only", nargs="+", choices=[*PROOFS, *ON_DATA], help="leave the others as they were"
    )
    parser.add_argument("--jobs", type=int, default=2, help="how many at a time (default: %(default)s)")
    options = parser.parse_args()
    able = chosen(bool(options.data))
    if out := [name for name in options.only or () if name not in able]:
        parser.error(f"not {'with' if options.data else 'without'} real data: {', '.join(out)}")
    wanted = [name for name in able if not options.only or name in options.only]
    together = [name for name in wanted if name not in ALONE]
    failed = []
    for names, jobs in ((together, options.jobs), ([n for n in wanted if n in ALONE], 1)):
        with ThreadPoolExecutor(jobs) as pool:
            for done in as_completed([pool.submit(run, name, options.data) for name in names]):
                name, code, output = done.result()
                if code:
                    failed.append(name)
                    print(f"{name} failed ({code}):\n{output}", flush=True)
                else:
                    keep(name, output)
    print(f"failed: {', '.join(failed)}" if failed else "all proven")
    return 1 if failed else 0


def chosen(data: bool) -> list[str]:
    """The proofs in order; with real data the claim check is measured once, on both kinds of claims."""
    return [name for name in PROOFS if name != "verifier"] + [*ON_DATA] if data else [*PROOFS]


def run(name: str, data: str | None) -> tuple[str, int, str]:
    """Run one proof: its name, its exit status and what it printed."""
    command = [part.replace("{data}", str(data)) for part in {**PROOFS, **ON_DATA}[name]]
    print(f"{name}: python -m {' '.join(command)}", flush=True)
    begun = time.monotonic()
    done = subprocess.run([sys.executable, "-m", *command], stdout=subprocess.PIPE, text=True)
    print(f"{name}: {time.monotonic() - begun:.0f} s", flush=True)
    return name, done.returncode, done.stdout


def keep(name: str, output: str) -> None:
    """Replace one proof's part of the evidence."""
    known = evidence.read()
    known[name] = {
        "measured": evidence.measured_now(), "markdown": output.strip(), "tables": tables(output)
    }  # fmt: skip
    if name == "corruptions":  # holds the same and more
        known.pop("verifier", None)
    evidence.write({proof: known[proof] for proof in {**PROOFS, **ON_DATA} if proof in known})


def tables(markdown: str) -> list[list[dict[str, str]]]:
    """The Markdown tables of a text, each as a list of rows with the header's names."""
    found: list[list[dict[str, str]]] = []
    header: list[str] | None = None
    for line in markdown.splitlines():
        if not line.startswith("|"):
            header = None
            continue
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if header is None:
            header = cells
            found.append([])
        elif not all(set(cell) <= set("-:") for cell in cells):
            found[-1].append(dict[str, Any](zip(header, cells, strict=False)))
    return found


if __name__ == "__main__":
    sys.exit(main())
