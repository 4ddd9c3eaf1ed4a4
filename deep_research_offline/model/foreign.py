"""Requests of agents made elsewhere, put into the form that the rest of the model reads.

Known by their form alone: a prompt that holds conversation, question and material between tags; results
as JSON objects or as paragraphs with an address each; findings whose sentences carry the numbers of a list of
addresses; tool calls written as text. Each address gets an id for the length of a request, and an answer that
rests on such ids is numbered and ends with the list of its addresses.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from .lexicon import load, patterns
from .phrases import say
from .text import language, stem, stems

_TAG = re.compile(r"<([A-Za-z][A-Za-z_ -]{2,30})>\n?(.*?)\n?</\1>", re.DOTALL)
_KINDS = {kind: stems(words) for kind, words in load("words")["tags"].items()}
_TURN = re.compile(r"^(human|user|ai|assistant|system|tool)\s*[:：]\s*", re.IGNORECASE | re.MULTILINE)
_ROLES = {"human": "user", "user": "user", "ai": "assistant", "assistant": "assistant"}
_ADDRESS = r"https?://[^\s<>\"'`\]]+"
_HEAD = re.compile(
    rf"^\W{{0,4}}(?:(?:url|link|source|href|address)\s*[:：]\s*)?<?(?P<url>{_ADDRESS})>?\W*$"
    rf"|^(?:#+ |\d+[.)] )?\[(?P<title>[^\]\n]+)\]\((?P<link>{_ADDRESS})\)\s*$",
    re.IGNORECASE | re.MULTILINE,
)
_LISTED = re.compile(rf"^\W{{0,4}}(\d{{1,3}})\W{{1,3}}\s*(.*?)[\s:：(<—–-]*({_ADDRESS})>?\s*$")
_NUMBERS = re.compile(r"\[(\d{1,3}(?:\s*,\s*\d{1,3})*)\]")
_RE = patterns("foreign")
_OWN = re.compile(r"\[(W\d+(?:\s*,\s*W\d+)*)\]")
_TOLD = 30
"""Characters from which on a result tells something."""
Message = Mapping[str, Any]


@dataclass(slots=True)
class Foreign:
    """The messages in the form that the model reads, and what their ids stand for: title and address."""

    messages: list[Message]
    known: dict[str, tuple[str, str]] = field(default_factory=dict)
    compress: bool = False

    def id_of(self, title: str, url: str) -> str:
        """The id of an address, a new one at its first showing."""
        url = url.rstrip(".,;")
        url = url[:-1] if url.endswith(")") and url.count(")") > url.count("(") else url
        for known, (name, address) in self.known.items():
            if (address or name) == (url or title):
                return known
        self.known[f"W{len(self.known) + 1}"] = (title or url, url)
        return f"W{len(self.known)}"

    def credited(self, text: str) -> str:
        """A text with numbers for its ids, in order of first use, and the list of what they stand for."""
        order: list[str] = []

        def numbered(match: re.Match[str]) -> str:
            ids = [i for i in re.split(r"\s*,\s*", match[1]) if i in self.known]
            order.extend(i for i in ids if i not in order)
            return "".join(f"[{order.index(i) + 1}]" for i in ids)

        body = _OWN.sub(numbered, text).rstrip()
        lines = [f"[{n}] {self.known[i][0]}: {self.known[i][1]}".rstrip(": ") for n, i in enumerate(order, 1)]
        head = f"### {say('sources', language(text))}"
        return "\n\n".join([body, head, "\n".join(lines)]) + "\n" if order else text

    def addressed(self, text: str) -> str:
        """A JSON text with addresses in place of ids."""

        def address(match: re.Match[str]) -> str:
            title, url = self.known.get(match["id"] or match["cited"], ("", ""))
            return json.dumps(url or title, ensure_ascii=False) if match["id"] else f"({url})"

        return re.sub(r'"(?P<id>W\d+)"|\[(?P<cited>W\d+)\]', address, text) if self.known else text

    def source(self, title: str, url: str, text: str, date: str) -> str:
        """A result as a fenced source."""
        told = {"id": self.id_of(title, url), "title": title, "published": date, "url": url}
        plain = {name: " ".join(value.replace('"', "'").split()) for name, value in told.items()}
        attributes = " ".join(f'{name}="{value}"' for name, value in plain.items())
        return f"<source {attributes}>\n{text.replace('</source', '</ source')}\n</source>"

    def shown(self, text: str) -> str:
        """Results or findings in the model's own form; "" if the text is neither."""
        records = [*_objects(text)] or [*_paragraphs(text)]
        return self.findings(text) or "\n\n".join(self.source(*record) for record in records)

    def findings(self, text: str) -> str:
        """Findings with ids for the numbers of each list of addresses in them; "" if there are none."""
        parts: list[tuple[list[str], dict[str, str]]] = [([], {})]
        for line in text.splitlines():
            if entry := _LISTED.match(line):
                parts[-1][1][entry[1]] = self.id_of(entry[2].strip(" *"), entry[3])
            elif line.strip() and parts[-1][1]:
                parts.append(([line], {}))
            elif not line.lstrip().startswith("#") or "[" in line:
                parts[-1][0].append(line)

        told = [
            _NUMBERS.sub(
                lambda m, ids=ids: (  # type: ignore[misc]
                    "".join(f"[{ids[n]}]" for n in re.split(r"\s*,\s*", m[1]) if n in ids) or m[0]
                ),
                "\n".join(lines).strip(),
            )
            for lines, ids in parts
        ]
        if not any(_OWN.search(body) for body in told):
            return ""
        listed = dict.fromkeys(i for _, ids in parts for i in ids.values())
        lists = "\n".join(f"- {i}: {self.known[i][0]}" for i in listed)
        return "<findings>\n" + "\n\n".join(told) + f"\n</findings>\n\n{lists}"


