"""Which facts a request to forget names: a subject, or what was said about a topic. Only what is named."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import Q, QuerySet, Value
from django.db.models.functions import Concat

from memory import people, prepared, text
from memory.marks import mark_of_self, marks_of_words
from memory.models import Fact
from memory.types import Status

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
    SELECT asked.n, claim.id
    FROM unnest(%(topics)s::text[], %(languages)s::text[], %(ats)s::timestamptz[])
        WITH ORDINALITY AS asked (topic, language, at, n)
    JOIN memory_candidate claim ON claim.user_id = %(user)s AND claim.said_at <= asked.at
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
_STEMS = f"""
    SELECT asked.n, asked.topic = '', tsvector_to_array(to_tsvector({_CONFIG}, asked.topic))
    FROM unnest(%(topics)s::text[], %(languages)s::text[]) WITH ORDINALITY AS asked (topic, language, n)
    ORDER BY asked.n
"""  # noqa: S608 - names of ours
_STANDING = f"""
    SELECT asked.topic, asked.language, asked.said_at, asked.marks, claim.id, coalesce(entity.is_owner, false),
        tsvector_to_array(to_tsvector({_CONFIG}, concat_ws(' ', claim.text, coalesce(fact.subject, claim.subject),
            claim.object, replace(claim.predicate, '_', ' '), (
                SELECT string_agg(said.quote, ' ') FROM memory_evidence said
                WHERE said.user_id = %(user)s AND said.candidate_id = claim.id
            ))))
    FROM memory_erasurerequest asked
    JOIN memory_candidate claim ON claim.user_id = %(user)s AND claim.said_at <= asked.said_at
        AND claim.id = ANY(%(learnt)s::bigint[])
    LEFT JOIN memory_fact fact ON fact.user_id = %(user)s AND fact.id = claim.fact_id
    LEFT JOIN memory_entity entity ON entity.user_id = %(user)s AND entity.id = claim.entity_id
    WHERE asked.user_id = %(user)s AND cardinality(asked.marks) > 0
        AND CASE WHEN fact.id IS NULL THEN %(held)s ELSE fact.status <> 'retracted' END
    ORDER BY asked.said_at, claim.id
"""  # noqa: S608 - names of ours
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
    """A request to forget: about what, in which language, and when. No topic: everything about themselves.

    Once it was answered the marks of its stems are all that is left of the topic.
    """

    topic: str
    language: str
    at: datetime
    marks: tuple[str, ...] = ()


class Named(NamedTuple):
    """A claim that a request names."""

    asked: Asked
    claim: int


def named(user_id: int, asked: Sequence[Asked]) -> list[Named]:
    """The claims, of all that was said until then, whose words hold every telling word of a request's topic."""
    values = {"user": user_id, "ats": [one.at for one in asked]} | _topics(asked)
    return [Named(asked[n - 1], claim) for n, claim in prepared.rows(_NAMED, values)]


def marked(user_id: int, asked: Sequence[Asked]) -> list[Asked]:
    """The requests with the marks of their topics; none for one of which no word tells anything."""
    found = prepared.rows(_STEMS, _topics(asked))
    known = marks_of_words(user_id, {stem for *_, stems in found for stem in stems})
    own = (mark_of_self(user_id),)
    return [
        asked[n - 1]._replace(marks=own if is_self else tuple(sorted(known[stem] for stem in stems)))
        for n, is_self, stems in found
    ]


def still_named(user_id: int, learnt: Sequence[int], *, held: bool = False) -> list[Named]:
    """Those of the claims just learnt that requests made before name: what was said before them came later.

    `held`: those too on which no fact rests yet.
    """
    found = prepared.rows(_STANDING, {"user": user_id, "learnt": list(learnt), "held": held})
    known = marks_of_words(user_id, {stem for *_, stems in found for stem in stems})
    own = mark_of_self(user_id)
    return [
        Named(Asked(topic, language, at, tuple(marks)), claim)
        for topic, language, at, marks, claim, is_own, stems in found
        if {*marks} <= {known[stem] for stem in stems} | ({own} if is_own else set())
    ]


def _topics(asked: Sequence[Asked]) -> dict[str, Any]:
    return {"topics": [one.topic for one in asked], "languages": [one.language for one in asked]}


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
