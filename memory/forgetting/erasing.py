"""Erasing: final. What is named goes everywhere it is kept, and leaves hashes that keep it away."""

from collections.abc import Iterable
from typing import Any

from django.db.models import F
from django.utils import timezone

from memory import attributing, believing, policies
from memory.believing import Key
from memory.forgetting.previewing import ERASED, Preview, Sentence, preview
from memory.marks import marks_of
from memory.models import (
    Candidate,
    Entity,
    Episode,
    Erasure,
    Evidence,
    Fact,
    History,
    Job,
    JobState,
    PersonsRuling,
    Receipt,
    Resolution,
    Turn,
    User,
)
from memory.types import Relation, Verb


def erase(user_id: int, facts: Iterable[int], *, actor: str, was_wrong: bool = False) -> Receipt:
    """Erases facts and all that holds them; inside the user's scope. Returns the receipt, which has no content.

    What they had superseded stays past, unless the person says that they were wrong: then it is believed again
    if it still holds. Extractions under way write nothing afterwards.
    """
    user = User.objects.select_for_update().get(pk=user_id)
    going = preview(user_id, facts)
    keys = _keys(user_id, going)
    if not was_wrong:
        _keep_past(user_id, going)
    names = _names(user_id, going)
    _mark(user_id, going)
    blanked = _blank(user_id, going.sentences)
    _delete(user_id, going)
    keys |= {Key(*key) for key in attributing.attribute_names(user_id, names)}
    believing.refold(user_id, keys, policy=policies.current(), language=user.language)
    _drop_entities(user_id)
    _outdate(user)
    counts = going.counts | {"turns": blanked}
    History.objects.bulk_create(
        History(user_id=user_id, actor=actor, action="erase", table="fact", row=pk) for pk in going.all_facts
    )
    return Receipt.objects.create(user_id=user_id, act="erase", counts=counts, actor=actor)


def _keys(user_id: int, going: Preview) -> set[Key]:
    claims = Candidate.objects.filter(user=user_id, pk__in=going.candidates).exclude(entity=None)
    return {Key(*key) for key in claims.values_list("entity", "predicate", "slot")}


def _keep_past(user_id: int, going: Preview) -> None:
    """Rulings without content that say of what was superseded or corrected what the erased claims had said of it."""
    corrected = Resolution.objects.filter(
        user=user_id, candidate__in=going.candidates, relation=Relation.CORRECTION
    ).values_list("against", flat=True)
    rows = Fact.objects.filter(user=user_id, pk__in=[*going.older, *corrected]).exclude(pk__in=going.all_facts)
    PersonsRuling.objects.bulk_create(
        PersonsRuling(
            user_id=user_id,
            entity_id=row.entity_id,
            predicate=row.predicate,
            verb=Verb.CLOSE if row.pk in going.older else Verb.RETRACT,
            claims=sorted(claim.pk for claim in row.claims.all()),
            by="member",
            as_of=row.ended_on,
            at=row.last_supported_at,
        )
        for row in rows.prefetch_related("claims")
    )


def _names(user_id: int, going: Preview) -> set[str]:
    claims = Candidate.objects.filter(user=user_id, pk__in=going.candidates)
    return {name for pair in claims.values_list("subject_key", "note_key") for name in pair if name}


def _mark(user_id: int, going: Preview) -> None:
    rows = Candidate.objects.filter(user=user_id, fact__in=going.all_facts)
    found = {
        marks_of(user_id, subject=subject, predicate=predicate, object_key=object_key)
        for subject, predicate, object_key in rows.values_list("subject_key", "predicate", "object_key")
    }
    Erasure.objects.bulk_create(
        [Erasure(user_id=user_id, claim_mark=marks.claim, key_mark=marks.key) for marks in found],
        update_conflicts=True,
        unique_fields=["user", "claim_mark"],
        update_fields=["lifted_at"],
    )


def _blank(user_id: int, sentences: Iterable[Sentence]) -> int:
    """Blanks the sentences in their turns, and in the quotes of what stays; how many turns that touched."""
    by_turn: dict[int, list[Sentence]] = {}
    for sentence in sentences:
        by_turn.setdefault(sentence.turn, []).append(sentence)
    turns = list(Turn.objects.filter(user=user_id, pk__in=by_turn))
    for turn in turns:
        gone = [turn.content[s.start : s.end] for s in by_turn[turn.pk]]
        for s in sorted(by_turn[turn.pk], key=lambda s: -s.start):
            turn.content = turn.content[: s.start] + ERASED + turn.content[s.end :]
        Turn.objects.filter(pk=turn.pk).update(content=turn.content, embedding=None, embedding_model="")
        _blank_quotes(user_id, turn, gone)
    Episode.objects.filter(user=user_id, pk__in={turn.episode_id for turn in turns}).update(content_hash="")
    return len(turns)


def _blank_quotes(user_id: int, turn: Turn, gone: Iterable[str]) -> None:
    """Of facts that stay but were said in a sentence that goes."""
    for row in Evidence.objects.filter(user=user_id, episode=turn.episode_id, turn=turn.n):
        if any(row.quote in sentence or sentence in row.quote for sentence in gone):
            Evidence.objects.filter(pk=row.pk).update(quote=ERASED)


def _delete(user_id: int, going: Preview) -> None:
    PersonsRuling.objects.filter(user=user_id, claims__contained_by=list(going.candidates)).delete()
    Candidate.objects.filter(user=user_id, pk__in=going.candidates).delete()
    Fact.objects.filter(user=user_id, pk__in=going.all_facts).delete()


def _drop_entities(user_id: int) -> None:
    """A name that nothing speaks of any more is content too."""
    unused: dict[str, Any] = {"facts": None, "claims": None, "is_owner": False}
    Entity.objects.filter(user=user_id, **unused).delete()


def _outdate(user: User) -> None:
    """What was read before must not be written now: extractions under way start anew."""
    User.objects.filter(pk=user.pk).update(epoch=F("epoch") + 1)
    Job.objects.filter(user=user, state=JobState.RUNNING).update(
        state=JobState.WAITING, run_after=timezone.now(), lease_until=None
    )
