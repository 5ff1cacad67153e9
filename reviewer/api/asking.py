"""What is known that bears on a question."""

from functools import cache
from typing import Any

from ninja import Router

from memory import engine, recollecting
from memory.models import User
from memory.pipeline import Engine
from reviewer import measuring
from reviewer.api import shapes
from reviewer.api.access import RECALL, KeyRequest, actor, whose
from reviewer.api.shapes import may_fail
from reviewer.api.writing import written

router = Router(tags=["recall"])
USER = "/users/{whom:external_id}"


@cache
def configured() -> Engine:
    """The model and the embedder of this process."""
    return engine.configured()


@router.post(USER + "/recall", auth=RECALL, response=shapes.Recollection, openapi_extra=may_fail(502), summary="Recall")
def recall(request: KeyRequest, external_id: str, question: shapes.Question) -> Any:
    """The facts that bear on a query, the best first; what was said, where that is asked for; and the block for a prompt.

    A side of a conflict brings the others along.
    """
    user = whose(request, external_id)
    asked = recollecting.Question(question.query, question.k, question.subject, question.as_of)
    return written(recollected(user, asked, actor=actor(request)))


def recollected(user: User, asked: recollecting.Question, *, actor: str) -> dict[str, Any]:
    """Measured; with this process's model and embedder."""
    engine = configured()
    with measuring.RECALLS.time():
        found = recollecting.recollect(user, asked, model=engine.model, embedder=engine.embedder, actor=actor)
    return found.document
