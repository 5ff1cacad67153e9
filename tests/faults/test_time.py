"""B1, B7, B16–B18, B24, B27, B28: when things were so, and in which order they come to be known."""

import itertools
from datetime import timedelta

import pytest
from django.conf import settings

from memory import clock, policies, scope, upkeep
from memory.listing import facts as listed
from memory.models import Fact
from tests.faults.telling import START, Person, after

pytestmark = pytest.mark.django_db


# B1: decay -----------------------------------------------------------------------------------


@pytest.mark.parametrize("said", ["I live in Oslo", "I love sushi", "I'm allergic to nuts", "I want to learn Rust"])
@pytest.mark.parametrize("runs", [1, 10])
def test_upkeep_again_and_again_leaves_confidence_as_it_was(said: str, runs: int) -> None:
    person = after(said)
    before = person.one().confidence
    settings.ASSAY_NOW = START + timedelta(days=20)

    for _ in range(runs):
        upkeep.run(policies.current())

    assert person.one().confidence == before


def test_effective_confidence_falls_while_the_stored_one_stands() -> None:
    person = after("I love sushi")
    settings.ASSAY_NOW = START + timedelta(days=180)

    [row] = _listed(person)

    assert row["confidence"] == 0.9
    assert row["effective_confidence"] == pytest.approx(0.45, abs=0.01)


# B7: out of order ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "late", "early", "live"),
    [
        ("en", "I live in Bergen", "I live in Oslo", "Bergen"),
        ("en", "I work at Nokia", "I work at Acme", "Nokia"),
        ("en", "Our database is Postgres", "Our database is MySQL", "Postgres"),
        ("de", "Ich wohne in Bergen", "Ich wohne in Oslo", "Bergen"),
        ("es", "Vivo en Bergen", "Vivo en Oslo", "Bergen"),
        ("fr", "J'habite à Bergen", "J'habite à Oslo", "Bergen"),
        ("fi", "Asun Bergenissä", "Asun Oslossa", "Bergen"),
        ("ru", "Живу в Бергене", "Живу в Москве", "Берген"),
    ],
)
def test_history_that_comes_late_is_filed_into_the_past(language: str, late: str, early: str, live: str) -> None:
    person = Person(language=language)

    person.says(late, day=0)
    person.says(early, day=-1000)

    assert [fact.partition(" ")[0] for fact in person.facts] == ["active", "superseded"]
    assert person.one(status="active").object == live


# B16: readings -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "first", "second", "expected"),
    [
        ("en", "weight 80 kg on 1 May, 79 kg on 1 June", "Thanks!", ["79 kg", "80 kg"]),
        ("en", "weight 80 kg on 1 May", "weight 79 kg on 1 June", ["79 kg", "80 kg"]),
        ("en", "My weight was 80 kg on 1 May", "My weight was 79 kg on 1 June", ["79 kg", "80 kg"]),
        ("en", "I weigh 80 kg", "I weigh 79 kg", ["79 kg", "80 kg"]),
        ("en", "my blood pressure is 120/80", "my blood pressure is 130/85", ["120/80", "130/85"]),
        ("de", "Ich wiege 80 kg", "Ich wiege 79 kg", ["79 kg", "80 kg"]),
        ("es", "Peso 80 kg", "Peso 79 kg", ["79 kg", "80 kg"]),
        ("fr", "Je pèse 80 kg", "Je pèse 79 kg", ["79 kg", "80 kg"]),
        ("fi", "Painan 80 kg", "Painan 79 kg", ["79 kg", "80 kg"]),
        ("ru", "Я вешу 80 кг", "Я вешу 79 кг", ["79 кг", "80 кг"]),
    ],
)
def test_measurements_are_all_kept(language: str, first: str, second: str, expected: list[str]) -> None:
    person = after(first, second, language=language)

    assert [fact.partition("=")[2] for fact in person.live] == expected
    assert person.conflicts == []


# B17: coarse dates ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "said", "valid_from"),
    [
        ("en", "In 2023 I moved to Oslo", "2023"),
        ("en", "I moved to Oslo in March 2023", "2023-03"),
        ("en", "I moved to Oslo last week", "2024-02-26/2024-03-03"),
        ("en", "I moved to Oslo last month", "2024-02"),
        ("en", "I moved to Oslo last year", "2023"),
        ("en", "I moved to Oslo on 3 March 2024", "2024-03-03"),
        ("en", "I moved to Oslo two weeks ago", "2024-02-19/2024-02-25"),
        ("en", "I moved to Oslo", None),
        ("de", "Ich bin letzte Woche nach Oslo gezogen", "2024-02-26/2024-03-03"),
        ("de", "Ich bin 2023 nach Oslo gezogen", "2023"),
        ("es", "Me mudé a Oslo la semana pasada", "2024-02-26/2024-03-03"),
        ("fr", "J'ai déménagé à Oslo la semaine dernière", "2024-02-26/2024-03-03"),
        ("fi", "Muutin viime viikolla Osloon", "2024-02-26/2024-03-03"),
        ("fi", "Muutin Osloon vuonna 2023", "2023"),
        ("ru", "Я переехала в Осло на прошлой неделе", "2024-02-26/2024-03-03"),
        ("ru", "Я переехал в Осло в 2023 году", "2023"),
    ],
)
def test_date_keeps_the_precision_it_was_said_at(language: str, said: str, valid_from: str | None) -> None:
    person = after(said, language=language)

    assert person.one().valid_from == valid_from


