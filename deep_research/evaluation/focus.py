"""Focus: how much of a report is on its matter?

A citation is on the matter when its page is one of the question's own, or says anything of one of its gold
facts: the right value, an older one or a wrong one. Coverage alone rewards a report that tells all there is;
this is what it pays for it.
"""

from __future__ import annotations

from deep_research.report import Report
from deep_research_offline.web.types import Question

from .citation_precision import segments
from .truth import GroundTruth


def focus(question: Question, report: Report, truth: GroundTruth) -> float | None:
    """Share of the citations in a report on a report question that are on its matter, from 0 to 1; None for
    look-ups, and for a report that cites nothing."""
    cited = [number for segment in segments(report.markdown) for number in segment.cites]
    if not question.aspects or not cited:
        return None
    gold = truth.gold(question.facts)
    told = {url for fact in gold for url in (*fact.pages, *fact.stale_pages, *fact.wrong_pages)}
    on = [truth.page(url) for url in (*question.pages, *told)]
    return sum(truth.cited_page(report, number) in on for number in cited) / len(cited)
