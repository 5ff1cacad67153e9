"""Which facts a request to forget names: a subject, or what was said about a topic. Only what is named."""

from django.db.models import QuerySet

from memory import text
from memory.models import Fact


def about(user_id: int, subject: str) -> QuerySet[Fact]:
    """Facts of every status about a subject, by its name or an alias."""
    key = text.name_key(subject)
    if text.is_self(subject):
        return Fact.objects.filter(user=user_id, entity__is_owner=True)
    named = Fact.objects.filter(user=user_id, entity__name_key=key)
    return (named | Fact.objects.filter(user=user_id, entity__aliases__alias_key=key)).distinct()


def said_about(user_id: int, topic: str) -> QuerySet[Fact]:
    """Facts whose words hold every word of the topic, stemmed in the user's language."""
    config = """(SELECT CASE language WHEN 'de' THEN 'german' WHEN 'es' THEN 'spanish' WHEN 'fr' THEN 'french'
        WHEN 'fi' THEN 'finnish' WHEN 'ru' THEN 'russian' WHEN 'en' THEN 'english' ELSE 'simple' END
        FROM memory_user WHERE id = memory_fact.user_id)::regconfig"""
    return Fact.objects.filter(user=user_id).extra(
        where=[f"memory_fact.search @@ plainto_tsquery({config}, %s)"], params=[topic]
    )
