"""Taking back an erasure's ban: only its person can, and only for what comes from now on."""

from django.utils import timezone

from memory import attributing, believing, policies
from memory.believing import Key
from memory.errors import NotFound
from memory.marks import marks_of
from memory.models import Candidate, Erasure, User
from memory.models.candidates import ERASED_KEY
from memory.types import Verdict


def lift(user_id: int) -> int:
    """Lets everything that was erased be learnt again when it is said again; inside the user's scope."""
    return Erasure.objects.filter(user=user_id, lifted_at=None).update(lifted_at=timezone.now())


def allow(user_id: int, candidate_id: int) -> None:
    """Their yes to a claim that was held because its subject and predicate had been erased; inside the scope.

    Raises NotFound when no such claim is held.
    """
    claim = Candidate.objects.select_for_update().filter(pk=candidate_id, user=user_id, reason=ERASED_KEY).first()
    if claim is None:
        raise NotFound("no claim of that number waits for a yes")
    marks = marks_of(user_id, subject=claim.subject_key, predicate=claim.predicate, object_key=claim.object_key)
    Erasure.objects.filter(user=user_id, key_mark=marks.key).update(lifted_at=timezone.now())
    claim.verdict, claim.reason = Verdict.ACCEPTED, ""
    claim.save(update_fields=["verdict", "reason"])
    keys = attributing.attribute(user_id, [claim])
    language = User.objects.values_list("language", flat=True).get(pk=user_id)
    believing.refold(user_id, [Key(*key) for key in keys], policy=policies.current(), language=language)
