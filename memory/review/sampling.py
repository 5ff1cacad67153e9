"""Samples: a population is narrowed, a part of it drawn at random and frozen, word for word.

The same seed over the same population draws the same items: they are taken in the order of a hash of seed
and number. Nothing here reads the population into memory.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db import connection

from memory import clock, policies, scope, text
from memory.errors import InvalidSample, NotFound
from memory.models import Access, Sample, User
from memory.review import drawing, population
from memory.review.allocation import allocate
from memory.review.drawing import DRAW, NEAR, QUEUED, RISK, SHUFFLED, STRATA
from memory.review.population import OUTLASTING, Filters, Population
from memory.types import SampleMethod, SampleSubject

MOST = 100_000
LONGEST_GUIDELINES = 20_000


@dataclass(frozen=True, slots=True)
class Plan:
    """What to draw. `stratify_by` "" draws simply; `is_random` false takes what is most at risk first."""

    name: str
    size: int
    subject: SampleSubject = SampleSubject.FACTS
    filters: Filters = field(default_factory=Filters)
    is_random: bool = True
    stratify_by: str = ""
    at_least_one: bool = False
    seed: int = 0
    overlap: float = 0
    guidelines: str = ""
    reviewers: tuple[int, ...] = ()


def count(plan: Plan) -> int:
    """How many there are to draw from; inside the staff scope."""
    return sum(strata(plan, now=clock.now()).values())


def strata(plan: Plan, *, now: datetime) -> dict[str, int]:
    """Stratum → how many there are; a simple sample has the one stratum ""."""
    return _strata(plan.subject, _population(plan, now), stratify_by=plan.stratify_by, sample=0)


def draw(plan: Plan, *, by: User | None, now: datetime | None = None) -> Sample:
    """Draws and freezes a sample. Raises InvalidSample, and stores nothing, when it cannot be drawn so."""
    _check(plan)
    now = now or clock.now()
    with scope.staff():
        there = strata(plan, now=now)
        if not sum(there.values()):
            raise InvalidSample("There is nothing to draw from: nothing matches. Loosen the filters.")
        shares = allocate(plan.size, there, at_least_one=plan.at_least_one)
        sample = Sample.objects.create(
            **_columns(plan), population=sum(there.values()), size=0, created_by=by, created_at=now
        )
        _take(sample, _population(plan, now), there, shares)
    return sample


def extend(sample_id: int, more: int) -> Sample:
    """Another look: draws `more` items afresh from what the filters match now and is not in the sample yet."""
    if not 1 <= more <= MOST:
        raise InvalidSample(f"size: draw from 1 to {MOST} more items.")
    with scope.staff():
        sample = locked(sample_id)
        filters, subject = Filters.read(sample.filters), SampleSubject(sample.subject)
        found = population.of(subject, filters, is_random=sample.is_random, stratify_by=sample.stratify_by)
        there = _strata(subject, found, stratify_by=sample.stratify_by, sample=sample.pk)
        if not sum(there.values()):
            raise InvalidSample("There is nothing more to draw: all that the filters match now is in the sample.")
        sample.look += 1
        sample.closed_at = None
        _take(sample, found, there, allocate(more, there))
    return sample


def close(sample_id: int) -> Sample:
    """Ends the labelling: what has no label stays without. Closed once, however often it is asked."""
    with scope.staff():
        sample = locked(sample_id)
        if sample.closed_at is None:
            sample.closed_at = clock.now()
            sample.save(update_fields=["closed_at"])
    return sample


def assign(sample_id: int, reviewers: Sequence[int]) -> Sample:
    """Whose it is to label; nobody named, anybody's."""
    with scope.staff():
        sample = locked(sample_id)
        sample.reviewers = _reviewers(reviewers)
        sample.save(update_fields=["reviewers"])
    return sample


def locked(sample_id: int) -> Sample:
    """The sample, held until the transaction ends."""
    sample = Sample.objects.select_for_update(no_key=True, of=("self",)).filter(pk=sample_id).first()
    if sample is None:
        raise NotFound("There is no such sample.")
    return sample


