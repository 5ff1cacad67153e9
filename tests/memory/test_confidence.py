"""Confidence from evidence, and what time leaves of it."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st

from memory import confidence, policy
from memory.confidence import Evidence
from memory.types import Kind

THRESHOLDS = policy.default().thresholds
START = datetime(2024, 3, 1, 12, tzinfo=UTC)


def piece(day: float, *, episode: str = "", session: str = "", source: str = "user") -> Evidence:
    return Evidence(episode or f"e{day}", session, source, START + timedelta(days=day))


def sure(*evidence: Evidence, kind: str = "identity") -> float:
    return confidence.from_evidence(evidence, kind=kind, thresholds=THRESHOLDS)


@pytest.mark.parametrize(
    ("source", "born"),
    [("user", 0.90), ("tool:git", 0.85), ("imported:mem0", 0.75), ("inferred", 0.50)],
)
def test_from_evidence_single_piece_is_born_by_its_source(source: str, born: float) -> None:
    assert sure(piece(0, source=source)) == born


def test_from_evidence_is_born_by_the_best_source() -> None:
    assert sure(piece(0, source="imported:a"), piece(0, episode="x", source="user", session="s")) == 0.99


def test_from_evidence_further_episode_adds_a_step() -> None:
    assert sure(piece(0, source="imported:a"), piece(9, source="imported:b")) == pytest.approx(0.99)
    assert sure(piece(0, source="imported:a"), piece(9, episode="e0", source="imported:a")) == 0.75


def test_from_evidence_same_session_adds_little() -> None:
    first, again = piece(0, session="s", source="imported:a"), piece(1, session="s", source="imported:a")

    assert sure(first, again) == pytest.approx(0.77)


def test_from_evidence_without_session_is_another_occasion() -> None:
    assert sure(piece(0, source="imported:a"), piece(1, source="imported:a")) == pytest.approx(0.99)


def test_from_evidence_same_episode_again_adds_nothing() -> None:
    once = piece(0, episode="e", source="tool:git")

    assert sure(once, once, once) == sure(once)


def test_from_evidence_step_is_added_to_what_was_left() -> None:
    evidence = piece(0, source="imported:a"), piece(90, source="imported:a")

    assert sure(*evidence, kind="preference") == pytest.approx(0.75 * 0.5**0.5 + 0.25)


@pytest.mark.parametrize("session", ["", "s"])
@pytest.mark.parametrize("days", [800, 5000])
def test_from_evidence_restated_after_long_is_worth_what_it_was_when_new(days: float, session: str) -> None:
    evidence = piece(0, session=session), piece(days, session=session)

    assert sure(*evidence, kind="preference") == 0.90


def test_from_evidence_restated_after_long_by_a_weaker_source_is_worth_what_that_says() -> None:
    evidence = piece(0), piece(5000, source="inferred")

    assert sure(*evidence, kind="preference") == 0.50


@given(st.sampled_from([*Kind]), st.floats(0, 10_000), st.sampled_from(["user", "tool:x", "imported:y", "inferred"]))
def test_from_evidence_more_of_it_never_lapses_at_once(kind: Kind, days: float, source: str) -> None:
    last = piece(days, episode="new", source=source)

    value = sure(piece(0, episode="old"), last, kind=kind)

    at = confidence.fades_at(value, kind, last.at, THRESHOLDS)
    assert at is None or at > last.at


def test_from_evidence_never_reaches_certainty() -> None:
    assert sure(*(piece(day) for day in range(20))) == 0.99


def test_from_evidence_inference_alone_stays_under_its_cap() -> None:
    assert sure(*(piece(day, source="inferred") for day in range(20))) == 0.60


def test_from_evidence_stated_once_lifts_the_cap() -> None:
    assert sure(piece(0, source="inferred"), piece(1, source="user")) == 0.99
    assert sure(piece(0, source="inferred"), piece(1, source="tool:git")) == 0.99


evidences = st.lists(
    st.builds(
        Evidence,
        st.sampled_from("abcdef"),
        st.sampled_from(["", "s", "t"]),
        st.sampled_from(["user", "tool:x", "imported:y", "inferred"]),
        st.datetimes(datetime(2020, 1, 1), datetime(2025, 1, 1), timezones=st.just(UTC)),  # noqa: DTZ001
    ),
    min_size=1,
    max_size=8,
)


@given(evidences, st.sampled_from(Kind), st.randoms())
def test_from_evidence_any_order_is_the_same_number(evidence: list[Evidence], kind: Kind, random: object) -> None:
    shuffled = list(evidence)
    random.shuffle(shuffled)

    assert sure(*shuffled, kind=kind) == sure(*evidence, kind=kind)


@given(evidences, st.sampled_from(Kind))
def test_from_evidence_stays_in_range(evidence: list[Evidence], kind: Kind) -> None:
    number = sure(*evidence, kind=kind)

    assert 0 < number <= 0.99
    assert number <= 0.60 or any(e.source != "inferred" for e in evidence)


@pytest.mark.parametrize(("kind", "days"), THRESHOLDS.half_life_days.items())
def test_effective_after_a_half_life_is_half(kind: str, days: float) -> None:
    now = START + timedelta(days=days)

    assert confidence.effective(0.8, kind, START, now=now, thresholds=THRESHOLDS) == pytest.approx(0.4)


def test_effective_of_identity_is_whole_for_ever() -> None:
    now = START + timedelta(days=36500)

    assert confidence.effective(0.8, "identity", START, now=now, thresholds=THRESHOLDS) == 0.8


def test_effective_before_its_support_is_not_more_than_whole() -> None:
    now = START - timedelta(days=100)

    assert confidence.effective(0.8, "goal", START, now=now, thresholds=THRESHOLDS) == 0.8


@given(
    st.floats(0, 0.99),
    st.sampled_from(sorted(THRESHOLDS.half_life_days)),
    st.floats(0, 2000),
    st.floats(0, 2000),
)
def test_effective_only_falls_with_time(value: float, kind: str, one: float, other: float) -> None:
    early, late = sorted((one, other))

    def left(days: float) -> float:
        return confidence.effective(value, kind, START, now=START + timedelta(days=days), thresholds=THRESHOLDS)

    assert 0 <= left(late) <= left(early) <= value


@given(st.floats(0.31, 0.99), st.sampled_from(sorted(THRESHOLDS.half_life_days)))
def test_fades_at_is_when_the_floor_is_reached(value: float, kind: str) -> None:
    at = confidence.fades_at(value, kind, START, THRESHOLDS)

    assert at is not None
    assert confidence.effective(value, kind, START, now=at, thresholds=THRESHOLDS) == pytest.approx(0.30)


def test_fades_at_of_what_never_fades_is_never() -> None:
    assert confidence.fades_at(0.9, "identity", START, THRESHOLDS) is None


def test_fades_at_below_the_floor_is_at_once() -> None:
    assert confidence.fades_at(0.2, "identity", START, THRESHOLDS) == START
    assert confidence.fades_at(0.0, "goal", START, THRESHOLDS) == START


def test_fades_at_beyond_the_calendar_is_never() -> None:
    endless = replace(THRESHOLDS, half_life_days={"goal": 1e9})

    assert confidence.fades_at(0.9, "goal", START, endless) is None


def test_fades_at_without_a_floor_is_never() -> None:
    assert confidence.fades_at(0.9, "goal", START, replace(THRESHOLDS, min_confidence=0.0)) is None


AGES = [-3, 0, 0.5, 14, 90, 180.25, 365, 4000]


@pytest.mark.parametrize("kind", list(Kind))
def test_effective_in_sql_and_python_agree(db: None, kind: Kind) -> None:
    facts = [(0.77, START - timedelta(days=age)) for age in AGES]
    sql, values = confidence.effective_sql(THRESHOLDS, now=START, table="fact")

    with connection.cursor() as cursor:
        rows = "SELECT * FROM unnest(%(c)s::float8[], %(l)s::timestamptz[]) WITH ORDINALITY"
        cursor.execute(
            f"SELECT {sql} FROM (SELECT confidence, last_supported_at, n, %(k)s AS kind"
            f" FROM ({rows}) AS row (confidence, last_supported_at, n)) AS fact ORDER BY n",
            {"c": [c for c, _ in facts], "l": [at for _, at in facts], "k": kind.value, **values},
        )
        computed = [row[0] for row in cursor.fetchall()]

    expected = [confidence.effective(c, kind, at, now=START, thresholds=THRESHOLDS) for c, at in facts]
    assert computed == pytest.approx(expected, rel=1e-12)


def test_effective_expression_compiles_to_the_formula_of_the_sql(db: None) -> None:
    from memory.models import Fact  # noqa: PLC0415 - models want the settings

    query = Fact.objects.annotate(left=confidence.effective_expression(THRESHOLDS, now=START)).filter(left__gte=0.4)
    sql, values = query.query.sql_with_params()
    formula, named = confidence.effective_sql(THRESHOLDS, now=START)

    assert sql.replace('"', "").count(formula % dict.fromkeys(named, "%s")) == 2
    assert values == (*named.values(), *named.values(), 0.4)
    assert list(query) == []
