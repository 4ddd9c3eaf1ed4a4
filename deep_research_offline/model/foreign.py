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
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .phrases import say
from .text import language, stem, stems

_TAG = re.compile(r"<([A-Za-z][A-Za-z_ -]{2,30})>\n?(.*?)\n?</\1>", re.DOTALL)
_KINDS = {
    kind: stems(words)
    for kind, words in {
        "talk": "messages conversation history transcript chat dialogue",
        "asked": "question query brief request topic",
        "told": "findings notes context results content page webpage document documents article evidence",
    }.items()
}
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
_LABEL = re.compile(
    r"^[\s*#-]*(?:(?:source|result|document|title|summary|content|snippet|text)\b\s*\d*\s*[:：]|\d+[.)])\W*",
    re.IGNORECASE,
)
_OWN = re.compile(r"\[W(\d+(?:\s*,\s*W\d+)*)\]")
_BACK = re.compile(
    r"\b(?:all )?(?:the )?(?:above|preceding|previous|foregoing)\b|\b(?:these|the|your) (?:findings|notes"
    r"|messages|results)\b|以上|上述|前述",
    re.IGNORECASE,
)
_KEEP = re.compile(
    r"\b(?:clean up|summari[sz]e|compress|condense|organi[sz]e|consolidate)\b|整理|总结|要約", re.IGNORECASE
)
_OBSERVED = re.compile(
    r"^\W*(?:observations?|(?:tool )?(?:results?|outputs?|responses?))\s*[:：]\s*", re.IGNORECASE
)
_FAILED = re.compile(
    r"^\W*(?:error|failed|not (?:done|found)|no (?:\w+ )*results?|nothing|noted"
    r"|(?:\w+ )?recorded|reflection)\b",
    re.IGNORECASE,
)

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
        key = url or title
        found = next((i for i, (known, at) in self.known.items() if (at or known) == key), "")
        if not found:
            found = f"W{len(self.known) + 1}"
            self.known[found] = (title or url, url)
        return found

    def credited(self, text: str) -> str:
        """A text with numbers for its ids, in order of first use, and the list of what they stand for."""
        order: list[str] = []

        def numbered(match: re.Match[str]) -> str:
            ids = [f"W{n.strip(' W')}" for n in match.group(1).split(",")]
            order.extend(i for i in ids if i not in order and i in self.known)
            return "".join(f"[{order.index(i) + 1}]" for i in ids if i in order)

        body = _OWN.sub(numbered, text)
        lines = [f"[{n}] {self.known[i][0]}: {self.known[i][1]}".rstrip(": ") for n, i in enumerate(order, 1)]
        head = f"### {say('sources', language(text))}"
        return f"{body.rstrip()}\n\n{head}\n\n" + "\n".join(lines) + "\n" if order else text

    def addressed(self, text: str) -> str:
        """A JSON text with addresses in place of ids."""
        for known, (title, url) in sorted(self.known.items(), key=lambda pair: -len(pair[0])):
            text = text.replace(f'"{known}"', json.dumps(url or title, ensure_ascii=False))
        return _OWN.sub(
            lambda m: f"({self.known.get('W' + m.group(1), ('', ''))[1]})" if "," not in m.group(1) else "",
            text,
        )


def adopt(messages: Iterable[Message]) -> Foreign:
    """The messages of a request in the model's own form; those that are in it already stay as they are."""
    given = _with_calls(list(messages))
    found = Foreign([])
    marked = any(re.search(r'<source id="|<findings\b', content_text(m.get("content"))) for m in given)
    alone = bool(given) and given[0].get("role") == "user"
    native = marked or not (alone or any(m.get("role") == "tool" for m in given))
    for message in given:
        role, text = str(message.get("role", "user")), content_text(message.get("content"))
        if role == "user" and not native:
            found.messages += _unpacked(found, message, text)
        elif role == "tool" and not native:
            found.messages.append({**message, "content": _shown(found, text) or _unnamed(found, text)})
        else:
            found.messages.append(message)
    _settle_last(found)
    return found


def _with_calls(messages: list[Message]) -> list[Message]:
    """The messages with tool calls that an agent wrote as text, and what was observed, as such."""
    found: list[Message] = []
    for message in messages:
        text = content_text(message.get("content"))
        told = _OBSERVED.match(text) if message.get("role") == "user" and found else None
        calls = _written_calls(content_text(found[-1].get("content"))) if told else []
        if told and found[-1].get("role") == "assistant" and calls:
            ids = [f"text_{len(found)}_{n}" for n in range(len(calls))]
            called = [
                {"id": i, "type": "function", "function": call} for i, call in zip(ids, calls, strict=True)
            ]
            found[-1] = {"role": "assistant", "content": None, "tool_calls": called}
            found.append({"role": "tool", "tool_call_id": ids[0], "content": text[told.end() :]})
        else:
            found.append(message)
    return found


def _written_calls(text: str) -> list[dict[str, str]]:
    """The calls that a text holds as a list of objects with a name and arguments."""
    match = re.search(r"[\[{].*[\]}]", text, re.DOTALL)
    try:
        value = ast.literal_eval(match.group(0)) if match else None
    except (ValueError, SyntaxError):
        return []
    functions = [one.get("function", one) for one in (value if isinstance(value, list) else [value]) if one]
    return [
        {"name": str(f.get("name")), "arguments": json.dumps(f.get("arguments") or {}, ensure_ascii=False)}
        for f in functions
        if isinstance(f, dict) and "name" in f
    ]


