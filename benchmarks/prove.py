"""All long proofs; the tables go to `docs/evidence.md` and `docs/evidence.json`.

    python -m benchmarks.prove [--data PATH] [--only NAME ...] [--jobs N]

Two run at a time, and those that measure time or kill processes by themselves when the others are done.

Each proof is a command of its own that prints Markdown and fails by its exit status. With `--data` (or the
variable DATA) the real data sets that stand beside the project are measured too; without it they are left as
they were. A proof that fails keeps its old tables, and this command fails in the end.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any

from .arguments import new_parser

DOCS = Path(__file__).resolve().parent.parent / "docs"
PROOFS = {
    "samples": ("Answers on the sample questions", ["benchmarks.samples"]),
    "phrasings": ("Answers to wordings that nobody prepared for", ["benchmarks.phrasings", "--plain"]),
    "typed": ("Questions as people type them", ["benchmarks.typed"]),
    "requests": ("Reports told from look-ups", ["benchmarks.train_request_kinds"]),
    "documents": ("Questions on real documents", ["benchmarks.documents"]),
    "loading": ("Loading real documents", ["benchmarks.loading"]),
    "designs": ("The designs under one budget", ["benchmarks.designs", "--page", str(DOCS / "designs.md")]),
    "ideas": ("What each idea of a design is worth", ["benchmarks.ideas", "--limit", "5"]),
    "concurrency": ("The same bytes at any concurrency", ["benchmarks.concurrency", "--limit", "2"]),
    "kills": ("Killed and resumed", ["benchmarks.kills"]),
    "faults": ("Runs on a wire that fails", ["benchmarks.faults"]),
    "awkward": ("Awkward output in each step", ["benchmarks.awkward"]),
    "attacks": ("Pages that give orders", ["benchmarks.attacks"]),
    "undefended": (
        "The same pages with the defences off",
        ["benchmarks.attacks", "--undefended", "--models", "offline:obeying"],
    ),
    "hostile": ("Hostile addresses, servers and documents", ["benchmarks.hostile"]),
    "follow_ups": ("What a follow-up is spared", ["benchmarks.follow_ups"]),
    "personas": ("What each persona makes of the same questions", ["benchmarks.personas"]),
    "verifier": ("What the claim check catches", ["benchmarks.corruptions"]),
    "citations": ("What citation verification catches", ["benchmarks.citation_corruptions"]),
    "speed": ("Speed, as ratios", ["benchmarks"]),
}
ALONE = ("concurrency", "kills", "speed", "retrieval", "loading", "hostile")
ON_DATA = {
    "multihop": ("Multi-hop questions over documents", ["benchmarks.multihop", "--data", "{data}/2wiki"]),
    "retrieval": ("Retrieval", ["benchmarks.retrieval", "--data", "{data}"]),
    "wice": (
        "Claims that people labelled",
        ["benchmarks.wice", "{data}/wice_dev", "--scifact", "{data}/scifact"],
    ),
    "contrasts": ("Sentences that differ in one point", ["benchmarks.contrasts", "--data", "{data}"]),
    "corruptions": (
        "What the claim check catches, real claims included",
        ["benchmarks.corruptions", "--wice", "{data}/wice_dev", "--plot", str(DOCS / "claim_check.png")],
    ),
    "report_formats": (
        "Markers and entries found in real reports",
        ["benchmarks.report_formats", "--data", "{data}"],
    ),
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
    command = [part.replace("{data}", str(data)) for part in {**PROOFS, **ON_DATA}[name][1]]
    print(f"{name}: python -m {' '.join(command)}", flush=True)
    begun = time.monotonic()
    done = subprocess.run([sys.executable, "-m", *command], stdout=subprocess.PIPE, text=True)
    print(f"{name}: {time.monotonic() - begun:.0f} s", flush=True)
    return name, done.returncode, done.stdout


def keep(name: str, output: str) -> None:
    """Replace one proof's part of the evidence."""
    DOCS.mkdir(exist_ok=True)
    path = DOCS / "evidence.json"
    evidence = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    evidence[name] = {"markdown": output.strip(), "tables": tables(output)}
    if name == "corruptions":  # holds the same and more
        evidence.pop("verifier", None)
    evidence = {proof: evidence[proof] for proof in {**PROOFS, **ON_DATA} if proof in evidence}
    path.write_text(json.dumps(evidence, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    titles = {proof: title for proof, (title, _) in {**PROOFS, **ON_DATA}.items()}
    parts = [f"# {titles[proof]}\n\n{part['markdown']}\n" for proof, part in evidence.items()]
    head = "Written by `make prove`; each part names what was measured and how.\n\n"
    (DOCS / "evidence.md").write_text(head + "\n".join(parts), encoding="utf-8")


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
