"""What holds of every fold, whatever was said."""

from dataclasses import replace
from datetime import date
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory.types import LIVE, Basis, Claim, Folded, Polarity, Ruling, Speech, Status, Verb
from tests.memory.resolver.telling import POLICY, believe, on, said

PREDICATES = {
    "lives_in": ["Oslo", "Bergen", "Oslo, Norway", "Trondheim"],
    "database": ["Postgres", "Postgres 16 on Neon", "MySQL", "PostgreSQL"],
    "likes": ["sushi", "tea", "C", "C++"],
    "uses": ["Vercel", "Fly", "Vercel for hobby projects"],
    "weight": ["80 kg", "79 kg"],
    "visits": ["Rome", "Paris"],
    "frobs": ["a", "b", "a b"],
    "": ["x"],
}
ENDS = [None, None, None, "2024-02", "2023", "2024-03-20", "2024-12"]


@st.composite
def claims_on(draw: st.DrawFn, predicate: str) -> list[Claim]:
    count = draw(st.integers(1, 8))
    return [draw(_claim(predicate, number)) for number in range(1, count + 1)]


@st.composite
def _claim(draw: st.DrawFn, predicate: str, number: int) -> Claim:
    source = draw(st.sampled_from(["user", "user", "user", "tool:git", "imported:mem0", "inferred"]))
    basis = Basis.INFERRED if source == "inferred" else Basis.STATED
    day = draw(st.integers(0, 40)) + draw(st.sampled_from([0, 0.01, 0.3]))
    episode = draw(st.integers(1, 6))
    return said(
        draw(st.sampled_from(PREDICATES[predicate])),
        day,
        predicate=predicate,
        id=number,
        text=draw(st.sampled_from(["One thing", "Another thing", "A third thing"])),
        episode=episode,
        session=draw(st.sampled_from(["s", "t", ""])),
        source=source,
        basis=basis,
        polarity=draw(st.sampled_from([Polarity.AFFIRMS, Polarity.AFFIRMS, Polarity.DENIES])),
        speech=draw(st.sampled_from([Speech.STATES, Speech.STATES, Speech.CHANGES, Speech.CORRECTS])),
        valid_from=draw(st.sampled_from([None, None, "2019", "2024-03", "2024-03-05"])),
        valid_to=draw(st.sampled_from(ENDS)),
        expires_on=draw(st.sampled_from([None, None, None, date(2024, 3, 15)])),
        corrects=draw(st.sampled_from([None, None, 1, 2, 99])),
        order=(f"e{episode}", 1, number, ""),
    )


@st.composite
def _ruling(draw: st.DrawFn, number: int, claims: list[Claim]) -> Ruling:
    about = draw(st.sets(st.sampled_from([claim.id for claim in claims]), min_size=1, max_size=2))
    verb, by = draw(st.sampled_from(Verb)), draw(st.sampled_from(["member", "reviewer"]))
    return Ruling(1000 + number, verb, frozenset(about), on(draw(st.integers(0, 60))), by)


@st.composite
def keys(draw: st.DrawFn) -> tuple[list[Claim], list[Ruling]]:
    claims = draw(claims_on(draw(st.sampled_from(sorted(PREDICATES)))))
    rulings = [draw(_ruling(number, claims)) for number in range(draw(st.integers(0, 3)))]
    return claims, rulings


every_key = settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@every_key
@given(keys(), st.integers())
def test_fold_any_order_of_arrival_is_the_same(key: tuple[list[Claim], list[Ruling]], seed: int) -> None:
    claims, rulings = key
    shuffled, ruled = list(claims), list(rulings)
    Random(seed).shuffle(shuffled)
    Random(seed).shuffle(ruled)

    assert believe(*shuffled, rulings=ruled) == believe(*claims, rulings=rulings)


@every_key
@given(keys())
def test_fold_other_ids_are_the_same_belief(key: tuple[list[Claim], list[Ruling]]) -> None:
    claims, rulings = key
    other = {claim.id: 500 - claim.id for claim in claims}
    renamed = [replace(c, id=other[c.id], corrects=other.get(c.corrects or 0, c.corrects)) for c in claims]
    moved = [replace(r, claims=frozenset(other[c] for c in r.claims)) for r in rulings]

    assert _named(believe(*renamed, rulings=moved), {}) == _named(believe(*claims, rulings=rulings), other)


def _named(folded: Folded, names: dict[int, int]) -> Folded:
    """The fold with its claims called by other ids."""
    return replace(
        folded,
        facts=tuple(replace(f, claims=tuple(names.get(c, c) for c in f.claims)) for f in folded.facts),
        decisions=tuple(replace(d, claim=names.get(d.claim, d.claim)) for d in folded.decisions),
        held=tuple(names.get(c, c) for c in folded.held),
        unsupported=tuple(names.get(c, c) for c in folded.unsupported),
        undecided=tuple(
            replace(p, known=names.get(p.known, p.known), new=names.get(p.new, p.new)) for p in folded.undecided
        ),
    )


@every_key
@given(keys())
def test_fold_every_claim_is_accounted_for_once(key: tuple[list[Claim], list[Ruling]]) -> None:
    claims, rulings = key

    folded = believe(*claims, rulings=rulings)

    decided = [decision.claim for decision in folded.decisions]
    assert sorted([*decided, *folded.held, *folded.unsupported]) == sorted(claim.id for claim in claims)
    evidence = [claim for fact in folded.facts for claim in fact.claims]
    assert len(evidence) == len(set(evidence))
    assert all(d.fact is None or d.claim in folded.facts[d.fact].claims for d in folded.decisions)
    assert all(fact.claims for fact in folded.facts)