def _check(plan: Plan) -> None:
    wrong = {
        "name: give the sample a name.": not plan.name.strip(),
        f"size: draw from 1 to {MOST} items.": not 1 <= plan.size <= MOST,
        "overlap: a share from 0 to 1.": not 0 <= plan.overlap <= 1,
        "guidelines: too long.": len(plan.guidelines) > LONGEST_GUIDELINES,
        f"stratify_by: {plan.subject} are not told apart by this.": plan.stratify_by not in _strata_of(plan.subject),
        "risk: only facts can be drawn by what is at risk.": not plan.is_random and plan.subject != SampleSubject.FACTS,
    }
    for message, is_wrong in wrong.items():
        if is_wrong:
            raise InvalidSample(message)


def _strata_of(subject: SampleSubject) -> tuple[str, ...]:
    return ("", *population.STRATA[subject])


def _columns(plan: Plan) -> dict[str, Any]:
    return {
        "name": text.clean(plan.name).text.strip()[:200],
        "subject": plan.subject,
        "is_random": plan.is_random,
        "filters": plan.filters.stored(),
        "method": SampleMethod.STRATIFIED if plan.stratify_by else SampleMethod.SIMPLE,
        "stratify_by": plan.stratify_by,
        "seed": plan.seed,
        "overlap": plan.overlap,
        "guidelines": text.clean(plan.guidelines).text.strip(),
        "reviewers": _reviewers(plan.reviewers),
        "policy_version": policies.current().version,
    }


def _reviewers(ids: Sequence[int]) -> list[int]:
    """Raises InvalidSample when one of them may not review."""
    staff = User.objects.filter(pk__in=ids, access__in=[Access.REVIEWER, Access.ADMIN], is_active=True)
    found = sorted(staff.values_list("pk", flat=True))
    if len(found) < len(set(ids)):
        raise InvalidSample("reviewers: one of them is no reviewer any more. Choose again.")
    return found


def _population(plan: Plan, now: datetime) -> Population:
    return population.of(plan.subject, plan.filters, is_random=plan.is_random, stratify_by=plan.stratify_by, now=now)


def _strata(subject: SampleSubject, found: Population, *, stratify_by: str, sample: int) -> dict[str, int]:
    statement = STRATA[subject].format(tables=found.tables, where=found.where, stratum=_stratum(found, stratify_by))
    with connection.cursor() as cursor:
        cursor.execute(statement, {**found.values, "sample": sample})
        return dict(cursor.fetchall())


def _stratum(found: Population, stratify_by: str) -> str:
    column = OUTLASTING.get(stratify_by) or found.columns.get(stratify_by, "''")
    return f"left({column}, 200)"


def _take(sample: Sample, found: Population, there: Mapping[str, int], shares: Mapping[str, int]) -> None:
    """Draws the shares into the sample, and counts what was drawn, of how many."""
    before = {name: drawn for name, (_, drawn) in sample.strata.items()}
    drawn = Counter(_insert(sample, found, _reach(there, shares, slack=drawing.SLACK)))
    if lacking := Counter(shares) - drawn:  # chance left too few near, as it hardly ever does
        drawn += Counter(_insert(sample, found, _reach(there, lacking, slack=math.inf)))
    sample.strata = {
        name: [there.get(name, 0) + before.get(name, 0), drawn[name] + before.get(name, 0)]
        for name in sorted({*there, *before})
    }
    sample.population = sum(whole for whole, _ in sample.strata.values())
    sample.size = sum(part for _, part in sample.strata.values())
    sample.save()


def _reach(there: Mapping[str, int], shares: Mapping[str, int], *, slack: float) -> dict[str, Any]:
    drawn = [(name, share) for name, share in shares.items() if share]
    return {
        "strata": [name for name, _ in drawn],
        "shares": [share for _, share in drawn],
        "until": [drawing.until(share, there[name], slack=slack) for name, share in drawn],
    }


def _insert(sample: Sample, found: Population, reach: Mapping[str, Any]) -> list[str]:
    risk = RISK.format(effective=found.columns["confidence"])
    statement = DRAW[SampleSubject(sample.subject)].format(
        tables=found.tables,
        where=found.where,
        stratum=_stratum(found, sample.stratify_by),
        order=SHUFFLED if sample.is_random else risk,
        queue=QUEUED if sample.is_random else risk,
        near=NEAR if sample.is_random else "true",
        **{name: found.columns[name] for name in ("language", "confidence", "outcome", "said_at", "extractor")},
    )
    values = {
        **found.values,
        **reach,
        "sample": sample.pk,
        "seed": f"{sample.seed}:{sample.look}",
        "overlap": Decimal(str(sample.overlap)),
    }
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return [stratum for (stratum,) in cursor.fetchall()]
