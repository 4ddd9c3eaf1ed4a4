"""Does research answer questions on real documents? Thirty of them, in six formats.

    python -m benchmarks.documents                    every question, as `ask --docs` would
    python -m benchmarks.documents --system shallow_researcher --limit 1 --show

`data/documents.toml` names texts that installed packages bring with them, so nothing is copied; the folder is
built in a temporary place. Measured are:

- answer stands: every thing asked for stands in the body of a report of at most 300 words.
- headline right: it stands, without a denial or a hedge, in the first two sentences.
- broken quotes: what is taken from a cited document and does not stand there contiguously. White space,
  markup, addresses, citation markers and an introduction ("It says:") do not count. What a cited sentence
  puts in quotation marks is a quotation; so is a sentence at least half of whose words stand in runs of four
  or more that a cited document holds. The others are computed or the report's own, and are counted beside.
"""

from __future__ import annotations

import argparse
import asyncio
import html
import re
import textwrap
import tomllib
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from email import message_from_string
from importlib.metadata import distribution
from itertools import takewhile
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.sax.saxutils import escape

from deep_research.core.forms import QUOTED, hedges
from deep_research.evaluation.reading import lead, lead_denies, sections
from deep_research.evaluation.repetition import words
from deep_research.evaluation.samples import answer_sample, markdown_table, percent
from deep_research.evaluation.surface import says
from deep_research.report import Report
from deep_research.runs.environment import Environment, build_environment
from deep_research.settings import Settings, load_settings
from deep_research.sources.documents import load_documents
from deep_research.text.cited_sentences import CitedSentence, plain_claim

from .arguments import new_parser

DATA = Path(__file__).with_name("data") / "documents.toml"
LONGEST_REPORT = 300
HEADLINE = 2
RUN = 4
TAKEN = 0.5
_ROLE_LINK = re.compile(r"`([^`<>]+?)\s*<[^<>`]+>`_{1,2}")
_LINE_MARK = re.compile(r"^[ \t]*(?:[#>|]+|[-*+•]|\d{1,3}[.)])[ \t]+", re.MULTILINE)
_ESCAPE = re.compile(r"\\(?=[^\w\s])")
_CELLS = re.compile(r"(?<!\\)\|")
_BESIDE = r"(?:[\s|*`]|\[\^\w+\])+"
"""What stands between the cells of a table."""
_WORD = re.compile(r"[^\W_]+(?:['’.,_-][^\W_]+)*")
_OWN_LINE = re.compile(r"[ \t]*(?:[-*+>|]|\d+[.)])[ \t]|[ \t]{3,}|\.\. ")
_BLOCK = re.compile(r"```.*?(?:```|\Z)|(?:(?!```)[^\n]*\S[^\n]*(?:\n|\Z))+", re.DOTALL)
_ADDRESS = re.compile(r"<?https?://[^\s<>()\[\]`]*[^\s<>()\[\]`.,;:]>?")
_EDGES = ' .:;,…>"“”「」『』'
_PAGE_LINES, _LINE_WIDTH = 60, 92


@dataclass(frozen=True)
class Asked:
    """A question, what counts as its answers (a list of forms each), and the documents that they are in."""

    kind: str
    text: str
    answers: Sequence[Sequence[str]] = ()
    about: Sequence[str] = ()


@dataclass(frozen=True)
class Result:
    """What a report made of one question."""

    asked: Asked
    status: str
    words: int
    found: float | None
    headline: float | None
    quoted: int
    own: int
    broken: tuple[str, ...]

    @property
    def stands(self) -> float | None:
        return None if self.found is None else float(self.found == 1 and self.words <= LONGEST_REPORT)


def main() -> None:
    args = _arguments()
    data = tomllib.loads(DATA.read_text(encoding="utf-8"))
    asked = [Asked(**question) for question in data["questions"]]
    kinds = dict.fromkeys(question.kind for question in asked)
    chosen = [q for kind in kinds for q in [q for q in asked if q.kind == kind][: args.limit]]
    with TemporaryDirectory() as folder:
        build_folder(Path(folder), data["documents"])
        texts = {document.id: document.text for document in load_documents(folder).documents}
        check_answers(asked, texts)
        settings = load_settings({"search.docs": folder, "system": args.system, "scope.clarify": "off"})
        print(results_table(asyncio.run(ask_all(chosen, settings, texts, args.show))))


