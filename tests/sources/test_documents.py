"""Promises of `--docs`: what is read, how it is cited, what is left out and why."""

from __future__ import annotations

import json
import os
import tracemalloc
import zipfile
from pathlib import Path

import pytest

from deep_research.core.errors import DocumentsError
from deep_research.settings import home_folder
from deep_research.sources.converters import with_edges_set_apart
from deep_research.sources.documents import LoadedDocuments, listing, load_documents


def pdf(pages: list[str]) -> bytes:
    """A minimal PDF with one line of text per page."""
    kids = " ".join(f"{4 + 2 * n} 0 R" for n in range(len(pages)))
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>"]
    objects.append("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
    for n, text in enumerate(pages):
        stream = f"BT /F1 12 Tf 72 700 Td ({text}) Tj ET"
        resources = f"/Resources << /Font << /F1 3 0 R >> >> /Contents {5 + 2 * n} 0 R"
        objects.append(f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] {resources} >>")
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
    body, offsets = "%PDF-1.4\n", []
    for number, content in enumerate(objects, start=1):
        offsets.append(len(body))
        body += f"{number} 0 obj\n{content}\nendobj\n"
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    size = len(objects) + 1
    end = f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer\n<< /Size {size} /Root 1 0 R >>"
    return f"{body}{end}\nstartxref\n{len(body)}\n%%EOF\n".encode()


def docx(path: Path, paragraph: str) -> None:
    """A minimal Word file with one paragraph."""
    office = "http://schemas.openxmlformats.org"
    main = f"{office}/wordprocessingml/2006/main"
    with zipfile.ZipFile(path, "w") as package:
        package.writestr(
            "[Content_Types].xml",
            f'<Types xmlns="{office}/package/2006/content-types"><Default Extension="xml" '
            'ContentType="application/xml"/></Types>',
        )
        package.writestr(
            "_rels/.rels",
            f'<Relationships xmlns="{office}/package/2006/relationships"><Relationship Id="r1" '
            f'Type="{office}/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/>'
            "</Relationships>",
        )
        text = f"<w:p><w:r><w:t>{paragraph}</w:t></w:r></w:p>"
        package.writestr(
            "word/document.xml", f'<w:document xmlns:w="{main}"><w:body>{text}</w:body></w:document>'
        )


def epub(path: Path, chapters: list[str]) -> None:
    """A minimal book."""
    names = [f"text/{n} x.xhtml" for n in range(len(chapters))]
    items = "".join(f'<item id="c{n}" href="{name.replace(" ", "%20")}"/>' for n, name in enumerate(names))
    order = "".join(f'<itemref idref="c{n}"/>' for n in range(len(chapters)))
    about = "<dc:title>On keels</dc:title><dc:date>2041-05</dc:date>"
    with zipfile.ZipFile(path, "w") as package:
        package.writestr(
            "META-INF/container.xml", '<container><rootfile full-path="OPS/book.opf"/></container>'
        )
        package.writestr(
            "OPS/book.opf",
            f"<package><metadata>{about}</metadata><manifest>{items}</manifest><spine>{order}</spine></package>",
        )
        for name, chapter in zip(names, chapters, strict=True):
            package.writestr(f"OPS/{name}", f"<html><body>{chapter}</body></html>")


def pptx(path: Path) -> None:
    """One slide with a title, a text, a table and notes."""
    from pptx import Presentation
    from pptx.util import Inches

    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[1])
    slide.shapes.title.text = "Keels"
    slide.placeholders[1].text = "They are long."
    table = slide.shapes.add_table(2, 2, Inches(1), Inches(3), Inches(4), Inches(1)).table
    for n, text in enumerate(("Keel", "m", "Tarn", "90")):
        table.cell(n // 2, n % 2).text = text
    slide.notes_slide.notes_text_frame.text = "Say it slowly."
    deck.save(str(path))


def xlsx(path: Path, rows: list[list[object]]) -> None:
    """One sheet."""
    from openpyxl import Workbook

    book = Workbook()
    sheet = book.active
    sheet.title = "Masts"
    for row in rows:
        sheet.append(row)
    book.save(path)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "docs"
    (root / "sub").mkdir(parents=True)
    (root / "b.md").write_text("---\ntitle: Keels\ndate: 2041-05-06\n---\n# Heading\n\nA keel is long.\n")
    (root / "sub" / "a.txt").write_bytes(
        "Die Längen der Kiele sind größer als früher üblich.".encode("cp1252")
    )
    (root / "page.html").write_text(
        "<html><head><title>Masts</title><meta property='article:published_time' content='2040-02-03T10:00'>"
        "<script>bad()</script></head><body><nav>Menu</nav><main><h1>Masts</h1><p>They are <b>tall</b>.</p>"
        "<table><tr><th>Mast</th><th>m</th></tr><tr><td>Tarn</td><td>90</td></tr></table></main></body></html>"
    )
    (root / "report.pdf").write_bytes(pdf(["First page.", "", "The third page names Korvane."]))
    docx(root / "letter.docx", "Dear captain, the hull is ready.")
    return root


def by_key(loaded: LoadedDocuments) -> dict[str, str]:
    return {str(document.citation_key): document.text for document in loaded.documents}


def test_docs_folder_is_read_in_order_and_cited_by_path_and_page(folder: Path) -> None:
    loaded = load_documents(folder)
    texts = by_key(loaded)
    assert list(texts) == [
        "b.md",
        "letter.docx",
        "page.html",
        "report.pdf, p.1",
        "report.pdf, p.3",
        "sub/a.txt",
    ]
    assert "hull is ready" in texts["letter.docx"] and "Korvane" in texts["report.pdf, p.3"]
    assert "größer als früher" in texts["sub/a.txt"]
    assert "**tall**" in texts["page.html"] and "| Tarn | 90 |" in texts["page.html"]
    assert "Menu" not in texts["page.html"] and "bad()" not in texts["page.html"]
    first, page = loaded.documents[0], loaded.documents[4]
    assert (first.title, first.published, first.kind, first.id) == ("Keels", "2041-05-06", "document", "b.md")
    assert page.page == 3 and loaded.documents[2].published == "2040-02-03"
    assert loaded.skipped == []


def test_docs_reads_slides_sheets_tables_and_books(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("Kiel;Länge\n;\nTarn;90\nOrm;1,5\n", encoding="cp1252")
    epub(tmp_path / "b.epub", ["<h1>One</h1><p>Keels are <b>long</b>.</p>", "<p>Masts are tall.</p>"])
    pptx(tmp_path / "c.pptx")
    xlsx(tmp_path / "d.xlsx", [["Mast", None, "Height | m"], [None] * 3, ["Tarn", None, 90.5]])
    loaded = load_documents(tmp_path)
    assert by_key(loaded) == {
        "a.csv": "| Kiel | Länge |\n| --- | --- |\n| Tarn | 90 |\n| Orm | 1,5 |",
        "b.epub, ch.1": "# One\n\nKeels are **long**.",
        "b.epub, ch.2": "Masts are tall.",
        "c.pptx, slide 1": (
            "# Keels\n\nThey are long.\n\n| Keel | m |\n| --- | --- |\n| Tarn | 90 |\n\nSay it slowly."
        ),
        "d.xlsx": "## Masts\n\n| Mast | Height \\| m |\n| --- | --- |\n| Tarn | 90.5 |",
    }
    assert [(d.title, d.published) for d in loaded.documents[1:4]] == [
        ("On keels", "2041-05"), ("On keels", "2041-05"), ("Keels", None),
    ]  # fmt: skip
    assert [entry.key for entry in listing(loaded.documents)] == ["a.csv", "b.epub", "c.pptx", "d.xlsx"]


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("Der Königsturm in München ist 42 Meter hoch. Er wurde 1883 gebaut.", "cp1252"),
        ("El señor Núñez nació en 1950 en España.", "latin-1"),
        ("Wysokość wieży wynosi 42 metry. Została zbudowana w 1883 roku.", "cp1250"),
        ("Башня высотой 42 метра построена в 1883 году в Москве.", "cp1251"),
        ("东京塔高333米,建于1958年。这座塔很有名。", "gb18030"),
        ("東京タワーの高さは333メートルです。", "shift_jis"),
        ("The tower is 42 m high – “really”.", "utf-16"),
    ],
)
def test_docs_that_are_not_in_utf_8_are_read_as_they_were_written(
    tmp_path: Path, text: str, encoding: str
) -> None:
    (tmp_path / "notes.txt").write_bytes(text.encode(encoding))
    assert by_key(load_documents(tmp_path)) == {"notes.txt": text}


