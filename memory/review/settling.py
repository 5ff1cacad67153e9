"""Settling a contradiction: by a reviewer, or by the person whose memory it is, through the same verb.

Every function runs inside a scope that sees the conflict: the person's own, or the staff's.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from memory import believing, clock, people, policies, text
from memory.believing import Key
from memory.errors import NotFound, Unanswerable
from memory.forgetting.outdating import lock
from memory.models import Candidate, Conflict, Fact, History, PersonsRuling, User
from memory.review import answers
from memory.review.answers import Answer, Choice, Intended, Side
from memory.types import Status, Verb

__all__ = ["Answer", "Choice", "Settled", "settle", "told", "undo", "withdraw"]

MOST_NOTE = 2000
"""Characters of a note that are kept."""


@dataclass(frozen=True, slots=True)
class Settled:
    """How a conflict stands. `is_new` is whether this call brought it about; else someone was quicker.

    `by` is "" while it is open, else user (their own later words), member, reviewer or policy; `actor` is who,
    where that is a login. `choice` is None where it was not answered here. `can_undo`: there is an answer to take back.
    """

    conflict: int
    is_new: bool
    by: str
    actor: User | None
    at: datetime | None
    choice: Choice | None
    winner: int | None
    note: str
    asked_at: datetime | None
    can_undo: bool

    @property
    def is_open(self) -> bool:
        return not self.by


def settle(conflict_id: int, answer: Answer, *, by: User, note: str = "") -> Settled:
    """Answers an open conflict; `by` is its person, or a reviewer.

    `Answer(Choice.ONE, fact=…)`: that side is right, of however many. BOTH: all are. `Answer(Choice.TIMES, times=…)`:
    each was right until its day in `times` (fact id → last day), where the one that is right now has none.
    NEITHER: none ever was. ASK: puts it to its person and leaves it open; `note` is shown to them. A conflict that
    is answered stays as it is: `Settled` then says by whom. Raises NotFound, or Unanswerable with what to do instead.
    """
    user, conflict = _locked(conflict_id, by)
    if conflict.settled_by:
        return _standing(conflict, is_new=False)
    note = text.clean(note).text.strip()[:MOST_NOTE]
    today = clock.now().astimezone(people.zone(user.time_zone)).date()
    intended = answers.rulings(answer, _sides(conflict), is_own=by.pk == user.pk, today=today)
    if answer.choice is Choice.ASK:
        return _ask(conflict, by, note)
    _rule(conflict, intended, by, note)
    _refold(user, conflict)
    _note(conflict, by, "settle")
    return _standing(_again(conflict), is_new=True)


def undo(conflict_id: int, *, by: User) -> Settled:
    """Takes an answer back, exactly: what was believed before is believed again, with whatever was said since.

    What its person answered only they take back. Where there is no answer to take back nothing changes.
    """
    user, conflict = _locked(conflict_id, by)
    rulings = PersonsRuling.objects.filter(user=user, conflict=conflict)
    if not rulings.exists():
        return _standing(conflict, is_new=False)
    if by.pk != user.pk and rulings.filter(by="member").exists():
        raise Unanswerable("Their person answered this. Only they can take it back.")
    rulings.delete()
    _refold(user, conflict)
    _note(conflict, by, "unsettle")
    return _standing(_again(conflict), is_new=True)


def withdraw(conflict_id: int, *, by: User) -> Settled:
    """Takes back that the person is asked, while they have not answered."""
    _, conflict = _locked(conflict_id, by)
    if conflict.asked_at is None or conflict.settled_by:
        return _standing(conflict, is_new=False)
    Conflict.objects.filter(pk=conflict.pk).update(asked_at=None, note="")
    _note(conflict, by, "withdraw")
    return _standing(_again(conflict), is_new=True)


def told(conflict_id: int) -> Settled:
    """How a conflict stands."""
    conflict = Conflict.objects.filter(pk=conflict_id).first()
    if conflict is None:
        raise NotFound("There is no such contradiction.")
    return _standing(conflict, is_new=False)


def _locked(conflict_id: int, by: User) -> tuple[User, Conflict]:
    """The user's row first, as by everyone who writes for them. To a stranger it is not there."""
    owner = Conflict.objects.filter(pk=conflict_id).values_list("user", flat=True).first()
    if owner is None or not (by.is_staff or by.pk == owner):
        raise NotFound("There is no such contradiction.")
    user = lock(owner)
    conflict = Conflict.objects.select_for_update(no_key=True).filter(user=user, pk=conflict_id).first()
    if conflict is None:
        raise NotFound("This contradiction is gone: what was said since shows that there was none.")
    return user, conflict


