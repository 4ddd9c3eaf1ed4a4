"""Independent origins: how many voices does a report rest on? Copies of one story are one."""

from __future__ import annotations

from deep_research.report import Report

from .truth import GroundTruth


def independent_origins(report: Report, truth: GroundTruth) -> int:
    """The number of different origins among the pages that the report cites."""
    return len({truth.origin(source.url) for source in report.cited if source.url})
