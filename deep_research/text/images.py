"""Images that a page carries inside itself, as text: thousands of letters that say nothing to a reader."""

from __future__ import annotations

import re

_DATA = r"data:[a-zA-Z]{1,20}/[\w.+-]{1,60}(?:;[\w.=+-]{1,60}){0,4},"
_IMAGE = re.compile(
    rf"!\[(?P<words>[^\[\]\n]{{0,300}})\]\(\s?<?{_DATA}[^()\s]*>?(?:\s\"[^\"\n]{{0,300}}\")?\)"
)
_ENCODED = re.compile(rf"{_DATA.removesuffix(',')};base64,[A-Za-z0-9+/=_%-]*")


def without_inlined_images(text: str) -> str:
    """The text without `data:` images: of a Markdown image its words stay, of a bare one nothing."""
    if "data:" not in text:
        return text
    return _ENCODED.sub("", _IMAGE.sub(r"\g<words>", text))
