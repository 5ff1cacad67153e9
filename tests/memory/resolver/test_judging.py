"""Rule 9: where no rule can tell, a judge is asked, and without one nothing is lost."""

import pytest

from memory.types import Judged, Pair, Relation
from tests.memory.resolver.telling import believe, changed, denied, live, relation, said, statuses


def frobs(obj: str, day: float = 0, **fields: object):  # noqa: ANN201 - as `said`
    return said(obj, day, predicate="frobs", **fields)


@pytest.mark.parametrize(
    ("one", "other"), [("red", "blue"), ("über", "unter"), ("да", "нет"), ("15", "16"), ("a", "a b")]
)
def test_unknown_predicate_without_judge_keeps_both_unjudged(one: str, other: str) -> None:
    known, new = frobs(one), frobs(other, 30)

    folded = believe(known, new)

    assert [(f.object, f.status.value, f.is_unjudged) for f in folded.facts] == [
        (one, "active", True),
        (other, "active", True),
    ]
    assert folded.undecided == (Pair(known.id, new.id),)
    assert relation(folded, new) == Relation.COMPATIBLE


def test_unknown_predicate_same_object_needs_no_judge() -> None:
    folded = believe(frobs("red"), frobs("Red", 3))

    assert [(len(f.claims), f.is_unjudged) for f in folded.facts] == [(2, False)]
    assert folded.undecided == ()


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (Judged.DUPLICATE, [("red", "active")]),
        (Judged.REFINEMENT, [("red", "superseded"), ("scarlet", "active")]),
        (Judged.UPDATE, [("red", "superseded"), ("scarlet", "active")]),
        (Judged.CONFLICT, [("red", "conflicted"), ("scarlet", "conflicted")]),
        (Judged.COMPATIBLE, [("red", "active"), ("scarlet", "active")]),
    ],
)
def test_unknown_predicate_is_as_the_judge_says(answer: Judged, expected: list[tuple[str, str]]) -> None:
    known, new = frobs("red"), frobs("scarlet", 30)

    folded = believe(known, new, judged={Pair(known.id, new.id): answer})

    assert statuses(folded) == expected
    assert (folded.undecided, [f.is_unjudged for f in folded.facts if f.is_unjudged]) == ((), [])


@pytest.mark.parametrize(
    ("one", "other"),
    [("room 101", "room 102"), ("15 October", "16 October"), ("1.5 mg", "15 mg"), ("9:30", "10:30"), ("v2", "v3")],
)
def test_judge_cannot_make_one_of_different_numbers(one: str, other: str) -> None:
    known, new = frobs(one), frobs(other, 30)

    folded = believe(known, new, judged={Pair(known.id, new.id): Judged.DUPLICATE})

    assert live(folded) == [one, other]


def test_judged_update_still_has_to_be_newer_and_trusted() -> None:
    known, soon, tool = frobs("red"), frobs("blue", hour=1), frobs("blue", 30, source="tool:x")

    at_once = believe(known, soon, judged={Pair(known.id, soon.id): Judged.UPDATE})
    lesser = believe(known, tool, judged={Pair(known.id, tool.id): Judged.UPDATE})

    assert statuses(at_once) == [("red", "conflicted"), ("blue", "conflicted")]
    assert statuses(lesser) == [("red", "conflicted"), ("blue", "conflicted")]


def test_judge_is_asked_about_the_likest_few() -> None:
    known = [frobs(f"thing number {n} of its own kind {n}", n) for n in range(10)]
    new = frobs("thing number 4 of its own kind", 60)

    asked = [pair for pair in believe(*known, new).undecided if pair.new == new.id]

    assert len(asked) == 3
    assert asked[0].known == known[4].id


def test_one_valued_containment_judged_compatible_stands_beside() -> None:
    known, new = said("Uber", predicate="works_at"), said("Uber Eats", 30, predicate="works_at")

    folded = believe(known, new, judged={Pair(known.id, new.id): Judged.COMPATIBLE})

    assert live(folded) == ["Uber", "Uber Eats"]
    assert [f.is_exclusive for f in folded.facts] == [False, False]


def test_one_valued_containment_judged_duplicate_supports() -> None:
    known, new = said("Acme", predicate="works_at"), said("Acme Holding", 30, predicate="works_at")

    folded = believe(known, new, judged={Pair(known.id, new.id): Judged.DUPLICATE})

    assert [len(f.claims) for f in folded.facts] == [2]


def test_one_valued_without_containment_is_no_judges_business() -> None:
    known, new = said("Oslo"), said("Bergen", 30)

    folded = believe(known, new, judged={Pair(known.id, new.id): Judged.COMPATIBLE})

    assert live(folded) == ["Bergen"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Likes a nap after lunch.", "likes a nap after lunch"),
        ("Mag Mittagsschlaf!", "mag  Mittagsschlaf"),
        ("Тихий час после обеда", "тихий час после обеда."),
    ],
)
def test_keyless_same_words_are_one(one: str, other: str) -> None:
    folded = believe(said("", predicate="", text=one), said("", 30, predicate="", text=other))

    assert [len(f.claims) for f in folded.facts] == [2]


def test_keyless_other_words_are_new() -> None:
    known = said("", predicate="", text="Naps after lunch")
    near = said("", 30, predicate="", text="Naps after dinner")
    far = said("", 60, predicate="", text="Wears green hats")

    folded = believe(known, near, far)

    assert [(f.status.value, f.is_unjudged) for f in folded.facts] == [("active", False)] * 3
    assert [relation(folded, claim) for claim in (known, near, far)] == [Relation.NEW] * 3
    assert folded.undecided == (Pair(known.id, near.id),)


def test_keyless_is_as_the_judge_says() -> None:
    known, new = said("", predicate="", text="Naps after lunch"), said("", 30, predicate="", text="Sleeps after lunch")

    folded = believe(known, new, judged={Pair(known.id, new.id): Judged.DUPLICATE})

    assert [len(f.claims) for f in folded.facts] == [2]


def test_unknown_predicate_denial_closes_without_a_judge() -> None:
    assert live(believe(frobs("red"), denied("red", 3, predicate="frobs"))) == []
    assert live(believe(frobs("red"), changed("blue", 3, predicate="frobs"))) == ["red", "blue"]
