"""The compressor's quotes: what stands in a report where no model has written a finding."""

from __future__ import annotations

from types import SimpleNamespace

from deep_research.components.compressor import quote_sources, with_readable_quotes
from deep_research.core.records import Source


def test_a_quote_is_shown_without_headings_and_a_row_with_its_columns() -> None:
    snippet = (
        "*By Ada Moe*\nBoat | Stops | Length\nGull | 58 stops | 17 m\nElk | 40 stops | 33 m\nCrew\n"
        "The Gull has a cat.\nFounded: 1995\nOwl | 3 stops | 9 m\nSee also\nGull Harbour"
    )
    page = Source(id="S1.1", url="https://gull.example", title="Timetable", snippet=snippet)
    (line,) = quote_sources([page], SimpleNamespace()).splitlines()
    assert "Boat | Stops | Length Gull | 58 stops" in line  # as models are given it
    shown = with_readable_quotes(f"# Boats\n\n{line}", [page])
    assert shown == (
        "# Boats\n\n- Timetable: Gull; stops: 58 stops; length: 17 m. Elk; stops: 40 stops; length: 33 m. "
        "The Gull has a cat. Founded: 1995. Owl: 3 stops, 9 m. [S1.1]"
    )
