"""Is there anything to research in a request? If not, the user is asked until there is (graph agent).

Told by code, since it needs no judgement: a request whose words are all greetings, requests for research, or
too general to be looked up has no topic.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from langgraph.runtime import Runtime
from langgraph.types import interrupt

from .context import Context
from .errors import ResearchError
from .terms import STOP_WORDS, query_terms
from .text import detect_language

_GENERAL = frozenset(
    "anything deep do everything find give hello help hey hi information investigate investigation know look "
    "make need ok okay please question report research search some something stuff study subject tell test "
    "thank thanks thing things topic want write".split()
)
_GENERAL_CJK = re.compile(
    "请|帮我|帮忙|一下|研究|调查|報告書|报告|報告|写|一份|一个|做|你好|谢谢|我想|想要|了解|知道|关于|深度|课题|主题"
    "|ください|お願いします|お願い|こんにちは|調査|調べて|レポート|作って|書いて|何か|について|テーマ|して|を|に|の|的"
)
_ASK = {
    "en": "What should be researched? Name a subject, or ask a question.",
    "zh": "要研究什么？请说出一个主题，或提出一个问题。",
    "ja": "何を調べますか。主題か質問を書いてください。",
}
_AGAIN = {
    "en": "“{}” names nothing that can be looked up. What should be researched?",
    "zh": "“{}”里没有可以查找的内容。要研究什么？",
    "ja": "「{}」には調べられる内容がありません。何を調べますか。",
}


def has_topic(request: str) -> bool:
    """Whether a request names anything that could be looked up."""
    words = query_terms(_GENERAL_CJK.sub(" ", request))
    return any(len(word) > 1 and word not in STOP_WORDS and word not in _GENERAL for word in words)


async def ask_topic_node(state: Mapping[str, Any], runtime: Runtime[Context]) -> dict[str, Any]:
    """Ask for a topic, and again while there is none; the answer becomes the question.

    Nothing here has an effect before the answer is there, so that going on after a pause repeats nothing.
    Raises `ResearchError` after `limits.max_clarifications` answers without a topic.
    """
    language = detect_language(state["question"])
    question, turns = _ASK[language], list(state["history"])
    for _ in range(max(runtime.context.settings.limits.max_clarifications, 1)):
        reply = " ".join(str(interrupt({"kind": "topic", "question": question}) or "").split())
        turns += [
            {"role": "assistant", "kind": "question", "content": question},
            {"role": "user", "content": reply},
        ]
        if has_topic(reply):
            return {"question": reply, "history": turns}
        question = _AGAIN[language].format(reply)
    raise ResearchError("There is still no topic to research.", "Ask again, and name a subject.")
