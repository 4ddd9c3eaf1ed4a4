"""Reading an object of a schema out of what a model answered, whatever stands around it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel, ValidationError

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage

T = TypeVar("T", bound=BaseModel)


def parse_object(message: AIMessage, schema: type[T]) -> T:
    """Read an object from a tool call or from text with fences, prose or small JSON faults around it.

    Raises ValueError with a one-line reason that a model can act on.
    """
    candidates = [call["args"] for call in message.tool_calls]
    text = message.text
    if not candidates and text.strip():
        candidates = objects_in(text)
    if not candidates:
        raise ValueError("there is no JSON object in the answer.")
    for candidate in candidates:
        try:
            return schema.model_validate(candidate)
        except ValidationError as error:
            first = error.errors()[0]
            problem = f"{'.'.join(str(part) for part in first['loc']) or 'object'}: {first['msg']}."
    raise ValueError(problem)


def objects_in(text: str) -> list[Any]:
    """JSON objects found in a text, the likeliest first."""
    from json_repair import repair_json

    fenced = re.findall(r"```(?:json)?\s*(.*?)```", text, re.DOTALL)
    spans = [text[text.find("{") : text.rfind("}") + 1]] if "{" in text else []
    found = [repair_json(part, return_objects=True) for part in [*fenced, *spans] if "{" in part]
    return [item for item in found if isinstance(item, dict) and item]
