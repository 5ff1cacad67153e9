"""The stages in order: due episodes → windows → proposals → gate → candidates → facts."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from django.utils import timezone

from memory import (
    attributing,
    believing,
    embedding,
    extraction,
    forgetting,
    gate,
    jobs,
    judging,
    llm,
    people,
    policies,
    reading,
    recording,
    scope,
    upkeep,
)
from memory.errors import LeaseLost, ModelError
from memory.extraction import Due, Extracted, Window
from memory.jobs import Lease
from memory.models.candidates import ERASED_KEY
from memory.people import Person
from memory.policy import Policy
from memory.recording import Sitting
from memory.types import Ground, Judgement, Proposal


@dataclass(frozen=True, slots=True)
class Engine:
    """What a run works with: a model (None: patterns) and an embedder (None: lexical search only)."""

    model: llm.Model | None = None
    embedder: llm.Embedder | None = None


@dataclass(frozen=True, slots=True)
class Run:
    """One lease with what it reads and decides under."""

    lease: Lease
    engine: Engine
    person: Person
    policy: Policy


def process(user_id: int, engine: Engine) -> bool:
    """Runs the user's job if it can be taken: reads what is due, believes what stands.

    Returns whether it was taken. A failing model puts the job off or fails it; nothing is lost.
    """
    lease = jobs.take(user_id)
    if lease is None:
        return False
    with suppress(LeaseLost):  # another worker has it now, or the user was forgotten: nothing is ours to write
        _run(lease, engine)
    return True


def _run(lease: Lease, engine: Engine) -> None:
    with scope.user(lease.user_id):
        run = Run(lease, engine, people.read(lease.user_id), policies.current())
        due = [] if run.person.is_paused else reading.unread(timezone.now())
    windows = extraction.window(
        [Due(episode.id, episode.turns, episode.session, episode.document, episode.is_outright) for episode in due],
        batch_turns=run.policy.thresholds.batch_turns,
    )
    for number, window in enumerate(windows):
        if not _read(run, window, ends=reading.ends(window, windows[number + 1 :])):
            return
    if engine.model is not None and not _judge(run, engine.model):
        return
    with jobs.kept_alive(lease):
        embedding.refresh(engine.embedder, user_id=lease.user_id)
    with jobs.hold(lease):
        upkeep.lapse(run.policy, user_id=lease.user_id)
        jobs.finish(lease)


def _read(run: Run, window: Window, *, ends: reading.Ends) -> bool:
    """One window, from its turns to facts. False when the model failed and the job was put off."""
    episodes = sorted({place.episode for place in window.places})
    with scope.user(run.lease.user_id):
        known = reading.in_view()
    jobs.beat(run.lease, f"extract {episodes} from turn {window.places[0].n}")
    ground = _ground(run.person, window)
    try:
        with jobs.kept_alive(run.lease):
            extracted = extraction.extract(
                ground,
                [text for text, _ in known],
                model=run.engine.model,
                zone=run.person.zone,
                context=window.context,
            )
    except ModelError as error:
        jobs.fail(run.lease, error, episodes=episodes)
        return False
    judged = [(proposal, _judgement(run, proposal, ground)) for proposal in extracted.proposals]
    with jobs.hold(run.lease):
        sitting = _sitting(run, window, extracted, known=[claim for _, claim in known])
        accepted = recording.record(judged, sitting)
        _refold(run, attributing.attribute(run.lease.user_id, accepted))
        forgetting.heed(run.lease.user_id, window.turns[window.context :])
        reading.mark_read(ends)
        jobs.progress(run.lease)
    return True


def _judgement(run: Run, proposal: Proposal, ground: Ground) -> Judgement:
    """The gate's word, and the hold on what was erased before: until its person says yes."""
    marks = recording.marks(proposal, run.person, run.policy)
    is_forgotten = marks.claim in run.person.erased_claims
    judgement = gate.judge(proposal, ground, run.policy, is_forgotten=is_forgotten)
    is_barred = judgement.is_accepted and marks.key in run.person.erased_keys
    return replace(judgement, hold=ERASED_KEY) if is_barred else judgement


def _ground(person: Person, window: Window) -> Ground:
    return Ground(
        turns=window.turns,
        language=person.language,
        owner=person.subject,
        owner_names=person.names,
        document=window.document,
        is_outright=window.is_outright,
        declined=person.declined,
    )


def _sitting(run: Run, window: Window, extracted: Extracted, *, known: Sequence[int]) -> Sitting:
    """What a window's candidates share; logs the calls that they cost."""
    places = [(place.episode, place.n) for place in window.places]
    calls = [judging.log(run.lease.user_id, call) for call in extracted.calls]
    return Sitting(
        person=run.person,
        policy=run.policy,
        extractor=extracted.extractor,
        call=calls[0] if calls else None,
        spots=reading.spots(window.turns, places),
        known=known,
        places=reading.places({episode for episode, _ in places}),
    )


def _refold(run: Run, keys: set[tuple[int, str, str]]) -> None:
    if not keys:
        return
    pairs = believing.refold(
        run.lease.user_id,
        [believing.Key(*key) for key in keys],
        policy=run.policy,
        language=run.person.language,
    )
    if run.engine.model is not None:
        judging.ask_later(run.lease.user_id, pairs)


def _judge(run: Run, model: llm.Model) -> bool:
    """Asks the model about pairs that the rules left open. False when it failed and the job was put off."""
    with scope.user(run.lease.user_id):
        pairs = judging.open_pairs()
    for pair in pairs:
        jobs.beat(run.lease, f"judge {pair.pk}")
        try:
            with jobs.kept_alive(run.lease):
                opinion = extraction.judge(pair.known, pair.new, model=model)
        except ModelError as error:
            jobs.fail(run.lease, error, episodes=[])
            return False
        with jobs.hold(run.lease):
            _refold(run, judging.answer(pair, opinion.judged, why=opinion.why, call=opinion.call))
            jobs.progress(run.lease)
    return True
