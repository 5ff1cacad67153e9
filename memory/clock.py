"""The clock that ages are measured by. Leases and waits go by the real one."""

from datetime import datetime

from django.conf import settings
from django.utils import timezone


def now() -> datetime:
    """The present, or the moment that ASSAY_NOW fixes."""
    fixed: datetime | None = settings.ASSAY_NOW
    return fixed or timezone.now()


def told(moment: datetime) -> datetime:
    """A moment by the real clock, as pages say it: where the clock stands still, all that is done is done at once."""
    fixed: datetime | None = settings.ASSAY_NOW
    return fixed or moment