def adopt(messages: Iterable[Message]) -> Foreign:
    """The messages of a request in the model's own form; those that are in it already stay as they are."""
    given = _with_calls(list(messages))
    found = Foreign([])
    marked = any(re.search(r'<source id="|<findings\b', content_text(m.get("content"))) for m in given)
    alone = bool(given) and given[0].get("role") == "user"
    if marked or not (alone or any(m.get("role") == "tool" for m in given)):
        found.messages = given
        return found
    for message in given:
        role, text = str(message.get("role", "user")), content_text(message.get("content"))
        if role == "user":
            found.messages += _unpacked(found, message, text)
        elif role == "tool":
            told = (
                len(text) >= _TOLD
                and not _RE["failed"].match(text)
                and not re.search(r"\[[A-Z]{1,4}\d", text)
            )
            unnamed = (f"Result {len(found.messages)}", "", text, "")
            shown = found.shown(text) or (found.source(*unnamed) if told else text)
            found.messages.append({**message, "content": shown})
        else:
            found.messages.append(message)
    last = found.messages[-1]
    text = content_text(last.get("content"))
    if found.known and last.get("role") == "user" and _RE["back"].search(text) and "<" not in text:
        # it only says what to do with the messages before it
        found.messages[-1] = {"role": "system", "content": text}
        found.compress = bool(_RE["keep"].search(text))
    return found


def _with_calls(messages: list[Message]) -> list[Message]:
    """The messages with tool calls that an agent wrote as text, and what was observed, as such."""
    found: list[Message] = []
    for message in messages:
        text = content_text(message.get("content"))
        told = _RE["observed"].match(text) if message.get("role") == "user" else None
        written = told and found and found[-1].get("role") == "assistant"
        calls = _written_calls(content_text(found[-1].get("content"))) if written else []
        if told and calls:
            called = [{"id": f"text_{len(found)}_{n}", "function": call} for n, call in enumerate(calls)]
            found[-1] = {"role": "assistant", "content": None, "tool_calls": called}
            message = {"role": "tool", "tool_call_id": called[0]["id"], "content": text[told.end() :]}
        found.append(message)
    return found


