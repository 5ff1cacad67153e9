"""Putting right what is known: it is so, it was never so, it is no longer so, it is otherwise. Each can be undone.

What a person says of their own memory stands above anything inferred and above the model: it is a ruling, folded with
the claims whenever they are, and it is kept as a label of its own kind.
"""

from collections.abc import Callable
from datetime import date

from memory import clock, correcting, people, scope
from memory.errors import NotFound, NotLive, Refused
from memory.forgetting.outdating import lock
from memory.mine import ruling
from memory.models import Candidate, Correction, Episode, Fact, PersonsRuling, User
from memory.types import LIVE, LabelVerdict, Verb


def affirm(user_id: int, fact_id: int) -> Correction:
    """It is right: it does not fade below the floor from now on, and stands above any inference."""
    return _said(user_id, fact_id, LabelVerdict.CORRECT, lambda user, fact: ruling.rule(user, fact, Verb.CONFIRM))


def refuse(user_id: int, fact_id: int) -> Correction:
    """It was never true."""
    return _said(user_id, fact_id, LabelVerdict.INCORRECT, lambda user, fact: ruling.rule(user, fact, Verb.RETRACT))


def end(user_id: int, fact_id: int, *, as_of: date | None = None) -> Correction:
    """It is no longer true, since `as_of` or today. Raises NotLive for what is past already, Refused for a day to come."""
    with scope.user(user_id):
        zone = people.zone(User.objects.get(pk=user_id).time_zone)
    today = clock.now().astimezone(zone).date()
    if as_of is not None and as_of > today:
        raise Refused("That day is still to come.", reason="future")

    def close(user: User, fact: Fact) -> PersonsRuling:
        if fact.status not in LIVE:
            raise NotLive("This is not believed any more.")
        return ruling.rule(user, fact, Verb.CLOSE, as_of=as_of or today)

    return _said(user_id, fact_id, LabelVerdict.STALE, close, as_of=as_of or today)


def reword(user_id: int, fact_id: int, *, said: str, value: str = "") -> Correction:
    """It is as `said`. The old one was never true and the new one is believed at once; `value` names what changed,
    where the sentence does not tell. Raises NotLive, Refused with the gate's reason, or MemoryPaused.
    """
    with scope.user(user_id):
        user, fact = lock(user_id), _fact(user_id, fact_id)
        _take_back(user, fact)
        new = correcting.correct(user_id, fact_id, said=said, value=value)
        rulings = PersonsRuling.objects.filter(user=user, actor=user, verb=Verb.RETRACT)
        claim = Candidate.objects.filter(user=user, fact=new, extractor=correcting.EXTRACTOR).order_by("-pk").first()
        return Correction.objects.create(
            user=user,
            fact_id=fact_id,
            verdict=LabelVerdict.INCORRECT,
            ruling=rulings.order_by("-pk").first(),
            claim=claim,
            at=clock.now(),
        )


def undo(user_id: int, correction_id: int) -> int | None:
    """As if it had not been said: the fact that shows it now, None where none is left.

    A fact that was folded into another since is of no matter: what was said is about its claims. Undone twice, it stays
    undone, and what shows it then is None unless it is the fact itself. Raises NotFound.
    """
    with scope.user(user_id):
        user = lock(user_id)
        correction = Correction.objects.filter(user=user, pk=correction_id).select_related("ruling").first()
        if correction is None:
            raise NotFound("There is nothing to undo.")
        claims = correction.ruling.claims if correction.ruling else []
        if correction.undone_at is None:
            _undo(user, correction)
        if correction.fact_id is not None:
            return int(correction.fact_id)
        return Candidate.objects.filter(user=user, pk__in=claims).values_list("fact", flat=True).first()


def _said(
    user_id: int,
    fact_id: int,
    verdict: LabelVerdict,
    act: Callable[[User, Fact], PersonsRuling],
    *,
    as_of: date | None = None,
) -> Correction:
    """Said twice, it is said once; said otherwise than before, it takes the place of that."""
    with scope.user(user_id):
        user, fact = lock(user_id), _fact(user_id, fact_id)
        before: Correction | None = Correction.objects.filter(user=user, fact=fact, undone_at=None).first()
        if before is not None and before.verdict == verdict and before.as_of == as_of:
            return before
        _take_back(user, fact)
        fact.refresh_from_db(fields=["status", "object_key"])
        ruled = act(user, fact)
        return Correction.objects.create(
            user=user, fact=fact, verdict=verdict, as_of=as_of, ruling=ruled, at=clock.now()
        )


def _take_back(user: User, fact: Fact) -> None:
    for before in Correction.objects.filter(user=user, fact=fact, undone_at=None):
        _undo(user, before)


def _undo(user: User, correction: Correction) -> None:
    """The ruling goes, and with an edit what was said in its place. The fact may be another one, or none, by then."""
    keys = ruling.withdraw(user, correction.ruling_id)
    claim = Candidate.objects.filter(user=user, pk=correction.claim_id or 0).first()
    if claim is not None:
        keys |= ruling.keys_of(user, [claim.pk])
        Episode.objects.filter(user=user, pk=claim.episode_id, session=correcting.EXTRACTOR).delete()
    ruling.refold(user, keys)
    Correction.objects.filter(user=user, pk=correction.pk).update(undone_at=clock.now())
    correction.refresh_from_db()
    if correction.fact_id is not None:
        ruling.note(user, correction.fact_id, "undo")


def _fact(user_id: int, fact_id: int) -> Fact:
    fact = Fact.objects.filter(user=user_id, pk=fact_id).defer("embedding").first()
    if fact is None:
        raise NotFound("There is no such fact.")
    return fact