def build_folder(folder: Path, documents: Mapping[str, Mapping[str, str]]) -> None:
    """Write every document, in the format that its name ends with."""
    for name, source in documents.items():
        text, file = text_of(source["package"], source["path"]), folder / name
        match file.suffix:
            case ".html":
                file.write_text(_as_html(file.stem, text), encoding="utf-8")
            case ".docx":
                _write_docx(file, text)
            case ".pdf":
                _write_pdf(file, text)
            case _:
                file.write_text(text, encoding="utf-8")


def text_of(package: str, path: str) -> str:
    """A text of an installed package: a file of its metadata, or one in site-packages."""
    installed = distribution(package)
    if path == "METADATA":
        return str(message_from_string(installed.read_text(path) or "").get_payload())
    kept = installed.read_text(path)
    return kept if kept else Path(str(installed.locate_file(path))).read_text(encoding="utf-8")


def check_answers(asked: Sequence[Asked], texts: Mapping[str, str]) -> None:
    """Raise ValueError where no accepted form of an answer stands in the document that it is about."""
    for question in asked:
        for forms, name in zip(question.answers, question.about, strict=True):
            pages = [text for key, text in texts.items() if key == name or key.startswith(f"{name}, p.")]
            if not any(says(page, form) for page in pages for form in forms):
                raise ValueError(f"{name} holds none of {list(forms)}")


async def ask_all(
    asked: Sequence[Asked], settings: Settings, texts: Mapping[str, str], show: bool
) -> list[Result]:
    """The results in order; all runs share one index and leave nothing on disk."""
    world = build_environment(settings)
    try:
        return [await _ask(question, settings, world, texts, show) for question in asked]
    finally:
        await world.close()


async def _ask(
    asked: Asked, settings: Settings, world: Environment, texts: Mapping[str, str], show: bool
) -> Result:
    report = await answer_sample(asked.text, settings.system, settings, world)
    result = judge(asked, report, texts)
    if show:
        figures = f"{result.status}, {result.words} words, found {result.found}, headline {result.headline}"
        broken = "".join(f"\nbroken: {quote}" for quote in result.broken)
        print(f"<!-- {asked.text}\n({figures}){broken}\n\n{report.markdown}\n-->\n")
    return result


def judge(asked: Asked, report: Report, texts: Mapping[str, str]) -> Result:
    """All measures of one report."""
    said = [one for section in sections(report.markdown) for one in section.sentences]
    body = [report.markdown[one.start : one.end] for one in said]  # as it stands
    opening = [one for statement in lead(report.markdown) for one in statement][:HEADLINE]
    first = [report.markdown[one.start : one.end] for one in opening]
    firm = [] if lead_denies(report.markdown) else list(takewhile(lambda text: not hedges(text), first))
    kinds = list(_quotes(report, said, texts))
    return Result(
        asked,
        report.status,
        words(report),
        _share(asked, body),
        _share(asked, firm),
        sum(kind != "own" for kind, _ in kinds),
        sum(kind == "own" for kind, _ in kinds),
        tuple(text for kind, text in kinds if kind == "broken"),
    )


def _share(asked: Asked, texts: Sequence[str]) -> float | None:
    """The share of the things asked for that stand in these sentences; None for broad questions."""
    if not asked.answers:
        return None
    there = [any(says(text, form) for text in texts for form in forms) for forms in asked.answers]
    return sum(there) / len(there)


