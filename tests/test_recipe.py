"""What the field's recipe demands of any memory, on the real database: ten tests and what they stand for."""

from typing import Any

import pytest

from memory import forgetting, listing, policies, scope
from memory.models import Fact
from memory.types import LIVE
from tests.faults.telling import START, Person, after, proposing
from tests.isolation import content_models
from tests.scripted_model import ScriptedModel, candidate

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _clock(settings: Any) -> None:
    settings.ASSAY_NOW = START


# 1: affect and hedges are refused ------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "said", "reason"),
    [
        ("en", "I'm so tired today", "affective"),
        ("en", "I am really frustrated", "affective"),
        ("en", "I think I might switch to Postgres", "hedged"),
        ("en", "Maybe I'll move to Berlin", "hedged"),
        ("de", "Ich bin heute so müde", "affective"),
        ("de", "Vielleicht wechsle ich zu Postgres", "hedged"),
        ("es", "Estoy muy cansada", "affective"),
        ("es", "Quizás use Postgres", "hedged"),
        ("fr", "Je suis trop fatiguée", "affective"),
        ("fr", "Je vais peut-être passer à Postgres", "hedged"),
        ("fi", "Olen tosi väsynyt", "affective"),
        ("fi", "Ehkä vaihdan Postgresiin", "hedged"),
        ("ru", "Я сегодня так устала", "affective"),
        ("ru", "Возможно, перейду на Postgres", "hedged"),
    ],
)
def test_mood_or_maybe_is_refused_with_its_reason(language: str, said: str, reason: str) -> None:
    person = after(said, language=language)

    assert (person.facts, person.refused) == ([], [reason])


# 2: a duplicate reinforces and adds no row ---------------------------------------------------


@pytest.mark.parametrize(
    ("language", "first", "second"),
    [
        ("en", "I live in Oslo", "I live in Oslo"),
        ("en", "I live in Oslo", "I'm based in Oslo"),
        ("en", "I love sushi", "I really like sushi"),
        ("en", "I work at Acme", "I work for Acme"),
        ("de", "Ich wohne in Oslo", "Ich lebe in Oslo"),
        ("es", "Vivo en Oslo", "Resido en Oslo"),
        ("fr", "J'habite à Oslo", "Je vis à Oslo"),
        ("fi", "Asun Oslossa", "Asun edelleen Oslossa"),
        ("ru", "Живу в Москве", "Я живу в Москве"),
    ],
)
def test_duplicate_reinforces_the_one_row(language: str, first: str, second: str) -> None:
    person = after(first, language=language)
    before = person.one().confidence

    person.says(second, day=1)

    assert person.one().confidence > before


# 3: an update supersedes and keeps lineage ---------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second", "old", "new"),
    [
        ("I live in Oslo", "I moved to Bergen", "Oslo", "Bergen"),
        ("I work at Acme", "I joined Nokia", "Acme", "Nokia"),
        ("Our database is MySQL", "We migrated to Postgres", "MySQL", "Postgres"),
        ("Asun Oslossa", "Muutin Bergeniin", "Oslo", "Bergen"),
        ("Живу в Москве", "Переехал в Казань", "Москва", "Казань"),
    ],
)
def test_update_supersedes_with_its_end_and_its_successor(first: str, second: str, old: str, new: str) -> None:
    person = after(first, second)

    past = person.one(object=old)
    assert (past.status, past.valid_to, past.superseded_by_id) == (
        "superseded",
        "2024-04-09",
        person.one(object=new).pk,
    )


# 4: a conflict keeps both and flags them; 5: both sides reach what is rendered -----------------


CONFLICTS = [
    (["our deploy target is staging"], ["our deploy target is prod"]),
    (["I live in Oslo"], ["I live in Bergen"]),
    (["I work at Acme"], ["I work at Nokia"]),
    (["My name is Anna"], ["My name is Hanna"]),
    (["Ich wohne in Oslo"], ["Ich wohne in Bergen"]),
]


@pytest.mark.parametrize(("first", "second"), CONFLICTS)
def test_conflict_keeps_both_sides_flagged(first: list[str], second: list[str]) -> None:
    person = after(first, second, days=0.2)

    assert [fact.partition(" ")[0] for fact in person.facts] == ["conflicted", "conflicted"]
    assert [settled_by for _, settled_by in person.conflicts] == [""]