# B18: time zones -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("zone", "hours", "day"),
    [
        ("America/New_York", 14.5, "2024-03-10"),  # 22:30 of the 10th there, UTC has the 11th
        ("America/Halifax", 13.5, "2024-03-10"),
        ("UTC", 14.5, "2024-03-11"),
        ("Asia/Tokyo", 4, "2024-03-11"),
        ("Pacific/Auckland", -1.5, "2024-03-10"),
        ("Europe/Helsinki", 11, "2024-03-11"),
    ],
)
@pytest.mark.parametrize(
    "said",
    ["today I started at Acme", "Heute habe ich bei Acme angefangen", "Hoy empecé en Acme", "Aloitin tänään Acmella"],
)
def test_today_is_the_day_where_the_person_is(zone: str, hours: float, day: str, said: str) -> None:
    person = Person(zone=zone)

    person.says(said, day=hours / 24)

    assert person.one(predicate="works_at").valid_from == day


# B24: the passing over the lasting -----------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "lasting", "passing", "expires"),
    [
        ("en", "I live in Oslo", "this week I'm in Lisbon", "2024-03-17"),
        ("en", "I live in Oslo", "I'm in Lisbon until Friday", "2024-03-15"),
        ("en", "I live in Oslo", "I'm living in Lisbon this month", "2024-03-31"),
        ("en", "I eat everything, I'm an omnivore", "I'm vegetarian for Lent", "2024-03-31"),
        ("de", "Ich wohne in Oslo", "Diese Woche bin ich in Lissabon", "2024-03-17"),
        ("es", "Vivo en Oslo", "Esta semana estoy en Lisboa", "2024-03-17"),
        ("fr", "J'habite à Oslo", "Cette semaine je suis à Lisbonne", "2024-03-17"),
        ("fi", "Asun Oslossa", "Tällä viikolla olen Lissabonissa", "2024-03-17"),
        ("ru", "Живу в Москве", "На этой неделе я в Лиссабоне", "2024-03-17"),
    ],
)
def test_what_passes_lies_over_what_lasts_until_it_ends(
    language: str, lasting: str, passing: str, expires: str
) -> None:
    person = Person(language=language)
    person.says(lasting, day=-30)
    person.says(passing, day=1)
    both = [fact.partition(" ")[0] for fact in person.facts]

    settings.ASSAY_NOW = START + timedelta(days=60)
    upkeep.run(policies.current())

    assert both == ["active", "active"]
    assert person.one(status="lapsed").expires_on.isoformat() == expires
    assert person.one(status="active").first_said_at < START


# B27: what never fades -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "I have a nut allergy"),
        ("en", "I'm allergic to penicillin"),
        ("en", "I was born in Turku"),
        ("en", "My name is Anna"),
        ("de", "Ich bin allergisch gegen Nüsse"),
        ("es", "Soy alérgica a los frutos secos"),
        ("fr", "Je suis allergique aux noix"),
        ("fi", "Olen allerginen pähkinöille"),
        ("ru", "У меня аллергия на орехи"),
    ],
)
def test_permanent_fact_is_as_sure_after_years(language: str, said: str) -> None:
    person = after(said, language=language)
    settings.ASSAY_NOW = START + timedelta(days=14 * 30)

    upkeep.run(policies.current())

    [row] = _listed(person)
    assert (row["status"], row["effective_confidence"]) == ("active", 0.9)


# B28: order of arrival -----------------------------------------------------------------------

STORIES = [
    ["I live in Oslo", "I moved to Bergen", "I live in Oslo again", "I moved to Turku"],
    ["I love sushi", "I hate sushi now", "I love sushi", "I speak Finnish"],
    ["I'm vegetarian", "No, I'm not vegetarian, I never was", "I work at Acme", "I no longer work at Acme"],
    ["My sister Anna lives in Turku", "My colleague Anna lives in Rome", "Anna plays chess", "I use Vim"],
    ["our deploy target is staging", "I'm allergic to nuts", "our deploy target is prod", "the deploy target is prod"],
    ["Asun Oslossa", "Muutin Bergeniin", "En asu enää Bergenissä", "Asun Turussa"],
]


@pytest.mark.parametrize("story", STORIES)
def test_any_order_of_arrival_ends_in_the_same_facts(story: list[str]) -> None:
    orders = list(itertools.permutations(range(len(story))))[::5]

    ends = {repr(_told(story, order)) for order in orders}

    assert len(ends) == 1


@pytest.mark.parametrize("story", STORIES)
def test_one_import_ends_in_the_same_facts_as_many(story: list[str]) -> None:
    at_once = Person()
    for place in reversed(range(len(story))):
        at_once.puts(story[place], day=place * 30, external_id=f"e{place}")

    at_once.works()

    assert _end(at_once) == _told(story, range(len(story)))


def _told(story: list[str], order: object) -> list[object]:
    person = Person()
    for place in order:  # type: ignore[attr-defined]
        person.says(story[place], day=place * 30, external_id=f"e{place}")
    return _end(person)


def _end(person: Person) -> list[object]:
    with scope.user(person.user.pk):
        rows = sorted(map(repr, Fact.objects.values_list("object", "confidence", "valid_from", "valid_to", "text")))
    return [person.facts, person.conflicts, person.held, rows]


def _listed(person: Person) -> list[dict[str, object]]:
    with scope.user(person.user.pk):
        return list(listed(Fact.objects.all(), thresholds=policies.current().thresholds))


def test_clock_of_these_tests_is_fixed() -> None:
    assert clock.now() == START
