"""Samples with labels, made by hand: what the reports are tried on."""

import itertools
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from memory import scope
from memory.models import Label, Sample, SampleItem, SampleText, User
from tests import factories
from tests.factories import WHEN

_numbers = itertools.count(1)
CORRECT, INCORRECT, STALE, CANT_TELL = "correct", "incorrect", "stale", "cant_tell"
CLOSED = WHEN + timedelta(days=1)


def make_sample(**fields: Any) -> Sample:
    values = {
        "name": f"Sample {next(_numbers)}",
        "population": 1_000_000,
        "size": 0,
        "seed": 1,
        "policy_version": 0,
        "created_at": WHEN,
        "closed_at": CLOSED,
    }
    with scope.staff():
        return Sample.objects.create(**(values | fields))


def add_items(sample: Sample, *verdicts: str | Sequence[str], **fields: Any) -> list[SampleItem]:
    """One item a verdict, "" for none yet and several for several reviewers; each of a person of its own by default.

    Of the items of a `user` the words are theirs, so that erasing takes them along.
    """
    user: User | None = fields.pop("user", None)
    by: Sequence[User | None] = fields.pop("by", None) or (None, None, None)
    at: datetime = fields.pop("at", WHEN)
    made = [_item(sample, user, fields) for _ in verdicts]
    with scope.staff():
        for item, given in zip(made, verdicts, strict=True):
            each = [given] if isinstance(given, str) else given
            Label.objects.bulk_create(
                Label(item=item, user_id=item.user_id, reviewer=who, verdict=verdict, at=at, seconds=6.0)
                for verdict, who in zip(each, by, strict=False)
                if verdict
            )
    return made


def _item(sample: Sample, user: User | None, fields: dict[str, Any]) -> SampleItem:
    number = next(_numbers)
    values = {
        "place": number,
        "owner": user.pk if user else 1_000_000 + number,
        "first_episode": 1_000_000 + number,
        "kind": "knowledge",
        "source": "user",
        "basis": "stated",
        "predicate": "lives_in",
        "language": "en",
        "extractor": "patterns-1",
        "policy_version": 0,
        "said_at": WHEN - timedelta(days=3),
        "confidence": 0.9,
    }
    words = _words(user, fields.get("fact_id")) if user else _nobodys_words()
    with scope.staff():
        return SampleItem.objects.create(sample=sample, user=words.user, words=words, **(values | fields))


def _words(user: User, fact_id: int | None, text: str = "Lives in Oslo.") -> SampleText:
    with scope.staff():
        return SampleText.objects.create(user=user, fact_id=fact_id, text=text)


def _nobodys_words() -> SampleText:
    """Of a person made once a test, where it does not matter whose."""
    with scope.staff():
        user = User.objects.filter(external_id="somebody").first()
    return _words(user or factories.make_user("somebody"), None)


def erase_words(*items: SampleItem) -> None:
    """As an erasure leaves items behind: in their place, without words."""
    with scope.staff():
        SampleText.objects.filter(pk__in=[item.words_id for item in items]).delete()


def closed_sample(*verdicts: str | Sequence[str], **fields: Any) -> Sample:
    """A closed simple sample from a population of a million."""
    sample = make_sample(
        size=len(verdicts), strata={"": [fields.get("population", 1_000_000), len(verdicts)]}, **fields
    )
    add_items(sample, *verdicts)
    return sample
