"""The gate: code that decides whether a candidate may become a fact, with a reason for each refusal."""

from collections.abc import Callable

from memory.gate import asserting, cases, declining, durability, secrets, shape, sourcing, steering, voices
from memory.gate.cases import Case
from memory.policy import Policy
from memory.types import Ground, Judgement, Proposal, Reason


def _forgotten(case: Case) -> str:
    return "the user erased this claim" if case.is_forgotten else ""


CHECKS: tuple[tuple[Reason, Callable[[Case], str]], ...] = (
    (Reason.SECRET, secrets.find),
    (Reason.DECLINED, declining.declined),
    (Reason.FORGOTTEN, _forgotten),
    (Reason.MALFORMED, shape.malformed),
    (Reason.TOO_SHORT, shape.too_short),
    (Reason.TOO_LONG, shape.too_long),
    (Reason.NO_SUBJECT, shape.no_subject),
    (Reason.UNSOURCED, sourcing.unsourced),
    (Reason.ASSISTANT_ONLY, sourcing.assistant_only),
    (Reason.NOT_OWN_WORDS, voices.not_own_words),
    (Reason.QUESTION, asserting.question),
    (Reason.HYPOTHETICAL, asserting.hypothetical),
    (Reason.TASK, asserting.task),
    (Reason.HEDGED, durability.hedged),
    (Reason.AFFECTIVE, durability.affective),
    (Reason.SPECULATIVE, durability.speculative),
    (Reason.HEARSAY, durability.hearsay),
    (Reason.TRANSIENT, durability.transient),
    (Reason.VAGUE, durability.vague),
    (Reason.INSTRUCTION, steering.instruction),
)
"""Each check says why it refuses, or "". They run in the order of `Reason`; the first that refuses counts."""


def judge(proposal: Proposal, ground: Ground, policy: Policy, *, is_forgotten: bool = False) -> Judgement:
    """Decide on one proposal by the turns it must stand on. Pure; the same input, the same judgement."""
    case = cases.build(proposal, ground, policy, is_forgotten=is_forgotten)
    for reason, check in CHECKS:
        if detail := check(case):
            return Judgement(is_accepted=False, reason=reason, detail=detail)
    return Judgement(is_accepted=True, source=sourcing.source(case))
