"""Sample questions about a region, each with the data that answer it. Knows no domain.

A domain lists its questions as rows that choose entities by position, so seeds differ in names, numbers and
relations but ask for the same kinds of things. Fields of a text: `{0}`, `{1}` ... the names of the chosen
entities; of the first, `{s}` its name with its article, `{p}` the possessive (`{P}` capitalised); `{r}` the
region, `{y}` the year, `{g}` and `{h}` names that stand on no page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from deep_research.offline.web.assembly import Ask
from deep_research.offline.web.desk import Desk
from deep_research.offline.web.names import NameMaker
from deep_research.offline.web.prose import Datum, Entity
from deep_research.offline.web.reference import Cast
from deep_research.offline.web.region import Region

R = TypeVar("R", bound=Region)
Asked = list[tuple[str, list[Datum]]]


@dataclass(frozen=True, slots=True)
class Translated:
    """A question asked about a `Cast`: its text has the roles as fields, and `{year}`, `{region}`, `{term}`.

    `gold` are (role, attribute). With `top`, it is one (kind, attribute) of the cast's year, and the `top`
    largest values are the answer. `{term}` is a year inside the term of the office that `gold` names first.
    """

    text: str
    gold: tuple[tuple[str, str], ...] = ()
    top: int = 0


@dataclass(frozen=True, slots=True)
class Survey(Generic[R]):
    """All questions of a domain, by class. A row is (kind, position or positions, attribute or attributes,
    text); rankings also say how many are asked for. `temporal` makes its questions itself.
    """

    single: Sequence[tuple[str, int, tuple[str, ...], str]]
    comparison: Sequence[tuple[str, tuple[int, ...], str, str]]
    multi_hop: Sequence[tuple[str, int, tuple[str, ...], str]]
    ranking_table: Sequence[tuple[str, str, int, int, str]]  # the third names a year, counted from the end
    ranking_pages: Sequence[tuple[str, tuple[int, ...], str, int, str]]
    temporal: Callable[[R], Asked]
    contradiction: Sequence[tuple[str, int, tuple[str, ...], str]]
    unanswerable: Sequence[tuple[str, int, str]]
    translated: Mapping[str, Mapping[str, Translated]]  # by language and class


def ask(desk: Desk[R], survey: Survey[R], casts: Mapping[str, Cast]) -> None:
    """Put all questions about this region into the assembly, class by class."""
    region = desk.region
    asked = {
        "single_fact": _about_one(region, survey.single),
        "comparison": _comparison(region, survey),
        "multi_hop": _multi_hop(region, survey),
        "ranking": _ranking(region, survey),
        "temporal": survey.temporal(region),
        "contradiction": _about_one(region, survey.contradiction),
        "unanswerable": _unanswerable(region, desk.names, survey),
    }
    for kind, pairs in asked.items():
        desk.web.asks += [Ask(kind, "en", text, tuple(gold)) for text, gold in pairs]
        desk.web.asks += _in_other_languages(region, kind, survey, casts)


def follow(region: Region, start: Entity, path: Iterable[str]) -> Iterator[Datum]:
    """The data along a chain of attributes, each read off the entity that the one before names."""
    here = start
    for attr in path:
        datum = region.get(here, attr)
        yield datum
        here = datum.target or here


def top(data: Iterable[Datum], count: int) -> list[Datum]:
    """The largest values; those of one kind never tie."""
    return sorted(data, key=lambda datum: (-datum.value.number, datum.id))[:count]


def middle(datum: Datum) -> int:
    """A year well inside the term of an office that has ended."""
    return (datum.year("since") + datum.year("until")) // 2


def _about_one(region: Region, rows: Iterable[tuple[str, int, tuple[str, ...], str]]) -> Asked:
    chosen = [(region.entities[kind][i], attrs, text) for kind, i, attrs, text in rows]
    return [(_named(text, entity), region.all(entity, *attrs)) for entity, attrs, text in chosen]


def _comparison(region: Region, survey: Survey[Any]) -> Asked:
    chosen = [(region.pick(kind, *picks), attr, text) for kind, picks, attr, text in survey.comparison]
    return [(_named(text, *entities), region.each(entities, attr)) for entities, attr, text in chosen]


def _multi_hop(region: Region, survey: Survey[Any]) -> Asked:
    starts = [(region.entities[kind][i], path, text) for kind, i, path, text in survey.multi_hop]
    return [(_named(text, start), list(follow(region, start, path))) for start, path, text in starts]


def _ranking(region: Region, survey: Survey[Any]) -> Asked:
    made: Asked = []
    for kind, attr, back, count, text in survey.ranking_table:
        year = region.years[back]
        data = region.each(region.entities[kind], f"{attr}@{year}")
        made.append((text.format(r=region.name.en, y=year), top(data, count)))
    for kind, picks, attr, count, text in survey.ranking_pages:
        chosen = region.pick(kind, *picks)
        made.append((_named(text, *chosen), top(region.each(chosen, attr), count)))
    return made


def _unanswerable(region: Region, names: NameMaker, survey: Survey[Any]) -> Asked:
    """Real entities with attributes that no page mentions, and names that stand on no page."""
    made: Asked = []
    for kind, i, text in survey.unanswerable:
        ghosts = {"g": names.word().en, "h": names.word().en}
        made.append((_named(text, region.entities[kind][i], y=region.years[-1], **ghosts), []))
    return made


def _in_other_languages(
    region: Region, kind: str, survey: Survey[Any], casts: Mapping[str, Cast]
) -> Iterator[Ask]:
    for lang, cast in casts.items():
        question = survey.translated[lang][kind]
        if question.top:
            ((ranked, attr),) = question.gold
            gold = top(region.each(region.entities[ranked], f"{attr}@{cast.year}"), question.top)
        else:
            gold = [region.get(cast.roles[role], attr) for role, attr in question.gold]
        fields: dict[str, Any] = {role: entity.name.say(lang) for role, entity in cast.roles.items()}
        if gold and "until" in gold[0].extra:
            fields["term"] = middle(gold[0])
        text = question.text.format(**fields, year=cast.year, region=region.name.say(lang))
        yield Ask(kind, lang, text, tuple(gold))


def _named(text: str, *entities: Entity, **more: object) -> str:
    first = entities[0].ref("en")
    possessive = first + ("'" if first.endswith("s") else "'s")
    capital = possessive[:1].upper() + possessive[1:]
    names = [entity.name.en for entity in entities]
    return text.format(*names, s=first, p=possessive, P=capital, **more)