def test_docs_hold_no_inlined_images(tmp_path: Path) -> None:
    image = "data:image/png;base64," + "iVBORw0KGgo" * 8_000
    (tmp_path / "a.md").write_text(
        f"# Keels\n\n![a keel]({image})\n\nThe keel is 90 m long. <img src='{image}'>"
    )
    text = load_documents(tmp_path).documents[0].text
    assert text == "# Keels\n\na keel\n\nThe keel is 90 m long. <img src=''>"


def test_docs_leaves_out_what_it_should_not_read_and_says_why(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    (folder / "leak.txt").symlink_to(tmp_path / "secret.txt")
    (folder / ".hidden").mkdir()
    (folder / ".hidden" / "x.md").write_text("x")
    (folder / "photo.png").write_bytes(b"\x89PNG")
    (folder / "broken.pdf").write_bytes(b"%PDF-1.4 nothing else")
    (folder / "empty.md").write_text("  \n")
    with (folder / "huge.txt").open("wb") as file:
        file.truncate(50_000_001)
    loaded = load_documents(folder)
    assert len(loaded.documents) == 6
    reasons = dict(loaded.skipped)
    assert set(reasons) == {"leak.txt", ".hidden", "photo.png", "broken.pdf", "empty.md", "huge.txt"}
    assert "leaves the folder" in reasons["leak.txt"] and "50 MB" in reasons["huge.txt"]
    assert reasons["broken.pdf"].startswith("cannot be read") and "\n" not in reasons["broken.pdf"]


def test_docs_jsonl_rows_are_documents(tmp_path: Path) -> None:
    rows = [
        {"id": 7, "title": "Seven", "text": "t", "date": "2040"},
        {"url": "https://a.example/x", "text": "u\ud800"},
        {"id": "k", "url": "https://a.example/y", "title": "Y", "text": ""},
        {"id": "k", "text": "again"},
    ]
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)) + "\n\n")
    loaded = load_documents(path)
    keys = [(d.id, d.citation_key, d.url, d.title) for d in loaded.documents]
    assert keys == [
        ("7", "7", None, "Seven"),
        ("https://a.example/x", "https://a.example/x", "https://a.example/x", "https://a.example/x"),
        ("k", "k", "https://a.example/y", "Y"),
    ]
    assert loaded.documents[0].published == "2040" and loaded.documents[1].text == "u"
    assert loaded.skipped == [("rows.jsonl", "has a second document with the key 'k'")]