def content_text(content: Any) -> str:
    """The text of a message's content, whether a string or a list of parts."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(str(p.get("text", "")) if isinstance(p, Mapping) else str(p) for p in content)
    return ""


def _settle_last(found: Foreign) -> None:
    """A last turn that only says what to do with the messages before it is an instruction."""
    last = found.messages[-1] if found.messages else {}
    if (
        found.known
        and last.get("role") == "user"
        and _BACK.search(content_text(last.get("content")))
        and "<" not in content_text(last.get("content"))
    ):
        found.messages[-1] = {"role": "system", "content": content_text(last.get("content"))}
        found.compress = bool(_KEEP.search(content_text(last.get("content"))))


def _unpacked(found: Foreign, message: Message, text: str) -> list[Message]:
    """A message as turns and material, if it holds such between tags; what stands around is instructions."""
    turns: list[Message] = []
    asked: list[str] = []
    told: list[str] = []

    def take(match: re.Match[str]) -> str:
        kind, body = _kind(match.group(1)), match.group(2).strip()
        if kind == "talk" and _TURN.search(body):
            turns.extend(_turns(body))
        elif kind == "asked":
            asked.append(body)
        elif kind == "told":
            told.append(_shown(found, body) or f"<{_tag(match.group(1))}>\n{body}\n</{_tag(match.group(1))}>")
        else:
            return match.group(0)
        return ""

    around = _TAG.sub(take, text)
    if not (turns or asked or (told and len(around) > 400)):
        return [message]
    if not turns:
        turns = [{"role": "user", "content": "\n\n".join(asked)}]
    place = max((n for n, turn in enumerate(turns) if turn["role"] == "user"), default=0)
    mark = "Question: " if any("<findings>" in part for part in told) else ""
    turns[place] = {**turns[place], "content": mark + "\n\n".join([turns[place]["content"], *told]).strip()}
    return [{"role": "system", "content": around}, *turns]


def _kind(tag: str) -> str:
    words = {stem(word) for word in re.split(r"[_ -]+", tag)}
    return next((kind for kind, known in _KINDS.items() if words & known), "")


def _tag(name: str) -> str:
    return re.sub(r"[^a-z]+", "_", name.lower())


def _turns(text: str) -> list[Message]:
    parts = _TURN.split(text)
    said = [(_ROLES.get(parts[n].lower(), ""), parts[n + 1].strip()) for n in range(1, len(parts) - 1, 2)]
    return [{"role": role, "content": body} for role, body in said if role and body]


def _shown(found: Foreign, text: str) -> str:
    """Results or findings in the model's own form; "" if the text is neither."""
    if findings := _findings(found, text):
        return findings
    records = [*_objects(text)] or [*_paragraphs(text)]
    return "\n\n".join(_source(found, *record) for record in records)


def _unnamed(found: Foreign, text: str) -> str:
    """A result of a sentence or more that names no source as one source; anything shorter as it stands."""
    told = len(text) >= _TOLD and not _FAILED.match(text) and not re.search(r"\[[A-Z]{1,4}\d", text)
    return _source(found, f"Result {len(found.messages)}", "", text, "") if told else text


def _source(found: Foreign, title: str, url: str, text: str, date: str) -> str:
    known = found.id_of(title, url)
    attributes = f'id="{known}" title="{_quoted(title)}" published="{_quoted(date)}" url="{_quoted(url)}"'
    return f"<source {attributes}>\n{text.replace('</source', '</ source')}\n</source>"


def _quoted(text: str) -> str:
    return " ".join(text.replace('"', "'").split())


def _objects(text: str) -> Iterator[tuple[str, str, str, str]]:
    """Title, address, text and date of every object of a JSON text that has an address."""
    try:
        value = json.loads(text)
    except ValueError:
        return
    waiting = [value]
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
        own = head["title"]
        starts.append(head.start() if own else len(before) - len(line))
        titles.append(own or _LABEL.sub("", line).strip(" -#*:=_"))
    for n, head in enumerate(heads):
        end = starts[n + 1] if n + 1 < len(heads) else len(text)
        yield titles[n], head["url"] or head["link"], _plain(text[head.end() : end]), ""


def _plain(text: str) -> str:
    """The text of a result without rules, labels and tags, each line once."""
    lines = [_LABEL.sub("", re.sub(r"</?[a-z_]+>", "", line), count=1) for line in text.splitlines()]
    kept: list[str] = []
    for line in lines:
        if not line.strip() or (re.search(r"\w|\|", line) and line not in kept):
            kept.append(line)
    return "\n".join(kept).strip()


def _findings(found: Foreign, text: str) -> str:
    """Findings with ids for the numbers of each list of addresses in them; "" if there are none."""
    parts: list[tuple[list[str], dict[str, str]]] = [([], {})]
    for line in text.splitlines():
        entry = _LISTED.match(line)
        if entry:
            parts[-1][1][entry[1]] = found.id_of(entry[2].strip(" *"), entry[3])
        elif line.strip() and parts[-1][1]:
            parts.append(([line], {}))
        else:
            parts[-1][0].append(line)
    listed = {i: found.known[i][0] for _, ids in parts for i in ids.values()}
    told = [_with_ids(lines, ids) for lines, ids in parts]
    if not any(_OWN.search(body) for body in told):
        return ""
    lists = "\n".join(f"- {i}: {title}" for i, title in listed.items())
    return "<findings>\n" + "\n\n".join(told) + f"\n</findings>\n\n{lists}"


def _with_ids(lines: Sequence[str], ids: Mapping[str, str]) -> str:
    while lines and (not lines[-1].strip() or lines[-1].lstrip().startswith("#")):
        lines = lines[:-1]
    return _NUMBERS.sub(
        lambda m: (
            "".join(f"[{ids[n.strip()]}]" for n in m.group(1).split(",") if n.strip() in ids) or m.group(0)
        ),
        "\n".join(lines),
    )
