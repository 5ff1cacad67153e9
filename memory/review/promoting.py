"""Taking in what the gate refused: a reviewer's word makes it a claim like any other, and can be taken back."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from memory import attributing, believing, entities, gate, keying, people, policies, recording, text
from memory.believing import Key
from memory.errors import MemoryPaused, NotFound, Refused
from memory.forgetting import matching
from memory.forgetting.outdating import lock
from memory.models import Candidate, Evidence, History, Remark, Resolution, Turn, User
from memory.people import Person
from memory.policy import Policy
from memory.review.rejudging import proposal_of
from memory.types import TEXTLESS, Basis, Ground, Judgement, Polarity, Proposal, Quote, Reason, Role, Verdict
from memory.types import Turn as Said

MOST_NOTE = 2000
"""Characters of a note that are kept."""
UNASSERTED = {Reason.HEDGED, Reason.SPECULATIVE, Reason.HYPOTHETICAL, Reason.QUESTION}
"""Why something was refused that its person did not say to be so."""


@dataclass(frozen=True, slots=True)
class Promoted:
    """What became of it. `is_new` is whether this call did it; `fact` is None while it waits for support, or to be told whom it is about."""

    is_new: bool
    fact: int | None
    verdict: str
    detail: str


def promote(user_id: int, candidate_id: int, *, by: User, note: str = "", is_plain: bool = False) -> Promoted:
    """Makes a refused candidate a claim, folded with all else on its key; inside its person's scope.

    What is unasserted in the gate's eyes is taken for what can be concluded from it: it waits for support, and is
    believed with a hedge then. `is_plain`: the gate misread it, and it was said. It keeps its evidence. Raises NotFound; Refused for what cannot be taken in, with the reason; MemoryPaused.
    """
    user, row = _locked(user_id, candidate_id)
    if row.refused_for:
        return _told(row, is_new=False)
    if row.verdict != Verdict.REFUSED:
        raise NotFound("This was not refused.")
    if user.is_paused:
        raise MemoryPaused("Memory is paused for this person: nothing new is learnt.")
    person, policy, turns = people.read(user_id), policies.current(), _turns(row)
    judgement = _check(row, turns, person, policy)
    is_concluded = judgement.reason in UNASSERTED and not is_plain
    source = "inferred" if is_concluded else source_of(row, turns)
    with transaction.atomic():
        _admit(row, source, person, by=by, note=text.clean(note).text.strip()[:MOST_NOTE])
        keys = attributing.attribute(user_id, [row])
        if matching.still_named(user_id, [row.pk], held=True):
            raise Refused("Its person asked for this to be forgotten.")
    _refold(user, keys, policy)
    row.refresh_from_db()
    return _told(row, is_new=True)


def demote(user_id: int, candidate_id: int, *, by: User) -> Promoted:
    """Takes a promotion back: the candidate is refused again for what it was, and supports nothing.

    What was written beside it stays on record.
    """
    user, row = _locked(user_id, candidate_id)
    if not row.refused_for:
        return _told(row, is_new=False)
    keys = {(row.entity_id, row.predicate, row.slot)} if row.entity_id else set()
    names = {name for name in (row.subject_key, row.note_key) if name}
    policy = policies.current()
    Resolution.objects.filter(user=user, candidate=row).delete()
    Candidate.objects.filter(user=user, pk=row.pk).update(**_as_refused(row, policy))
    _refold(user, keys | attributing.attribute_names(user_id, names), policy)
    _note(row, by, "demote")
    row.refresh_from_db()
    return _told(row, is_new=True)


def obstacle(row: Candidate, turns: Sequence[Turn]) -> str:
    """Why a candidate cannot be taken in whoever wants it; "" if it can. Decides by what is stored of it alone."""
    if row.reason in TEXTLESS:
        return "Its text was not kept, so there is nothing to believe."
    if not row.text or not row.subject:
        return "It does not say what is claimed of whom."
    if not source_of(row, turns):
        return "Nothing that its person or a tool said stands behind it."
    return ""


def source_of(row: Candidate, turns: Sequence[Turn]) -> str:
    """Where the claim would come from, by the best of the turns it quotes; "" if nothing counts as evidence."""
    if row.basis == Basis.INFERRED:
        return "inferred" if turns else ""
    if row.episode.document:
        return f"imported:{row.episode.document}"
    if any(turn.role == Role.USER for turn in turns):
        return "user"
    tool = next((turn for turn in turns if turn.role == Role.TOOL), None)
    return f"tool:{tool.name or 'unnamed'}" if tool else ""


def _locked(user_id: int, candidate_id: int) -> tuple[User, Candidate]:
    """The user's row first, as by everyone who writes for them."""
    user = lock(user_id)
    rows = Candidate.objects.select_for_update(of=("self",)).select_related("episode")
    row = rows.filter(user=user, pk=candidate_id).first()
    if row is None:
        raise NotFound("There is no such candidate.")
    return user, row