@pytest.mark.parametrize("line", ["{", "[1]", '{"id": 1}', '{"text": "x"}', "[" * 100_000])
def test_docs_bad_jsonl_line_is_named_by_file_and_number(tmp_path: Path, line: str) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text('{"id": 0, "text": "fine"}\n' + line + '\n{"id": "", "url": "u", "text": "too"}\n')
    loaded = load_documents(path)
    assert [document.id for document in loaded.documents] == ["0", "u"]
    ((name, reason),) = loaded.skipped
    assert name == "rows.jsonl" and reason.startswith("line 2 ") and len(reason) < 200
    path.write_text((line + "\n") * 500)
    with pytest.raises(DocumentsError, match=r"rows\.jsonl' cannot be .* line 1 [^;]*; 500 such lines\."):
        load_documents(path)


def test_docs_a_line_without_end_is_not_read_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("deep_research.sources.documents.MAX_BYTES", 1_000_000)
    path = tmp_path / "rows.jsonl"
    with path.open("w", encoding="utf-8") as file:
        file.write('{"id": 0, "text": "fine"}\n')
        file.truncate(200_000_000)
    tracemalloc.start()
    loaded = load_documents(path)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [document.id for document in loaded.documents] == ["0"] and most < 50_000_000
    assert loaded.skipped == [("rows.jsonl", "was left out from line 2 on, which is longer than 1 MB")]


