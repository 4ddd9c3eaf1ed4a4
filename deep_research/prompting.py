"""What components put into prompts besides the instructions: the conversation and the evidence.

State holds a search's result as a list of references (`<source id="S1.3" reading="…"/>`); `show_sources`
turns them into the page texts when a prompt is built. Page text is data: it is fenced and labelled, and
whatever in it looks like one of our tags is defused, so it can never close its own fence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .clock import today
from .context import Context
from .guard import fence_page
from .prompts import render
from .settings import Scope
from .state import Source
from .text import LANGUAGE_NAMES

LANGUAGES_IN = {
    "en": LANGUAGE_NAMES,
    "zh": {"en": "英语", "zh": "中文", "ja": "日语"},
    "ja": {"en": "英語", "zh": "中国語", "ja": "日本語"},
}
"""The name of a report's language, in the language of the prompt."""

DEPTHS = {
    "en": {
        "light": "Be sparing: ask only if the request cannot be researched at all without the answer.",
        "thorough": "Be thorough: ask about every point that would change the research, all in one message.",
    },
    "zh": {
        "light": "尽量少问：只有在得不到回答就完全无法研究时才提问。",
        "thorough": "务求周全：凡是回答会改变研究方向的要点，都集中在一条消息里询问。",
    },
    "ja": {
        "light": "質問は最小限にする。答えがなければまったく調べられない場合だけ尋ねる。",
        "thorough": "念入りに確かめる。調査が変わりうる点は、すべて一つのメッセージにまとめて尋ねる。",
    },
}
LOOK_UP_FIRST = {
    "en": "It is too long to show. Before you ask about a term, look it up with your tool.",
    "zh": "词汇表太长，无法全部列出。要问某个词之前，先用工具查一查。",
    "ja": "用語集は長すぎて載せられない。用語について尋ねる前に、道具で調べること。",
}
"""What stands in place of a large glossary while its terms are looked up."""
_NUMBERS = {
    "en": "one two three four five six seven eight nine ten".split(),
    "zh": list("一两三四五六七八九十"),
    "ja": list("一二三四五六七八九十"),
}
_NONE = {"en": "(none)", "zh": "（无）", "ja": "（なし）"}
_SCOPE_WORDS = {
    "en": {
        "exclude": "Leave out",
        "period": "Period",
        "regions": "Regions",
        "exclude_regions": "Regions to leave out",
        "glossary": "Glossary",
        "user": "Reader",
        "scope": "Scope as agreed with the user",
    },
    "zh": {
        "exclude": "排除",
        "period": "时间范围",
        "regions": "地区",
        "exclude_regions": "不涉及的地区",
        "glossary": "术语表",
        "user": "读者",
        "scope": "与用户确认过的范围",
    },
    "ja": {
        "exclude": "除外",
        "period": "対象期間",
        "regions": "地域",
        "exclude_regions": "除外する地域",
        "glossary": "用語集",
        "user": "読み手",
        "scope": "利用者と確認した範囲",
    },
}
_REFERENCE = re.compile(r'<source id="([^"]+)"(?: reading="([^"]*)")?/>')


def system_prompt(role: str, ctx: Context, **variables: Any) -> Any:
    """The instructions of a role as a system message, dated by the run's clock."""
    from langchain_core.messages import SystemMessage

    settings = ctx.settings
    text = render(
        role,
        settings.prompt_language,
        override=settings.prompts.get(role),
        date=today(ctx.clock),
        **variables,
    )
    return SystemMessage(text)


def conversation(history: Sequence[Mapping[str, str]]) -> list[Any]:
    """Turns of `{"role": "user" | "assistant", "content": …}` as messages."""
    from langchain_core.messages import AIMessage, HumanMessage

    return [(AIMessage if turn["role"] == "assistant" else HumanMessage)(turn["content"]) for turn in history]


def asks(turn: Mapping[str, str]) -> bool:
    """Whether a turn is a question put to the user, as the clarifier marks it; an earlier report is none."""
    if turn["role"] != "assistant":
        return False
    text = turn["content"].strip()
    return turn.get("kind") == "question" or (("?" in text or "？" in text) and not text.startswith("#"))


def own_words(history: Sequence[Mapping[str, str]]) -> str:
    """What the user said about the request at hand: everything since the last answer that was no question."""
    last = max(
        (n for n, turn in enumerate(history) if turn["role"] == "assistant" and not asks(turn)), default=-1
    )
    return "\n".join(turn["content"] for turn in history[last + 1 :] if turn["role"] == "user")


