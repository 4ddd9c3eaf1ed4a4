"""What the claim check catches, and what it flags by mistake: right claims, made wrong by code.

    python -m benchmarks.corruptions [--wice DATA] [--plot docs/claim_check.png] [--seed N]

One row per set of right claims (`clean_claims.py`) and kind of corruption (`corrupting.py`): how many, and
the share that is flagged. For the right claims themselves that share is false alarms. The plot draws one
against the other while the threshold on the score moves; objections (a number, a name ...) flag at any
threshold, so each line starts at the false alarms that they alone cause.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from pathlib import Path

from deep_research.components.verifier.claims import ClaimCheck, check_claim

from .arguments import new_parser
from .clean_claims import SEEDS, Case, paraphrased, quoted, verbatim, wice
from .corrupting import CORRUPTIONS

Checks = Mapping[str, Sequence[ClaimCheck]]
CLEAN = "none (false alarms)"


def main() -> None:
    """Print the table as Markdown, and draw the plot if asked."""
    parser = new_parser(__doc__)
    parser.add_argument("--wice", type=Path, help="folder with WiCE's claims.jsonl")
    parser.add_argument("--plot", type=Path, help="PNG to draw")
    parser.add_argument("--seed", type=int, default=0, help="of the choices that corruptions make")
    arguments = parser.parse_args()
    results: dict[str, Checks] = {}
    print("| right claims | corruption | n | flagged |\n|---|---|---|---|")
    for name, cases in clean_sets(arguments.wice).items():
        results[name] = checks(cases, arguments.seed)
        show(name, results[name])
    if arguments.wice:
        results["paraphrased, both"] = both(results)
        show("paraphrased, both", results["paraphrased, both"])
    if arguments.plot:
        draw(results, arguments.plot)


def show(name: str, found: Checks) -> None:
    """Print the rows of one set."""
    for corruption, results in found.items():
        print(f"| {name} | {corruption} | {len(results)} | {flagged(results):.1%} |", flush=True)


def both(results: Mapping[str, Checks]) -> Checks:
    """All paraphrased claims as one set."""
    sets = [found for name, found in results.items() if name.startswith("paraphrased")]
    kinds = dict.fromkeys(kind for found in sets for kind in found)
    return {kind: [check for found in sets for check in found.get(kind, ())] for kind in kinds}


def clean_sets(data: Path | None) -> dict[str, list[Case]]:
    """The sets of right claims by name; sentences by which a report connects quotes stand apart."""
    cited = verbatim()
    sets = {
        "verbatim": [case for case in cited if quoted(case)],
        "connecting": [case for case in cited if not quoted(case)],
        f"paraphrased, mini-web, seeds {SEEDS[0]}-{SEEDS[-1]}": paraphrased(),
    }
    return sets | ({"paraphrased, WiCE": wice(data / "claims.jsonl")} if data else {})


def checks(cases: Sequence[Case], seed: int) -> Checks:
    """The checks of the right claims and of each corruption that applies to any of them."""
    found = {CLEAN: [check_claim(case.claim, case.sources) for case in cases]}
    for name, corrupt in CORRUPTIONS.items():
        rng = random.Random(f"{seed} {name}")
        wrong = [case for right in cases if (case := corrupt(right, rng))]
        if wrong:
            found[name] = [check_claim(case.claim, case.sources) for case in wrong]
    return found


def flagged(found: Sequence[ClaimCheck], threshold: float | None = None) -> float:
    """The share that is flagged; with a threshold, by objections or a score below it."""
    if threshold is None:
        return sum(check.verdict != "evidence_found" for check in found) / len(found)
    return sum(bool(set(check.reasons) - {"not_found"}) or check.score < threshold for check in found) / len(
        found
    )


def draw(results: Mapping[str, Checks], path: Path) -> None:
    """Recall against false alarms, one panel per set of paraphrased claims, one line per corruption."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    shown = {name: checks for name, checks in results.items() if name.startswith("paraphrased")}
    figure, panels = pyplot.subplots(1, len(shown), figsize=(4.6 * len(shown), 3.8), squeeze=False)
    thresholds = [step / 50 for step in range(51)]
    for panel, (name, found) in zip(panels[0], shown.items(), strict=True):
        alarms = [flagged(found[CLEAN], threshold) for threshold in thresholds]
        for corruption in ("wrong source", "changed number", "flipped negation", "swapped names"):
            recall = [flagged(found[corruption], threshold) for threshold in thresholds]
            panel.plot(alarms, recall, label=corruption)
        panel.axvline(0.1, color="grey", linewidth=0.8, linestyle=":")
        panel.set(title=name, xlabel="false alarms", xlim=(0, 0.5), ylim=(0, 1.02))
    panels[0][0].set_ylabel("recall")
    panels[0][-1].legend(loc="lower right", fontsize=8)
    figure.tight_layout()
    figure.savefig(path, dpi=80, metadata={"Software": None})


if __name__ == "__main__":
    main()
