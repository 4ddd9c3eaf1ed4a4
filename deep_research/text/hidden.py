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
from collections.abc import Mapping
from typing import NamedTuple

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
_UNSEEN_NAMES = frozenset("noscript template datalist svg canvas video audio object annotation".split())
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
    r"display\s*:\s*none|(?:content-)?visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*(?:[0-4]%|" + _TINY
    + rf")|(?:zoom|scale)\s*:\s*{_TINY}|font-size\s*:\s*(?:calc\(\s*)?{_SMALL}"
    rf"|(?<![\w-])font\s*:[^;/]{{0,60}}?(?<![\w.]){_SMALL}"
    r"|(?:left|top|right|bottom|text-indent|margin(?:-left)?|inset)\s*:\s*-\d{3,}|translate[xy3d]*\([^()]*-\d{3,}"
    r"|polygon\((?:\s*+0\w*+\s++0\w*+(?:\s*+,)?)++\s*+\)"
    r"|clip\s*:\s*rect\(\s*[01]|inset\(\s*(?:[5-9]\d|100)%|circle\(\s*0|filter\s*:[^;]*opacity\(\s*" + _TINY
    + rf"|scale[xy3d]*\(\s*{_TINY}|(?<![\w-])(?:max-)?(?:width\s*:\s*{_TINY}|height\s*:\s*(?:{_TINY}|1px))"
    rf"|(?<![\w-])color\s*:\s*(?:transparent|#[\da-f]{{3}}(?:0|[\da-f]{{3}}00)\b|(?:rgb|hsl)a?\([^()]*[,/]\s*{_TINY}%?\s*\))",
    re.IGNORECASE,
)  # fmt: skip
"""Styles that let nobody see an element: what it says is for machines alone."""
_COLOR = re.compile(r"(?<![\w-])(color|background(?:-color)?)\s*:\s*(#\w+|rgba?\([^()]*\)|[a-z]+(?![\w(-]))")
_NAMED = {"white": "#fff", "black": "#000"}
_INHERITED = frozenset("inherit initial unset revert currentcolor auto none".split())
_TELLABLE = 24
"""By how much of 255 the red, green or blue of a text must differ from its background's to be seen."""
_STYLE_REMARK = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_ESCAPE = re.compile(r"\\([0-9a-f]{1,6})\s?", re.IGNORECASE)
_SOMETIMES = re.compile(r"(?i)print|max-|prefers|orientation|hover|min-width\s*:\s*(?:[4-9]\d\d|\d{4})")
_MOST = 20
"""Classes of an element that are looked at, and rules for one: what more of them hide is held for hidden."""
_SAME = re.compile(r"(?<!\S):root\s+(?=\S)|:(?:is|where)\((?=[^(),]*\))|(?<=[\w\])])\)")
"""What a selector may be without and still select the same."""
_SIMPLE = re.compile(r"[.#]?[\w-]+|\[[\w-]+[^\]]*\]")
_COMBINATORS = re.compile(r"\s*[>\s]\s*")


_Rules = dict[str, list[tuple[list[str], list[str]]]]
"""A mark of an element → what rules that hide it ask of the element, and of those around it."""


class _Open(NamedTuple):
    """An element that is not closed yet; `around` counts the marks of those that are open with it."""

    name: str
    marks: list[str]
    hidden_from: int
    around: Counter[str]


def without_hidden_text(text: str, *, markdown: bool = True) -> str:
    """HTML, or Markdown with its code as it is, without what nobody sees of it."""
    text = _TERMINAL.sub("", text) if "\x1b" in text else text
    if not _MARKUP.search(text):
        return text
    page, place = _Page(without_certain_code(text) if markdown else text), 0
    while tag := _TAG.search(page.text, place):
        place = page.take(tag)
    page.close(0, len(text))
    page.edits += [(match.start(), match.end(), match[1]) for match in _TITLE.finditer(page.text)]
    pieces, done = [], 0
    for start, end, instead in sorted(page.edits, key=lambda edit: (edit[0], -edit[1])):
        if start >= done:  # else it lies in what goes as a whole
            pieces += [text[done:start], instead]
            done = end
    return "".join([*pieces, text[done:]])


