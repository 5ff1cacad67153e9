"""What is asked of a person: contradictions, whom something is about, and whether to keep what they once had forgotten.

Inside their scope.
"""

from django.db.models import Q

from memory.attributing import UNCLEAR
from memory.models import Candidate, Conflict
from memory.models.candidates import ERASED_KEY
from memory.types import Verdict


def count(user_id: int) -> int:
    """How many questions wait for an answer."""
    waiting = Candidate.objects.filter(user=user_id, verdict=Verdict.HELD)
    held = waiting.filter(Q(reason=UNCLEAR) | Q(reason=ERASED_KEY)).count()
    return Conflict.objects.open().filter(user=user_id).count() + held
