"""Public functions that hold what they are given to their own annotations, before anything runs.

Of a mapping only the keys are looked at; what an annotation cannot say is checked where it is used.
"""

from __future__ import annotations

import inspect
import os
import sys
import types
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache, wraps
from pathlib import Path
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from .errors import UsageError, nearest_hint

F = TypeVar("F", bound=Callable[..., Any])

_EXAMPLES = {
    "question": "Ask in a string.",
    "answer": "For example: answer=lambda question: 'Both.'",
    "budget": "For example: budget={'model_calls': 20}",
    "docs": "For example: docs='notes/'",
    "history": "For example: history=[{'role': 'user', 'content': '...'}]",
    "knowledge": "For example: knowledge='notes/'",
    "parts": "For example: parts={'write_report': my_node}",
    "search": "For example: search='offline'",
    "settings": "For example: settings={'search.results': 5}",
} | dict.fromkeys(("after", "before", "run_id"), "Give a run's id or its report.")
_WORDS: dict[Any, str] = {
    str: "text", bool: "True or False", int: "a whole number", float: "a number", Path: "a path",
    os.PathLike: "a path", types.NoneType: "None", Callable: "a function",
}  # fmt: skip


def checked(function: F) -> F:
    """The function, which raises `UsageError` for an argument that it does not have, or that does not fit."""
    signature = inspect.signature(function)
    rest = next((one.name for one in signature.parameters.values() if one.kind is one.VAR_KEYWORD), "")

    def check(args: tuple[Any, ...], options: dict[str, Any]) -> None:
        known = {name: hint for name, hint in _hints(function).items() if name not in (rest, "return")}
        known |= _hints(get_args(_hints(function)[rest])[0]) if rest else {}
        if unknown := next((name for name in options if name not in known), ""):
            elsewhere = "Everything else goes into `settings`." if "settings" in known else ""
            fault = f"{function.__name__.removeprefix('a')}() has no argument '{unknown}'."
            raise UsageError(fault, nearest_hint(unknown, known, elsewhere))
        given = signature.bind_partial(*args, **options).arguments
        choices = {name: value for name, value in given.pop(rest, {}).items() if value is not None}
        for name, value in {**given, **choices}.items():
            if not fits(value, known[name]):
                example = _EXAMPLES.get(name, f"It takes {_said(known[name])}.")
                raise UsageError(_refusal(f"'{name}'", value, known[name]), example)

    if inspect.iscoroutinefunction(function):

        @wraps(function)
        async def call_async(*args: Any, **options: Any) -> Any:
            check(args, options)
            return await function(*args, **options)

        return call_async  # type: ignore[return-value]

    @wraps(function)
    def call(*args: Any, **options: Any) -> Any:
        check(args, options)
        return function(*args, **options)

    return call  # type: ignore[return-value]


@cache
def _hints(annotated: Any) -> dict[str, Any]:
    """The annotations as types; those whose names are known to type checkers alone are Any."""
    names = dict(vars(sys.modules[annotated.__module__]))
    while True:
        try:
            return get_type_hints(annotated, names)
        except NameError as error:
            names[str(error.name)] = Any


def fits(value: Any, hint: Any) -> bool:
    """Whether a value is what an annotation says; what is no type of values fits all."""
    kind, args = get_origin(hint) or hint, get_args(hint)
    if kind in (Union, types.UnionType):
        return any(fits(value, one) for one in args)
    if kind is Literal:
        return value in args
    if kind is Callable:
        return callable(value)
    if kind is Any or not isinstance(kind, type):
        return True
    if isinstance(value, bool) and kind in (int, float):
        return False
    try:
        if not isinstance(value, (int, float) if kind is float else kind):
            return False
    except TypeError:  # a protocol
        return True
    if not args or not issubclass(kind, Iterable) or not isinstance(value, Collection):
        return True
    return not isinstance(value, str) and all(fits(one, args[0]) for one in value)


def _refusal(name: str, value: Any, hint: Any) -> str:
    """What does not fit: the value, or the first item of a list that does not."""
    for kind in get_args(hint) if get_origin(hint) in (Union, types.UnionType) else [hint]:
        args = get_args(kind)
        if isinstance(value, Sequence) and not isinstance(value, str) and args and fits([], kind):
            place = next(at for at, item in enumerate(value) if not fits(item, args[0]))
            return f"Item {place + 1} of {name} cannot be {value[place]!r:.40}."
    return f"{name} cannot be {value!r:.40}."


def _said(hint: Any) -> str:
    """An annotation in words."""
    kind, args = get_origin(hint) or hint, get_args(hint)
    if kind in (Union, types.UnionType):
        return " or ".join(dict.fromkeys(_said(one) for one in args))
    if kind is Literal:
        return " or ".join(map(repr, args))
    if kind in _WORDS or not isinstance(kind, type):
        return _WORDS.get(kind, "something else")
    if issubclass(kind, Mapping):
        return "a mapping"
    return (
        f"a list of {_said(args[0])}"
        if issubclass(kind, Iterable) and args
        else f"one of type {kind.__name__}"
    )
