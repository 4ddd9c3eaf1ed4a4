"""Who spoke with whom in a run, told from its trace: messages, loops, and what went on side by side.

A role that is called takes over from the one before it; a search or a page is asked for and answers. What
repeats itself becomes a loop, and branches that started at the same call stand side by side. Messages
that are told as one add up their calls and tokens, so that a run of a hundred calls fits on a page.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce

from deep_research.engine.trace import TraceLine
from deep_research.text.language import shorten

from .display import counted
from .timeline import Bar, Timeline, branch_order, branch_title, who

USER = "user"
_MOST_SECTIONS = 3
"""More branches than these that went the same way are told once."""
_LONGEST_LOOP = 6


@dataclass(frozen=True)
class Message:
    """From one to another: how many calls of a model, tokens, and what it asks a tool for."""

    source: str
    target: str
    words: str = ""
    reply: bool = False
    calls: int = 0
    tokens: int = 0
    asks: tuple[str, ...] = ()

    @property
    def key(self) -> object:
        """What messages have in common that are told as one."""
        return self.source, self.target, self.reply, self.words

    def joined(self, other: Message) -> Message:
        """Both as one message."""
        calls, tokens = self.calls + other.calls, self.tokens + other.tokens
        return replace(self, calls=calls, tokens=tokens, asks=(*self.asks, *other.asks))

    def said(self, room: int = 60) -> str:
        """The message in at most about `room` characters."""
        if self.asks:
            first = next((ask for ask in self.asks if ask), "")
            one, many = ("page", "pages") if self.target == "pages" else ("search", "searches")
            count = counted(len(self.asks), one, many)
            return shorten(f"{count}: “{first}”" if first else count, room)
        spent = f"{counted(self.calls, 'call')}, {self.tokens:,} tokens" if self.calls else ""
        return shorten(": ".join(filter(None, (self.words, spent))), room)


@dataclass(frozen=True)
class Loop:
    """Messages that were exchanged several times."""

    times: int
    body: list[Item]

    @property
    def key(self) -> object:
        return "loop", self.times, *(item.key for item in self.body)


@dataclass(frozen=True)
class Parallel:
    """What went on side by side: a title and the items of each section."""

    sections: list[tuple[str, list[Item]]]

    @property
    def key(self) -> object:
        return "parallel", *(item.key for _, items in self.sections for item in items)


Item = Message | Loop | Parallel


def joined(first: Sequence[Item], second: Sequence[Item]) -> list[Item]:
    """Two rows of items with the same keys, told as one."""
    return [_joined(a, b) for a, b in zip(first, second, strict=True)]


def _joined(first: Item, second: Item) -> Item:
    if isinstance(first, Message) and isinstance(second, Message):
        return first.joined(second)
    if isinstance(first, Loop) and isinstance(second, Loop):
        return Loop(first.times, joined(first.body, second.body))
    assert isinstance(first, Parallel) and isinstance(second, Parallel), "items with the same key are alike"
    pairs = zip(first.sections, second.sections, strict=True)
    return Parallel([(f"{a}, {b}", joined(one, other)) for (a, one), (b, other) in pairs])


@dataclass
class Exchange:
    """A whole run: who takes part, in order of appearance, and what happened."""

    items: list[Item]
    participants: list[str]


def exchange(shown: Timeline) -> Exchange:
    """Tell a timeline as messages, from the user's question to the report; tools come last in a row."""
    items: list[Item] = []
    if shown.bars:
        last = _Teller(shown.bars).tell("0", USER, items, "question")
        items.append(Message(last, USER, "report", reply=True))
    names = dict.fromkeys(name for told in messages(items) for name in (told.source, told.target))
    return Exchange(items, sorted(names, key=lambda name: name in ("search", "pages")))


def messages(items: Sequence[Item]) -> list[Message]:
    """All messages, in order."""
    found: list[Message] = []
    for item in items:
        if isinstance(item, Message):
            found.append(item)
        elif isinstance(item, Loop):
            found += messages(item.body)
        else:
            found += [message for _, body in item.sections for message in messages(body)]
    return found


