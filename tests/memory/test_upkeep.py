"""What time does: facts that fade, end or are too many lapse, once, and come back when there is reason to."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from pytest_django import Settings

from memory import clock, forgetting, policies, policy, scope, upkeep
from memory.models import Candidate, Conflict, Fact, History, User
from memory.policy import Policy
from tests import working
from tests.factories import make_conflict, make_episode, make_fact, make_user

pytestmark = pytest.mark.django_db

NOW = datetime(2027, 3, 10, 12, tzinfo=UTC)
PAST, FUTURE = NOW - timedelta(days=1), NOW + timedelta(days=1)


@pytest.fixture(autouse=True)
def _now(settings: Settings) -> None:
    settings.ASSAY_NOW = NOW


@pytest.fixture
def user() -> User:
    return make_user()


def nightly(user: User, of: Policy) -> int:
    return upkeep.run(of)


def at_the_end_of_a_job(user: User, of: Policy) -> int:
    with scope.user(user.pk):
        return upkeep.lapse_one(of, user.pk, today=clock.now().date())


both_ways = pytest.mark.parametrize("run", [nightly, at_the_end_of_a_job], ids=["nightly", "job"])
type Run = Callable[[User, Policy], int]


def now(fact: Fact) -> tuple[str, str]:
    with scope.staff():
        return Fact.objects.values_list("status", "status_reason").get(pk=fact.pk)


def lapse(user: User, run: Run = nightly, **thresholds: Any) -> int:
    return run(user, policy.build(1, {"thresholds": thresholds}))


@both_ways
def test_fact_below_the_floor_lapses(user: User, run: Run) -> None:
    faded, lasting = make_fact(user, fades_at=PAST), make_fact(user, "Likes tea.", fades_at=FUTURE)

    changed = lapse(user, run)

    assert (changed, now(faded), now(lasting)) == (1, ("lapsed", "faded"), ("active", ""))


@both_ways
def test_second_run_changes_nothing(user: User, run: Run) -> None:
    make_fact(user, fades_at=PAST)
    for n in range(3):
        make_fact(user, f"Likes tea {n}.", predicate="likes")

    assert [lapse(user, run, ceiling=2) for _ in range(3)] == [2, 0, 0]


@both_ways
def test_lapse_writes_no_confidence(user: User, run: Run) -> None:
    fact = make_fact(user, fades_at=PAST)

    lapse(user, run)

    with scope.user(user.pk):
        assert Fact.objects.get(pk=fact.pk).confidence == 0.9


@both_ways
def test_lapse_is_in_the_history(user: User, run: Run) -> None:
    fact = make_fact(user, fades_at=PAST)

    lapse(user, run)

    with scope.user(user.pk):
        assert list(History.objects.values_list("actor", "action", "row")) == [("upkeep", "lapse", fact.pk)]


@both_ways
@pytest.mark.parametrize("kept", [{"is_pinned": True}, {"is_confirmed": True}])
def test_what_people_hold_fast_does_not_fade(user: User, run: Run, kept: dict[str, bool]) -> None:
    fact = make_fact(user, fades_at=PAST, **kept)

    lapse(user, run)

    assert now(fact) == ("active", "")


@both_ways
def test_what_people_hold_fast_still_ends(user: User, run: Run) -> None:
    fact = make_fact(user, expires_on=date(2027, 3, 1), is_pinned=True)

    lapse(user, run)

    assert now(fact) == ("lapsed", "expired")


@pytest.mark.parametrize(
    ("zone", "at", "status"),
    [
        ("Pacific/Auckland", datetime(2027, 3, 10, 12, tzinfo=UTC), "lapsed"),  # there it is the 11th
        ("America/New_York", datetime(2027, 3, 11, 2, tzinfo=UTC), "active"),  # there it is still the 10th
        ("America/New_York", datetime(2027, 3, 11, 6, tzinfo=UTC), "lapsed"),
        ("no/such_zone", datetime(2027, 3, 11, 0, tzinfo=UTC), "lapsed"),
    ],
)
def test_last_day_is_the_users_own(settings: Settings, zone: str, at: datetime, status: str) -> None:
    settings.ASSAY_NOW = at
    user = make_user(time_zone=zone)
    fact = make_fact(user, expires_on=date(2027, 3, 10))

    lapse(user)

    assert now(fact)[0] == status


# The ceiling --------------------------------------------------------------------------------


@both_ways
def test_weakest_beyond_the_ceiling_lapse(user: User, run: Run) -> None:
    facts = [make_fact(user, f"Likes tea {n}.", predicate="likes", confidence=0.5 + n / 10) for n in range(4)]

    lapse(user, run, ceiling=2)

    assert [now(fact)[0] for fact in facts] == ["lapsed", "lapsed", "active", "active"]
    assert now(facts[0])[1] == "over the ceiling"


@both_ways
def test_what_people_hold_fast_goes_last(user: User, run: Run) -> None:
    weak = make_fact(user, confidence=0.4, is_pinned=True)
    strong = [make_fact(user, f"Likes tea {n}.", predicate="likes") for n in range(2)]

    lapse(user, run, ceiling=2)

    assert (now(weak)[0], sorted(now(fact)[0] for fact in strong)) == ("active", ["active", "lapsed"])


@both_ways
def test_strongest_come_back_when_there_is_room(user: User, run: Run) -> None:
    facts = [make_fact(user, f"Likes tea {n}.", predicate="likes", confidence=0.5 + n / 10) for n in range(4)]
    lapse(user, run, ceiling=2)
    with scope.user(user.pk):
        Fact.objects.filter(pk=facts[3].pk).update(status="retracted")

    lapse(user, run, ceiling=2)

    assert [now(fact)[0] for fact in facts] == ["lapsed", "active", "active", "retracted"]


@both_ways
def test_ceiling_that_is_lifted_lets_all_be(user: User, run: Run) -> None:
    facts = [make_fact(user, f"Likes tea {n}.", predicate="likes") for n in range(4)]

    lapse(user, run, ceiling=None)

    assert {now(fact)[0] for fact in facts} == {"active"}


def test_ceiling_is_one_users_own() -> None:
    facts = [make_fact(make_user()) for _ in range(3)]

    upkeep.run(policy.build(1, {"thresholds": {"ceiling": 1}}))

    assert {now(fact)[0] for fact in facts} == {"active"}


# Conflicts ----------------------------------------------------------------------------------


def sides(user: User, **second: Any) -> tuple[Fact, Fact]:
    pair = make_fact(user, fades_at=PAST), make_fact(user, "Lives in Bergen.", **{"fades_at": PAST} | second)
    make_conflict(user, *pair)
    return pair


@both_ways
def test_sides_that_have_all_faded_lapse_together(user: User, run: Run) -> None:
    pair = sides(user)

    lapse(user, run)

    assert [now(side) for side in pair] == [("lapsed", "faded")] * 2
    with scope.user(user.pk):
        assert not Conflict.objects.open().exists()


@both_ways
@pytest.mark.parametrize(
    "second", [{"fades_at": FUTURE}, {"fades_at": None}, {"is_pinned": True}, {"is_confirmed": True}]
)
def test_sides_lapse_only_together(user: User, run: Run, second: dict[str, Any]) -> None:
    pair = sides(user, **second)

    lapse(user, run)

    assert [now(side)[0] for side in pair] == ["conflicted"] * 2


def test_new_support_of_one_side_revives_the_question(user: User) -> None:
    long_ago = NOW - timedelta(days=700)
    say(user, "I live in Oslo.", long_ago)
    say(user, "I live in Bergen.", long_ago + timedelta(minutes=1))
    assert working.facts(user) == [("I live in Oslo.", "lapsed"), ("I live in Bergen.", "lapsed")]

    say(user, "I live in Oslo.", long_ago + timedelta(minutes=2), basis="inferred")
    say(user, "I live in Oslo.", NOW, basis="inferred")

    assert working.facts(user) == [("I live in Oslo.", "conflicted"), ("I live in Bergen.", "conflicted")]


# Held and revived ---------------------------------------------------------------------------


def say(user: User, text: str, at: datetime, **fields: Any) -> None:
    make_episode(user, text, occurred_at=at)
    working.work(user, working.echo(**fields))


@both_ways
@pytest.mark.parametrize(("days", "verdict"), [(89, "held"), (91, "lapsed")])
def test_held_claim_gives_up_after_its_time(user: User, run: Run, days: int, verdict: str) -> None:
    say(user, "I live in Oslo.", NOW - timedelta(days=10), basis="inferred")
    with scope.user(user.pk):
        Candidate.objects.update(said_at=NOW - timedelta(days=days))
    make_fact(user)

    lapse(user, run)

    assert ("I live in Oslo.", verdict) in working.candidates(user)


def test_lapsed_fact_is_revived_by_new_support(user: User) -> None:
    say(user, "I live in Oslo.", NOW - timedelta(days=700))
    assert working.facts(user) == [("I live in Oslo.", "lapsed")]

    say(user, "I live in Oslo.", NOW)

    assert working.facts(user) == [("I live in Oslo.", "active")]


def test_lapsed_fact_stays_so_when_its_key_is_folded_anew(user: User) -> None:
    say(user, "I like tea.", NOW - timedelta(days=3000), predicate="likes")

    say(user, "I like jam.", NOW, predicate="likes")

    assert working.facts(user) == [("I like tea.", "lapsed"), ("I like jam.", "active")]


def test_very_old_fact_is_worth_nothing_and_breaks_nothing(user: User) -> None:
    facts = [
        make_fact(
            user,
            f"Eats jam {n}.",
            predicate="eats",
            kind="temporary",
            last_supported_at=datetime(1900, 1, 1, tzinfo=UTC),
        )
        for n in range(2)
    ]

    lapse(user, ceiling=1)

    assert sorted(now(fact)[0] for fact in facts) == ["active", "lapsed"]


def test_pass_over_some_users_leaves_the_others(user: User) -> None:
    mine, other = make_fact(user, fades_at=PAST), make_fact(make_user(), fades_at=PAST)

    upkeep.run(policies.current(), [user.pk])

    assert (now(mine)[0], now(other)[0]) == ("lapsed", "active")


def test_pass_reaches_everybody_however_many_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upkeep, "USERS_AT_ONCE", 2)
    facts = [make_fact(make_user(), fades_at=PAST) for _ in range(5)]

    changed = upkeep.run(policies.current())

    assert (changed, {now(fact)[0] for fact in facts}) == (5, {"lapsed"})


def test_faded_fact_that_is_restored_stays(user: User) -> None:
    said = datetime(2020, 1, 1, tzinfo=UTC)
    say(user, "I like tea.", said)
    nightly(user, policy.default())
    with scope.user(user.pk):
        (faded,) = Fact.objects.all()
        forgetting.restore(user.pk, [faded.pk], actor=user)

    nightly(user, policy.default())

    assert (faded.status, now(faded), faded.is_confirmed) == ("lapsed", ("active", ""), False)


def test_fact_whose_end_has_passed_is_not_restored(user: User, settings: Settings) -> None:
    say(user, "I like tea.", NOW, expires_on=str(NOW.date() + timedelta(days=1)))
    settings.ASSAY_NOW = NOW + timedelta(days=5)
    nightly(user, policy.default())
    with scope.user(user.pk):
        (ended,) = Fact.objects.all()
        forgetting.restore(user.pk, [ended.pk], actor=user)

    assert (ended.status, now(ended)) == ("lapsed", ("lapsed", "expired"))
