"""The gate once more, on what is stored: which candidates other markers would refuse or let through.

Nothing is changed by it. A new gate is for what is read from then on; what it would have said of what was read
before is how one sees beforehand what it will do.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.db.models import Q

from memory import gate, people, scope
from memory.models import Candidate, Episode, Evidence, Turn
from memory.models.candidates import CandidateQuerySet
from memory.people import Person
from memory.policy import Policy
from memory.types import Basis, Ground, Kind, Polarity, Proposal, Quote, Role, Speech, Verdict
from memory.types import Turn as Said

MOST_IDS = 20_000
AT_ONCE = 500


def report(old: Policy, new: Policy) -> dict[str, Any]:
    """Which would be refused and which let through anew; opens a scope for each person."""
    marked = old.markers.keys() | new.markers.keys()
    reasons = {reason for reason in marked if _words(old, reason) != _words(new, reason)}
    refused, accepted, seen = list[int](), list[int](), 0
    for user_id in _owners(old, new, reasons):
        with scope.user(user_id):
            for candidate, was, now in _judged(user_id, old, new, reasons):
                seen += 1
                if was != now:
                    (accepted if now else refused).append(candidate)
    return {"seen": seen, "refused": _plain(refused), "accepted": _plain(accepted)}


def _plain(rows: Sequence[int]) -> dict[str, Any]:
    return {"count": len(rows), "rows": sorted(rows)[:MOST_IDS]}


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
    for word in sorted(_stems(old, reasons) | _stems(new, reasons)):
        told |= Q(text__icontains=word)
        said |= Q(content__icontains=word)
    let_through = Q(verdict__in=[Verdict.ACCEPTED, Verdict.HELD], refused_for="")
    has_word = told | Q(episode__in=Turn.objects.filter(said).values("episode"))
    return Candidate.objects.filter(let_through & has_word | Q(verdict=Verdict.REFUSED, reason__in=reasons))


def _stems(policy: Policy, reasons: set[str]) -> set[str]:
    return {
        _stem(phrase) for reason in reasons for words in policy.markers.get(reason, {}).values() for phrase in words
    }


def _stem(phrase: str) -> str:
    """What a text must have in it to have the phrase: the longest piece that stands for itself."""
    pieces = [piece.strip("*^$.") for piece in phrase.split() if "|" not in piece and not piece.startswith("(")]
    return max(pieces, key=len, default="")


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
