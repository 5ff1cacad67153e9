"""Building a report: numbers first, in one transaction, then their pictures. What a worker calls."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from memory import policies, scope
from memory.errors import NotFound
from memory.review import (
    carrying,
    choosing,
    contradicting,
    costing,
    course,
    deciding,
    examining,
    gating,
    illustrating,
    pictures,
    picturing,
    precision,
    predicting,
    previewing,
    reports,
    reviewing,
)

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
    """Builds and stores one report. Raises NotFound for a kind that does not exist, or about what does not."""
    recipe = RECIPES.get(kind)
    if recipe is None:
        raise NotFound(f"there is no report of the kind {kind!r}")
    began = timezone.now()
    with nullcontext() if recipe.opens_scopes else scope.staff():
        numbers = recipe.count(about)
    if numbers is None:  # another worker is at it
        return
    data = {"numbers": numbers, **_drawn(recipe.show(numbers))}
    with scope.staff():
        version = policies.current().version
        reports.store(kind, about, data, began=began, policy_version=version)


def _drawn(shown: Iterable[illustrating.Picture]) -> dict[str, Any]:
    told, drawn = {}, {}
    for picture in shown:
        told[picture.name] = picture.description
        drawn[picture.name] = pictures.draw(picture.chart, picture.description)
    return {"told": told, "pictures": drawn}
