"""Which facts a request to forget names: a subject, or what was said about a topic. Only what is named."""

from datetime import datetime

from django.db import connection
from django.db.models import Q, QuerySet, Value
from django.db.models.functions import Concat

from memory import people, text
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
_SAID = """
    SELECT fact.id FROM memory_fact fact
    WHERE fact.user_id = %(user)s AND fact.status <> 'retracted'
        AND (%(until)s::timestamptz IS NULL OR fact.last_supported_at <= %(until)s)
        AND to_tsvector(%(stemmer)s::regconfig, concat_ws(' ', fact.text, fact.subject, fact.object,
            replace(fact.predicate, '_', ' '), (
                SELECT string_agg(said.quote, ' ') FROM memory_candidate claim JOIN memory_evidence said
                    ON said.user_id = claim.user_id AND said.candidate_id = claim.id
                WHERE claim.user_id = fact.user_id AND claim.fact_id = fact.id
            ))) @@ plainto_tsquery(%(stemmer)s::regconfig, %(topic)s)
    ORDER BY fact.id
"""


def about(user_id: int, subject: str) -> QuerySet[Fact]:
    """Facts of every status about a subject, by its name, by its name with what tells it apart, or by an alias."""
    if people.is_meant(people.read(user_id), subject):
        return Fact.objects.filter(user=user_id, entity__is_owner=True)
    key = text.name_key(subject)
    facts = Fact.objects.filter(user=user_id, entity__is_owner=False)
    facts = facts.alias(whole=Concat("entity__name_key", Value(" "), "entity__note_key"))
    named = Q(entity__name_key=key) | Q(whole=key) | Q(entity__aliases__alias_key=key)
    return facts.filter(named).distinct()


def said_about(user_id: int, topic: str, language: str = "", *, until: datetime | None = None) -> list[int]:
    """Facts whose words, with those of their quotes, hold every telling word of the topic, stemmed in its language.

    "Everything about me" is every fact about the user themselves.
    """
    if text.is_self(topic) and not text.is_we(topic):
        own = Fact.objects.filter(user=user_id, entity__is_owner=True).exclude(status=Status.RETRACTED)
        own = own if until is None else own.filter(last_supported_at__lte=until)
        return list(own.order_by("pk").values_list("pk", flat=True))
    stemmer = _STEMMERS.get(language, "simple")
    with connection.cursor() as cursor:
        cursor.execute(_SAID, {"user": user_id, "stemmer": stemmer, "topic": topic, "until": until})
        return [row[0] for row in cursor.fetchall()]
