"""The approval: a person reads the draft and accepts it, rejects it, or says what to change.

Before the pause nothing is done that could be done twice: the node only puts the question. What a person
answers is read by code, in English, Chinese and Japanese; anything that is neither yes nor no is a remark.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

Approval = Literal["accept", "reject", "feedback"]
_ACCEPT = frozenset(
    "accept accepted yes y ok okay approve approved 接受 同意 批准 好 可以 承認 はい 了承".split()
)
_REJECT = frozenset("reject rejected no n 拒绝 不同意 否 不 却下 いいえ 否認".split())


def approval_request(question: str, mode: str) -> Mapping[str, Any]:
    """The value of the interrupt; with a default for runs that nobody watches, unless they are to wait."""
    default = {"default": "accept"} if mode == "accept" else {}
    return {"kind": "approval", "question": question, **default}


def read_decision(reply: str) -> Approval:
    """What a reply means; a single word of consent or refusal, or else remarks."""
    word = reply.strip().strip(".!。！").casefold()
    return "accept" if word in _ACCEPT else "reject" if word in _REJECT else "feedback"
