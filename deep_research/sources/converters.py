"""Files as Markdown text: one reader per ending, through a kept library with a permissive licence each.

PDF by pypdfium2, Word by mammoth, PowerPoint by python-pptx, Excel by openpyxl, HTML and the chapters of an
EPUB by Beautiful Soup and markdownify; they come with the extra `documents` and are imported only when a file
of their kind is read, in a process of its own where there is one. A reader returns the parts of a file (one
per page, slide or chapter, else one) or raises SkippedDocument with a reason that fits on one line. Whatever
a parser throws at a damaged file ends up as such a reason too: one bad file must not cost the others.

What a library has converted is kept under `converted/` in the home folder, by the file's content and the code
that reads it: the second run reads it from there, and a changed file is converted again.
"""

from __future__ import annotations

import csv
import json
import posixpath
import re
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cache
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from deep_research.core.errors import RunError
from deep_research.core.extras import install_line
from deep_research.engine.store import write_text
from deep_research.settings import home_folder
from deep_research.text.data import decoded
from deep_research.text.fence import without_inlined_images
from deep_research.text.hidden import without_hidden_text

from .plain_text import plain_text_to_markdown
from .reading_process import BrokenOff, ReadingProcess, answer_paths
from .restructured_text import restructured_text_to_markdown

MAX_BYTES = 50_000_000
MAX_UNPACKED_BYTES = 500_000_000

_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?)\n---[ \t]*(?:\n|\Z)", re.DOTALL)
_FENCED = re.compile(r"^```.*?(?:^```|\Z)", re.DOTALL | re.MULTILINE)
_LONGEST = 500
"""Characters of a heading that are read as a title."""
_MARKUP = re.compile(r"!?\[([^\[\]]*)\]\([^()]*\)|\|[^|\s](?:[^|]*[^|\s])?\||\\(?=\W)")
"""Links, of which a title keeps the words, pictures' short names, and what keeps a mark from being one."""
_NOT_CONTENT = "nav, footer, form, button, object, audio, video, canvas, annotation"
_RUNNING = 3  # pages on which a line at the edge is a running head
_LONG_BLANK = re.compile(r"\s{200,}")
_DATE_NAMES = ("article:published_time", "datePublished", "citation_publication_date", "dc.date", "date")


class SkippedDocument(Exception):
    """A file that cannot be read; the message says why, on one line."""


@dataclass(frozen=True, slots=True)
class DocumentPart:
    """A piece of a file that is cited on its own: the whole file, or a page, slide or chapter (from 1 on)."""

    title: str
    text: str
    page: int | None = None
    published: str | None = None


Reader = Callable[[bytes, str], list[DocumentPart]]


def convert_file(path: Path, process: ReadingProcess | None = None) -> list[DocumentPart]:
    """The parts of a file that hold text; raises SkippedDocument. Libraries read it in `process`, or here."""
    if path.suffix.lower() not in READERS:
        ending = f"ending in {path.suffix}" if path.suffix else "without an ending"
        raise SkippedDocument(f"files {ending} are not read")
    try:
        if path.stat().st_size > MAX_BYTES:
            raise SkippedDocument(f"is larger than {MAX_BYTES // 1_000_000} MB")
    except OSError as error:
        raise SkippedDocument(f"cannot be read: {_one_line(error)}") from error
    parts = _read_here(path) if path.suffix.lower() in _AS_IT_IS else _converted(path, process)
    if found := [part for part in parts if part.text.strip()]:
        return found
    no_text = "holds no text (a scan has to go through text recognition first)"
    raise SkippedDocument(no_text if path.stat().st_size else "is empty")


def _read_here(path: Path) -> list[DocumentPart]:
    """The parts of a file as its reader gives them; whatever the reader raises is a reason to skip it."""
    try:
        return READERS[path.suffix.lower()](path.read_bytes(), path.stem)
    except SkippedDocument:
        raise
    except ImportError as error:
        raise SkippedDocument(f"needs the package {error.name}: {install_line('documents')}") from error
    except RecursionError as error:
        raise SkippedDocument("is nested too deeply") from error
    except MemoryError as error:
        raise SkippedDocument("takes too much memory") from error
    except Exception as error:  # parsers of foreign formats raise anything
        raise SkippedDocument(f"cannot be read: {_one_line(error)}") from error


