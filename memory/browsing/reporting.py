"""What a page of reports looks up beside the stored numbers: names and words, which no report holds."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db import models

from memory.models import Label, SampleItem, User


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