def spelled(number: int, language: str) -> str:
    """A number from 1 to 10 as prose has it."""
    return _NUMBERS[language][number - 1]


def words_of(messages: Sequence[Any]) -> str:
    """A model's own words in a conversation: what it wrote, and its reflections."""
    spoken = [message for message in messages if message.type == "ai"]
    thoughts = [str(call["args"].get("reflection", "")) for message in spoken for call in message.tool_calls]
    return "\n".join([*(message.text for message in spoken), *thoughts])


def glossary_text(glossary: Mapping[str, str], language: str) -> str:
    """Entries of a glossary, a term per line."""
    return "\n".join(f"- {term}: {meaning}" for term, meaning in glossary.items()) or _NONE[language]


def limits_of(scope: Scope) -> dict[str, list[str]]:
    """What the settings leave out and keep to in subjects, time and place, as far as they say so."""
    limits = {
        "exclude": scope.exclude,
        "period": [scope.period] if scope.period else [],
        "regions": scope.regions,
        "exclude_regions": scope.exclude_regions,
    }
    return {name: values for name, values in limits.items() if values}


def scope_line(name: str, values: Sequence[str], language: str) -> str:
    """One note, such as "- Period: since 2040"."""
    return f"- {_SCOPE_WORDS[language][name]}: {'; '.join(values)}"


def scope_notes(
    scope: Scope, glossary: Mapping[str, str], language: str, agreed: str = "", wanted: Sequence[str] = ()
) -> str:
    """What counts beyond the conversation, a line each.

    `glossary` are the entries to show; `agreed` is the scope that the clarifier has acknowledged; `wanted`
    are lines on the report (`output_notes.output_lines`).
    """
    notes = {
        **limits_of(scope),
        "glossary": [f"{term} = {meaning}" for term, meaning in glossary.items()],
        "user": [", ".join(scope.user_info.values())] if scope.user_info else [],
        "scope": [" ".join(agreed.split())] if agreed else [],
    }
    lines = [scope_line(name, values, language) for name, values in notes.items() if values]
    return "\n".join([*lines, *wanted]) or _NONE[language]


def reference(source: Source, reading: str = "") -> str:
    """How a tool message in the state points at a source and what was read of it."""
    return f'<source id="{source.id}" reading="{reading}"/>'


def source_block(source: Source, body: str) -> str:
    """One source as a model sees it: fenced, labelled, defused."""
    labels = {
        "title": source.title,
        "published": source.published,
        "tier": source.tier,
        "url": source.url,
        "key": source.citation_key,
    }
    attributes = " ".join(f'{name}="{attribute(value)}"' for name, value in labels.items() if value)
    return f'<source id="{source.id}" {attributes}>\n{fence_page(body)}\n</source>'


def attribute(value: str) -> str:
    """Text that is safe between the quotation marks of a tag, and cites nothing."""
    return fence_page(" ".join(value.split())).replace('"', "'").replace("<", "‹").replace(">", "›")


def reading_text(source: Source, reading: str, ctx: Context) -> str:
    """The text behind a reading; the snippet where nothing more was read."""
    return ctx.store.pages.get(reading) if reading else source.snippet


def show_sources(messages: Iterable[Any], sources: Sequence[Source], ctx: Context) -> list[Any]:
    """Messages with the references in their tool results replaced by source blocks, each text once."""
    known = {source.id: source for source in sources}
    shown: set[tuple[str, str]] = set()

    def expand(match: re.Match[str]) -> str:
        source, reading = known.get(match.group(1)), match.group(2) or ""
        if source is None:
            return match.group(0)
        if (source.id, reading) in shown:
            return f'<source id="{source.id}" title="{attribute(source.title)}" seen_before="true"/>'
        shown.add((source.id, reading))
        return source_block(source, reading_text(source, reading, ctx))

    return [
        message.model_copy(update={"content": _REFERENCE.sub(expand, message.content)})
        if message.type == "tool"
        else message
        for message in messages
    ]


def evidence(sources: Sequence[Source], ctx: Context) -> str:
    """All sources as blocks, with everything that was read of each."""
    blocks = []
    for source in sources:
        texts = [ctx.store.pages.get(key) for key in source.readings] or [source.snippet]
        blocks.append(source_block(source, "\n\n".join(texts)))
    return "\n\n".join(blocks)