def _converted(path: Path, process: ReadingProcess | None) -> list[DocumentPart]:
    """The parts of a file that a library reads; those of a file that was read before are kept."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise SkippedDocument(f"cannot be read: {_one_line(error)}") from error
    name = sha256(b"\0".join([_code(), f"{path.suffix.lower()} {path.stem}".encode(), data])).hexdigest()
    kept = home_folder() / "converted" / f"{name}.json"
    with suppress(OSError, ValueError, TypeError):
        return _parts(json.loads(kept.read_text(encoding="utf-8")))
    try:
        parts = _parts(process.read(path)) if process else _read_here(path)
    except BrokenOff as error:
        raise SkippedDocument(str(error)) from error
    with suppress(OSError, RunError):  # a folder that takes nothing costs the time of the next run
        write_text(kept, json.dumps(_answer(parts), ensure_ascii=False))
    return parts


def _answer(parts: Iterable[DocumentPart]) -> dict[str, Any]:
    return {"parts": [asdict(part) for part in parts]}


def _parts(answer: dict[str, Any]) -> list[DocumentPart]:
    if "skipped" in answer:
        raise SkippedDocument(answer["skipped"])
    return [DocumentPart(**part) for part in answer["parts"]]


def _answer_for(path: Path) -> dict[str, Any]:
    """What the process answers for a path."""
    try:
        return _answer(_read_here(path))
    except SkippedDocument as error:
        return {"skipped": str(error)}


@cache
def _code() -> bytes:
    return sha256(Path(__file__).read_bytes()).digest()


def iso_date(value: object) -> str | None:
    """The ISO date (or month, or year) that a value starts with, or None."""
    match = re.match(
        r"\d{4}(?:[-/](?:0[1-9]|1[0-2])(?:[-/](?:0[1-9]|[12]\d|3[01]))?)?(?!\d)", str(value or "")
    )
    return match[0].replace("/", "-") if match else None


def clean_text(text: str) -> str:
    """Text with plain line ends, without inlined images, and without NUL and lone surrogates.

    No file could hold the last two again.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")
    return without_inlined_images(text.encode("utf-8", "ignore").decode("utf-8"))


_ENCODINGS = (
    "cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "cp1258", "koi8_r",
    "cp932", "euc_jp", "iso2022_jp", "gb18030", "big5", "cp949", "utf_16", "utf_32", "utf_16_le", "utf_16_be",
)  # fmt: skip
"""Encodings that text files of the last thirty years have; in those before, few bytes look like others."""


def decode_bytes(data: bytes) -> str:
    """The text of a file: UTF-8, or what the byte order mark says, or the most likely other encoding."""
    with suppress(UnicodeDecodeError):
        return clean_text(decoded(data))
    from charset_normalizer import from_bytes

    guesses = from_bytes(data, cp_isolation=[*_ENCODINGS]) or from_bytes(data)
    best = guesses.best()
    if best is None:
        raise SkippedDocument("is not text in any known encoding")
    as_good = (one for one in guesses if one.chaos <= best.chaos and one.coherence >= best.coherence)
    western = next((one for one in as_good if "cp1252" in one.could_be_from_charset), best)
    return clean_text(str(western))


def _read_text(data: bytes, stem: str) -> list[DocumentPart]:
    return [DocumentPart(stem, plain_text_to_markdown(decode_bytes(data)))]


def _read_restructured_text(data: bytes, stem: str) -> list[DocumentPart]:
    text = restructured_text_to_markdown(decode_bytes(data))
    return [DocumentPart(_title(text, stem), text)]


def _read_markdown(data: bytes, stem: str) -> list[DocumentPart]:
    """Markdown; title and date come from its front matter, else the title is the first heading."""
    text = decode_bytes(data)
    front = _FRONT_MATTER.match(text)
    fields = dict(re.findall(r"(?m)^(title|date):(.*)$", front[1])) if front else {}
    title, date = (fields.get(name, "").strip().strip("\"'") for name in ("title", "date"))
    body = without_hidden_text(text[front.end() :] if front else text)
    return [DocumentPart(title or _title(body, stem), body, published=iso_date(date))]


def _title(markdown: str, stem: str) -> str:
    """The words of the only heading of the first level; else the file's name, unless that is a "readme": the
    first one of several heads a part ("Installation")."""
    lines = re.findall(r"^#[ \t].*", _FENCED.sub("", markdown), re.MULTILINE)
    headings = [one for line in lines if (one := _MARKUP.sub(r"\1", line[:_LONGEST]).strip(" \t#"))]
    only = len(headings) == 1 or stem.lower() in {"readme", "index"}
    return headings[0] if headings and only else stem


