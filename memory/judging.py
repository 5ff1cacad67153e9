"""Pairs of claims that the rules leave to a judge: kept until asked, and the answers kept for good."""

from collections.abc import Iterable

from memory import llm
from memory.models import JudgedPair, ModelCall
from memory.types import Judged, Pair

LATEST_PAIRS = 100


def log(user_id: int, reply: llm.Reply) -> int:
    """Records what a call cost, without its text; returns the record's id."""
    row = ModelCall.objects.create(
        user_id=user_id,
        name=reply.prompt_version.partition("-")[0],
        model=reply.model[:200],
        prompt_version=reply.prompt_version,
        tokens_in=reply.tokens_in,
        tokens_out=reply.tokens_out,
        latency_ms=reply.latency_ms,
    )
    return row.pk


def ask_later(user_id: int, pairs: Iterable[Pair]) -> None:
    """Keeps pairs without an answer yet. One that is kept already stays as it is."""
    rows = [JudgedPair(user_id=user_id, known_id=pair.known, new_id=pair.new, answer="") for pair in pairs]
    if rows:
        JudgedPair.objects.bulk_create(rows, ignore_conflicts=True)


def open_pairs() -> list[JudgedPair]:
    """Pairs still to be asked, with both claims; must run inside the user's scope."""
    pairs = JudgedPair.objects.filter(answer="").select_related("known", "new")
    return list(pairs.order_by("new__said_at", "known__said_at", "pk")[:LATEST_PAIRS])


def answer(pair: JudgedPair, judged: Judged, *, why: str, call: llm.Reply) -> set[tuple[int, str, str]]:
    """Stores an answer; returns the keys it touches."""
    JudgedPair.objects.filter(pk=pair.pk).update(answer=judged, why=why[:500], call=log(pair.user_id, call))
    return {(claim.entity_id, claim.predicate, claim.slot) for claim in (pair.known, pair.new) if claim.entity_id}
