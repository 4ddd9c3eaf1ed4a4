"""The data that a mini-web consists of. Plain frozen records: no behaviour beyond look-up and rendering.

Notable: `Web.page` accepts an address in any spelling a client may send (percent-encoded, with a fragment,
with a trailing slash) and follows redirects, as a web server would; `Web.dead` lists addresses that pages
link to and that answer 404.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import unquote, urldefrag

from .render import html_page

KINDS = (
    "single_fact",
    "comparison",
    "multi_hop",
    "ranking",
    "temporal",
    "contradiction",
    "unanswerable",
    "report",
)


@dataclass(frozen=True, slots=True)
class Page:
    """One page. `text` is its Markdown body, as a reader-view extract of the HTML would give it."""

    url: str
    title: str
    text: str
    style: str  # encyclopedia, statistics, news, forum ...
    lang: str  # en, zh or ja
    published: str | None  # ISO date
    author: str | None
    links: tuple[str, ...]
    hazards: tuple[str, ...]  # labels of `hazards.HAZARDS`; () for a clean page


@dataclass(frozen=True, slots=True)
class Fact:
    """One true statement, and where it can be read.

    `answers` holds every accepted surface form, in each language that states it. `pages` state the fact
    correctly and currently, `stale_pages` give a value that used to be true, `wrong_pages` one that never
    was. `stale_answers` holds the surface forms of values that used to be true.
    """

    id: str
    subject: str
    attribute: str
    value: str
    answers: tuple[str, ...]
    pages: tuple[str, ...]
    stale_pages: tuple[str, ...]
    wrong_pages: tuple[str, ...]
    as_of: str | None
    stale_answers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Aspect:
    """One side of a subject, worth a section or a paragraph of a report, and the ids of its facts."""

    name: str
    facts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Dispute:
    """A planted disagreement: for each side the accepted surface forms of its value or position."""

    id: str
    subject: str
    sides: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Question:
    """A sample question with its gold facts and, for each of them, a gold page in the question's language.

    An unanswerable question has no gold at all: no page says anything about what it asks for. Only a `report`
    question has aspects, which divide its facts between them, and disputes.
    """

    id: str
    kind: str  # one of KINDS
    lang: str
    text: str
    facts: tuple[str, ...]
    pages: tuple[str, ...]
    aspects: tuple[Aspect, ...] = ()
    disputes: tuple[Dispute, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Web:
    """A frozen web: pages, ground truth, questions, redirects and dead addresses. `date` is its own today.

    `origins` names the origin of every copy by url: pages of one origin are one voice. A url that is not in
    it is its own origin.
    """

    seed: int
    domain: str
    date: str
    pages: tuple[Page, ...]
    facts: dict[str, Fact]
    questions: tuple[Question, ...]
    redirects: dict[str, str]
    dead: frozenset[str]
    origins: dict[str, str] = field(default_factory=dict)
    _by_url: dict[str, Page] = field(default_factory=dict, repr=False)
    _moved: dict[str, str] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        self._by_url.update((_spelling(page.url), page) for page in self.pages)
        self._moved.update((_spelling(old), _spelling(new)) for old, new in self.redirects.items())

    def page(self, url: str) -> Page | None:
        """The page at `url`, redirects followed; None where a server would answer 404."""
        key = _spelling(url)
        for _ in range(len(self._moved) + 1):
            if key not in self._moved:
                return self._by_url.get(key)
            key = self._moved[key]
        return None

    def html(self, page: Page) -> str:
        """A small complete HTML page: the body rendered, links clickable, everything escaped."""
        return html_page(page.title, page.text, page.lang, page.author, page.published)


def _spelling(url: str) -> str:
    """One spelling per address: no fragment, no percent-encoding, no trailing slash."""
    return unquote(urldefrag(url).url).rstrip("/")
