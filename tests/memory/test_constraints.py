"""Each named constraint refuses what it should, and only that."""

import math
from typing import Any

import pytest
from django.db import IntegrityError, connection, models
from django.db.models import F, Q

from memory import scope
from memory.models import Candidate, Entity, Episode, Fact, Job, User
from memory.models.candidates import WORDS
from memory.types import TEXTLESS
from tests import isolation
from tests.memory.conftest import Filled

pytestmark = pytest.mark.django_db

KNOWN = {
    constraint.name: (model, constraint)
    for model in [User, *isolation.content_models()]
    for constraint in model._meta.constraints
    if not (isinstance(constraint, models.UniqueConstraint) and constraint.fields == ("user", "id"))
}
"""By name, but for those that only serve as targets of the composite keys."""

EMPTY = dict.fromkeys(WORDS, "")
TEXTLESS_ROW = {"verdict": "refused", "fact": None, "digest": "5e", **EMPTY}

BROKEN: list[tuple[str, dict[str, Any]]] = [
    ("candidate_basis_is_known", {"basis": "guessed"}),
    ("candidate_kind_is_known", {"kind": "hunch"}),
    ("candidate_polarity_is_known", {"polarity": "doubts"}),
    ("candidate_speech_is_known", {"speech": "sings"}),
    ("candidate_verdict_is_known", {"verdict": "maybe"}),
    ("candidate_verdict_is_known", {"verdict": ""}),
    ("candidate_refused_has_reason", {"verdict": "refused", "fact": None, "reason": ""}),
    ("candidate_refused_has_reason", {"verdict": "refused", "fact": None, "reason": "dislike"}),
    ("candidate_refused_supports_nothing", {"verdict": "refused", "reason": "hedged"}),
    *[
        ("candidate_secret_keeps_no_text", {**TEXTLESS_ROW, "reason": reason.value, column: "hunter2"})
        for reason in TEXTLESS
        for column in EMPTY
    ],
    *[("candidate_secret_keeps_no_text", {**TEXTLESS_ROW, "reason": r.value, "digest": ""}) for r in TEXTLESS],
    ("correction_verdict_is_known", {"verdict": "maybe"}),
    ("derivation_is_from_another", {"base": F("fact")}),
    ("episode_read_within_turns", {"read_turns": F("turn_count") + 1}),
    ("episode_state_is_known", {"state": "lost"}),
    ("fact_basis_is_known", {"basis": ""}),
    ("fact_confidence_in_range", {"confidence": 1.0}),
    ("fact_confidence_in_range", {"confidence": -0.01}),
    ("fact_confidence_in_range", {"confidence": math.nan}),
    ("fact_confidence_in_range", {"confidence": math.inf}),
    ("fact_embedding_names_its_model", {"embedding_model": ""}),
    ("fact_is_not_its_own_successor", {"superseded_by": F("id")}),
    ("fact_kind_is_known", {"kind": "hunch"}),
    ("fact_polarity_is_known", {"polarity": "doubts"}),
    ("fact_live_has_no_successor", {"status": "active"}),
    ("fact_live_has_no_successor", {"status": "conflicted"}),
    ("fact_status_is_known", {"status": "believed"}),
    ("job_running_has_lease", {"state": "running", "lease_until": None}),
    ("job_state_is_known", {"state": "asleep"}),
    ("resolution_relation_is_known", {"relation": "cousin"}),
    ("ruling_verb_is_known", {"verb": "shrug"}),
    ("turn_embedding_names_its_model", {"embedding_model": ""}),
    ("turn_role_is_known", {"role": "narrator"}),
    ("user_access_is_known", {"access": "owner"}),
]

# What both rows must be for the constraint to look at them.
ALIKE: dict[str, dict[str, Any]] = {
    "alias_means_one_entity": {},
    "conflict_side_stands_once": {},
    "correction_is_one_open_per_fact": {"undone_at": None},
    "derivation_is_told_once": {},
    "dismissal_stands_once": {},
    "entity_is_told_apart": {},
    "entity_owner_is_one_per_user": {"is_owner": True},
    "episode_id_is_unique_per_user": {},
    "erasure_marks_a_claim_once": {},
    "fact_one_live_per_one_valued_key": {"status": "active", "is_exclusive": True, "superseded_by": None},
    "gateaudit_is_one_per_refusal": {},
    "pair_is_judged_once": {},
    "resolution_is_one_per_claim": {},
    "rule_topic_stands_once": {},
    "transferchunk_has_its_place": {},
    "turn_place_is_taken_once": {},
}


