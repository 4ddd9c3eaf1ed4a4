"""The kinds of values that settings are made of, with the checks that all of them share."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import Annotated, Any, Self, get_args
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationInfo,
    field_validator,
    model_validator,
)

from deep_research.core.records import Kind
from deep_research.core.tiers import PRIMARY, TIERS
from deep_research.text.data import read_data
from deep_research.text.fence import without_citations

_WANTED: dict[str, str] = read_data(__file__, "wanted.toml")
"""Pydantic's name of what is wrong with a value, or how that begins → the same for people."""


def in_plain_words(wrong: Any) -> str:
    """What is wrong with a value, of an entry of pydantic's errors, and what it is to be."""
    kind = wrong["type"]
    said = _WANTED.get(kind) or _WANTED.get(kind.partition("_")[0])
    return said.format(**wrong.get("ctx", {})) if said else wrong["msg"].removeprefix("Value error, ")


def _not_blank(text: str) -> str:
    if not text.strip():
        raise ValueError("it is blank; leave it out, or say what it is to be")
    return text


def _one_line(text: str) -> str:
    return without_citations(" ".join(_not_blank(text).split()))


def _each_once(names: list[str]) -> list[str]:
    seen: set[str] = set()
    for name in names:
        if name.strip().casefold() in seen:
            raise ValueError(f"{name!r} stands in it twice")
        seen.add(name.strip().casefold())
    return names


def _host_alone(text: str) -> str:
    """The domain of a site, also where its address was given; part of a site cannot be chosen."""
    address = _not_blank(text).strip().lower()
    parts = urlsplit(address if "//" in address else f"//{address}")
    host = (parts.hostname or "").strip(".")
    if not _HOST.fullmatch(host):
        raise ValueError(f"{text!r} is no domain; write it like 'example.org'")
    if parts.netloc.strip(".") != host or parts.path.strip("/") or parts.query or parts.fragment:
        raise ValueError(f"only whole sites can be chosen; the one of {text!r} is {host!r}")
    return host


def _day_as_text(value: Any) -> Any:
    """TOML has dates of its own."""
    return value.isoformat() if type(value) is date else value


def _named_model(spec: str) -> str:
    provider, _, name = spec.partition(":")
    if provider not in ("offline", "local") and not (provider and name):
        near = difflib.get_close_matches(provider, ("offline",), n=1)
        hint = "did you mean 'offline'?" if near and not name else "for example openai:gpt-5-mini, or offline"
        raise ValueError(f"{spec!r} is not of the form provider:name; {hint}")
    return spec


def _real_day(text: str) -> str:
    date.fromisoformat(text)
    return text


def plain_address(url: str) -> str:
    """An endpoint's address as clients take it: they add `/chat/completions` themselves."""
    return url.strip().rstrip("/").removesuffix("/chat/completions")


def _checked_address(url: str) -> str:
    url = plain_address(url)
    if "@" in urlsplit(url).netloc:
        raise ValueError("it holds a user name or password; give the key as OPENAI_API_KEY")
    if urlsplit(url).scheme not in ("http", "https") or not urlsplit(url).hostname:
        raise ValueError("it is no web address; write it like http://localhost:11434/v1")
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


_LABEL = r"[^\W_](?:[\w-]*[^\W_])?"
_HOST = re.compile(rf"(?:\*\.)?{_LABEL}(?:\.{_LABEL})*")
Filled = Annotated[str, AfterValidator(_not_blank)]
OneLine = Annotated[str, AfterValidator(_one_line)]
"""Words of the user on one line, such as a heading."""
Once = AfterValidator(_each_once)
DistinctLines = Annotated[list[OneLine], Once]
HostName = Annotated[str, AfterValidator(_host_alone)]
Endpoint = Annotated[str, AfterValidator(_checked_address)]
IsoDay = Annotated[
    str,
    BeforeValidator(_day_as_text),
    Field(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"),
    AfterValidator(_real_day),
]
SOURCE_KINDS = tuple(dict.fromkeys((*TIERS, *get_args(Kind), PRIMARY)))
SourceKind = Annotated[str, AfterValidator(_known_kind)]
FILE_FORMATS = ("md", "html")
FileFormat = Annotated[str, AfterValidator(_written_format)]
ModelSpec = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1), AfterValidator(_named_model)
]
"""A model's name, as `clients.Models` reads it."""


class SettingsTable(BaseModel):
    """Base of all settings classes: unknown keys are errors, values are checked on assignment.

    Errors do not repeat the value, since it may be an address with a password in it.
    """

    model_config = ConfigDict(extra="forbid", validate_assignment=True, hide_input_in_errors=True)

    @field_validator("*", mode="before")
    @classmethod
    def _is_no_switch(cls, value: Any, info: ValidationInfo) -> Any:
        """`true` for a number would be read as 1."""
        kind = cls.model_fields[str(info.field_name)].annotation
        if isinstance(value, bool) and {int, float} & {kind, *get_args(kind)}:
            raise ValueError("a number is wanted, not true or false")
        return value

    @field_validator("*", mode="after")
    @classmethod
    def _is_valid_text(cls, value: Any) -> Any:
        """A run folder keeps its settings as UTF-8, which has no lone surrogates (bytes of a file's name)."""
        if any("\ud800" <= char <= "\udfff" for text in _all_text(value) for char in text):
            raise ValueError(
                "it holds bytes that are no valid text (a file of such a name has to be renamed)"
            )
        return value

    @model_validator(mode="after")
    def _are_in_order(self) -> Self:
        """What is wanted at least (`min_…`) is no more than what is wanted at most (`max_…`)."""
        values = dict(self)
        for least, most in ((name, f"max_{name[4:]}") for name in values if name.startswith("min_")):
            if most in values and values[least] > values[most]:
                raise ValueError(f"{least} is larger than {most}")
        return self
