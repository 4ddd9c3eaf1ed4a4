"""The verifier of citations does no harm: rows v4 to v7 where a report is not as one would like it."""

from __future__ import annotations

import re
from typing import Any

import pytest

from deep_research.components.verifier import verify
from deep_research.components.verifier.citations import CitationResult, verify_citations
from deep_research.components.verifier.marks import OUTSIDE_MARK

A, B, C = "https://a.example/x/one", "https://b.example/y/two", "https://c.example/z/three"
FAKE = "https://fake.example/q"
SOURCES = [
    {"url": A, "title": "On the first tower"},
    {"url": B, "title": "Second towers"},
    {"url": C, "title": "The third one"},
]
LIST = f"[1] First: {A}\n[2] Fake: {FAKE}\n[3] Third: {C}\n"
LEFT = f"[1] First: {A}\n[2] Third: {C}\n"
GAPS = f"[1] First: {A}\n[3] Third: {C}\n"


def check(text: str) -> CitationResult:
    """Verify; a second run changes nothing."""
    result = verify_citations(text, SOURCES)
    assert verify_citations(result.report, SOURCES).report == result.report
    return result


@pytest.mark.parametrize(
    ("text", "after"),
    [
        (f"One [1].\n\n## Data sources\n\n[1] First: {A}\n\n## More\n\nTwo [[3]]({FAKE}).\n",
         f"One [1].\n\n## Data sources\n\n[1] First: {A}\n\n## More\n\nTwo.\n"),
        (f"## Sources\n\n{LIST}\n## Text\n\nOne [1], two [2], three [3].\n",
         f"## Sources\n\n{LEFT}\n## Text\n\nOne [1], two, three [2].\n"),
        (f"One [1], two [2].\n\n## Sources\n\n{LIST}\n## Appendix\n\nThree [3], two [2], see [it]({FAKE}).\n",
         f"One [1], two.\n\n## Sources\n\n{LEFT}\n## Appendix\n\nThree [2], two, see it.\n"),
        (f"One [1], two [2].\n\n{LIST}\nThree [3].\n", f"One [1], two.\n\n{LEFT}\nThree [2].\n"),
    ],
)  # fmt: skip
def test_v4_citations_are_checked_wherever_the_list_stands(text: str, after: str) -> None:
    result = check(text)
    assert result.report == after and FAKE in [gone.url for gone in result.removed]


@pytest.mark.parametrize(
    "text",
    [
        f"# T\n\n## Sources\n\n- The tower is tall [[1]]({A}).\n- It is white, too [[2]]({FAKE}).\n",
        f"# T\n\n## Sources of error\n\n- The tower is tall, it says: {A}\n- It is white: {FAKE}\n\nEnd.\n",
        f"# T\n\n## Data sources\n\n- Masts were all counted twice. {FAKE}\n- So were gulls. {A}\n",
        f"One [1].\n\n## References\n\n[1] First: {A}\n[2] Fake: {FAKE}\nThe end of the text follows.\n",
        f"# T\n\n## Findings\n\n1. Tall towers fall [[1]]({A}).\n2. White ones never do [[2]]({FAKE}).\n",
        f"# 参考序列图\n\n- 塔很高 {A} 。\n- 塔是白色的 {FAKE} 。\n\n完。\n",
        f"A tower [1].\n\n## Notes\n\n1. Nobody cites this here\n2. Nor this\n\n## Sources\n\n{LIST}",
    ],
)
def test_v5_what_is_no_reference_keeps_its_words(text: str) -> None:
    kept = (
        "tall",
        "white",
        "Masts",
        "gulls",
        "End",
        "The end of the text",
        "fall",
        "ones never",
        "塔很高",
        "塔是白色",
    )
    report = check(text).report
    assert FAKE not in report
    assert [word for word in kept if word in text] == [word for word in kept if word in report]
    assert "Nobody cites" in report or "Nobody" not in text


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("One [1]. Two at 5 km[2]. Three of 800mm[3].", "One [1]. Two at 5 km. Three of 800mm[2]."),
        ("One［1］, two［2］, three［3］.", "One［1］, two, three［2］."),
        ("One〔1〕, two〔2〕, three〔3〕.", "One〔1〕, two, three〔2〕."),
        ("One^1^, two^2^, three^3^.", "One^1^, two, three^2^."),
        ("One ¹, two ², three ³.", "One ¹, two, three ²."),
        ("Mixed [1], words³ here, two<sup>2</sup>.", "Mixed [1], words² here, two."),
        (
            "Mixed [1], lights¹ and towers³, 5 km² and 6 metres³.",
            "Mixed [1], lights¹ and towers², 5 km² and 6 metres³.",
        ),
        ("Mixed [1], lights¹, CO³.", None),
        ("One [١], two [٢], three [٣].", "One [١], two, three [٢]."),
        ("One [1†source], three [3†L1-L9].", "One [1†source], three [2†L1-L9]."),
        ("One [1], three [see 3].", None),
        ("One [1], as source 3 says.", None),
        ("One [1], three (3).", None),
        ("One [1] and x[3] there.", None),
        ("A thing.1 A third.3 It fell 3, they say.", None),
        ("One [1], three «3».", None),
        ("One [1], three（※3）.", None),
        ("One [1], three [3]and so on.", None),
        ("One [1], table[0] and table[3].", "One [1], table[0] and table[3]."),
    ],
)
def test_v6_numbers_change_only_if_every_marker_was_understood(text: str, after: str | None) -> None:
    result = check(f"{text}\n\n## Sources\n\n{LIST}")
    if after:
        assert result.report == f"{after}\n\n## Sources\n\n{LEFT}" and not result.flagged
    else:
        assert result.flag == "not_renumbered" and result.report.endswith(GAPS)
        assert all(left in result.report for left in ("[1]", *(["[see 3]"] if "see" in text else [])))


