"""The page on the evidence: written from the data alone, with a guide, a day and a commit at every part."""

from __future__ import annotations

import re
import tomllib

import pytest

from benchmarks import evidence, prove

PAGE = (evidence.DOCS / "evidence.md").read_text(encoding="utf-8")
KNOWN = evidence.read()
GUIDE, _, _ = PAGE.partition("\n# Answers")


def test_the_page_is_what_the_data_makes_of_it() -> None:
    assert evidence.page(KNOWN) == PAGE


def test_the_guide_fits_a_screen_and_names_good_and_bad_figures_side_by_side() -> None:
    assert len(GUIDE.splitlines()) < 50 and "no language model" in GUIDE
    rows = [line.split("|")[1:-1] for line in GUIDE.splitlines() if line.startswith("| ")][2:]
    assert len(rows) >= 10 and all(cell.strip() for row in rows for cell in row)
    assert sum(bool(re.search(r"\d", row[2])) for row in rows) >= 10


def test_every_link_of_the_guide_leads_to_a_part() -> None:
    headings = re.findall(r"^# (.+)$", PAGE, re.MULTILINE)
    anchors = {re.sub(r"[^a-z0-9 -]", "", one.lower()).replace(" ", "-") for one in headings}
    assert {*re.findall(r"\(#([^)]+)\)", GUIDE)} <= anchors


def test_every_part_says_when_it_was_measured_and_what_was_kept_aside() -> None:
    titles = tomllib.loads((prove.DOCS.parent / "benchmarks/data/evidence.toml").read_text("utf-8"))[
        "sections"
    ]
    assert {*titles} == {*prove.PROOFS, *prove.ON_DATA}
    for name in KNOWN:
        below = PAGE.split(f"# {titles[name]['title']}\n\n")[1]
        assert re.match(r"\*(?:Measured|Figures last changed) on \d{4}-\d\d-\d\d, commit \w+", below)


@pytest.mark.parametrize("name", ["designs", "ideas"])
def test_tables_on_designs_say_that_they_measure_a_stand_in_and_what_that_cannot_show(name: str) -> None:
    below = next(part for part in PAGE.split("\n# ") if KNOWN[name]["markdown"] in part)
    assert "Extractive stand-in" in below and "nothing of" in below and "with a language model" in below


def test_a_new_measurement_keeps_its_day_and_commit(monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[evidence.Evidence] = []
    monkeypatch.setattr(evidence, "write", kept.append)
    monkeypatch.setattr(evidence, "measured_now", lambda: {"date": "2041-03-02", "commit": "abc1234"})
    prove.keep("typed", "| questions | n |\n| --- | ---: |\n| all | 3 |\n")
    assert kept[0]["typed"]["measured"] == {"date": "2041-03-02", "commit": "abc1234"}
    assert kept[0]["typed"]["tables"] == [[{"questions": "all", "n": "3"}]]
    assert [name for name in kept[0] if name != "typed"] == [name for name in KNOWN if name != "typed"]


def test_a_figure_that_no_table_has_is_an_error() -> None:
    with pytest.raises(LookupError, match="no table"):
        evidence.figure("typed|nobody|right", KNOWN)
