"""What is asked of a person: contradictions, whom something is about, and whether to keep what they once had forgotten.

Every function runs inside the person's scope.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import models
from django.db.models import Q, QuerySet

from memory import attributing, believing, policies
from memory.attributing import UNCLEAR
from memory.believing import Key
from memory.browsing import quotes
from memory.browsing.quotes import Quotes
from memory.errors import NotFound
from memory.forgetting.outdating import lock
from memory.mine import knowing
from memory.mine.knowing import Entry
from memory.models import Candidate, Conflict, ConflictSide, Entity
from memory.models.candidates import ERASED_KEY
from memory.types import LIVE, Verdict

MOST = 30


@dataclass(frozen=True, slots=True)
class Question:
    """Things that cannot all be true, what was said first first. A reviewer may have put it, with a note."""

    row: Conflict
    sides: Sequence[Entry]

    @property
    def is_pair(self) -> bool:
        return len(self.sides) == 2  # noqa: PLR2004

    @property
    def is_said(self) -> bool:
        """Whether the person said all of it themselves."""
        return all(side.row.source == "user" for side in self.sides)


@dataclass(frozen=True, slots=True)
class Who:
    """Something of which it is not clear whom it is about, with whom it may be."""

    row: Candidate
    quotes: Quotes
    options: Sequence[Entity]


@dataclass(frozen=True, slots=True)
class Again:
    """Something said again of what the person once had forgotten: kept only if they say so."""

    row: Candidate
    quotes: Quotes


def count(user_id: int) -> int:
    """How many questions wait for an answer."""
    return Conflict.objects.open().filter(user=user_id).count() + _waiting(user_id).count()


def contradictions(user_id: int, *, now: datetime) -> list[Question]:
    """The open ones, those that were put to the person first."""
    rows = Conflict.objects.open().filter(user=user_id).fetch_mode(models.FETCH_RAISE)
    asked_first = models.F("asked_at").desc(nulls_last=True)
    return _questions(user_id, list(rows.order_by(asked_first, "-opened_at", "-pk")[:MOST]), now)


def contradiction(user_id: int, conflict_id: int, *, now: datetime) -> Question | None:
    """One of them, open or answered; None when it has dissolved."""
    rows = list(Conflict.objects.filter(user=user_id, pk=conflict_id))
    return next(iter(_questions(user_id, rows, now)), None)


def unclear(user_id: int) -> list[Who]:
    """Of whom it is asked."""
    rows = list(_waiting(user_id).filter(reason=UNCLEAR).order_by("-said_at", "-pk")[:MOST])
    behind = quotes.behind_candidates([user_id], [row.pk for row in rows])
    keys = {row.subject_key for row in rows}
    named = Q(name_key__in=keys) | Q(note_key__in=keys)
    people = list(Entity.objects.filter(named, user=user_id).exclude(note_key="").order_by("name_key", "note_key"))
    return [
        Who(row, behind.get(row.pk, quotes.NONE), [one for one in people if row.subject_key in _keys(one)])
        for row in rows
    ]


def again(user_id: int) -> list[Again]:
    """What the person once had forgotten and said again since."""
    rows = list(_waiting(user_id).filter(reason=ERASED_KEY).order_by("-said_at", "-pk")[:MOST])
    behind = quotes.behind_candidates([user_id], [row.pk for row in rows])
    return [Again(row, behind.get(row.pk, quotes.NONE)) for row in rows]


def identify(user_id: int, candidate_id: int, *, entity_id: int) -> None:
    """It is about this one. Raises NotFound when it waits for no answer any more, or that is none of those it may be."""
    user = lock(user_id)
    claim = _unclear(user_id, candidate_id)
    meant = Entity.objects.filter(user=user_id, pk=entity_id).exclude(note_key="").first()
    if meant is None or claim.subject_key not in _keys(meant):
        raise NotFound("It may be about somebody else, but not about that one.")
    claim.subject, claim.subject_key = meant.name, meant.name_key
    claim.subject_note, claim.note_key = meant.note, meant.note_key
    claim.save(update_fields=["subject", "subject_key", "subject_note", "note_key"])
    keys = {Key(*key) for key in attributing.attribute(user_id, [claim])}
    believing.refold(user_id, keys, policy=policies.current(), language=user.language)


def give_up(user_id: int, candidate_id: int) -> None:
    """It is about none of them: not believed, and not asked again. Raises NotFound."""
    lock(user_id)
    claim = _unclear(user_id, candidate_id)
    Candidate.objects.filter(user=user_id, pk=claim.pk).update(verdict=Verdict.LAPSED)


def _waiting(user_id: int) -> QuerySet[Candidate]:
    rows = Candidate.objects.filter(user=user_id, verdict=Verdict.HELD, reason__in=[UNCLEAR, ERASED_KEY])
    return rows.fetch_mode(models.FETCH_RAISE)


def _unclear(user_id: int, candidate_id: int) -> Candidate:
    claim = _waiting(user_id).select_for_update().filter(pk=candidate_id, reason=UNCLEAR).first()
    if claim is None:
        raise NotFound("This waits for no answer any more.")
    return claim


def _keys(entity: Entity) -> tuple[str, str]:
    return entity.name_key, entity.note_key


def _questions(user_id: int, rows: Sequence[Conflict], now: datetime) -> list[Question]:
    sides = ConflictSide.objects.filter(user=user_id, conflict__in=rows)
    seats = list(sides.order_by("fact__first_said_at", "fact").values_list("conflict", "fact"))
    found = knowing.some(user_id, [fact for _, fact in seats], now=now) if seats else []
    entries = {entry.row.pk: entry for entry in found}
    grouped: dict[int, list[Entry]] = defaultdict(list)
    for conflict, fact in seats:
        if entries[fact].row.status in LIVE:
            grouped[conflict].append(entries[fact])
    return [Question(row, grouped[row.pk]) for row in rows]


def is_known(user_id: int, candidate_id: int) -> bool:
    """Whether there is such a claim of this person's at all, whatever has become of it."""
    return Candidate.objects.filter(user=user_id, pk=candidate_id).exists()