def _turns(row: Candidate) -> list[Turn]:
    """The turns that it quotes."""
    numbers = Evidence.objects.filter(user=row.user_id, candidate=row).values("turn")
    turns = Turn.objects.filter(user=row.user_id, episode=row.episode_id, n__in=numbers)
    return list(turns.order_by("n").defer("embedding"))


def _check(row: Candidate, turns: Sequence[Turn], person: Person, policy: Policy) -> Judgement:
    """What the gate says of it today. What its person asked not to keep, or erased, nobody takes in."""
    if found := obstacle(row, turns):
        raise Refused(found, reason=row.reason)
    proposal = _proposal(row)
    ban = recording.ban(proposal, person, policy)
    ground = Ground(
        turns=tuple(Said(turn.n, Role(turn.role), turn.content, turn.at, turn.name) for turn in turns),
        language=person.language,
        owner=person.subject,
        owner_names=person.names,
        document=row.episode.document,
        declined=person.declined,
    )
    judgement = gate.judge(proposal, ground, policy, is_forgotten=ban.is_claim or ban.is_key)
    if judgement.reason in TEXTLESS:
        raise Refused(f"It stays refused: {judgement.detail}.", reason=str(judgement.reason))
    return judgement


def _proposal(row: Candidate) -> Proposal:
    quotes = Evidence.objects.filter(user=row.user_id, candidate=row).values_list("turn", "quote")
    return proposal_of(row, [Quote(turn, quote) for turn, quote in quotes])


def _admit(row: Candidate, source: str, person: Person, *, by: User, note: str) -> None:
    row.refused_for, row.refused_detail = row.reason, row.detail
    row.verdict, row.reason, row.detail, row.source = Verdict.ACCEPTED, "", "", source
    if not row.predicate:
        row.object_key = row.slot = text.object_key(row.text)
    if people.is_meant(person, row.subject, note=row.subject_note):
        row.entity_id = person.entity
    else:
        row.subject_key, row.note_key = text.name_key(row.subject), entities.note_key(row.subject_note)
    row.save()
    if note:
        Remark.objects.create(user_id=row.user_id, candidate=row, note=note)
    _note(row, by, "promote")


def _as_refused(row: Candidate, policy: Policy) -> dict[str, Any]:
    """Its columns as recording leaves them for what is refused."""
    columns: dict[str, Any] = dict.fromkeys(("refused_for", "refused_detail", "source", "subject_key", "note_key"), "")
    if not row.predicate:
        columns["object_key"] = keying.keyed("", row.object, Polarity(row.polarity), policy.vocabulary)[2]
    return columns | {
        "verdict": Verdict.REFUSED,
        "reason": row.refused_for,
        "detail": row.refused_detail,
        "slot": "",
        "entity": None,
        "fact": None,
    }


def _refold(user: User, keys: set[tuple[int, str, str]], policy: Policy) -> None:
    if keys:
        believing.refold(user.pk, [Key(*key) for key in keys], policy=policy, language=user.language)


def _note(row: Candidate, by: User, action: str) -> None:
    History.objects.create(
        user_id=row.user_id, actor=str(by.pk), action=action, table="candidate", row=row.pk, fields=["verdict"]
    )


def _told(row: Candidate, *, is_new: bool) -> Promoted:
    return Promoted(is_new, row.fact_id, row.verdict, row.detail)
