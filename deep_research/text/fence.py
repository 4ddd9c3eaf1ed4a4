"""Untrusted text made safe for a prompt: fenced, without look-alikes of tags or citations.

Everything that comes from a page, a user or an error message passes one of these functions before a model
sees it. Page text enters a prompt only inside a fence that it cannot close.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from .blocks import Edit, apply_edits
from .language import outside_code

# Tags that prompts use for data, and that chat formats use for turns, tools and thoughts.
_TAGS = (
    "sources?|pages?|findings?|gaps?|notes?|documents?|passages?|brief|research_brief|question|messages?|context|data"
    "|quotes?|results?|search_results|untrusted|system|user|assistant|human|developer|tools?|tool_calls?"
    "|tool_results?|tool_responses?|function|function_calls?|function_results?|invoke|parameter|instructions?"
    "|prompt|think|thinking|draft|critique|plan|todos|report|s|bos|eos|start_of_turn|end_of_turn"
    "|im_start|im_end|start_header_id|end_header_id|eot_id|begin_of_text|end_of_text|endoftext"
)
_TAG = re.compile(
    rf"<(?:\s*(?:/\s*)?(?:{_TAGS})(?![\w-])[^<>]{{0,300}}>"  # closed
    rf"|/?(?:{_TAGS})(?![\w-]))",  # left open
    re.IGNORECASE,
)
_LABELLED_TAG = rf"<\s*(?:{_TAGS})\s+\w+\s*=[^<>]{{0,400}}>"
_COPIED_TAG = re.compile(
    rf"(?<!\s)\s*+(?:[(（\[]\s*(?:\w+\s*[:：]\s*)?{_LABELLED_TAG}\s*[)）\]]|{_LABELLED_TAG})", re.IGNORECASE
)
_TAG_LINE = re.compile(
    rf"^[ \t]*</?(?:{_TAGS})(?![\w-])[^<>\n]{{0,400}}>[ \t]*$\n?", re.IGNORECASE | re.MULTILINE
)
_CHAT_CONTROL = re.compile(r"<\s*\|[^<>\n]{0,100}\|\s*>|<</?SYS>>|\[/?INST\]", re.IGNORECASE)
# Characters that no reader sees: controls, zero-width and direction marks, and the "tag" block used to
# smuggle hidden instructions. Joiners (U+200C, U+200D) stay, since scripts and emoji need them.
INVISIBLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
_UNSEEN = ("Mn", "Me", "Cf")  # marks, joiners and selectors: a model reads the letters around them
_FILLERS = "\u115f\u1160"  # letters that look like nothing
_SOURCE_ID = re.compile(
    r"(?<![a-z0-9_./=#])s\d+\.\d+", re.IGNORECASE
)  # as `source_ids.SOURCE_ID`, but not in an address
_RAISED = re.compile(r"\b(s\d+)·(?=\d)", re.IGNORECASE)
_NUMBER = re.compile(r"(?<![A-Za-z0-9_])(?:\[\^?(\d{1,3})\](?!\()|【(\d{1,3})】)")
_DATA = r"data:[a-zA-Z]{1,20}/[\w.+-]{1,60}(?:;[\w.=+-]{1,60}){0,4},"
_INLINED_IMAGE = re.compile(
    rf"!\[(?P<words>[^\[\]\n]{{0,300}})\]\(\s?<?{_DATA}[^()\s]*>?(?:\s\"[^\"\n]{{0,300}}\")?\)"
)
_ENCODED = re.compile(rf"{_DATA.removesuffix(',')};base64,[A-Za-z0-9+/=_%-]*")
_REPLACEMENTS = {"<": "‹", ">": "›", "[": "(", "]": ")", ".": "·"}


def fence(text: str) -> str:
    """Untrusted text made fit to stand between `<source>` and `</source>`, or any tag that prompts use.

    Invisible characters are removed; look-alikes of our tags and of chat control lose their brackets, so that
    nothing in the text can close its fence or open another: `</source>` becomes `‹/source›`. They are looked
    for in a folded copy (full-width letters plain, joiners left out), so that a disguise does not help. Other
    markup and all wording stay. Takes time linear in the text.
    """
    visible = INVISIBLE.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    return _disarm(_disarm(visible, _TAG), _CHAT_CONTROL)


def fence_page(text: str) -> str:
    """`fence` for the words of a page, which cite nothing."""
    return without_ids(fence(text))


def without_inlined_images(text: str) -> str:
    """The text without `data:` images, which say nothing to a reader; of a Markdown image its words stay."""
    if "data:" not in text:
        return text
    return _ENCODED.sub("", _INLINED_IMAGE.sub(r"\g<words>", text))


def without_copied_tags(text: str) -> str:
    """Words of a model without the tags with labels that it has copied from a prompt, and their brackets."""
    return _COPIED_TAG.sub("", text)


def without_tag_lines(text: str) -> str:
    """Words of a model without the lines that are nothing but a tag that prompts use; code stays."""
    return outside_code(text, lambda part: _TAG_LINE.sub("", part))


def without_ids(text: str) -> str:
    """Text of a page, a user or an error message in which nothing reads as the id of a source any more.

    Else a page that says `[S1.2]` could write a citation into a prompt, a quote and the report. The dot
    becomes a raised one, so that "Table S1·2" still reads well. (Plain numbers in brackets are taken out when
    citations are rendered.)
    """
    return _disarm(text, _SOURCE_ID)


def without_citations(text: str) -> str:
    """Words of a user in which nothing reads as a citation: `S2.1` becomes `S2·1`, and `[3]` becomes `(3)`.

    Models repeat what they were asked, and nobody could tell such a marker from one of their own. Numbers in
    code stay, for there they are no citations.
    """
    return outside_code(without_ids(text), lambda part: _NUMBER.sub(lambda m: f"({m[1] or m[2]})", part))


def restore_ids(text: str) -> str:
    """The words with the dots that `without_ids` has raised, for where nothing is cited: a search."""
    return _RAISED.sub(r"\1.", text)


def _disarm(text: str, pattern: re.Pattern[str]) -> str:
    """The text without the brackets of what the pattern finds in its folded copy."""
    folds = list(map(_folded, text))
    folded = "".join(folds)
    if not pattern.search(folded):  # nearly every text
        return text
    places = [place for place, fold in enumerate(folds) for _ in fold]
    edits: list[Edit] = []
    for match in pattern.finditer(folded):
        start, end = places[match.start()], places[match.end() - 1] + 1
        disarmed = (_REPLACEMENTS.get(folds[place], text[place]) for place in range(start, end))
        edits.append((start, end, "".join(disarmed)))
    return apply_edits(text, edits)


@lru_cache(maxsize=4096)
def _folded(char: str) -> str:
    """A character as a model may read it: in its plain form, and nothing if it is not seen."""
    plain = char if char.isascii() else unicodedata.normalize("NFKC", char)
    return "".join(c for c in plain if c not in _FILLERS and unicodedata.category(c) not in _UNSEEN)