def test_docs_with_nothing_to_read_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(DocumentsError, match="no file or folder"):
        load_documents(tmp_path / "missing")
    (tmp_path / "empty").mkdir()
    with pytest.raises(DocumentsError, match=r"holds no readable document.*\.docx"):
        load_documents(tmp_path / "empty")
    (tmp_path / "bad.pdf").write_bytes(b"not a pdf")
    with pytest.raises(DocumentsError, match=r"bad\.pdf.*cannot be read") as raised:
        load_documents(tmp_path / "bad.pdf")
    assert "\n" not in str(raised.value) and raised.value.exit_status == 2


@pytest.mark.skipif(os.name == "nt", reason="needs a named pipe")
def test_docs_that_are_no_file_are_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    with pytest.raises(DocumentsError, match="no file or folder"):
        load_documents(tmp_path / "pipe.txt")


def test_what_a_library_has_converted_is_read_again_from_where_it_is_kept(tmp_path: Path) -> None:
    page = tmp_path / "docs" / "gull.html"
    page.parent.mkdir()
    page.write_text("<p>The Gull is 41 metres tall.</p>")
    load_documents(page)
    (kept,) = (home_folder() / "converted").iterdir()
    kept.write_text(kept.read_text().replace("41", "42"))
    assert "42" in load_documents(page).documents[0].text
    page.write_text("<p>The Gull is 43 metres tall.</p>")
    assert "43" in load_documents(page).documents[0].text
    kept.write_text("no JSON")
    page.write_text("<p>The Gull is 41 metres tall.</p>")
    assert "41" in load_documents(page).documents[0].text


def test_restructured_text_is_read_as_what_it_shows(tmp_path: Path):
    (tmp_path / "hull.rst").write_text(
        "|build| |docs|\n\n=====\nHulls\n=====\n\n.. image:: https://a.example/b.png\n   :alt: a badge\n\n"
        "The ``Kelp`` is `built by\nOsk Yard <https://osk.example>`_ to :rfc:`6455`; see :ref:`keels <k>`"
        " and Keels_.\n\n.. note:: It has 3 decks.\n\n.. _Keels: https://keels.example\n\n"
        "Run it::\n\n    go ``now``\n\nRigging\n-------\n\nTwo masts.\n",
        encoding="utf-8",
    )
    text = load_documents(tmp_path).documents[0].text
    assert text == (
        "# Hulls\n\nThe `Kelp` is [built by\nOsk Yard](https://osk.example) to RFC 6455;"
        " see keels and Keels.\n"
        "\nIt has 3 decks.\n\nRun it:\n\n```\ngo ``now``\n```\n\n## Rigging\n\nTwo masts.\n"
    )


def test_a_file_that_takes_too_long_costs_only_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """200,000 nested elements keep a parser busy for minutes; the next file gets a new process."""
    monkeypatch.setattr("deep_research.sources.reading_process.MAX_SECONDS", 3.0)
    (tmp_path / "a.html").write_text("<div>" * 200_000, encoding="utf-8")
    (tmp_path / "b.html").write_text("<p>The mast is 41 m high.</p>", encoding="utf-8")
    (tmp_path / "c.txt").write_text("Nothing special.", encoding="utf-8")
    loaded = load_documents(tmp_path)
    assert loaded.skipped[0] == ("a.html", "takes longer than 3 s")
    assert loaded.documents[-1].text == "Nothing special."


def test_a_restructured_text_is_called_by_its_first_heading(tmp_path: Path):
    (tmp_path / "a.rst").write_text("Hulls and keels\n===============\n\nLong.\n", encoding="utf-8")
    assert load_documents(tmp_path).documents[0].title == "Hulls and keels"


