"""Objects of a schema from a model: asked for in the best way that its endpoint takes, and read out of its
answer, whatever stands around them; what is wrong with one goes back to the model.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel, ValidationError

from deep_research.core.errors import ModelError, StructuredOutputError
from deep_research.text.inventions import given_only

from .chat import ModelRequest, complete, is_refused, wire_message
from .context import Context
from .prompting import user_message, words_given
from .written_calls import with_single_braces

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage


T = TypeVar("T", bound=BaseModel)


class GivenOnly(BaseModel):
    """An object that passes on what was asked: its texts keep no number and no name but those of the request.

    Else what a model makes up about the question would be searched for, and count as what was asked.
    """


_LADDER = ("schema", "tool", "text")
"""Ways of asking for an object, best first; an endpoint that refuses one is asked the next way."""


async def structured(
    role: str, messages: Sequence[Any], schema: type[T], ctx: Context, *, shared: bool = False
) -> T:
    """An object of `schema` from a role: native schema, tool call or JSON in text, then repair turns.

    Raises `StructuredOutputError` after `limits.max_structured_output_retries` tries.
    """
    from langchain_core.messages import AIMessage

    spec = ctx.settings.model_for(role)
    conversation = list(messages)
    problem = ""
    for _ in range(ctx.settings.limits.max_structured_output_retries):
        message = await _ask(role, conversation, schema, spec, ctx, shared)
        try:
            if message.response_metadata.get("finish_reason") == "length":
                raise ValueError("it was cut off by the length limit; be shorter.")
            parsed = parse_object(message, schema)
            if not issubclass(schema, GivenOnly):
                return parsed
            return schema.model_validate(given_only(parsed.model_dump(), words_given(messages, own=True)))
        except ValueError as error:
            problem = str(error)
            fault = f"That was not a valid {schema.__name__}: {problem}"
            repair = user_message(f"{fault} Return only the corrected object.")
            conversation = [*messages, AIMessage(content=message.text or "(no text)"), repair]
    raise StructuredOutputError(f"The {role} gave no valid {schema.__name__}: {problem}")


async def _ask(
    role: str, messages: list[Any], schema: type[T], spec: str, ctx: Context, shared: bool
) -> AIMessage:
    """Ask for an object the best way that the endpoint accepts."""
    while True:
        way = _LADDER[ctx.models.ways.get(spec, 0)]
        try:
            sent, options = _asking(messages, schema, way)
            wire = [wire_message(message) for message in sent]
            return await complete(ModelRequest(role, wire, options=options, shared=shared), ctx)
        except ModelError as error:
            if not is_refused(error) or way == _LADDER[-1]:
                raise
            ctx.models.ways[spec] = ctx.models.ways.get(spec, 0) + 1


def _asking(messages: list[Any], schema: type[BaseModel], way: str) -> tuple[list[Any], dict[str, Any]]:
    """Messages and request options for one way of asking."""
    from langchain_core.utils.function_calling import convert_to_openai_function

    function = convert_to_openai_function(schema, strict=True)
    if way == "schema":
        definition = {"name": function["name"], "schema": function["parameters"], "strict": True}
        return messages, {"response_format": {"type": "json_schema", "json_schema": definition}}
    if way == "tool":
        choice = {"type": "function", "function": {"name": function["name"]}}
        return messages, {"tools": [{"type": "function", "function": function}], "tool_choice": choice}
    wanted = json.dumps(function["parameters"], ensure_ascii=False)
    asked = user_message(f"Answer with one JSON object of this schema and no prose: {wanted}")
    return [*messages, asked], {}


def parse_object(message: AIMessage, schema: type[T]) -> T:
    """Read an object from a tool call or from text with fences, prose or small JSON faults around it.

    Raises ValueError with a one-line reason that a model can act on.
    """
    candidates = [call["args"] for call in message.tool_calls]
    text = message.text
    if not candidates and text.strip():
        candidates = objects_in(text)
    if not candidates:
        raise ValueError("there is no object in the answer.")
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

    text = with_single_braces(text)
    fenced = re.findall(r"```(?:json)?\s*(.*?)```", text, re.DOTALL)
    spans = [text[text.find("{") : text.rfind("}") + 1]] if "{" in text else []
    found = [repair_json(part, return_objects=True) for part in [*fenced, *spans] if "{" in part]
    return [item for item in found if isinstance(item, dict) and item]
