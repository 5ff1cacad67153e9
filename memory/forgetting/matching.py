"""Which facts a request to forget names: a subject, or what was said about a topic. Only what is named."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import Q, QuerySet, Value
from django.db.models.functions import Concat

from memory import people, prepared, text
from memory.models import Fact
from memory.types import ERASED, Status

_STEMMERS = {
    "de": "german",
    "en": "english",
    "es": "spanish",
    "fi": "finnish",
    "fr": "french",
    "ru": "russian",
}
_CONFIG = f"(CASE asked.language {' '.join(f"WHEN '{code}' THEN '{name}'" for code, name in _STEMMERS.items())} ELSE 'simple' END)::regconfig"
_NAMED = f"""
    SELECT asked.topic, asked.language, asked.at, claim.id
    FROM {{asked}} AS asked (topic, language, at)
    JOIN memory_candidate claim ON claim.user_id = %(user)s AND claim.said_at <= asked.at{{among}}
    JOIN memory_fact fact ON fact.user_id = %(user)s AND fact.id = claim.fact_id AND fact.status <> 'retracted'
    JOIN memory_entity entity ON entity.user_id = %(user)s AND entity.id = fact.entity_id
    WHERE CASE WHEN asked.topic = '' THEN entity.is_owner
        ELSE to_tsvector({_CONFIG}, concat_ws(' ', claim.text, fact.subject, claim.object,
            replace(claim.predicate, '_', ' '), (
                SELECT string_agg(said.quote, ' ') FROM memory_evidence said
                WHERE said.user_id = %(user)s AND said.candidate_id = claim.id
            ))) @@ plainto_tsquery({_CONFIG}, asked.topic) END
    ORDER BY asked.at, claim.id
"""  # noqa: S608 - names of ours
_MADE = "unnest(%(topics)s::text[], %(languages)s::text[], %(ats)s::timestamptz[])"
_STANDING = """(
        SELECT topic, language, said_at FROM memory_erasurerequest
        WHERE user_id = %(user)s AND said_at IS NOT NULL AND topic <> %(erased)s
    )"""
_AMONG = " AND claim.id = ANY(%(learnt)s::bigint[])"
_SAID = """
    SELECT fact.id FROM memory_fact fact
    WHERE fact.user_id = %(user)s AND fact.status <> 'retracted'
        AND to_tsvector(%(stemmer)s::regconfig, concat_ws(' ', fact.text, fact.subject, fact.object,
            replace(fact.predicate, '_', ' '), (
                SELECT string_agg(said.quote, ' ') FROM memory_candidate claim JOIN memory_evidence said
                    ON said.user_id = claim.user_id AND said.candidate_id = claim.id
                WHERE claim.user_id = fact.user_id AND claim.fact_id = fact.id
            ))) @@ plainto_tsquery(%(stemmer)s::regconfig, %(topic)s)
    ORDER BY fact.id
"""


class Asked(NamedTuple):
    """A request to forget: about what, in which language, and when. No topic: everything about themselves."""

    topic: str
    language: str
    at: datetime


class Named(NamedTuple):
    """A claim that a request names."""

    asked: Asked
    claim: int


def named(user_id: int, asked: Sequence[Asked]) -> list[Named]:
    """The claims, of all that was said until then, whose words hold every telling word of a request's topic."""
    values = {"user": user_id, "topics": [one.topic for one in asked], "languages": [one.language for one in asked]}
    return _named(_NAMED.format(asked=_MADE, among=""), values | {"ats": [one.at for one in asked]})


def still_named(user_id: int, learnt: Sequence[int]) -> list[Named]:
    """Those of the claims just learnt that requests made before name: what was said before them came later."""
    values = {"user": user_id, "learnt": list(learnt), "erased": ERASED}
    return _named(_NAMED.format(asked=_STANDING, among=_AMONG), values)


def _named(statement: str, values: dict[str, Any]) -> list[Named]:
    return [Named(Asked(*asked), claim) for *asked, claim in prepared.rows(statement, values)]


def about(user_id: int, subject: str) -> QuerySet[Fact]:
    """Facts of every status about a subject, by its name, by its name with what tells it apart, or by an alias."""
    if people.is_meant(people.read(user_id), subject):
        return Fact.objects.filter(user=user_id, entity__is_owner=True)
    key = text.name_key(subject)
    facts = Fact.objects.filter(user=user_id, entity__is_owner=False)
    facts = facts.alias(whole=Concat("entity__name_key", Value(" "), "entity__note_key"))
    named = Q(entity__name_key=key) | Q(whole=key) | Q(entity__aliases__alias_key=key)
    return facts.filter(named).distinct()


def said_about(user_id: int, topic: str, language: str = "") -> list[int]:
    """Facts whose words, with those of their quotes, hold every telling word of the topic, stemmed in its language.

    "Everything about me" is every fact about the user themselves.
    """
    if text.is_self(topic) and not text.is_we(topic):
        own = Fact.objects.filter(user=user_id, entity__is_owner=True).exclude(status=Status.RETRACTED)
        return list(own.order_by("pk").values_list("pk", flat=True))
    stemmer = _STEMMERS.get(language, "simple")
    with connection.cursor() as cursor:
        cursor.execute(_SAID, {"user": user_id, "stemmer": stemmer, "topic": topic})
        return [row[0] for row in cursor.fetchall()]
