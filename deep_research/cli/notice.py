"""What the command line says to a newcomer who asks the invented web about the real world.

Such a run is stopped before it starts, with the ways out; samples show what can be asked.
"""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING

from deep_research.runs.real_world import foreign_words, near_names
from deep_research.text.language import detect_language

if TYPE_CHECKING:
    from deep_research.sources.index import Index
    from deep_research_offline.web.types import Web


_SAMPLE_KINDS = ("single_fact", "comparison", "multi_hop")


def foreign_notice(question: str, web: Web, index: Index) -> list[str]:
    """The lines of the notice; empty if the offline web knows what the question is about."""
    unknown = foreign_words(question, web, index)
    if not unknown:
        return []
    named = ", ".join(unknown)
    return [
        f"error: The offline web knows nothing of: {named}.",
        f"Without keys, research runs on an invented web about {web.domain}, not on the real one.",
        "Ask it one of its sample questions (`deep-research questions` lists them all):",
        *sample_lines(web, question),
        "Or research your own documents:  deep-research ask '…' --docs FOLDER",
        "Or the real web:                 set OPENAI_API_KEY and TAVILY_API_KEY",
        "Or run it all the same:          add --yes",
    ]


def near_note(question: str, web: Web, index: Index) -> list[str]:
    """A line for each name that is probably misspelt; the run goes on with the question as it stands."""
    if question in {sample.text for sample in web.questions}:
        return []
    near = near_names(question, web, index)
    typed = {word: re.search(re.escape(word), question, re.IGNORECASE) for word in near}
    words = {word: found[0] if found else word for word, found in typed.items()}
    return [f"note: nothing here is called “{words[w]}”. Did you mean “{name}”?" for w, name in near.items()]


def sample_lines(web: Web, question: str) -> list[str]:
    """The commands that ask three samples."""
    return [f"  deep-research ask {shlex.quote(text)}" for text in three_samples(web, question)]


def three_samples(web: Web, question: str) -> list[str]:
    """Three sample questions of different kinds, in the question's language where there are some."""
    language = detect_language(question)
    chosen = []
    for kind in _SAMPLE_KINDS:
        of_kind = sorted(
            (s for s in web.questions if s.kind == kind), key=lambda s: (s.lang != language, s.lang != "en")
        )
        chosen += [sample.text for sample in of_kind[:1]]
    return chosen
