"""Documents that are made to cost much, to reach further than their folder, or to break their reader."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

_RELATIONS = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship '
    'Id="r" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" '
    'Target="{}"/></Relationships>'
)
_TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" '
    'ContentType="application/xml"/><Default Extension="rels" '
    'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>{}</Types>'
)
_WORD = '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>'
_PARAGRAPH = "<w:p><w:r><w:t>{}</w:t></w:r></w:p>"
_SHEETS = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_LAUGHS = (
    '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a0 "ha">'
    + "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 12))
    + "]>"
)
_OUTSIDE = '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a SYSTEM "file:///etc/passwd">]>'


def _zipped(**files: str | bytes) -> bytes:
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as package:
        for name, content in files.items():
            package.writestr(name.replace("__", "/"), content)
    return packed.getvalue()


def _word(body: str, head: str = "") -> bytes:
    return _zipped(**{
        "[Content_Types].xml": _TYPES.format(""),
        "_rels/.rels": _RELATIONS.format("word/document.xml"),
        "word/document.xml": f"{head}{_WORD}{body}</w:body></w:document>",
    })  # fmt: skip


def _sheet(rows: str, size: str = "A1:B2") -> bytes:
    space = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    return _zipped(**{
        "[Content_Types].xml": _TYPES.format(
            f'<Override PartName="/xl/workbook.xml" ContentType="{_SHEETS}.sheet.main+xml"/>'
            f'<Override PartName="/xl/s.xml" ContentType="{_SHEETS}.worksheet+xml"/>'
        ),
        "_rels/.rels": _RELATIONS.format("xl/workbook.xml"),
        "xl/_rels/workbook.xml.rels": _RELATIONS.format("s.xml").replace("officeDocument\"", "worksheet\""),
        "xl/workbook.xml": f'<workbook xmlns="{space}" xmlns:r="http://schemas.openxmlformats.org/officeDocument'
        '/2006/relationships"><sheets><sheet name="S" sheetId="1" r:id="r"/></sheets></workbook>',
        "xl/s.xml": f'<worksheet xmlns="{space}"><dimension ref="{size}"/>'
        f"<sheetData>{rows}</sheetData></worksheet>",
    })  # fmt: skip


def _book(chapter: str | bytes, href: str = "a.xhtml", times: int = 1) -> bytes:
    manifest, spine = f'<item id="a" href="{href}"/>', '<itemref idref="a"/>' * times
    return _zipped(**{
        "META-INF/container.xml": '<container><rootfile full-path="b.opf"/></container>',
        "b.opf": f"<package><manifest>{manifest}</manifest><spine>{spine}</spine></package>",
        "a.xhtml": chapter,
    })  # fmt: skip


def _pdf(objects: list[str]) -> bytes:
    body = b"%PDF-1.4\n" + "".join(f"{n} 0 obj {o} endobj\n" for n, o in enumerate(objects, 1)).encode()
    return body + b"trailer << /Root 1 0 R >>\n%%EOF"


_PDF_ROOT = "<< /Type /Catalog /Pages 2 0 R >>"
DOCUMENTS: dict[str, tuple[str, Callable[[], bytes]]] = {
    "harmless": (".txt", lambda: b"Nothing special."),
    "Word, entities in entities": (".docx", lambda: _word(_PARAGRAPH.format("&a11;"), _LAUGHS)),
    "Word, a file of this machine": (".docx", lambda: _word(_PARAGRAPH.format("&a;"), _OUTSIDE)),
    "Word, 1 GB packed": (".docx", lambda: _word(" " * 10**9)),
    "Word, 100,000 deep": (".docx", lambda: _word("<w:sdt>" * 10**5 + "</w:sdt>" * 10**5)),
    "Word, 300,000 paragraphs": (".docx", lambda: _word(_PARAGRAPH.format("a") * 300_000)),
    "Word, broken directory": (".docx", lambda: _word("a").replace(b"PK\x01\x02", b"PK\x01\x03")),
    "sheet, its very last cell": (
        ".xlsx",
        lambda: _sheet('<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'),
    ),
    "sheet, said to be full": (".xlsx", lambda: _sheet("<row><c><v>1</v></c></row>", "A1:XFD1048576")),
    "sheet, 3 million cells": (
        ".xlsx",
        lambda: _sheet(("<row>" + "<c><v>1</v></c>" * 100 + "</row>") * 30_000),
    ),
    "book, a chapter 100,000 times": (".epub", lambda: _book("<p>Hello.</p>", times=100_000)),
    "book, outside its package": (".epub", lambda: _book("a", href="../../../../etc/passwd")),
    "book, entities in entities": (".epub", lambda: _book(f"{_LAUGHS}<p>&a11;</p>")),
    "PDF, pages in a circle": (
        ".pdf",
        lambda: _pdf([_PDF_ROOT, "<< /Type /Pages /Kids [2 0 R] /Count 1000000 >>"]),
    ),
    "PDF, a page 100,000 times": (
        ".pdf",
        lambda: _pdf([
            _PDF_ROOT,
            f"<< /Type /Pages /Kids [{'3 0 R ' * 10**5}] /Count 100000 >>",
            "<< /Type /Page /Parent 2 0 R >>",
        ]),
    ),
    "PDF, cut": (".pdf", lambda: b"%PDF-1.7\n" + b"\0" * 10**6),
    "HTML, 500,000 deep": (".html", lambda: b"<div>" * 500_000),
    "HTML, a million attributes": (".html", lambda: b"<p " + b"a='b' " * 10**6 + b">x"),
    "HTML, 200,000 hidden": (".html", lambda: b"<p style='display:none'>x</p>" * 200_000 + b"<p>seen</p>"),
    "HTML, tables in tables": (".html", lambda: b"<table><tr><td>" * 20_000),
    "Markdown, 30 MB of brackets": (".md", lambda: b"[" * 30_000_000),
    "reStructuredText, 1 MB of ticks": (".rst", lambda: b"`<" * 500_000),
    "text, 49 MB in one line": (".txt", lambda: b"a " * 24_500_000),
    "text, 51 MB": (".txt", lambda: b"a" * 51_000_000),
    "text, no encoding": (".txt", lambda: bytes(range(128, 256)) * 8_000),
    "CSV, a quote never closed": (".csv", lambda: b'a,b\n"' + b"x,\n" * 5_000_000),
    "JSONL, 100,000 deep": (".jsonl", lambda: b'{"text": ' + b"[" * 100_000 + b"\n"),
    "JSONL, a line of 100 MB": (".jsonl", lambda: b'{"text": "' + b"a" * 10**8 + b'"}\n'),
}  # fmt: skip
"""What is laid into a folder: its ending, and its bytes."""


def lay_down(name: str, folder: Path) -> None:
    """Put a document into a folder, and a pipe that nobody writes to beside it."""
    ending, content = DOCUMENTS[name]
    folder.joinpath(f"hostile{ending}").write_bytes(content())
    os.mkfifo(folder / "pipe.txt")
