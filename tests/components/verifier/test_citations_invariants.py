"""What holds for reports in any style of markers and lists: words stay, and numbers lead where they led.

A report is built from sentences, a style of markers, a style of lists and a place for the list; which page
each sentence cites is known, and nothing here asks the parser.
"""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from deep_research.components.verifier.citations import verify_citations

WORDS = "gulls towers harbour lantern keepers granite evening signals weather northern".split()
CJK_WORDS = "灯塔高四十米 港口在北方 看守人住在岛上 夜里有信号 石头很重".split()
RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
ARABIC = str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")

MARKERS = {
    "brackets": lambda n: f" [{n}]",
    "glued": lambda n: f"[{n}]",
    "spaced inside": lambda n: f" [ {n} ]",
    "escaped": lambda n: f" \\[{n}\\]",
    "lenticular": lambda n: f"【{n}】",
    "lines": lambda n: f"【{n}†L1-L4】",
    "dagger": lambda n: f" [{n}†source]",
    "wide": lambda n: f"［{n}］",
    "tortoise": lambda n: f"〔{n}〕",
    "raised": lambda n: str(n).translate(RAISED),
    "raised spaced": lambda n: " " + str(n).translate(RAISED),
    "sup": lambda n: f"<sup>{n}</sup>",
    "sup brackets": lambda n: f"<sup>[{n}]</sup>",
    "caret": lambda n: f"^{n}^",
    "arabic": lambda n: f" [{str(n).translate(ARABIC)}]",
    "anchor": lambda n: f" [[{n}](#r{n})]",
    "private": lambda n: f" \ue200cite\ue202{n}\ue201",
    "footnote": lambda n: f"[^{n}]",
    "bare": lambda n: str(n),
    "round": lambda n: f" ({n})",
    "see": lambda n: f" [see {n}]",
    "source": lambda n: f" (source {n})",
    "ref": lambda n: f" [Ref. {n}]",
    "page": lambda n: f" [{n}, p. 7]",
    "hash": lambda n: f" [#{n}]",
    "braces": lambda n: f" {{{n}}}",
    "angles": lambda n: f" <{n}>",
    "double": lambda n: f" [[{n}]]",
    "S": lambda n: f" [S{n}]",
    "bold": lambda n: f" **[{n}]**",
    "corner": lambda n: f"〖{n}〗",
    "circled": lambda n: chr(0x245F + n),
    "cornered": lambda n: f"「{n}」",
    "entities": lambda n: f" &#91;{n}&#93;",
    "tagged": lambda n: f"<ref>{n}</ref>",
    "emphasis": lambda n: f" [**{n}**]",
    "in words": lambda n: f" (siehe Quelle {n})",
    "maths": lambda n: f" $^{{{n}}}$",
    "led": lambda n: f" (see [{n}])",
    "dash": lambda n: f" — [{n}]",
    "heavy": lambda n: chr(0x2775 + n),
    "link here": lambda n: f' <a href="#r{n}">[{n}]</a>',
}
ENTRIES = {
    "brackets": "[{n}] {t}: {u}",
    "numbered": "{n}. {t}. {u}",
    "linked": "{n}. [{t}]({u})",
    "item": "- [{n}] {t} {u}",
    "definition": "[{n}]: {u}",
    "lenticular": "【{n}】{t} {u}",
    "round": "({n}) {t} {u}",
    "url first": "[{n}] {u} - {t}",
    "two lines": "[{n}] {t}\n    {u}",
    "paragraphs": "[{n}] {t}\n\n{u}\n",
    "bold": "**[{n}]** {t} <{u}>",
    "wide": "［{n}］{t} {u}",
    "pipes": "{n} | {t} | {u}",
    "tab": "{n}\t{t}\t{u}",
    "dash": "{n} - {t} - {u}",
    "named": "Source {n}: {u} {t}",
    "ref": "[ref-{n}]: {u} {t}",
    "quoted": '"{t}." [{n}] {u}',
    "circled": "{c} {t} {u}",
    "break": "[{n}] {t} {u}<br>",
    "heading": "### [{n}] {t}\n{u}\n",
    "bullets": "- Paper: {u}",
}
UNLABELLED = ("pipes", "tab", "dash", "named", "ref", "quoted", "circled", "bullets")
"""Lists that only a heading makes lists."""


def url(page: int) -> str:
    return f"https://site{page}.example/papers/text-{page}x"


