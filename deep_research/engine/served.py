"""What an OpenAI-compatible server says of itself: its models, and how many tokens each of them takes."""

from __future__ import annotations

from typing import Any

from deep_research.core.errors import ModelError, UsageError

from .network import live_client

_WINDOW = ("max_model_len", "n_ctx", "loaded_context_length", "context_length", "max_context_length")
"""Names of a model's window: vLLM's, llama.cpp's (where it runs with one), and those of others."""
_PATIENCE = 5.0


async def served_models(address: str, key: str, proxies: bool = False) -> dict[str, int]:
    """Model → tokens that it takes, 0 where the server does not say; nothing where it lists no models,
    or is too busy to.

    Raises `UsageError` if nobody answers there, `ModelError` if the key is refused.
    """
    import httpx

    headers = {"Authorization": f"Bearer {key}"} if key else {}
    async with live_client(httpx, proxies=proxies, headers=headers, timeout=_PATIENCE) as client:
        try:
            answer = await client.get(f"{address.rstrip('/')}/models")
        except httpx.ReadTimeout:
            return {}
        except (httpx.HTTPError, httpx.InvalidURL):
            raise UsageError(
                f"Nobody answers at {address}.", "Start the server, or check OPENAI_BASE_URL (base_url)."
            ) from None
        if answer.status_code in (401, 403):
            raise ModelError(f"{address} refuses the key.", "Check OPENAI_API_KEY.")
        listed = _object(answer).get("data")
        models = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
        found = {str(one["id"]): _window(one) for one in models if one.get("id")}
        if len(found) == 1 and not any(found.values()):
            props = await client.get(f"{address.rstrip('/').removesuffix('/v1')}/props")
            found = dict.fromkeys(found, _window(_object(props)))
        return found


def _object(answer: Any) -> dict[str, Any]:
    """The object that a server answered; an empty one for anything else."""
    try:
        read = answer.json() if answer.is_success else {}
    except ValueError:
        return {}
    return read if isinstance(read, dict) else {}


def _window(told: dict[str, Any]) -> int:
    """The window among these fields, or one level below them."""
    levels = [told, *(value for value in told.values() if isinstance(value, dict))]
    numbers = (level.get(name) for name in _WINDOW for level in levels)
    return next((number for number in numbers if isinstance(number, int) and number > 0), 0)
