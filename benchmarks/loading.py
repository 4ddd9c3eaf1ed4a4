"""Thirty real documents in eight formats: how long they load, what PDFs glue together, which pages are cut.

    python -m benchmarks.loading

The texts are those of `data/documents.toml`, which installed packages bring with them; six of them are set as
slides, books and sheets. The folder is read twice: what a library has converted is kept by content, so the
second time is that of a later run. A glued word is one that the PDF reader gives and the text has not. At
last a question is asked with short pages only, to see that whatever is cut is named.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
import tomllib
import zipfile
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory

from deep_research.evaluation.samples import markdown_table
from deep_research.runs import aresearch
from deep_research.sources.converters import SkippedDocument, convert_file
from deep_research.sources.documents import load_documents
from deep_research.sources.reading_process import reading_process

from .arguments import new_parser
from .documents import DATA, build_folder, text_of

ANOTHER_FORM = {
    "h11.rst": ".pptx", "pytest_timeout.rst": ".pptx", "websockets.rst": ".epub", "json5.md": ".epub",
    "leap-seconds.txt": ".xlsx", "uri_template.md": ".xlsx",
}  # fmt: skip
QUESTION = "Give me an overview of what these packages are for."
SHORT = 1_500
_CONTAINER = '<container><rootfiles><rootfile full-path="book.opf"/></rootfiles></container>'
_BOOK = (
    '<package><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest>'
    '<spine><itemref idref="a"/></spine></package>'
)


def main() -> int:
    """Print the tables; 1 if a document cannot be read or a cut is not named."""
    new_parser(__doc__).parse_args()
    sources = tomllib.loads(DATA.read_text(encoding="utf-8"))["documents"]
    with TemporaryDirectory() as temporary:
        home, folder = Path(temporary, "home"), Path(temporary, "documents")
        folder.mkdir()
        os.environ["DEEP_RESEARCH_HOME"] = str(home)
        build_folder(folder, {name: of for name, of in sources.items() if name not in ANOTHER_FORM})
        for name, ending in ANOTHER_FORM.items():
            write(folder / Path(name).with_suffix(ending).name, text_of(**sources[name]))
        first, second = timed(folder), timed(folder)
        print(loading_table(folder, first, second))
        print(glued_table(folder, sources))
        cut, named = asyncio.run(cut_pages(folder))
        print(f"Where {SHORT:,} characters of a page are read, {cut} cited ones were cut and {named} named.")
    return int(len(first) < len(sources) or named < cut)


def write(file: Path, text: str) -> None:
    """A text as slides (one a paragraph, twelve at most), a book of one chapter, or a sheet of lines."""
    if file.suffix == ".pptx":
        from pptx import Presentation

        deck = Presentation()
        for part in [part for part in text.split("\n\n") if part.strip()][:12]:
            slide = deck.slides.add_slide(deck.slide_layouts[1])
            slide.shapes.title.text, _, slide.placeholders[1].text = part.partition("\n")
        deck.save(str(file))
    elif file.suffix == ".xlsx":
        from openpyxl import Workbook

        book = Workbook()
        for line in text.splitlines():
            book.active.append([line.lstrip("=+-@")])
        book.save(file)
    else:
        with zipfile.ZipFile(file, "w") as book:
            book.writestr("META-INF/container.xml", _CONTAINER)
            book.writestr("book.opf", _BOOK)
            book.writestr("a.xhtml", f"<html><body><pre>{escape(text)}</pre></body></html>")


def timed(folder: Path) -> dict[str, float]:
    """Seconds that each file takes in one process, as a folder is read; the first loads its kind's library.

    A file that cannot be read is missing.
    """
    found = {}
    with reading_process() as process:
        for file in sorted(folder.iterdir()):
            begun = time.perf_counter()
            with suppress(SkippedDocument):
                convert_file(file, process)
                found[file.name] = time.perf_counter() - begun
    return found


def loading_table(folder: Path, first: Mapping[str, float], second: Mapping[str, float]) -> str:
    """A line per format: files, and seconds the first and the second time."""
    endings = Counter(Path(name).suffix for name in first)
    lines = []
    for ending, n in sorted(endings.items()):
        spent = [sum(t for name, t in of.items() if name.endswith(ending)) for of in (first, second)]
        lines.append([ending[1:], str(n), *(f"{seconds:.2f}" for seconds in spent)])
    lines.append(["all", str(len(first)), f"{sum(first.values()):.2f}", f"{sum(second.values()):.2f}"])
    return markdown_table(["format", "files", "first time (s)", "second time (s)"], lines, names=1)


def glued_table(folder: Path, sources: Mapping[str, Mapping[str, str]]) -> str:
    """A line per PDF: its words, and how many of them the text does not have."""
    lines = []
    for name in (name for name in sources if name.endswith(".pdf")):
        known = set(text_of(**sources[name]).split())
        read = " ".join(part.text for part in convert_file(folder / name)).split()
        glued = sum(word not in known for word in read)
        lines.append([name, f"{len(read):,}", str(glued), f"{100 * glued / len(read):.1f} %"])
    return markdown_table(["PDF", "words", "glued or broken", "share"], lines, names=1)


async def cut_pages(folder: Path) -> tuple[int, int]:
    """How many of the pages cited are longer than what is read of them, and how many of these are named."""
    settings = {
        "search.docs": str(folder), "limits.max_content_length": SHORT, "limits.summarize_above": 10 * SHORT,
        "system": "shallow_researcher",
    }  # fmt: skip
    report = await aresearch(QUESTION, settings=settings, keep=False)
    long = {one.id: one.title for one in load_documents(folder).documents if len(one.text) > SHORT}
    cited = [source for source in report.cited if source.citation_key in long]
    named = " ".join(gap.message for gap in report.gaps if gap.kind == "page_cut")
    return len(cited), sum(long[str(source.citation_key)] in named for source in cited)


if __name__ == "__main__":
    sys.exit(main())
