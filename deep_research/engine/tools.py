"""Tools that models may call: a name, a description and a Pydantic class for the arguments.

A `Tool` here is only what the model is shown. What happens on a call is the node's business, so that every
call of a message, good or bad, gets exactly one answer (`tool_answer`). A prompt lists the tools that are
offered and nothing else, so it never names a tool that the role does not have.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from deep_research.core.words import phrases
from deep_research.settings import Settings
from deep_research.text.fence import fence


def tools_of_role(role: str, defaults: Sequence[Tool], settings: Settings) -> list[Tool]:
    """The tools of a role: the design's, or those that the settings name for it."""
    names, own = settings.tools.get(role), {tool.name: tool for tool in defaults}
    return list(defaults) if names is None else [own.get(name, TOOLS[name]) for name in names]


class Arguments(BaseModel):
    """Base of all tool arguments; of `given_only` ones, texts keep what the conversation has given alone."""

    given_only: ClassVar[bool] = False
    model_config = ConfigDict(extra="ignore")


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool as a model sees it."""

    name: str
    description: str
    arguments: type[Arguments]

    def spec(self) -> dict[str, Any]:
        """The OpenAI function definition."""
        schema = self.arguments.model_json_schema()
        schema.pop("title", None)
        schema.pop("description", None)
        for part in schema.get("properties", {}).values():
            part.pop("title", None)
        function = {"name": self.name, "description": self.description, "parameters": schema}
        return {"type": "function", "function": function}


class SearchArguments(Arguments):
    queries: list[str] = Field(
        min_length=1, description="One to three search queries of a few keywords each."
    )


class KnowledgeArguments(SearchArguments):
    plain: bool = Field(
        False,
        description="Match only the exact words, not their meaning: for names, codes and quotations.",
    )


class ThinkArguments(Arguments):
    reflection: str = Field(description="What was found, what is still missing, and what to do next.")


class ConductResearchArguments(Arguments):
    given_only: ClassVar[bool] = True
    research_topic: str = Field(
        min_length=1,
        description="What to find out: one self-contained topic, a paragraph, with every name spelled out.",
    )


class LookUpArguments(Arguments):
    terms: list[str] = Field(min_length=1, description="The terms or abbreviations, as the user wrote them.")


Number = int | float


class Input(BaseModel):
    """A number, or a list of numbers, that a calculation starts from."""

    name: str = Field(
        pattern=r"^[A-Za-z][A-Za-z0-9_]{0,39}$", description="The name of the variable in the code."
    )
    value: Number | list[Number] = Field(description="The number or numbers, as the source states them.")
    source: str = Field("", description="The id of the source that states it, such as S1.0.")


class CalculateArguments(Arguments):
    purpose: str = Field(min_length=1, description="What to calculate, in a short phrase with the unit.")
    code: str = Field(
        min_length=1,
        max_length=4_000,
        description="A few lines of Python. The value of the last line is the result. Arithmetic, math, "
        "decimal and datetime are available; files, network and other modules are not.",
    )
    inputs: list[Input] = Field(
        [], description="The numbers to calculate with. The code refers to them by name."
    )


class ItemArguments(Arguments):
    label: str = Field(min_length=1, description="The label, such as 'Theorem 3.1', 'Table 2' or '§ 4'.")


class NoArguments(Arguments):
    """A tool that takes nothing."""


SEARCH = Tool(
    "search", "Search for documents. Each query returns its best hits with their text.", SearchArguments
)
SEARCH_DOCUMENTS = Tool(
    "search_documents",
    "Search the user's own documents. Each query returns its best hits with their text.",
    SearchArguments,
)
THINK = Tool("think", "Record a reflection. It costs nothing and finds nothing.", ThinkArguments)
CONDUCT_RESEARCH = Tool(
    "ConductResearch", "Delegate one topic to a researcher, who works on it alone.", ConductResearchArguments
)
LOOK_UP_TERM = Tool("look_up_term", "Look up the meaning of terms in the user's glossary.", LookUpArguments)
RESEARCH_COMPLETE = Tool("ResearchComplete", "End the research.", NoArguments)

SEARCH_PAPERS = Tool(
    "search_papers",
    "Search scientific papers by their titles and abstracts. Write the queries in English.",
    SearchArguments,
)
CALCULATE = Tool(
    "calculate",
    "Calculate with numbers that sources state: differences, sums, shares, averages, conversions. "
    "The result becomes a source that you can cite.",
    CalculateArguments,
)
LOOK_UP_ITEM = Tool(
    "look_up_item",
    "Look up a labelled item (theorem, definition, table, figure, section …) in the documents and sources "
    "that you have.",
    ItemArguments,
)

SEARCH_KNOWLEDGE = Tool(
    "search_knowledge",
    "Search the user's own notes. Each query returns the relevant passages.",
    KnowledgeArguments,
)

EVIDENCE_TOOLS = (SEARCH, SEARCH_DOCUMENTS, SEARCH_PAPERS, SEARCH_KNOWLEDGE, CALCULATE, LOOK_UP_ITEM)
"""The tools whose results are sources."""

TOOLS = {
    tool.name: tool for tool in (*EVIDENCE_TOOLS, THINK, CONDUCT_RESEARCH, RESEARCH_COMPLETE, LOOK_UP_TERM)
}


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call as a model asked for it; `problem` says why it cannot be carried out, if it cannot.

    It is fit for a prompt, although it may name what the model has written.
    """

    id: str
    name: str
    arguments: Any
    problem: str | None = None


def read_calls(message: Any, offered: Sequence[Tool]) -> list[ToolCall]:
    """All tool calls of a model's message, in order, valid or not; none is dropped."""
    tools = {tool.name: tool for tool in offered}
    calls = [_read(call["id"], call["name"], call["args"], tools) for call in message.tool_calls]
    broken = [
        ToolCall(call.get("id") or "", call.get("name") or "", None, "The arguments are not valid JSON.")
        for call in message.invalid_tool_calls
    ]
    return calls + broken


def _read(call_id: str, name: str, arguments: Any, tools: dict[str, Tool]) -> ToolCall:
    tool = tools.get(name)
    if tool is None:
        problem = f"There is no tool '{name}'. Tools: {', '.join(tools) or 'none'}."
        return ToolCall(call_id, name, None, fence(problem))
    try:
        return ToolCall(call_id, name, tool.arguments.model_validate(arguments))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "arguments"
        problem = f"Bad arguments for '{name}': {place}: {first['msg']}."
        return ToolCall(call_id, name, None, fence(problem))


def tool_answer(call: ToolCall, text: str, artifact: Any = None) -> Any:
    """The one tool message that answers a call; `artifact` is plain data that no model is sent."""
    from langchain_core.messages import ToolMessage

    return ToolMessage(content=text, tool_call_id=call.id, name=call.name or "unknown", artifact=artifact)


_LINES = phrases("prompts.tools")


def tool_lines(offered: Sequence[Tool], settings: Settings) -> str:
    """A line for each tool in the prompt's language; a tool without words of its own has its description."""
    known = _LINES[settings.prompt_language]
    return "\n".join(f"- `{tool.name}` {known.get(tool.name, f'— {tool.description}')}" for tool in offered)
