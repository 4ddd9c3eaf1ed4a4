"""`deep-research`, or `python -m deep_research`: parse, call the command, turn errors into one line.

Exit statuses: 0 complete or partial, 1 failed, 2 bad usage or a refused start, 3 no evidence, 4 input needed,
5 rejected, 130 interrupted, 141 nobody reads the output. Nothing heavy is imported before a command is known.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module

from .cli.parser import parse
from .cli.terminal import tell
from .core.errors import ResearchError
from .core.secrets import without_keys

DEBUG = "DEEP_RESEARCH_DEBUG"
"""With this variable set, errors keep their traceback."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status; never raises, unless `DEEP_RESEARCH_DEBUG` is set."""
    _tolerate_any_text()
    try:
        status = _run(sys.argv[1:] if argv is None else argv)
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        _forget_output()
        return 141
    except KeyboardInterrupt:
        return _fail("interrupted", 130)
    except Exception as error:
        if os.environ.get(DEBUG):
            raise
        return _report(error)


def _run(argv: Sequence[str]) -> int:
    args = parse(argv)
    if args is None:
        return 0
    if not os.environ.get(DEBUG):
        _silence_logging()
    module, _, name = str(args.run).partition(":")
    command: Callable[..., int] = getattr(import_module(f".cli.{module}", __package__), name)
    return command(args)


def _report(error: Exception) -> int:
    """One line on stderr, and the way out."""
    if isinstance(error, ResearchError):
        return _fail(error.on_the_command_line, error.exit_status)
    if isinstance(error, OSError) and error.strerror:
        place = f" '{error.filename}'" if error.filename else ""
        return _fail(f"{error.strerror}{place}.", 1)
    reason = without_keys(" ".join(str(error).split()), is_error=True)[:300]
    return _fail(f"unexpected {type(error).__name__}: {reason} Set {DEBUG}=1 to see where.", 1)


def _fail(message: str, status: int) -> int:
    tell(f"error: {message}" if status != 130 else message)
    return status


def _tolerate_any_text() -> None:
    """A character that the terminal cannot show must not end a run; what is piped is UTF-8 everywhere.

    A program without a console, or started with closed streams, has none at all.
    """
    sys.stdin, sys.stdout, sys.stderr = (
        stream or open(os.devnull, mode, encoding="utf-8")  # noqa: SIM115
        for stream, mode in ((sys.stdin, "r"), (sys.stdout, "w"), (sys.stderr, "w"))
    )
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure:
            piped = not stream.isatty()
            reconfigure(**({"encoding": "utf-8"} if piped else {}), errors="backslashreplace")


def _silence_logging() -> None:
    """Libraries' warnings are for developers; without a handler Python prints them on stderr."""
    import logging

    if not logging.getLogger().handlers:
        logging.getLogger().addHandler(logging.NullHandler())


def _forget_output() -> None:
    """Nobody reads stdout any more: send the rest nowhere, so that Python's exit is silent too."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
