"""Retiring many facts at once, of one person or of several: what it would do, doing it, and taking that back.

Each person's share is one transaction of their own scope; what is gone or retired already by then is left as it is.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db import models

from memory import believing, forgetting, policies, scope, text
from memory.believing import Key
from memory.errors import Refused
from memory.forgetting.outdating import lock
from memory.models import Candidate, ConflictSide, Derivation, Fact, History, PersonsRuling, User
from memory.types import Status, Verb

MOST = 200
"""Facts at once: what one can still look through."""
LONGEST_NOTE = 2_000


@dataclass(frozen=True, slots=True)
class Going:
    """What is chosen: the facts, and by fact what hangs on it. `retired` are taken back already."""

    facts: tuple[Fact, ...]
    retired: tuple[Fact, ...]
    derived: tuple[Fact, ...]
    """Inferred from them: these stay, and rest on less."""
    older: tuple[Fact, ...]
    """What they had replaced: believed again, if it still holds."""
    conflicts: int
    """Open questions that lose a side."""

    @property
    def people(self) -> int:
        """Whose facts they are, counted."""
        return len({fact.user_id for fact in self.facts + self.retired})

    @property
    def is_empty(self) -> bool:
        return not (self.facts or self.retired)


def going(ids: Iterable[int]) -> Going:
    """In four queries, in the staff's scope. What does not exist is not among it."""
    rows = _loaded(Fact.objects.filter(pk__in=sorted(set(ids))[:MOST]))
    chosen = [row.pk for row in rows]
    owners = {row.user_id for row in rows}
    derived = Derivation.objects.filter(user__in=owners, base__in=chosen).exclude(fact__in=chosen).values("fact")
    return Going(
        facts=tuple(row for row in rows if row.status != Status.RETRACTED),
        retired=tuple(row for row in rows if row.status == Status.RETRACTED),
        derived=tuple(_loaded(Fact.objects.filter(user__in=owners, pk__in=derived))),
        older=tuple(_loaded(Fact.objects.filter(user__in=owners, superseded_by__in=chosen).exclude(pk__in=chosen))),
        conflicts=ConflictSide.objects.filter(user__in=owners, fact__in=chosen, conflict__settled_by="")
        .values("conflict")
        .distinct()
        .count(),
    )


def retire(ids: Iterable[int], *, actor: User, note: str) -> int:
    """Takes the facts back as never true, with the reason; how many. Raises Refused without one."""
    reason = text.clean(note).text.strip()[:LONGEST_NOTE]
    if not reason:
        raise Refused("Say why: whoever looks at these facts later will want to know.")
    count = 0
    for user_id, facts in _owned(ids).items():
        with scope.user(user_id):
            lock(user_id)
            left = Fact.objects.filter(user=user_id, pk__in=facts).exclude(status=Status.RETRACTED)
            rulings = PersonsRuling.objects.filter(user=user_id)
            newest = rulings.aggregate(models.Max("pk"))["pk__max"] or 0
            count += len(forgetting.retire(user_id, list(left.values_list("pk", flat=True)), actor=actor))
            rulings.filter(pk__gt=newest).update(note=reason)
    return count


def restore(ids: Iterable[int], *, actor: User) -> int:
    """Takes back that this member of staff retired the facts, and nothing else that anybody said of them; how many."""
    count = 0
    for user_id, facts in _owned(ids).items():
        with scope.user(user_id):
            count += _unrule(lock(user_id), facts, actor)
    return count


def _unrule(user: User, facts: Iterable[int], actor: User) -> int:
    claims = dict(Candidate.objects.filter(user=user, fact__in=list(facts)).values_list("pk", "fact"))
    own = PersonsRuling.objects.filter(user=user, actor=actor, verb=Verb.RETRACT, claims__overlap=list(claims))
    own = own.filter(conflict=None).exclude(note="")  # retiring gives a reason: a label and an edit rule without one
    ruled = {claim for row in own for claim in row.claims}
    own.delete()
    standing = Candidate.objects.claims().filter(user=user, pk__in=ruled).exclude(entity=None)
    keys = {Key(*key) for key in standing.values_list(*_KEY)}
    if keys:
        believing.refold(user.pk, keys, policy=policies.current(), language=user.language)
    restored = {claims[claim] for claim in ruled & claims.keys()}
    History.objects.bulk_create(
        History(user=user, actor=str(actor.pk), action="restore", table="fact", row=pk, fields=["status"])
        for pk in sorted(pk for pk in restored if pk)
    )
    return len(restored)


_KEY = ("entity", "predicate", "slot")


def _owned(ids: Iterable[int]) -> Mapping[int, list[int]]:
    """The facts there are, by whose they are."""
    with scope.staff():
        rows = Fact.objects.filter(pk__in=sorted(set(ids))[:MOST]).order_by("user", "pk").values_list("user", "pk")
        found: dict[int, list[int]] = {}
        for owner, pk in rows:
            found.setdefault(owner, []).append(pk)
    return found


def _loaded(rows: models.QuerySet[Fact]) -> list[Fact]:
    related = rows.select_related("user", "entity").defer("embedding").order_by("user__external_id", "pk")
    return list(related.fetch_mode(models.FETCH_RAISE)[:MOST])