def _change(owner: Filled, row: models.Model, changes: dict[str, Any]) -> None:
    """Inside a scope of its own, with what is checked at commit checked at once."""
    whose = scope.staff() if isinstance(row, User) else scope.user(owner.user.pk)  # nobody may raise their own access
    with whose, connection.cursor() as cursor:
        found = type(row)._default_manager.filter(pk=row.pk).update(**changes)
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    assert found == 1


def _row(owner: Filled, model: type[models.Model], place: int = -1) -> models.Model:
    return owner.user if model is User else owner.rows[model][place]


def _violated(error: pytest.ExceptionInfo[IntegrityError]) -> str:
    return str(error.value.__cause__.diag.constraint_name)  # type: ignore[union-attr]


def _shared(name: str, row: models.Model) -> dict[str, Any]:
    """The values of a row that a constraint compares."""
    return {field: getattr(row, field) for field in KNOWN[name][1].fields if field != "user"}  # type: ignore[attr-defined]


def test_constraints_all_have_a_case_here() -> None:
    assert {*KNOWN} == {name for name, _ in BROKEN} | {*ALIKE} | {"job_is_one_per_user"}


@pytest.mark.parametrize(("name", "changes"), BROKEN)
def test_constraint_refuses(own: Filled, name: str, changes: dict[str, Any]) -> None:
    with pytest.raises(IntegrityError) as refused:
        _change(own, _row(own, KNOWN[name][0]), changes)

    assert _violated(refused) == name


@pytest.mark.parametrize("name", ALIKE)
def test_constraint_refuses_a_second(own: Filled, name: str) -> None:
    first, second = (_row(own, KNOWN[name][0], place) for place in (0, 1))
    if ALIKE[name]:
        _change(own, first, ALIKE[name])

    with pytest.raises(IntegrityError) as refused:
        _change(own, second, ALIKE[name] | _shared(name, first))

    assert _violated(refused) == name


def test_job_a_second_of_one_user_is_refused(own: Filled) -> None:
    with pytest.raises(IntegrityError) as refused, scope.user(own.user.pk):
        Job.objects.create(user=own.user, run_after=own.rows[Job][0].run_after)

    assert _violated(refused) == "job_is_one_per_user"


@pytest.mark.parametrize(
    "name",
    [
        "alias_means_one_entity",
        "entity_is_told_apart",
        "episode_id_is_unique_per_user",
        "erasure_marks_a_claim_once",
        "rule_topic_stands_once",
    ],
)
def test_constraint_lets_two_users_have_the_same(own: Filled, strange: Filled, name: str) -> None:
    model = KNOWN[name][0]
    same = _shared(name, _row(strange, model))

    _change(own, _row(own, model), same)

    with scope.staff():
        assert model._default_manager.filter(Q(**same)).count() == 2


@pytest.mark.parametrize(
    ("status", "is_exclusive"),
    [("conflicted", True), ("superseded", True), ("retracted", True), ("lapsed", True), ("active", False)],
)
def test_facts_on_one_key_that_are_not_both_the_one_live_value_stand(
    own: Filled, *, status: str, is_exclusive: bool
) -> None:
    first, second = own.rows[Fact]
    _change(own, first, {"status": "active", "is_exclusive": True})

    _change(
        own,
        second,
        {
            "entity": first.entity,
            "predicate": first.predicate,
            "status": status,
            "is_exclusive": is_exclusive,
            "superseded_by": None,
        },
    )


@pytest.mark.parametrize(
    ("model", "changes"),
    [
        (Candidate, {**TEXTLESS_ROW, "reason": "secret"}),
        (Candidate, {"verdict": "refused", "fact": None, "reason": "hedged"}),
        (Candidate, {"verdict": "held", "reason": "", "fact": None}),
        (Entity, {"is_owner": True}),
        (Episode, {"read_turns": F("turn_count")}),
        (Fact, {"confidence": 0.99}),
        (Fact, {"confidence": 0.0}),
        (Fact, {"status": "active", "superseded_by": None}),
        (Fact, {"embedding": None, "embedding_model": ""}),
        (Job, {"state": "waiting", "lease_until": None}),
    ],
)
def test_constraints_let_pass(own: Filled, model: type[models.Model], changes: dict[str, Any]) -> None:
    _change(own, _row(own, model), changes)