@pytest.mark.parametrize(("first", "second"), CONFLICTS)
def test_both_sides_of_a_conflict_are_listed(first: list[str], second: list[str]) -> None:
    person = after(first, second, days=0.2)

    listed = _listed(person)

    assert [row["status"] for row in listed] == ["conflicted", "conflicted"]
    assert len({row["object"] for row in listed}) == 2


# 6: superseded facts are not live ------------------------------------------------------------


@pytest.mark.parametrize(
    "said",
    [
        ["I live in Oslo", "I moved to Bergen"],
        ["I love sushi", "I hate sushi now"],
        ["We use Vercel", "We no longer use Vercel"],
        ["I live in Oslo", "I moved to Bergen", "I moved to Turku"],
        ["Я люблю суши", "Я больше не люблю суши"],
    ],
)
def test_superseded_facts_are_not_listed(said: list[str]) -> None:
    person = after(*said)

    listed = [row["object"] for row in _listed(person)]
    past = [row["object"] for row in _listed(person, "superseded")]
    assert (len(listed), len(past)) == (len(person.live), len(person.facts) - len(person.live))
    assert past != []


# 7: inferred confidence is capped ------------------------------------------------------------


@pytest.mark.parametrize("times", [2, 3, 6, 12])
def test_inference_however_often_repeated_stays_under_its_cap(times: int) -> None:
    claim = candidate("Prefers short answers", predicate="response_style", object="short answers", basis="inferred")
    replies = [[claim | {"evidence": [{"turn": 1, "quote": "short answers please"}]}] for _ in range(times)]
    person = Person(model=proposing(*replies))

    for n in range(times):
        person.says("short answers please", day=n)

    fact = person.one()
    assert (fact.source, fact.confidence <= policies.current().thresholds.inferred_cap) == ("inferred", True)


def test_inference_seen_once_is_held() -> None:
    claim = candidate("Prefers short answers", predicate="response_style", object="short answers", basis="inferred")
    person = Person(model=proposing([claim | {"evidence": [{"turn": 1, "quote": "short answers please"}]}]))

    person.says("short answers please")

    assert (person.facts, person.held) == ([], ["Prefers short answers"])


# 8: self-reference ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "subject", ["user", "User", "the user", "The User", "I", "me", "myself", "Anna", "anna", "ich"]
)
def test_word_for_the_speaker_is_the_owner(subject: str) -> None:
    person = Person(model=proposing([candidate("I live in Oslo", subject=subject)]))
    person.user.display_name = "Anna"
    with scope.staff():
        person.user.save()

    person.says("I live in Oslo")

    assert person.live == ["lives_in=Oslo"]


@pytest.mark.parametrize("name", ["Mia", "Ines", "Ian", "Usher", "Meir", "Ichiro"])
def test_other_name_stays_itself(name: str) -> None:
    person = after(f"{name} lives in Oslo")

    assert person.live == [f"({name}) lives_in=Oslo"]


# 9: an empty extraction is normal ------------------------------------------------------------


@pytest.mark.parametrize(
    "said", ["Hello!", "Thanks, that helps", "What time is it?", "👍", "ok", "Danke!", "Который час?"]
)
@pytest.mark.parametrize("model", [None, "empty"])
def test_nothing_worth_keeping_is_no_failure(said: str, model: str | None) -> None:
    person = Person(model=ScriptedModel() if model else None)

    person.says(said)

    assert (person.facts, person.refused, person.held) == ([], [], [])


# 10: forgetting a scope leaves nothing -------------------------------------------------------


@pytest.mark.parametrize(
    "said", [["I live in Oslo"], ["My sister Anna lives in Turku", "I love sushi", "I hate sushi now"]]
)
def test_forgetting_a_person_leaves_nothing_of_theirs(said: list[str]) -> None:
    person, other = after(*said), after("I live in Oslo")
    kept = other.facts

    forgetting.depart(person.user, actor="themselves")

    assert _rows_of(person) == {"memory.Receipt": 1}
    assert other.facts == kept


def _rows_of(person: Person) -> dict[str, int]:
    with scope.staff():
        counts = {model._meta.label: model.objects.filter(user_id=person.user.pk).count() for model in content_models()}
    return {label: count for label, count in counts.items() if count}


def _listed(person: Person, *statuses: str) -> list[dict[str, Any]]:
    with scope.user(person.user.pk):
        chosen = Fact.objects.filter(status__in=statuses or LIVE)
        return list(listing.facts(chosen, thresholds=policies.current().thresholds))