def _quotes(
    report: Report, said: Sequence[CitedSentence], texts: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """Each cited statement (of a table each cell) as `whole`, `broken` or `own`, and its words."""
    pages = {source.number: texts.get(source.citation_key or "", "") for source in report.sources}
    for one in said:
        cited = [form for number in one.numbers if number in pages for form in _forms(pages[number])]
        raw = report.markdown[one.start : one.end]
        for part in (_CELLS.split(raw) if raw.startswith("|") else [raw]) if one.numbers else []:
            yield from _parts(part, cited)


def _parts(text: str, cited: Sequence[str]) -> Iterator[tuple[str, str]]:
    """A statement as one quotation, or what it puts in quotation marks and the words around that."""
    whole = _plain(text)
    if not _WORD.search(whole):
        return
    if _stands(whole, cited) or _is_row(whole, cited):
        yield "whole", whole
        return
    marked = [_plain(match[0]) for match in QUOTED.finditer(text)]
    marked = [quote for quote in marked if len(_WORD.findall(quote)) >= RUN]
    yield from (("whole" if _stands(quote, cited) else "broken", quote) for quote in marked)
    around = _plain(QUOTED.sub(" ", text)) if marked else whole
    if not marked or len(_WORD.findall(around)) >= RUN:
        yield "broken" if _copied(around, cited) >= TAKEN else "own", around


def _stands(text: str, cited: Sequence[str]) -> bool:
    """Whether a cited page holds the text, apart from an introduction before a colon: the report's own words,
    or titles and headings that the page holds as well."""
    begins = [0, *(match.end() for match in re.finditer(r"[:：]\s+", text))]
    for begin in begins:
        own, quote = text[:begin], text[begin:]
        hedge, _, title = own.partition(": ")
        names = [one.strip(_EDGES) for one in (title if hedges(hedge) else own).rsplit(", ", 1)]
        named = all(any(one in page for page in cited) or _copied(one, cited) < TAKEN for one in names)
        is_quote = not own or (len(_WORD.findall(quote)) >= RUN and named)
        if is_quote and any(quote in page for page in cited):
            return True
    return False


def _is_row(text: str, cited: Sequence[str]) -> bool:
    """Whether a text is a table row with its columns' names, and a cited page holds them and its cells."""
    label, _, rest = text.partition("— ")
    told = [re.split(r"[:：]\s+", part, maxsplit=1) for part in re.split(r"[;；]\s+", rest)]
    if any(len(pair) < 2 for pair in told):
        return False
    names, cells = zip(*told, strict=True)
    header, row = (_BESIDE.join(map(re.escape, line)) for line in (names, [label.strip(), *cells]))
    return all(any(re.search(line, page) for page in cited) for line in (header, row))


def _copied(text: str, cited: Sequence[str]) -> float:
    """The share of a text's words that stand in runs of `RUN` or more words of a cited document."""
    own, pages = _spaced(text), [_spaced(page) for page in cited]
    tokens = own.split()
    copied: set[int] = set()
    for start in range(len(tokens) - RUN + 1):
        run = f" {' '.join(tokens[start : start + RUN])} "
        if any(run in page for page in pages):
            copied |= set(range(start, start + RUN))
    return len(copied) / len(tokens) if tokens else 0.0


def _spaced(text: str) -> str:
    return f" {' '.join(_WORD.findall(text.casefold()))} "


def _forms(page: str) -> Iterator[str]:
    """A page's text as it is compared: with the marks that open its lines, and without them."""
    yield _plain(page)
    yield _plain(_LINE_MARK.sub("", page))


def _plain(text: str) -> str:
    """Words with single blanks and without markup, addresses, markers, and punctuation around them."""
    text = _ADDRESS.sub("", _ROLE_LINK.sub(r"\1", _ESCAPE.sub("", text)))
    return re.sub(r"\s+(?=[)\]\"])", "", plain_claim(html.unescape(text))).strip(_EDGES)


def results_table(results: Sequence[Result]) -> str:
    """A row per kind of question, and one over all."""
    kinds = {kind: [r for r in results if r.asked.kind == kind] for kind in _kinds(results)}
    rows = [
        [
            name,
            str(len(group)),
            _mean([r.stands for r in group]),
            _mean([r.found for r in group]),
            _mean([r.headline for r in group]),
            f"{sum(r.words for r in group) / len(group):.0f}",
            str(sum(r.quoted for r in group)),
            str(sum(len(r.broken) for r in group)),
            str(sum(r.own for r in group)),
        ]
        for name, group in {**kinds, "all": list(results)}.items()
    ]
    header = ["question", "n", f"answer stands in at most {LONGEST_REPORT} words", "in any length"]
    header += ["headline right", "words", "quotes", "broken quotes", "own sentences"]
    return markdown_table(header, rows)


def _kinds(results: Sequence[Result]) -> list[str]:
    return list(dict.fromkeys(result.asked.kind for result in results))


def _mean(values: Sequence[float | None]) -> str:
    known = [value for value in values if value is not None]
    return percent(sum(known) / len(known) if known else None)


def _as_html(title: str, text: str) -> str:
    from markdown_it import MarkdownIt

    body = MarkdownIt("commonmark", {"html": True}).enable("table").render(text)
    return f"<!doctype html><html><head><title>{escape(title)}</title></head><body>{body}</body></html>"


def _write_docx(file: Path, text: str) -> None:
    """The least that makes a Word document: headings, and paragraphs whose wrapped lines are joined."""
    body = "".join(_paragraph(line) for block in _BLOCK.findall(text) for line in _lines(block))
    namespace = "http://schemas.openxmlformats.org"
    relation = f"{namespace}/officeDocument/2006/relationships/officeDocument"
    word = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{namespace}/package/2006/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/word/document.xml" ContentType="{word}"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{namespace}/package/2006/relationships">'
        f'<Relationship Id="r1" Type="{relation}" Target="word/document.xml"/></Relationships>',
        "word/document.xml": f'<w:document xmlns:w="{namespace}/wordprocessingml/2006/main">'
        f"<w:body>{body}</w:body></w:document>",
    }
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as package:
        for name, content in parts.items():
            package.writestr(name, f'<?xml version="1.0" encoding="UTF-8"?>{content}')


