"""Running a coroutine from code that has no event loop, or whose loop is busy (a notebook cell)."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from concurrent.futures import wait as wait_for
from contextlib import suppress
from contextvars import Context
from typing import Any, TypeVar

T = TypeVar("T")


def run_in_own_loop(job: Coroutine[Any, Any, T], name: str) -> T:
    """The result (or error) of a coroutine that runs in a thread of this name with its own event loop.

    An interrupt of the caller (Ctrl-C, a notebook's stop button) cancels the coroutine, waits until it has
    cleaned up, and is raised then.
    """
    loop = asyncio.new_event_loop()
    task = loop.create_task(job, context=Context())
    outcome: Future[T] = Future()

    async def finish() -> T:
        return await task

    def work() -> None:
        try:
            with asyncio.Runner(loop_factory=lambda: loop) as runner:
                result = runner.run(finish())
            outcome.set_result(result)
        except BaseException as error:
            outcome.set_exception(error)

    thread = threading.Thread(target=work, name=name)
    thread.start()
    try:
        wait_for([outcome])  # not `thread.join`: an interrupted join takes the thread for ended
    except BaseException:
        with suppress(RuntimeError):  # the loop is closed: it had just ended
            loop.call_soon_threadsafe(task.cancel)
        wait_for([outcome])
        raise
    return outcome.result()
