"""The one way out: every model call, search and fetch of a run goes through `perform`.

In this order: call log (what it or an earlier run holds is not sent again), budget, the run's semaphore,
retries with back-off on the run's clock, call log, usage. Requests and responses are JSON-ready, so the log
can replay them.
"""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from deep_research.core.errors import ModelError, ResearchError, SearchError
from deep_research.core.secrets import leave_out_keys, without_keys_in
from deep_research.text.language import counted

from .advice import advice, is_answered_error, says_too_long, words_of
from .budget import Amounts
from .context import Context
from .store import CallRow, digest
from .trace import branch_of

_COUNTED = {"model": "model_calls", "search": "searches", "fetch": "searches"}
"""What a call counts as in the budget; a calculation, which leaves this machine alone, is logged only."""
_BUSY = {408, 409, 425, 429}
_WAIT_FIRST, _WAIT_MOST = 1.0, 60.0


@dataclass(frozen=True, slots=True)
class Reply:
    """What a finished call gave: a JSON-ready response and what it cost."""

    response: Any
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float = 0.0


@dataclass(frozen=True, slots=True)
class Call:
    """One call that is wanted. `worst` is the most it can cost; `shared` lets branches share its result."""

    kind: str
    role: str
    request: Any
    send: Callable[[], Awaitable[Reply]] = field(repr=False)
    worst: Amounts = field(default_factory=dict)
    model: str = ""
    shared: bool = False


async def perform(call: Call, ctx: Context) -> Any:
    """Make the call, or take its response from the log; raises `BudgetExceeded` before it would start.

    Requests are told apart by branch, words and how often they were made. A resumed run does not make those
    of finished steps again, so one that repeats such a request word for word takes its logged response.
    """
    key = digest(call.request)
    occurrence = ctx.shared.occurrences[ctx.branch, call.kind, key]
    ctx.shared.occurrences[ctx.branch, call.kind, key] += 1
    earlier = ctx.store.earlier.find(call.kind, ctx.branch, call.request, call.shared)
    logged = ctx.store.calls.find(call.kind, ctx.branch, key, occurrence)
    if logged is not None and logged.status == "failed":
        raise _logged_error(logged)
    if logged is not None:
        ctx.trace.strand(ctx.branch).after = (logged.id,)
        return logged.response
    if earlier is not None:
        return _take_over(call, earlier, key, occurrence, ctx)
    had = ctx.store.calls.find_shared(call.kind, key) if call.shared else None
    amounts = {} if had and had.branch == "0" else {**_counted(call.kind), **call.worst}
    ctx.budget.check(ctx.branch, call.role, amounts)
    ctx.emit("started", role=call.role, tool=call.kind, text=query_of_call(call))  # whoever will send it
    if call.shared:
        with ctx.budget.setting_aside(ctx.branch, amounts):
            row = await _finished_elsewhere(call.kind, key, ctx)
        if row is not None:
            return _reuse(call, row, key, occurrence, ctx)
    ctx.budget.take(ctx.branch, call.role, amounts)
    return (await _send(call, key, occurrence, ctx)).response


async def _finished_elsewhere(kind: str, key: str, ctx: Context) -> CallRow | None:
    """The same call as another branch made it, after waiting for it if it is under way."""
    while (future := ctx.shared.in_flight.get((kind, key))) is not None:
        try:
            return await asyncio.shield(future)
        except asyncio.CancelledError:
            if not future.cancelled() or _is_cancelled():
                raise  # it is this branch that is being cancelled, alone or together with the other one
    return ctx.store.calls.find_shared(kind, key)


def _is_cancelled() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _reuse(call: Call, row: CallRow, key: str, occurrence: int, ctx: Context) -> Any:
    """Take another branch's result; it counts against this branch's share (but not what the run itself had
    before its branches began), and is not paid for twice.

    Which branch sends first depends on scheduling; what each branch may do must not.
    """
    strand = ctx.trace.strand(ctx.branch)
    own = replace(
        row, id=strand.next_id(), after=[*strand.after, row.id], role=call.role, branch=ctx.branch,
        topic=ctx.topic, occurrence=occurrence, request_hash=key, start=row.end, status="reused",
    )  # fmt: skip
    ctx.store.calls.add(own)
    ctx.budget.book_share(ctx.branch, logged_amounts(own))
    strand.after = (own.id,)
    return own.response


def _take_over(call: Call, row: CallRow, key: str, occurrence: int, ctx: Context) -> Any:
    """Take the result of an earlier run: it counts in the budget as it did there, and is not paid for again.

    What one branch had from another there, it has from it here, too.
    """
    strand, reused = ctx.trace.strand(ctx.branch), row.status == "reused"
    own = replace(
        row, id=strand.next_id(), after=[*strand.after, *(row.after[-1:] if reused else ())], role=call.role,
        branch=ctx.branch, topic=ctx.topic, occurrence=occurrence, request_hash=key, request=call.request,
        start=ctx.elapsed(), end=ctx.elapsed(), status="reused" if reused else "kept",
    )  # fmt: skip
    ctx.store.calls.add(own)
    (ctx.budget.book_share if reused else ctx.budget.book)(ctx.branch, logged_amounts(own))
    strand.after = (own.id,)
    return own.response


