"""Pairs of claims that the rules leave to a judge: kept until asked, and the answers kept for good."""

from collections import Counter
from collections.abc import Mapping, Sequence

from memory import clock, llm, prepared
from memory.errors import ModelError
from memory.models import Candidate, JudgedPair, ModelCall
from memory.types import Judged, Pair

LATEST_PAIRS = 100
ASKED_ABOUT_ONE = 2
SHORT = 4
"""Words of an object that names something rather than tells something."""


LOG = """
    INSERT INTO memory_modelcall (user_id, name, model, prompt_version, tokens_in, tokens_out, latency_ms, error, at)
    VALUES (%(user)s, %(name)s, %(model)s, %(prompt)s, %(sent)s, %(received)s, %(latency)s, '', %(now)s) RETURNING id
"""
OPEN = "SELECT EXISTS (SELECT FROM memory_judgedpair WHERE user_id = %(user)s AND answer = '' AND why = '')"


def log(user_id: int, reply: llm.Reply) -> int:
    """Records what a call cost, without its text; returns the record's id."""
    values = {
        "user": user_id,
        "name": reply.prompt_version.partition("-")[0],
        "model": reply.model[:200],
        "prompt": reply.prompt_version,
        "sent": reply.tokens_in,
        "received": reply.tokens_out,
        "latency": reply.latency_ms,
        "now": clock.now(),
    }
    return int(prepared.rows(LOG, values)[0][0])


def log_failure(user_id: int, model: llm.Model | None, name: str, error: ModelError) -> None:
    """Records a call that came to nothing."""
    ModelCall.objects.create(
        user_id=user_id, name=name, model=model.name[:200] if model else "", error=str(error)[:500]
    )


def has_open(user_id: int) -> bool:
    """Whether pairs wait to be asked; must run inside the user's scope."""
    return bool(prepared.rows(OPEN, {"user": user_id})[0][0])


def ask_later(user_id: int, pairs: Sequence[Pair]) -> None:
    """Keeps the pairs worth a call without an answer yet. One that is kept already stays as it is.

    Each new claim is put beside the latest it might concern. What is as long as a sentence must share
    half of its words with the other, or there is nothing to judge: such pairs stay for a person.
    """
    if not pairs:
        return
    ids = {claim for pair in pairs for claim in (pair.known, pair.new)}
    claims = {claim.pk: claim for claim in Candidate.objects.filter(pk__in=ids).only("object_key", "said_at")}
    objects = {pk: set(claim.object_key.split()) for pk, claim in claims.items()}
    asked: Counter[int] = Counter()
    rows = []
    for pair in sorted(pairs, key=lambda pair: claims[pair.known].said_at, reverse=True):
        if asked[pair.new] < ASKED_ABOUT_ONE and _is_worth_a_call(objects[pair.known], objects[pair.new]):
            asked[pair.new] += 1
            rows.append(JudgedPair(user_id=user_id, known_id=pair.known, new_id=pair.new, answer=""))
    JudgedPair.objects.bulk_create(rows, ignore_conflicts=True)


def _is_worth_a_call(known: set[str], new: set[str]) -> bool:
    if max(len(known), len(new)) <= SHORT:
        return True
    return len(known & new) * 2 >= max(1, min(len(known), len(new)))


def open_pairs() -> list[JudgedPair]:
    """Pairs still to be asked, with both claims; must run inside the user's scope."""
    pairs = JudgedPair.objects.open().select_related("known", "new")
    return list(pairs.order_by("new__said_at", "known__said_at", "pk")[:LATEST_PAIRS])


def answer(pair: JudgedPair, judged: Judged, *, why: str, call: llm.Reply) -> set[tuple[int, str, str]]:
    """Stores an answer; returns the keys it touches."""
    JudgedPair.objects.filter(pk=pair.pk).update(answer=judged, why=why[:500], call=log(pair.user_id, call))
    return {(claim.entity_id, claim.predicate, claim.slot) for claim in (pair.known, pair.new) if claim.entity_id}


def give_up(errors: Mapping[int, ModelError]) -> None:
    """Leaves pairs unanswered for good, or until someone retries what failed; keeps why."""
    for pk, error in errors.items():
        JudgedPair.objects.filter(pk=pk, answer="").update(why=str(error)[:500])
