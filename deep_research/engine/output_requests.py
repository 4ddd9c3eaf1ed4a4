"""What the settings say of scope and report, as prompts have it: a line for each thing that they state.

What is not stated has no line. The output specification is one, wherever its parts stand: `output`, the
period, regions and exclusions of `scope`, and `language`. A small glossary is shown as it is. A large one
would crowd out the conversation: the clarifier looks terms up in it, and prompts show those that they
mention.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from deep_research.core.words import phrase, phrases
from deep_research.settings import Settings
from deep_research.settings.parts import OutputSettings, ScopeSettings
from deep_research.text.data import read_data

from .context import Context
from .prompting import LANGUAGES_IN, NONE

WORDS_PER_PAGE = {"en": 400, "zh": 800, "ja": 800}
_WORDS = phrases("prompts.output")
SCOPE_WORDS = phrases("prompts.scope")
_CHART = phrase("prompts.phrases.chart")
"""How a writer is told to write a chart."""
_CHART_EXAMPLE = (
    '{"kind": "bar", "title": "…", "unit": "m", "series": [{"name": "…", "points": '
    '[{"label": "…", "value": 41, "source": "S1.0"}]}]}'
)
_ASKED_ABOUT: dict[str, str] = read_data(__file__, "asked_about.toml")
_ASKS = re.compile(r"[^.?!。？！\n]*[?？]|[^.?!。？！\n]*か。")

Glossary = Mapping[str, str]
LARGE_GLOSSARY = 2_000
"""Characters; a longer glossary is looked up instead of shown."""


def most_words(ctx: Context) -> int | None:
    """The longest report in words (characters for zh and ja); None if there is no cap."""
    return _word_cap(ctx.settings.output, WORDS_PER_PAGE[ctx.language])


def _word_cap(output: OutputSettings, per_page: int) -> int | None:
    pages = [round(output.pages * per_page)] if output.pages else []
    return min([*([output.words] if output.words else []), *pages], default=None)


def is_large(glossary: Glossary) -> bool:
    """Whether a glossary is too long to stand in a prompt."""
    return sum(len(term) + len(meaning) for term, meaning in glossary.items()) > LARGE_GLOSSARY


def mentioned_terms(glossary: Glossary, text: str) -> dict[str, str]:
    """The entries whose terms stand in a text as words of their own, whatever their case."""
    letter = "[A-Za-z0-9\u00c0-\u024f]"
    return {
        term: meaning
        for term, meaning in glossary.items()
        if re.search(f"(?<!{letter}){re.escape(term)}(?!{letter})", text, re.IGNORECASE)
    }


def relevant_terms(glossary: Glossary, text: str) -> dict[str, str]:
    """What a prompt about `text` shows of a glossary: all of a small one, of a large one what it mentions."""
    return mentioned_terms(glossary, text) if is_large(glossary) else dict(glossary)


def limits_of(scope: ScopeSettings) -> dict[str, list[str]]:
    """What the settings leave out and keep to in subjects, time and place, as far as they say so."""
    limits = {
        "exclude": scope.exclude,
        "period": [scope.period] if scope.period else [],
        "regions": scope.regions,
        "exclude_regions": scope.exclude_regions,
    }
    return {name: values for name, values in limits.items() if values}


def scope_lines(notes: Mapping[str, Sequence[str]], words: Mapping[str, str]) -> list[str]:
    """A line for each note that says something, such as "- Period: since 2040"; `words` name them."""
    return [f"- {words[name]}: {'; '.join(values)}" for name, values in notes.items() if values]


def scope_notes(settings: Settings, text: str, *, agreed: str = "", output: bool = False) -> str:
    """What counts beyond the conversation, a line each.

    Of a large glossary it shows the terms that `text` mentions. `agreed` is the scope that the clarifier has
    acknowledged. With `output` the lines on the report follow.
    """
    scope, language = settings.scope, settings.prompt_language
    terms = relevant_terms(scope.glossary, text)
    notes = {
        **limits_of(scope),
        "glossary": [f"{term} = {meaning}" for term, meaning in terms.items()],
        "user": [", ".join(scope.user_info.values())] if scope.user_info else [],
        "scope": [" ".join(agreed.split())] if agreed else [],
    }
    lines = scope_lines(notes, SCOPE_WORDS[language])
    return "\n".join([*lines, *(output_lines(settings) if output else [])]) or NONE[language]


def output_lines(settings: Settings) -> list[str]:
    """What `output`, `language` and the rules on sources state, a line each, in the prompt's language."""
    output, search, language = settings.output, settings.search, settings.prompt_language
    words = _WORDS[language]
    named = {
        "prefer": words["separator"].join([*search.prefer_domains, *search.prefer_kinds]),
        "ban": words["separator"].join(search.ban_kinds),
        "allow": words["separator"].join(search.allow_kinds),
        "sections": words["separator"].join(output.sections),
        "tone": output.tone or "",
        "language": LANGUAGES_IN[language].get(settings.language, ""),
    }
    lines = [words[output.form]] if output.form != "report" else []
    length = _word_cap(output, WORDS_PER_PAGE["en" if settings.language == "auto" else settings.language])
    lines += [words["length"].format(n=length)] if length else []
    lines += [words[output.summary].format(n=output.summary_words)] if output.summary != "as_fits" else []
    lines += [words[name].format(it=value) for name, value in named.items() if value]
    lines += [words["primary"]] if output.primary_only else []
    lines += [words[output.charts]] if output.charts != "none" else []
    return [f"- {line}" for line in lines]


def output_notes(settings: Settings, *, reader: bool = False) -> str:
    """The whole specification under a line that says what it is; empty where nothing is stated.

    With `reader` it ends with how a chart is written, where one is wanted, and with what the settings say of
    the user: that is for those who write for them.
    """
    language = settings.prompt_language
    lines = [*scope_lines(limits_of(settings.scope), SCOPE_WORDS[language]), *output_lines(settings)]
    if reader and settings.output.charts != "none":
        lines.append(f"- {_CHART[language].format(example=_CHART_EXAMPLE)}")
    about = list(settings.scope.user_info.values()) if reader else []
    lines += scope_lines({"user": [", ".join(about)] if about else []}, SCOPE_WORDS[language])
    return "\n".join([_WORDS[language]["settled"], "", *lines]) if lines else ""


def _settled_by_settings(settings: Settings) -> Iterator[str]:
    """The names of what needs no asking."""
    output, scope = settings.output, settings.scope
    stated = {
        "period": bool(scope.period or settings.search.after or settings.search.before),
        "regions": bool(scope.regions or scope.exclude_regions),
        "length": bool(output.words or output.pages),
        "form": output.form != "report",
        "language": settings.language != "auto",
        "tone": bool(output.tone),
        "sections": bool(output.sections),
        "summary": output.summary != "as_fits",
    }
    return (name for name, is_stated in stated.items() if is_stated)


def asks_only_what_is_settled(question: str, settings: Settings) -> bool:
    """Whether everything that a message asks the user is stated by the settings already."""
    patterns = [_ASKED_ABOUT[name] for name in _settled_by_settings(settings)]
    asked = _ASKS.findall(question) or [question]
    return bool(patterns) and all(re.search("|".join(patterns), part, re.IGNORECASE) for part in asked)
