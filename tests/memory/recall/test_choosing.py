"""F3 and F5, the floor, time and subjects: which facts come back, and in what order."""

from collections.abc import Iterator
from datetime import date, timedelta

import pytest
from django.test import override_settings

from memory import policies, recall, scope
from memory.models import Alias, Fact, User
from tests.factories import WHEN, make_conflict, make_user
from tests.memory.recall.finding import Bagged, embed, entity, find, found_by, statements, tell, texts

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("_then")]


@pytest.fixture
def _then() -> Iterator[None]:
    with override_settings(ASSAY_NOW=WHEN + timedelta(days=1)):
        yield


# Conflicts ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sides", "query"),
    [
        (("Deploys to staging", "Deploys to production"), "Where does it deploy?"),
        (("Deploys to staging", "Deploys to production"), "staging"),
        (("Wohnt in Kiel", "Wohnt in Bremen", "Wohnt in Jena"), "Wohnt sie in Kiel?"),
        (("Vive en Madrid", "Vive en Cádiz"), "¿Vive en Cádiz?"),
        (("Asuu Turussa", "Asuu Porissa", "Asuu Oulussa", "Asuu Vaasassa"), "Oulussa"),
        (("我住在东京", "我住在大阪"), "东京"),
    ],
)
def test_recall_of_one_side_brings_all_of_the_conflict(sides: tuple[str, ...], query: str) -> None:
    user = make_user()
    make_conflict(user, *tell(user, *sides))
    tell(user, "Likes tea", "Plays chess")

    found = find(user, query, k=1)

    assert sorted(texts(user, found)) == sorted(sides)
    assert {one.conflict for one in found} == {found[0].conflict} != {None}


def test_recall_of_a_conflict_below_the_floor_brings_it_still() -> None:
    user = make_user()
    make_conflict(user, *tell(user, "Drinks coffee", "Drinks chicory", confidence=0.32))

    assert sorted(texts(user, find(user, "coffee", k=1))) == ["Drinks chicory", "Drinks coffee"]


def test_recall_leaves_settled_conflicts_alone() -> None:
    user = make_user()
    won, lost = tell(user, "Lives in Oslo", "Lives in Bergen")
    make_conflict(user, won, lost, settled_by="user", winner=won)
    with scope.user(user.pk):
        Fact.objects.filter(pk=lost.pk).update(status="superseded")

    found = find(user, "Bergen")

    assert [(one.fact, one.conflict) for one in found] == [(won.pk, None)]


# Named --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("What does Mira play on Sundays?", "Mira plays the oboe on Sundays"),
        ("Is Mira allergic to hazelnuts?", "Mira is allergic to hazelnuts"),
        ("Mira's birthday cake", "Mira had a birthday cake with quinces"),
        ("Does MIRA still own the lighthouse?", "Mira owns a lighthouse"),
        ("Which tram takes Mira to work?", "Mira takes the tram to work"),
    ],
)
def test_recall_ranks_many_facts_about_one_entity_by_the_question(query: str, wanted: str) -> None:
    user = make_user()
    mira = entity(user, "Mira")
    wanted_of_all = [
        "Mira plays the oboe on Sundays",
        "Mira is allergic to hazelnuts",
        "Mira had a birthday cake with quinces",
        "Mira owns a lighthouse",
        "Mira takes the tram to work",
    ]
    tell(user, *(f"Mira knows fact number {n}" for n in range(195)), *wanted_of_all, entity=mira, subject="Mira")
    tell(user, "Owns a tram and a birthday cake")

    assert texts(user, find(user, query))[0] == wanted


@pytest.mark.parametrize("query", ["Where is Anna?", "anna", "ANNA!", "Anna's flat", "Tell me about Anna and tea"])
def test_recall_puts_named_entities_first(query: str) -> None:
    user = make_user()
    tell(user, "Likes tea", "Has a flat", "Tells stories")
    about = tell(user, "Moved to Leeds", entity=entity(user, "Anna", "sister"), subject="Anna")

    assert find(user, query)[0].fact == about[0].pk


def test_recall_knows_an_entity_by_its_alias() -> None:
    user = make_user()
    anna = entity(user, "Anna")
    about = tell(user, "Moved to Leeds", entity=anna, subject="Anna")
    tell(user, "Likes tea")
    with scope.user(user.pk):
        Alias.objects.create(user=user, entity=anna, alias="Annie", alias_key="annie")

    assert (find(user, "Where is Annie?")[0].fact, find(user, "x", subject_key="annie")[0].fact) == (about[0].pk,) * 2


def test_recall_knows_an_object_by_name() -> None:
    user = make_user()
    tell(user, "Likes chess", "Has a plan")
    about = tell(user, "Uses it for the shop", object="Linear Pro", object_key="linear pro")

    assert find(user, "Is Linear Pro worth it?")[0].fact == about[0].pk


def test_recall_about_a_subject_brings_nothing_else() -> None:
    user = make_user()
    about = tell(user, "Moved to Leeds", entity=entity(user, "Anna"), subject="Anna")
    tell(user, "Moved to York")

    assert [one.fact for one in find(user, "Who moved?", subject_key="anna")] == [about[0].pk]


# How many, and how sure ---------------------------------------------------------------------