def test_v6_a_list_that_counts_by_itself_keeps_the_place_of_what_is_taken_out() -> None:
    result = check(
        f"One [1], three [see 3].\n\n## Sources\n\n1. First: {A}\n2. Fake: {FAKE}\n3. Third: {C}\n"
    )
    assert result.report.endswith(f"1. First: {A}\n2. —\n3. Third: {C}\n")


@pytest.mark.parametrize(
    ("text", "after", "kept"),
    [
        (f"One [1], two [2].\n\n[1] {A}\n\n{A}\n\n[2] {B}\n\n{B}\n", None, 2),
        (f"One [1], four [4], two [2].\n\n## Sources\n\n[1] [4] First {A}\n[2] Second {B}\n", None, 2),
        (f"One [1], four [4], two [2], x [3].\n\n## Sources\n\n[1, 4] First {A}\n[3] X {FAKE}\n"
         f"[2] Second {B}\n",
         f"One [1], four [1], two [2], x.\n\n## Sources\n\n[1] First {A}\n[2] Second {B}\n", 2),
        ("One [1], two [2].\n\n## Sources\n\n[1] On the first tower\n[2] Second towers\n", None, 2),
        ("One [1].\n\n## Sources\n\n[1] report.pdf\n", None, 1),
        ("One [1].\n\n## Sources\n\n[1] https://d.example/s?a=1&b=2\n", None, 1),
        (f"一【1†L2】。二【2†L3】。\n\n【1†L2】 First {A}\n【2†L3】 Second {B}\n", None, 2),
        (f"One [1], two [2].\n\n## Sources of error\n\n- Wind\n- Rain\n\n## Sources\n\n"
         f"[1] {A}\n[2] {B}\n", None, 2),
        (f"One [1], two [2].\n\n## Works\n\n[1] First\n[2] Second\n\n## Sources\n\n"
         f"[1] {A}\n[2] {B}\n", None, 2),
        (f"One [1].\n\n[1] First {A}\n\nIt tells of towers.\n\n[2] Second {B}\n\nSo does this.\n", None, 2),
    ],
)  # fmt: skip
def test_v4_lists_as_systems_write_them(text: str, after: str | None, kept: int) -> None:
    pages = [{"citation_key": f"report.pdf, p.{page}"} for page in (3, 4)]
    result = verify_citations(text, [*SOURCES, *pages, {"url": "https://d.example/s?a=1&amp;b=2"}])
    assert result.report == (after or text) and len(result.kept) == kept
    assert [gone for gone in result.removed if gone.url != FAKE] == []