async def _send(call: Call, key: str, occurrence: int, ctx: Context) -> CallRow:
    """Send under the semaphore and write the row; what was set aside and not needed goes back."""
    strand = ctx.trace.strand(ctx.branch)
    row = CallRow(
        id=strand.next_id(), after=list(strand.after), kind=call.kind, role=call.role, branch=ctx.branch,
        topic=ctx.topic, occurrence=occurrence, request_hash=key, request=call.request, response=None,
        model=call.model,
    )  # fmt: skip
    future: asyncio.Future[CallRow] = asyncio.get_running_loop().create_future()
    if call.shared:
        ctx.shared.in_flight[call.kind, key] = future
    spent: Mapping[str, float] = {}
    try:
        async with ctx.shared.slots:
            row = replace(row, start=ctx.elapsed())
            reply = await _with_retries(call, ctx)
        told = without_keys_in(reply.response)  # servers may echo
        row = replace(
            row, response=told, input_tokens=reply.input_tokens, output_tokens=reply.output_tokens,
            cost=reply.cost, end=ctx.elapsed(),
        )  # fmt: skip
        spent = logged_amounts(row)
        ctx.store.calls.add(row)
        future.set_result(row)
    except ResearchError as error:
        told = {"error": error.message, "hint": error.hint, "status_code": http_status_of(error.__cause__)}
        ctx.store.calls.add(replace(row, response=told, end=ctx.elapsed(), status="failed"))
        future.set_exception(error)
        future.exception()  # nobody may be waiting for it: mark it as seen
        raise
    finally:
        ctx.shared.in_flight.pop((call.kind, key), None)
        ctx.budget.book(
            ctx.branch, {kind: spent.get(kind, 0) - amount for kind, amount in call.worst.items()}
        )
        if not future.done():
            future.cancel()
    strand.after = (row.id,)
    tokens = row.input_tokens + row.output_tokens
    ctx.emit("call", role=call.role, tool=call.kind, text=query_of_call(call), tokens=tokens, cost=row.cost)
    return row


class _LoggedCause(Exception):
    """What a service answered, as far as the log knows it."""

    def __init__(self, status_code: int | None) -> None:
        super().__init__(f"HTTP {status_code}")
        self.status_code = status_code


def _logged_error(row: CallRow) -> ResearchError:
    """The error that a logged call ended with."""
    error = _family(row.kind)(row.response["error"], row.response.get("hint"))
    error.__cause__ = _LoggedCause(row.response.get("status_code"))
    return error


def _family(kind: str) -> type[ResearchError]:
    return ModelError if kind == "model" else SearchError


def logged_amounts(row: CallRow) -> dict[str, float]:
    """What a row of the call log counts in the budget: nothing, where a branch takes what the run itself had
    before its branches began."""
    if row.status == "reused" and branch_of(row.after[-1]) == "0":
        return {}
    tokens = row.input_tokens + row.output_tokens
    return {**_counted(row.kind), "tokens": tokens, "cost_usd": row.cost}


def _counted(kind: str) -> dict[str, float]:
    return {_COUNTED[kind]: 1} if kind in _COUNTED else {}


def query_of_call(call: Call) -> str:
    """What a call is about, for progress: the search's query, or nothing."""
    return str(call.request.get("query", "")) if isinstance(call.request, dict) else ""


async def _with_retries(call: Call, ctx: Context) -> Reply:
    """Try until it works, the error is permanent, or the tries are used up."""
    from tenacity import AsyncRetrying, retry_if_exception

    ctx.shared.now_in_flight += 1
    ctx.shared.peak_in_flight = max(ctx.shared.peak_in_flight, ctx.shared.now_in_flight)
    try:
        async for attempt in AsyncRetrying(
            retry=retry_if_exception(is_temporary),
            stop=lambda tried: ctx.budget.stop.wanted or tried.attempt_number > ctx.settings.retries,
            wait=lambda state: wait_seconds(state.outcome.exception(), state.attempt_number),  # type: ignore[union-attr]
            sleep=ctx.clock.sleep,
            before_sleep=lambda tried: _tell_of_waiting(call, tried, ctx),
            reraise=True,
        ):
            with attempt:
                async with asyncio.timeout(ctx.settings.call_timeout):
                    return await call.send()
    except ResearchError:
        raise
    except Exception as error:
        if isinstance(error.__cause__, ResearchError):  # ours, in the words of a client through which it came
            raise _family(call.kind)(error.__cause__.on_the_command_line) from error
        leave_out_keys(error)
        raise readable_error(error, call, ctx) from error
    finally:
        ctx.shared.now_in_flight -= 1
    raise AssertionError("unreachable: tenacity either returns or raises")


