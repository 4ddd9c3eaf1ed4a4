"""Live connections: where they lead, through what, how long an answer may be, and what of a key they tell."""

from __future__ import annotations

import contextlib
import gzip
import json
import threading
import traceback
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Callable, Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import quote

import httpx
import httpx2
import pytest

from deep_research.core.errors import ModelError, ResearchError, UnsafeAddressError
from deep_research.core.safety import checked_addresses
from deep_research.core.secrets import KeyFilter, leave_out_keys, without_keys, without_keys_in
from deep_research.engine.advice import words_of
from deep_research.engine.calls import Call, readable_error, wait_seconds
from deep_research.engine.chat import ModelRequest, complete
from deep_research.engine.network import MOST_BYTES, AnswerTooLarge, live_client
from deep_research.engine.trace import Event
from deep_research.runs import aresearch
from deep_research.settings.parts import SearchSettings
from deep_research.sources.pages import LivePages
from deep_research.sources.tavily import tavily
from deep_research_offline.wire import RequestRefused, Response, error_response
from tests.running import QUESTION, Wire, context_of, environment_of, run, settings_of, small_web, wire
from tests.scripted import Script

KEY = "tvly-canary-4711-canary"


class Answers(BaseHTTPRequestHandler):
    """`/packed` is a small text, `/bomb` small until it is unpacked, `/endless` goes on and on; what is asked
    for behind a `?` is the way in which a bomb is packed, once more."""

    def do_GET(self) -> None:
        path, _, packing = self.path.partition("?")
        texts = {"/packed": b"hello", "/bomb": b"0" * (MOST_BYTES + 1), "/endless": b""}
        body = gzip.compress(gzip.compress(texts[path], 1) if packing else texts[path], 1)
        self.send_response(200)
        if path == "/endless":
            self.end_headers()
            self.wfile.write(b"x" * (MOST_BYTES + 2**20))
            return
        self.send_header("content-encoding", packing.replace("+", ",") or "gzip")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def handle(self) -> None:
        with contextlib.suppress(OSError):  # the client has heard enough
            super().handle()

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def served() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.mark.parametrize("http", [httpx, httpx2])
async def test_an_answer_without_end_is_refused_while_it_is_read(http: ModuleType, served: str) -> None:
    async with live_client(http) as client:
        assert (await client.get(f"{served}/packed")).text == "hello"
        for path in ("bomb", "endless"):
            with pytest.raises(AnswerTooLarge, match="longer than 32 MB"):
                await client.get(f"{served}/{path}")
        for packing in ("gzip+gzip", "identity+gzip", "zstd"):
            with pytest.raises(ResearchError, match="packed as nobody asked"):
                await client.get(f"{served}/bomb?{packing}")