def test_v10_all_texts_of_a_page_count() -> None:
    texts = [{"url": A, "text": "Gulls are grey."}, {"url": A, "text": "The tower is 41 metres tall."}]
    (claim,) = verify(f"The tower is 41 metres tall [1].\n\n[1] {A}\n", texts).claims
    assert claim.verdict == "evidence_found"


@pytest.mark.parametrize(
    ("text", "after"),
    [
        (f"One [1].\n\n## Sources\n\n[1] {FAKE}\n", "One.\n\n"),
        (f"One [1].\n\n## Sources\n\n[1] {FAKE}\n\n## End\n\nX [2]\n", "One.\n\n\n## End\n\nX\n"),
        (f"One (see [2]), two (source: [2]) [1].\n\n{LEFT.replace(C, FAKE)}",
         f"One, two [1].\n\n[1] First: {A}\n"),
        (f"One [it]({A}).\n\n**Sources:** {FAKE}\n\nTwo.\n", f"One [it]({A}).\n\nTwo.\n"),
        (f'One<sup><a href="{FAKE}">1</a></sup>, two [it]({A}).', f"One, two [it]({A})."),
        (f"```markdown\nOne [1], two [2], three [3].\n\n## Sources\n\n{LIST}```\n",
         f"One [1], two, three [2].\n\n## Sources\n\n{LEFT}"),
        (f"One [1].\n\n```\ncode [2]\n``` [2]\n\nTwo [2], three [3].\n\n{LIST}",
         f"One [1].\n\n```\ncode [2]\n```\n\nTwo, three [2].\n\n{LEFT}"),
    ],
)  # fmt: skip
def test_v8_nothing_empty_stays_and_nothing_hides(text: str, after: str) -> None:
    assert check(text).report == after


TEXTS = [
    {"url": A, "title": "On the first tower", "text": "The tower is 41 metres tall. It was built in 1902."},
    {"url": B, "title": "Second towers", "text": "The dock at Morholtov has 12 cranes."},
]
OF_TWO = f"\n\n## Sources\n\n[1] First: {A}\n[2] Fake: {FAKE}\n"
LEADS = [
    "The {} ([n]).", "The {} (see [n]).", "The {} (source: [n]).", "The {} (from [n]).", "The {}. ([n])",
    "The {}. (Source: [n])", "The {} (cf. [n], p. 4).", "The {} (e.g., [n]).", "The {} — [n].",
    "The {} → [n]", "The {} — [n]", "The {}. Source: [n]", "The {}.\n**Source:** [n]", "The {}.\n— [n]",
    "The {} (Quelle: [n]).", "The {}.\n\n**Sources:** [n]", "The {}.\n*Source: [n]*", "The {}. [n]",
    "The {}（来源：[n]）。", "> The {}.\n> — [n]", "- The {} [See also: [n]]", "The {}.\n\nSource: [n].",
]  # fmt: skip


@pytest.mark.parametrize("form", LEADS)
def test_v9_what_only_leads_to_a_citation_belongs_to_its_sentence(form: str) -> None:
    said = "tower is 99 metres tall"
    (claim,) = verify(form.format(said).replace("[n]", "[1]") + OF_TWO, TEXTS).claims
    assert (claim.text.rstrip(".。"), claim.sources, claim.reasons) == (f"The {said}", [1], ["number"])
    done = verify(form.format(said).replace("[n]", "[2]") + OF_TWO, TEXTS)
    left = done.report.partition("\n\n## Sources")[0].rstrip()
    assert left.strip("->. 。") in (
        f"The {said}. {OUTSIDE_MARK}",
        f"The {said} {OUTSIDE_MARK}",
        f"The {said}。 {OUTSIDE_MARK}",
    )
    assert [claim.reasons for claim in done.claims] == [["citation_removed"]]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f"The tower is old ([Tower]({A})). It was built in 1902 [1].", [([1], "evidence_found")]),
        (f"The dock has 12 cranes [[1]]({A}).{OF_TWO}", [([1], "flagged")]),
        (f"The tower is 41 metres tall [[1]]({B}).\n\n## Sources\n\n[1] {A}\n[2] {B}\n", [([2], "flagged")]),
        (f"The tower is 41 metres tall [4].\n\n[1] [4] First {A}\n[2] {B}\n", [([1], "evidence_found")]),
        (f"# T\n\nThe tower is 41 metres tall [1].\n\nSources:\n[1] {A}\n\n# U\n\n"
         f"The tower is 41 metres tall [1].\n\nSources:\n[1] {FAKE}\n",
         [([1], "evidence_found"), ([], "flagged")]),
        ("The tower is tall.\n\n~~~\nIt is old [1].\n~~~\n\n    It is old [1].\n" + OF_TWO, []),
        (f"<p>The pier is long <a href='{FAKE}'>1</a></p><ul><li>The tower is 41 metres tall "
         f"<a href='{A}'>2</a></li></ul>", [([], "flagged"), ([2], "evidence_found")]),
    ],
)  # fmt: skip
def test_v10_a_sentence_counts_with_the_page_that_its_marker_leads_to(text: str, told: list[Any]) -> None:
    assert [(claim.sources, claim.verdict) for claim in verify(text, TEXTS).claims] == told


