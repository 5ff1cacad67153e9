"""Running the statement for facts, and what a caller gets."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db import connection
from pgvector import HalfVector

from memory import clock, confidence
from memory.policy import Policy
from memory.recall.asking import Asked
from memory.recall.statement import AS_OF, CONFIGS, LIVE, QUERY, STATEMENT

DEPTH = 60
"""How far down each leg's list fusion looks."""
MOST = 200


@dataclass(frozen=True, slots=True)
class Found:
    """One fact's id, by what legs it was found ("conflict": as the counterpart of another), and what it is worth now."""

    fact: int
    found_by: tuple[str, ...]
    worth: float


@dataclass(frozen=True, slots=True)
class Recall:
    """Facts in order. `note` says when vectors had no part."""

    found: tuple[Found, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Where:
    """Where to look: whose memory, about whom, and as of when."""

    user_id: int
    language: str = "en"
    subject_key: str = ""
    as_of: date | None = None


def recall(asked: Asked, where: Where, *, k: int, policy: Policy) -> Recall:
    """The best `k` facts, and the counterparts of those in conflict; must run inside the user's scope."""
    statement, values = prepare(asked, where, k=k, policy=policy)
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        rows = cursor.fetchall()
    return Recall(tuple(Found(pk, tuple(found_by), worth) for pk, found_by, worth in rows), asked.why)


def prepare(asked: Asked, where: Where, *, k: int, policy: Policy) -> tuple[str, Mapping[str, Any]]:
    """The statement and its values, for running and for measuring."""
    effective, parameters = confidence.effective_sql(policy.thresholds, now=clock.now(), table="fact")
    statement = STATEMENT.format(
        question=QUERY,
        effective=effective,
        distance=distance(asked, "fact"),
        letters=letters(asked, "fact.text"),
        believed=AS_OF if where.as_of else LIVE,
        about=_ABOUT if where.subject_key else "",
    )
    return statement, parameters | shared_values(asked, where, k=k, policy=policy)


_ABOUT = """ AND fact.entity_id IN (
        SELECT id FROM memory_entity WHERE user_id = %(user)s AND name_key = %(subject)s
        UNION SELECT entity_id FROM memory_alias WHERE user_id = %(user)s AND alias_key = %(subject)s)"""


def distance(asked: Asked, table: str) -> str:
    """The column of vector distance; vectors of another model are never compared."""
    if asked.vector is None:
        return "NULL::float8"
    return f"CASE WHEN {table}.embedding_model = %(model)s THEN {table}.embedding <=> %(vector)s::halfvec END"


def letters(asked: Asked, column: str) -> str:
    """The column of likeness in letters: the share of character pairs without spaces, trigrams else."""
    if asked.is_spaceless:
        hits = f"(position(part in lower({column})) > 0)::int"
        return f"(SELECT coalesce(avg({hits}), 0)::float8 FROM unnest(%(parts)s::text[]) part)"
    return f"strict_word_similarity(%(query)s, {column})"


def shared_values(asked: Asked, where: Where, *, k: int, policy: Policy) -> dict[str, Any]:
    """What both statements, for facts and for turns, are given."""
    return _weights(policy) | {
        "user": where.user_id,
        "query": asked.query,
        "config": CONFIGS.get(where.language, "simple"),
        "names": list(asked.names),
        "name_hashes": [hashlib.md5(name.encode(), usedforsecurity=False).hexdigest() for name in asked.names],
        "is_spaceless": asked.is_spaceless,
        "parts": parts(asked.query),
        "vector": None if asked.vector is None else HalfVector(asked.vector).to_text(),
        "model": asked.model,
        "subject": where.subject_key,
        "as_of": where.as_of,
        "k": max(1, min(k, MOST)),
        "depth": DEPTH,
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


def parts(query: str) -> list[str]:
    """Pairs of neighbouring characters: what stands for words where a script has no spaces."""
    letters = "".join(c for c in query.lower() if c.isalnum())
    return sorted({letters[i : i + 2] for i in range(len(letters) - 1)}) or ([letters] if letters else [])
