"""Entities that may be one and the same, each pair with its reasons. A suggestion to a person; nothing here merges.

Pairs stand only where one has no note: two names that were both told apart ("Anna, sister", "Anna, colleague")
are two by their person's own words.
"""

import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import regex
from django.db import connection
from django.db.models import Count

from memory.models import Dismissal, Entity, Fact

MOST = 200
"""Entities of one person that are compared, those with the most facts first."""
ALIKE = 0.45
_NICKNAMES = Path(__file__).parent.parent / "data" / "nicknames.toml"
_NUMBERS = regex.compile(r"\d+")

SPELT_ALIKE = """
    SELECT a.id, b.id FROM memory_entity a JOIN memory_entity b ON b.user_id = a.user_id AND b.id > a.id
    WHERE a.user_id = %(user)s AND a.id = ANY(%(entities)s) AND b.id = ANY(%(entities)s)
        AND similarity(a.name_key, b.name_key) >= %(alike)s
"""
SAY_THE_SAME = """
    SELECT a.entity_id, b.entity_id, count(DISTINCT (a.predicate, a.object_key))
    FROM memory_fact a JOIN memory_fact b ON b.user_id = a.user_id AND b.entity_id > a.entity_id
        AND b.predicate = a.predicate AND b.object_key = a.object_key AND b.polarity = a.polarity
    WHERE a.user_id = %(user)s AND a.object_key <> '' AND a.predicate <> ''
        AND a.entity_id = ANY(%(entities)s) AND b.entity_id = ANY(%(entities)s)
        AND a.status IN ('active', 'conflicted') AND b.status IN ('active', 'conflicted')
    GROUP BY 1, 2
"""

type Pair = tuple[int, int]


class Why(StrEnum):
    """A reason to ask."""

    SPELLING = "spelling"
    NICKNAME = "nickname"
    PART = "part"
    SAME_FACTS = "same_facts"


@dataclass(frozen=True, slots=True)
class Suggestion:
    """That `other` may be another name of `entity`; `shared` counts what is known of both alike."""

    entity: Entity
    other: Entity
    reasons: tuple[Why, ...]
    shared: int


def suggestions(user_id: int) -> list[Suggestion]:
    """The pairs to ask about, those with the most reasons first; inside a scope. Dismissed ones are not among them."""
    facts = Fact.objects.filter(user=user_id).order_by().values_list("entity").annotate(weight=Count("pk"))
    weighed = [pk for pk, _ in facts.order_by("-weight", "entity")[: MOST + 1]]
    found = {row.pk: row for row in Entity.objects.filter(user=user_id, is_owner=False, pk__in=weighed)}
    spelt, shared = _compared(user_id, list(found))
    dismissed = Dismissal.objects.filter(user=user_id).values_list("entity", "other")
    asked = {(min(pair), max(pair)) for pair in dismissed}
    return judge(found, spelt=spelt, shared=shared, dismissed=asked)


def judge(
    found: Mapping[int, Entity], *, spelt: Iterable[Pair], shared: Mapping[Pair, int], dismissed: Iterable[Pair]
) -> list[Suggestion]:
    """Which pairs are worth asking about. What one name with a note stands for is never part of another's."""
    spelt, dismissed = set(spelt), set(dismissed)
    made = []
    for first, second in combinations(sorted(found), 2):
        one, other = _sorted(found[first], found[second])
        pair = (first, second)
        if pair in dismissed or other.note_key or _numbers(one) != _numbers(other):
            continue
        reasons = _reasons(one.name_key, other.name_key, is_spelt=pair in spelt, shared=shared.get(pair, 0))
        if reasons:
            made.append(Suggestion(one, other, reasons, shared.get(pair, 0)))
    return sorted(made, key=lambda one: (-len(one.reasons), one.entity.name_key, one.other.name_key))


def _sorted(one: Entity, other: Entity) -> tuple[Entity, Entity]:
    """Which name stays: the one that was told apart, else the longer one."""
    is_swapped = (bool(other.note_key), len(other.name_key)) > (bool(one.note_key), len(one.name_key))
    return (other, one) if is_swapped else (one, other)


def _numbers(entity: Entity) -> Counter[str]:
    """Room 101 is not room 102."""
    return Counter(_NUMBERS.findall(entity.name_key))


_ENOUGH = 2


def _reasons(one: str, other: str, *, is_spelt: bool, shared: int) -> tuple[Why, ...]:
    """One thing known of both alike is a reason beside another, two are one by themselves."""
    found = [
        why
        for why, holds in (
            (Why.SPELLING, is_spelt),
            (Why.NICKNAME, _are_forms(one, other)),
            (Why.PART, _is_part(one, other)),
        )
        if holds
    ]
    if shared >= (1 if found else _ENOUGH):
        found.append(Why.SAME_FACTS)
    return tuple(found)


def _is_part(one: str, other: str) -> bool:
    """Whole words from the beginning, as "Anna" is of "Anna Virtanen"."""
    words, part = one.split(), other.split()
    return len(part) < len(words) and words[: len(part)] == part


def _are_forms(one: str, other: str) -> bool:
    """Forms of one given name, before the same or no surname."""
    first, _, rest = one.partition(" ")
    second, _, remainder = other.partition(" ")
    is_same_rest = not rest or not remainder or rest == remainder
    return first != second and is_same_rest and bool(_forms().get(first, set()) & _forms().get(second, set()))


@cache
def _forms() -> dict[str, set[int]]:
    """Each form of a name, and the numbers of the lists it stands in."""
    data = tomllib.loads(_NICKNAMES.read_text(encoding="utf-8"))
    lists: Sequence[Sequence[str]] = [names for code, some in data.items() if code != "version" for names in some]
    forms: dict[str, set[int]] = {}
    for number, names in enumerate(lists):
        for name in names:
            forms.setdefault(name, set()).add(number)
    return forms


def _compared(user_id: int, entities: list[int]) -> tuple[set[Pair], dict[Pair, int]]:
    values: dict[str, Any] = {"user": user_id, "entities": entities, "alike": ALIKE}
    with connection.cursor() as cursor:
        cursor.execute(SPELT_ALIKE, values)
        spelt = {(one, other) for one, other in cursor.fetchall()}
        cursor.execute(SAY_THE_SAME, values)
        shared = {(one, other): count for one, other, count in cursor.fetchall()}
    return spelt, shared
