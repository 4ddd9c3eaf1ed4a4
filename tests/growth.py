"""How work grows with its input: a ratio of CPU times in one run, never seconds."""

import time
from collections.abc import Callable

TRIES = 4
TOO_SHORT = 0.01  # seconds: below it, the clock's own steps and a collection of garbage are the figure


def assert_ten_times_takes_at_most_twenty(
    task: Callable[[str], object], make: Callable[[int], str], size: int
) -> None:
    """`task` on `make(10 * size)` takes at most 20 times the CPU time of `make(size)`, or of `TOO_SHORT`.

    What grows with the square takes 100 times, in each try. A busy machine lengthens one try or another,
    so one good try is enough; each has texts of its own, so that none is answered from what is kept.
    """

    def seconds(text: str) -> float:
        started = time.process_time()
        task(text)
        return time.process_time() - started

    ratios = []
    for more in range(TRIES):
        short, long = make(size + 100 * more), make(10 * size + 100 * more)
        ratios.append(seconds(long) / max(seconds(short), TOO_SHORT))
        if ratios[-1] <= 20:
            return
    raise AssertionError(f"ten times the text took {ratios} times as long")
