"""Predicates that people found to have several true values: an admin may let them have many from then on."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import connection
from django.db.models import Count, Max

from memory import believing, clock, keying, policies, scope
from memory.believing import Key
from memory.errors import NotFound
from memory.forgetting.outdating import lock
from memory.models import Candidate, Fact, PersonsRuling, PredicateOffer, User
from memory.policy import Policy
from memory.types import Cardinality, Status, Verb

ACCEPTED, DECLINED = "accepted", "declined"


@dataclass(frozen=True, slots=True)
class Offer:
    """A one-valued predicate of which `rulings` answers said that both are true, the last one at `at`.

    `people` have facts on it, and `replaced` facts would be believed again beside what replaced them.
    """

    predicate: str
    rulings: int
    at: datetime
    people: int
    replaced: int


def offers() -> list[Offer]:
    """Those not answered yet, the most often found first; inside the staff's scope. Answers taken back don't count."""
    policy, answered = policies.current(), _answered()
    found = [
        (predicate, count, at)
        for predicate, count, at in _both()
        if _is_one_valued(predicate, policy) and at > answered.get(predicate, at.min.replace(tzinfo=at.tzinfo))
    ]
    people, replaced = _touched([predicate for predicate, _, _ in found])
    return [Offer(name, count, at, people.get(name, 0), replaced.get(name, 0)) for name, count, at in found]


def accept(predicate: str, *, by: User) -> bool:
    """Makes the predicate many-valued, by a new version of the policy; inside the staff's scope.

    Returns whether that is new. What stands on it is folded anew by `spread`, which the caller sees to.
    """
    offer = _open(predicate, by)
    if offer is None:
        return False
    if not _is_one_valued(predicate, policies.current()):
        offer.delete()
        return False
    policies.change({f"cardinality.{predicate}": Cardinality.MANY.value}, note="both were true", actor=by)
    _answer(offer, ACCEPTED)
    return True


def decline(predicate: str, *, by: User) -> None:
    """Leaves the predicate one-valued, until somebody finds two of its values true again; inside the staff's scope."""
    offer = _open(predicate, by)
    if offer is not None:
        _answer(offer, DECLINED)


def unspread() -> list[str]:
    """Predicates that were accepted and that not everybody's facts follow yet."""
    with scope.staff():
        rows = PredicateOffer.objects.filter(answer=ACCEPTED, spread_at=None)
        return sorted(set(rows.values_list("predicate", flat=True)))


def spread(predicate: str) -> int:
    """Folds anew everybody's facts on the predicate, one person at a time; how many people. Again changes nothing.

    One at a time: while another worker is at it, nothing is left to do here.
    """
    with connection.cursor() as cursor:
        cursor.execute(TAKE, [predicate])
        if not cursor.fetchone()[0]:
            return 0
        try:
            return _spread(predicate)
        finally:
            cursor.execute(GIVE_BACK, [predicate])


TAKE = "SELECT pg_try_advisory_lock(hashtext('assay.spread'), hashtext(%s))"
GIVE_BACK = "SELECT pg_advisory_unlock(hashtext('assay.spread'), hashtext(%s))"


def _spread(predicate: str) -> int:
    with scope.staff():
        owners = list(Candidate.objects.filter(predicate=predicate).order_by("user").values_list("user").distinct())
        started = clock.now()
    for (user_id,) in owners:
        _refold(user_id, predicate)
    with scope.staff():
        rows = PredicateOffer.objects.filter(predicate=predicate, answer=ACCEPTED, spread_at=None)
        rows.filter(answered_at__lte=started).update(spread_at=clock.now())
    return len(owners)


def _refold(user_id: int, predicate: str) -> None:
    with scope.user(user_id):
        user = lock(user_id)
        claims = Candidate.objects.claims().filter(user=user, predicate=predicate).exclude(entity=None)
        keys = [Key(*key) for key in claims.values_list("entity", "predicate", "slot").distinct()]
        believing.refold(user_id, keys, policy=policies.current(), language=user.language)


def _both() -> list[tuple[str, int, datetime]]:
    rulings = PersonsRuling.objects.filter(verb=Verb.BOTH).exclude(predicate="").order_by()
    rows = rulings.values_list("predicate").annotate(count=Count("pk"), last=Max("at"))
    return list(rows.order_by("-count", "predicate"))


def _answered() -> dict[str, datetime]:
    rows = PredicateOffer.objects.exclude(answer="").order_by().values_list("predicate")
    return dict(rows.annotate(Max("answered_at")))


def _touched(predicates: Sequence[str]) -> tuple[dict[str, int], dict[str, int]]:
    facts = Fact.objects.filter(predicate__in=predicates).order_by()
    people: dict[str, int] = defaultdict(int)
    people |= dict(facts.values_list("predicate").annotate(Count("user", distinct=True)))
    replaced = facts.filter(status=Status.SUPERSEDED).exclude(superseded_by=None).values_list("predicate")
    return people, dict(replaced.annotate(Count("pk")))


def _is_one_valued(predicate: str, policy: Policy) -> bool:
    return keying.cardinality(predicate, policy.vocabulary) == Cardinality.ONE


def _open(predicate: str, by: User) -> PredicateOffer | None:
    """The open offer, locked, so that two admins answer one after the other; None for the second."""
    if not PersonsRuling.objects.filter(verb=Verb.BOTH, predicate=predicate).exclude(predicate="").exists():
        raise NotFound("Nobody found two of its values true.")
    values = {"offered_by": by, "offered_at": clock.now()}
    offer, _ = PredicateOffer.objects.get_or_create(predicate=predicate, answer="", defaults=values)
    return PredicateOffer.objects.select_for_update().filter(pk=offer.pk, answer="").first()


def _answer(offer: PredicateOffer, answer: str) -> None:
    PredicateOffer.objects.filter(pk=offer.pk).update(answer=answer, answered_at=clock.now())
