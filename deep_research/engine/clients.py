"""Model clients, one per model spec (`offline`, `openai:gpt-5-mini`, `anthropic:…`), and the price of a call.

Clients are built at the first call, never at import.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from deep_research.core.errors import UsageError, nearest_hint
from deep_research.core.secrets import NO_KEY, keep_secret
from deep_research.settings import Settings
from deep_research.settings.values import plain_address

from .network import live_client
from .providers import ChatTransport

LOCAL = "local"
LOCAL_URL = "http://127.0.0.1:8080/v1"
"""Where the model `local` is served: by `make local-model`, or any OpenAI-compatible server on this port."""

SMALLEST_WINDOW = 1_000
"""Tokens of a context in which nothing can be done any more."""


class Models:
    """Builds and keeps the clients of a run, one per model spec."""

    def __init__(
        self,
        settings: Settings,
        provider: ChatTransport | None = None,
        env: Mapping[str, str] | None = None,
    ) -> None:
        self._settings = settings
        self._provider = provider
        self._env = os.environ if env is None else env
        self._clients: dict[str, Any] = {}
        self._connections: list[Any] = []
        self.ways: dict[str, int] = {}
        self.answered: dict[str, int] = {}
        """The largest request of each model that was answered, in tokens."""
        self.older: set[str] = set()
        """The models whose endpoint knows the limit on an answer by its older name alone."""
        self._windows: dict[str, int] = {}
        self._refused: set[str] = set()

    def client(self, spec: str) -> Any:
        """The chat model of a spec such as `offline`, `openai:gpt-5-mini` or `anthropic:…`."""
        if spec not in self._clients:
            self._clients[spec] = self._build(spec)
        return self._clients[spec]

    def window(self, spec: str) -> int:
        """The tokens that a model takes: those of the settings, or fewer if its endpoint has said so."""
        return self._windows.get(spec, self._settings.context_window)

    def narrow(self, spec: str, stated: int, sent: int) -> int:
        """The tokens to try after a request of `sent` tokens was too long; 0 if fewer cannot help.

        What the endpoint has named holds from now on. Where it names nothing the request alone shrinks by a
        quarter: one refusal can be wrong, and evidence would be missing in every later request. After a
        second one later requests are not larger than this, or than the largest that was answered.
        """
        known = self.window(spec)
        if SMALLEST_WINDOW <= stated < known:
            self._windows[spec] = stated
            return stated
        smaller = min(known, sent) * 3 // 4
        if smaller < SMALLEST_WINDOW:
            return 0
        if spec in self._refused:
            self._windows[spec] = min(known, max(smaller, self.answered.get(spec, 0)))
        self._refused.add(spec)
        return smaller

    def prepare(self) -> None:
        """Build the clients of all specs now, so that a missing key is refused before anything is spent."""
        for spec in sorted(set(self._settings.models.values())):
            self.client(spec)

    async def close(self) -> None:
        """Close the connections of live clients."""
        for connection in self._connections:
            await connection.aclose()

    def _build(self, spec: str) -> Any:
        provider, _, name = spec.partition(":")
        if provider == "offline":
            return self._offline(spec)
        if not name and provider != LOCAL:
            raise UsageError(
                f"Model '{spec}' is not of the form provider:name.", "For example: openai:gpt-5-mini"
            )
        patience = self._settings.call_timeout
        options: dict[str, Any] = {"max_retries": 0, "timeout": patience}
        if self._settings.temperature is not None:
            options["temperature"] = self._settings.temperature
        if provider not in ("openai", LOCAL):
            return _other_provider(spec, options)
        import httpx2

        from .chat_openai import ForgivingChatOpenAI

        address = LOCAL_URL if provider == LOCAL else self._settings.base_url
        key = "" if provider == LOCAL else endpoint_key(self._settings, self._env)
        key, name = key or (NO_KEY if address else ""), name or LOCAL
        if not key:
            raise UsageError("OPENAI_API_KEY is not set.", "Set it, or use --model offline.")
        keep_secret(key)
        # Connections of our own: the library's are shared between runs, and break with the first event loop.
        self._connections.append(live_client(httpx2, proxies=self._settings.proxies))
        return ForgivingChatOpenAI(
            model=name, api_key=key, base_url=address, use_responses_api=False,
            stream_usage=True, openai_proxy="", http_client=httpx2.Client(trust_env=False),
            http_async_client=self._connections[-1], stream_chunk_timeout=patience, **options,
        )  # fmt: skip

    def _offline(self, spec: str) -> Any:
        from .chat_openai import ForgivingChatOpenAI

        if self._provider is None:
            raise UsageError(
                "The offline model needs an offline provider.", "Use --model offline on its own."
            )
        sync, asynchronous = self._provider.chat_clients()
        return ForgivingChatOpenAI(
            model=spec, api_key="offline", base_url="http://offline.example/v1", use_responses_api=False,
            http_client=sync, http_async_client=asynchronous, openai_proxy="", max_retries=0,
            stream_usage=True,
        )  # fmt: skip


def key_from(env: Mapping[str, str], name: str) -> str:
    """A key of the environment without the blanks and line ends that come with copying; "" if there is none.

    Raises `UsageError` for what no request could carry: connecting would fail again and again.
    """
    key = env.get(name, "").strip()
    if not key.isascii() or len(key.split()) > 1 or not key.isprintable():
        raise UsageError(f"{name} holds a character that no key has.", "Copy the key once more.")
    return key


def endpoint_key(settings: Settings, env: Mapping[str, str]) -> str:
    """The key for the endpoint; "" if there is none.

    Raises `UsageError` where only a file names the address: one that lies in the working folder, or a run's
    own settings, may come from anybody, who would be sent the key.
    """
    key, address = key_from(env, "OPENAI_API_KEY"), settings.base_url
    where = settings.origin.get("base_url", "argument")
    if (
        key
        and address
        and where not in ("argument", "environment")
        and address != plain_address(env.get("OPENAI_BASE_URL", ""))
    ):
        raise UsageError(
            f"OPENAI_API_KEY would be sent to '{address.partition('?')[0]}', which only {where} names.",
            "If that is meant, set OPENAI_BASE_URL to it.",
        )
    return key


def _other_provider(spec: str, options: dict[str, Any]) -> Any:
    try:
        from langchain.chat_models import init_chat_model
    except ImportError:
        raise UsageError(
            f"Model '{spec}' needs the packages langchain and its provider's integration.",
            "Install them, for example: pip install langchain langchain-anthropic",
        ) from None
    try:
        return init_chat_model(spec, **options)
    except (ImportError, ValueError) as error:
        provider, why = spec.partition(":")[0], str(error).partition("\n")[0].rstrip(".")
        hint = nearest_hint(
            provider,
            ("openai", "offline", LOCAL),
            "Compatible servers are openai:NAME, at OPENAI_BASE_URL.",
        )
        raise UsageError(f"Model '{spec}' cannot be used: {why}.", hint) from None


def price(spec: str, input_tokens: int, output_tokens: int) -> float:
    """US dollars of a call, by the public price list; 0 for the offline model and for unlisted models."""
    provider, _, name = spec.partition(":")
    if provider in ("offline", LOCAL):
        return 0.0
    from genai_prices import Usage, calc_price

    try:
        usage = Usage(input_tokens=input_tokens, output_tokens=output_tokens)
        return float(calc_price(usage, model_ref=name, provider_id=provider).total_price)
    except LookupError:
        return 0.0
