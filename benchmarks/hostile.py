"""What do hostile addresses, servers and documents reach, and what do they cost?

    python -m benchmarks.hostile

Addresses in spellings that lead home are opened by the link check, directly and by way of a redirect; a
socket of this machine counts who connects. Each server and each document is met in a process of its own: how
long it takes, how much memory that process takes beyond what a harmless one does, and what the user is told.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import resource
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from deep_research.engine.providers import PageStatus
from deep_research.evaluation.samples import markdown_table
from deep_research.sources.pages import LivePages
from deep_research.systems.graph_agent.link_check import probe
from deep_research.text.language import shorten
from deep_research_offline.provider import OfflineProvider
from deep_research_offline.wire.server import running_server

from .arguments import new_parser
from .hostile_documents import DOCUMENTS, lay_down

PORT = "{port}"
ADDRESSES = """
127.0.0.1 127.1 127.0.1 127.255.255.254 2130706433 0x7f000001 0x7f.1 0x7F.0x0.0x0.0x1
0177.0.0.1 0177.1 017700000001 00000177.0.0.1 127.0.0.1. 127.00.00.01 １２７.０.０.１ 127。0。0。1
127．0．0．1 ①②⑦.0.0.1 localhost LOCALHOST localhost. x.localhost localhost.localdomain
ｌｏｃａｌｈｏｓｔ 0 0.0.0.0 00.0.0.0 0x0 [::1] [::] [0:0:0:0:0:0:0:1] [0000::0001]
[::ffff:127.0.0.1] [::ffff:7f00:1] [::127.0.0.1] [::7f00:1] [2002:7f00:1::]
[64:ff9b::7f00:1] [64:ff9b:1::7f00:1] [fe80::1] [fe80::1%25lo] [fc00::1] [fd00:ec2::254]
[fec0::1] [ff02::1] [3fff::1] [2001:db8::1] [2001::7f00:1] 10.0.0.1 10.255.255.255
172.16.0.1 172.31.255.254 192.168.0.1 192.168.1.1 100.64.0.1 169.254.169.254 169.254.170.2
2852039166 0xa9fea9fe 0251.0376.0251.0376 100.100.100.200 168.63.129.16 192.0.0.192
192.0.2.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1
255.255.255.255 192.88.99.1 router.lan intranet db.internal printer.local nas.home.arpa
wiki.intranet hidden.onion metadata.google.internal user:pw@127.0.0.1 a.example@127.0.0.1
127.0.0.1%2eexample home.example rebound.example
""".split()
"""Hosts in spellings that lead to this machine, its network, a cloud's metadata or nowhere public; the last
two are names that are looked up, the last of them as a public address first and as this machine then."""
REDIRECTS = (
    "http://127.0.0.1:{port}/",
    "//127.0.0.1:{port}/",
    "http://localhost:{port}/",
    "http://2130706433:{port}/",
    "http://[::1]:{port}/",
    "http://0x7f.1:{port}/",
    "http://home.example:{port}/",
    "http://a@127.0.0.1:{port}/",
    "http://[::ffff:127.0.0.1]:{port}/",
    "http://169.254.169.254/latest/meta-data",
    "http://０:{port}/",
    "file:///etc/passwd",
    "gopher://127.0.0.1:{port}/",
    "ftp://127.0.0.1:{port}/",
    "http:\\\\127.0.0.1:{port}/",
)
PATIENCE = 10.0
"""Seconds that a call may take here."""
SERVERS = ("harmless", "huge", "endless", "packed", "slow", "silent", "endless headers")
QUESTION = "How many mooring masts does Port Brudoji have?"
MOST_SECONDS, MOST_MEGABYTES = 90.0, 2_000.0
"""What a case may take at most, the memory beyond that of the harmless one; else this proof fails."""


class HomeLeading(LivePages):
    """The real opener, for which every name is looked up as this machine; one public page leads elsewhere."""

    def __init__(self, target: str = "") -> None:
        super().__init__()
        self.target, self.looked_up = target, 0
        self.resolve = self._look_up

    def _look_up(self, host: str) -> list[str]:
        self.looked_up += 1
        rebound = host == "rebound.example" and self.looked_up == 1
        return ["93.184.216.34"] if rebound or host == "first.example" else ["127.0.0.1"]

    async def open(self, method: str, url: str) -> PageStatus:
        if url == "https://first.example/":
            return PageStatus(302, self.target)
        return await super().open(method, url)


@contextmanager
def knocks() -> Iterator[tuple[int, list[str]]]:
    """A port of this machine, and who has connected to it."""
    heard: list[str] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.05)
        done = threading.Event()

        def listen() -> None:
            while not done.is_set():
                try:
                    connection, address = server.accept()
                except TimeoutError:
                    continue
                heard.append(str(address))
                connection.close()

        thread = threading.Thread(target=listen)
        thread.start()
        try:
            yield server.getsockname()[1], heard
        finally:
            done.set()
            thread.join()


async def states(targets: list[tuple[str, str]]) -> tuple[dict[str, str], list[str]]:
    """What becomes of each address, opened with where its page leads to; and who has connected."""
    found = {}
    with knocks() as (port, heard):
        for url, target in targets:
            pages = HomeLeading(target.replace(PORT, str(port)))
            found[target or url] = (await probe(url.replace(PORT, str(port)), pages))[0]
            await pages.close()
        await asyncio.sleep(0.2)
    return found, heard


def addresses() -> list[tuple[str, str]]:
    """Every hostile address, to be opened directly."""
    return [(f"http://{host}:{PORT}/", "") for host in ADDRESSES]


def redirects() -> list[tuple[str, str]]:
    """A public page that leads to each hostile address."""
    return [("https://first.example/", target) for target in REDIRECTS]


def main() -> int:
    """Print the tables; 1 if anything connects or costs too much."""
    parser = new_parser(__doc__)
    parser.add_argument("--one", nargs=2, metavar=("KIND", "WHERE"), help="meet one case, and print its cost")
    options = parser.parse_args()
    if options.one:
        print(json.dumps(measured(*options.one)))
        return 0
    reached = 0
    rows = []
    for name, targets in (("opened directly", addresses()), ("behind a redirect", redirects())):
        found, heard = asyncio.run(states(targets))
        reached += len(heard)
        rows.append(
            [name, str(len(found)), str(sum(s == "refused" for s in found.values())), str(len(heard))]
        )
    print(markdown_table(["addresses", "n", "refused", "connected"], rows))
    servers = {f"{of}: {kind}": served(of, kind) for of in ("model", "search") for kind in SERVERS}
    documents = {name: laid(name) for name in DOCUMENTS}
    for kind, cases in (("server", servers), ("document", documents)):
        least = {of: one["megabytes"] for of, one in cases.items() if of.endswith("harmless")}
        rows = []
        for name, one in cases.items():
            one["megabytes"] -= least.get(f"{name.partition(':')[0]}: harmless", least.get("harmless", 0.0))
            rows.append([name, f"{one['seconds']:.1f}", f"{max(0, one['megabytes']):.0f}", one["told"]])
        print("\n" + markdown_table([kind, "seconds", "MB more", "what the user is told"], rows))
    dear = [
        name
        for name, one in {**servers, **documents}.items()
        if one["seconds"] > MOST_SECONDS or one["megabytes"] > MOST_MEGABYTES
    ]
    print(f"\nConnected: {reached}. Too dear: {', '.join(dear) or 'none'}.")
    return 1 if reached or dear else 0


def served(of: str, kind: str) -> dict[str, Any]:
    """What a run costs whose model or search is a server of this kind."""
    with serving(kind) as url:
        return in_own_process(of, url)


def laid(name: str) -> dict[str, Any]:
    """What it costs to read a folder with such a document beside a harmless one."""
    with TemporaryDirectory() as folder:
        docs = Path(folder, "docs")
        docs.mkdir()
        docs.joinpath("plain.txt").write_text("The mast is 41 m high.", encoding="utf-8")
        lay_down(name, docs)
        os.environ["DEEP_RESEARCH_HOME"] = f"{folder}/home"
        return in_own_process("documents", str(docs))


def in_own_process(kind: str, where: str) -> dict[str, Any]:
    """One case in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.hostile", "--one", kind, where]
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, timeout=2 * MOST_SECONDS)
    except subprocess.TimeoutExpired:
        return {"seconds": 2 * MOST_SECONDS, "megabytes": 0.0, "told": "nothing: it was ended"}
    if done.returncode:
        return {
            "seconds": 0.0,
            "megabytes": 2 * MOST_MEGABYTES,
            "told": f"nothing: it died ({done.returncode})",
        }
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result


