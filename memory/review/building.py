"""Building a report: numbers first, in one transaction, then their pictures. What a worker calls."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any

from django.db import connection

from memory import policies, scope
from memory.errors import Busy, NotFound
from memory.review import (
    carrying,
    choosing,
    contradicting,
    costing,
    course,
    deciding,
    examining,
    gating,
    grounds,
    illustrating,
    pictures,
    picturing,
    precision,
    predicting,
    previewing,
    reports,
    reviewing,
)
from memory.review.reports import Built

type Numbers = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a kind of report is made: `count` reads what it is about, `show` names and draws what it counted."""

    count: Callable[[str], Numbers | None]
    show: Callable[[Numbers], Iterable[illustrating.Picture]] = illustrating.nothing
    opens_scopes: bool = False
    """Whether `count` goes through people one by one; else it is called inside the staff's scope."""


RECIPES: dict[str, Recipe] = {
    reports.PRECISION: Recipe(lambda about: precision.report(choosing.numbered(about)), illustrating.precision),
    reports.COURSE: Recipe(lambda _about: course.report(), illustrating.course),
    reports.CONTRADICTIONS: Recipe(lambda _about: contradicting.report(), illustrating.contradictions),
    reports.REVIEWERS: Recipe(lambda _about: reviewing.report(), illustrating.reviewers),
    reports.GATE: Recipe(lambda _about: gating.report(), picturing.gate),
    reports.COST: Recipe(lambda _about: costing.report(), picturing.cost),
    reports.DECISIONS: Recipe(lambda _about: deciding.report(), picturing.decisions),
    reports.HEALTH: Recipe(lambda _about: examining.report()),
    reports.CURVE: Recipe(lambda _about: predicting.curve(policies.current()), illustrating.curve),
    reports.PREVIEW: Recipe(previewing.report, opens_scopes=True),
    reports.CARRIED: Recipe(carrying.report, opens_scopes=True),
}


def build(kind: str, about: str = "") -> None:
    """Builds and stores one report, or a piece of one that takes long: that stays due until its last piece.

    Raises NotFound for a kind that does not exist, or about what does not; Busy while another worker is at it.
    """
    recipe = RECIPES.get(kind)
    if recipe is None:
        raise NotFound(f"there is no report of the kind {kind!r}")
    with _alone(kind, about):
        with scope.staff():
            began = reports.began(kind, about)
            version, ground = policies.current().version, grounds.of(kind, about)
        with nullcontext() if recipe.opens_scopes else scope.staff():
            numbers = recipe.count(about)
        if numbers is None:
            return
        told, drawn = _drawn(recipe.show(numbers))
        built = Built({"numbers": numbers, "told": told}, drawn, version, ground)
        with scope.staff():
            reports.store(kind, about, built, began=began)


TAKE = "SELECT pg_try_advisory_lock(hashtext('assay.report'), hashtext(%s))"
GIVE_BACK = "SELECT pg_advisory_unlock(hashtext('assay.report'), hashtext(%s))"


@contextmanager
def _alone(kind: str, about: str) -> Iterator[None]:
    """Nobody else builds the same meanwhile; a worker that is lost lets go of it with its connection."""
    name = [f"{kind} {about}"]
    with connection.cursor() as cursor:
        cursor.execute(TAKE, name)
        if not cursor.fetchone()[0]:
            raise Busy(f"The report {kind} {about} is being built already.")
        try:
            yield
        finally:
            cursor.execute(GIVE_BACK, name)


def _drawn(shown: Iterable[illustrating.Picture]) -> tuple[dict[str, str], dict[str, pictures.Drawing]]:
    """What the pictures show, in words; and the pictures."""
    found = list(shown)
    return {each.name: each.description for each in found}, {
        each.name: pictures.draw(each.chart, each.description) for each in found
    }