def _read_html(data: bytes, stem: str) -> list[DocumentPart]:
    from bs4 import BeautifulSoup

    soup = BeautifulSoup(data, "lxml")
    title = soup.title.get_text(" ", strip=True) if soup.title else ""
    dates = [
        tag.get("content") for name in _DATE_NAMES for key in ("property", "name", "itemprop")
        for tag in soup.find_all("meta", attrs={key: name})
    ]  # fmt: skip
    soup = BeautifulSoup(without_hidden_text(str(soup), markdown=False), "lxml")
    for tag in soup.select(_NOT_CONTENT):
        tag.decompose()
    main = soup.find("main") or soup.find("article") or soup.body or soup
    published = next((date for value in dates if (date := iso_date(value))), None)
    text = _markdown(str(main))
    return [DocumentPart(title or _title(text, stem), text, published=published)]


def _read_docx(data: bytes, stem: str) -> list[DocumentPart]:
    import mammoth

    _package(data)
    text = _markdown(mammoth.convert_to_html(BytesIO(data)).value)
    return [DocumentPart(_title(text, stem), text)]


def _read_pdf(data: bytes, stem: str) -> list[DocumentPart]:
    """One part per page. Words split at a line end are joined, running heads stand by themselves."""
    from pypdfium2 import PdfDocument, PdfiumError
    from pypdfium2.raw import FPDF_ERR_PASSWORD

    try:
        document = PdfDocument(data)
    except PdfiumError as error:
        if error.err_code == FPDF_ERR_PASSWORD:
            raise SkippedDocument("is protected by a password") from error
        raise
    with document:
        title = clean_text(document.get_metadata_dict().get("Title", "")).strip() or stem
        texts = [clean_text(page.get_textpage().get_text_bounded()) for page in document]
    return [
        DocumentPart(title, re.sub(r"\ufffe\n?|(?<=[a-z])-\n(?=[a-z])", "", text), page=number)
        for number, text in enumerate(with_edges_set_apart(texts), start=1)
    ]


def with_edges_set_apart(pages: Sequence[str]) -> list[str]:
    """The pages, with a blank line beside a first or last line that many have: a running head, a page number.

    It is no part of the sentence beside it. Figures may differ.
    """
    lines = [page.strip("\n").split("\n") for page in pages]
    for edge in (0, -1):
        bare = [re.sub(r"\d+", "0", one[edge]).strip() for one in lines]
        count = Counter(bare)
        for one, line in zip(lines, bare, strict=True):
            if line and count[line] >= _RUNNING and len(one) > 1:
                one.insert(edge or 1, "")
    return ["\n".join(one) for one in lines]


def _read_pptx(data: bytes, stem: str) -> list[DocumentPart]:
    """One part per slide: its title, its texts and tables in their order, the speaker's notes."""
    from pptx import Presentation

    _package(data)
    deck = Presentation(BytesIO(data))
    parts = []
    for number, slide in enumerate(deck.slides, start=1):
        head = slide.shapes.title
        title = head.text_frame.text.strip() if head else ""
        texts = [f"# {title}" if title else ""]
        others = [shape for shape in slide.shapes if not head or shape.shape_id != head.shape_id]
        texts += [text for shape in others for text in _shape(shape)]
        if slide.has_notes_slide and slide.notes_slide.notes_text_frame:
            texts.append(slide.notes_slide.notes_text_frame.text)
        text = clean_text("\n\n".join(filter(None, map(str.strip, texts))))
        parts.append(DocumentPart(title or stem, text, page=number))
    return parts


def _shape(shape: Any) -> Iterator[str]:
    """The texts of a slide's shape, those of a group one by one."""
    if hasattr(shape, "shapes"):
        for inner in shape.shapes:
            yield from _shape(inner)
    elif shape.has_text_frame:
        yield shape.text_frame.text
    elif shape.has_table:
        yield _table([cell.text for cell in row.cells] for row in shape.table.rows)


