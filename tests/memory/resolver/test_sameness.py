"""Rules 2 and 3: what says the same, what says it more finely, and what only looks alike."""

import pytest

from memory.types import Judged, Kind, Pair, Polarity, Relation, Status
from tests.memory.resolver.telling import believe, changed, fact_of, inferred, live, on, relation, said, statuses


@pytest.mark.parametrize(
    ("predicate", "one", "other"),
    [
        ("database", "Postgres", "PostgreSQL"),
        ("lives_in", "Oslo", "OSLO"),
        ("likes", "dark mode", "Dark  Mode"),
        ("has_pet", "a dog", "dog"),
        ("lives_in", "東京", "東京"),
        ("deploys_to", "prod", "Production"),
        ("eats", "рыба", "Рыба"),
    ],
)
def test_same_object_again_adds_evidence(predicate: str, one: str, other: str) -> None:
    again = said(other, 30, predicate=predicate)

    folded = believe(said(one, predicate=predicate), again)

    assert [(fact.object, len(fact.claims)) for fact in folded.facts] == [(one, 2)]
    assert folded.facts[0].last_supported_at == on(30)
    assert relation(folded, again) == Relation.DUPLICATE


@pytest.mark.parametrize(
    ("predicate", "one", "other"),
    [
        ("programs_in", "C", "C++"),
        ("programs_in", "C++", "C#"),
        ("programs_in", "Java", "JavaScript"),
        ("takes_medication", "1.5 mg", "15 mg"),
        ("skill", "−5", "5"),
        ("owns", "Room 101", "Room 102"),
        ("has_friend", "Tigran", "Iran"),
        ("visits", "York", "New York"),
    ],
)
def test_alike_by_letters_are_two_facts(predicate: str, one: str, other: str) -> None:
    folded = believe(said(one, predicate=predicate), said(other, 30, predicate=predicate))

    assert live(folded) == [one, other]


@pytest.mark.parametrize(
    ("predicate", "one", "other"),
    [
        ("deadline", "15 October", "16 October"),
        ("room", "Room 101", "Room 102"),
        ("lives_in", "York", "New York"),
        ("works_at", "Uber", "Uber Eats"),
        ("primary_language", "Java", "JavaScript"),
        ("budget", "1.5 k", "15 k"),
        ("target_temperature", "−5 °C", "5 °C"),
        ("port", "80", "8080"),
    ],
)
def test_alike_by_letters_on_one_valued_key_is_another_value(predicate: str, one: str, other: str) -> None:
    at_once = believe(said(one, predicate=predicate), said(other, hour=1, predicate=predicate))
    later = believe(said(one, predicate=predicate), said(other, 30, predicate=predicate))

    assert statuses(at_once) == [(one, "conflicted"), (other, "conflicted")]
    assert statuses(later) == [(one, "superseded"), (other, "active")]


@pytest.mark.parametrize("cities", [("Oslo", "Bergen"), ("Köln", "Bonn"), ("Москва", "Казань")])
def test_back_to_an_old_value_is_a_new_row_of_one_lineage(cities: tuple[str, str]) -> None:
    old, new = cities

    folded = believe(said(old), said(new, 100), said(old, 200))

    assert statuses(folded) == [(old, "superseded"), (new, "superseded"), (old, "active")]
    assert [fact.superseded_by for fact in folded.facts] == [1, 2, None]
    assert [len(fact.claims) for fact in folded.facts] == [1, 1, 1]


def test_back_and_forth_keeps_every_stay() -> None:
    folded = believe(*(said("Oslo" if n % 2 else "Bergen", n * 10) for n in range(7)))

    assert [fact.superseded_by for fact in folded.facts] == [1, 2, 3, 4, 5, 6, None]


@pytest.mark.parametrize(
    ("predicate", "fine", "coarse"),
    [
        ("lives_in", "Berlin Kreuzberg", "Berlin"),
        ("lives_in", "Kreuzberg, Berlin", "Berlin"),
        ("lives_in", "Oslo, Norway", "Oslo"),
        ("lives_in", "Brooklyn, New York", "New York"),
        ("database", "Postgres 16 on Neon", "Postgres"),
        ("deadline", "15 October 2026", "15 October"),
        ("works_at", "Acme in Lyon", "Acme"),
    ],
)
def test_coarser_restatement_supports_the_finer(predicate: str, fine: str, coarse: str) -> None:
    again = said(coarse, 30, predicate=predicate)

    folded = believe(said(fine, predicate=predicate), again)

    assert [(fact.object, len(fact.claims)) for fact in folded.facts] == [(fine, 2)]
    assert relation(folded, again) == Relation.DUPLICATE


@pytest.mark.parametrize(
    ("predicate", "longer", "shorter"),
    [
        ("works_at", "Uber Eats", "Uber"),
        ("primary_language", "JavaScript", "Java"),
        ("lives_in", "New York", "York"),
        ("works_at", "Bank of America", "Bank"),
        ("favourite_band", "ABBA Gold", "ABBA"),
        ("version", "1.15", "1.1"),
    ],
)
def test_shorter_name_is_no_coarser_restatement(predicate: str, longer: str, shorter: str) -> None:
    folded = believe(said(longer, predicate=predicate), said(shorter, 30, predicate=predicate))

    assert statuses(folded) == [(longer, "superseded"), (shorter, "active")]


