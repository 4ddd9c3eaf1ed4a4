"""Unknown citations: markers that lead to nothing that was retrieved.

Counted are the ids that code took out because no source has them, ids that are still there unrendered, and
numbers without an entry in the source list. The last two would be a defect of the renderer, so any figure
but 0 in a rendered report means a model that cites what it never saw. Numbers and lists that a model wrote
of its own accord are another fault, and not counted here.
"""

from __future__ import annotations

import re

from deep_research.report import Report
from deep_research.sources.citations import NUMBER_CITATION
from deep_research.text.language import CODE
from deep_research.text.source_ids import SOURCE_ID

_UNRENDERED = re.compile(rf"\[{SOURCE_ID}\](?!\()")


def unknown_citations(report: Report) -> int:
    """How many citations of a report are unknown, from 0 up; an empty report has none."""
    known = {str(source.number) for source in report.cited}
    shown = CODE.sub("", report.markdown)
    taken_out = sum(removed.reason == "id_not_in_ledger" for removed in report.removed)
    dangling = sum(number not in known for number in NUMBER_CITATION.findall(shown))
    return taken_out + dangling + len(_UNRENDERED.findall(shown))
