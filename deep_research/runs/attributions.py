"""Where a draft says that its statements are from: left out where no reader can look, else put behind them.

Small models call what they were given by its names in their prompts: "According to the brief, ...". They cite
behind the question that they repeat, or in a sentence of its own, "This is found in [S1.1].", and what they
state seems to cite nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from deep_research.components.verifier.uncited import citation_edit
from deep_research.core.forms import form
from deep_research.core.records import Source
from deep_research.engine.context import Context
from deep_research.sources.ledger import told_in
from deep_research.text.blocks import Edit, apply_edits, letters, moved, without_spans
from deep_research.text.cited_sentences import CitedSentence
from deep_research.text.language import outside_code
from deep_research.text.quantities import quantities
from deep_research.text.source_ids import sentences_citing_ids
from deep_research.text.wording import content_words, names_in

_FEW = 2
"""Words by which a sentence says where something is from: "Both [1][2]." may go on with what was said."""
_ENDS = (*".!?。！？:：|#>-", "")


def without_prompt_names(markdown: str, sources: Sequence[Source], ctx: Context) -> str:
    """The text without attributions to parts of a prompt, but for what the sources call so themselves."""
    if not any(form(name).search(markdown) for name in ("talk.openings", "talk.asides")):
        return markdown
    known = told_in(sources, ctx).casefold()

    def left(match: re.Match[str]) -> str:
        part = form("talk.parts").findall(match[0].casefold())[-1]
        if (f"the {part}" if part.isascii() else part) in known:
            return match[0]
        before = match.string[: match.start()].rstrip(" *_")
        first = match[0][-1:] if match[0][-1:].isalpha() else ""
        return first.upper() if before[-1:] in (*_ENDS, "\n") else first

    def plain(text: str) -> str:
        text = form("talk.openings").sub(left, text)
        return form("talk.asides").sub(lambda one: "" if left(one) != one[0] else one[0], text)

    return outside_code(markdown, plain)


def with_citations_moved(markdown: str, question: str) -> str:
    """The text with citations of the question behind what follows it in its line, with those of a sentence
    that only says where something is from behind what stands before it, and without these sentences."""
    sentences, asked = sentences_citing_ids(markdown), letters(question)
    edits, gone = list[Edit](), list[tuple[int, int]]()
    for place, said in enumerate(sentences):
        is_question = letters(said.text) == asked
        at = place + 1 if is_question else place - 1
        if not said.ids or not 0 <= at < len(sentences) or not (is_question or _tells_only_where(said)):
            continue
        other = sentences[at]
        first, second = sorted((said, other), key=lambda one: one.start)
        if "\n" not in markdown[first.end : second.start]:
            new = [name for name in said.ids if name not in other.ids]
            edits += [citation_edit(markdown, other, new, "")] if new else []
            gone.append((said.start, other.start if is_question else said.end))
    places = moved([place for span in gone for place in span], edits)
    return without_spans(apply_edits(markdown, edits), [*zip(places[::2], places[1::2], strict=True)])


def _tells_only_where(said: CitedSentence) -> bool:
    """Whether a sentence has no words but those that say where something is from."""
    rest, words_of_it = form("talk.where").subn(" ", said.text)
    told = any(not word.filler for word in content_words(rest))
    return words_of_it >= _FEW and not (told or quantities(said.text) or names_in(said.text))
