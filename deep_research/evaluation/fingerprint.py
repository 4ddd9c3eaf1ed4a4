"""Same question, same bytes: the promise, put as one number that can be compared."""

from __future__ import annotations

import hashlib
import json

from deep_research.report import Report

PROMISED = ("report", "sources", "claims", "removed", "gaps")


def fingerprint(report: Report) -> str:
    """SHA-256 of what is promised to be byte-identical: text, sources, claims, removals and gaps."""
    data = report.to_json()
    text = json.dumps([data[name] for name in PROMISED], ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()
