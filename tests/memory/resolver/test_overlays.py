"""Rules 5 and 6: what passes lies over what lasts; what is over displaces nothing."""

from datetime import UTC, date, datetime

import pytest

from memory.types import Relation
from tests.memory.resolver.telling import (
    believe,
    changed,
    corrected,
    decision,
    fact_of,
    inferred,
    live,
    relation,
    said,
    statuses,
)


@pytest.mark.parametrize(
    ("predicate", "lasting", "passing", "fields"),
    [
        ("lives_in", "Oslo", "Lisbon", {"expires_on": date(2024, 3, 17)}),
        ("lives_in", "Berlin", "Lissabon", {"valid_to": "2024-03"}),
        ("diet", "omnivore", "vegetarian", {"valid_to": "2024-03-30", "valid_from": "2024-02-14"}),
        ("diet", "vegana", "sin gluten", {"expires_on": date(2024, 3, 11)}),
        ("works_from", "офис", "дом", {"expires_on": date(2024, 4, 1)}),
        ("deploys_to", "production", "staging", {"valid_to": "2024"}),
    ],
)
def test_passing_value_lies_over_the_standing_one(
    predicate: str, lasting: str, passing: str, fields: dict[str, object]
) -> None:
    over = said(passing, 10, predicate=predicate, **fields)

    folded = believe(said(lasting, predicate=predicate), over)

    assert statuses(folded) == [(lasting, "active"), (passing, "active")]
    assert (relation(folded, over), decision(folded, over).against) == (Relation.OVERLAY, 0)
    assert folded.groups == ()
    assert [fact.is_exclusive for fact in folded.facts] == [True, False]


def test_passing_value_that_says_it_changed_supersedes_nothing() -> None:
    assert live(believe(said("Oslo"), changed("Lisbon", 5, expires_on=date(2024, 3, 9)))) == ["Oslo", "Lisbon"]


def test_passing_value_gets_its_day_of_expiry_from_its_end() -> None:
    assert believe(said("Lisbon", valid_to="2024-04")).facts[0].expires_on == date(2024, 4, 30)


def test_passing_value_ending_today_is_not_past() -> None:
    assert live(believe(said("Lisbon", expires_on=date(2024, 3, 1)))) == ["Lisbon"]


def test_passing_value_stays_out_of_the_quarrel_of_standing_ones() -> None:
    folded = believe(said("Oslo"), said("Bergen", hour=1), said("Lisbon", 5, expires_on=date(2024, 3, 9)))

    assert statuses(folded) == [("Oslo", "conflicted"), ("Bergen", "conflicted"), ("Lisbon", "active")]


def test_passing_restatement_of_what_stands_supports_it_and_sets_no_end() -> None:
    folded = believe(said("Oslo"), said("Oslo", 5, expires_on=date(2024, 3, 9), valid_from="2024-03-04"))

    assert [(len(f.claims), f.expires_on, f.valid_from, f.valid_to) for f in folded.facts] == [(2, None, None, None)]


def test_standing_value_after_a_passing_one_of_the_same_stands() -> None:
    folded = believe(said("Lisbon", expires_on=date(2024, 3, 9)), said("Lisbon", 3))

    assert [(f.object, f.expires_on) for f in folded.facts] == [("Lisbon", date(2024, 3, 9)), ("Lisbon", None)]


def test_passing_values_of_other_days_stand_side_by_side() -> None:
    folded = believe(
        said("Lisbon", expires_on=date(2024, 3, 9)),
        said("Porto", valid_from="2024-03-10", expires_on=date(2024, 3, 20)),
    )

    assert sorted(live(folded)) == ["Lisbon", "Porto"]
    assert folded.groups == ()


def test_passing_values_of_the_same_days_are_resolved_among_themselves() -> None:
    newer = believe(said("Lisbon", expires_on=date(2024, 3, 9)), said("Porto", 3, expires_on=date(2024, 3, 9)))
    at_once = believe(said("Lisbon", expires_on=date(2024, 3, 9)), said("Porto", hour=1, expires_on=date(2024, 3, 9)))

    assert statuses(newer) == [("Lisbon", "superseded"), ("Porto", "active")]
    assert statuses(at_once) == [("Lisbon", "conflicted"), ("Porto", "conflicted")]


def test_passing_value_prolonged_ends_at_its_newest_end() -> None:
    folded = believe(said("Lisbon", expires_on=date(2024, 3, 9)), said("Lisbon", 2, expires_on=date(2024, 3, 15)))

    assert [(f.object, f.expires_on) for f in folded.facts] == [("Lisbon", date(2024, 3, 15))]


def test_passing_slip_corrected_leaves_what_stands() -> None:
    folded = believe(
        said("Oslo"),
        said("Lisbon", 5, expires_on=date(2024, 3, 9)),
        corrected("Madrid", 5, hour=0.1, expires_on=date(2024, 3, 9)),
    )

    assert statuses(folded) == [("Oslo", "active"), ("Lisbon", "retracted"), ("Madrid", "active")]


