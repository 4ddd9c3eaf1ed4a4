"""A run's checkpoints, in SQLite, Postgres or memory: what lets it go on after a pause or a kill.

LangGraph's own saver, with one promise more: no write is left half-done. A cancelled run is stopped in the
middle of whatever it awaits, and a write that is dropped between its statement and its commit keeps the file
locked for the run that is resumed. So writes are finished whoever stops waiting for them, and the file is
closed only after the last one. Imported only when a graph is about to run.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import aiosqlite
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from deep_research.components.researcher import LoopProgress
from deep_research.components.supervisor import Assignment
from deep_research.core.errors import RunError, UsageError
from deep_research.core.extras import require_extra
from deep_research.core.records import RECORDS
from deep_research.core.secrets import NO_KEY, keep_secret
from deep_research.engine.store import written
from deep_research.systems.topic_queue.blocks import TopicQueue
from deep_research.systems.topic_queue.planning import Planning
from deep_research.systems.topic_queue.report import ReportOutline
from deep_research.systems.topic_queue.research import BlockResult

_RECORDS: tuple[type, ...] = (LoopProgress, Assignment, Planning, TopicQueue, BlockResult, ReportOutline)
"""Types of single designs that checkpoints hold."""


POSTGRES = "DEEP_RESEARCH_POSTGRES"
"""The variable that holds the database's address; that has a password in it, so no settings file names it."""


def check_postgres() -> None:
    """Refuse checkpoints in Postgres for which a package or the address is missing."""
    require_extra("langgraph.checkpoint.postgres", "postgres", "checkpoints = postgres")
    if not os.environ.get(POSTGRES):
        raise UsageError(f"{POSTGRES} is not set.", "For example: postgresql://user:password@host/runs")


@asynccontextmanager
async def _in_postgres(serde: JsonPlusSerializer) -> AsyncIterator[BaseCheckpointSaver[Any]]:
    check_postgres()
    from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
    from psycopg.conninfo import conninfo_to_dict

    with suppress(Exception):  # an address that cannot be read is refused below
        keep_secret(str(conninfo_to_dict(os.environ[POSTGRES]).get("password") or NO_KEY))
    try:
        async with AsyncPostgresSaver.from_conn_string(os.environ[POSTGRES], serde=serde) as saver:
            await saver.setup()
            yield saver
    except Exception as error:
        if not type(error).__module__.startswith("psycopg"):
            raise
        raise RunError(
            f"The checkpoints' database cannot be used: {' '.join(str(error).split())[:300]}.",
            f"Does it run at the address in {POSTGRES}? Then resume: calls that were made are kept.",
        ) from error


@asynccontextmanager
async def open_checkpoints(
    path: Path | None, kind: str = "sqlite"
) -> AsyncIterator[BaseCheckpointSaver[Any]]:
    """A saver that keeps checkpoints in a file or database, without a path in memory; raises `RunError` for a
    file or database that it cannot use.
    """
    serde = JsonPlusSerializer(allowed_msgpack_modules=[*RECORDS, *_RECORDS])
    if path is None:
        yield InMemorySaver(serde=serde)
        return
    if kind == "postgres":
        async with _in_postgres(serde) as shared:
            yield shared
        return
    try:
        async with aiosqlite.connect(path) as connection:
            saver = WholeWrites(path, connection, serde=serde)
            try:
                yield saver
            finally:
                await saver.finish()
    except sqlite3.DatabaseError as error:
        with suppress(sqlite3.DatabaseError), written(path):  # a full disk is no damage
            raise error
        raise _unusable(path, error) from error


def _unusable(path: Path | None, error: Exception) -> RunError:
    hint = "If the file is damaged, delete it and resume: calls that were made are not sent again."
    return RunError(f"The checkpoints '{path}' cannot be used: {' '.join(str(error).split())[:200]}.", hint)


async def last_state(graph: Any, config: Any, path: Path | None) -> Any:
    """The state at which a run has stopped; raises `RunError` where what was kept of it is damaged."""
    try:
        return await graph.aget_state(config)
    except (
        ValueError,
        TypeError,
        LookupError,
        AttributeError,
    ) as error:  # whatever reads such bytes as objects
        raise _unusable(path, error) from error


class WholeWrites(AsyncSqliteSaver):
    """A saver whose writes go on when the task that wanted them is cancelled."""

    def __init__(self, path: Path, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._path = path
        self._writing: set[asyncio.Task[Any]] = set()

    async def aput(self, *args: Any, **kwargs: Any) -> Any:
        return await self._whole(super().aput(*args, **kwargs))

    async def aput_writes(self, *args: Any, **kwargs: Any) -> None:
        await self._whole(super().aput_writes(*args, **kwargs))

    async def _whole(self, write: Coroutine[Any, Any, Any]) -> Any:
        task = asyncio.create_task(write)
        self._writing.add(task)
        task.add_done_callback(self._writing.discard)
        with written(self._path):
            return await asyncio.shield(task)

    async def finish(self) -> None:
        """Wait for the writes that nobody waits for any more."""
        while self._writing:
            await asyncio.wait(self._writing)
