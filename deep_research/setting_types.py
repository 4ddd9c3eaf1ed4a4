"""The kinds of values that settings are made of, with the checks that all of them share."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import Annotated, Any, get_args
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, field_validator

from .credibility import TIERS
from .state import Kind


def _real_day(text: str) -> str:
    date.fromisoformat(text)
    return text


def _plain_address(url: str) -> str:
    if "@" in urlsplit(url).netloc:
        raise ValueError("it holds a user name or password; give the key as OPENAI_API_KEY")
    if urlsplit(url).query or urlsplit(url).fragment:
        raise ValueError(
            "it holds a query (?...); a key is given as OPENAI_API_KEY, and paths follow the address"
        )
    return url


def _known_kind(name: str) -> str:
    if name not in SOURCE_KINDS:
        near = difflib.get_close_matches(name, SOURCE_KINDS, n=1, cutoff=0.4)
        hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(SOURCE_KINDS)}"
        raise ValueError(f"{name!r} is no tier or kind of source; {hint}")
    return name


def _written_format(name: str) -> str:
    if name not in FILE_FORMATS:
        raise ValueError(
            f"reports cannot be written as {name!r} yet; there are {' and '.join(FILE_FORMATS)}, "
            "and other programs turn Markdown into more"
        )
    return name


def _all_text(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Iterable):
        for item in value.items() if isinstance(value, Mapping) else value:
            yield from _all_text(item)


Endpoint = Annotated[str, AfterValidator(_plain_address)]
Day = Annotated[str, Field(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"), AfterValidator(_real_day)]
SOURCE_KINDS = tuple(dict.fromkeys((*TIERS, *get_args(Kind))))
SourceKind = Annotated[str, AfterValidator(_known_kind)]
FILE_FORMATS = ("md", "html")
FileFormat = Annotated[str, AfterValidator(_written_format)]
ModelSpec = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
"""A model's name, as `models.Models` reads it."""


class Part(BaseModel):
    """Base of all settings classes: unknown keys are errors, values are checked on assignment.

    Errors do not repeat the value, since it may be an address with a password in it.
    """

    model_config = ConfigDict(extra="forbid", validate_assignment=True, hide_input_in_errors=True)

    @field_validator("*", mode="after")
    @classmethod
    def _is_valid_text(cls, value: Any) -> Any:
        """A run folder keeps its settings as UTF-8, which has no lone surrogates (bytes of a file's name)."""
        if any("\ud800" <= char <= "\udfff" for text in _all_text(value) for char in text):
            raise ValueError(
                "it holds bytes that are no valid text (a file of such a name has to be renamed)"
            )
        return value
