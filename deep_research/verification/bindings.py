"""What belongs to what: values to names, cells to labels, one step of a chain to the next.

A sentence that connects several sources ("A is longer: 184 m, against 161 m for B") repeats none of them, and
all its words stay where they are found when two of them change places. So each value is bound to the names of
its clause, and each source says whose value it is: by the passage that states it, its heading or its title.
A value is objected to only where passages give it to another name of the claim and none to its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from .evidence import Passage
from .labelled import row_cells
from .quantities import Quantity, quantities, stated
from .wording import Token, names, tokens

_CLAUSE = re.compile(r"[;；]|,\s")
_STEP = re.compile(r"\s*(?:→|->)\s*")


def value_moved(claim: str, stating: Sequence[tuple[Passage, Sequence[Quantity]]]) -> bool:
    """Whether a number of the claim is another name's in the passages, each given with its values."""
    runs = _distinct(names(claim, initial=True))
    bound = list(_bound(claim, runs))
    for value, own in bound if len({own for _, own in bound}) > 1 else ():
        rivals = [run for run in runs if not run & own]
        whose = [passage.terms | passage.context for passage, values in stating if stated(value, values)]
        if any(own <= terms for terms in whose):
            continue
        if any(rival <= terms for terms in whose for rival in rivals):
            return True
    return False


def _distinct(runs: Sequence[Sequence[Token]]) -> list[frozenset[str]]:
    """The terms of each name without those that another name has too: "Yard" tells no yard from another."""
    terms = [frozenset(token.term for token in run) for run in runs]
    counts = [term for run in set(terms) for term in run]
    return [frozenset(term for term in run if counts.count(term) == 1) or run for run in terms]


def _bound(claim: str, runs: Sequence[frozenset[str]]) -> Iterator[tuple[Quantity, frozenset[str]]]:
    """Each number with the names of its clause, or of the last clause before it that has any."""
    own: frozenset[str] = frozenset()
    for clause in _CLAUSE.split(claim):
        terms = {token.term for token in tokens(clause)}
        own = frozenset[str]().union(*(run for run in runs if run <= terms)) or own
        if own:
            yield from ((value, own) for value in quantities(clause) if not (value.date or value.counted))


def step_missing(claim: str, passages: Sequence[Passage]) -> bool:
    """Whether two neighbours in a chain ("A → B → C") stand together in no passage."""
    steps = _STEP.split(claim)
    named = [frozenset(token.term for run in names(step, initial=True) for token in run) for step in steps]
    return any(
        not any(a | b <= passage.terms | passage.context for passage in passages) for a, b in pairwise(named)
    )


def cell_moved(claim: str, row: Passage, title: str) -> bool:
    """Whether behind a label the claim has a name that the row, or the title, has elsewhere.

    Labels are the column's header, and the first cell in a table of two columns.
    """
    header = row_cells(row.setting[row.setting.find("|") :]) if "|" in row.setting else []
    cells = row_cells(row.text)
    labelled = [
        *zip(header[1:], cells[1:], strict=False),
        *([(cells[0], cells[1])] if len(cells) == 2 else []),
    ]
    for label, cell in labelled:
        others = [other for other in (title, *cells) if other and other not in (cell, label)]
        for match in re.finditer(rf"(?:^|[;:,—] ){re.escape(label)}:? ", claim) if label else ():
            if any(claim.startswith(other, match.end()) for other in others):
                return not claim.startswith(cell, match.end())
    return False
