"""What an OpenAI-compatible server says of itself: its models, and how many tokens each of them takes."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import Any

from deep_research.core.errors import ModelError, UsageError
from deep_research.settings import Settings
from deep_research.settings.roles import ROLE_SLOTS

from . import clients
from .advice import advice
from .network import live_client

_WINDOW = ("max_model_len", "n_ctx", "loaded_context_length", "context_length", "max_context_length")
"""Names of a model's window: vLLM's, llama.cpp's (where it runs with one), and those of others."""
_PATIENCE = 5.0


def models_by_address(settings: Settings) -> dict[str, set[str]]:
    """Address of a server that the settings name → the models that they want of it; "" is whatever it has."""
    wanted: dict[str, set[str]] = {}
    for provider, _, name in (settings.model_for(role).partition(":") for role in ROLE_SLOTS):
        address = {clients.LOCAL: clients.LOCAL_URL, "openai": settings.base_url}.get(provider)
        if address:
            wanted.setdefault(address, set()).add(name)
    return wanted


async def require_servers(*several: Settings) -> None:
    """Raise `UsageError` where nobody answers at an address that one of these settings names."""
    named = {address: settings for settings in several for address in models_by_address(settings)}
    for address, settings in named.items():
        with suppress(ModelError):  # the run's own calls say more about a key
            await served_models(address, settings)


async def served_models(address: str, settings: Settings) -> dict[str, int]:
    """Model → tokens that it takes, 0 where the server does not say; nothing where it lists no models,
    or is too busy to.

    Raises `UsageError` if nobody answers there, `ModelError` if the key is refused.
    """
    import httpx

    key = "" if address == clients.LOCAL_URL else clients.endpoint_key(settings, os.environ)
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    async with live_client(httpx, proxies=settings.proxies, headers=headers, timeout=_PATIENCE) as client:
        try:
            answer = await client.get(f"{address.rstrip('/')}/models")
        except httpx.ReadTimeout:
            return {}
        except (httpx.HTTPError, httpx.InvalidURL):
            provider = clients.LOCAL if address == clients.LOCAL_URL else "openai"
            raise UsageError(f"Nobody answers at {address}.", advice("address", "model", provider)) from None
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
