"""Relative and partial dates, anchored to the time of the turn that says them.

Pure: a sentence, when it was said and where, in; dates at their precision out. Weeks are ISO
weeks, from Monday to Sunday. What is not understood gives no date rather than a wrong one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, tzinfo
from enum import StrEnum

from memory.extraction.mentions import Mention, Relation, find
from memory.extraction.spans import Span


class Aspect(StrEnum):
    """How what is said lies in time: the same "last week" is a beginning of one thing and all there was of another."""

    HOLDS = "holds"
    """Is so: "this week I'm in Lisbon"."""
    BEGINS = "begins"
    """Became so, or was so at that moment: "I started at Acme last week"."""
    HELD = "held"
    """Was so and is over: "I was in Lisbon last week"."""
    AIMS = "aims"
    """Shall become so: "I want to run a marathon in May"."""


@dataclass(frozen=True, slots=True)
class When:
    """What a proposal carries of time, ISO at its precision."""

    valid_from: str | None = None
    valid_to: str | None = None
    expires_on: str | None = None


def anchor(sentence: str, said_at: datetime, *, zone: tzinfo, language: str, aspect: Aspect = Aspect.HOLDS) -> When:
    """When it is, was or will be so, by the words of `sentence` said at `said_at` by someone living in `zone`."""
    today = said_at.astimezone(zone).date()
    return combine(find(sentence, language), today, aspect=aspect)


def combine(mentions: Sequence[Mention], today: date, *, aspect: Aspect) -> When:
    """The dates of all mentions together. Of two that say the same, the first counts."""
    when = When()
    for mention in mentions:
        read = _read(mention, today, aspect)
        when = When(
            valid_from=when.valid_from or read.valid_from,
            valid_to=when.valid_to or read.valid_to,
            expires_on=when.expires_on or read.expires_on,
        )
    return when


def _read(mention: Mention, today: date, aspect: Aspect) -> When:
    span = mention.span(today, leans_back=_leans_back(mention.relation, aspect))
    if span is None:
        return When()
    if mention.relation is Relation.SINCE:
        return When(valid_from=span.iso)
    if mention.relation is Relation.UNTIL:
        return _until(span, today, aspect)
    if mention.relation is Relation.FOR:
        return _lasting(span, today, aspect)
    return _at(span, today, aspect)


def _leans_back(relation: Relation, aspect: Aspect) -> bool:
    """Whether "in March" is the last one or the next."""
    if relation in (Relation.SINCE, Relation.UNTIL):
        return relation is Relation.SINCE or aspect is Aspect.HELD
    return aspect in (Aspect.BEGINS, Aspect.HELD)


def _until(span: Span, today: date, aspect: Aspect) -> When:
    if span.last >= today and aspect is not Aspect.HELD:
        return When(expires_on=span.last.isoformat())
    return When(valid_to=span.iso if "/" not in span.iso else span.last.isoformat())


def _lasting(span: Span, today: date, aspect: Aspect) -> When:
    """For so long from now. How long something lasted that is over says nothing of when."""
    return _at(span, today, aspect) if aspect in (Aspect.HOLDS, Aspect.AIMS) else When()


def _at(span: Span, today: date, aspect: Aspect) -> When:
    if aspect is Aspect.AIMS:
        return When(expires_on=span.last.isoformat()) if span.last >= today else When()
    if aspect is Aspect.BEGINS:
        return When(valid_from=span.iso)
    if aspect is Aspect.HELD:
        return When(valid_from=span.start, valid_to=span.end)
    if span.last < today:
        return When(valid_from=span.iso)
    return When(valid_from=max(span.first, today).isoformat(), expires_on=span.last.isoformat())
