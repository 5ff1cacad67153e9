"""Pinning a fact: it neither fades below the floor nor goes when there are too many. Reversible."""

from memory.errors import NotFound
from memory.forgetting.outdating import lock
from memory.models import Fact, History, User


def pin(user_id: int, fact_id: int, *, actor: User, is_pinned: bool = True) -> Fact:
    """Pins a fact or, with `is_pinned` false, lets it go; inside the user's scope. Twice changes nothing more."""
    lock(user_id)
    fact = Fact.objects.filter(user=user_id, pk=fact_id).defer("embedding").first()
    if fact is None:
        raise NotFound("There is no such fact.")
    if fact.is_pinned != is_pinned:
        fact.is_pinned = is_pinned
        fact.save(update_fields=["is_pinned"])
        action = "pin" if is_pinned else "unpin"
        History.objects.create(user_id=user_id, actor=str(actor.pk), action=action, table="fact", row=fact_id)
    return fact
