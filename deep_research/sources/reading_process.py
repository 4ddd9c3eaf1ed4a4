"""A process that reads files of foreign formats: none takes longer or more memory than it may.

A library that parses what somebody else has made may never come to an end, take all memory, or break off
together with its process. Here that costs one file. The process is started when the first file needs it, gets
a path per line, and answers with a line of JSON.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Timer
from typing import Any

MAX_SECONDS = 60.0
MAX_MEMORY = 4 * 2**30


class BrokenOff(Exception):
    """A file could not be read to its end; the message says why, on one line."""


class ReadingProcess:
    """What starts the process, hands it paths, and ends it with the file that takes too long."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None

    def read(self, path: Path) -> dict[str, Any]:
        """What `answer_paths` has answered for a file; raises BrokenOff."""
        process = self._started()
        assert process.stdin and process.stdout
        late = Event()

        def give_up() -> None:
            late.set()
            process.kill()

        timer = Timer(MAX_SECONDS, give_up)
        timer.start()
        try:
            process.stdin.write(f"{json.dumps(str(path.resolve()))}\n")
            process.stdin.flush()
            answer: dict[str, Any] = json.loads(process.stdout.readline())
        except (OSError, ValueError) as error:
            self.close()
            reason = (
                f"takes longer than {MAX_SECONDS:g} s"
                if late.is_set()
                else "has broken the program that reads it"
            )
            raise BrokenOff(reason) from error
        finally:
            timer.cancel()
        return answer

    def _started(self) -> subprocess.Popen[str]:
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "deep_research.sources.converters"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                encoding="utf-8",
                env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            )
        return self._process

    def close(self) -> None:
        """End the process, if it runs."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            with suppress(OSError):
                process.communicate()


@contextmanager
def reading_process() -> Iterator[ReadingProcess]:
    """A process for the files of one folder."""
    process = ReadingProcess()
    try:
        yield process
    finally:
        process.close()


def answer_paths(read: Callable[[Path], dict[str, Any]]) -> None:
    """The process itself: a path per line in, what is read of it as JSON per line out."""
    with suppress(ImportError, ValueError, OSError):  # not on Windows, or less is allowed already
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as out:
        os.dup2(2, 1)  # a library that prints must not answer
        for line in sys.stdin:
            print(json.dumps(read(Path(json.loads(line)))), file=out, flush=True)
