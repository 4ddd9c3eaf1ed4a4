"""reStructuredText as Markdown, as far as a reader of the text needs it.

It goes by the form of lines only. What stands for something else (roles, references, directives) becomes
the words that it shows; what shows nothing (targets, images, options, comments) is left out. Tables stay as
they are.
"""

from __future__ import annotations

import re
from textwrap import dedent

_RULE = re.compile(r"([!-/:-@\[-`{-~])\1{2,}\s*$")
_LIST_ITEM = re.compile(r"\s*(?:[-*+•]|\(?\w{1,3}[.)])\s")
_DIRECTIVE = re.compile(r"(\s*)\.\. (?:\|[^|]+\| )?([\w:-]+)::(?:\s+(.*))?$")
_REMARK = re.compile(r"(\s*)\.\.(?:\s|$)")
_OPTION = re.compile(r"\s*:[\w-]+:(?:\s|$)")
_TARGET = re.compile(r"^[ \t]*\.\. _`?([^:`]+)`?:", re.MULTILINE)
_SHOWN = frozenset(
    "note warning tip hint important caution danger attention error admonition seealso topic sidebar rubric"
    " versionadded versionchanged deprecated epigraph csv-table list-table table".split()
)
"""Directives whose content is read."""
_CODE = frozenset("code code-block sourcecode parsed-literal highlight math doctest".split())
_MENTION = re.compile(r":(?P<role>[\w:+.-]+):`(?P<text>[^`<>]+?)(?:\s*<[^<>`]*>)?`")
_LITERAL = re.compile(r"``([^`]+?)``")
_LINK = re.compile(r"`([^`<>]+?)\s*<(https?://[^<>`\s]+)>`__?")
_SUBSTITUTIONS = re.compile(r"\s*(?:\|[^|]+\|\s*)+")
_REFERENCE = re.compile(r"`(?!\s)([^`<>]+?)(?:\s*<[^<>`]*>)?`__?(?!\w)")
_WORD_REFERENCE = re.compile(r"(?<![\w.+`-])([\w.+-]*\w)_(?!\w)")
_FENCED = re.compile(r"(^```\n.*?\n```$)", re.MULTILINE | re.DOTALL)
_NUMBERED = frozenset({"rfc", "pep"})


def restructured_text_to_markdown(text: str) -> str:
    """The Markdown of a reStructuredText document."""
    lines, found, place = [line.expandtabs().rstrip() for line in text.splitlines()], list[str](), 0
    levels: list[str] = []
    while place < len(lines):
        line, following = lines[place], lines[place + 1] if place + 1 < len(lines) else ""
        if _is_underline(line, following):
            if following[0] not in levels:
                levels.append(following[0])
            found += [f"{'#' * min(6, levels.index(following[0]) + 1)} {line.strip()}"]
            place += 2
        elif directive := _DIRECTIVE.match(line):
            place = _read_directive(lines, place, directive, found)
        elif remark := _REMARK.match(line):
            place = _end_of_block(lines, place + 1, len(remark[1]))
        elif _RULE.fullmatch(line) or _SUBSTITUTIONS.fullmatch(line):
            place += 1  # the line above a title, a transition, a row of pictures
        elif line.endswith("::"):
            found.append(line[:-1])
            place = _read_code(lines, place + 1, len(line) - len(line.lstrip()), found)
        elif _is_term(lines, place):
            found += [f"###### {line}"]
            place += 1
        else:
            found.append(line)
            place += 1
    named = {name.strip() for name in _TARGET.findall(text)}
    parts = _FENCED.split("\n".join(found).strip() + "\n")
    return "".join(part if place % 2 else _inline(part, named) for place, part in enumerate(parts))


def _is_underline(line: str, following: str) -> bool:
    """Whether the line that follows makes this one a title."""
    plain = bool(line.strip()) and not _RULE.fullmatch(line) and not line.startswith((".. ", "  "))
    return plain and bool(_RULE.fullmatch(following)) and len(following.strip()) >= len(line.strip())


def _is_term(lines: list[str], place: int) -> bool:
    """Whether a line is a term with its definition set in below it."""
    line, following = lines[place], lines[place + 1] if place + 1 < len(lines) else ""
    above = lines[place - 1] if place else ""
    alone = bool(line) and (not above or above.startswith(" ")) and not _LIST_ITEM.match(line)
    return alone and bool(re.match(r" {1,8}\S", following)) and not line.startswith((" ", ".. ", "|", "+"))


def _end_of_block(lines: list[str], start: int, margin: int) -> int:
    """Where a block ends that is indented further than its first line."""
    for place in range(start, len(lines)):
        if lines[place] and len(lines[place]) - len(lines[place].lstrip()) <= margin:
            return place
    return len(lines)


def _read_directive(lines: list[str], place: int, directive: re.Match[str], found: list[str]) -> int:
    """Add what a directive shows; returns where the text goes on."""
    margin, name, argument = len(directive[1]), directive[2], directive[3] or ""
    start = place + 1
    while start < len(lines) and _OPTION.match(lines[start]):
        start += 1
    if name in _CODE:
        return _read_code(lines, start, margin, found)
    if name not in _SHOWN:
        return _end_of_block(lines, start, margin)
    if argument:
        lines.insert(start, f"{argument}\n")
    return start


def _read_code(lines: list[str], start: int, margin: int, found: list[str]) -> int:
    """Add an indented block as code; returns where the text goes on."""
    end = _end_of_block(lines, start, margin)
    code = dedent("\n".join(lines[start:end])).strip("\n")
    found += ["", "```", code, "```", ""] if code else []
    return end


def _inline(prose: str, named: set[str]) -> str:
    """Running text with roles, references and literals as what they show; `named` are the targets."""
    prose = _MENTION.sub(_shown, prose)
    prose = _LINK.sub(r"[\1](\2)", prose)
    prose = _LITERAL.sub(r"`\1`", prose)
    prose = re.sub(r"\n{3,}", "\n\n", _REFERENCE.sub(r"\1", prose))
    return _WORD_REFERENCE.sub(lambda m: m[1] if m[1] in named else m[0], prose)


def _shown(role: re.Match[str]) -> str:
    """What a role shows: a number with its series, a piece of code, or its words."""
    name = role["role"].rpartition(":")[2]
    if name in _NUMBERED:
        return f"{name.upper()} {role['text']}"
    return role["text"] if name in {"ref", "doc", "term", "sup", "sub", "any"} else f"`{role['text']}`"
