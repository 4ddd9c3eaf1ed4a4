"""Text that a page hides from whoever looks at it, taken out before anybody reads the page.

What only machines see is no statement of a page: comments, templates, elements that a style, an attribute or
a class hides, titles. `without_hidden_text` takes HTML, or Markdown with HTML in it, for in
either a browser would hide the same. Style sheets are read as a browser reads them, with two simplifications:
siblings are not looked at, and rules for print or for narrow screens do not count. One pass, linear in the
text.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from .blocks import Edit, without_certain_code

_MARKUP = re.compile(r"<[a-z!/?]|^ {0,3}\[[^\]\n]{1,200}\]:", re.IGNORECASE | re.MULTILINE)
_TAG = re.compile(
    r"<!--.*?(?:--!?>|\Z)|<[!?][a-z\[][^<>]{0,500}>"
    r"|<(?P<close>/?)(?P<name>[a-z][a-z0-9:-]{0,30})(?P<attributes>(?=[\s/>\"'])"
    r"(?:[^<>\"']++|\"[^\"]*\"|'[^']*'){0,400}+)>",
    re.IGNORECASE | re.DOTALL,
)
_ATTRIBUTE = re.compile(
    r"(?P<name>[a-z][\w:-]{0,40})(?:\s{0,9}=\s{0,9}(?:\"(?P<d>[^\"]*)\"|'(?P<s>[^']*)'|(?P<b>[^\s\"'>]+)))?",
    re.IGNORECASE,
)
_SHEET = re.compile(r"<style\b[^<>]{0,300}>(.*?)(?:</style|\Z)", re.IGNORECASE | re.DOTALL)
_TITLE = re.compile(
    r"^( {0,3}\[[^\]\n^][^\]\n]{0,200}\]:[ \t]*<?[^\s<>]*>?)(?:[ \t]*\n)?[ \t]+"
    r"(?:\"[^\"]*\"|'[^']*'|\([^()]*\))[ \t]*$",
    re.MULTILINE,
)
"""A Markdown link definition with a title, in which remarks are kept: `[//]: # (unseen)`."""
_TERMINAL = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b\n]{0,500}(?:\x07|\x1b\\)?|.)")
"""What a terminal obeys instead of showing it."""
_RAW = frozenset(("script", "style", "noframes", "iframe"))
"""Elements that nobody sees and in which no tag counts but their own end."""
_UNSEEN_NAMES = frozenset(("noscript", "template", "datalist", "svg"))
_WHOLE_PAGE = frozenset(("html", "body"))
"""Hidden by many an honest page until it is loaded."""
_VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())
_ENDS_P = frozenset(
    "p div ul ol li table tr td th dl dt dd pre h1 h2 h3 h4 h5 h6 section article aside".split()
)
_ENDED_BY = {"p": _ENDS_P, "li": {"li"}, "td": {"td", "th", "tr"}, "tr": {"tr"}, "option": {"option"}}
_SHOWN_ATTRIBUTES = ("href", "src", "open")
_CLASSES = re.compile(
    r"(?:is-|u-|uk-|visually-?|element-)?hidden|hide|hidden-text|invisible|d-none|sr-only|sr_only|screen-?reader"
    r"(?:-text|-only)?|offscreen|off-screen|a11y-hidden",
    re.IGNORECASE,
)
_TINY = r"[+]?(?:0*\.?0+(?:\.0\d*)?|0*[.]0\d*|\d*\.?\d*e-\d+)(?![\d.])"
_SMALL = rf"(?:{_TINY}|[012](?:\.\d*)?p[xt]\b|0?\.[01]\d*r?em\b|1?\d(?:\.\d*)?%)"
_STYLE = re.compile(
    r"display\s*:\s*none|(?:content-)?visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*" + _TINY
    + rf"|(?:zoom|scale)\s*:\s*{_TINY}|font-size\s*:\s*{_SMALL}"
    rf"|(?<![\w-])font\s*:[^;/]{{0,60}}?(?<![\w.]){_SMALL}"
    r"|(?:left|top|right|bottom|text-indent|margin(?:-left)?)\s*:\s*-\d{3,}|translate[xy3d]*\([^()]*-\d{3,}"
    r"|clip\s*:\s*rect\(\s*[01]|inset\(\s*(?:[5-9]\d|100)%|circle\(\s*0|filter\s*:[^;]*opacity\(\s*" + _TINY
    + rf"|scale[xy3d]*\(\s*{_TINY}|(?<![\w-])(?:max-)?(?:width\s*:\s*{_TINY}|height\s*:\s*(?:{_TINY}|1px))"
    rf"|(?<![\w-])color\s*:\s*(?:transparent|(?:rgb|hsl)a?\([^()]*[,/]\s*{_TINY}%?\s*\))",
    re.IGNORECASE,
)  # fmt: skip
"""Styles that let nobody see an element: what it says is for machines alone."""
_COLOR = re.compile(
    r"(?<![\w-])(color|background(?:-color)?)\s*:\s*(#\w+|[a-z]+|rgb\([^()]*\))", re.IGNORECASE
)
_COLORS = {
    "#fff": "white",
    "#ffffff": "white",
    "rgb(255,255,255)": "white",
    "#000": "black",
    "#000000": "black",
}
_STYLE_REMARK = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_ESCAPE = re.compile(r"\\([0-9a-f]{1,6})\s?", re.IGNORECASE)
_SOMETIMES = re.compile(
    r"print|max-|prefers|orientation|hover|min-width\s*:\s*(?:[4-9]\d\d|\d{4})", re.IGNORECASE
)
_SIMPLE = re.compile(r"[.#]?[\w-]+|\[[\w-]+[^\]]*\]")
_COMBINATORS = re.compile(r"\s*[>\s]\s*")


@dataclass
class _Open:
    """An element that is not closed yet."""

    name: str
    marks: list[str]
    hidden_from: int = -1


@dataclass
class _Sheets:
    """The rules of a page that hide something, by one mark of the element that they are for."""

    rules: dict[str, list[tuple[list[str], list[str]]]] = field(default_factory=lambda: defaultdict(list))

    def hide(self, marks: list[str], around: Mapping[str, int]) -> bool:
        """Whether a rule hides an element with these marks, among open elements with those."""
        return any(
            all(mark in marks for mark in own) and all(around[mark] > 0 for mark in others)
            for own, others in (rule for mark in marks for rule in self.rules.get(mark, ()))
        )


def without_hidden_text(text: str, *, markdown: bool = True) -> str:
    """HTML, or Markdown with its code as it is, without what nobody sees of it."""
    if "\x1b" in text:
        text = _TERMINAL.sub("", text)
    if not _MARKUP.search(text):
        return text
    pieces, done = [], 0
    for start, end, instead in _unseen_spans(without_certain_code(text) if markdown else text):
        pieces += [text[done:start], instead]
        done = end
    return "".join([*pieces, text[done:]])


def _unseen_spans(text: str) -> Iterator[Edit]:
    """What is to be replaced in a text, in order."""
    page = _Page(text)
    place = 0
    while tag := _TAG.search(text, place):
        place = page.take(tag)
    page.close(0, len(text))
    edits = page.edits + [(match.start(), match.end(), match[1]) for match in _TITLE.finditer(text)]
    done = 0
    for start, end, instead in sorted(edits, key=lambda edit: (edit[0], -edit[1])):
        if start >= done:  # else it lies in what goes as a whole
            yield start, end, instead
            done = end


class _Page:
    """A page as far as it has been read: which elements are open, and what is to be replaced."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._sheets = _sheets(text)
        self._opened: list[_Open] = []
        self._around: Counter[str] = Counter()
        self.edits: list[Edit] = []

    def take(self, tag: re.Match[str]) -> int:
        """Take a tag or remark; returns where to read on."""
        name = (tag["name"] or "").lower()
        if not name:
            self.edits += [(*tag.span(), "")]
        elif tag["close"]:
            self._close(name, tag)
        elif name in _RAW:
            end = re.compile(f"</{name}[^<>]*>?|\\Z", re.IGNORECASE).search(self._text, tag.end())
            self.edits.append((tag.start(), end.end() if end else len(self._text), ""))
            return self.edits[-1][1]
        else:
            self._open(name, tag)
        return tag.end()

    def close(self, place: int, end: int) -> None:
        """Close all elements from one on; what was hidden in them goes."""
        while len(self._opened) > place:
            element = self._opened.pop()
            self._around.subtract(element.marks)
            start = element.hidden_from
            blank = self._text.find("\n\n", start, end) if element.name == "p" and start >= 0 else -1
            if start >= 0:  # a paragraph that nobody closes ends with its text
                self.edits.append((start, blank if blank >= 0 and end == len(self._text) else end, ""))

    def _close(self, name: str, tag: re.Match[str]) -> None:
        for place in range(len(self._opened) - 1, -1, -1) if self._around[name] > 0 else ():
            if self._opened[place].name == name:
                return self.close(place, tag.end())
            if self._opened[place].name in _UNSEEN_NAMES:
                return None  # what is open around a template is not closed in it
        return None

    def _open(self, name: str, tag: re.Match[str]) -> None:
        if self._opened and name in _ENDED_BY.get(self._opened[-1].name, ()):
            self.close(len(self._opened) - 1, tag.start())
        attributes = _attributes(tag["attributes"])
        marks = _marks(name, attributes)
        hidden = (
            name in _UNSEEN_NAMES or _is_hidden(name, attributes) or self._sheets.hide(marks, self._around)
        )
        self.edits.append((*tag.span(), _bare(tag[0], name, attributes)))
        if name not in _VOID:
            hidden = hidden and name not in _WHOLE_PAGE
            self._opened.append(_Open(name, marks, tag.start() if hidden else -1))
            self._around.update(marks)


