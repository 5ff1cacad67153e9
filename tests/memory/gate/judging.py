"""Puts one sentence before the gate with a claim about it."""

from datetime import UTC, datetime
from typing import Any

from memory import gate, policy
from memory.types import Ground, Judgement, Proposal, Quote, Role, Turn

AT = datetime(2026, 3, 10, 12, tzinfo=UTC)


def turn(n: int, content: str, role: str = "user", name: str = "") -> Turn:
    return Turn(n=n, role=Role(role), content=content, at=AT, name=name)


def claim(quote: str, obj: str, *, n: int = 1, **fields: Any) -> Proposal:
    predicate = fields.pop("predicate", "states")
    given: dict[str, Any] = {
        "text": f"The user {predicate.replace('_', ' ')} {obj}.",
        "subject": "user",
        "predicate": predicate,
        "object": obj,
        "evidence": (Quote(n, quote),),
    }
    return Proposal(**{**given, **fields})


def judge(content: str, quote: str, obj: str, **fields: Any) -> Judgement:
    """What the gate says of a claim quoted from a single user turn."""
    return judge_in((turn(1, content),), claim(quote, obj, **fields))


def judge_in(turns: tuple[Turn, ...], proposal: Proposal, **ground: Any) -> Judgement:
    return gate.judge(proposal, Ground(turns=turns, **ground), policy.default())