def report(cited: list[list[int]], marker: str, entry: str, place: str, heading: str, cjk: bool) -> str:
    """Sentences that cite pages by number (page n is entry n), and a list at its place."""
    words, stop = (CJK_WORDS, "。") if cjk else (WORDS, ".")
    sentences = []
    for at, pages in enumerate(cited):
        said = f"Q{at}x" + ("" if cjk else " ") + words[at % len(words)]
        if marker in ("raised", "bare"):
            marks = ("." if marker == "bare" else "") + ",".join(MARKERS[marker](page) for page in pages)
        else:
            marks = "".join(MARKERS[marker](page) for page in pages)
        sentences.append(said + (marks + " " if marker == "bare" else marks + stop))
    heading = "## Sources" if entry in UNLABELLED else heading
    most = max([3, *(page for pages in cited for page in pages)])
    style = "[^{n}]: {t} {u}" if marker == "footnote" else ENTRIES[entry]
    listed = "\n".join(
        style.format(n=n, c=chr(0x245F + n), t=f"Title of {n}", u=url(n)) for n in range(1, most + 1)
    )
    block, half = f"{heading}\n\n{listed}\n", len(sentences) // 2
    parts = {
        "after": [*sentences, block],
        "before": [block, "## Text", *sentences],
        "between": [*sentences[:half], block, "## More", *sentences[half:]],
    }[place]
    return "# Towers\n\n" + "\n\n".join(parts)


def targets(text: str, marker: str) -> dict[str, set[str]]:
    """The pages that each sentence leads to, found by eye: the labels that lines with an address have."""
    flat = text.translate({ord(c): str("⁰¹²³⁴⁵⁶⁷⁸⁹".index(c)) for c in "⁰¹²³⁴⁵⁶⁷⁸⁹"})
    flat = flat.translate({0x245F + n: f" {n} " for n in range(1, 21)})
    pages = dict[str, str]()
    label = ""
    for line in flat.splitlines():
        if found := re.match(r'\W*(?:Source |ref-|Title of \d\." \[)?(\d+)\W+(?:Title|https|<)', line):
            label = found[1]
        elif line.startswith(("- Paper", "- —")):
            label = str(len(pages) + 1)
            if "—" in line:
                pages[label], label = "", ""
        if (address := re.search(r"https://site(\d+)\.", line)) and label:
            pages.setdefault(label, address[1])
            label = ""
    led = {}
    for said in re.finditer(r"Q(\d+)x([^\n]*)", flat):
        behind = re.sub(r"†[^】\]]*|\(#r\d+\)|#r\d+|p\. 7", "", said[2])
        led[said[1]] = {pages.get(str(int(n)), "") for n in re.findall(r"\d+", behind)}
    return led


REPORTS = st.builds(
    lambda *parts: (report(*parts), parts[1]),
    st.lists(st.lists(st.integers(1, 5), min_size=1, max_size=2, unique=True), min_size=2, max_size=6),
    st.sampled_from(sorted(MARKERS)),
    st.sampled_from(sorted(ENTRIES)),
    st.sampled_from(["after", "before", "between"]),
    st.sampled_from(["## Sources", "**References**", "参考文献：", "## Wo das steht"]),
    st.booleans(),
)


_OF_MARKERS = re.compile(
    r"†[^】\]]*|(?i:\(?\[?\b(?:siehe quelle|see|source|ref\.|p\.)\s)|cite|\bS(?=\d)|</?sup>"
    r"|<a href[^>]*>|</a>|\(#r\d+\)|[⁰¹²³⁴⁵⁶⁷⁸⁹]"
)


def words(text: str) -> list[str]:
    """The words outside lists and markers."""
    lines = [line for line in text.splitlines() if "Title of" not in line and "https:" not in line]
    body = _OF_MARKERS.sub("", "\n".join(lines))
    return re.findall(r"Q\d+x|[^\W\d_]+", body)


@settings(max_examples=400, deadline=None)
@given(REPORTS, st.integers(1, 5))
def test_v6_withdrawing_a_page_changes_no_word_and_no_other_target(built: tuple[str, str], gone: int) -> None:
    text, marker = built
    everything = [{"url": url(page)} for page in range(1, 6)]
    whole = verify_citations(text, everything)
    assert whole.report == text and whole.removed == []
    done = verify_citations(text, [source for source in everything if source["url"] != url(gone)])
    assert url(gone) not in done.report or url(gone) not in text
    assert words(done.report)[: len(words(text))] == words(text)
    before, after = targets(text, marker), targets(done.report, marker)
    for said, pages in after.items():
        assert pages <= before[said] | {""}, said
        assert done.flag or pages == before[said] - {str(gone)}, said
    assert verify_citations(done.report, everything).report == done.report
