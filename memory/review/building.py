"""Building a report: numbers first, in one transaction, then their pictures. What a worker calls."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from memory import policies, scope
from memory.errors import NotFound
from memory.review import choosing, contradicting, course, illustrating, pictures, precision, reports, reviewing

type Numbers = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a kind of report is made: `count` reads what it is about, `show` names and draws what it counted."""

    count: Callable[[str], Numbers]
    show: Callable[[Numbers], Iterable[illustrating.Picture]]


RECIPES: dict[str, Recipe] = {
    reports.PRECISION: Recipe(lambda about: precision.report(choosing.numbered(about)), illustrating.precision),
    reports.COURSE: Recipe(lambda _about: course.report(), illustrating.course),
    reports.CONTRADICTIONS: Recipe(lambda _about: contradicting.report(), illustrating.contradictions),
    reports.REVIEWERS: Recipe(lambda _about: reviewing.report(), illustrating.reviewers),
}


def build(kind: str, about: str = "") -> None:
    """Builds and stores one report. Raises NotFound for a kind that does not exist, or about what does not."""
    recipe = RECIPES.get(kind)
    if recipe is None:
        raise NotFound(f"there is no report of the kind {kind!r}")
    began = timezone.now()
    with scope.staff():
        numbers = recipe.count(about)
        version = policies.current().version
    data = {"numbers": numbers, **_drawn(recipe.show(numbers))}
    with scope.staff():
        reports.store(kind, about, data, began=began, policy_version=version)


def _drawn(shown: Iterable[illustrating.Picture]) -> dict[str, Any]:
    told, drawn = {}, {}
    for picture in shown:
        told[picture.name] = picture.description
        drawn[picture.name] = pictures.draw(picture.chart, picture.description)
    return {"told": told, "pictures": drawn}