def _sides(conflict: Conflict) -> list[Side]:
    """Those that are still believed, or would be if they had not lapsed."""
    facts = Fact.objects.filter(user=conflict.user_id, conflict_sides__conflict=conflict)
    facts = facts.exclude(status__in=[Status.SUPERSEDED, Status.RETRACTED])
    rows = facts.order_by("first_said_at", "pk").prefetch_related("claims").defer("embedding")
    claims = {row.pk: tuple(sorted(claim.pk for claim in row.claims.all())) for row in rows}
    confirmed = _confirmed(conflict)
    return [Side(row.pk, claims[row.pk], row.valid_from, not confirmed.isdisjoint(claims[row.pk])) for row in rows]


def _confirmed(conflict: Conflict) -> set[int]:
    """Claims that their person said are right."""
    rulings = PersonsRuling.objects.filter(
        user=conflict.user_id, entity=conflict.entity_id, predicate=conflict.predicate, verb=Verb.CONFIRM, by="member"
    )
    return {claim for claims in rulings.values_list("claims", flat=True) for claim in claims}


def _rule(conflict: Conflict, intended: Sequence[Intended], by: User, note: str) -> None:
    PersonsRuling.objects.bulk_create(
        PersonsRuling(
            user_id=conflict.user_id,
            entity_id=conflict.entity_id,
            predicate=conflict.predicate,
            verb=ruling.verb,
            claims=list(ruling.claims),
            by="member" if by.pk == conflict.user_id else "reviewer",
            actor=by,
            as_of=ruling.as_of,
            conflict=conflict,
            note=note,
            at=clock.now(),
        )
        for ruling in intended
    )


def _ask(conflict: Conflict, by: User, note: str) -> Settled:
    """Asked twice, it was asked once: the first question stands."""
    if conflict.asked_at is not None:
        return _standing(conflict, is_new=False)
    Conflict.objects.filter(pk=conflict.pk).update(asked_at=clock.now(), note=note)
    _note(conflict, by, "ask")
    return _standing(_again(conflict), is_new=True)


def _refold(user: User, conflict: Conflict) -> None:
    claims = Candidate.objects.filter(user=user, fact__conflict_sides__conflict=conflict)
    slots = claims.values_list("slot", flat=True).distinct()
    keys = [Key(conflict.entity_id, conflict.predicate, slot) for slot in slots]
    believing.refold(user.pk, keys, policy=policies.current(), language=user.language)


def _again(conflict: Conflict) -> Conflict:
    """As it is now. One that folding dissolved was answered all the same."""
    return Conflict.objects.filter(pk=conflict.pk).first() or conflict


def _note(conflict: Conflict, by: User, action: str) -> None:
    History.objects.create(
        user_id=conflict.user_id, actor=str(by.pk), action=action, table="conflict", row=conflict.pk, fields=[]
    )


def _standing(conflict: Conflict, *, is_new: bool) -> Settled:
    rulings = list(PersonsRuling.objects.filter(user=conflict.user_id, conflict=conflict.pk).select_related("actor"))
    first = rulings[0] if rulings and conflict.settled_by else None
    return Settled(
        conflict=conflict.pk,
        is_new=is_new,
        by=conflict.settled_by,
        actor=first.actor if first else None,
        at=conflict.settled_at,
        choice=_CHOICES[Verb(first.verb)] if first else None,
        winner=conflict.winner_id,
        note=first.note if first else conflict.note,
        asked_at=conflict.asked_at,
        can_undo=bool(rulings),
    )


_CHOICES = {
    Verb.SETTLE: Choice.ONE,
    Verb.BOTH: Choice.BOTH,
    Verb.CLOSE: Choice.TIMES,
    Verb.RETRACT: Choice.NEITHER,
}
