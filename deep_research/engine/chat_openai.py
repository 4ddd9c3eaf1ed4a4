"""LangChain's `ChatOpenAI`, for servers and models on whose answers it raises, or of which it drops a part.

- Tool arguments that are an object, not its JSON text, are read as that text.
- Tool arguments that are JSON but no object (`"text"`, `[1]`) become `invalid_tool_calls`, as those do that
  are no JSON at all: there they can be answered.
- An object that was cut by the length limit comes back with its `finish_reason`, so that it can be asked for
  again.
- Thoughts that a server sends beside the text are kept (`THOUGHTS`), streamed or not: some put a whole answer
  there.
- An error that a server tells in one string is raised as an error with that message.

Imported only when a client is built.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Mapping
from typing import Any

from langchain_core.outputs import ChatResult
from langchain_openai import ChatOpenAI
from openai import LengthFinishReasonError

from .thoughts import THOUGHTS


class ForgivingChatOpenAI(ChatOpenAI):
    """`ChatOpenAI` that never fails on the arguments of a tool call, nor on an object that was cut."""

    async def _agenerate(self, messages: Any, *args: Any, **kwargs: Any) -> ChatResult:
        try:
            return await super()._agenerate(messages, *args, **kwargs)
        except LengthFinishReasonError as error:
            return self._create_chat_result(error.completion)

    def _create_chat_result(self, response: Any, generation_info: dict[str, Any] | None = None) -> ChatResult:
        told = response.get("error") if isinstance(response, dict) else getattr(response, "error", None)
        if isinstance(told, str) and told:
            raise ValueError({"message": told})
        for choice in getattr(response, "choices", None) or []:
            for call in choice.message.tool_calls or []:
                if isinstance(call.function.arguments, Mapping):
                    call.function.arguments = json.dumps(call.function.arguments)
                elif not _is_object(call.function.arguments):
                    call.function.arguments = f"no object: {call.function.arguments}"
        with warnings.catch_warnings():  # of fields that are not what they should be: nobody could mend them
            warnings.simplefilter("ignore", UserWarning)
            result = super()._create_chat_result(response, generation_info)
        for choice, made in zip(getattr(response, "choices", None) or [], result.generations, strict=False):
            _keep_thoughts(choice.message.model_extra or {}, made.message)
        return result

    def _convert_chunk_to_generation_chunk(self, chunk: dict[str, Any], *args: Any) -> Any:
        made = super()._convert_chunk_to_generation_chunk(chunk, *args)
        if made is not None and chunk.get("choices"):
            _keep_thoughts(chunk["choices"][0]["delta"], made.message)
        return made


def _keep_thoughts(said: Mapping[str, Any], message: Any) -> None:
    """Take over thoughts under the names that servers give them, and a refusal, also from a stream."""
    if thoughts := said.get("reasoning_content") or said.get("reasoning"):
        message.additional_kwargs[THOUGHTS] = thoughts
    if refusal := said.get("refusal"):
        message.additional_kwargs["refusal"] = refusal


def _is_object(arguments: str | None) -> bool:
    """Whether arguments are a JSON object; empty ones count as the empty object, as in the library."""
    try:
        return isinstance(json.loads(arguments or "{}"), dict)
    except ValueError:
        return False
