"""What holds for every report, however broken: no exception, no gaps, local edits, linear time."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deep_research.components.verifier.citations import verify_citations
from deep_research.components.verifier.citations.parser import parse_report
from deep_research.text.addresses import strip_addresses, strip_tool_tags
from tests.growth import assert_ten_times_takes_at_most_twenty

A, B, FAKE = "https://a.example/x/one", "https://b.example/y/two", "https://fake.example/q"
SOURCES = [{"url": A}, {"url": B}, {"citation_key": "report.pdf, p.15"}]

MARKERS = [
    *(
        "[1]",
        " [2]",
        "[3]",
        " [9]",
        "[1, 2]",
        " [1-3]",
        "[1][3]",
        "【1】",
        "【2†L2-L4】",
        "<sup>[2]</sup>",
        "[^1]",
    ),
    *(f" [words]({FAKE})", f" [words]({A})", f" ([B, 2021]({B}))", f"[[2]]({FAKE})", " (report.pdf, p. 15)"),
]
PIECES = [
    *MARKERS,
    *(
        "[",
        "]",
        "(",
        ")",
        "`",
        "```",
        "$",
        "\\[",
        "\\]",
        "\\",
        "|",
        "<",
        ">",
        "*",
        "_",
        "^",
        "#",
        "文",
        "。",
        "…",
    ),
    *(
        A,
        FAKE,
        "https://[bad",
        "https://bit.ly/x",
        "https://a.example/x/o...",
        "word.1 ",
        "word",
        "1",
        "2",
        " ",
    ),
    *(
        f"\n[1] A: {A}",
        f"\n[2] {FAKE}",
        f"\n1. {A}",
        f"\n2. {FAKE}",
        f"\n- {B}",
        f"\n[^1]: {A}",
        "\n## Sources\n",
    ),
    *("\n", "\n\n", "\r\n", "\t", "    ", "> ", "\ue200cite\ue2021\ue201", "\ue200", "\ue202", "\ue201"),
    *("<tool_call>", "</tool_call>", "<think>", "\ud800", "\x00", "\n|a|b|\n|-|-|\n|[1]|x|\n", "arr[1]"),
]
many = settings(max_examples=150)


@many
@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join) | st.text(max_size=200))
def test_v12_anything_goes_and_a_second_run_changes_nothing(text: str) -> None:
    first = verify_citations(text, SOURCES)
    assert verify_citations(first.report, SOURCES).report == first.report
    cleaned = _sanitized(text)
    assert _sanitized(cleaned) == cleaned


def _sanitized(text: str) -> str:
    return strip_addresses(strip_tool_tags(text)[0], lambda url: False)[0]


@many
@given(
    st.lists(st.tuples(st.text("abc .,é文", max_size=12), st.sampled_from(MARKERS)), min_size=1, max_size=12),
    st.lists(st.sampled_from([A, B, FAKE, A + "/", f"{FAKE}2", ""]), min_size=1, max_size=8),
    st.sampled_from(["[{}] ", "{}. ", "- [{}] "]),
)
def test_v6_edits_are_local_and_numbers_have_no_gaps(
    body: list[tuple[str, str]], addresses: list[str], label: str
) -> None:
    entries = "".join(f"{label.format(n)}Title: {url}\n" for n, url in enumerate(addresses, start=1))
    words = [f"Q{n}{text}Q" for n, (text, _) in enumerate(body)]
    text = "".join(f"{word}{marker}" for word, (_, marker) in zip(words, body, strict=True))
    result = verify_citations(f"{text}\n\n## Sources\n\n{entries}", SOURCES)
    prose = re.escape("\0".join(word for word in words)).replace("\0", r"[^Q]*")
    assert re.match(prose, result.report), "a word outside the citations was changed"
    labels = [entry.label for entry in parse_report(result.report).entries]
    numbered = any(
        re.match(r"\W*(?:<sup>\W*)?\d", marker) for _, marker in body
    )  # else nothing asks for new numbers
    gone_entry = any(gone.url or gone.reason == "unverifiable" for gone in result.removed)
    if not (numbered and gone_entry) or result.flag:
        return
    assert labels == [str(n) for n in range(1, len(labels) + 1)]
    assert len({entry.url for entry in parse_report(result.report).entries}) == len(labels)


def lists(size: int) -> str:
    sentences = "".join(
        f"Sentence {n} says this [{n % 900 + 1}, {n % 7 + 1}].\n\n" for n in range(size // 40)
    )
    return (
        sentences + "## Sources\n\n" + "".join(f"[{n}] T: https://s.example/d/{n}/p\n" for n in range(1, 901))
    )


@pytest.mark.parametrize(
    "make",
    [
        lists,
        lambda size: "[" * size,
        lambda size: "[1](" * (size // 4),
        lambda size: "[" * (size // 2) + "]" * (size // 2),
        lambda size: "` `` " * (size // 5),
        lambda size: "<tool_call>" * (size // 11),
        lambda size: "[1] https://x.example/a " * (size // 24),
        lambda size: "1. https://x.example/a\n" * (size // 23),
        lambda size: "https://x.example/" + "a." * (size // 2),
    ],
    ids=["report", "open", "half-links", "nested", "backticks", "tags", "one-line list", "list", "long url"],
)
def test_v12_ten_times_the_input_takes_at_most_twenty_times_as_long(make: Callable[[int], str]) -> None:
    assert_ten_times_takes_at_most_twenty(lambda text: verify_citations(text, SOURCES), make, 4_000)


def test_v12_ten_thousand_sources_and_a_long_report() -> None:
    sources = [{"url": f"https://s{n % 500}.example/d/{n}/page"} for n in range(10_000)]
    result = verify_citations(lists(200_000), [*sources, {"url": "https://s.example/d/7/p"}])
    assert [kept.url for kept in result.kept] == ["https://s.example/d/7/p"]
    assert len(result.removed) == 899