class _Page:
    """A page as far as it has been read: which elements are open, and what is to be replaced."""

    def __init__(self, text: str) -> None:
        self.text, self._rules = text, _rules(text)
        self._opened: list[_Open] = []
        self._around: Counter[str] = Counter()
        self.edits: list[Edit] = []

    def take(self, tag: re.Match[str]) -> int:
        """Take a tag or remark; returns where to read on."""
        name = (tag["name"] or "").lower()
        if not name:
            self.edits.append((*tag.span(), ""))
        elif name in _RAW and not tag["close"]:
            end = re.compile(f"</{name}[^<>]*>?", re.IGNORECASE).search(self.text, tag.end())
            self.edits.append((tag.start(), end.end() if end else len(self.text), ""))
            return self.edits[-1][1]
        elif not tag["close"]:
            self._open(name, tag)
        elif self._around[name] > 0:
            place = next(n for n in range(len(self._opened) - 1, -1, -1) if self._opened[n].name == name)
            self.close(place, tag.end())
        return tag.end()

    def close(self, place: int, end: int) -> None:
        """Close all elements from one on; what was hidden in them goes."""
        while len(self._opened) > place:
            name, marks, start, self._around = self._opened.pop()
            self._around.subtract(marks)
            blank = self.text.find("\n\n", start, end) if name == "p" and start >= 0 else -1
            if start >= 0:  # a paragraph that nobody closes ends with its text
                self.edits.append((start, blank if blank >= 0 and end == len(self.text) else end, ""))

    def _open(self, name: str, tag: re.Match[str]) -> None:
        if self._opened and name in _ENDED_BY.get(self._opened[-1].name, ()):
            self.close(len(self._opened) - 1, tag.start())
        attributes = _attributes(tag["attributes"])
        marks = _marks(name, attributes)
        hidden = name in _UNSEEN_NAMES or _is_hidden(name, attributes) or self._is_ruled_out(marks)
        self.edits.append((*tag.span(), _bare(tag[0], name, attributes)))
        if name not in _VOID:
            hidden = hidden and name not in _WHOLE_PAGE
            self._around.update(marks)
            self._opened.append(_Open(name, marks, tag.start() if hidden else -1, self._around))
            if name in _UNSEEN_NAMES:  # what is open around a template is not closed in it
                self._around = Counter(marks)

    def _is_ruled_out(self, marks: list[str]) -> bool:
        """Whether a rule hides an element with these marks here."""
        return any(
            all(mark in marks for mark in own) and all(self._around[mark] > 0 for mark in others)
            for own, others in (rule for mark in marks for rule in self._rules.get(mark, ()))
        )


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
    classes = [f".{one}" for one in attributes.get("class", "").split()[:_MOST]]
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
    colors = {kind[:5]: color for kind, color in _COLOR.findall(plain.lower())}
    return _STYLE.search(plain) is not None or (
        len(colors) == 2 and _look_alike(colors["color"], colors["backg"])
    )


def _look_alike(color: str, other: str) -> bool:
    """Whether nobody can tell two colours of a style sheet apart."""
    pairs = zip(_rgb(color), _rgb(other), strict=False)
    apart = [abs(one - two) >= _TELLABLE for one, two in pairs]
    return (color == other and color.isalpha() and color not in _INHERITED) or apart == [False] * 3


def _rgb(color: str) -> list[float]:
    """Red, green and blue up to 255; nothing for what shines through and for names but black and white."""
    color = _NAMED.get(color, color)
    if color[0] != "#":
        parts = [float(n) * (2.55 if cent else 1) for n, cent in re.findall(r"(\d*\.?\d+)(%?)", color)]
        return parts[:3] if parts[3:] in ([], [1.0], [255.0]) else []
    digits = color[1:7] if len(color) > 5 else "".join(2 * digit for digit in color[1:4])
    return [int(two, 16) for two in re.findall("[0-9a-f]{2}", digits)]


def _rules(text: str) -> _Rules:
    """The rules of the style sheets in a page that hide something."""
    rules: _Rules = defaultdict(list)
    for sheet in _SHEET.finditer(text):
        inside: list[str] = []
        for piece, mark in re.findall(r"([^{}]*)([{}])", _STYLE_REMARK.sub("", sheet[1])):
            if mark == "{":
                inside.append(piece.rpartition(";")[2].strip())
                continue
            selectors = inside.pop() if inside else ""
            if any(map(_SOMETIMES.search, inside)) or not hides(piece):
                continue
            for selector in selectors.split(","):
                *others, own = _COMBINATORS.split(_SAME.sub("", _ESCAPE.sub("", selector).strip()))
                marks = [re.sub(r"[~|^$*]?=.*\]", "]", simple) for simple in _SIMPLE.findall(own)]
                if marks and ":" not in own:
                    rule = marks, [m for one in others for m in _SIMPLE.findall(one)]
                    known = rules[marks[0]]
                    known[:] = [*known, rule] if len(known) < _MOST else [(marks[:1], [])]
    return rules
