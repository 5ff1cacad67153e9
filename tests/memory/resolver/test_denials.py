"""Rule 1, denials: what they close, what they take back, when they stay."""

import pytest

from memory.types import Polarity, Relation, Speech, Status
from tests.memory.resolver.telling import (
    believe,
    changed,
    decision,
    denied,
    inferred,
    live,
    on,
    relation,
    said,
    statuses,
    with_thresholds,
)

CORRECTS, CHANGES = Speech.CORRECTS, Speech.CHANGES


@pytest.mark.parametrize(
    ("predicate", "obj"),
    [
        ("works_at", "Acme"),
        ("diet", "vegetarian"),
        ("lives_in", "Köln"),
        ("member_of", "club de lectura"),
        ("has_friend", "Оля"),
        ("database", "Postgres"),
    ],
)
def test_denial_of_live_fact_closes_it(predicate: str, obj: str) -> None:
    known = said(obj, 0, predicate=predicate)
    ended = denied(obj, 30, predicate=predicate)

    folded = believe(known, ended)

    assert statuses(folded) == [(obj, "superseded")]
    assert folded.facts[0].valid_to == "2024-03-31"
    assert (relation(folded, ended), decision(folded, ended).against) == (Relation.DENIAL, 0)


@pytest.mark.parametrize("hour", [0.01, 1, 20])
def test_denial_by_the_user_needs_no_waiting(hour: float) -> None:
    folded = believe(said("Acme", predicate="works_at"), denied("Acme", hour=hour, predicate="works_at"))

    assert live(folded) == []


@pytest.mark.parametrize(
    ("predicate", "obj"),
    [("likes", "sushi"), ("eats", "Fleisch"), ("drinks", "café"), ("uses", "Vercel"), ("plays", "шахматы")],
)
def test_denial_worth_keeping_is_the_one_live_fact(predicate: str, obj: str) -> None:
    folded = believe(said(obj, 0, predicate=predicate), denied(obj, 30, predicate=predicate))

    assert statuses(folded) == [(obj, "superseded"), (f"not {obj}", "active")]
    assert folded.facts[0].superseded_by == 1


def test_denial_then_liking_again_makes_three_rows() -> None:
    folded = believe(
        said("sushi", 0, predicate="likes"),
        denied("sushi", 30, predicate="likes"),
        said("sushi", 60, predicate="likes"),
    )

    assert statuses(folded) == [("sushi", "superseded"), ("not sushi", "superseded"), ("sushi", "active")]
    assert [fact.superseded_by for fact in folded.facts] == [1, 2, None]


def test_denial_leaves_other_values_alone() -> None:
    folded = believe(
        said("sushi", 0, predicate="likes"),
        said("ramen", 0, predicate="likes"),
        denied("sushi", 30, predicate="likes"),
    )

    assert live(folded) == ["ramen", "not sushi"]


@pytest.mark.parametrize(
    ("predicate", "coarse", "fine"),
    [
        ("uses", "Postgres", "Postgres 16 on Neon"),
        ("lives_in", "Berlin", "Berlin Kreuzberg"),
        ("lives_in", "Oslo", "Grünerløkka, Oslo"),
        ("database", "Postgres", "Postgres v16"),
        ("works_at", "Acme", "Acme in Lyon"),
    ],
)
def test_denial_of_the_coarser_denies_the_finer(predicate: str, coarse: str, fine: str) -> None:
    folded = believe(said(fine, 0, predicate=predicate), denied(coarse, 30, predicate=predicate))

    assert folded.facts[0].status == Status.SUPERSEDED


def test_denial_of_the_finer_leaves_the_coarser() -> None:
    folded = believe(said("Postgres", predicate="uses"), denied("Postgres 12", 30, predicate="uses"))

    assert live(folded) == ["Postgres", "not Postgres 12"]


@pytest.mark.parametrize(
    ("predicate", "obj"),
    [("diet", "vegetarian"), ("is_vegetarian", "true"), ("works_at", "Acme"), ("likes", "суши"), ("has_pet", "Katze")],
)
def test_denial_that_it_ever_was_retracts(predicate: str, obj: str) -> None:
    known = said(obj, 0, predicate=predicate)
    before = believe(known).facts[0].confidence
    never = denied(obj, 1, predicate=predicate, speech=CORRECTS)

    folded = believe(known, never)

    assert statuses(folded) == [(obj, "retracted")]
    assert folded.facts[0].confidence == before
    assert relation(folded, never) == Relation.CORRECTION


