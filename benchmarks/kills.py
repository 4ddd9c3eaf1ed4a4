"""Runs killed at random moments and resumed: the same report, and no logged call is sent again.

    python -m benchmarks.kills                          20 runs, each killed once to three times
    python -m benchmarks.kills --runs 200 --seed 7      the designs in turn

Each sitting is a process of its own (`ask`, then `resume`), forked from one that has imported everything and
done nothing. It talks over HTTP to a loopback server, which counts what arrives. A process gets SIGKILL when
a request drawn by chance has arrived, and a random moment later. What had arrived but was not logged was in
flight: only that may be sent twice. So a run may send what an undisturbed run sends, plus what was in flight
at its kills, and not one request more. Exit status 1 if a report differs or a logged call was sent again.
"""

from __future__ import annotations

import json
import os
import random
import sqlite3
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path
from tempfile import TemporaryDirectory

from deep_research.__main__ import main as deep_research
from deep_research.engine.store import CALLS_FILE
from deep_research.evaluation.fingerprint import PROMISED
from deep_research.systems import SYSTEMS
from deep_research_offline.provider import OfflineProvider
from deep_research_offline.web import build_web
from deep_research_offline.wire import Response
from deep_research_offline.wire.server import running_server

from .arguments import new_parser

LATENCY = 0.03
_LOGGED = "SELECT count(*) FROM calls WHERE status = 'ok' AND kind IN ('model', 'search')"
PATIENCE = 1200.0  # seconds that one sitting may take, however busy the machine
SITTINGS = get_context("forkserver" if os.name == "posix" else "spawn")
SITTINGS.set_forkserver_preload([
    "deep_research.cli.ask", "deep_research.cli.consent", "deep_research.runs.checkpoints",
    "langchain_openai", "langgraph.graph", "httpx", "httpx2", "tavily", "tenacity", "markdown_it",
    *(f"deep_research.systems.{system}.graph" for system in SYSTEMS),
])  # fmt: skip


class Counter(OfflineProvider):
    """The offline provider; it counts requests and lets others wait for the next ones."""

    def __init__(self) -> None:
        super().__init__(web=build_web(), latency_ms=1000 * LATENCY)
        self.count = 0
        self.keys: list[str] = []
        self._arrived = threading.Condition()

    def handle(self, method: str, path: str, headers: Mapping[str, str], body: bytes) -> Response:
        with self._arrived:
            self.count += not path.endswith(("/models", "/props"))  # a look at the server is no call
            if path.endswith("/chat/completions"):
                given = {name.lower(): value for name, value in headers.items()}
                self.keys.append(given.get("idempotency-key", ""))
            self._arrived.notify_all()
        return super().handle(method, path, headers, body)

    def wait_for(self, count: int, process: BaseProcess) -> None:
        """Wait until so many requests have arrived, or the process has ended."""
        with self._arrived:
            while self.count < count and process.is_alive():
                self._arrived.wait(0.05)


@dataclass
class Result:
    """What one run did: its promised bytes, requests that arrived, kills, and calls in flight at them.

    `model_calls` counts idempotency keys: a call that was in flight and is sent again keeps its key.
    """

    promised: str = ""
    sent: int = 0
    model_calls: int = 0
    kills: int = 0
    in_flight: int = 0


