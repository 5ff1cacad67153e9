"""A few of the rows that a preview names, with their words, to look at."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memory.models import Candidate, Fact

FEW = 5


@dataclass(frozen=True, slots=True)
class Shown:
    """A fact, or a claim by its conversation. `fact` or else `episode` is where it is looked at."""

    user_id: int
    person: str
    text: str
    fact: int | None
    episode: int | None = None


def of(*, facts: Mapping[str, Sequence[int]], claims: Mapping[str, Sequence[int]]) -> dict[str, list[Shown]]:
    """Name → the first few of its rows that are still there; two statements. Inside the staff's scope."""
    found = _facts([row for rows in facts.values() for row in rows[:FEW]])
    told = _claims([row for rows in claims.values() for row in rows[:FEW]])
    return _few(facts, found) | _few(claims, told)


def _few(named: Mapping[str, Sequence[int]], found: Mapping[int, Shown]) -> dict[str, list[Shown]]:
    return {name: [found[row] for row in rows[:FEW] if row in found] for name, rows in named.items()}


def _facts(rows: Sequence[int]) -> dict[int, Shown]:
    facts = Fact.objects.filter(pk__in=rows).values_list("pk", "user", "user__external_id", "text")
    return {pk: Shown(user, person, text, pk) for pk, user, person, text in facts}


def _claims(rows: Sequence[int]) -> dict[int, Shown]:
    claims = Candidate.objects.filter(pk__in=rows).exclude(text="")
    found = claims.values_list("pk", "user", "user__external_id", "text", "episode")
    return {pk: Shown(user, person, text, None, episode) for pk, user, person, text, episode in found}