def _read_xlsx(data: bytes, stem: str) -> list[DocumentPart]:
    """One part, with a heading and a table for each sheet; a formula stands with the value last saved."""
    from openpyxl import load_workbook

    _package(data)
    book = load_workbook(BytesIO(data), read_only=True, data_only=True)
    sheets = ((sheet.title, _table(sheet.iter_rows(values_only=True))) for sheet in book.worksheets)
    text = "\n\n".join(f"## {name}\n\n{table}" for name, table in sheets if table)
    return [DocumentPart(book.properties.title or stem, clean_text(text))]


def _read_csv(data: bytes, stem: str) -> list[DocumentPart]:
    text = decode_bytes(data)
    try:
        dialect: Any = csv.Sniffer().sniff(text[:10_000], delimiters=",;\t|")
    except csv.Error:
        dialect = csv.excel
    return [DocumentPart(stem, _table(csv.reader(text.splitlines(), dialect)))]


def _read_epub(data: bytes, stem: str) -> list[DocumentPart]:
    """One part per chapter, in the order in which the book is read."""
    from bs4 import BeautifulSoup

    with _package(data) as package:
        container = BeautifulSoup(package.read("META-INF/container.xml"), "html.parser")
        root = str(container.find("rootfile")["full-path"])  # type: ignore[index]
        book = BeautifulSoup(package.read(root), "html.parser")
        title = book.find("dc:title")
        date = book.find("dc:date")
        files = {str(item.get("id")): unquote(str(item.get("href"))) for item in book.find_all("item")}
        names = [files[str(entry.get("idref"))] for entry in book.find_all("itemref")]
        chapters = [package.read(posixpath.join(posixpath.dirname(root), name)) for name in names]
    about = title.get_text(strip=True) if title else stem
    published = iso_date(date.get_text(strip=True)) if date else None
    texts = [_read_html(chapter, about)[0].text for chapter in chapters]
    return [DocumentPart(about, text, n, published) for n, text in enumerate(texts, start=1)]


def _package(data: bytes) -> zipfile.ZipFile:
    """A zip file that unpacks to no more than it should."""
    package = zipfile.ZipFile(BytesIO(data))
    if sum(entry.file_size for entry in package.infolist()) > MAX_UNPACKED_BYTES:
        raise SkippedDocument("unpacks to more than 500 MB")
    return package


def _table(rows: Iterable[Iterable[object]]) -> str:
    """Rows as a Markdown table with the first as header; empty rows and columns are left out."""
    cells = [["" if cell is None else " ".join(str(cell).split()) for cell in row] for row in rows]
    cells = [row for row in cells if any(row)]
    width = max((place for row in cells for place, cell in enumerate(row, start=1) if cell), default=0)
    used = [place for place in range(width) if any(place < len(row) and row[place] for row in cells)]
    lines = [
        "| " + " | ".join(row[n].replace("|", "\\|") if n < len(row) else "" for n in used) + " |"
        for row in cells
    ]
    return "\n".join([*lines[:1], "|" + " --- |" * len(used), *lines[1:]]) if lines else ""


def _markdown(html: str) -> str:
    from markdownify import markdownify

    html = _LONG_BLANK.sub(lambda blank: "\n\n" if "\n" in blank[0] else " ", html)
    text = clean_text(markdownify(html, heading_style="ATX", bullets="-", strip=["img"]))
    return re.sub(r"\n{3,}", "\n\n", text).strip()


def _one_line(error: Exception) -> str:
    message = " ".join(str(error).split())
    return f"{type(error).__name__}{': ' if message else ''}{message[:120]}"


READERS: dict[str, Reader] = {
    ".md": _read_markdown,
    ".markdown": _read_markdown,
    ".txt": _read_text,
    ".text": _read_text,
    ".rst": _read_restructured_text,
    ".html": _read_html,
    ".htm": _read_html,
    ".xhtml": _read_html,
    ".pdf": _read_pdf,
    ".docx": _read_docx,
    ".pptx": _read_pptx,
    ".xlsx": _read_xlsx,
    ".csv": _read_csv,
    ".tsv": _read_csv,
    ".epub": _read_epub,
}
_AS_IT_IS = (".md", ".markdown", ".txt", ".text", ".rst", ".csv", ".tsv")
_PLACES = {".pptx": "slide ", ".epub": "ch."}


def place_of(path: Path | str, number: int) -> str:
    """How a part of a file is named where it is cited: "p.3", "slide 3", "ch.3"."""
    return f"{_PLACES.get(Path(path).suffix.lower(), 'p.')}{number}"


if __name__ == "__main__":
    answer_paths(_answer_for)