def _tell_of_waiting(call: Call, tried: Any, ctx: Context) -> None:
    """Say what a run waits for: a call that has failed and will be tried again."""
    error, seconds = tried.outcome.exception(), tried.next_action.sleep
    status, unmet = http_status_of(error), "Connect" in type(error).__name__
    why = status if status and status >= 300 else "not reached" if unmet else "no usable answer"
    tries = f"try {tried.attempt_number + 1} of {ctx.settings.retries + 1}"
    text = f"{call.role}'s {call.kind} call failed ({why}): {tries}, waiting {seconds:g} s"
    ctx.emit("retry", role=call.role, tool=call.kind, text=text)


def http_status_of(error: BaseException | None) -> int | None:
    """The HTTP status that an error of any of the clients carries."""
    status = getattr(error, "status_code", None) or getattr(
        getattr(error, "response", None), "status_code", None
    )
    return status if isinstance(status, int) else None


def is_temporary(error: BaseException) -> bool:
    """Whether trying again can help: busy or broken servers, time-outs, lost connections, answers that nobody
    can read; never a quota.
    """
    if isinstance(error, ResearchError) or isinstance(error.__cause__, ResearchError):
        return False
    if getattr(error, "code", None) == "insufficient_quota":
        return False
    status = http_status_of(error)
    if status is not None and not _is_answer(status):
        return status in _BUSY or status >= 500
    if isinstance(error, _UNREADABLE):
        return True
    if isinstance(error, TimeoutError | ConnectionError):
        return True
    return any(base.__name__ in _LOST for base in type(error).__mro__)


def _is_answer(status: int | None) -> bool:
    """Whether a server said that all is well; then whatever fails is that its answer cannot be read."""
    return status is not None and 200 <= status < 300


_UNREADABLE = (ValueError, TypeError, LookupError, AttributeError, zlib.error, RecursionError)
"""What clients raise on an answer that is empty, cut, badly packed, no JSON, nested without end, or of
another shape than their API's.
"""
_LOST = {
    "APIConnectionError", "APITimeoutError", "TransportError", "TimeoutError", "ConnectionError", "Timeout",
}  # fmt: skip
"""Base classes by which the clients' own lost-connection errors are known without importing the clients."""


def wait_seconds(error: BaseException | None, attempt: int) -> float:
    """How long to wait before the next try: what Retry-After says, else 1, 2, 4 … 60 seconds."""
    headers = getattr(getattr(error, "response", None), "headers", None) or {}
    try:
        asked = float(headers.get("retry-after", ""))
    except ValueError:
        asked = 0.0
    return min(asked if asked > 0 else _WAIT_FIRST * 2 ** (attempt - 1), _WAIT_MOST)  # not so nan


def readable_error(error: Exception, call: Call, ctx: Context) -> ResearchError:
    """One readable error for whatever the clients raised."""
    status, name = http_status_of(error), type(error).__name__
    names = {base.__name__ for base in type(error).__mro__}
    what = f"The {call.role}'s call to model '{call.model}'" if call.kind == "model" else f"The {call.kind}"

    tries = counted(ctx.settings.retries + 1, "try", "tries")

    def fault(said: str, why: str | int) -> ResearchError:
        return _family(call.kind)(f"{what} {said}", advice(why, call.kind, call.model) or None)

    if status in (401, 403) or name in ("InvalidAPIKeyError", "ForbiddenError"):
        is_tavily = "tavily" in call.model or name == "InvalidAPIKeyError"  # the class is its client's own
        if call.kind != "model" and not is_tavily:
            return _family(call.kind)(
                f"{what} was refused ({status}).", "The service allows this machine no access."
            )
        return fault("was refused: the key is wrong or has no access.", 401)
    if names & {"TimeoutError", "APITimeoutError", "TimeoutException", "Timeout"}:
        return fault(f"timed out ({tries}).", "slow")
    if names & {"APIConnectionError", "ConnectError", "ConnectionError"}:
        return fault("failed: the server cannot be reached.", "address")
    words = words_of(error)
    if isinstance(error, _UNREADABLE) and (status is None or _is_answer(status)):
        told = words if is_answered_error(error) else "."
        return fault(f"brought no answer that can be read ({tries}){told}", "address")
    code = f" ({status})" if status else ""
    return fault(f"failed{code}{words}", _why(error, status, words))


def _why(error: Exception, status: int | None, words: str) -> str | int:
    """What the table of advice knows an error by."""
    if status == 402 or getattr(error, "code", None) == "insufficient_quota":
        return "credit"
    if is_refusal_for_size(status, words):
        return "too long"
    return status or "address"


def is_refusal_for_size(status: int | None, words: str) -> bool:
    """Whether a server refused a request, with this status and these words, because it does not fit."""
    return status == 413 or (status in (400, 422, 500) and says_too_long(words))
