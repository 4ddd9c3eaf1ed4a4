"""How reports write addresses, documents and pages: the patterns that several modules share."""

from __future__ import annotations

import re

from ..urls import trim_url

SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
TO_DIGITS = str.maketrans(SUPERSCRIPTS, "0123456789")
FILE = r"[\w(][^\[\]\n<>|]{0,150}\.(?:pdf|docx?|pptx?|xlsx?|csv|md|txt|html?|jsonl?|epub)"
PAGE = r"(?:pp?\.?|pages?|seiten?|s\.|第)\s*(?P<page>\d{1,5})(?:\s*[-–]\s*\d{1,5})?\s*(?:页|頁|ページ)?"
ADDRESS = re.compile(
    r"\]\(\s*<?(?P<link>[a-z][a-z0-9+.-]{1,12}:[^\s<>()]*(?:\([^\s<>()]*\)[^\s<>()]*)*)>?[^()\n]{0,200}\)"
    r"|<(?P<auto>https?://[^<>\s]+)>"
    r"|(?P<bare>(?:https?|ftps?|file)://[^\s<>\"`|\[\]，。；、）】》」]+|(?<![\w/.@-])www\.[^\s<>\"`|\[\]，。；、）】》」]+)"
    r"|(?P<doi>\bdoi:\s*10\.\d{4,9}/[^\s\]>]+|(?<![\w/.])10\.\d{4,9}/[^\s\]>]+"
    r"|\barxiv:\s*(?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[a-z]{2})?/\d{7})(?:v\d+)?)",
    re.IGNORECASE,
)
"""An address in an entry: a link's target, `<…>`, a bare url, a DOI or a preprint number."""


def trimmed(text: str) -> str:
    """An address cut out of running text; the dots of a cut-off one stay, to tell it from a whole.

    Right before such dots `_` and the like are part of the address (`.../Old_...`), not of the sentence.
    """
    url = trim_url(text)
    dots = re.match(r"[_:,;']{0,3}\.{3,}", text[len(url) :])
    return url + dots[0] if dots else url


def unescaped(text: str) -> str:
    """A link's target without Markdown's backslashes and `&amp;`."""
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", text).replace("&amp;", "&")
