"""What citation verification catches, and what it takes out by mistake: correct reports, made wrong by code.

    python -m benchmarks.citation_corruptions [--seed N]

The correct reports are those of offline runs on the sample questions of both domains (English, Chinese and
Japanese), each written in the styles of several deep research systems (`STYLES`). What was retrieved is what
the report cites and some pages that it does not. A report that quotes an address which nobody retrieved (a
page's own, or one that a hostile page wants in the report) is not correct: that address is to go. It is told,
counted beside the table, and left out of the rows. One row per style: how many reports, the share with any
alarm although nothing is wrong, and per corruption how many were told out of how many. Without a reference
list numbers lead nowhere, so only addresses can be wrong there.

Entries that nobody cites are told, not removed: they may be true.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from deep_research.components.verifier.citations import CitationResult, verify_citations
from deep_research.evaluation.citation_precision import SOURCE_LIST
from deep_research_offline.web import build_web, domains

from .arguments import new_parser
from .clean_claims import offline_reports

_MARKS = re.compile(r"(?:\[\d+\])+")
_ENTRY = re.compile(r"^(\d+)\. (.*): <(.*)>$", re.MULTILINE)
_ENDED = re.compile(r"([.!?。！？])?\s*((?:\[\d+\])+)[.;]?(?!\w)")
_BEHIND_WORD = re.compile(rf"(?<=[^\W\d_]{{3}}){_ENDED.pattern}")
_ADDRESS = re.compile(r"https?://[^\s<>()\[\]]+")
_UNCITED = 5
_INVENTED = "https://{}/reports/annual-review-of-the-upper-valley"


@dataclass(frozen=True)
class Entry:
    """A line of the reference list."""

    number: int
    title: str
    url: str


@dataclass(frozen=True)
class Draft:
    """A report before it is written in a style: `body` has plain `[n]` markers."""

    body: str
    entries: tuple[Entry, ...]
    retrieved: tuple[str, ...]

    def with_url(self, place: int, url: str) -> Draft:
        """The same with another address in one entry."""
        entries = list(self.entries)
        entries[place] = replace(entries[place], url=url)
        return replace(self, entries=tuple(entries))


Told = Callable[[CitationResult, str], bool]
Corruption = Callable[[Draft, random.Random], tuple[Draft, Told] | None]


def main() -> None:
    """Print the table as Markdown."""
    parser = new_parser(__doc__)
    parser.add_argument("--seed", type=int, default=0, help="of the choices that corruptions make")
    seed = parser.parse_args().seed
    made = list(drafts())
    found = [draft for draft in made if not quotes_addresses(draft)]
    print("| style | correct reports | false alarms | " + " | ".join(CORRUPTIONS) + " |")
    print("|---" * (3 + len(CORRUPTIONS)) + "|")
    for style, write in STYLES.items():
        alarms = [alarmed(draft, text) for draft in found if (text := write(draft))]
        cells = [told(found, style, corruption, seed) for corruption in CORRUPTIONS]
        print(f"| {style} | {len(alarms)} | {sum(alarms)} | {' | '.join(cells)} |", flush=True)
    quoting = [draft for draft in made if quotes_addresses(draft)]
    seen = sum(all(alarmed(draft, text) for w in STYLES.values() if (text := w(draft))) for draft in quoting)
    print(
        f"\nreports that quote an address that nobody retrieved: {len(quoting)}; told in every style: {seen}"
    )


def drafts(seed: int = 0) -> Iterator[Draft]:
    """The offline reports that cite anything."""
    for domain in domains():
        web = build_web(seed=seed, domain=domain)
        others = [page.url for page in web.pages]
        for markdown, _ in offline_reports(web):
            body = SOURCE_LIST.split(markdown)[0]
            entries = tuple(
                Entry(int(n), title, url) for n, title, url in _ENTRY.findall(markdown[len(body) :])
            )
            cited = [entry.url for entry in entries]
            if entries:
                uncited = [url for url in others if url not in cited][:_UNCITED]
                yield Draft(body, entries, (*cited, *uncited))


def quotes_addresses(draft: Draft) -> bool:
    """Whether the text itself has an address that was not retrieved."""
    return any(url not in draft.retrieved for url in _ADDRESS.findall(draft.body))


def alarmed(draft: Draft, text: str) -> bool:
    """Whether verification changes or flags a correct report, or an entry of it seems to be uncited."""
    result = verify_citations(text, [{"url": url} for url in draft.retrieved])
    return result.report != text or result.flagged or bool(result.removed) or bool(result.uncited)


def told(found: list[Draft], style: str, corruption: str, seed: int) -> str:
    """In how many of the reports that can be corrupted so the corruption is told, as "told of all"."""
    if style in WITHOUT_LIST and corruption not in OF_ADDRESSES:
        return "–"
    rng = random.Random(f"{seed} {style} {corruption}")
    answers = []
    for draft in found:
        if made := CORRUPTIONS[corruption](draft, rng):
            wrong, is_told = made
            if text := STYLES[style](wrong):
                answers.append(is_told(verify_citations(text, [{"url": u} for u in wrong.retrieved]), text))
    return f"{sum(answers)} of {len(answers)}"


# Corruptions: each gives the wrong draft and how to see that it was told; None where it does not apply.


def invented_url(draft: Draft, rng: random.Random) -> tuple[Draft, Told] | None:
    """An address that nobody retrieved, at a host that was or at another."""
    place = rng.randrange(len(draft.entries))
    host = rng.choice([urlsplit(draft.entries[place].url).netloc, "library.invented.example"])
    url = _INVENTED.format(host)
    return (
        draft.with_url(place, url),
        lambda result, _: (
            any(gone.url == url and gone.reason == "url_not_in_registry" for gone in result.removed)
            and url not in result.report
        ),
    )


def duplicate_url(draft: Draft, rng: random.Random) -> tuple[Draft, Told] | None:
    """Two entries with one address."""
    if len(draft.entries) < 2:
        return None
    first, second = sorted(rng.sample(range(len(draft.entries)), 2))
    reason = f"duplicate_of_{draft.entries[first].number}"
    return draft.with_url(
        second, draft.entries[first].url
    ), lambda result, _: [gone.reason for gone in result.removed] == [reason]


def off_by_one(draft: Draft, rng: random.Random) -> tuple[Draft, Told] | None:
    """A list that starts at 2: every number leads to its neighbour's source, and one to none."""
    entries = tuple(replace(entry, number=entry.number + 1) for entry in draft.entries)
    return replace(draft, entries=entries), lambda result, _: any(
        (gone.number, gone.reason) == (1, "unverifiable") for gone in result.removed
    )