async def test_a_proxy_of_the_environment_is_used_when_it_is_asked_for_only(
    served: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", served)  # which answers for any host, by the path alone
    monkeypatch.delenv("no_proxy", raising=False)
    async with live_client(httpx, proxies=True) as client:
        with pytest.raises(httpx.HTTPError):  # the proxy is asked for a whole address, and knows none
            await client.get("http://elsewhere.example/packed")
    async with live_client(httpx) as client:
        assert (await client.get(f"{served}/packed")).text == "hello"


async def test_a_name_that_leads_home_at_the_second_look_is_not_connected_to() -> None:
    """Rebinding: the address is public when it is checked, and loopback when it is opened."""
    given = iter(["93.184.216.34", "127.0.0.1", "169.254.169.254"])
    pages = LivePages()
    pages.resolve = lambda host: [next(given)]
    assert checked_addresses("http://rebound.example/", pages.resolve) == ["93.184.216.34"]
    for _ in range(2):
        with pytest.raises(UnsafeAddressError, match="private or reserved"):
            await pages.open("GET", "http://rebound.example/")
    await pages.close()


@pytest.mark.parametrize(
    "address",
    ["168.63.129.16", "169.254.169.254", "100.100.100.200", "192.0.0.192", "192.88.99.1", "198.18.0.1",
     "[fd00:ec2::254]", "[fec0::1]", "[64:ff9b::7f00:1]", "[::ffff:7f00:1]", "[2002:7f00:1::]", "[3fff::1]"],
)  # fmt: skip
def test_special_addresses_are_refused(address: str) -> None:
    with pytest.raises(UnsafeAddressError, match="private or reserved"):
        checked_addresses(f"http://{address}/")


class Echo:
    """A search service that says the key in its refusal, or in its hits."""

    name = "echo"

    def __init__(self, way: str) -> None:
        self.way = way
        self.written = f"{KEY[:9]}<!-- unseen -->{KEY[9:]}" if way == "pieces" else KEY

    async def search(self, query: str, settings: SearchSettings) -> list[Any]:
        from deep_research.engine.providers import SearchHit

        if self.way == "error":
            raise RuntimeError(f"{'x' * 285} Bearer {KEY} is not allowed")
        text = f"The Gull lighthouse is 41 metres tall. You asked with {self.written}."
        return [SearchHit(f"Gull {self.written}", text, f"https://echo.example/?k={KEY}", text=text)]

    async def read(self, key: str) -> str | None:
        return None

    async def close(self) -> None:
        """Nothing is open."""


@pytest.mark.parametrize("way", ["error", "hits", "pieces"])
async def test_a_key_that_a_service_echoes_goes_nowhere(
    way: str, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TAVILY_API_KEY", KEY)
    script, chosen = Script(), settings_of()
    world = environment_of(wire(script), chosen)
    world.search = Echo(way)
    report = await aresearch(QUESTION, settings=chosen, environment=world, out=tmp_path)
    assert report.gaps if way == "error" else report.cited
    told = "".join(prompt for role in script.requests for prompt in script.prompts(role))
    kept = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    for part in (KEY, KEY[:12]):  # nor a part of it, where a text was cut
        assert part not in told + report.to_json().__repr__() and part.encode() not in kept


async def test_a_key_in_a_models_answer_goes_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    said = f"The Gull lighthouse is 41 metres tall [S1.1]. You asked with {KEY}."
    script = Script(writer=f"# Gull\n\n{said}", compressor=said, brief_writer={"research_brief": said})
    report = await run(script, options={"keep": True, "out": tmp_path})
    told = "".join(prompt for role in script.requests for prompt in script.prompts(role))
    kept = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert report.cited and KEY not in told and KEY.encode() not in kept


ODD_KEY = "sk-Canary_9/x+Y:canary"
SPELLED: dict[str, Callable[[str], str]] = {
    "upper": str.upper,
    "backwards": lambda key: key[::-1],
    "percent": lambda key: quote(key, safe=""),
    "percent, all letters": lambda key: "".join(f"%{ord(letter):02X}" for letter in key),
    "json": lambda key: json.dumps(json.dumps(key.replace("-", "\u002d"))),
    "json, escaped": lambda key: key.replace("-", "\\u002d").replace("/", "\\/"),
    "html": lambda key: key.replace("/", "&#x2F;").replace("+", "&#43;").replace("s", "&#115;"),
    "unseen": lambda key: key.replace("C", "\u200bC\u00ad"),
    "hex": lambda key: key.encode().hex(),
    "base64": lambda key: b64encode(key.encode()).decode(),
    "basic": lambda key: b64encode(f"u:{key}".encode()).decode(),
    "basic with a name": lambda key: urlsafe_b64encode(f"me:{key}".encode()).decode(),
}


@pytest.mark.parametrize("spelled", SPELLED)
def test_a_key_is_left_out_however_it_is_spelled(spelled: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", ODD_KEY)
    said = without_keys(f"You sent: {SPELLED[spelled](ODD_KEY)}, which is no key.")
    assert said.startswith("You sent: ") and "(key)" in said and said.endswith(", which is no key.")
    assert SPELLED[spelled](ODD_KEY)[4:12] not in said


@pytest.mark.parametrize("word", ["mooring masts", "finish_reason", "tool_calls", "20410302"])
async def test_a_password_of_plain_words_spoils_no_report(word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def ask() -> str:
        return (await aresearch("How many mooring masts does Port Brudoji have?", keep=False)).markdown

    before = await ask()
    monkeypatch.setenv("PGPASSWORD", word)
    assert await ask() == before


@pytest.mark.parametrize("key", ["anything", "finish_reason", "hunter2"])
def test_a_key_that_may_be_a_word_is_left_out_where_it_stands_as_a_key(
    key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("deep_research.core.secrets._kept", {key})
    monkeypatch.setenv("SOME_API_KEY", KEY)
    told = {key: [f"a {key}", 1], "args": {f"my {KEY}": f"{key}s: {key}, me@{key}.example?q={key}"}}
    assert without_keys_in(told) == {**told, "args": {"my (key)": told["args"][f"my {KEY}"]}}
    for written in (
        "api_key={}&q=x", "Authorization: Bearer {}", '{{"api_key": "{}"}}', "X-API-Key: {}",
        "http://me:{}@host.example/", "redis://:{}@host", "password='{}'", "password: {}", "API_KEY = {}",
        "--api-key {}", "https://a.example/?auth={}", "https://{}@host.example/", '\\"api_key\\": \\"{}\\"',
        "key=&quot;{}", "api_key%3D{}", "passphrase={}",
    ):  # fmt: skip
        assert without_keys(written.format(key)) == written.format("(key)")
    written = {"say": f'Set "api_key": "{key}"', "api_key": key, "word": key}
    assert without_keys_in(written) == {"say": 'Set "api_key": "(key)"', "api_key": "(key)", "word": key}
    assert without_keys(f"a basic {key}, and the {key}") == f"a basic {key}, and the {key}"
    error = ValueError(f"{key} is no key, nor any of {key}s")
    leave_out_keys(error)
    assert str(error) == ("(key) is no key" if len(key) > 7 else f"{key} is no key") + f", nor any of {key}s"


async def test_a_key_that_is_a_plain_word_spoils_no_report(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server of one's own takes any key, and many people's is a word."""
    monkeypatch.setattr("deep_research.core.secrets._kept", {"lighthouse", "metres tall"})
    report = await run(Script(writer="# Gull\n\nThe Gull lighthouse is 41 metres tall [S1.1]."))
    assert "The Gull lighthouse is 41 metres tall" in report.markdown and "(key)" not in report.markdown


@pytest.mark.parametrize(
    "key",
    [
        "correct horse battery staple",
        "sk-canary-key",
        "gsk_something",
        "hunTerhunter",
        "correct-horse-battery",
        "xkqjzwplmabvrts",
        "87654321098",
    ],
)
def test_what_no_report_says_by_chance_is_a_key_wherever_it_stands(
    key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_API_KEY", key)
    assert without_keys(f"It is {key}.") == "It is (key)."


@pytest.mark.parametrize("size", [1, 7, 1000])
async def test_a_key_in_a_stream_is_shown_to_nobody_however_it_is_cut(
    size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    said, keys = f"The height is 41 m。高さは{KEY}, and {KEY.upper()} is no key.", KeyFilter()
    shown = [keys.feed(said[start : start + size]) for start in range(0, len(said), size)]
    assert "".join([*shown, keys.rest()]) == "The height is 41 m。高さは(key), and (key) is no key."
    for key, said in (
        ("lighthouse", "x-api-key: {} at sea"),
        ("anything", 'Authorization: Bearer {}, and {"api_key": "{}"}.'),
        ("correct horse battery staple", "the correct {} is correct horse"),
    ):  # fmt: skip
        monkeypatch.setenv("SOME_API_KEY", key)
        keys, said = KeyFilter(), said.replace("{}", key)
        shown = [keys.feed(said[start : start + size]) for start in range(0, len(said), size)]
        assert "".join([*shown, keys.rest()]) == said.replace(key, "(key)")
    events, script = list[Event](), Script(writer=f"# Gull\n\nThe Gull is 41 metres tall [S1.1], says {KEY}.")
    await run(script, options={"on_event": events.append})
    tokens = "".join(event.text for event in events if event.type == "token")
    assert "says (key)." in tokens and KEY not in f"{events}"


async def test_a_password_in_an_address_is_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deep_research.core.secrets._kept", set())
    await tavily({"TAVILY_API_KEY": KEY, "TAVILY_BASE_URL": "http://me:hunter%40canary@127.0.0.1:9"}).close()
    assert without_keys(f"Basic {b64encode(b'me:hunter@canary').decode()}") == "Basic bWU6(key)"
    monkeypatch.setenv("http_proxy", "http://me:proxy-canary@127.0.0.1:9")
    async with live_client(httpx, proxies=True) as client:
        with pytest.raises(httpx.HTTPError):
            await client.get("http://elsewhere.example/")
    assert without_keys("me:proxy-canary@") == "me:(key)@"


async def test_a_key_in_what_led_to_an_error_stands_in_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)

    class Refusing(Wire):
        def handle(self, method: str, path: str, headers: Mapping[str, str], body: bytes) -> Response:
            return error_response(path, RequestRefused(401, f"{KEY} is no key."))

    with pytest.raises(ModelError) as raised:
        await complete(
            ModelRequest("writer", [{"role": "user", "content": "Hello"}]),
            context_of(provider=Refusing(web=small_web())),
        )
    told = "".join(traceback.format_exception(raised.value))
    assert "(key) is no key" in told and KEY not in told


@pytest.mark.parametrize("status", [301, 402, 413, 422, 500])
async def test_what_a_service_says_stands_in_a_gap_and_no_word_of_the_client(status: int) -> None:
    request = httpx.Request("POST", "http://search.example/search")
    for body, told in (({"detail": {"error": "No credit"}}, ": No credit."), ("<html>", "."), ("", ".")):
        answer = httpx.Response(status, request=request, **{"json" if body and told != "." else "text": body})
        with pytest.raises(httpx.HTTPStatusError) as raised:
            answer.raise_for_status()
        assert words_of(raised.value) == told
    asked = Call("search", "researcher", {"query": "x"}, NotImplemented, model="tavily")
    said = readable_error(raised.value, asked, context_of()).on_the_command_line
    assert "mozilla" not in said and "model" not in said and "context_window" not in said


def test_a_key_in_an_error_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "a/b+canary==")
    for written in ("a/b+canary==", "a%2Fb%2Bcanary%3D%3D"):
        assert "canary" not in str(ModelError(f"no: {written}")) + without_keys(f"no: {written}")


@pytest.mark.parametrize(
    ("said", "seconds"), [("3", 3), ("nan", 2), ("inf", 60), ("-5", 2), ("", 2), ("x", 2)]
)
def test_s8_what_a_server_asks_to_wait_is_taken_for_what_it_is(said: str, seconds: float) -> None:
    request = httpx.Request("GET", "http://service.example")
    response = httpx.Response(429, headers={"retry-after": said}, request=request)
    assert wait_seconds(httpx.HTTPStatusError("", request=request, response=response), 2) == seconds


def test_an_error_whose_words_cannot_be_changed_is_still_the_error_that_is_told() -> None:
    class Fixed(Exception):
        @property
        def args(self) -> tuple[str]:  # type: ignore[override]
            return ("as it is",)

    leave_out_keys(Fixed())
