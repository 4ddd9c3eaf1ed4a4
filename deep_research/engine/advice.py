"""What to set where a model or a search fails, from one table, and what its server says of it.

Servers tell of errors in many forms; `words_of` reads those of OpenAI, Ollama and FastAPI, and plain text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from deep_research.core.secrets import without_keys

_WORDS = 300
"""Characters of a server's own words in an error."""
_TELLING = ("message", "error", "detail", "msg", "title")
"""Where servers put what they say of an error, at whatever depth."""
_TOO_LONG = re.compile(
    r"context[ _-]?(?:length|window|size)|n_ctx|exceeds? .{0,30}context"
    r"|(?:prompt|inputs?|messages?|request) (?:is |are |was )?too (?:long|large)"
    r"|too many (?:input )?tokens|reduce the length|maximum .{0,20}tokens",
    re.IGNORECASE,
)
_NAMES = {
    "model": {
        "key": "OPENAI_API_KEY", "address": "OPENAI_BASE_URL (base_url), which mostly ends in /v1",
        "other": ", or choose another model",
    },
    "search": {"key": "TAVILY_API_KEY", "address": "TAVILY_BASE_URL", "other": ""},
}  # fmt: skip
_MODEL = "the name of the model and "
_NAME = "Check the name of the model. "
_ADDRESS = "Is it running at that address? Check {address}."
_LOCAL = "Is it running? `make local-model` serves one there."
ADVICE: Mapping[str | int, str] = {
    "address": _ADDRESS,
    "slow": "Set call_timeout or retries higher.",
    "too long": "Set context_window to the tokens that the server takes, such as 4096.",
    "credit": "Check the credit and quota of the account behind {key}{other}.",
    400: _NAME + _ADDRESS,
    401: "Check {key}.",
    403: "Check {key}.",
    404: _NAME + _ADDRESS,
    408: "Set call_timeout or retries higher.",
    422: f"The server does not take such a request. Check {_MODEL}{{address}}.",
    429: "Set retries higher or concurrency=1, or check the quota of the account behind {key}.",
    500: "Look at the server's own log; set retries higher if it is only busy{other}. Check {address}.",
    503: "It may still be starting: wait, or set retries higher. Check {address}.",
}
"""What went wrong, or the HTTP status → what to set."""


def advice(why: str | int, kind: str, model: str) -> str:
    """What to set after a failure of a call of this kind, to this model or search."""
    searches = kind != "model"
    why = "address" if searches and why == "too long" else why
    if model.partition(":")[0] == "offline" or (searches and "tavily" not in model):
        return ""  # what has neither key nor address here
    text = ADVICE.get(why) or ADVICE[500 if isinstance(why, int) and why >= 500 else "address"]
    if model.partition(":")[0] == "local" and "{address}" in text:
        return _LOCAL
    text = text.removeprefix(_NAME).replace(_MODEL, "") if searches else text
    return text.format(**_NAMES["search" if searches else "model"])


def says_too_long(words: str) -> bool:
    """Whether a server's words mean that a request does not fit into the model's context."""
    return _TOO_LONG.search(words) is not None


def words_of(error: Exception) -> str:
    """What the server says of an error, after a colon; nothing where that is a page instead of a sentence."""
    told = _told(error.args[0] if is_answered_error(error) else getattr(error, "body", None))
    if not told:  # a client's own words for a status tell nobody anything
        answer = getattr(error, "response", None)
        told = str(error) if answer is None else _told(_body(answer))
    words = without_keys(" ".join(told.split()), is_error=True)  # before it is cut, and a key with it
    return f": {words[:_WORDS].rstrip('.')}." if words and "<" not in words else "."


def _body(answer: Any) -> Any:
    """The body of an answer with an error status, as JSON if it is; nothing if it was not read."""
    try:
        return answer.json()
    except ValueError:
        return answer.text
    except Exception:  # each client has its own for a stream that was left
        return ""


def is_answered_error(error: Exception) -> bool:
    """Whether a server put an error into an answer that says that all is well."""
    return bool(error.args) and isinstance(error.args[0], Mapping)


def _told(body: Any) -> str:
    """The words in the body of an error; of a field that is at fault, with its place."""
    if isinstance(body, str):
        return body
    if isinstance(body, Mapping):
        words = next(filter(None, (_told(body.get(name)) for name in _TELLING)), "")
        place = body.get("loc")
        return f"{'.'.join(map(str, place))}: {words}" if isinstance(place, list) and words else words
    return "; ".join(filter(None, map(_told, body))) if isinstance(body, Iterable) else ""