def truncated_url(draft: Draft, rng: random.Random) -> tuple[Draft, Told] | None:
    """An address cut off in its path, with dots in place of the rest."""
    place = rng.randrange(len(draft.entries))
    whole = draft.entries[place].url
    path = whole.index("/", len("https://")) + 1
    cut = whole[: path + (len(whole) - path) * 2 // 3] + "..."
    return (
        draft.with_url(place, cut),
        lambda result, _: (
            any((mended.before, mended.after) == (cut, whole) for mended in result.repaired)
            or any(gone.reason == "url_not_in_registry" for gone in result.removed)
        ),
    )


def no_entry(draft: Draft, rng: random.Random) -> tuple[Draft, Told] | None:
    """A number beside another that no entry has."""
    number = len(draft.entries) + rng.randint(1, 9)
    place = rng.choice([match.end() for match in _MARKS.finditer(draft.body)])
    body = f"{draft.body[:place]}[{number}]{draft.body[place:]}"
    return replace(draft, body=body), lambda result, _: any(
        (gone.number, gone.reason) == (number, "unverifiable") for gone in result.removed
    )


def uncited_entry(draft: Draft, rng: random.Random) -> tuple[Draft, Told] | None:
    """An entry more, of a page that was retrieved, which no sentence cites."""
    number = len(draft.entries) + 1
    more = Entry(number, "Another page", draft.retrieved[-1])
    return replace(
        draft, entries=(*draft.entries, more)
    ), lambda result, _: [entry.number for entry in result.uncited] == [number]


CORRUPTIONS: dict[str, Corruption] = {
    "invented url": invented_url,
    "truncated url": truncated_url,
    "duplicate url": duplicate_url,
    "off-by-one numbering": off_by_one,
    "number without entry": no_entry,
    "entry nobody cites": uncited_entry,
}
OF_ADDRESSES = ("invented url", "truncated url")


# Styles: how systems write markers and list.


def _written(draft: Draft, mark: Callable[[list[int]], str], line: str) -> str:
    """The body with its markers written by `mark`, and a list of such lines."""
    body = _MARKS.sub(lambda marks: mark([int(n) for n in re.findall(r"\d+", marks[0])]), draft.body)
    lines = [line.format(n=e.number, title=e.title, url=e.url) for e in draft.entries]
    return f"{body.rstrip()}\n\n## Sources\n\n" + "\n".join(lines) + "\n"


def _each(form: str) -> Callable[[list[int]], str]:
    return lambda numbers: "".join(form.format(n=number) for number in numbers)


def _raised(draft: Draft) -> str:
    """Superscripts, close behind a full stop: close behind a unit they would be powers."""
    body = _ENDED.sub(lambda match: f"{match[1] or '.'}{match[2]}", draft.body)
    return _written(replace(draft, body=body), _each("<sup>{n}</sup>"), "- [{n}] {title} {url}")


def _bare(draft: Draft) -> str | None:
    """Numbers alone, behind the full stop of a sentence; None where one ends in a figure or a unit."""
    body, ended = _BEHIND_WORD.subn(lambda match: f"{match[1] or '.'}{match[2]}", draft.body)
    if ended < len(_MARKS.findall(draft.body)):
        return None
    return _written(
        replace(draft, body=body), lambda numbers: ",".join(map(str, numbers)), "{n}. {title}, {url}"
    )


def _linked(form: str) -> Callable[[Draft], str]:
    """Markers that carry the address themselves; no list."""

    def write(draft: Draft) -> str:
        by_number = {entry.number: entry for entry in draft.entries}
        return _MARKS.sub(
            lambda marks: " ".join(
                form.format(n=n, title=by_number[n].title, url=by_number[n].url)
                for n in map(int, re.findall(r"\d+", marks[0]))
            ),
            draft.body,
        )

    return write


STYLES: dict[str, Callable[[Draft], str | None]] = {
    "ours: `[1]`, `1. Title: <url>`": lambda draft: _written(draft, _each("[{n}]"), "{n}. {title}: <{url}>"),
    "`[1, 2]`, `[1] Title: url`": lambda draft: _written(
        draft, lambda numbers: f"[{', '.join(map(str, numbers))}]", "[{n}] {title}: {url}"
    ),
    "`[1]`, `1. [Title](url)`": lambda draft: _written(draft, _each("[{n}]"), "{n}. [{title}]({url})"),
    "footnotes": lambda draft: _written(draft, _each("[^{n}]"), "[^{n}]: {title}. {url}"),
    "`【1】`, entries of two lines": lambda draft: _written(
        draft, _each("【{n}】"), "[{n}] {title}\n    {url}\n"
    ),
    "superscripts": _raised,
    "bare numbers": _bare,
    "`[[1]](url)`, no list": _linked("[[{n}]]({url})"),
    "inline links, no list": _linked("([{title}]({url}))"),
    "bare urls, no list": _linked(" {url} "),
}
WITHOUT_LIST = [style for style in STYLES if style.endswith("no list")]

if __name__ == "__main__":
    main()