def _attributes(text: str) -> dict[str, str]:
    from html import unescape

    found = _ATTRIBUTE.finditer(text)
    return {match["name"].lower(): unescape(match["d"] or match["s"] or match["b"] or "") for match in found}


def _bare(tag: str, name: str, attributes: Mapping[str, str]) -> str:
    """A tag without the attributes that nobody sees: titles, alternative texts, values."""
    if not any(value for key, value in attributes.items() if key not in _SHOWN_ATTRIBUTES):
        return tag
    shown = (f' {key}="{attributes[key]}"' for key in _SHOWN_ATTRIBUTES if key in attributes)
    return f"<{name}{''.join(shown)}>"


def _marks(name: str, attributes: Mapping[str, str]) -> list[str]:
    """What a selector may ask of an element: its name, id, classes and attributes."""
    classes = [f".{one}" for one in attributes.get("class", "").split()[:50]]
    return [name, f"#{attributes.get('id', '')}", *classes, *(f"[{key}]" for key in attributes)]


def _is_hidden(name: str, attributes: Mapping[str, str]) -> bool:
    """Whether an element hides itself, by an attribute, a class or a style."""
    classes = attributes.get("class", "").split()
    depends = any(":" in one or (one.startswith("d-") and one != "d-none") for one in classes)
    return (
        "hidden" in attributes
        or attributes.get("aria-hidden", "").lower() == "true"
        or (name == "dialog" and "open" not in attributes)
        or (name == "input" and attributes.get("type", "").lower() == "hidden")
        or (not depends and any(map(_CLASSES.fullmatch, classes)))
        or hides(f"color:{attributes.get('color', '')};{attributes.get('style', '')}")
    )


