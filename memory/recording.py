"""Storing what the gate said of a window's proposals: every candidate is kept, some without their text."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import date, datetime

from memory import dates, entities, keying, people, prepared, text
from memory.marks import Marks, digest, marks_of
from memory.models import Candidate
from memory.people import Person
from memory.policy import Policy
from memory.policy_types import Vocabulary
from memory.types import TEXTLESS, Judgement, Proposal, Role, Verdict


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a turn of a window really stands, and when it was said."""

    episode: int
    turn: int
    role: Role
    at: datetime


@dataclass(frozen=True, slots=True)
class Sitting:
    """What all candidates of one window share. `spots` and `known` go by the numbers the extractor was given."""

    person: Person
    policy: Policy
    extractor: str
    call: int | None
    spots: Sequence[Spot]
    known: Sequence[int]
    places: dict[int, int]
    """How many candidates each episode already has; counted on here."""


def record(judged: Sequence[tuple[Proposal, Judgement]], sitting: Sitting) -> list[Candidate]:
    """Stores candidates with their quotes; must run inside the user's scope. Returns the accepted ones."""
    places = sitting.places
    rows = []
    for proposal, judgement in judged:
        spot = _spot(proposal, sitting.spots)
        places[spot.episode] = places.get(spot.episode, 0) + 1
        rows.append(_candidate(proposal, judgement, spot, places[spot.episode], sitting))
    if rows:
        _store(rows, [_quoted(proposal, judgement, sitting.spots) for proposal, judgement in judged])
    return [row for row in rows if row.verdict == Verdict.ACCEPTED]


COLUMNS = (
    "user_id",
    "episode_id",
    "place",
    "turn",
    "said_at",
    "text",
    "subject",
    "subject_note",
    "subject_key",
    "note_key",
    "predicate",
    "object",
    "object_key",
    "kind",
    "polarity",
    "basis",
    "speech",
    "valid_from",
    "valid_to",
    "expires_on",
    "source",
    "verdict",
    "reason",
    "detail",
    "digest",
    "extractor",
    "policy_version",
    "call_id",
    "slot",
    "entity_id",
    "about_id",
    "created_at",
)

# Ids grow in the order of the rows, so that the n-th is that of the n-th candidate.
STORE = f"""
    WITH claim AS (INSERT INTO memory_candidate ({", ".join(COLUMNS)})
        SELECT {", ".join(COLUMNS)} FROM jsonb_populate_recordset(NULL::memory_candidate, %(rows)s) RETURNING id),
    numbered AS (SELECT id, row_number() OVER (ORDER BY id) AS n FROM claim),
    quoted AS (
        INSERT INTO memory_evidence (user_id, candidate_id, episode_id, turn, role, at, quote)
        SELECT %(user)s, numbered.id, episode, turn, role, at, words
        FROM jsonb_to_recordset(%(quotes)s)
            AS quote (n int, place int, episode bigint, turn int, role text, at timestamptz, words text)
        JOIN numbered USING (n) ORDER BY n, place
    )
    SELECT id FROM numbered ORDER BY n
"""  # noqa: S608 - names of our own columns


def _store(rows: Sequence[Candidate], quoted: Sequence[Sequence[tuple[Spot, str]]]) -> None:
    quotes = [
        {"n": n, "place": place, "words": words} | asdict(spot)
        for n, some in enumerate(quoted, start=1)
        for place, (spot, words) in enumerate(some)
    ]
    values = {
        "user": rows[0].user_id,
        "rows": json.dumps([{name: getattr(row, name) for name in COLUMNS} for row in rows], default=str),
        "quotes": json.dumps(quotes, default=str),
    }
    for row, (pk,) in zip(rows, prepared.rows(STORE, values), strict=True):
        row.pk = pk


def _spot(proposal: Proposal, spots: Sequence[Spot]) -> Spot:
    """Where a claim was said: its last quoted turn. One that quotes no turn is kept with the window's last."""
    quoted = [spots[quote.turn - 1] for quote in proposal.evidence if 1 <= quote.turn <= len(spots)]
    return max(quoted or spots[-1:], key=lambda spot: (spot.at, spot.turn))


