"""Charts in reports: a typed specification whose every number cites a source, and its table in the text.

A writer puts a fenced block `chart` with JSON into the draft and cites ids in it, as in its sentences. Code
turns each block into a picture's place and a table with a row for each point, so the text alone carries the
numbers. The rows are sentences like any other: citations are numbered, the verifier checks each number
against its source, and marks the row or takes it out. What the picture shows is read off the table in the
end (`chart_rows_settled`), so picture and text cannot differ. A block that cannot be read costs itself only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import AliasChoices, ConfigDict, Field, ValidationError, field_validator

from deep_research.core.records import Record, Removed, Source
from deep_research.core.words import phrases
from deep_research.engine.context import Context
from deep_research.engine.store import digest
from deep_research.engine.structured import objects_in
from deep_research.sources.citations import plain_line
from deep_research.sources.ledger import by_any_id
from deep_research.text.cited_sentences import DOUBT_MARK
from deep_research.text.fence import without_ids
from deep_research.text.language import shorten
from deep_research.text.source_ids import SOURCE_ID

Amount = Literal["none", "some", "many"]
MOST_CHARTS = {"none": 0, "some": 2, "many": 12}
"""Pictures of one report; a further chart is a table alone."""
CHART_FOLDER = "charts"
_BLOCK = re.compile(
    r"^```chart\b[^\n]*(?:\n|\Z)(?:(?P<closed>(?:(?!```)[^\n]*\n)*)```[ \t]*$"
    r"|(?P<open>(?:(?!```)[^\n]*\S[^\n]*(?:\n|\Z))*))",
    re.MULTILINE,
)
"""A block up to its closing line; one that is never closed ends with its paragraph, so no text is lost."""
_PICTURE = re.compile(
    rf"^!\[(?P<title>[^\n]*)\]\({CHART_FOLDER}/(?P<name>chart-[0-9a-f]{{8}})\.svg\)\n", re.MULTILINE
)
_WORDS = phrases("reports.charts")


class Point(Record):
    """One number of a chart. `flagged` is what the verifier says of its row."""

    model_config = ConfigDict(extra="ignore")

    label: str = Field(min_length=1, validation_alias=AliasChoices("label", "x", "name", "category"))
    value: float = Field(allow_inf_nan=False, validation_alias=AliasChoices("value", "y", "number"))
    sources: list[str] = Field(
        min_length=1, validation_alias=AliasChoices("sources", "source", "source_ids", "cites")
    )
    flagged: bool = False

    @field_validator("label", mode="before")
    @classmethod
    def _as_text(cls, value: Any) -> Any:
        return str(value) if isinstance(value, int | float) else value

    @field_validator("value", mode="before")
    @classmethod
    def _as_number(cls, value: Any) -> Any:
        return re.sub(r"[,\s]", "", value) if isinstance(value, str) else value

    @field_validator("sources", mode="before")
    @classmethod
    def _as_ids(cls, value: Any) -> Any:
        texts = value if isinstance(value, list) else [value]
        return list(dict.fromkeys(re.findall(SOURCE_ID, " ".join(map(str, texts)))))


class Series(Record):
    """Points that belong together: one colour in the picture."""

    name: str = ""
    points: list[Point]


class Chart(Record):
    """A chart of a report. `name` is its file's name in the run's folder `charts`."""

    name: str
    kind: Literal["bar", "line"] = "bar"
    title: str = ""
    unit: str = ""
    series: list[Series]

    @property
    def points(self) -> list[Point]:
        """All points, series by series."""
        return [point for series in self.series for point in series.points]


@dataclass
class Placed:
    """A draft with tables in place of its blocks, the charts, what was taken out, how many are missing."""

    markdown: str
    charts: list[Chart] = field(default_factory=list)
    removed: list[Removed] = field(default_factory=list)
    missing: int = 0


def place_charts(draft: str, sources: Sequence[Source], ctx: Context) -> Placed:
    """Replace the chart blocks of a draft that cites ids by pictures and tables that cite ids.

    A point without a known source is taken out, for nothing could bear it out. A chart with one point left,
    or one more than the settings allow, becomes a table alone; one that cannot be read at all is missing.
    """
    placed = Placed(draft)
    known = by_any_id(sources)

    def replaced(match: re.Match[str]) -> str:
        chart = read_chart(match["closed"] or match["open"] or "", known, placed.removed)
        if chart is None or not chart.points:
            placed.missing += 1
            return ""
        drawn = len(chart.points) > 1 and len(placed.charts) < MOST_CHARTS[ctx.settings.output.charts]
        if drawn:
            placed.charts.append(chart)
        return block_of(chart, ctx, picture=drawn)

    placed.markdown = _BLOCK.sub(replaced, draft)
    return placed


def read_chart(text: str, known: Mapping[str, Source], removed: list[Removed]) -> Chart | None:
    """The chart of a block, with what is wrong left out and noted in `removed`; None if it holds none."""
    raw: dict[str, Any] = next(iter(objects_in(text)), {})
    listed = raw.get("series") or [{"points": raw.get("points")}]
    if not isinstance(listed, list):
        return None
    series = [_series(one, known, removed) for one in listed if isinstance(one, dict)]
    title, unit = (_line(str(raw.get(key) or "")) for key in ("title", "unit"))
    return Chart(
        name=f"chart-{digest(text)[:8]}",
        kind="line" if raw.get("kind") == "line" else "bar",
        title=title,
        unit=shorten(unit, 40),
        series=[one for one in series if one.points],
    )


def _series(raw: dict[str, Any], known: Mapping[str, Source], removed: list[Removed]) -> Series:
    points = raw.get("points")
    read = [_point(one, known, removed) for one in points] if isinstance(points, list) else []
    return Series(name=_line(str(raw.get("name") or "")), points=[point for point in read if point])


def _point(raw: Any, known: Mapping[str, Source], removed: list[Removed]) -> Point | None:
    """A point with a number and at least one source that was retrieved."""
    try:
        point = Point.model_validate(raw)
    except ValidationError as error:
        wrong = ".".join(str(part) for part in error.errors()[0]["loc"])
        removed.append(Removed(number="", reason=f"chart_point: {wrong or 'no object'}"))
        return None
    unknown = [name for name in point.sources if name not in known]
    removed += [Removed(number=name, reason="id_not_in_ledger") for name in unknown]
    point.sources = list(dict.fromkeys(known[name].id for name in point.sources if name in known))
    point.label = _line(point.label)
    return point if point.sources and point.label else None


def _line(text: str) -> str:
    return shorten(without_ids(text).replace("[", "(").replace("]", ")"), 120)


def block_of(chart: Chart, ctx: Context, *, picture: bool) -> str:
    """The chart in Markdown: its picture (or its title), and the table with a citation in each row."""
    words, several = _WORDS[ctx.language], len(chart.series) > 1
    title = plain_line(chart.title or words["title"])
    head = f"![{title}]({CHART_FOLDER}/{chart.name}.svg)" if picture else f"**{title}**"
    value = words["value"] if several else _cell(chart.series[0].name) or words["value"]
    columns = [words["item"], *([words["series"]] if several else []), value]
    rows = [
        f"{row_head(chart, series, point)} {''.join(f'[{i}]' for i in point.sources)} |"
        for series in chart.series
        for point in series.points
    ]
    table = [f"| {' | '.join(columns)} |", "|" + "---|" * len(columns), *rows]
    return "\n".join([head, "", *table]) + "\n"


def row_head(chart: Chart, series: Series, point: Point) -> str:
    """The row of a point up to its citation."""
    middle = f" {_cell(series.name)} |" if len(chart.series) > 1 else ""
    return f"| {_cell(point.label)} |{middle} {format_number(point.value)} {_cell(chart.unit)}".rstrip()


def format_number(value: float) -> str:
    """A number with thousands separated, whole where it is whole."""
    return f"{int(value) if value.is_integer() else value:,}"


def _cell(text: str) -> str:
    return plain_line(text).replace("|", "\\|")


def chart_rows_settled(markdown: str, charts: Sequence[Chart]) -> tuple[str, list[Chart]]:
    """The finished report, and the charts with the points whose rows still stand in it, marked ones flagged.

    A picture that has fewer than two points left gives way to its title, or goes with its last row.
    """
    by_name, settled = {chart.name: chart for chart in charts}, list[Chart]()

    def checked(match: re.Match[str]) -> str:
        rows = list(_rows_after(markdown, match.end()))
        chart = by_name.get(match["name"])
        left = _with_rows(chart, rows) if chart else None
        if left and len(left.points) > 1:
            settled.append(left)
            return match[0]
        return f"**{match['title']}**\n" if rows else ""

    return _PICTURE.sub(checked, markdown), settled


def _rows_after(markdown: str, start: int) -> Iterator[str]:
    """The rows of the table that follows a place directly, without its header."""
    lines = markdown[start:].lstrip("\n").splitlines()
    for number, line in enumerate(lines):
        if not line.startswith("|"):
            return
        if number > 1:
            yield line


def _with_rows(chart: Chart, rows: Sequence[str]) -> Chart:
    """The chart with those points that have a row."""
    kept = []
    for series in chart.series:
        points = []
        for point in series.points:
            row = next((row for row in rows if row.startswith(row_head(chart, series, point) + " [")), None)
            if row:
                points.append(point.model_copy(update={"flagged": DOUBT_MARK in row}))
        if points:
            kept.append(series.model_copy(update={"points": points}))
    return chart.model_copy(update={"series": kept})
