"""What a person, or their agent for them, says of one fact: it is otherwise, it was never so, it is no longer so.

A correction is learnt like anything else they say: as an episode with one turn, through the gate, and as a
claim that has this turn as its evidence. What it corrects is retracted by a ruling and stays on the record.
"""

from datetime import date

from django.utils import timezone

from memory import attributing, believing, clock, extraction, forgetting, gate, people, policies, recording, text
from memory.errors import MemoryPaused, NotFound, NotLive, Refused
from memory.incoming import IncomingEpisode, IncomingTurn, digest
from memory.models import Candidate, Episode, Fact, State, Turn, User
from memory.models.candidates import ERASED_KEY
from memory.people import Person
from memory.policy import Policy
from memory.recording import Sitting, Spot
from memory.types import LIVE, Ground, Judgement, Kind, Polarity, Proposal, Quote, Role, Verb
from memory.types import Turn as Said

EXTRACTOR = "correction"
"""Stands where a claim's extractor does, and as the session of its episode."""
REVIEWER = "reviewer"
"""Who speaks where not the person themselves corrects."""


def correct(user_id: int, fact_id: int, *, said: str = "", value: str = "", by: User | None = None) -> Fact:
    """Says that a live fact should read `said`, or have the object `value`; inside the user's scope.

    A reviewer, named as `by`, does not speak as its person: their words stand as those of a tool of this name.

    One of the two is enough where the other follows from the fact's own sentence. Returns the fact that is
    believed now. Raises NotLive, Refused with the gate's reason, or MemoryPaused; nothing is changed then.
    """
    user = User.objects.select_for_update().get(pk=user_id)
    if user.is_paused:
        raise MemoryPaused("Memory is paused for this person: nothing new is learnt. A fact can still be retracted.")
    fact = _live(user_id, fact_id)
    person, policy = people.read(user_id), policies.current()
    said, value = text.clean(said).text.strip(), text.clean(value).text.strip()
    proposal = _reworded(fact, said, value or _told(fact, said, person))
    is_own = by is None or by.pk == user_id
    turn = Said(1, Role.USER if is_own else Role.TOOL, proposal.text, clock.now(), "" if is_own else REVIEWER)
    judgement = _judged(proposal, turn, person, policy)
    forgetting.retire(user_id, [fact_id], actor=by or user)
    claim = _learnt((proposal, judgement), turn, person, policy)
    claim.refresh_from_db()
    if claim.fact_id is None:
        raise Refused(f"The correction cannot be believed yet: {claim.detail or claim.reason}.")
    return Fact.objects.get(user=user_id, pk=claim.fact_id)


def retract(user_id: int, fact_id: int) -> None:
    """Says that a fact was never true; inside the user's scope."""
    user = User.objects.select_for_update().get(pk=user_id)
    if not forgetting.retire(user_id, [fact_id], actor=user):
        raise NotFound("There is no such fact.")


def close(user_id: int, fact_id: int, *, as_of: date | None = None) -> None:
    """Says that a live fact is true no longer, since `as_of` or today; inside the user's scope."""
    user = User.objects.select_for_update().get(pk=user_id)
    _live(user_id, fact_id)
    forgetting.retire(user_id, [fact_id], actor=user, verb=Verb.CLOSE, as_of=as_of or clock.now().date())


def _live(user_id: int, fact_id: int) -> Fact:
    fact = Fact.objects.filter(user=user_id, pk=fact_id).first()
    if fact is None:
        raise NotFound("There is no such fact.")
    if fact.status not in LIVE:
        raise NotLive(f"This fact is {fact.status} already. Tell what is true now in an episode.")
    return fact


def _told(fact: Fact, said: str, person: Person) -> str:
    """The object that the sentence gives by itself, as the patterns read it; "" where they do not read one."""
    read = extraction.extract(_ground(Said(1, Role.USER, said, clock.now()), person), [], model=None, zone=person.zone)
    same = (fact.subject, fact.predicate, fact.polarity)
    objects = {p.object for p in read.proposals if p.predicate and (p.subject, p.predicate, p.polarity) == same}
    return objects.pop() if len(objects) == 1 else ""


def _reworded(fact: Fact, said: str, value: str) -> Proposal:
    """The fact as it should read. Its sentence and its object each tell the other, where one holds the other once."""
    before, found, after = fact.text.partition(fact.object) if fact.object else (fact.text, "", "")
    is_plain = bool(found) and fact.object not in after
    if value and not said and is_plain:
        said = f"{before}{value}{after}"
    if said and not value and is_plain and said.startswith(before) and said.endswith(after):
        value = said[len(before) : len(said) - len(after)].strip()
    if not said or (fact.predicate and not value):
        missing = "object" if said else "text"
        raise Refused(
            f"{missing}: cannot be told from the rest. Say both text and object as they should be.", reason=missing
        )
    return Proposal(
        text=said,
        subject=fact.subject,
        predicate=fact.predicate,
        object=value,
        kind=Kind(fact.kind),
        polarity=Polarity(fact.polarity),
        subject_note=fact.entity.note or None,
        evidence=(Quote(1, said),),
        is_keyless=not fact.predicate,
    )


def _judged(proposal: Proposal, turn: Said, person: Person, policy: Policy) -> Judgement:
    ban = recording.ban(proposal, person, policy)
    judgement = gate.judge(proposal, _ground(turn, person), policy, is_forgotten=ban.is_claim)
    if not judgement.is_accepted:
        raise Refused(
            f"The correction cannot be believed ({judgement.reason}): {judgement.detail}.",
            reason=str(judgement.reason or ""),
        )
    if ban.is_key:
        raise Refused(
            f"The correction cannot be believed ({ERASED_KEY}): its person erased what was known of this.",
            reason=ERASED_KEY,
        )
    return judgement


def _ground(turn: Said, person: Person) -> Ground:
    return Ground(
        turns=(turn,),
        language=person.language,
        owner=person.subject,
        owner_names=person.names,
        is_outright=True,
        declined=person.declined,
    )


def _learnt(judged: tuple[Proposal, Judgement], turn: Said, person: Person, policy: Policy) -> Candidate:
    episode = _stored(turn, person)
    sitting = Sitting(
        person=person,
        policy=policy,
        extractor=EXTRACTOR,
        call=None,
        spots=[Spot(episode.pk, 1, turn.role, turn.at)],
        known=[],
        places={},
    )
    (claim,) = recording.record([judged], sitting)
    keys = attributing.attribute(person.id, [claim])
    believing.refold(person.id, [believing.Key(*key) for key in keys], policy=policy, language=person.language)
    return claim


def _stored(turn: Said, person: Person) -> Episode:
    """The episode in which it was said; there is nothing to extract from it any more."""
    incoming = IncomingEpisode(
        external_id=f"{EXTRACTOR}-{timezone.now():%Y%m%dT%H%M%S%f}",
        turns=(IncomingTurn(turn.role, turn.content, turn.at, turn.name),),
    )
    episode = Episode.objects.create(
        user_id=person.id,
        external_id=incoming.external_id,
        session=EXTRACTOR,
        occurred_at=turn.at,
        is_closed=True,
        is_outright=True,
        content_hash=digest(incoming),
        turn_count=1,
        read_turns=1,
        state=State.DONE,
        due_at=timezone.now(),
    )
    said = {"n": turn.n, "role": turn.role, "name": turn.name, "content": turn.content, "at": turn.at}
    Turn.objects.create(user_id=person.id, episode=episode, language=person.language, **said)
    return episode
