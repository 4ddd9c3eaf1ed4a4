"""Every promise has a test named after it, but for those that ROWS.toml lists as missing."""

import runpy
from collections import Counter
from pathlib import Path

ROWS = runpy.run_path(str(Path(__file__).resolve().parents[2] / "scripts" / "rows.py"))


def test_must1_every_row_has_its_named_test_but_for_those_listed_as_missing():
    rows, excused = ROWS["promises"]()
    assert len(rows) == 21 + 13 + 1 + 9 + 12 + 16 + 18 + 13
    assert ROWS["faults"](rows, excused, ROWS["counted"](rows)) == []


def test_a_row_without_a_test_and_a_needless_excuse_are_both_told():
    rows = {"g1": "nodes", "g2": "topic", "o11": "search", "o11_native": "native search"}
    tests = Counter(row for name in ("test_g1_a", "test_o11_native_b") for row in ROWS["rows_of"](name, rows))
    assert tests == {"g1": 1, "o11": 1, "o11_native": 1}
    told = ROWS["faults"](rows, {"g1": "later"}, tests)
    assert told == ["g2 has no test", "g1 has a test: take it off the list of missing rows"]
    assert ROWS["rows_of"]("test_g1_g2_both", rows) == ["g1", "g2"]
