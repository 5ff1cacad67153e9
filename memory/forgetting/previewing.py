"""What an erasure would take, before it is done: the facts named, what depends on them, and rows by table."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import reduce
from operator import or_

from django.db.models import Q

from memory.forgetting import wording
from memory.forgetting.sentences import Sentence, beside, find
from memory.models import Candidate, Derivation, Entity, Evidence, Fact, Resolution
from memory.types import Relation, Status, Verdict


@dataclass(frozen=True, slots=True)
class Preview:
    """`facts` are those named, with any that say the very same; `dependent` those derived only from them.

    All by their ids, for whoever shows their texts.
    """

    user_id: int
    facts: tuple[int, ...]
    dependent: tuple[int, ...]
    claims: tuple[int, ...]
    """The candidates that said what goes."""
    candidates: tuple[int, ...]
    """Those, and the refused and held ones that hold words of it."""
    sentences: tuple[Sentence, ...]
    entities: tuple[int, ...] = ()
    """Of whom nothing else speaks."""
    older: tuple[int, ...] = ()
    """What the facts had superseded or corrected: back only if the person says that they were wrong."""
    words: frozenset[str] = frozenset()
    counts: dict[str, int] = field(default_factory=dict)

    @property
    def all_facts(self) -> tuple[int, ...]:
        return self.facts + self.dependent


def preview(user_id: int, facts: Iterable[int]) -> Preview:
    """Exactly what `erase` of these facts would take; inside the user's scope."""
    named = _same(user_id, facts)
    dependent = _dependent(user_id, named)
    gone = [*named, *dependent]
    claims = _claims(user_id, gone)
    entities = _left(user_id, gone, claims)
    words = wording.own_words(user_id, gone, claims, entities)
    sentences = find(user_id, claims, words)
    candidates = claims | beside(user_id, sentences, words)
    return Preview(
        user_id=user_id,
        facts=tuple(named),
        dependent=tuple(dependent),
        claims=tuple(sorted(claims)),
        candidates=tuple(sorted(candidates)),
        sentences=tuple(sentences),
        entities=tuple(entities),
        older=tuple(_older(user_id, gone, claims)),
        words=words,
        counts=_counts(user_id, gone, candidates) | {"sentences": len(sentences), "entities": len(entities)},
    )


def _counts(user_id: int, facts: list[int], candidates: set[int]) -> dict[str, int]:
    return {
        "facts": len(facts),
        "candidates": len(candidates),
        "evidence": Evidence.objects.filter(user=user_id, candidate__in=candidates).count(),
    }


def _same(user_id: int, facts: Iterable[int]) -> list[int]:
    """The facts named, and others that say the same of another time: what is erased is the claim."""
    named = Fact.objects.filter(user=user_id, pk__in=list(facts))
    rows = list(named.values_list("pk", "entity", "predicate", "object_key", "polarity"))
    same = [
        Q(entity=entity, predicate=predicate, object_key=content, polarity=polarity)
        for _, entity, predicate, content, polarity in rows
        if content
    ]
    found = {pk for pk, *_ in rows}
    if same:
        found |= set(Fact.objects.filter(reduce(or_, same), user=user_id).values_list("pk", flat=True))
    return sorted(found)


def _dependent(user_id: int, named: list[int]) -> list[int]:
    """Facts derived from those going, and from nothing that stays; and theirs in turn."""
    bases: dict[int, set[int]] = {}
    for fact, base in Derivation.objects.filter(user=user_id).values_list("fact", "base"):
        bases.setdefault(fact, set()).add(base)
    gone = set(named)
    while more := {fact for fact, on in bases.items() if fact not in gone and on <= gone}:
        gone |= more
    return sorted(gone - set(named))


def _claims(user_id: int, facts: list[int]) -> set[int]:
    """Candidates behind the facts, those that ended or took them back, and refused ones that said the same."""
    own = Candidate.objects.filter(user=user_id)
    found = set(own.filter(fact__in=facts).values_list("pk", flat=True))
    against = Resolution.objects.filter(user=user_id, against__in=facts).values("candidate")
    found |= set(own.filter(fact=None, pk__in=against).values_list("pk", flat=True))
    rows = Fact.objects.filter(user=user_id, pk__in=facts).exclude(object_key="")
    same = [
        Q(predicate=predicate, object_key=content) & (Q(entity=entity) | Q(entity=None, verdict=Verdict.REFUSED))
        for entity, predicate, content in rows.values_list("entity", "predicate", "object_key")
    ]
    if same:
        found |= set(own.filter(reduce(or_, same), fact=None).values_list("pk", flat=True))
    return found


def _left(user_id: int, facts: list[int], claims: set[int]) -> list[int]:
    """Entities of which nothing speaks once these are gone."""
    spoken = Entity.objects.filter(Q(facts__in=facts) | Q(claims__in=claims), user=user_id, is_owner=False)
    named = set(spoken.values_list("pk", flat=True))
    others = Fact.objects.filter(user=user_id, entity__in=named).exclude(pk__in=facts)
    named -= set(others.values_list("entity", flat=True))
    still = Candidate.objects.filter(user=user_id, entity__in=named).exclude(pk__in=claims)
    return sorted(named - set(still.values_list("entity", flat=True)))


_PEACEFUL = (Relation.NEW, Relation.DUPLICATE, Relation.COMPATIBLE, Relation.OVERLAY)
"""What says that a claim stands beside another: neither is past because of it."""


def _older(user_id: int, facts: list[int], claims: set[int]) -> list[int]:
    """What stays and is past because of what goes: superseded, taken back, or filed behind it."""
    staying = Fact.objects.filter(user=user_id).exclude(pk__in=facts)
    past = staying.filter(status__in=[Status.SUPERSEDED, Status.RETRACTED])
    told = Resolution.objects.filter(user=user_id).exclude(relation__in=_PEACEFUL)
    found = past.filter(
        Q(superseded_by__in=facts)
        | Q(pk__in=told.filter(candidate__in=claims).values("against"))
        | Q(pk__in=told.filter(against__in=facts).values("fact"))
    )
    return sorted(found.values_list("pk", flat=True))
