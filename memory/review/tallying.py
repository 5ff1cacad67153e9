"""The items of a sample with what was said of each. Gold items measure reviewers, and are never counted here."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from memory.models import Label, Sample, SampleItem
from memory.types import LabelVerdict


class Truth(StrEnum):
    """Two questions that one label answers: whether the fact is true now, and whether it ever was."""

    CURRENT = "current"
    FACTUAL = "factual"


RIGHT = {
    Truth.CURRENT: frozenset({LabelVerdict.CORRECT}),
    Truth.FACTUAL: frozenset({LabelVerdict.CORRECT, LabelVerdict.STALE}),
}


class Fate(StrEnum):
    """What became of an item, for the count of them."""

    CORRECT = "correct"
    STALE = "stale"
    INCORRECT = "incorrect"
    CANT_TELL = "cant_tell"
    DISPUTED = "disputed"
    ERASED = "erased"
    UNANSWERED = "unanswered"
    PENDING = "pending"


@dataclass(frozen=True, slots=True)
class Item:
    """A drawn item as a report counts it; no words. `verdicts` in the order in which they were given."""

    id: int
    stratum: str
    owner: int
    first_episode: int | None
    kind: str
    source: str
    basis: str
    predicate: str
    language: str
    extractor: str
    prompt_version: str
    policy_version: int | None
    outcome: str
    said_at: datetime | None
    confidence: float | None
    wanted: int
    user_id: int | None
    words_id: int | None
    verdicts: tuple[LabelVerdict, ...] = ()

    @property
    def has_words(self) -> bool:
        """Not once they are erased, or their person has left."""
        return self.user_id is not None and self.words_id is not None

    def is_right(self, truth: Truth) -> bool | None:
        """What most of those say who could tell; None when nobody could, or as many say one thing as the other."""
        told = [verdict in RIGHT[truth] for verdict in self.verdicts if verdict is not LabelVerdict.CANT_TELL]
        balance = sum(1 if is_right else -1 for is_right in told)
        return None if balance == 0 else balance > 0

    def is_pending(self, *, is_closed: bool) -> bool:
        """Whether labels are still to come."""
        return not is_closed and self.has_words and len(self.verdicts) < self.wanted

    def fate(self, *, is_closed: bool) -> Fate:
        """An erased item that was labelled before keeps its answer."""
        if self.verdicts:
            return self._answer()
        if not self.has_words:
            return Fate.ERASED
        return Fate.UNANSWERED if is_closed else Fate.PENDING

    def _answer(self) -> Fate:
        told = Counter(verdict for verdict in self.verdicts if verdict is not LabelVerdict.CANT_TELL)
        if not told:
            return Fate.CANT_TELL
        (first, count), *rest = told.most_common(2)
        return Fate.DISPUTED if rest and rest[0][1] == count else Fate(first.value)


_FIELDS = tuple(name for name in Item.__slots__ if name != "verdicts")


def items(sample: Sample) -> list[Item]:
    """All but the gold ones, in two statements."""
    verdicts = _verdicts(sample)
    rows = SampleItem.objects.filter(sample=sample, gold="").order_by("place").values_list(*_FIELDS)
    return [_item(row, verdicts) for row in rows.iterator(chunk_size=5_000)]


def _item(row: Any, verdicts: Mapping[int, list[LabelVerdict]]) -> Item:
    return replace(Item(*row), verdicts=tuple(verdicts.get(row[0], ())))


def _verdicts(sample: Sample) -> dict[int, list[LabelVerdict]]:
    """Item → its standing labels, the first first."""
    found: dict[int, list[LabelVerdict]] = defaultdict(list)
    standing = Label.objects.standing().filter(item__sample=sample, item__gold="").order_by("at", "pk")
    for item, verdict in standing.values_list("item_id", "verdict").iterator(chunk_size=5_000):
        found[item].append(LabelVerdict(verdict))
    return found
