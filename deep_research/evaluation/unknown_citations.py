"""Unknown citations: markers that lead to nothing that was retrieved.

Counted are the ids that code took out because no source has them, ids that are still there unrendered, and
numbers without an entry in the source list. The last two would be a defect of the renderer, so any figure
but 0 in a rendered report means a model that cites what it never saw.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..ledger import ID
from ..text import CODE

if TYPE_CHECKING:
    from ..report import Report

_MARKER = re.compile(rf"\[({ID}|\d+)\](?!\()")


def unknown_citations(report: Report) -> int:
    """How many citations of a report are unknown, from 0 up; an empty report has none."""
    known = {str(source.number) for source in report.cited}
    shown = _MARKER.findall(CODE.sub("", report.markdown))
    return len(report.removed) + sum(marker not in known for marker in shown)
