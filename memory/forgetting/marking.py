"""What is left of an erased claim: keyed hashes, under every name that its subject goes by."""

from collections import defaultdict
from collections.abc import Iterator

from memory import clock
from memory.forgetting.previewing import Preview
from memory.marks import marks_of
from memory.models import Alias, Candidate, Entity, Erasure, Fact


def mark(user_id: int, going: Preview) -> None:
    """Keeps the claims behind `going` from being learnt again; a mark that was lifted holds again."""
    said = {
        marks_of(user_id, subject=subject, predicate=predicate, object_key=content)
        for subject, predicate, content in _said(user_id, going)
        if content
    }
    Erasure.objects.bulk_create(
        [Erasure(user_id=user_id, claim_mark=one.claim, key_mark=one.key, erased_at=clock.now()) for one in said],
        update_conflicts=True,
        unique_fields=["user", "claim_mark"],
        update_fields=["key_mark", "erased_at", "lifted_at"],
    )


def _said(user_id: int, going: Preview) -> Iterator[tuple[str, str, str]]:
    names = _names(user_id)
    claims = Candidate.objects.filter(user=user_id, pk__in=going.claims).exclude(text="")
    said = claims.exclude(verdict="refused").values_list("entity", "subject_key", "predicate", "object_key")
    for entity, subject, predicate, content in said:
        for name in names.get(entity, set()) | ({subject} if subject or entity is None else set()):
            yield name, predicate, content
    facts = Fact.objects.filter(user=user_id, pk__in=going.all_facts)
    for entity, predicate, content in facts.values_list("entity", "predicate", "object_key"):
        for name in names.get(entity, ()):
            yield name, predicate, content


def _names(user_id: int) -> dict[int | None, set[str]]:
    """How claims call each entity; the user themselves by no name."""
    names: dict[int | None, set[str]] = defaultdict(set)
    for pk, name, is_owner in Entity.objects.filter(user=user_id).values_list("pk", "name_key", "is_owner"):
        names[pk].add("" if is_owner else name)
    for pk, name in Alias.objects.filter(user=user_id, entity__is_owner=False).values_list("entity", "alias_key"):
        names[pk].add(name)
    return dict(names)
