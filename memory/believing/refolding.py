"""The stage's verb: load the claims on some keys, fold each key, write what differs."""

from collections.abc import Iterable

from memory.believing import loading, writing
from memory.believing.conflicts import settle_groups
from memory.believing.loading import Key, Known
from memory.believing.matching import match
from memory.models import Entity
from memory.policy import Policy
from memory.resolver import fold
from memory.types import Folded, Pair

__all__ = ["Key", "refold"]


def refold(user_id: int, keys: Iterable[Key], *, policy: Policy, language: str = "en") -> list[Pair]:
    """Folds the keys anew and makes the rows agree; returns pairs of claims that want a judge.

    Must run inside the user's scope; `language` is theirs, for full text. The same claims give the same rows, whatever was there.
    """
    known = loading.load(user_id, sorted(set(keys)))
    folded = {key: _fold(known, key, policy) for key in known.claims}
    plan = match(folded, known, policy=policy)
    writing.write(user_id, plan, known, language=language)
    settle_groups(user_id, plan, known)
    _drop_unspoken(user_id, known)
    return [pair for result in folded.values() for pair in result.undecided]


def _drop_unspoken(user_id: int, known: Known) -> None:
    """An entity that all claims have left, as when "my brother" turns out to be Tom, is gone."""
    left = {key.entity for key, claims in known.claims.items() if not claims}
    if left:
        unspoken = Entity.objects.filter(user=user_id, pk__in=left, is_owner=False)
        unspoken.filter(claims=None, facts=None, aliases=None).delete()


def _fold(known: Known, key: Key, policy: Policy) -> Folded:
    rulings = known.rulings.get(key, ())
    return fold(known.claims[key], rulings=rulings, judged=known.judged, insisted=known.insisted, policy=policy)