def hides(style: str) -> bool:
    """Whether a style hides its element, spelled with escapes and comments or not."""
    plain = _ESCAPE.sub(lambda code: chr(min(int(code[1], 16), 0x10FFFF)), _STYLE_REMARK.sub("", style))
    colors = {
        kind.lower()[:5]: _COLORS.get(color, color)
        for kind, color in _COLOR.findall(plain.lower().replace(", ", ","))
    }
    return _STYLE.search(plain) is not None or colors.get("color", "") == colors.get("backg")


def _sheets(text: str) -> _Sheets:
    """The rules of the style sheets in a page that hide something."""
    sheets = _Sheets()
    for sheet in _SHEET.finditer(text):
        inside: list[str] = []
        for piece, mark in re.findall(r"([^{}]*)([{}])", _STYLE_REMARK.sub("", sheet[1])):
            if mark == "{":
                inside.append(piece.rpartition(";")[2].strip())
            elif inside:
                selectors = inside.pop()
                if not any(map(_SOMETIMES.search, inside)) and hides(piece):
                    _add_rule(sheets, selectors)
    return sheets


def _add_rule(sheets: _Sheets, selectors: str) -> None:
    for selector in selectors.split(","):
        *others, own = _COMBINATORS.split(_ESCAPE.sub("", selector).strip()) or [""]
        marks = [re.sub(r"[~|^$*]?=.*\]", "]", mark) for mark in _SIMPLE.findall(own)]
        if marks and ":" not in own:
            sheets.rules[marks[0]].append((marks, [m for one in others for m in _SIMPLE.findall(one)]))
