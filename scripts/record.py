"""Make the recordings of the small real model again (`make record`): the same questions, new answers.

    python scripts/record.py [RECORDING ...]      (default: every recording that the project ships)

One more: `deep-research ask "…" --model local --search offline --preset small --record
deep_research_offline/recordings/NAME.json`. Where prompts are as they were and only what code makes of the
answers has changed, no model is needed: `UPDATE_SNAPSHOTS=1 pytest tests/runs/test_shipped_recordings.py`.
"""

from __future__ import annotations

import sys
from pathlib import Path

from deep_research import research
from deep_research.runs.recording import read_recording

SHIPPED = Path(__file__).resolve().parent.parent / "deep_research_offline" / "recordings"


def main() -> None:
    for path in map(Path, sys.argv[1:] or sorted(map(str, SHIPPED.glob("*.json")))):
        request = read_recording(path).request()
        settings = request.settings.model_copy(update={"models": {"model": "local"}})
        report = research(request.question, settings=settings, record=path, keep=False)
        print(f"{path.name}: {report.summary()}", flush=True)


if __name__ == "__main__":
    main()
