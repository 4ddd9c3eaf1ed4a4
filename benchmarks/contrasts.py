"""Sentences that differ from a right one in one point: how many of each kind does the claim check let pass?

    python -m benchmarks.contrasts [--data DATA] [--seed N]     DATA is the folder of the real data sets

Sentences of the invented web's pages and, with DATA, of 2wiki's paragraphs,
each cited to its own page: word for word, and lightly paraphrased (other function words and common verbs, a
closing time moved to the front). One point is changed: a denial, a name exchanged or replaced, a year, or the
subject, which becomes another name of the same page. A splice is the head of one sentence of a page with the
tail of another, cut where no phrase ends, or a sentence torn off within a phrase. Whatever is not flagged is
a false "evidence found", except for sentences left as they are, where every flag is a false alarm.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from deep_research.components.verifier.claims import SourceText, check_claim
from deep_research.text.cited_sentences import sentence_spans
from deep_research_offline.web import build_web, domains

from .arguments import new_parser
from .clean_claims import Case, _case, _sentences
from .corrupting import Corruption, _names, foreign_name, negation, swapped_names

SEED = 11
EACH = 120
SPLICES = 200
_LATEST = 5
"""Where the name that a sentence is about begins at the latest, behind an article."""
_STAND_IN = 0xE000
"""Characters from here on stand for names while the words around them are changed."""
_YEAR = re.compile(r"(?<![\w,.])(?:1[5-9]|20)\d\d(?!\w)")
_MOVABLE = re.compile(r"^(The |A |It )?(\S.{12,}) ((?:in|since|until|after|before) (?:\w+ )?\d{4})\.$")
_LIGHTLY = (
    (r"\bbuilt\b", "constructed"),
    (r"\bfounded\b", "established"),
    (r"\bbegan\b", "started"),
    (r"\bis located\b", "lies"),
    (r"\bis situated\b", "lies"),
    (r"\bhas been\b", "was"),
    (r"\bhas\b(?= (?:a|\d))", "possesses"),
    (r"\bstands\b(?= (?:in|on|at|by|near)\b)", "is located"),
    (r"\bcomes from\b", "hails from"),
    (r"\bwas refitted\b", "was overhauled"),
    (r"\band\b", "as well as"),
    (r"\bfilm\b", "movie"),
    (r"\bknown as\b", "called"),
    (r"\bwell-known\b", "famous"),
    (r"\bbecause\b", "since"),
    (r"\bbought\b", "purchased"),
    (r"\bmany\b", "numerous"),
    (r"\bdied\b", "passed away"),
    (r"\bmade\b", "produced"),
    (r"\bwhich is\b", "that is"),
    (r"\balso\b ", ""),
    (r"\bnow\b ", ""),
    (r"\babout\b(?= \d)", "around"),
    (r"\band was\b", "and got"),
)
_WITHIN_PHRASE = frozenset(
    "a an the of in at by for with to from its their his her and or is was are were".split()
)


def main() -> None:
    """Print the table as Markdown."""
    parser = new_parser(__doc__)
    parser.add_argument("--data", type=Path, help="folder with 2wiki/documents.jsonl")
    parser.add_argument("--seed", type=int, default=0, help="of the choices of sentences and changes")
    options = parser.parse_args()
    sets = {"invented web": list(web_cases())}
    if options.data:
        sets["2wiki"] = list(wiki_cases(options.data / "2wiki" / "documents.jsonl"))
    print(
        "The rule on subjects was set while these very sentences were looked at, "
        "so they are not kept aside.\n"
    )
    print("| sentences | changed | n | evidence found, verbatim | n | evidence found, paraphrased |")
    print("|---|---|---|---|---|---|")
    for name, cases in sets.items():
        random.Random(options.seed).shuffle(cases)
        for change, corrupt in CHANGES.items():
            cells = [share_found(found) for found in contrasts(cases, corrupt, options.seed)]
            print(f"| {name} | {change} | {' | '.join(cells)} |", flush=True)
        print(f"| {name} | splice | {share_found(splices(cases, options.seed))} | | |", flush=True)


def web_cases() -> Iterator[Case]:
    """The English sentences that name a thing of the web, cited to their own page."""
    for domain in domains():
        web = build_web(seed=SEED, domain=domain)
        for page in web.pages:
            if page.lang == "en":
                yield from _naming(_case(web, claim, [page]) for claim in _sentences(page))


def wiki_cases(path: Path) -> Iterator[Case]:
    """The sentences of Wikipedia paragraphs that begin with the name of a paragraph."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    titles = tuple(dict.fromkeys(re.sub(r"\s*\(.*", "", row["title"]) for row in rows))
    for row in rows:
        source = SourceText(row["text"], row["title"])
        for start, end in sentence_spans(row["text"]):
            claim = row["text"][start:end]
            named = tuple(name for name in titles if name in claim and len(name) > 3)
            if named and claim.startswith(named) and claim.endswith(".") and claim.count(" ") > 5:
                yield Case(claim, (source,), "en", names=(*named, *titles[:200]))


def _naming(cases: Iterator[Case]) -> Iterator[Case]:
    return (case for case in cases if len(case.claim.split()) >= 6 and _names(case))


def contrasts(cases: Sequence[Case], corrupt: Corruption, seed: int) -> Iterator[list[Case]]:
    """The first sentences that this change applies to, word for word and lightly paraphrased."""
    for reword in (lambda case: case.claim, lightly):
        rng = random.Random(seed)
        found: list[Case] = []
        for case in cases:
            said = reword(case)
            wrong = corrupt(case.changed(said), rng) if said else None
            if wrong and (corrupt is unchanged or wrong.claim not in case.sources[0].text):
                found.append(wrong)
            if len(found) == EACH:
                break
        yield found


def share_found(cases: Sequence[Case]) -> str:
    """How many, and the share of them that is not flagged."""
    passed = [check_claim(case.claim, case.sources).verdict == "evidence_found" for case in cases]
    return f"{len(passed)} | {sum(passed) / len(passed):.1%}"


def lightly(case: Case) -> str:
    """The sentence in slightly other words, its names as they are; empty where no change applies."""
    names = sorted({name for _, _, name in _names(case)}, key=len, reverse=True)
    said = case.claim
    for place, name in enumerate(names):
        said = said.replace(name, chr(_STAND_IN + place))
    before = said
    for pattern, other in _LIGHTLY:
        said = re.sub(pattern, other, said)
    if moved := _MOVABLE.match(said):
        said = f"{moved[3].capitalize()}, {(moved[1] or '').lower()}{moved[2]}."
    if said == before:
        return ""
    for place, name in enumerate(names):
        said = said.replace(chr(_STAND_IN + place), name)
    return said


def unchanged(case: Case, rng: random.Random) -> Case:
    """The sentence as it is."""
    return case


def swapped_name(case: Case, rng: random.Random) -> Case | None:
    """Two names exchanged, or one replaced by another of the same web."""
    return swapped_names(case, rng) or foreign_name(case, rng)


def changed_year(case: Case, rng: random.Random) -> Case | None:
    """Another year in place of one."""
    years = list(_YEAR.finditer(case.claim))
    if not years:
        return None
    year = rng.choice(years)
    other = int(year[0]) + rng.choice((-1, 1)) * rng.randint(1, 9)
    return case.changed(f"{case.claim[: year.start()]}{other}{case.claim[year.end() :]}")


def other_subject(case: Case, rng: random.Random) -> Case | None:
    """The name of something else that the same page speaks of in place of the first name."""
    named = _names(case)
    start, end, own = named[0] if named else (_LATEST, 0, "")
    if start >= _LATEST or re.match(r"[ -][A-Z]", case.claim[end:]):  # a part of a longer name
        return None
    others = (name for name in case.names if name not in case.claim and own not in name)
    here = [name for name in others if re.search(rf"\b{re.escape(name)}\b", case.sources[0].text)]
    if not here:
        return None
    other = rng.choice(here)
    return case.changed((case.claim[:start] if other[:4] != "The " else "") + other + case.claim[end:])


def splices(cases: Sequence[Case], seed: int) -> list[Case]:
    """The head of a sentence with the tail of another of its page, or a head alone."""
    rng = random.Random(seed)
    by_page: dict[SourceText, list[Case]] = {}
    for case in cases:
        if len(case.claim.split()) >= 10:
            by_page.setdefault(case.sources[0], []).append(case)
    found: list[Case] = []
    for same in by_page.values():
        one, other = same[0], same[-1]
        head, tail = _head(one.claim.split(), rng), _tail(other.claim.split(), rng)
        if head and tail and one is not other:
            found.append(one.changed(" ".join(head + tail)))
        elif head:
            found.append(one.changed(" ".join(head) + "."))
    return found[:SPLICES]


def _head(words: Sequence[str], rng: random.Random) -> list[str]:
    """Five words or more up to one that leads on."""
    cuts = [n for n in range(5, len(words) - 3) if words[n - 1].lower() in _WITHIN_PHRASE]
    return list(words[: rng.choice(cuts)]) if cuts else []


def _tail(words: Sequence[str], rng: random.Random) -> list[str]:
    """Five words or more from one on that follows a word that leads on."""
    cuts = [
        n
        for n in range(3, len(words) - 5)
        if words[n - 1].lower() in _WITHIN_PHRASE and words[n].lower() not in _WITHIN_PHRASE
    ]
    return list(words[rng.choice(cuts) :]) if cuts else []


CHANGES: dict[str, Callable[[Case, random.Random], Case | None]] = {
    "nothing": unchanged,
    "negation": negation,
    "swapped name": swapped_name,
    "year": changed_year,
    "subject": other_subject,
}


if __name__ == "__main__":
    main()
