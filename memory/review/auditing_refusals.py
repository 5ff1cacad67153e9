"""Saying of a refusal in passing that it was right, or that the claim should have been kept; and taking that back.

It changes nothing of what is believed: taking the claim in is another step.
"""

from dataclasses import dataclass

from memory.errors import NotFound, Unanswerable
from memory.forgetting.outdating import lock
from memory.models import Access, Candidate, GateAudit, History, User
from memory.types import Verdict


@dataclass(frozen=True, slots=True)
class Audited:
    """How a refusal stands; `is_new` is whether this call brought it about."""

    is_new: bool
    row: GateAudit | None = None


def audit(user_id: int, candidate_id: int, *, is_right: bool, by: User) -> Audited:
    """Says it; inside the scope of whose claim it is. Said already, it stays as it was.

    Raises NotFound for no refusal, and Unanswerable for what was taken in.
    """
    row = _locked(user_id, candidate_id)
    defaults = {"is_right": is_right, "actor": by}
    said, is_new = GateAudit.objects.get_or_create(user_id=row.user_id, candidate=row, defaults=defaults)
    if is_new:
        _note(row, by, "audit")
    return Audited(is_new, said)


def undo(user_id: int, candidate_id: int, *, by: User) -> Audited:
    """Takes back what `by` said, or as an admin what anybody did. Raises NotFound, and Unanswerable for others'
    words and for what was taken in.
    """
    row = _locked(user_id, candidate_id)
    said = GateAudit.objects.filter(user=row.user_id, candidate=row).first()
    if said is None:
        return Audited(is_new=False)
    if said.actor_id != by.pk and by.access != Access.ADMIN:
        raise Unanswerable("Another reviewer said so. They can take it back, or an admin.")
    said.delete()
    _note(row, by, "unaudit")
    return Audited(is_new=True)


def _locked(user_id: int, candidate_id: int) -> Candidate:
    """The user's row first, as by everyone who writes for them."""
    row = Candidate.objects.filter(user=lock(user_id), pk=candidate_id).first()
    if row is not None and row.refused_for:
        raise Unanswerable("It was taken in meanwhile.")
    if row is None or row.verdict != Verdict.REFUSED:
        raise NotFound("There is no such refusal.")
    return row


def _note(row: Candidate, by: User, action: str) -> None:
    History.objects.create(user_id=row.user_id, actor=str(by.pk), action=action, table="candidate", row=row.pk)
