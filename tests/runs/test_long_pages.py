"""Of a long page the part is read that a search finds: a fact is found wherever in a book it stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from deep_research import research
from deep_research.text.passages import best_part

FILLER = "The people of the village went to the river in the morning and came home in the evening.\n\n" * 800


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """A folder with a text of which the two facts lie far apart, and far behind what is read at most."""
    told = ("The tower of Zorbel is 42 metres high.\n\n", "The Keldra mine is 910 metres deep.\n\n", "")
    (tmp_path / "book.txt").write_text("".join(FILLER + fact for fact in told))
    return tmp_path


@pytest.mark.parametrize("preset", ["medium", "small"])
def test_a_fact_in_the_middle_of_a_book_is_found(book: Path, preset: str, tmp_path: Path) -> None:
    report = research("How high is the tower of Zorbel?", docs=book, preset=preset, out=tmp_path / "runs")
    assert report.status == "complete"
    assert "42 metres high. [1]" in report.markdown
    assert "characters left out: book" in report.markdown


def test_parts_of_a_page_that_two_searches_found_are_one_source(book: Path, tmp_path: Path) -> None:
    asked = "How high is the tower of Zorbel, and how deep is the Keldra mine?"
    report = research(asked, docs=book, out=tmp_path / "runs")
    assert [source.citation_key for source in report.sources] == ["book.txt"]
    assert {claim.verdict for claim in report.claims} == {"evidence_found"}
    assert "42 metres high. [1]" in report.markdown and "910 metres deep. [1]" in report.markdown
    kept = (tmp_path / "runs" / report.run_id / "pages" / f"{report.sources[0].content_hash}.txt").read_text()
    assert "42 metres" in kept and "910 metres" in kept


def test_best_part_is_the_beginning_unless_what_is_asked_stands_behind() -> None:
    text = "Keel one. " + "word " * 1_000 + "The tarn has a rare hull. " + "word " * 1_000
    assert best_part(text, ["keel"], 200) == best_part(text, ["absent"], 200) == text[:200]
    assert best_part(text, ["rare", "hull"], 3_000).startswith("word")
    assert "The tarn has a rare hull." in best_part(text, ["rare", "hull", "word"], 3_000)
    assert best_part(text, [], len(text)) == text
    assert best_part("", ["x"], 5) == ""
