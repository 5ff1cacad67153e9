"""Vectors of live facts, each with its model's name; those of another model, or of an old text, are made anew."""

import logging

from django.db.models import Q

from memory import llm, scope
from memory.errors import ModelError
from memory.models import Fact

BATCH = 256
log = logging.getLogger(__name__)


def refresh(embedder: llm.Embedder | None, *, user_id: int, limit: int | None = None) -> int:
    """Embeds the user's live facts that lack a vector by this model; returns how many.

    A failing endpoint is logged and left for later: search works on words until then.
    """
    if embedder is None:
        return 0
    done = 0
    try:
        while (limit is None or done < limit) and (made := _batch(embedder, user_id)):
            done += made
    except ModelError as error:
        log.warning("facts of user %s wait for their vectors: %s", user_id, error)
    return done


def stale_owners(embedder: llm.Embedder, *, limit: int = 100) -> list[int]:
    """Users with live facts that lack a vector by this model."""
    with scope.staff():
        stale = Fact.objects.live().filter(_is_stale(embedder.name))
        return list(stale.order_by().values_list("user", flat=True).distinct()[:limit])


def _is_stale(model: str) -> Q:
    return Q(embedding_model__lt=model) | Q(embedding_model__gt=model)


def _batch(embedder: llm.Embedder, user_id: int) -> int:
    """One batch: read, embed with no transaction open, write where the text is still the same."""
    with scope.user(user_id):
        stale = Fact.objects.live().filter(_is_stale(embedder.name))
        facts = list(stale.order_by("pk").values_list("pk", "text")[:BATCH])
    if not facts:
        return 0
    vectors = embedder.embed([text for _, text in facts])
    with scope.user(user_id):
        for (pk, text), vector in zip(facts, vectors, strict=True):
            Fact.objects.filter(pk=pk, text=text).update(embedding=vector, embedding_model=embedder.name)
    return len(facts)
