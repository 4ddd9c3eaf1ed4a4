"""Files as Markdown text: one reader per ending, through a kept library with a permissive licence each.

PDF by pypdf, Word by mammoth, HTML by Beautiful Soup and markdownify; they come with the extra `documents`
and are imported only when a file of their kind is read. A reader returns the parts of a file (one per page
for PDF, else one) or raises SkippedDocument with a reason that fits on one line. Whatever a parser throws at
a damaged file ends up as such a reason too: one bad file must not cost the others.
"""

from __future__ import annotations

import logging
import re
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

MAX_BYTES = 50_000_000
MAX_UNPACKED_BYTES = 500_000_000

_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?)\n---[ \t]*(?:\n|\Z)", re.DOTALL)
_NOT_CONTENT = ["script", "style", "noscript", "template", "svg", "iframe", "nav", "footer", "form", "button"]
_DATE_NAMES = ("article:published_time", "datePublished", "citation_publication_date", "dc.date", "date")


class SkippedDocument(Exception):
    """A file that cannot be read; the message says why, on one line."""


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a file that is cited on its own: the whole file, or one page of a PDF (counted from 1)."""

    title: str
    text: str
    page: int | None = None
    published: str | None = None


def convert(path: Path) -> list[Part]:
    """The parts of a file that hold text; raises SkippedDocument."""
    reader = READERS.get(path.suffix.lower())
    if reader is None:
        raise SkippedDocument(f"files ending in {path.suffix or 'nothing'} are not read")
    try:
        if path.stat().st_size > MAX_BYTES:
            raise SkippedDocument(f"is larger than {MAX_BYTES // 1_000_000} MB")
        parts = reader(path.read_bytes(), path.stem)
    except SkippedDocument:
        raise
    except ImportError as error:
        hint = "pip install 'deep-research[documents]'"
        raise SkippedDocument(f"needs the package {error.name}: {hint}") from error
    except Exception as error:  # parsers of foreign formats raise anything, recursion errors included
        raise SkippedDocument(f"cannot be read: {_one_line(error)}") from error
    parts = [part for part in parts if part.text.strip()]
    if not parts:
        raise SkippedDocument("holds no text (a scan has to go through text recognition first)")
    return parts


def iso_date(value: object) -> str | None:
    """The ISO date (or month, or year) that a value starts with, or None."""
    match = re.match(
        r"\d{4}(?:[-/](?:0[1-9]|1[0-2])(?:[-/](?:0[1-9]|[12]\d|3[01]))?)?(?!\d)", str(value or "")
    )
    return match[0].replace("/", "-") if match else None


def clean(text: str) -> str:
    """Text with plain line ends, and without NUL and lone surrogates, which no file could hold again."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")
    return text.encode("utf-8", "ignore").decode("utf-8")


def decode(data: bytes) -> str:
    """The text of a file: UTF-8, or what the byte order mark says, or the most likely other encoding."""
    for encoding in ("utf-8-sig", "utf-16") if data[:2] in (b"\xff\xfe", b"\xfe\xff") else ("utf-8-sig",):
        try:
            return clean(data.decode(encoding))
        except UnicodeDecodeError:
            continue
    from charset_normalizer import from_bytes

    guess = from_bytes(data).best()
    if guess is None:
        raise SkippedDocument("is not text in any known encoding")
    return clean(str(guess))


def _read_text(data: bytes, stem: str) -> list[Part]:
    return [Part(stem, decode(data))]


def _read_markdown(data: bytes, stem: str) -> list[Part]:
    """Markdown; title and date come from its front matter, else the title is the first heading."""
    text = decode(data)
    front = _FRONT_MATTER.match(text)
    fields = dict(re.findall(r"(?m)^(title|date):[ \t]*(.+?)[ \t]*$", front[1])) if front else {}
    body = text[front.end() :] if front else text
    heading = re.search(r"(?m)^#[ \t]+(.+?)[ \t#]*$", body)
    title = fields.get("title", "").strip("\"'") or (heading[1] if heading else stem)
    return [Part(title, body, published=iso_date(fields.get("date", "").strip("\"'")))]


def _read_html(data: bytes, stem: str) -> list[Part]:
    from bs4 import BeautifulSoup

    soup = BeautifulSoup(data, "html.parser")
    title = soup.title.get_text(" ", strip=True) if soup.title else ""
    dates = [
        tag.get("content") for name in _DATE_NAMES for key in ("property", "name", "itemprop")
        for tag in soup.find_all("meta", attrs={key: name})
    ]  # fmt: skip
    for tag in soup(_NOT_CONTENT):
        tag.decompose()
    main = soup.find("main") or soup.find("article") or soup.body or soup
    published = next((date for value in dates if (date := iso_date(value))), None)
    return [Part(title or stem, _markdown(str(main)), published=published)]


def _read_docx(data: bytes, stem: str) -> list[Part]:
    import mammoth

    with zipfile.ZipFile(BytesIO(data)) as package:
        if sum(entry.file_size for entry in package.infolist()) > MAX_UNPACKED_BYTES:
            raise SkippedDocument("unpacks to more than 500 MB")
    text = _markdown(mammoth.convert_to_html(BytesIO(data)).value)
    heading = re.search(r"(?m)^#[ \t]+(.+)$", text)
    return [Part(heading[1] if heading else stem, text)]


def _read_pdf(data: bytes, stem: str) -> list[Part]:
    """One part per page. Words split at a line end are joined; everything else stays as it was printed."""
    with _quiet("pypdf"):
        from pypdf import PdfReader

        reader = PdfReader(BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise SkippedDocument("is protected by a password")
        title = clean(str((reader.metadata and reader.metadata.title) or "")).strip() or stem
        texts = [re.sub(r"(?<=[a-z])-\n(?=[a-z])", "", clean(page.extract_text())) for page in reader.pages]
    return [Part(title, text, page=number) for number, text in enumerate(texts, start=1)]


def _markdown(html: str) -> str:
    from markdownify import markdownify

    text = clean(markdownify(html, heading_style="ATX", bullets="-", strip=["img"]))
    return re.sub(r"\n{3,}", "\n\n", text).strip()


@contextmanager
def _quiet(library: str) -> Iterator[None]:
    """Keep a library's warnings about the insides of a file from the reader, who cannot act on them."""
    logger = logging.getLogger(library)
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(level)


def _one_line(error: Exception) -> str:
    message = " ".join(str(error).split())
    return f"{type(error).__name__}{': ' if message else ''}{message[:120]}"


READERS: dict[str, Callable[[bytes, str], list[Part]]] = {
    ".md": _read_markdown,
    ".markdown": _read_markdown,
    ".txt": _read_text,
    ".text": _read_text,
    ".rst": _read_text,
    ".html": _read_html,
    ".htm": _read_html,
    ".xhtml": _read_html,
    ".pdf": _read_pdf,
    ".docx": _read_docx,
}