def test_denial_that_it_ever_was_takes_back_every_time_it_was_said() -> None:
    folded = believe(said("Oslo"), said("Bergen", 10), said("Oslo", 20), denied("Oslo", 30, speech=CORRECTS))

    assert statuses(folded) == [("Oslo", "retracted"), ("Bergen", "active"), ("Oslo", "retracted")]


def test_denial_names_its_fact_in_other_words() -> None:
    known = said("vegetarian since school", 0, predicate="diet")
    never = denied("vegetarian", 1, predicate="diet", speech=CORRECTS, corrects=known.id)

    assert statuses(believe(known, never)) == [("vegetarian since school", "retracted")]


def test_denial_naming_a_fact_it_does_not_deny_leaves_it() -> None:
    ramen = said("ramen", 0, predicate="likes")

    folded = believe(ramen, denied("sushi", 10, predicate="likes", corrects=ramen.id))

    assert live(folded) == ["ramen", "not sushi"]


@pytest.mark.parametrize("speech", [Speech.STATES, CHANGES, CORRECTS])
def test_denial_of_nothing_known_stands_as_a_fact(speech: Speech) -> None:
    nothing = denied("Paris", speech=speech)

    folded = believe(nothing)

    assert statuses(folded) == [("not Paris", "active")]
    assert relation(folded, nothing) == Relation.NEW
    assert folded.facts[0].is_exclusive is False


def test_denial_of_another_value_stands_beside_the_known() -> None:
    folded = believe(said("Oslo"), denied("Paris", 5))

    assert live(folded) == ["Oslo", "not Paris"]
    assert folded.groups == ()


@pytest.mark.parametrize("speech", [Speech.STATES, CORRECTS])
def test_denial_of_what_was_taken_back_adds_nothing(speech: Speech) -> None:
    again = denied("vegetarian", 9, predicate="diet", speech=speech)

    folded = believe(
        said("vegetarian", predicate="diet"), denied("vegetarian", 1, predicate="diet", speech=CORRECTS), again
    )

    assert statuses(folded) == [("vegetarian", "retracted")]
    assert relation(folded, again) == Relation.DENIAL


def test_denial_of_what_has_ended_adds_nothing() -> None:
    folded = believe(
        said("Acme", predicate="works_at"),
        said("Globex", 9, predicate="works_at"),
        denied("Acme", 20, predicate="works_at"),
    )

    assert statuses(folded) == [("Acme", "superseded"), ("Globex", "active")]


@pytest.mark.parametrize(
    ("fields", "until"),
    [
        ({}, "2024-03-31"),
        ({"valid_from": "2024-03"}, "2024-03"),
        ({"valid_from": "2024-03-12"}, "2024-03-12"),
        ({"valid_from": "2019"}, "2024-03-31"),
        ({"valid_to": "2024-03"}, "2024-03"),
        ({"valid_from": "2024-03-18/2024-03-24"}, "2024-03-18/2024-03-24"),
    ],
)
def test_denial_closes_at_its_stated_day_unless_that_was_before(fields: dict[str, str], until: str) -> None:
    folded = believe(said("Vercel", predicate="deploys_to"), denied("Vercel", 30, predicate="deploys_to", **fields))

    assert folded.facts[0].valid_to == until


def test_denial_for_a_while_lies_over_what_stands() -> None:
    folded = believe(said("wine", predicate="drinks"), denied("wine", 5, predicate="drinks", valid_to="2024-04-30"))

    assert live(folded) == ["wine", "not wine"]
    assert folded.facts[1].expires_on is not None


def test_denial_by_a_hint_waits_for_support() -> None:
    hint = inferred("Acme", 30, predicate="works_at", polarity=Polarity.DENIES)

    folded = believe(said("Acme", predicate="works_at"), hint)

    assert live(folded) == ["Acme"]
    assert folded.held == (hint.id,)