@pytest.mark.parametrize(
    ("predicate", "now", "before", "until"),
    [
        ("lives_in", "Bergen", "Oslo", "2018"),
        ("lives_in", "Берген", "Самара", "2018-05"),
        ("works_at", "Globex", "Acme", "2024-02-29"),
        ("works_at", "Telefónica", "Correos", "2010"),
        ("database", "Postgres", "MySQL", "2023-12"),
        ("lives_in", "Tampere", "Turku", "2024-03-11"),
    ],
)
def test_value_that_was_over_is_filed_into_the_past(predicate: str, now: str, before: str, until: str) -> None:
    was = said(before, 10, predicate=predicate, valid_to=until)

    folded = believe(said(now, predicate=predicate), was)

    past = fact_of(folded, was)
    assert (past.status, past.status_reason, past.valid_to) == ("superseded", "past", until)
    assert relation(folded, was) == Relation.PAST
    assert live(folded) == [now]


def test_past_value_is_followed_by_what_held_next() -> None:
    folded = believe(
        said("Oslo", valid_from="2018"),
        said("Turku", 10, valid_to="2018", valid_from="2010"),
        said("Paris", 11, valid_to="2009"),
    )

    names = [fact.object for fact in folded.facts]
    after = {fact.object: fact.superseded_by for fact in folded.facts}
    assert after == {"Oslo": None, "Turku": names.index("Oslo"), "Paris": names.index("Turku")}


def test_late_import_of_an_older_word_lies_in_the_past() -> None:
    folded = believe(said("Bergen", 1000), said("Oslo", 0))

    assert statuses(folded) == [("Oslo", "superseded"), ("Bergen", "active")]
    assert folded.facts[0].superseded_by == 1


def test_end_told_of_the_live_fact_closes_it() -> None:
    ended = said("Acme", 45, predicate="works_at", valid_to="2024-03")

    folded = believe(said("Acme", predicate="works_at"), ended)

    assert [(f.status.value, f.status_reason, f.valid_to, len(f.claims)) for f in folded.facts] == [
        ("superseded", "past", "2024-03", 2)
    ]
    assert decision(folded, ended).fact == 0


def test_end_told_before_the_live_fact_began_is_of_another_stay() -> None:
    folded = believe(said("Acme", predicate="works_at"), said("Acme", 9, predicate="works_at", valid_to="2010"))

    assert sorted(statuses(folded)) == [("Acme", "active"), ("Acme", "superseded")]


@pytest.mark.parametrize("source", ["tool:hr", "imported:cv"])
def test_end_told_by_a_lesser_source_leaves_the_live_fact(source: str) -> None:
    folded = believe(
        said("Acme", predicate="works_at"), said("Acme", 45, predicate="works_at", valid_to="2024-03", source=source)
    )

    assert live(folded) == ["Acme"]


def test_end_told_again_adds_evidence() -> None:
    first, again = said("Oslo", valid_to="2018"), said("Oslo", 9, valid_to="2018")

    folded = believe(first, again)

    assert [len(fact.claims) for fact in folded.facts] == [2]
    assert relation(folded, again) == Relation.DUPLICATE


def test_end_told_twice_differently_makes_two_stays() -> None:
    folded = believe(said("Oslo", valid_to="2010"), said("Oslo", 9, valid_to="2018"))

    assert [fact.valid_to for fact in folded.facts] == ["2010", "2018"]


def test_end_told_on_a_many_valued_key_closes_there_too() -> None:
    folded = believe(said("Vercel", predicate="uses"), said("Vercel", 45, predicate="uses", valid_to="2024-03"))

    assert statuses(folded) == [("Vercel", "superseded")]


def test_end_hinted_at_waits_for_support() -> None:
    folded = believe(said("Acme", predicate="works_at"), inferred("Acme", 45, predicate="works_at", valid_to="2024-03"))

    assert live(folded) == ["Acme"]


@pytest.mark.parametrize("predicate", ["worked_at", "visits", "studied_at", "lived_in"])
def test_what_is_told_as_history_is_not_out_of_date(predicate: str) -> None:
    folded = believe(said("Oslo", predicate=predicate, valid_from="2010", valid_to="2014"))

    assert statuses(folded) == [("Oslo", "active")]
    assert (folded.facts[0].valid_from, folded.facts[0].valid_to) == ("2010", "2014")


def test_stated_beginning_makes_the_newest_word_no_older() -> None:
    folded = believe(said("Oslo"), said("Bergen", 9, valid_from="2010"))

    assert statuses(folded) == [("Oslo", "superseded"), ("Bergen", "active")]
    assert folded.facts[0].valid_to == "2024-03-10"


def test_passing_value_said_late_on_its_last_local_day_is_not_past() -> None:
    # Sunday 22:30 in New York is Monday in UTC.
    sunday, at = date(2026, 5, 3), datetime(2026, 5, 4, 2, 30, tzinfo=UTC)
    visit = said("Lisbon", said_at=at, said_day=sunday, expires_on=sunday)

    folded = believe(said("New York"), visit)

    assert relation(folded, visit) == Relation.OVERLAY


def test_newer_value_ends_the_old_one_on_the_local_day_it_was_said() -> None:
    at = datetime(2026, 5, 5, 2, 30, tzinfo=UTC)
    old = said("Acme", predicate="works_at")
    new = changed("Hooli", predicate="works_at", said_at=at, said_day=date(2026, 5, 4))

    assert fact_of(believe(old, new), old).valid_to == "2026-05-04"
