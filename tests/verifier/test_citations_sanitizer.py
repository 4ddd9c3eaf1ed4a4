"""Row v8: what no reader should follow or see is taken out and counted, by `sanitize` alone too."""

from __future__ import annotations

import pytest

from deep_research.verification.citations import verify_citations
from deep_research.verification.sanitizer import load_rules, sanitize


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        ("See [the page](https://bit.ly/abc).", "See the page.", "shorteners"),
        ("See https://www.tinyurl.com/x here.", "See here.", "shorteners"),
        ("See (https://a.example/long...).", "See.", "truncated_urls"),
        ("See http://192.168.0.1/x, http://[::1]/ or so.", "See, http://[::1]/ or so.", "ip_hosts"),
        ("See http://2130706433/x there.", "See there.", "ip_hosts"),
        ("See [this](javascript:alert(1)).", "See this.", "other_schemes"),
        ("See [`f(x)`](https://bit.ly/abc 'title') there.", "See `f(x)` there.", "shorteners"),
        ('See <a href="https://bit.ly/a">the page</a>.', "See the page.", "shorteners"),
        ("See file:///etc/passwd there.", "See there.", "other_schemes"),
        ('A <tool_call>{"q": [1]}</tool_call> b.', "A b.", "tool_tags"),
        ("A <|im_end|> b </think> c.", "A b c.", "tool_tags"),
    ],
)
def test_v8_kinds(before: str, after: str, kind: str) -> None:
    result = sanitize(before)
    assert result.markdown == after
    assert result.counts[kind] >= 1 and sum(result.counts.values()) == result.counts[kind]
    assert sanitize(after).markdown == after


def test_v8_code_and_good_addresses_stay() -> None:
    text = "`https://bit.ly/x` <b>bold</b> https://a.example/x?y=1, note: 10:30\n\n```\n<tool_call>\n```\n"
    assert sanitize(text).markdown == text
    assert len(load_rules()["shorteners"]) >= 16


def test_v8_counts_in_body_and_list() -> None:
    text = "One [1], two https://t.co/a.\n\n## Sources\n\n[1] A: https://a.example/x/y\n[2] B: https://bit.ly/b\n"
    result = verify_citations(text, [{"url": "https://a.example/x/y"}])
    assert result.sanitized["shorteners"] == 2
    assert "bit.ly" not in result.report and "t.co" not in result.report