class _Teller:
    """Walks the calls of a branch, and at each call the branches that started there."""

    def __init__(self, bars: Sequence[Bar]) -> None:
        self._bars = {bar.line.id: bar for bar in bars}
        self._calls: dict[str, list[Bar]] = defaultdict(list)
        for bar in sorted(bars, key=lambda bar: (bar.start, bar.line.id)):
            self._calls[bar.line.branch].append(bar)
        self._begun: dict[str, list[str]] = defaultdict(list)
        for branch in sorted(self._calls, key=branch_order):
            if branch != "0":
                self._begun[self._anchor(branch)].append(branch)

    def _anchor(self, branch: str) -> str:
        """The call of the parent branch after which a branch started; '' for one that started first."""
        waiting, outer = [self._calls[branch][0]], branch.rpartition(".")[0]
        parent = outer if outer in self._calls else "0"
        seen: set[str] = set()
        while waiting:
            bar = waiting.pop(0)
            for need in sorted(set(bar.needs) & self._bars.keys()):
                if self._bars[need].line.branch == parent:
                    return need
                if need not in seen:
                    seen.add(need)
                    waiting.append(self._bars[need])
        return ""

    def tell(self, branch: str, caller: str, items: list[Item], words: str = "") -> str:
        """Add what a branch did to `items`; whoever spoke last is returned."""
        own: list[Item] = []
        current = self._side_by_side("", caller, own) if branch == "0" else caller
        for bar in self._calls[branch]:
            current = self._call(bar.line, current, own, words if not own else "")
            current = self._side_by_side(bar.line.id, current, own)
        items += _looped(own)
        return current

    def _call(self, line: TraceLine, current: str, own: list[Item], words: str) -> str:
        if line.kind == "model":
            self._hand_over(line, current, own, words)
            return line.role
        tool = "pages" if line.kind == "fetch" else who(line)
        asked = _just_asked(line.role, tool, own)
        if asked is not None:
            own[-2] = replace(asked, asks=(*asked.asks, line.about))
            return line.role
        if current != line.role:
            own.append(Message(current, line.role, words or "hands over"))
        own.append(Message(line.role, tool, asks=(line.about,)))
        own.append(Message(tool, line.role, reply=True, words="results"))
        return line.role

    def _hand_over(self, line: TraceLine, current: str, own: list[Item], words: str) -> None:
        """A call of a model belongs to the message that it was woken by."""
        last = own[-1] if own else None
        if current == line.role and isinstance(last, Message) and last.target == line.role:
            own[-1] = replace(last, calls=last.calls + 1, tokens=last.tokens + line.tokens)
        else:
            own.append(Message(current, line.role, words, calls=1, tokens=line.tokens))

    def _side_by_side(self, call: str, current: str, own: list[Item]) -> str:
        """The branches that started after a call, and what they hand back."""
        sections: list[tuple[str, list[Item]]] = []
        for branch in self._begun.get(call, []):
            body: list[Item] = []
            last = self.tell(branch, current, body)
            if last != current:
                body.append(Message(last, current, "result", reply=True))
            sections.append((self._title(branch, len(self._begun[call])), body))
        if sections:
            own.append(Parallel(_merged(sections)))
        return current

    def _title(self, branch: str, sections: int) -> str:
        """A branch's name; with its topic, if there are so few that each is told by itself."""
        topic = self._calls[branch][0].line.topic if sections <= _MOST_SECTIONS else ""
        return branch_title(branch) + (f": {shorten(topic, 50)}" if topic else "")


def _just_asked(role: str, tool: str, own: Sequence[Item]) -> Message | None:
    """The last message of this role to this tool, if nobody has read on since: asked side by side."""
    asked, answer = own[-2:] if len(own) > 1 else (None, None)
    if not isinstance(asked, Message) or not isinstance(answer, Message) or answer.calls:
        return None
    return asked if asked.asks and (asked.source, asked.target) == (role, tool) else None


def _merged(sections: list[tuple[str, list[Item]]]) -> list[tuple[str, list[Item]]]:
    """Of many sections, those that went the same way are told once."""
    if len(sections) <= _MOST_SECTIONS:
        return sections
    alike: dict[object, tuple[str, list[Item]]] = {}
    for title, items in sections:
        key = tuple(item.key for item in items)
        if key in alike:
            before, body = alike[key]
            items = joined(body, items)
            title = f"{before}, {title}"
        alike[key] = (title, items)
    return list(alike.values())


def _looped(items: Sequence[Item]) -> list[Item]:
    """The same items with what repeats itself at once told as loops."""
    told: list[Item] = []
    place = 0
    while place < len(items):
        times, length = max(
            ((_repeats(items, place, n), n) for n in range(1, _LONGEST_LOOP + 1)),
            key=lambda found: (found[0] > 1, found[0] * found[1], -found[1]),
        )
        if times < 2:
            told.append(items[place])
            length = 1
        else:
            first, *others = (items[place + n * length :][:length] for n in range(times))
            told.append(Loop(times, reduce(joined, others, list(first))))
        place += times * length
    return told


def _repeats(items: Sequence[Item], place: int, length: int) -> int:
    """How often the next `length` items stand one after the other from here."""
    keys = [item.key for item in items[place:]]
    times = 1
    while len(keys) >= length and keys[times * length : (times + 1) * length] == keys[:length]:
        times += 1
    return times
