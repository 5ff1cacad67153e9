"""Which facts a request to forget names: a subject, or what was said about a topic. Only what is named."""

from django.db import connection
from django.db.models import QuerySet

from memory import text
from memory.models import Fact

_SAID = """
    SELECT fact.id FROM memory_fact fact JOIN memory_user usr ON usr.id = fact.user_id
    WHERE fact.user_id = %s AND fact.status <> 'retracted' AND (
        fact.search @@ plainto_tsquery((CASE usr.language WHEN 'de' THEN 'german' WHEN 'es' THEN 'spanish'
            WHEN 'fr' THEN 'french' WHEN 'fi' THEN 'finnish' WHEN 'ru' THEN 'russian' WHEN 'en' THEN 'english'
            ELSE 'simple' END)::regconfig, %s)
        OR EXISTS (
            SELECT FROM memory_candidate claim JOIN memory_evidence said
                ON said.user_id = claim.user_id AND said.candidate_id = claim.id
            WHERE claim.user_id = fact.user_id AND claim.fact_id = fact.id
                AND to_tsvector('simple', said.quote) @@ plainto_tsquery('simple', %s)))
    ORDER BY fact.id
"""


def about(user_id: int, subject: str) -> QuerySet[Fact]:
    """Facts of every status about a subject, by its name or an alias."""
    if text.is_self(subject):
        return Fact.objects.filter(user=user_id, entity__is_owner=True)
    key = text.name_key(subject)
    named = Fact.objects.filter(user=user_id, entity__name_key=key)
    return (named | Fact.objects.filter(user=user_id, entity__aliases__alias_key=key)).distinct()


def said_about(user_id: int, topic: str) -> list[int]:
    """Facts whose words, or whose quotes, hold every word of the topic, stemmed in the user's language."""
    with connection.cursor() as cursor:
        cursor.execute(_SAID, [user_id, topic, topic])
        return [row[0] for row in cursor.fetchall()]
