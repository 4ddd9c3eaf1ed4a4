"""What on a page is not content: navigation, notices, and text that tries to give orders to its reader."""

from __future__ import annotations

import re
from functools import lru_cache

from .lexicon import patterns
from .text import split_prose

_RE = patterns("notices")
_MARKUP = r"(?:system|assistant|user|source|documents?|instructions?|tool|im_start|im_end)"
_READER = r"(?:(?:ai|language|chat) (?:assistants?|agents?|models?|readers?|systems?)|llms?)"
_COMMANDS = (
    r"(?:answer|reply|respond|report|state|say|cite|write|copy|mention|link|list|give|begin|call|reveal)"
)
_ORDERS = re.compile(
    "|".join(
        (
            r"\b(?:ignore|disregard|forget|override|discard)\b[^.]{0,30}\b(?:instructions?|prompts?"
            r"|other sources?|(?:previous|earlier|above) (?:messages?|rules?|text|sources?|question))\b",
            r"\b(?:your system prompt|you are now an? |answer only (?:that|with))\b",
            rf"[\"']role[\"']\s*:\s*[\"']{_MARKUP}",
            rf"<\|?/?{_MARKUP}\b[^>]*>|[‹＜]/?{_MARKUP}\b|\[/?(?:INST|SYSTEM)\]",
            r"^\W*(?:system|assistant|developer) (?:message|note|override|prompt)\s*[:：]",
            r"^\W*(?-i:SYSTEM|ASSISTANT)\s*[:：]",
            r"\b(?:notes?|messages?|instructions?|policy|rules?) (?:to|for) (?:all |any |the )?(?:ai|llms?"
            r"|assistants?|agents?|bots?|(?:language )?models?|researchers?)\b",
            r"(?:do not|don't|never) (?:cite|mention|trust) (?:any |the )?(?:other )?(?:sources?|pages?)\b",
            r"^\W*(?:cite|quote|link to|trust) (?:only )?(?:this|https?:)",
            rf"\b{_READER}\b.{{0,60}}\b(?:must|should|shall|have to|please)\b.{{0,30}}\b{_COMMANDS}\b",
            r"\byou are an? (?:\w+ )?(?:ai|assistant|language model|agent|bot)\b",
            r"\byour (?:final )?(?:answer|reply|report) (?:must|should|shall|has to)\b",
            r"\byour final (?:answer|reply|report)\b",
            r"(?:忽略|无视|忘记).{0,12}(?:指示|指令|说明|规则|提示)|(?:只|仅)回答|系统提示词?[:：]",
            r"(?:AI|人工智能|模型)助手.{0,20}(?:必须|请|应)",
            r"(?:指示|命令|プロンプト).{0,8}(?:無視|忘れ)|システムプロンプト|だけを(?:記載|回答)",
        )
    ),
    re.IGNORECASE,
)
"""What speaks to the model that reads a page, about what it was told or has to say. An order to people, to a
user or to a program is content."""
_LINK_OR_BYLINE = re.compile(
    r"^\W*\[[^\]]*\]\((?:[^()]|\([^()]*\))*\)\W*$|^\W*By\s+[A-Z][\w.'’-]*(?:\s+[A-Z][\w.'’-]*)*\W*$"
    r"|^\*[^*]{1,60}\*\W*$"
)


def orders(text: str) -> list[str]:
    """The sentences of a text that give orders to the reader."""
    return [s.strip() for line in text.splitlines() for s in split_prose(line) if _ORDERS.search(s)]


@lru_cache(maxsize=65536)
def is_noise(sentence: str) -> bool:
    """Whether a sentence is an order to the reader or a notice in which a site speaks of itself (cookies,
    newsletters, its other pages); such text is never evidence."""
    perhaps = {match.lower() for match in _RE["perhaps"].findall(sentence)}
    short = len(sentence.split()) <= 4 and len(sentence.encode()) <= 30
    alone = len(perhaps) > 1 or "|" in sentence or short or bool(_RE["we"].search(sentence))
    notice = len(sentence) < 220 and (_RE["notice"].search(sentence) or (perhaps and alone))
    empty = not re.search(r"\w{2}|[^\x00-\x7f]", sentence)
    return bool(notice or empty or _ORDERS.search(sentence) or _LINK_OR_BYLINE.match(sentence))