def measured(kind: str, where: str) -> dict[str, Any]:
    """Seconds, megabytes at most and what is told in this process."""
    meet = read if kind == "documents" else ask
    began = time.monotonic()
    told = meet(kind, where)
    seconds = time.monotonic() - began
    return {"seconds": seconds, "megabytes": most_megabytes(), "told": shorten(" ".join(told.split()), 110)}


def most_megabytes() -> float:
    """The most memory of this process and its own; `getrusage` would hold what started it, too."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    own = int(status.partition("VmHWM:")[2].split()[0])
    return max(own, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss) / 1024


def ask(of: str, url: str) -> str:
    """What a run says whose model or search is at this address; the other one works."""
    from deep_research import research

    with running_server(OfflineProvider()) as works:
        model, search = (url, works) if of == "model" else (works, url)
        os.environ.update(OPENAI_API_KEY="none", TAVILY_API_KEY="none", TAVILY_BASE_URL=search)
        chosen = {"base_url": f"{model}/v1", "retries": 0, "call_timeout": PATIENCE, "budget.searches": 1}
        report = research(
            QUESTION,
            model="openai:offline",
            search="tavily",
            system="shallow_researcher",
            keep=False,
            live=True,
            settings=chosen,
        )
    told = [*report.errors, *(gap.message for gap in report.gaps)]
    return f"{report.status}: {told[0]}" if told else report.status


def read(_: str, folder: str) -> str:
    """What is told of a folder."""
    from deep_research.sources.documents import load_documents

    loaded = load_documents(folder)
    letters = sum(len(one.text) for one in loaded.documents)
    left_out = "; ".join(f"{name} {reason}" for name, reason in loaded.skipped)
    return left_out or f"{len(loaded.documents)} documents, {letters:,} characters"


@contextmanager
def serving(kind: str) -> Iterator[str]:
    """The address of a server that answers whatever it is asked in this way."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("content-length") or 0))
            with suppress(OSError):  # whoever asked has left
                answer(self, kind)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def answer(to: BaseHTTPRequestHandler, kind: str) -> None:
    """Answer a request in one of the ways of `SERVERS`."""
    if kind == "silent":
        time.sleep(2 * PATIENCE)
    to.send_response(200)
    to.send_header("content-type", "application/json")
    if kind == "packed":
        to.send_header("content-encoding", "gzip")
    if kind == "huge":
        to.send_header("content-length", str(400 * 2**20))
    while kind == "endless headers":
        to.send_header("x-more", "a" * 1000)
        to.flush_headers()
    to.end_headers()
    piece = gzip.compress(b" " * 2**24) if kind == "packed" else b" " if kind == "slow" else b" " * 2**20
    for _ in range(0 if kind == "harmless" else 400 if kind == "huge" else 10**6):
        to.wfile.write(piece)
        time.sleep(0.5 if kind == "slow" else 0)
    if kind == "harmless":
        to.wfile.write(b"{}")


if __name__ == "__main__":
    sys.exit(main())