def test_the_first_of_several_parts_is_no_title(tmp_path: Path):
    (tmp_path / "loom.rst").write_text("Setup\n=====\n\nEasy.\n\nUsage\n=====\n\nLong.\n", encoding="utf-8")
    (tmp_path / "web.md").write_text(
        "# The [web](https://a.example) \\: all of it\n\nLong.\n", encoding="utf-8"
    )
    assert [one.title for one in load_documents(tmp_path).documents] == ["loom", "The web : all of it"]


def test_a_term_of_a_restructured_text_heads_what_is_set_in_below_it(tmp_path: Path):
    (tmp_path / "a.rst").write_text(
        "Options\n=======\n\nshed_height\n  How far. Not ``*`` and ``_``.\n\nbeat\n  How long.\n",
        encoding="utf-8",
    )
    text = by_key(load_documents(tmp_path))["a.rst"]
    assert "###### shed_height\n  How far. Not `*` and `_`.\n\n###### beat" in text


def test_what_stands_at_the_edge_of_many_pages_is_no_part_of_their_sentences():
    """A running head and a page number were read as the beginning and the end of a sentence."""
    pages = [
        "How to use it\nthan a block. It is\n4", "How to use it\nslow.\nNot fast.\n5", "One line",
        "How to use it\nIt works.\n6", "Other words\nIt works.\n7",
    ]  # fmt: skip
    assert with_edges_set_apart(pages) == [
        "How to use it\n\nthan a block. It is\n\n4", "How to use it\n\nslow.\nNot fast.\n\n5", "One line",
        "How to use it\n\nIt works.\n\n6", "Other words\nIt works.\n\n7",
    ]  # fmt: skip


def test_a_folder_with_nothing_to_read_says_so_in_one_sentence(tmp_path: Path):
    (tmp_path / "bad.pdf").write_bytes(b"not a pdf")
    with pytest.raises(DocumentsError) as raised:
        load_documents(tmp_path)
    assert ".." not in str(raised.value)


def test_a_page_without_a_title_is_named_by_its_first_heading(tmp_path: Path) -> None:
    (tmp_path / "p.html").write_text("<html><body><h1>The bridge</h1><p>It is long.</p></body></html>")
    assert [one.title for one in load_documents(tmp_path).documents] == ["The bridge"]


def test_a_plain_text_has_its_headings_by_what_is_set_in_below_them(tmp_path: Path) -> None:
    (tmp_path / "loom.1.txt").write_text(
        "OPTIONS\n       --shed\n              Lifts every other thread.  The de‐\n"
        "              fault is 2.\n\n"
        "   (a) a long line that goes on with\n       the next one\n\nPlain words\nfollow here.\n",
        encoding="utf-8",
    )
    text = by_key(load_documents(tmp_path))["loom.1.txt"]
    assert text.startswith(
        "### OPTIONS\n### --shed\n              Lifts every other thread.  The default is 2."
    )
    assert "   (a) a long line that goes on with\n       the next one\n\nPlain words\nfollow here." in text


def test_a_heading_of_a_plain_text_ends_where_the_text_is_set_in_less(tmp_path: Path) -> None:
    (tmp_path / "loom.1.txt").write_text(
        "NAME\n       --shed\n\n              Lifts a thread.\n\n       All else rests.\n\n"
        "   Exit status:\n       0      if all went well\n\n       1      if a thread broke\n",
        encoding="utf-8",
    )
    assert by_key(load_documents(tmp_path))["loom.1.txt"] == (
        "### NAME\n### --shed\n\n              Lifts a thread.\n\n### NAME\n\n       All else rests.\n\n"
        "### Exit status:\n       - 0      if all went well\n\n       - 1      if a thread broke\n"
    )


def test_runs_that_are_kept_in_the_folder_of_documents_are_no_documents(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DEEP_RESEARCH_HOME", str(tmp_path / "runs"))
    (tmp_path / "runs" / "1").mkdir(parents=True)
    (tmp_path / "runs" / "1" / "report.md").write_text("A report.", encoding="utf-8")
    (tmp_path / "a.md").write_text("A page.", encoding="utf-8")
    loaded = load_documents(tmp_path)
    assert [document.id for document in loaded.documents] == ["a.md"]
    assert loaded.skipped == [("runs", "is where runs are kept")]