@pytest.mark.parametrize(("k", "own", "expected"), [(1, 4, 1), (3, 4, 3), (6, 4, 4), (200, 4, 4), (6, 0, 0)])
def test_recall_gives_k_facts_or_all_there_are(k: int, own: int, expected: int) -> None:
    user = make_user()
    tell(user, *(f"Knows fact {n}" for n in range(own)))

    assert len(find(user, "anything else", k=k)) == expected


@pytest.mark.parametrize(
    ("confidence", "is_pinned", "expected"), [(0.41, False, 1), (0.39, False, 0), (0.31, True, 1), (0.30, False, 0)]
)
def test_recall_keeps_to_the_floor(confidence: float, *, is_pinned: bool, expected: int) -> None:
    user = make_user()
    tell(user, "Likes tea", confidence=confidence, is_pinned=is_pinned, kind="identity")

    assert len(find(user, "tea")) == expected


def test_recall_of_what_has_faded_since_brings_nothing() -> None:
    user = make_user()
    tell(user, "Wants to run a marathon", kind="goal", last_supported_at=WHEN - timedelta(days=200))

    assert find(user, "marathon") == []


@pytest.mark.parametrize("status", ["superseded", "retracted", "lapsed"])
def test_recall_brings_only_what_is_live(status: str) -> None:
    user = make_user()
    tell(user, "Likes tea", status=status)

    assert find(user, "tea") == []


def test_recall_brings_nothing_past_its_end() -> None:
    user = make_user()
    tell(user, "Is in Lisbon", expires_on=WHEN.date())
    tell(user, "Is in Porto", expires_on=WHEN.date() + timedelta(days=1))

    assert texts(user, find(user, "Is in")) == ["Is in Porto"]


# Then ---------------------------------------------------------------------------------------


def _moved(user: User) -> None:
    tell(user, "Lives in Oslo", status="superseded", began_on=date(2024, 1, 1), ended_on=date(2025, 5, 31))
    tell(user, "Lives in Bergen", began_on=date(2025, 5, 31))
    tell(user, "Lives in Narvik", status="retracted", began_on=date(2024, 1, 1))
    week = {"began_on": date(2025, 2, 3), "ended_on": date(2025, 2, 9), "expires_on": date(2025, 2, 9)}
    tell(user, "Is in Lisbon", status="lapsed", status_reason="expired", **week)
    tell(user, "Is in hiding", status="lapsed", status_reason="retired by member", began_on=date(2024, 1, 1))


@pytest.mark.parametrize(
    ("as_of", "expected"),
    [
        (date(2023, 12, 31), []),
        (date(2024, 1, 1), ["Lives in Oslo"]),
        (date(2025, 2, 5), ["Is in Lisbon", "Lives in Oslo"]),
        (date(2025, 5, 30), ["Lives in Oslo"]),
        (date(2025, 5, 31), ["Lives in Bergen"]),
        (date(2026, 3, 10), ["Lives in Bergen"]),
        (date(2031, 1, 1), ["Lives in Bergen"]),
    ],
)
def test_recall_as_of_a_day_brings_what_held_then(as_of: date, expected: list[str]) -> None:
    user = make_user()
    _moved(user)

    assert sorted(texts(user, find(user, "Where?", as_of=as_of))) == expected


def test_recall_as_of_a_day_measures_worth_by_it() -> None:
    user = make_user()
    long_ago = WHEN - timedelta(days=400)
    tell(user, "Wants a dog", kind="goal", last_supported_at=long_ago, began_on=long_ago.date())

    found = find(user, "dog", as_of=long_ago.date())

    assert [round(one.worth, 2) for one in found] == [0.9]


# One statement, one user --------------------------------------------------------------------


def test_recall_is_one_statement() -> None:
    user = make_user()
    make_conflict(user, *tell(user, "Deploys to staging", "Deploys to production"))

    with statements() as sent:
        find(user, "Where does it deploy?", embedder=Bagged())

    assert len([one for one in sent if "memory_fact" in one]) == 1


@pytest.mark.parametrize("has_vectors", [True, False])
def test_recall_never_brings_another_users_identical_facts(*, has_vectors: bool) -> None:
    user, other = make_user(), make_user()
    embedder = Bagged() if has_vectors else None
    own = tell(user, "Likes tea", "Lives in Oslo")
    for whose in (user, other):
        tell(whose, "Mira plays the oboe", entity=entity(whose, "Mira"), subject="Mira")
    tell(other, "Likes tea", "Lives in Oslo", "Has a secret recipe for tea in Oslo")
    make_conflict(other, *tell(other, "Drinks tea", "Drinks coffee"))
    if embedder:
        embed(user, embedder)
        embed(other, embedder)

    found = find(user, "Which tea does Mira drink in Oslo?", k=200, embedder=embedder)

    with scope.user(user.pk):
        mine = set(Fact.objects.values_list("pk", flat=True))
    assert {one.fact for one in found} == mine >= {fact.pk for fact in own}


def test_recall_outside_a_scope_sees_nothing() -> None:
    user = make_user()
    tell(user, "Likes tea")
    with scope.staff():
        policy = policies.current()
    stranger = make_user()

    with scope.user(stranger.pk):
        found = recall.recall(recall.ask("tea", embedder=None), recall.Where(user.pk), k=6, policy=policy)

    assert found.found == ()


def test_words_of_others_do_not_count_as_common() -> None:
    user = make_user()
    tell(user, "Keeps an otter", "Keeps a shed")
    other = make_user()
    tell(other, *(f"Keeps otter {n}" for n in range(50)))

    assert found_by(user, "otter")[:1] == ["Keeps an otter"]
