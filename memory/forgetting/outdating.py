"""Making work that is under way start anew: what it has read no longer holds."""

from django.db.models import F
from django.utils import timezone

from memory.models import Job, JobState, User


def lock(user_id: int) -> User:
    """The user's row, locked as by everyone who writes for them; before any other row of theirs."""
    return User.objects.select_for_update(no_key=True).get(pk=user_id)


def outdate(user_id: int) -> None:
    """Raises the epoch: what was read before is not written any more, and a job that runs waits to run again."""
    User.objects.filter(pk=user_id).update(epoch=F("epoch") + 1)
    Job.objects.filter(user=user_id, state=JobState.RUNNING).update(
        state=JobState.WAITING, run_after=timezone.now(), lease_until=None
    )
