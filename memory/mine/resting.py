"""What a person never wants remembered, and whether anything is learnt at all. Inside their scope."""

from collections.abc import Sequence
from datetime import datetime

from memory import forgetting
from memory.forgetting.outdating import lock
from memory.mine import knowing
from memory.mine.knowing import Entry
from memory.models import Erasure, Rule, User


def rules(user_id: int) -> Sequence[Rule]:
    """What they never want remembered, as they put it."""
    return list(Rule.objects.filter(user=user_id).order_by("topic_key"))


def stopped(user_id: int, topic: str, *, now: datetime) -> list[Entry]:
    """What would never have been learnt, had the rule stood from the beginning."""
    found = forgetting.would_stop(user_id, topic)
    return knowing.some(user_id, found, now=now) if found else []


def pause(user_id: int, *, is_paused: bool) -> None:
    """From now on nothing new is learnt, or it is again. What is known stays."""
    lock(user_id)
    User.objects.filter(pk=user_id).update(is_paused=is_paused)


def banned(user_id: int) -> int:
    """How many erased claims are kept from being learnt again."""
    return Erasure.objects.filter(user=user_id, lifted_at=None).count()
