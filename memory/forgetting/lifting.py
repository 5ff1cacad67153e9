"""Taking back an erasure's ban: only its person can, and only for what comes from now on."""

from collections.abc import Iterable

from memory import attributing, believing, clock, policies
from memory.believing import Key
from memory.errors import NotFound
from memory.forgetting import blanking
from memory.forgetting.outdating import lock, outdate
from memory.forgetting.sentences import find
from memory.marks import marks_of
from memory.models import Candidate, Erasure
from memory.models.candidates import ERASED_KEY
from memory.types import Verdict


def lift(user_id: int) -> int:
    """Lets everything that was erased be learnt again when it is said again; inside the user's scope."""
    lock(user_id)
    return Erasure.objects.filter(user=user_id, lifted_at=None).update(lifted_at=clock.now())


def allow(user_id: int, candidate_id: int) -> None:
    """Their yes to a claim that was held because something of its subject and predicate had been erased.

    From then on other claims on that key are learnt at once; what was erased itself stays forgotten.
    Inside the scope. Raises NotFound when no such claim is held.
    """
    user = lock(user_id)
    claim = _held(user_id, candidate_id)
    marks = marks_of(user_id, subject=claim.subject_key, predicate=claim.predicate, object_key=claim.object_key)
    Erasure.objects.filter(user=user_id, key_mark=marks.key).update(key_mark="")
    claim.verdict, claim.reason = Verdict.ACCEPTED, ""
    claim.save(update_fields=["verdict", "reason"])
    keys = {Key(*key) for key in attributing.attribute(user_id, [claim])}
    believing.refold(user_id, keys, policy=policies.current(), language=user.language)


def dismiss(user_id: int, candidate_id: int) -> None:
    """Their no: the held claim goes for good, with the sentence it was said in, and is not asked about again.

    Inside the scope. Raises NotFound when no such claim is held.
    """
    lock(user_id)
    claim = _held(user_id, candidate_id)
    marks = marks_of(user_id, subject=claim.subject_key, predicate=claim.predicate, object_key=claim.object_key)
    _ban(user_id, [(marks.claim, marks.key)])
    blanking.blank(user_id, find(user_id, [claim.pk], ()))
    claim.delete()
    outdate(user_id)


def _held(user_id: int, candidate_id: int) -> Candidate:
    claim = Candidate.objects.select_for_update().filter(pk=candidate_id, user=user_id, reason=ERASED_KEY).first()
    if claim is None:
        raise NotFound("no claim of that number waits for a yes")
    return claim


def _ban(user_id: int, marks: Iterable[tuple[str, str]]) -> None:
    rows = [Erasure(user_id=user_id, claim_mark=claim, key_mark=key) for claim, key in marks]
    Erasure.objects.bulk_create(rows, ignore_conflicts=True)
