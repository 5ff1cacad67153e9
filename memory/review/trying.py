"""The operator's own examples as tests of the gate: what is to be remembered, and what never."""

from collections.abc import Sequence
from dataclasses import dataclass

from memory import clock, extraction, gate
from memory.policy import Example, Policy
from memory.types import Ground, Judgement, Role, Turn


@dataclass(frozen=True, slots=True)
class Tried:
    """An example with what the gate makes of it. `reason` and `detail` of a refusal, else empty."""

    example: Example
    is_accepted: bool
    reason: str
    detail: str

    @property
    def is_right(self) -> bool:
        return self.is_accepted is self.example.is_kept


def attempt(policy: Policy) -> list[Tried]:
    """Every example of the policy through its own gate."""
    return [_tried(example, policy) for example in policy.examples]


def _tried(example: Example, policy: Policy) -> Tried:
    """As if a user had said just that. What patterns make of it counts; the whole sentence where they make nothing."""
    turn = Turn(1, Role.USER, example.text, clock.now())
    ground = Ground(turns=(turn,), is_outright=True)
    proposals = extraction.extract(ground, (), model=None).proposals
    judged = [gate.judge(proposal, ground, policy) for proposal in proposals]
    return _told(example, judged)


def _told(example: Example, judged: Sequence[Judgement]) -> Tried:
    if any(each.is_accepted for each in judged):
        return Tried(example, is_accepted=True, reason="", detail="")
    first = next(iter(judged), None)
    reason = str(first.reason) if first and first.reason else ""
    return Tried(example, is_accepted=False, reason=reason, detail=first.detail if first else "")