def _lines(block: str) -> list[str]:
    """The paragraphs of a block: prose is one, of code, lists and the like each line."""
    lines = [line for line in block.splitlines() if line.strip() and not line.startswith("```")]
    if len(lines) == 2 and len(set(lines[1].strip())) == 1:  # a title with its underline
        return [f"# {lines[0].strip()}"]
    if block.startswith(("```", "#")) or any(map(_OWN_LINE.match, lines)):
        return lines
    return [" ".join(line.strip() for line in lines)]


def _paragraph(line: str) -> str:
    marks = len(line) - len(line.lstrip("#"))
    heading = 1 <= marks <= 6 and line[marks : marks + 1] == " "
    style = f'<w:pPr><w:pStyle w:val="Heading{marks}"/></w:pPr>' if heading else ""
    words = escape(line[marks + 1 :] if heading else line)
    return f'<w:p>{style}<w:r><w:t xml:space="preserve">{words}</w:t></w:r></w:p>'


def _write_pdf(file: Path, text: str) -> None:
    """The text in lines of one width, page by page."""
    from matplotlib import rc_context
    from matplotlib.backends.backend_pdf import PdfPages
    from matplotlib.figure import Figure

    lines = [part for line in text.expandtabs().splitlines() for part in _wrapped(line)]
    with rc_context({"pdf.fonttype": 42, "font.family": "monospace", "font.size": 8}), PdfPages(file) as pdf:
        for start in range(0, len(lines), _PAGE_LINES):
            page = Figure(figsize=(8.27, 11.69))
            for row, line in enumerate(lines[start : start + _PAGE_LINES]):
                page.text(0.08, 0.95 - row * 0.0142, line, parse_math=False)
            pdf.savefig(page)


def _wrapped(line: str) -> list[str]:
    return textwrap.wrap(line, _LINE_WIDTH, break_long_words=False, break_on_hyphens=False) or [""]


def _arguments() -> argparse.Namespace:
    parser = new_parser(__doc__)
    parser.add_argument("--system", default="open_deep_research", help="default: %(default)s")
    parser.add_argument("--limit", type=int, help="at most so many questions of each kind")
    parser.add_argument("--show", action="store_true", help="print each report")
    return parser.parse_args()


if __name__ == "__main__":
    main()
