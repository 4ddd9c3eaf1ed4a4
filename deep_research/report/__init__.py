"""The report of a run: what was asked, what was found, on what it rests, and what it cost."""

from __future__ import annotations

import html
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from deep_research.core.errors import UsageError
from deep_research.core.extras import is_installed
from deep_research.core.records import (
    CitedSource,
    Claim,
    Conflict,
    Ended,
    Gap,
    Record,
    Removed,
    RoleUsage,
    Status,
    Usage,
)
from deep_research.engine.store import NOT_PAID, CallRow
from deep_research.engine.trace import SECONDS_PER_CALL, NodeVisit, TraceLine, schedule, sent_by_first
from deep_research.settings import Settings
from deep_research.text.language import counted

from .chart_picture import picture
from .charts import CHART_FOLDER, Chart
from .html_page import as_page, markdown_to_html

LoopName = Literal["run", "branch"]
EXIT_STATUS = {"complete": 0, "partial": 0, "failed": 1, "no_evidence": 3, "needs_input": 4, "rejected": 5}
UNENDED = ("failed", "needs_input")
"""What a run is whose graph did not come to its end."""


class Report(Record):
    """The result of one run; every field is plain data."""

    run_id: str
    question: str
    system: str
    status: Status
    markdown: str = ""
    charts: list[Chart] = Field(default_factory=list)
    sources: list[CitedSource] = Field(default_factory=list)
    claims: list[Claim] = Field(default_factory=list)
    removed: list[Removed] = Field(default_factory=list)
    conflicts: list[Conflict] = Field(default_factory=list)
    gaps: list[Gap] = Field(default_factory=list)
    errors: list[str] = Field(default_factory=list)
    usage: Usage = Field(default_factory=Usage)
    settings: Settings = Field(default_factory=Settings)
    trace: list[TraceLine] = Field(default_factory=list)
    files: dict[str, str] = Field(
        default_factory=dict, description="What the system keeps besides, by path; written to the run folder."
    )
    ended: dict[LoopName, dict[Ended, int]] = Field(
        default_factory=dict,
        description="Why loops ended: the design's own, and its researchers'.",
    )
    path: list[NodeVisit] = Field(default_factory=list, description="The nodes of the graph that ran.")
    asked: str = Field("", description="The question that a run with status needs_input waits for.")

    def to_json(self) -> dict[str, Any]:
        """The object that `ask --json` prints."""
        data = self.model_dump(mode="json", exclude={"settings", "trace", "path", "markdown"})
        return {
            **{k: data[k] for k in ("run_id", "question", "system", "status")},
            "report": self.markdown,
            **data,
        }

    @property
    def exit_status(self) -> int:
        """What the command line exits with."""
        return EXIT_STATUS[self.status]

    @property
    def cited(self) -> list[CitedSource]:
        """The sources that the report cites, by number."""
        return [source for source in self.sources if source.number is not None]

    def __repr__(self) -> str:
        return f"Report({self.summary()})"

    __str__ = __repr__

    def summary(self) -> str:
        """One line: status, sources, calls and tokens."""
        used = self.usage
        counts = f"{len(self.cited)} of {len(self.sources)} sources cited"
        cost = f", ${used.cost_usd:.4f}" if used.cost_usd else ""
        calls = f"{counted(used.model_calls, 'model call')}, {counted(used.searches, 'search', 'searches')}"
        return f"{self.status}: {counts}, {calls}, {used.input_tokens + used.output_tokens:,} tokens{cost}"

    def to_html(self) -> str:
        """The report as a small piece of HTML whose citations lead to the source list."""
        body = markdown_to_html(self.markdown, self.cited, self.claims, self.pictures())
        return f'<article class="deep-research">{body}</article>'

    def to_page(self) -> str:
        """The same as an HTML file of its own, which loads nothing from anywhere."""
        return as_page(self.to_html(), title=self.question)

    def pictures(self) -> dict[str, bytes]:
        """The charts as SVG files, by the path in the Markdown; none where matplotlib is not installed."""
        drawn = self.charts if is_installed("matplotlib") else []
        return {f"{CHART_FOLDER}/{chart.name}.svg": picture(chart) for chart in drawn}

    def _repr_html_(self) -> str:
        return self.to_html() + f"<p><small>{html.escape(self.summary())}</small></p>"

    def export(self, path: str | Path) -> Path:
        """Write the report to a file; its ending chooses the format: md, html or json.

        HTML holds its charts; those of Markdown are written beside it, in a folder `charts`.
        """
        target = Path(path)
        writers = {
            ".md": lambda: self.markdown,
            ".html": self.to_page,
            ".json": lambda: json.dumps(self.to_json(), ensure_ascii=False, indent=1) + "\n",
        }
        if target.suffix not in writers:
            raise UsageError(
                f"Cannot export to '{target.suffix or target.name}'.", "Use .md, .html or .json."
            )
        target.write_text(writers[target.suffix](), encoding="utf-8", errors="surrogatepass")
        for path, svg in self.pictures().items() if target.suffix == ".md" else ():
            file = target.parent / path
            file.parent.mkdir(exist_ok=True)
            file.write_bytes(svg)
        return target


def usage_of(rows: Iterable[CallRow], simulated: bool) -> Usage:
    """What the calls of a log spent; what another branch or an earlier run has paid for is not counted.

    A call that failed for good was sent too: it counts, with its time, though nobody knows its tokens.
    `seconds` adds up the time inside calls; with a simulated clock each call counts 0.2 s.
    """
    usage = Usage()
    for row in rows:
        if row.status in NOT_PAID:
            continue
        spent = RoleUsage(
            model_calls=int(row.kind == "model"), searches=int(row.kind == "search"),
            input_tokens=row.input_tokens, output_tokens=row.output_tokens, cost_usd=row.cost,
            seconds=SECONDS_PER_CALL if simulated else round(row.end - row.start, 6),
        )  # fmt: skip
        usage.charge(row.role, spent)
    usage.by_role = dict(sorted(usage.by_role.items()))
    return usage


def trace_of(
    rows: Iterable[CallRow], simulated: bool, concurrency: int, workers: int | None = None
) -> list[TraceLine]:
    """The call log as a trace, ordered by start and id, so that scheduling does not show in it.

    With a simulated clock calls take 0.2 s each, and as many branches run as there are workers.
    """
    lines = [
        TraceLine(
            id=row.id, after=row.after, kind=row.kind, role=row.role, branch=row.branch, start=row.start,
            end=row.end, request_hash=row.request_hash, model=row.model,
            tokens=row.input_tokens + row.output_tokens, cost=row.cost, status=row.status,
            input_tokens=row.input_tokens, topic=row.topic, about=subject_of_call(row),
        )
        for row in rows
    ]  # fmt: skip
    if simulated:
        lines = sent_by_first(lines, workers)
        times = schedule(lines, concurrency)
        for line in lines:
            line.start, line.end = times.get(line.id, (0.0, 0.0))
    return sorted(lines, key=lambda line: (line.start, line.id))


def subject_of_call(row: CallRow) -> str:
    """What a call to a tool was about: a search's query, a page's address."""
    if row.kind == "model" or not isinstance(row.request, dict):
        return ""
    return next((str(row.request[key]) for key in ("query", "link", "read") if row.request.get(key)), "")
