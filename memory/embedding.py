"""Vectors of live facts and of turns, each with its model's name.

Those of another model, or of an old text, are made anew. Nothing erased is embedded.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet

from memory import llm, scope
from memory.errors import ModelError
from memory.models import Fact, Turn
from memory.types import ERASED, Role

BATCH = 256
LONGEST = 2_000
"""Characters of a turn that its vector is made from."""
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Kind:
    """What is embedded: which rows, the columns that their text is made of, and how."""

    rows: Callable[[], QuerySet[Any]]
    columns: tuple[str, ...]
    text: Callable[[Sequence[str]], str]


def _spoken(values: Sequence[str]) -> str:
    """With the speaker: a question names whom it is about, a turn only whom it is spoken to."""
    name, content = values
    left = content.replace(ERASED, " ")[:LONGEST]
    return f"{name}: {left}" if name else left


FACTS = Kind(Fact.objects.live, ("text",), lambda values: values[0])
TURNS = Kind(lambda: Turn.objects.exclude(role=Role.SYSTEM).exclude(content=ERASED), ("name", "content"), _spoken)


def refresh(embedder: llm.Embedder | None, *, user_id: int, limit: int | None = None) -> int:
    """Embeds what of the user's lacks a vector by this model, facts first; returns how many.

    A failing endpoint is logged and left for later: search works on words until then.
    """
    if embedder is None:
        return 0
    done = 0
    try:
        for kind in (FACTS, TURNS):
            while (limit is None or done < limit) and (made := _batch(embedder, kind, user_id)):
                done += made
    except ModelError as error:
        log.warning("user %s waits for vectors: %s", user_id, error)
    return done


def stale_owners(embedder: llm.Embedder, *, limit: int = 100) -> list[int]:
    """Users with facts or turns that lack a vector by this model."""
    with scope.staff():
        owners = [_owners(kind, embedder.name, limit) for kind in (FACTS, TURNS)]
    return list(dict.fromkeys(owner for found in owners for owner in found))[:limit]


def _owners(kind: Kind, model: str, limit: int) -> list[int]:
    stale = kind.rows().filter(_is_stale(model))
    return list(stale.order_by().values_list("user", flat=True).distinct()[:limit])


def _is_stale(model: str) -> Q:
    return Q(embedding_model__lt=model) | Q(embedding_model__gt=model)


def _batch(embedder: llm.Embedder, kind: Kind, user_id: int) -> int:
    """One batch: read, embed with no transaction open, write where the text is still the same."""
    with scope.user(user_id):
        stale = kind.rows().filter(_is_stale(embedder.name))
        rows = list(stale.order_by("pk").values_list("pk", *kind.columns)[:BATCH])
    if not rows:
        return 0
    vectors = embedder.embed([kind.text(values) for _, *values in rows])
    with scope.user(user_id):
        for (pk, *values), vector in zip(rows, vectors, strict=True):
            same = kind.rows().filter(pk=pk, **dict(zip(kind.columns, values, strict=True)))
            same.update(embedding=vector, embedding_model=embedder.name)
    return len(rows)