ITEMS = [
    "{} {}", "{}: {}", "{} — {}", "{} [source]({})", "{} ([page]({}))", "{}.\n   {}", "{}.\n   Source: {}",
    "{} ({})", "{}.\n   [source]({})",
]  # fmt: skip


@pytest.mark.parametrize("form", ITEMS)
@pytest.mark.parametrize("item", ["- ", "1. "])
@pytest.mark.parametrize(
    "frame",
    [
        "## Key findings\n\n{}\nThese facts show more.\n",
        "## Key sources and findings\n\n{}",
        "## Further sources of power\n\n{}\n## References\n\n- [Seen](" + C + ")\n",
        "The tower [1].\n\n## What to do\n\n{}",
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_v5_statements_with_their_addresses_stay_and_are_marked(
    form: str, item: str, frame: str, newline: str
) -> None:
    said = {
        "The tower is 41 metres tall": A,
        "The pier is long, and ships moor there": FAKE,
        "It is new": FAKE,
    }
    text = frame.format("".join(f"{item}{form.format(words, url)}\n" for words, url in said.items()))
    done = verify(text.replace("\n", newline), TEXTS)
    assert FAKE not in done.report and all(words in done.report for words in said)
    lost = [claim.text.rstrip(".:—- ") for claim in done.claims if claim.reasons == ["citation_removed"]]
    assert lost[-2:] == [*said][1:] and done.report.count("⚠") >= 2
    assert verify(done.report, TEXTS).report == done.report


SIGHT = [
    "{n} | {t} | {u}", "{n}\t{t}\t{u}", "{n} - {t} - {u}", "Source {n}: {u}", "[ref-{n}]: {u}",
    '"{t}." [{n}] {u}',
    "[{n}] {u}<br>", "【{n}】 {t} {u}", "[{n}] [{m}] {t} {u}", "<li>{t} <a href=\"{u}\">it</a></li>",
]  # fmt: skip


@pytest.mark.parametrize("entry", SIGHT)
@pytest.mark.parametrize("joint", ["\n", " "])
def test_v6_a_label_that_is_seen_is_the_label(entry: str, joint: str) -> None:
    pages = (("Fake", FAKE), ("First", A), ("Third", C))
    listed = [entry.format(n=n, m=n + 3, t=t, u=u) for n, (t, u) in enumerate(pages, start=1)]
    if joint == " " and not listed[0].startswith(("[1] h", "【")):
        return
    done = check(f"Fake [1]. First [2]. Third [3].\n\n## Sources\n\n{joint.join(listed)}\n")
    assert done.report.startswith("Fake. First [1]. Third [2].") and FAKE not in done.report
    numbers = [
        re.search(r"\d", line)
        for line in re.split(r"\n| (?=\[2|【2)", done.report.partition("Sources\n\n")[2])
    ]
    assert "<li>" in entry or [found[0] for found in numbers if found] == ["1", "2"]
    assert [kept.url for kept in done.kept] == [A, C] and done.flag is None


FORMS = [
    *"[**3**] [*3*] [3a] [3*] 「3」 [注3] [資料3] &#91;3&#93; <ref>3</ref> <cite>3</cite> [³] (3)".split(),
    *"$^{3}$ [2/3] [2+3] {3} <3> «3» 『3』 ⟦3⟧ ⁽³⁾ ③ ⑶ ❸ ※3 †3 #3 注3 文献3 来源3 [<b>3</b>]".split(),
    *"[3](page.html) ^3 ^(3) [3?] [R3] （来源：3） <sup>**3**</sup>".split(),
    *("(2, 3)", "<sup>3, p. 4</sup>", "<sup>2 3</sup>", " Quelle 3", " fuente 3", " 출처 3", " footnote 3"),
    *(" (e.g. 3)", " as source 3 has it", " sources 2 and 3", " [no. 3]", " reference no. 3"),
]
PLACES = [
    "The pier is 300 metres long {}.", "The pier is long.{}", "码头长300米{}。",
    "| a | b |\n|---|---|\n| Pier | 300{} |",
]  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("said", PLACES)
def test_v6_a_number_not_understood_keeps_its_meaning(form: str, said: str) -> None:
    if said.startswith("The pier is long.") and form.isascii() and form.startswith(" "):
        said = said.replace(".", "")
    done = check(
        f"Two [2], three [3].\n\n{said.format(form)}\n\n## Sources\n\n[1] {FAKE}\n[2] {A}\n[3] {C}\n"
    )
    assert FAKE not in done.report
    if f"[3] {C}" in done.report:
        assert done.flag == "not_renumbered" and f"[2] {A}" in done.report
    else:
        assert f"[2] {C}" in done.report and said.format(form) not in done.report


@pytest.mark.parametrize(
    "said",
    [
        "It fell 3, they say, in 3 days, by 3.3 % or 3,300 people, in 2003.", "(3 cranes, 1,303 ships)",
        "3 May 1903", "It is (1) tall, (2) white and (3) old.", "| n | 3 |\n|---|---|\n| 2 | 3 |",
        "CO3 and H3N3, 5 m³ and x³",
        "(Figure 3) or (May 3)", "`x[3]` and $x_3$ and ![3](3.png)", "3. Step",
    ],
)  # fmt: skip
def test_v6_a_number_that_is_no_citation_keeps_nothing_from_being_renumbered(said: str) -> None:
    done = check(f"Two [2], three [3].\n\n{said}\n\n## Sources\n\n[1] {FAKE}\n[2] {A}\n[3] {C}\n")
    assert done.flag is None and f"[2] {C}" in done.report and said in done.report


def test_v6_bare_numbers_behind_a_year_are_not_misled() -> None:
    text = "A thing.1 It was built in 1902.2 It has 12 cranes.3"
    done = check(f"{text}\n\n## Works cited\n\n1. Fake {FAKE}\n2. First {A}\n3. Third {C}\n")
    assert done.flag == "not_renumbered" and "1902.2 It has 12 cranes.3" in done.report


def _html_notes(joint: str) -> str:
    said = (("blue", 1), ("red", 2), ("41 metres tall", 3))
    text = " ".join(f'The tower is {what}<sup><a href="#fn{n}">{n}</a></sup>.' for what, n in said)
    pages = ("https://a.example/blue", "https://never.example/red", "https://a.example/tall")
    notes = (f'<li id="fn{n}">T <a href="{url}">page</a></li>' for n, url in enumerate(pages, start=1))
    return f"{text}\n\n<ol>{joint}{joint.join(notes)}{joint}</ol>\n"


@pytest.mark.parametrize("joint", ["\n", ""], ids=["a line each", "one line"])
def test_v16_a_footnote_in_html_is_checked_where_its_link_leads(joint: str) -> None:
    sources = [
        {"url": "https://a.example/blue", "text": "The tower is blue."},
        {"url": "https://a.example/tall", "text": "The tower is 41 metres tall."},
    ]
    done = verify(_html_notes(joint), sources)
    assert [(claim.verdict, claim.sources) for claim in done.claims] == [
        ("evidence_found", [1]),
        ("flagged", []),
        ("evidence_found", [3]),
    ]
    assert "never.example" not in done.report and '"#fn2"' not in done.report
    assert '<a href="#fn3">3</a>' in done.report and '<li id="fn3">' in done.report
    assert verify(done.report, sources).report == done.report


def test_v16_a_footnote_in_html_is_what_its_link_says_whatever_it_shows() -> None:
    shown = _html_notes("\n").replace(">1</a>", ">2</a>", 1)
    done = verify(shown, [{"url": "https://a.example/blue", "text": "The tower is blue."}])
    assert (done.claims[0].verdict, done.claims[0].sources) == ("evidence_found", [1])
