"""What on a page is not content: navigation, notices, and text that tries to give orders to its reader."""

from __future__ import annotations

import re
from functools import lru_cache

from .text import split_prose

_BOILERPLATE = re.compile(
    r"\b(?:your privacy|our (?:news )?partners|subscribe|newsletter|sign (?:in|up)"
    r"|log ?in|all rights reserved|advertisement"
    r"|skip to (?:main )?content|"
    r"read more|share this|privacy policy|terms of (?:use|service)|follow us|related (?:articles|pages"
    r"|stories)|back to top|"
    r"accept all|javascript|click here|you might also like|free articles?|sponsored)\b"
    r"|cookie|©|订阅|版权所有|登录|隐私|点击"
    r"|分享到|相关阅读|クッキー|購読|"
    r"無断転載|ログイン|プライバシー|関連記事|シェアする|会員登録",
    re.IGNORECASE,
)
_ORDERS = re.compile(
    r"\b(?:ignore|disregard|forget|override|discard)\b[^.]{0,40}\b(?:instruction|prompt|rule|previous"
    r"|above|earlier|other source|question)"
    r"|\b(?:system prompt|you are (?:now )?an? (?:ai|assistant|language model|model|agent|bot)"
    r"|as an ai|ai (?:assistants?|agents?|models?|readers?)|"
    r"language models?|new instructions?|end of (?:page|source|document)|tool (?:result|call|output)"
    r"|developer message)\b"
    r"|^\W*(?:system|assistant|user|instruction|(?:note|message) (?:to|for) (?:ai|assistants?|models?"
    r"|researchers?))\b\s*(?:message|note|override)?\s*[:：>\]]"
    r"|\b(?:do not|don't|never) (?:cite|mention|use) (?:any|other|the)\b|\b(?:must|should) (?:answer"
    r"|reply|respond|report|state|say|cite|write|call)\b"
    r"|\byour (?:answer|reply|report|task|instructions|final)\b|\bcall the\b.{0,30}\btool\b"
    r"|[\"']role[\"']\s*:|<\|?/?[a-z_]+\|?>|‹/?\w+|＜/?\w+|\[/?(?:INST|SYSTEM|system)\]"
    r"|(?:忽略|无视|忘记).{0,12}(?:指示|指令|说明|规则|提示)|(?:指示|命令|プロンプト).{0,8}(?:無視"
    r"|忘れ)|(?:AI|人工智能|模型)助手|系统提示|システムプロンプト",
    re.IGNORECASE,
)


_LINK_OR_BYLINE = re.compile(
    r"^\W*\[[^\]]*\]\([^)]*\)+\W*$|^\W*By\s+[A-Z][\w.'’-]*(?:\s+[A-Z][\w.'’-]*)*\W*$"
    r"|^\*[^*]{1,60}\*\W*$"
)


def orders(text: str) -> list[str]:
    """The sentences of a text that give orders to the reader."""
    return [s.strip() for line in text.splitlines() for s in split_prose(line) if _ORDERS.search(s)]


@lru_cache(maxsize=65536)
def is_noise(sentence: str) -> bool:
    """Whether a sentence is a notice of the site or an order to the reader; such text is never evidence."""
    if _ORDERS.search(sentence) or _LINK_OR_BYLINE.match(sentence):
        return True
    return (bool(_BOILERPLATE.search(sentence)) and len(sentence) < 220) or not re.search(
        r"\w{2}|[^\x00-\x7f]", sentence
    )