def _written_calls(text: str) -> list[dict[str, str]]:
    """The calls that a text holds as a list of objects with a name and arguments."""
    match = re.search(r"[\[{].*[\]}]", text, re.DOTALL)
    try:
        value = ast.literal_eval(match[0]) if match else []
    except (ValueError, SyntaxError):
        return []
    objects = [one for one in (value if isinstance(value, list) else [value]) if isinstance(one, dict)]
    functions = [f for one in objects if isinstance(f := one.get("function", one), dict) and "name" in f]
    return [
        {"name": str(f["name"]), "arguments": json.dumps(f.get("arguments") or {}, ensure_ascii=False)}
        for f in functions
    ]


def content_text(content: Any) -> str:
    """The text of a message's content, whether a string or a list of parts."""
    if isinstance(content, list):
        return "\n".join(str(p.get("text", "")) if isinstance(p, Mapping) else str(p) for p in content)
    return content if isinstance(content, str) else ""


def _unpacked(found: Foreign, message: Message, text: str) -> list[Message]:
    """A message as turns and material, if it holds such between tags; what stands around is instructions."""
    turns: list[Message] = []
    asked: list[str] = []
    told: list[str] = []

    def take(match: re.Match[str]) -> str:
        tag, body = re.sub(r"[^a-z]+", "_", match[1].lower()), match[2].strip()
        words = {stem(word) for word in tag.split("_")}
        kind = next((kind for kind, known in _KINDS.items() if words & known), "")
        if kind == "talk" and _TURN.search(body):
            _, *parts = _TURN.split(body)
            said = zip(parts[::2], parts[1::2], strict=True)
            turns.extend(
                {"role": _ROLES[role.lower()], "content": words.strip()}
                for role, words in said
                if role.lower() in _ROLES and words.strip()
            )
        elif kind == "asked":
            asked.append(body)
        elif kind == "told":
            told.append(found.shown(body) or f"<{tag}>\n{body}\n</{tag}>")
        else:
            return match[0]
        return ""

    around = _TAG.sub(take, text)
    if not (turns or asked or (told and len(around) > 400)):
        return [message]
    turns = turns or [{"role": "user", "content": "\n\n".join(asked)}]
    place = max((n for n, turn in enumerate(turns) if turn["role"] == "user"), default=0)
    mark = "Question: " if any("<findings>" in part for part in told) else ""
    turns[place] = {**turns[place], "content": mark + "\n\n".join([turns[place]["content"], *told]).strip()}
    return [{"role": "system", "content": around}, *turns]


def _objects(text: str) -> Iterator[tuple[str, str, str, str]]:
    """Title, address, text and date of every object of a JSON text that has an address."""
    try:
        waiting = [json.loads(text)]
    except ValueError:
        return
    while waiting:
        one = waiting.pop(0)
        if isinstance(one, list):
            waiting[:0] = one
        elif isinstance(one, Mapping):
            texts = {str(k).lower(): v for k, v in one.items() if isinstance(v, str)}
            url = next((v for v in texts.values() if re.fullmatch(_ADDRESS, v)), "")
            title = next((v for k, v in texts.items() if "title" in k or "name" in k), "")
            date = next((v for k, v in texts.items() if "date" in k or "publish" in k), "")
            body = max((v for v in texts.values() if v not in (url, title, date)), key=len, default="")
            if url and body:
                yield title, url, body, date[:10]
            waiting[:0] = [v for v in one.values() if isinstance(v, list | Mapping)]


def _paragraphs(text: str) -> Iterator[tuple[str, str, str, str]]:
    """Title, address, text and "" of every part of a text that is headed by a line with an address."""
    heads = list(_HEAD.finditer(text))
    starts, titles = [], []
    for head in heads:
        before = text[: head.start()].rstrip()
        line = before.rpartition("\n")[2]
        starts.append(head.start() if head["title"] else len(before) - len(line))
        titles.append(head["title"] or _RE["label"].sub("", line).strip(" -#*:=_"))
    for head, title, end in zip(heads, titles, [*starts[1:], len(text)], strict=False):
        told = re.sub(r"</?[a-z_]+>", "", text[head.end() : end])
        lines = [_RE["label"].sub("", line, count=1) for line in told.splitlines()]
        once = [
            x for n, x in enumerate(lines) if not x.strip() or (re.search(r"\w|\|", x) and x not in lines[:n])
        ]
        yield title, head["url"] or head["link"], "\n".join(once).strip(), ""
