"""Carrying a policy out: what is stored becomes what it would be, had the policy been so all along.

What is believed is folded anew where the fold would say something else, dates of fading are set anew, and what
time or the ceiling overtakes by the new numbers lapses; what only the old ones had overtaken comes back. What the
gate refused or let through stays: a new gate is for what is read from then on.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Q

from memory import believing, clock, keying, people, policies, scope, upkeep
from memory.believing import Key
from memory.forgetting.outdating import lock
from memory.models import Candidate, User
from memory.models.candidates import CandidateQuerySet
from memory.policy import Policy
from memory.review import reports, rounds
from memory.review.rounds import Round

FOLDED = (
    *("birth", "min_support", "hold_days", "update_window_days", "reinforce_step", "same_session_step"),
    *("contradict_step", "inferred_cap", "max_confidence", "auto_settle"),
)
"""Thresholds that every fold depends on."""
FADING = ("min_confidence", "half_life_days", "ceiling", "hold_days")
"""Those that decide what lapses."""


@dataclass(frozen=True, slots=True)
class Difference:
    """What of the memory two policies may see differently.

    Claims on `predicates` or on one that begins with one of `families`, claims of `kinds`, or with `is_deep` all of
    them are folded anew; with `is_fading` facts may lapse or come back.
    """

    predicates: frozenset[str] = frozenset()
    families: frozenset[str] = frozenset()
    kinds: frozenset[str] = frozenset()
    is_deep: bool = False
    is_fading: bool = False

    @property
    def is_folded(self) -> bool:
        return bool(self.is_deep or self.predicates or self.families or self.kinds)


def differ(old: Policy, new: Policy) -> Difference:
    """What has to be looked at when `new` takes the place of `old`."""
    one, other = old.thresholds, new.thresholds
    names = old.vocabulary.cardinality.keys() | new.vocabulary.cardinality.keys()
    changed = {
        name for name in names if keying.cardinality(name, old.vocabulary) != keying.cardinality(name, new.vocabulary)
    }
    kinds = one.half_life_days.keys() | other.half_life_days.keys()
    return Difference(
        predicates=frozenset(changed),
        families=frozenset(name.removesuffix("*") for name in changed if name.endswith("*")),
        kinds=frozenset(kind for kind in kinds if one.half_life_days.get(kind) != other.half_life_days.get(kind)),
        is_deep=any(getattr(one, name) != getattr(other, name) for name in FOLDED),
        is_fading=any(getattr(one, name) != getattr(other, name) for name in FADING),
    )


def touched(difference: Difference) -> list[int]:
    """Whose memory has to be gone through; inside the staff's scope."""
    if difference.is_fading or difference.is_deep:
        users = User.objects.filter(pk__in=Candidate.objects.claims().values("user"))
        return list(users.order_by("pk").values_list("pk", flat=True))
    if not difference.is_folded:
        return []
    return sorted(set(_claims(difference).values_list("user", flat=True).distinct()))


def carry(user_id: int, policy: Policy, difference: Difference) -> None:
    """One person's memory as the policy would have it; inside their scope. Again changes nothing."""
    user = lock(user_id)
    if difference.is_folded:
        _refold(user, _keys(_claims(difference)), policy)
    whose = {user_id: clock.now().astimezone(people.zone(user.time_zone)).date()}
    if difference.is_fading:
        upkeep.refade(policy)
        if woken := upkeep.wake(policy, whose):
            _refold(user, _keys(Candidate.objects.claims().filter(fact__in=woken)), policy)
    upkeep.lapse(policy, whose)


def carry_out(version: int, *, seconds: float = rounds.PIECE) -> Round:
    """Carries a stored version out for everybody, one person at a time, from where it was left until the piece ends.

    What is in force by then is what is carried out. Raises NotFound.
    """
    gone = rounds.begin(reports.CARRIED, str(version), seconds=seconds)
    with scope.staff():
        difference = differ(policies.numbered(max(0, version - 1)), policies.numbered(version))
        users = touched(difference)
    for user_id in gone.through("carried", users):
        _carry_current(user_id, difference)
    return gone


def _carry_current(user_id: int, difference: Difference) -> None:
    with scope.user(user_id):
        if User.objects.filter(pk=user_id).exists():  # not if they left meanwhile
            carry(user_id, policies.current(), difference)


def _claims(difference: Difference) -> CandidateQuerySet:
    """The claims on which the two policies may differ: everybody's in the staff's scope, one's own in a person's."""
    claims = Candidate.objects.claims().exclude(entity=None)
    if difference.is_deep:
        return claims
    wanted = Q(predicate__in=difference.predicates) | Q(kind__in=difference.kinds) | Q(fact__kind__in=difference.kinds)
    for family in difference.families:
        wanted |= Q(predicate__startswith=family)
    return claims.filter(wanted)


def _keys(claims: CandidateQuerySet) -> set[Key]:
    return {Key(*key) for key in claims.exclude(entity=None).values_list("entity", "predicate", "slot").distinct()}


def _refold(user: User, keys: Iterable[Key], policy: Policy) -> None:
    if keys:
        believing.refold(user.pk, keys, policy=policy, language=user.language)


def report(version: str) -> dict[str, int] | None:
    """That a version was carried out, as plain numbers; None while there are people left to go through."""
    gone = carry_out(int(version))
    return {"people": gone.stages["carried"]["done"]} if gone.is_whole else None
