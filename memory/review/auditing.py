"""Auditing how claims were resolved: what a reviewer says of a pair of claims is folded from then on, and can be taken back."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from memory import believing, clock, keying, policies
from memory.believing import Key, loading
from memory.errors import NotFound, Unanswerable
from memory.forgetting.outdating import lock
from memory.models import Access, Candidate, History, JudgedPair, Resolution, User
from memory.policy import Policy
from memory.resolver import fold
from memory.types import AUTOMATIC, Cardinality, Folded, Judged, Relation


@dataclass(frozen=True, slots=True)
class Audited:
    """How a resolution stands. `was` is what had been decided, `answer` what a person says ("" while nobody has).

    `is_new` is whether this call brought it about; `relation` is what the claim is resolved to now.
    """

    is_new: bool
    was: str
    answer: str
    relation: str
    by: str
    actor: User | None
    at: datetime | None

    @property
    def is_right(self) -> bool:
        return bool(self.answer) and self.answer == self.was


def audit(user_id: int, candidate_id: int, answer: Judged | None, *, by: User) -> Audited:
    """Says how a claim was to be resolved against what it was resolved against; inside its person's scope.

    The answer that was given says that it was right, another one that it was wrong, and None that it was wrong
    without saying how (`otherwise`). It is folded at once. Audited already, it stays so. Raises NotFound, or
    Unanswerable for what nobody decided by themselves.
    """
    user = lock(user_id)
    row = _resolution(user, candidate_id)
    if _said(user, candidate_id):
        return told(user_id, candidate_id)
    if row.relation not in AUTOMATIC:
        raise Unanswerable("Only what was decided without asking anybody can be audited.")
    _answer(row, answer, by=by)
    _refold(user, _key(row.candidate), policies.current())
    _note(user_id, candidate_id, by, "audit")
    audited = told(user_id, candidate_id, is_new=True)
    if not audited.is_right and audited.relation == audited.was:
        raise Unanswerable("It cannot be resolved otherwise: what is known of this has gone on since.")
    return audited


def undo(user_id: int, candidate_id: int, *, by: User) -> Audited:
    """Takes back what `by` said, or as an admin what any reviewer did: the claim is resolved by the rules again.

    What its person said stands until they take it back themselves. Raises Unanswerable for others' words.
    """
    user = lock(user_id)
    row = _resolution(user, candidate_id)
    said = JudgedPair.objects.filter(user=user, new=candidate_id).exclude(by="")
    is_gone, _ = said.filter(_takeable(user_id, by)).delete()
    if is_gone:
        _refold(user, _key(row.candidate), policies.current())
        _note(user_id, candidate_id, by, "unaudit")
    elif said.exists():
        raise Unanswerable("Somebody else said so. They can take it back; what a reviewer said an admin can, too.")
    return told(user_id, candidate_id, is_new=bool(is_gone))


def _takeable(user_id: int, by: User) -> Q:
    if by.pk == user_id:
        return Q(by="member")
    return Q(by="reviewer") if by.access == Access.ADMIN else Q(by="reviewer", actor=by)


def told(user_id: int, candidate_id: int, *, is_new: bool = False) -> Audited:
    """How the resolution of a claim stands."""
    row = Resolution.objects.filter(user=user_id, candidate=candidate_id).first()
    if row is None:
        raise NotFound("There is no such decision.")
    said = (
        JudgedPair.objects.filter(user=user_id, new=candidate_id)
        .exclude(by="")
        .select_related("actor")
        .order_by("by")
        .first()
    )
    if said is None:
        return Audited(is_new, row.relation, "", row.relation, "", None, None)
    return Audited(is_new, said.was, said.answer, row.relation, said.by, said.actor, said.at)


def otherwise(relation: Relation, predicate: str, policy: Policy) -> Judged:
    """What a wrong decision is taken for: a question, but on keys that may have many values another one."""
    if relation == Relation.DUPLICATE and keying.cardinality(predicate, policy.vocabulary) != Cardinality.ONE:
        return Judged.COMPATIBLE
    return Judged.CONFLICT


def _answer(row: Resolution, answer: Judged | None, *, by: User) -> None:
    policy = policies.current()
    JudgedPair.objects.create(
        user_id=row.user_id,
        known_id=_founder(row.user_id, _key(row.candidate), row.candidate_id, policy),
        new_id=row.candidate_id,
        answer=answer or otherwise(Relation(row.relation), row.candidate.predicate, policy),
        why=row.why,
        by="member" if by.pk == row.user_id else "reviewer",
        actor=by,
        was=row.relation,
        at=clock.now(),
    )


def _resolution(user: User, candidate_id: int) -> Resolution:
    row = Resolution.objects.filter(user=user, candidate=candidate_id).select_related("candidate").first()
    if row is None or row.candidate.entity_id is None:
        raise NotFound("There is no such decision.")
    return row


def _said(user: User, candidate_id: int) -> bool:
    return JudgedPair.objects.filter(user=user, new=candidate_id).exclude(by="").exists()


def _key(claim: Candidate) -> Key:
    return Key(claim.entity_id or 0, claim.predicate, claim.slot)


def _founder(user_id: int, key: Key, candidate_id: int, policy: Policy) -> int:
    """The first claim of the fact that it was resolved against: in whatever order claims come, it comes before."""
    known = loading.load(user_id, [key])
    rulings = known.rulings.get(key, ())
    folded = fold(known.claims[key], rulings=rulings, judged=known.judged, insisted=known.insisted, policy=policy)
    found = founder_of(folded, candidate_id)
    if found is None:
        raise Unanswerable("It was not resolved against anything that is known still.")
    return found


def founder_of(folded: Folded, claim: int) -> int | None:
    """The first claim of what `claim` was resolved against; None if that is nothing."""
    decision = next((made for made in folded.decisions if made.claim == claim), None)
    if decision is None:
        return None
    place = decision.fact if decision.relation == Relation.DUPLICATE else decision.against
    claims = () if place is None else folded.facts[place].claims
    return next((other for other in claims if other != claim), None)


def _refold(user: User, key: Key, policy: Policy) -> None:
    believing.refold(user.pk, [key], policy=policy, language=user.language)


def _note(user_id: int, candidate_id: int, by: User, action: str) -> None:
    History.objects.create(
        user_id=user_id, actor=str(by.pk), action=action, table="resolution", row=candidate_id, fields=["relation"]
    )