@pytest.mark.parametrize("source", ["tool:hr", "imported:mem0"])
def test_denial_by_a_lesser_source_is_a_question(source: str) -> None:
    other = denied("Acme", 30, predicate="works_at", source=source)

    folded = believe(said("Acme", predicate="works_at"), other)

    assert statuses(folded) == [("Acme", "conflicted"), ("not Acme", "conflicted")]
    assert relation(folded, other) == Relation.CONFLICT


def test_denial_by_a_tool_of_what_a_tool_said_needs_support() -> None:
    single = believe(
        said("Acme", predicate="works_at", source="tool:hr"), denied("Acme", 30, predicate="works_at", source="tool:hr")
    )
    lenient = believe(
        said("Acme", predicate="works_at", source="tool:hr"),
        denied("Acme", 30, predicate="works_at", source="tool:hr"),
        under=with_thresholds(min_support=1),
    )

    assert live(single) == ["Acme", "not Acme"]
    assert live(lenient) == []


def test_denial_by_the_user_settles_a_contradiction() -> None:
    folded = believe(
        said("staging", predicate="deploys_to"),
        said("preview", hour=1, predicate="deploys_to"),
        denied("preview", 5, predicate="deploys_to"),
    )

    assert statuses(folded) == [("staging", "active"), ("preview", "superseded")]
    assert (folded.groups[0].settled_by, folded.groups[0].winner) == ("user", 0)


def test_affirming_what_is_denied_on_the_same_day_is_a_question() -> None:
    folded = believe(denied("meat", predicate="eats"), said("meat", hour=1, predicate="eats"))

    assert live(folded) == ["not meat", "meat"]
    assert len(folded.groups) == 1


def test_affirming_what_was_denied_when_it_changed_takes_its_place() -> None:
    now = changed("meat", hour=1, predicate="eats")

    folded = believe(denied("meat", predicate="eats"), now)

    assert statuses(folded) == [("not meat", "superseded"), ("meat", "active")]
    assert relation(folded, now) == Relation.UPDATE


def test_denial_again_supports_the_denial() -> None:
    folded = believe(denied("meat", predicate="eats"), denied("meat", 20, predicate="eats"))

    assert [len(fact.claims) for fact in folded.facts] == [2]
    assert folded.facts[0].last_supported_at == on(20)


@pytest.mark.parametrize("valid_from", ["2024-02", "2023", "2024-03-01"])
def test_denial_dated_back_still_comes_after_what_it_denies(valid_from: str) -> None:
    folded = believe(
        said("Vercel", predicate="uses"), denied("Vercel", hour=5, predicate="uses", valid_from=valid_from)
    )

    assert statuses(folded) == [("Vercel", "superseded"), ("not Vercel", "active")]


def test_denial_that_was_over_before_the_fact_began_is_past() -> None:
    before = denied("sushi", 10, predicate="likes", valid_to="2020")

    folded = believe(said("sushi", predicate="likes"), before)

    assert live(folded) == ["sushi"]
    assert relation(folded, before) == Relation.PAST


def test_denial_that_tells_the_end_again_adds_nothing() -> None:
    ended = [denied("sushi", day, predicate="likes", valid_to="2024-04") for day in (61, 70)]

    folded = believe(said("sushi", predicate="likes"), *ended)

    assert [(f.object, f.status.value, f.valid_to) for f in folded.facts] == [("sushi", "superseded", "2024-04")]
    assert [relation(folded, claim) for claim in ended] == [Relation.DENIAL, Relation.DENIAL]


def test_denial_worth_keeping_stands_though_the_liking_was_known_to_be_over() -> None:
    folded = believe(said("sushi", predicate="likes", valid_to="2020"), denied("sushi", 10, predicate="likes"))

    assert statuses(folded) == [("sushi", "superseded"), ("not sushi", "active")]


def test_denial_that_it_ever_was_by_a_tool_leaves_the_users_word() -> None:
    folded = believe(
        said("Acme", predicate="works_at"), denied("Acme", 9, predicate="works_at", speech=CORRECTS, source="tool:hr")
    )

    assert live(folded) == ["Acme", "not Acme"]