@dataclass
class Trial:
    """A question, options of `ask`, and a server: enough to run it undisturbed, or with kills."""

    provider: Counter
    base_url: str
    folder: Path
    question: str
    options: Sequence[str] = ()
    _runs: int = field(default=0, init=False)

    def run(self, rng: random.Random | None = None, total: int = 0) -> Result:
        """Run the question to its end; with `rng`, kill it once to three times on the way."""
        self._runs += 1
        out = self.folder / str(self._runs)
        result, logged, keys = Result(), 0, len(self.provider.keys)
        planned = rng.randint(1, 3) if rng else 0
        while True:
            started = self.provider.count
            process = self._start(out)
            killed = False
            if rng and result.kills < planned and logged < total:
                killed = self._kill(process, started + rng.randint(1, total - logged), rng)
            process.join(PATIENCE)
            arrived = self.provider.count - started
            result.sent += arrived
            if not killed:
                if process.exitcode != 0:
                    raise RuntimeError(f"exit status {process.exitcode}: {_read(out, 'stderr')}")
                result.promised = promised(_read(out, "stdout"))
                result.model_calls = len(set(self.provider.keys[keys:]))
                return result
            result.kills += 1
            before, logged = logged, logged_calls(out)
            result.in_flight += arrived - (logged - before)

    def _start(self, out: Path) -> BaseProcess:
        known = sorted(out.glob("*/run.json"))
        if known:
            command = ["resume", known[0].parent.name]
        else:
            live = ["--model", "openai:offline", "--search", "tavily"]
            command = ["ask", self.question, *live, *self.options]
        keys = {"OPENAI_API_KEY": "offline", "TAVILY_API_KEY": "offline"}
        urls = {"OPENAI_BASE_URL": f"{self.base_url}/v1", "TAVILY_BASE_URL": self.base_url}
        arguments = [*command, "--yes", "--json", "--out", str(out)]
        process = SITTINGS.Process(target=sit, args=(arguments, {**os.environ, **keys, **urls}, out))
        process.start()
        return process

    def _kill(self, process: BaseProcess, count: int, rng: random.Random) -> bool:
        """Kill the process a random moment after a request has arrived; False if it had ended by then."""
        self.provider.wait_for(count, process)
        time.sleep(rng.uniform(0, 2 * LATENCY))
        if not process.is_alive():
            return False
        process.kill()
        process.join()
        time.sleep(5 * LATENCY)  # what was on its way arrives
        return True


def sit(arguments: list[str], env: Mapping[str, str], out: Path) -> None:
    """One sitting: the command, in this process and environment, with what it prints in files."""
    out.parent.mkdir(exist_ok=True)
    os.environ.clear()
    os.environ.update(env)
    for name, number in (("stdout", 1), ("stderr", 2)):
        os.dup2(os.open(out.with_suffix(f".{name}"), os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
    sys.exit(deep_research(arguments))


def _read(out: Path, name: str) -> str:
    return out.with_suffix(f".{name}").read_text(encoding="utf-8")


def promised(answer: str) -> str:
    """The part of `ask --json` that is promised to be the same bytes."""
    data = json.loads(answer)
    return json.dumps({name: data[name] for name in PROMISED}, ensure_ascii=False)


def logged_calls(out: Path) -> int:
    """How many calls to the server the log of the one run in a folder holds; links are looked up without."""
    (path,) = out.glob(f"*/{CALLS_FILE}")
    with closing(sqlite3.connect(path)) as log:
        return int(log.execute(_LOGGED).fetchone()[0])


def main() -> int:
    """Kill, resume, and print a table."""
    parser = new_parser(__doc__)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--systems", nargs="+", default=list(SYSTEMS), choices=list(SYSTEMS))
    options = parser.parse_args()
    question = next(q.text for q in build_web().questions if (q.kind, q.lang) == ("comparison", "en"))
    provider, rng, failed = Counter(), random.Random(options.seed), 0
    print("| design | runs | kills | calls of a run | in flight at a kill | logged calls sent again ", end="")
    print("| sent again under another key | other reports |\n|---|---:|---:|---:|---:|---:|---:|---:|")
    with TemporaryDirectory() as folder, running_server(provider) as base_url:
        for place, system in enumerate(options.systems):
            trial = Trial(provider, base_url, Path(folder) / system, question, ("--system", system))
            runs = len(range(place, options.runs, len(options.systems)))
            reference = trial.run()
            failed |= show(system, reference, [trial.run(rng, reference.sent) for _ in range(runs)])
    return failed


def show(system: str, reference: Result, results: Sequence[Result]) -> int:
    """Print what happened; 0 if every run kept the promise."""
    kills, in_flight = sum(r.kills for r in results), sum(r.in_flight for r in results)
    again = sum(r.sent - r.in_flight - reference.sent for r in results)
    keys = sum(r.model_calls - reference.model_calls for r in results)
    different = sum(r.promised != reference.promised for r in results)
    figures = (len(results), kills, reference.sent, in_flight, again, keys, different)
    print(f"| {system} | {' | '.join(map(str, figures))} |", flush=True)
    return 1 if again or keys or different else 0


if __name__ == "__main__":
    sys.exit(main())
