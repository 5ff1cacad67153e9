"""The gate once more, on what is stored: which candidates other markers would refuse or let through.

Nothing is changed by it. A new gate is for what is read from then on; what it would have said of what was read
before is how one sees beforehand what it will do.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from django.db.models import Q

from memory import gate, people, scope
from memory.models import Candidate, Episode, Evidence, Turn
from memory.models.candidates import CandidateQuerySet
from memory.people import Person
from memory.policy import Policy
from memory.review.rounds import Round
from memory.types import Basis, Ground, Kind, Polarity, Proposal, Quote, Role, Speech, Verdict
from memory.types import Turn as Said

AT_ONCE = 500


def go(gone: Round, old: Policy, new: Policy) -> None:
    """Finds which would be refused and which let through anew, person by person; opens a scope for each."""
    marked = old.markers.keys() | new.markers.keys()
    reasons = {reason for reason in marked if _words(old, reason) != _words(new, reason)}
    found = gone.found.setdefault("gate", {"seen": 0, "refused": [], "accepted": []})
    for user_id in gone.through("gate", _owners(old, new, reasons)):
        with scope.user(user_id):
            judged = list(_judged(user_id, old, new, reasons))
        found["seen"] += len(judged)
        found["refused"] += [candidate for candidate, was, now in judged if was and not now]
        found["accepted"] += [candidate for candidate, was, now in judged if now and not was]


def _words(policy: Policy, reason: str) -> Mapping[str, Sequence[str]]:
    return {language: sorted(words) for language, words in policy.markers.get(reason, {}).items()}


def _owners(old: Policy, new: Policy, reasons: set[str]) -> list[int]:
    if not reasons:
        return []
    with scope.staff():
        rows = _open_to_change(old, new, reasons)
        return sorted(set(rows.order_by().values_list("user", flat=True).distinct()))


def _open_to_change(old: Policy, new: Policy, reasons: set[str]) -> CandidateQuerySet:
    """Candidates with one of the words in them or in their conversation, and those that were refused for one."""
    told, said = Q(), Q()
    for stem in sorted(_stems(old, reasons) | _stems(new, reasons)):
        told |= Q(text__icontains=stem)
        said |= Q(content__icontains=stem)
    let_through = Q(verdict__in=[Verdict.ACCEPTED, Verdict.HELD], refused_for="")
    has_word = told | Q(episode__in=Turn.objects.filter(said).values("episode"))
    return Candidate.objects.filter(let_through & has_word | Q(verdict=Verdict.REFUSED, reason__in=reasons))


def _stems(policy: Policy, reasons: set[str]) -> set[str]:
    phrases = (phrase for reason in reasons for words in policy.markers.get(reason, {}).values() for phrase in words)
    return {stem for phrase in phrases for stem in stems(phrase)}


def stems(phrase: str) -> set[str]:
    """What a text has one of if it has the phrase: of its surest word the longest piece, for each way to say it.

    "" where no word of it is sure, which every text has.
    """
    needed = [[_longest(word) for word in token.split("|")] for token in phrase.split() if not token.startswith("(")]
    return set(max(needed, key=lambda words: min(map(len, words)), default=[""]))


def _longest(word: str) -> str:
    """Of letters that a text cannot have otherwise: the gate reads both as the same."""
    return max(_SAME_OTHERWISE.split(word.casefold()), key=len)


_SAME_OTHERWISE = re.compile(r"[\W_еёßſςσ]+|ss|ı")
"""Beside what is no letter: ё is read as е, and some small letters are written in two ways."""


def _judged(user_id: int, old: Policy, new: Policy, reasons: set[str]) -> Iterator[tuple[int, bool, bool]]:
    """Each candidate with what the one gate says of it and the other, on the same ground."""
    person = people.read(user_id)
    rows = list(_open_to_change(old, new, reasons).select_related("episode").order_by("pk"))
    for start in range(0, len(rows), AT_ONCE):
        some = rows[start : start + AT_ONCE]
        quotes, turns = _quotes(some), _turns(some)
        for row in some:
            proposal = proposal_of(row, quotes.get(row.pk, []))
            ground = _ground(row.episode, turns.get(row.episode_id, ()), person)
            was, now = (gate.judge(proposal, ground, policy).is_accepted for policy in (old, new))
            yield row.pk, was, now


def _quotes(rows: Sequence[Candidate]) -> dict[int, list[Quote]]:
    found: dict[int, list[Quote]] = {}
    for candidate, turn, quote in Evidence.objects.filter(candidate__in=rows).values_list("candidate", "turn", "quote"):
        found.setdefault(candidate, []).append(Quote(turn, quote))
    return found


def _turns(rows: Sequence[Candidate]) -> dict[int, list[Said]]:
    found: dict[int, list[Said]] = {}
    episodes = {row.episode_id for row in rows}
    turns = Turn.objects.filter(episode__in=episodes).order_by("episode", "n")
    for episode, n, role, content, at, name in turns.values_list("episode", "n", "role", "content", "at", "name"):
        found.setdefault(episode, []).append(Said(n, Role(role), content, at, name))
    return found


def _ground(episode: Episode, turns: Sequence[Said], person: Person) -> Ground:
    return Ground(
        turns=tuple(turns),
        language=person.language,
        owner=person.subject,
        owner_names=person.names,
        document=episode.document,
        is_outright=episode.is_outright,
        declined=person.declined,
    )


def proposal_of(row: Candidate, quotes: Sequence[Quote]) -> Proposal:
    """The candidate as the gate was given it."""
    return Proposal(
        text=row.text,
        subject=row.subject,
        predicate=row.predicate,
        object=row.object,
        kind=Kind(row.kind),
        polarity=Polarity(row.polarity),
        basis=Basis(row.basis),
        speech=Speech(row.speech),
        subject_note=row.subject_note or None,
        valid_from=row.valid_from,
        valid_to=row.valid_to,
        expires_on=row.expires_on.isoformat() if row.expires_on else None,
        evidence=tuple(quotes),
        is_keyless=not row.predicate,
    )