@pytest.mark.parametrize(
    ("predicate", "coarse", "fine"),
    [
        ("database", "Postgres", "Postgres 16 on Neon"),
        ("database", "Postgres", "Postgres v16"),
        ("database", "Postgres", "Postgres on Neon"),
        ("works_at", "Siemens", "Siemens in München"),
        ("works_at", "Siemens", "Siemens bei Erlangen"),
        ("works_at", "Renault", "Renault près de Lyon"),
        ("works_at", "Яндекс", "Яндекс в Белграде"),
        ("lives_in", "Berlin", "Kreuzberg, Berlin"),
        ("deadline", "15 October", "15 October 2026"),
        ("deadline", "October", "October 15"),
    ],
)
@pytest.mark.parametrize("hour", [0.1, 700])
def test_finer_value_supersedes_at_any_time(predicate: str, coarse: str, fine: str, hour: float) -> None:
    more = said(fine, hour=hour, predicate=predicate)

    folded = believe(said(coarse, predicate=predicate), more)

    assert statuses(folded) == [(coarse, "superseded"), (fine, "active")]
    assert folded.facts[0].superseded_by == 1
    assert relation(folded, more) == Relation.REFINEMENT


@pytest.mark.parametrize(
    ("predicate", "one", "other"),
    [
        ("lives_in", "York", "New York"),
        ("works_at", "Uber", "Uber Eats"),
        ("works_at", "Bank", "Bank of America"),
        ("primary_language", "Java", "JavaScript"),
        ("port", "80", "80 1"),
        ("shoe_size", "4", "4 5"),
        ("lives_in", "Berlin", "Berlin Kreuzberg"),
    ],
)
def test_other_containment_is_no_refinement_but_a_question_for_a_judge(predicate: str, one: str, other: str) -> None:
    known, new = said(one, predicate=predicate), said(other, 30, predicate=predicate)

    folded = believe(known, new)

    assert relation(folded, new) == Relation.UPDATE
    assert folded.undecided == (Pair(known.id, new.id),)


def test_refinement_takes_the_place_of_its_side_in_a_conflict() -> None:
    known, other = said("Postgres", predicate="database"), said("MySQL", hour=1, predicate="database", source="tool:db")

    folded = believe(known, other, said("Postgres 16 on Neon", hour=2, predicate="database"))

    assert statuses(folded) == [
        ("Postgres", "superseded"),
        ("MySQL", "conflicted"),
        ("Postgres 16 on Neon", "conflicted"),
    ]
    assert [group.sides for group in folded.groups] == [(0, 1, 2)]


def test_refinement_only_inferred_supports_what_was_stated() -> None:
    folded = believe(
        said("Postgres", predicate="database"),
        inferred("Postgres 16", 5, predicate="database"),
        inferred("Postgres 16", 9, predicate="database"),
    )

    assert live(folded) == ["Postgres"]


def test_refinement_of_a_denial_is_another_denial() -> None:
    folded = believe(
        said("Postgres", predicate="database", polarity=Polarity.DENIES),
        said("Postgres 16", 5, predicate="database", polarity=Polarity.DENIES),
    )

    assert live(folded) == ["not Postgres", "not Postgres 16"]


def test_judge_says_it_is_a_refinement() -> None:
    known, new = said("Berlin"), said("Berlin Kreuzberg", hour=1)

    folded = believe(known, new, judged={Pair(known.id, new.id): Judged.REFINEMENT})

    assert statuses(folded) == [("Berlin", "superseded"), ("Berlin Kreuzberg", "active")]
    assert folded.undecided == ()


def test_fact_is_worded_by_its_first_stated_finest_claim() -> None:
    hint = inferred("Oslo", 0, text="Seems to live in Oslo", kind=Kind.KNOWLEDGE)
    stated = said("Oslo, Norway", 1, text="Lives in Oslo, Norway", kind=Kind.IDENTITY)
    coarse = said("Oslo", 2, text="Lives in Oslo")

    fact = fact_of(believe(hint, stated, coarse), stated)

    assert (fact.text, fact.object, fact.kind) == ("Lives in Oslo, Norway", "Oslo, Norway", Kind.IDENTITY)


def test_fact_source_is_the_best_behind_it() -> None:
    folded = believe(said("prod", source="tool:ci", predicate="deploys_to"), said("prod", 5, predicate="deploys_to"))

    assert folded.facts[0].source == "user"


def test_stated_beginning_is_kept_and_the_newest_counts() -> None:
    folded = believe(said("Oslo", valid_from="2018"), said("Oslo", 5), said("Oslo", 9, valid_from="2019-05"))

    assert [fact.valid_from for fact in folded.facts] == ["2019-05"]


@pytest.mark.parametrize(
    ("predicate", "obj"),
    [("allergic_to", "nuts"), ("allergic_to", "орехи"), ("born_in", "Lyon"), ("blood_type", "0+"), ("name", "Aino")],
)
def test_permanent_thing_is_identity_whatever_kind_was_proposed(predicate: str, obj: str) -> None:
    folded = believe(said(obj, predicate=predicate, kind=Kind.KNOWLEDGE))

    assert (folded.facts[0].kind, folded.facts[0].status) == (Kind.IDENTITY, Status.ACTIVE)


def test_passing_thing_keeps_its_kind() -> None:
    assert believe(changed("tea", predicate="likes", kind=Kind.PREFERENCE)).facts[0].kind == Kind.PREFERENCE
