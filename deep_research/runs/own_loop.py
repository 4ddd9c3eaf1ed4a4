"""Running a coroutine from code that has no event loop, or whose loop is busy (a notebook cell)."""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from concurrent.futures import wait as wait_for
from contextlib import suppress
from contextvars import Context
from functools import wraps
from typing import Any, ParamSpec, TypeVar

T = TypeVar("T")
P = ParamSpec("P")

_AWAKE = 0.2
"""Seconds after which a waiting caller looks whether it was interrupted."""


def in_own_loop(function: Callable[P, Coroutine[Any, Any, T]]) -> Callable[P, T]:
    """A function of the same arguments for code without an event loop, and for notebook cells."""

    @wraps(function)
    def call(*args: P.args, **options: P.kwargs) -> T:
        return run_in_own_loop(function(*args, **options))

    del call.__wrapped__  # or it would be taken for a coroutine function
    call.__name__ = call.__qualname__ = function.__name__.removeprefix("a")
    call.__signature__ = inspect.signature(function)  # type: ignore[attr-defined]
    return call


def run_in_own_loop(job: Coroutine[Any, Any, T]) -> T:
    """The result (or error) of a coroutine that runs in a thread of its own, with its own event loop.

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

    thread = threading.Thread(target=work, name="deep-research")
    thread.start()
    try:
        _wait(outcome)
    except BaseException:
        with suppress(RuntimeError):  # the loop is closed: it had just ended
            loop.call_soon_threadsafe(task.cancel)
        _wait(outcome)
        raise
    return outcome.result()


def _wait(outcome: Future[Any]) -> None:
    """Wait until a coroutine has ended, waking up to look for an interrupt.

    The system may hand a signal to any thread; a main thread that waits without end would not notice. Not
    `thread.join` either: an interrupted join takes the thread for ended.
    """
    while not wait_for([outcome], timeout=_AWAKE).done:
        pass
