"""What a page of reports looks up beside the stored numbers: names and words, which no report holds."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db import models

from memory.models import Candidate, Fact, Label, SampleItem, User


@dataclass(frozen=True, slots=True)
class Disagreement:
    """An item that people judge differently; without words once they are erased."""

    item: SampleItem
    labels: Sequence[Label]


def names(user_ids: Sequence[int]) -> Mapping[int, str]:
    """What people of the staff are called; those who left are missing."""
    return {user.pk: str(user) for user in User.objects.filter(pk__in=user_ids)}


def disagreements(item_ids: Sequence[int]) -> list[Disagreement]:
    """In the order of the ids."""
    items = SampleItem.objects.select_related("sample", "words", "user").fetch_mode(models.FETCH_RAISE)
    found = items.in_bulk(item_ids)
    said = defaultdict(list)
    labels = Label.objects.standing().select_related("reviewer").fetch_mode(models.FETCH_RAISE)
    for label in labels.filter(item__in=item_ids).order_by("at", "pk"):
        said[label.item_id].append(label)
    return [Disagreement(found[pk], said[pk]) for pk in item_ids if pk in found]


def facts(fact_ids: Iterable[int]) -> Mapping[int, Fact]:
    """Those of the facts that there still are, with their people."""
    rows = Fact.objects.select_related("user").defer("embedding").fetch_mode(models.FETCH_RAISE)
    return rows.in_bulk(list(fact_ids))


def people(user_ids: Iterable[int]) -> Mapping[int, User]:
    """Those of the people that there still are."""
    return User.objects.in_bulk(list(user_ids))


def candidates(candidate_ids: Sequence[int]) -> list[Candidate]:
    """Those that there still are, in the order of the ids."""
    rows = Candidate.objects.select_related("user").fetch_mode(models.FETCH_RAISE)
    found = rows.in_bulk(candidate_ids)
    return [found[pk] for pk in candidate_ids if pk in found]
