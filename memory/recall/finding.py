"""Running the statement for facts, and what a caller gets."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import lru_cache
from typing import Any, NamedTuple

from pgvector import HalfVector

from memory import clock, confidence, prepared
from memory.policy import Policy
from memory.recall.asking import Asked
from memory.recall.legs import CONFIGS, QUESTION, legs, rank
from memory.recall.statement import ABOUT, AS_OF, LIVE, ORDER, STATEMENT

DEPTH = 60
"""How far down each leg's list fusion looks."""
WEIGHED = 500
"""How many of the texts that share a word with the question are weighed word by word."""
MOST_WORDS = 64
MOST = 200


@dataclass(frozen=True, slots=True)
class Found:
    """One fact by its id: the legs it was found by ("conflict" alone: as a counterpart), what it is worth now.

    `conflict` is the open question it stands in; `brought` holds the columns that were asked for beside.
    """

    fact: int
    found_by: tuple[str, ...]
    worth: float
    conflict: int | None = None
    brought: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Bring:
    """What the statement does beside: further columns of what is found, and the joins that they come from, on `shown.id`.

    `along` is a further table of it that writes, of the facts in `shown` by their `place`.
    """

    columns: tuple[str, ...] = ()
    joins: str = ""
    along: str = ""


@dataclass(frozen=True, slots=True)
class Recall:
    """Facts in order. `note` says when vectors had no part."""

    found: tuple[Found, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Where:
    """Where to look: whose memory, about whom, and as of when by the user's calendar."""

    user_id: int
    language: str = "en"
    subject_key: str = ""
    as_of: date | None = None
    zone: tzinfo = UTC


NOTHING_MORE = Bring()


def recall(
    asked: Asked,
    where: Where,
    *,
    k: int,
    policy: Policy,
    bring: Bring = NOTHING_MORE,
    **values: Any,
) -> Recall:
    """The best `k` facts, and the counterparts of those in conflict; must run inside the user's scope.

    `values` are those that `bring` names.
    """
    statement, own = prepare(asked, where, k=k, policy=policy, bring=bring)
    rows = prepared.rows(statement, own | values)
    found = (Found(pk, tuple(by), worth, conflict, tuple(more)) for pk, by, worth, conflict, *more in rows)
    return Recall(tuple(found), asked.note)


def prepare(
    asked: Asked, where: Where, *, k: int, policy: Policy, bring: Bring = NOTHING_MORE
) -> tuple[str, dict[str, Any]]:
    """The statement and its values, for running and for measuring."""
    effective, parameters = confidence.effective_sql(policy.thresholds, now=_moment(where), table="fact")
    shape = _Shape(effective, asked.vector is not None, bool(asked.parts), bool(where.as_of), bool(where.subject_key))
    return _statement(shape, bring), parameters | shared_values(asked, where, k=k, policy=policy)


class _Shape(NamedTuple):
    """What the text of the statement depends on."""

    effective: str
    has_vector: bool
    has_parts: bool
    is_past: bool
    is_about: bool


@lru_cache(maxsize=64)
def _statement(shape: _Shape, bring: Bring) -> str:
    return STATEMENT.format(
        question=QUESTION,
        effective=shape.effective,
        rank=rank("fact", has_vector=shape.has_vector),
        believed=AS_OF if shape.is_past else LIVE,
        about=ABOUT if shape.is_about else "",
        legs=legs("memory_fact", "text", has_parts=shape.has_parts),
        order=ORDER,
        more="".join(f", {column}" for column in bring.columns),
        joins=bring.joins,
        along=bring.along and f",\n{bring.along}",
    )


def _moment(where: Where) -> datetime:
    """When a fact's worth is asked for: now, or the end of a day that has passed."""
    if where.as_of is None or where.as_of >= clock.now().astimezone(where.zone).date():
        return clock.now()
    return datetime.combine(where.as_of + timedelta(days=1), time(), where.zone)


def shared_values(asked: Asked, where: Where, *, k: int, policy: Policy) -> dict[str, Any]:
    """What both statements, for facts and for turns, are given."""
    return _weights(policy) | {
        "user": where.user_id,
        "query": asked.query,
        "config": CONFIGS.get(where.language, "simple"),
        "names": list(asked.names),
        "parts": list(asked.parts),
        "spelt": list(asked.spelt),
        "vector": None if asked.vector is None else HalfVector(list(asked.vector)).to_text(),
        "model": asked.model,
        "subject": where.subject_key,
        "as_of": where.as_of,
        "today": clock.now().astimezone(where.zone).date(),
        "k": max(1, min(k, MOST)),
        "depth": DEPTH,
        "weighed": WEIGHED,
        "most_words": MOST_WORDS,
    }


def _weights(policy: Policy) -> dict[str, Any]:
    thresholds = policy.thresholds
    return {
        "floor": thresholds.recall_floor,
        "rrf": thresholds.rrf,
        "vector_weight": thresholds.vector_weight,
        "words_weight": thresholds.words_weight,
        "letters_weight": thresholds.letters_weight,
        "alike": thresholds.alike,
    }
