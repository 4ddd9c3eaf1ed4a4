"""`fork` as a command."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Command

QUESTION = "How long is the airship Solvang Gull?"
SHORT = ("--set", "limits.max_researcher_iterations=1", "--yes", "--quiet")


def test_a_fork_is_a_run_of_its_own_that_pays_for_what_is_new_only(command: Command, tmp_path: Path) -> None:
    out = ("--out", str(tmp_path))
    first = json.loads(command("ask", QUESTION, *SHORT, *out, "--json").out)
    again = json.loads(command("fork", first["run_id"], "--at", "writer", *out, "--json").out)
    assert again["run_id"] != first["run_id"] and again["report"] == first["report"]
    assert (again["usage"]["model_calls"], again["usage"]["searches"]) == (1, 0)
    refused = command("fork", first["run_id"], "--at", "painter", *out)
    assert refused.status == 2 and "no step 'painter'" in refused.err
