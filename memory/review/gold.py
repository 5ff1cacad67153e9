"""Gold items: facts with a known answer, mixed in unseen, that measure reviewers and not the memory."""

import secrets

from django.db import connection

from memory import policies, scope
from memory.errors import InvalidSample, NotFound
from memory.models import Fact, Sample, SampleItem, SampleText
from memory.review.sampling import locked
from memory.types import LabelVerdict, SampleSubject


def add(sample_id: int, fact_id: int, answer: LabelVerdict) -> SampleItem:
    """Puts a fact with its known answer in the place of an item that nobody has seen; that one goes to the end.

    Raises InvalidSample when it cannot be added.
    """
    with scope.staff():
        sample = locked(sample_id)
        _check(sample, fact_id)
        fact = Fact.objects.filter(pk=fact_id).defer("embedding").first()
        if fact is None:
            raise NotFound("There is no such fact.")
        item = _item(sample, fact, answer)
        item.place = _make_room(sample.pk)
        item.save()
    return item


def _check(sample: Sample, fact_id: int) -> None:
    if sample.subject != SampleSubject.FACTS:
        raise InvalidSample("Only a sample of facts can have facts with a known answer.")
    if sample.closed_at is not None:
        raise InvalidSample("The sample is closed.")
    if SampleItem.objects.filter(sample=sample, fact=fact_id).exists():
        raise InvalidSample("This fact is in the sample already. Choose another.")


def _make_room(sample_id: int) -> int:
    """A place at random among those that nobody has had in hand; whoever stood there goes to the end."""
    end = SampleItem.objects.filter(sample=sample_id).order_by("-place").values_list("place", flat=True).first() or 0
    unseen = SampleItem.objects.filter(sample=sample_id, handouts=None).values_list("pk", "place")
    choices = list(unseen)
    n = secrets.randbelow(len(choices) + 1)
    if n == len(choices):
        return end + 1
    item, place = choices[n]
    SampleItem.objects.filter(pk=item).update(place=end + 1)
    return place


def _item(sample: Sample, fact: Fact, answer: LabelVerdict) -> SampleItem:
    words = SampleText.objects.create(
        user_id=fact.user_id,
        fact=fact,
        **{name: getattr(fact, name) for name in ("text", "subject", "object", "polarity", "valid_from", "valid_to")},
    )
    return SampleItem(
        sample=sample,
        user_id=fact.user_id,
        owner=fact.user_id,
        fact=fact,
        words=words,
        gold=answer,
        said_at=fact.last_supported_at,
        first_episode=_first_episode(fact),
        source=fact.source.partition(":")[0],
        predicate=fact.predicate if fact.predicate in policies.current().vocabulary.cardinality else "",
        **{name: getattr(fact, name) for name in ("kind", "basis", "language", "policy_version")},
    )


def _first_episode(fact: Fact) -> int | None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT episode_id FROM memory_candidate WHERE user_id = %s AND fact_id = %s ORDER BY said_at, id LIMIT 1",
            [fact.user_id, fact.pk],
        )
        found = cursor.fetchone()
    return found[0] if found else None