def _candidate(proposal: Proposal, judgement: Judgement, spot: Spot, place: int, sitting: Sitting) -> Candidate:  # noqa: PLR0917
    row = Candidate(
        user_id=sitting.person.id,
        episode_id=spot.episode,
        turn=spot.turn,
        said_at=spot.at,
        place=place,
        kind=proposal.kind,
        polarity=proposal.polarity,
        basis=proposal.basis,
        speech=proposal.speech,
        source=judgement.source,
        verdict=_verdict(judgement),
        reason=judgement.reason or judgement.hold,
        extractor=sitting.extractor[:100],
        policy_version=sitting.policy.version,
        call_id=sitting.call,
    )
    if judgement.reason in TEXTLESS:
        row.digest = digest(proposal.text)
    else:
        _describe(row, proposal, judgement, sitting)
    return row


def _verdict(judgement: Judgement) -> Verdict:
    if not judgement.is_accepted:
        return Verdict.REFUSED
    return Verdict.HELD if judgement.hold else Verdict.ACCEPTED


def _describe(row: Candidate, proposal: Proposal, judgement: Judgement, sitting: Sitting) -> None:
    """The columns that hold text."""
    vocabulary = sitting.policy.vocabulary
    row.detail = judgement.detail[:500]
    row.text = proposal.text
    row.subject, row.subject_note = proposal.subject[:300], (proposal.subject_note or "")[:300]
    row.object = proposal.object
    row.valid_from, row.valid_to = _date(proposal.valid_from), _date(proposal.valid_to)
    row.expires_on = _last_day(proposal.expires_on)
    predicate, row.polarity, row.object_key = _keyed(proposal, vocabulary)
    row.predicate = predicate[:200]
    if not judgement.is_accepted:
        return
    if not row.predicate:
        row.object_key = row.slot = text.object_key(proposal.text)
    if people.is_meant(sitting.person, proposal.subject, note=row.subject_note):
        row.entity_id = sitting.person.entity
    else:
        row.subject_key = text.name_key(row.subject)
        row.note_key = entities.note_key(row.subject_note)
    if proposal.about is not None and 1 <= proposal.about <= len(sitting.known):
        row.about_id = sitting.known[proposal.about - 1]


def _keyed(proposal: Proposal, vocabulary: Vocabulary) -> keying.Keyed:
    return keying.keyed(proposal.predicate, proposal.object, proposal.polarity, vocabulary)


def _date(when: str | None) -> str | None:
    return when if when and dates.is_date(when) else None


def _last_day(when: str | None) -> date | None:
    return dates.last_day(when) if when and dates.is_date(when) else None


def _quoted(proposal: Proposal, judgement: Judgement, spots: Sequence[Spot]) -> list[tuple[Spot, str]]:
    """What is kept as evidence: quotes of turns that there are, but not of what must not be kept."""
    if judgement.reason in TEXTLESS:
        return []
    return [(spots[quote.turn - 1], quote.quote) for quote in proposal.evidence if 1 <= quote.turn <= len(spots)]


@dataclass(frozen=True, slots=True)
class Ban:
    """What an earlier erasure says of a proposal: its very claim was erased, or something of the same key."""

    is_claim: bool = False
    is_key: bool = False


def ban(proposal: Proposal, person: Person, policy: Policy) -> Ban:
    """Saying again what is still believed is never banned: it was not what was erased."""
    if not person.erased_claims:
        return Ban()
    found = marks(proposal, person, policy)
    polarity = _keyed(proposal, policy.vocabulary).polarity
    if (found.claim, polarity) in person.believed:
        return Ban()
    return Ban(found.claim in person.erased_claims, found.key in person.erased_keys)


def marks(proposal: Proposal, person: Person, policy: Policy) -> Marks:
    """The hashes by which an erased claim is known again, whoever words it how."""
    is_own = people.is_meant(person, proposal.subject, note=proposal.subject_note or "")
    predicate, _, key = _keyed(proposal, policy.vocabulary)
    content = key if predicate else text.object_key(proposal.text)
    return marks_of(
        person.id,
        subject="" if is_own else text.name_key(proposal.subject[:300]),
        predicate=predicate[:200],
        object_key=content,
    )