@every_key
@given(keys())
def test_fold_one_valued_key_has_one_undisputed_value(key: tuple[list[Claim], list[Ruling]]) -> None:
    claims, rulings = [replace(claim, text="One thing") for claim in key[0]], key[1]

    folded = believe(*claims, rulings=[r for r in rulings if r.verb != Verb.BOTH])

    exclusive = [fact for fact in folded.facts if fact.is_exclusive]
    assert len(exclusive) <= 1
    if claims[0].predicate in {"lives_in", "database"}:
        standing = [f for f in folded.facts if f.status == Status.ACTIVE and f.expires_on is None]
        assert [f for f in standing if f.polarity == Polarity.AFFIRMS] == exclusive
        disputed = [f for f in folded.facts if f.status == Status.CONFLICTED and f.expires_on is None]
        assert not (exclusive and any(f.polarity == Polarity.AFFIRMS for f in disputed))


@every_key
@given(keys())
def test_fold_the_same_is_never_believed_and_denied_undisputed(key: tuple[list[Claim], list[Ruling]]) -> None:
    claims, rulings = key

    folded = believe(*claims, rulings=[r for r in rulings if r.verb != Verb.BOTH])

    active = [f for f in folded.facts if f.status == Status.ACTIVE and f.expires_on is None and claims[0].predicate]
    affirmed = {f.object_key for f in active if f.polarity == Polarity.AFFIRMS}
    denied = {f.object_key for f in active if f.polarity == Polarity.DENIES}
    if claims[0].predicate != "weight":
        assert affirmed & denied == set()


@every_key
@given(keys())
def test_fold_lineage_is_whole_and_runs_forward(key: tuple[list[Claim], list[Ruling]]) -> None:
    claims, rulings = key

    folded = believe(*claims, rulings=rulings)

    for number, fact in enumerate(folded.facts):
        if fact.status in LIVE:
            assert fact.superseded_by is None
        if fact.status == Status.SUPERSEDED:
            assert fact.valid_to is not None
            assert fact.status_reason != ""
        seen = {number}
        while fact.superseded_by is not None:
            assert fact.superseded_by not in seen
            seen.add(fact.superseded_by)
            fact = folded.facts[fact.superseded_by]  # noqa: PLW2901 - walks the lineage


@every_key
@given(keys())
def test_fold_open_groups_are_the_disputed_facts(key: tuple[list[Claim], list[Ruling]]) -> None:
    claims, rulings = key

    folded = believe(*claims, rulings=rulings)

    for number, group in enumerate(folded.groups):
        disputed = {n for n, fact in enumerate(folded.facts) if fact.conflict == number}
        assert (len(disputed) >= 2) == (group.settled_by == "")
        assert disputed <= set(group.sides)
        assert group.winner is None or group.winner in group.sides
        assert group.settled_by in {"", "user", "member", "reviewer", "policy"}
    assert all((f.status == Status.CONFLICTED) == (f.conflict is not None) for f in folded.facts)


@every_key
@given(keys())
def test_fold_confidence_keeps_its_bounds(key: tuple[list[Claim], list[Ruling]]) -> None:
    claims, rulings = key
    confirmed = {claim for r in rulings if r.verb == Verb.CONFIRM and r.by == "member" for claim in r.claims}

    folded = believe(*claims, rulings=rulings)

    for fact in folded.facts:
        assert 0 <= fact.confidence <= POLICY.thresholds.max_confidence
        if fact.basis == Basis.INFERRED and not confirmed & set(fact.claims):
            assert fact.confidence <= POLICY.thresholds.inferred_cap


@every_key
@given(keys(), st.data())
def test_fold_claim_repeated_in_its_episode_changes_no_belief(
    key: tuple[list[Claim], list[Ruling]], data: st.DataObject
) -> None:
    claims = [replace(claim, speech=Speech.STATES, corrects=None) for claim in key[0]]
    twice = data.draw(st.sampled_from(claims))
    again = replace(twice, id=999, order=(*twice.order[:3], "again"))

    once, repeated = believe(*claims), believe(*claims, again)

    assert [_belief(fact) for fact in repeated.facts] == [_belief(fact) for fact in once.facts]


def _belief(fact: object) -> object:
    return replace(fact, claims=(), text="")


@pytest.mark.parametrize("predicate", sorted(PREDICATES))
def test_fold_nothing_under_any_key_believes_nothing(predicate: str) -> None:
    assert believe() == Folded()
    assert [f.status for f in believe(said("x", predicate=predicate)).facts] == [Status.ACTIVE]


def test_fold_claims_of_two_keys_is_refused() -> None:
    with pytest.raises(ValueError, match=r"several keys.*\['database', 'lives_in'\]"):
        believe(said("Oslo"), said("Postgres", predicate="database"))


@pytest.mark.parametrize("predicate", ["weight", "likes", "lives_in", "frobs"])
@pytest.mark.timeout(90)
def test_fold_thousands_of_claims_takes_seconds(predicate: str) -> None:
    claims = [said(f"{n % 700} kg", n * 0.3, predicate=predicate) for n in range(2000)]

    assert len(believe(*claims).decisions) == 2000
