"""The mini-web: a generated, frozen, fictional web with ground truth, so that research can be scored without
a judge.

Every name, number and relation is invented from a seed, so no language model can know a fact from training;
every page lives on a reserved `.example` host. The same (seed, pages, domain) gives the same web, byte for
byte, on every machine. Besides pages a web carries what is true (`facts`, with the pages that state each one
rightly, used to, or get it wrong) and sample `questions` with their gold facts and pages.

A *domain* is a sub-package here (`airships`, ...) with one name, `build(seed, pages) -> Web`, which it gets
from a `domain.Domain`: its entities, its words, its page writers, its questions. Nothing in this module or in
the shared ones beside it knows any domain's words.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import lru_cache

from deep_research.core.errors import UsageError

from .types import Web

PAGES = 212
"""How many pages a region has, its stories included."""


def domains() -> tuple[str, ...]:
    """The names of the domains that can be built, in alphabetical order."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(__path__) if module.ispkg))


@lru_cache(maxsize=8)
def build_web(seed: int = 0, pages: int = PAGES, domain: str = "airships") -> Web:
    """Generate the web of `seed` with exactly `pages` pages (cached; a web is immutable).

    The first `PAGES` pages and their questions are the same at every larger size: more pages only add further
    regions of the same invented world, so a larger web is the same task among more distractors. A smaller web
    keeps the first pages, and the facts and questions that they can still answer: with 150, all but those of
    the class `report`.
    """
    if domain not in domains():
        raise UsageError(
            f"There is no offline web called {domain!r}.", f"Choose one of: {', '.join(domains())}."
        )
    if pages < 1:
        raise UsageError(f"A web of {pages} pages cannot be built.", "Ask for at least one page.")
    return importlib.import_module(f"{__name__}.{domain}").build(seed, pages)
