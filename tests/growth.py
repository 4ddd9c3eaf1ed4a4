"""How work grows with its input: CPU time for the same amount of text, in one piece and in ten.

Calls and lines can be counted exactly, but most work on text is done in C: one call of a pattern or of
`str.count` may go over the text once or a thousand times. So it is CPU time that counts, of this thread
alone, and only in comparison with what it was a moment before and after.
"""

import gc
import time
from collections.abc import Callable, Iterable

TRIES = 3
TOO_SHORT = 0.05  # seconds: below it, one hiccup of the machine (new memory, a cold cache) is the figure


def assert_ten_times_takes_at_most_twenty(
    task: Callable[[str], object], make: Callable[[int], str], size: int
) -> None:
    """`task` on one text takes at most twice the CPU time that it takes on ten texts of a tenth each.

    What grows with the square takes ten times as long, in each try. The ten texts are measured around the
    long one and take as long, so what else the machine does slows down both. One good try is enough; each
    has texts of its own, so that none is answered from a cache.
    """
    ratios: list[float] = []
    while len(ratios) < TRIES:
        ratios.append(_ratio(task, make, [size + 100 * (10 * len(ratios) + part) for part in range(10)]))
        if ratios[-1] <= 20:
            return
    raise AssertionError(f"ten times the text took {ratios} times as long")


def _ratio(task: Callable[[str], object], make: Callable[[int], str], sizes: list[int]) -> float:
    """How many times as long as a text of these sizes `task` takes on one ten times as long."""
    short, long = [make(size) for size in sizes], make(sum(sizes))
    before, whole, after = (_seconds(task, texts) for texts in (short[:5], [long], short[5:]))
    return 10 * whole / max(before + after, TOO_SHORT)


def _seconds(task: Callable[[str], object], texts: Iterable[str]) -> float:
    """CPU time of this thread, without the collection of other tests' garbage."""
    gc.disable()
    try:
        started = time.thread_time()
        for text in texts:
            task(text)
        return time.thread_time() - started
    finally:
        gc.enable()
