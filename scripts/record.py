"""Make the recordings of the small real model again (`make record`): the same questions, new answers.

    python scripts/record.py [RECORDING ...]      (default: every recording that the project ships)

A file that is not there yet is made from its name, a system and a kind of question, such as
`topic_queue_comparison.json`. Where prompts are as they were and only what code makes of the answers has
changed, no model is needed: `UPDATE_SNAPSHOTS=1 pytest tests/runs/test_shipped_recordings.py`.
"""

from __future__ import annotations

import sys
from pathlib import Path

from deep_research import research
from deep_research.runs.recording import read_recording
from deep_research.settings import Settings, load_settings
from deep_research_offline.web import build_web

SHIPPED = Path(__file__).resolve().parent.parent / "deep_research_offline" / "recordings"
QUESTIONS = {
    "single_fact": "single_fact-01",
    "comparison": "comparison-01",
    "unanswerable": "unanswerable-03",
}
"""The invented web's question of each kind."""


def main() -> None:
    for path in map(Path, sys.argv[1:] or sorted(map(str, SHIPPED.glob("*.json")))):
        question, settings = asked_in(path) if path.exists() else asked_by(path.stem)
        report = research(question, settings=settings, record=path, keep=False)
        print(f"{path.name}: {report.summary()}", flush=True)


def asked_in(path: Path) -> tuple[str, Settings]:
    """What a recording asks, of the model on this machine."""
    request = read_recording(path).request()
    return request.question, request.settings.model_copy(update={"models": {"model": "local"}})


def asked_by(name: str) -> tuple[str, Settings]:
    """What a recording of this name is to ask."""
    kind = next(kind for kind in QUESTIONS if name.endswith(kind))
    question = next(one.text for one in build_web().questions if one.id == QUESTIONS[kind])
    chosen = {"system": name.removesuffix(f"_{kind}"), "preset": "small", "models.model": "local"}
    return question, load_settings({**chosen, "search.providers": ["offline"]})


if __name__ == "__main__":
    main()
