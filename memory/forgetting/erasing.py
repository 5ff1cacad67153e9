"""Erasing: final. What is named goes everywhere it is kept, and leaves hashes that keep it away."""

from collections.abc import Iterable
from functools import partial

from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from memory import attributing, believing, clock, exports, people, policies, upkeep
from memory.believing import Key
from memory.errors import NotFound
from memory.forgetting import blanking, marking, requested, wording
from memory.forgetting.outdating import lock, outdate
from memory.forgetting.previewing import Preview, preview
from memory.models import (
    Alias,
    Candidate,
    Conflict,
    Entity,
    ErasureRequest,
    Fact,
    History,
    PersonsRuling,
    Receipt,
    Transfer,
    TransferChunk,
    User,
)
from memory.types import Status, TransferState, Verb


def erase(user_id: int, facts: Iterable[int], *, actor: str, was_wrong: bool = False) -> Receipt:
    """Erases facts and all that holds them; inside the user's scope. Returns the receipt, which has no content.

    What they had superseded stays past, unless the person says that they were wrong: then it is believed again
    if it still holds. Extractions under way write nothing afterwards. Raises NotFound when none of them is there.
    """
    user = lock(user_id)
    going = preview(user_id, facts)
    if not going.facts:
        raise NotFound("There is no such fact. It may have been erased already.")
    if not was_wrong:
        _keep_past(user_id, going)
    keys, names = _keys(user_id, going), _names(user_id, going)
    marking.mark(user_id, going)
    turns = blanking.blank(user_id, going.sentences)
    _delete(user_id, going)
    _believe(user, keys, names)
    _drop_names(user_id, going, names)
    blanking.scrub(user_id, going.words)
    _answer_requests(user_id)
    outdate(user_id)
    transaction.on_commit(partial(exports.remove, user.external_id), robust=True)
    return _record(user_id, going, actor=actor, turns=turns, transfers=_drop_transfers(user_id))


def _keys(user_id: int, going: Preview) -> set[Key]:
    claims = Candidate.objects.filter(user=user_id, pk__in=going.claims).exclude(entity=None)
    return {Key(*key) for key in claims.values_list("entity", "predicate", "slot")}


def _names(user_id: int, going: Preview) -> set[str]:
    claims = Candidate.objects.filter(user=user_id, pk__in=going.candidates)
    return {name for pair in claims.values_list("subject_key", "note_key") for name in pair if name}


def _keep_past(user_id: int, going: Preview) -> None:
    """Rulings without content that say of what is past by the erased claims what these had said of it."""
    rows = Fact.objects.filter(user=user_id, pk__in=going.older).prefetch_related("claims")
    PersonsRuling.objects.bulk_create(
        PersonsRuling(
            user_id=user_id,
            entity_id=row.entity_id,
            predicate=row.predicate,
            verb=Verb.RETRACT if row.status == Status.RETRACTED else Verb.CLOSE,
            claims=sorted(claim.pk for claim in row.claims.all()),
            by="member",
            as_of=row.ended_on,
            at=row.last_supported_at,
        )
        for row in rows
    )


def _delete(user_id: int, going: Preview) -> None:
    """Postgres takes what hangs on them: quotes, resolutions, judgements, derivations, sides of conflicts."""
    PersonsRuling.objects.filter(user=user_id, claims__contained_by=list(going.candidates)).delete()
    Candidate.objects.filter(user=user_id, pk__in=going.candidates).delete()
    Fact.objects.filter(user=user_id, pk__in=going.all_facts).delete()
    Conflict.objects.filter(user=user_id, sides=None).delete()


def _believe(user: User, keys: set[Key], names: set[str]) -> None:
    """Folds anew what the erased claims had a part in."""
    keys |= {Key(*key) for key in attributing.attribute_names(user.pk, names)}
    policy = policies.current()
    believing.refold(user.pk, keys, policy=policy, language=user.language)
    upkeep.lapse_one(policy, user.pk, today=clock.now().astimezone(people.zone(user.time_zone)).date())


def _drop_names(user_id: int, going: Preview, names: set[str]) -> None:
    """A name that nothing speaks of any more is content too, and so is another name that was erased."""
    unspoken = Entity.objects.filter(user=user_id, facts=None, claims=None, is_owner=False)
    unspoken.filter(Q(pk__in=going.entities) | Q(name_key__in=names)).delete()
    told = [(pk, f"{name}\n\n{note}") for pk, name, note in unspoken.values_list("pk", "name", "note")]
    unspoken.filter(pk__in=[pk for pk, said in told if wording.has_any(said, going.words)]).delete()
    aliases = Alias.objects.filter(user=user_id).values_list("pk", "alias")
    Alias.objects.filter(pk__in=[pk for pk, alias in aliases if wording.has_any(alias, going.words)]).delete()


def _drop_transfers(user_id: int) -> int:
    """Exports hold what was erased, and so may files that were brought along: those are made, or brought, again."""
    transfers = Transfer.objects.filter(user=user_id)
    holding = TransferChunk.objects.filter(user=user_id, transfer=OuterRef("pk"))
    is_open = Q(state__in=[TransferState.WAITING, TransferState.RUNNING, TransferState.PREVIEWED])
    return transfers.filter(Exists(holding) | is_open).delete()[0]


def _answer_requests(user_id: int) -> None:
    """What was asked for in a chat is done when none of its facts is left."""
    waiting = ErasureRequest.objects.filter(user=user_id, answered_at=None).values_list("pk", "facts")
    done = [pk for pk, facts in waiting if not Fact.objects.filter(user=user_id, pk__in=facts).exists()]
    requested.answer(user_id, done)


def _record(user_id: int, going: Preview, *, actor: str, turns: int, transfers: int) -> Receipt:
    History.objects.bulk_create(
        History(user_id=user_id, actor=actor, action="erase", table="fact", row=pk) for pk in going.all_facts
    )
    counts = going.counts | {"turns": turns} | ({"transfers": transfers} if transfers else {})
    return Receipt.objects.create(user_id=user_id, act="erase", counts=counts, actor=actor)
