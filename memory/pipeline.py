"""The stages in order: due episodes → windows → proposals → gate → candidates → facts."""

import time
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, replace
from datetime import datetime

from memory import (
    attributing,
    believing,
    clock,
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
from memory.extraction import Due, Extracted, Opinion, Window
from memory.jobs import Lease
from memory.models import JudgedPair
from memory.models.candidates import ERASED_KEY
from memory.people import Person
from memory.policy import Policy
from memory.reading import View
from memory.recording import Sitting
from memory.types import Ground, Judgement, Proposal

WINDOWS_AT_ONCE = 100
"""Read by patterns before they are believed together. One by one for a model, since each call costs, and where a
worker was lost, so that the next one is lost at the right step."""
RUN_SECONDS = 240.0
"""After which a run makes way for other users' jobs, and goes on in its turn."""


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
    windows: Sequence[Window]
    places: dict[int, int]
    """How many candidates each episode has; counted on as they are stored."""
    view: View
    """The known facts as the first window sees them."""
    until: float
    """By the monotonic clock."""
    requests: list[datetime]
    """Until when they asked to be forgotten about something; more are added as they ask."""


def process(user_id: int, engine: Engine) -> bool:
    """Runs the user's job if it can be taken: reads what is due, believes what stands.

    Returns whether it was taken. A failing model puts the job off or fails it; nothing is lost.
    """
    run = _open(user_id, engine)
    if run is None:
        return False
    with suppress(LeaseLost):  # another worker has it now, or the user was forgotten: nothing is ours to write
        _work(run)
        embedding.refresh(engine.embedder, user_id=user_id)  # no lease: a vector goes with its text or nowhere
    return True


def _open(user_id: int, engine: Engine) -> Run | None:
    """One transaction: takes the job, and reads all that it starts from."""
    with scope.user(user_id):
        lease = jobs.take(user_id)
        if lease is None:
            return None
        person, policy = people.read(user_id), policies.current()
        due, places = ([], {}) if person.is_paused else reading.unread(user_id)
        windows = _windows(due, engine, policy)
        step, episodes = _first_step(windows)
        jobs.note(lease, step, episodes=episodes)
        until = time.monotonic() + RUN_SECONDS
        requests = [person.asked_until] if person.asked_until else []
        return Run(lease, engine, person, policy, windows, places, _view(user_id, engine, windows), until, requests)


def _windows(due: Sequence[Due], engine: Engine, policy: Policy) -> list[Window]:
    """As few as a model's calls should be; patterns cost no call, and read each episode by itself."""
    if engine.model is None:
        return [window for episode in due for window in extraction.window([episode])]
    return extraction.window(due, batch_turns=policy.thresholds.batch_turns)


def _view(user_id: int, engine: Engine, windows: Sequence[Window]) -> View:
    """The known facts, where a model is about to look at them; patterns do not."""
    return reading.in_view(user_id) if engine.model is not None and windows else []


def _first_step(windows: Sequence[Window]) -> tuple[str, list[int]]:
    """What the next step is called, and the episodes it reads: of whoever dies at it, what is left to find."""
    if not windows:
        return "judge", []
    places = windows[0].places[windows[0].context :]
    episodes = sorted({place.episode for place in places})
    return f"extract {episodes} from turn {places[0].n}", episodes


def _work(run: Run) -> None:
    view: View | None = run.view
    is_quick = run.engine.model is None and not run.lease.has_lost_workers
    size = WINDOWS_AT_ONCE if is_quick else 1
    for start in range(0, len(run.windows), size):
        view = _read(run, run.windows[start : start + size], view or [], later=run.windows[start + size :])
        if view is None:
            return
    if _judge(run):
        with jobs.hold(run.lease):
            _end(run, has_more=_has_questions(run))


def _read(run: Run, windows: Sequence[Window], view: View, *, later: Sequence[Window]) -> View | None:
    """Some windows, from turns to facts. The view for what comes next; None when nothing does."""
    try:
        with _patience(run):
            found = [_extract(run, window, view) for window in windows]
    except ModelError as error:
        _fail(run, windows, error)
        return None
    judged = [_judged(run, window, extracted) for window, extracted in zip(windows, found, strict=True)]
    with jobs.hold(run.lease) as is_paused:
        if is_paused:  # meanwhile
            _end(run)
            return None
        accepted = [
            claim
            for window, extracted, proposals in zip(windows, found, judged, strict=True)
            for claim in recording.record(proposals, _sitting(run, window, extracted, view))
        ]
        _refold(run, attributing.attribute(run.lease.user_id, accepted))
        said = (turn for window in windows if not window.document for turn in window.turns[window.context :])
        forgetting.heed(run.lease.user_id, said, learnt=accepted, standing=run.requests)
        reading.mark_read(run.lease.user_id, reading.ends(windows, later))
        return _go_on(run, later)


def _extract(run: Run, window: Window, view: View) -> Extracted:
    return extraction.extract(
        _ground(run.person, window),
        [text for text, _ in view],
        model=run.engine.model,
        zone=run.person.zone,
        context=window.context,
    )


def _judged(run: Run, window: Window, extracted: Extracted) -> list[tuple[Proposal, Judgement]]:
    ground = _ground(run.person, window)
    return [(p, _judgement(run, p, _within(ground, window, p))) for p in extracted.proposals]


def _go_on(run: Run, later: Sequence[Window]) -> View | None:
    """Inside `hold`: notes what comes next, or ends the job at once."""
    has_more = bool(later) or _has_questions(run)
    if has_more and time.monotonic() < run.until:
        step, episodes = _first_step(later)
        jobs.progress(run.lease, step, episodes=episodes)
        return _view(run.lease.user_id, run.engine, later)
    _end(run, has_more=has_more)
    return None


def _has_questions(run: Run) -> bool:
    return run.engine.model is not None and judging.has_open(run.lease.user_id)


def _end(run: Run, *, has_more: bool = False) -> None:
    """Inside `hold`."""
    today = clock.now().astimezone(run.person.zone).date()
    upkeep.lapse_one(run.policy, run.person.id, today=today)
    jobs.finish(run.lease, has_more=has_more)


def _patience(run: Run) -> AbstractContextManager[None]:
    """Keeps the lease while a model takes its time; patterns take none."""
    return nullcontext() if run.engine.model is None else jobs.kept_alive(run.lease)


def _fail(run: Run, windows: Sequence[Window], error: ModelError) -> None:
    """Puts the job off; with no try left, a reply that makes no sense fails its episodes, an outage all that are due."""
    with jobs.hold(run.lease):
        judging.log_failure(run.person.id, run.engine.model, "extraction", error)
        if not jobs.put_off(run.lease, error):
            episodes = {place.episode for window in windows for place in window.places}
            jobs.fail(run.lease, error, episodes=episodes if error.is_about_reply else None)


def _judgement(run: Run, proposal: Proposal, ground: Ground) -> Judgement:
    """The gate's word, and the hold on what was erased before: until its person says yes."""
    ban = recording.ban(proposal, run.person, run.policy)
    judgement = gate.judge(proposal, ground, run.policy, is_forgotten=ban.is_claim)
    return replace(judgement, hold=ERASED_KEY) if judgement.is_accepted and ban.is_key else judgement


def _within(ground: Ground, window: Window, proposal: Proposal) -> Ground:
    """The ground without what other episodes say that share the window: which do is a matter of arrival."""
    places = [window.place(quote.turn) for quote in proposal.evidence]
    own = {place.episode for place in places if place}
    if not own or own >= {place.episode for place in window.places}:
        return ground
    pairs = zip(ground.turns, window.places, strict=True)
    return replace(
        ground, turns=tuple(turn if place.episode in own else replace(turn, content="") for turn, place in pairs)
    )


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


def _sitting(run: Run, window: Window, extracted: Extracted, view: View) -> Sitting:
    """What a window's candidates share; logs the calls that they cost."""
    calls = [judging.log(run.lease.user_id, call) for call in extracted.calls]
    return Sitting(
        person=run.person,
        policy=run.policy,
        extractor=extracted.extractor,
        call=calls[0] if calls else None,
        spots=reading.spots(window),
        known=[claim for _, claim in view],
        places=run.places,
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


def _judge(run: Run) -> bool:
    """Asks the model about pairs that the rules left open. False when it failed and the job was put off.

    A reply that makes no sense holds up neither the other pairs nor, for good, the job.
    """
    if run.engine.model is None:
        return True
    with scope.user(run.lease.user_id):
        pairs = judging.open_pairs()
    senseless: dict[int, ModelError] = {}
    for pair in pairs:
        if time.monotonic() > run.until:
            break
        error = _ask(run, run.engine.model, pair)
        if error and not error.is_about_reply:
            with jobs.hold(run.lease):
                if not jobs.put_off(run.lease, error):
                    jobs.fail(run.lease, error, episodes=())
            return False
        if error:
            senseless[pair.pk] = error
    return not senseless or _leave(run, senseless)


def _ask(run: Run, model: llm.Model, pair: JudgedPair) -> ModelError | None:
    """One pair, asked and believed; what went wrong, if something did."""
    with scope.user(run.lease.user_id):
        jobs.note(run.lease, f"judge {pair.pk}")
    try:
        with jobs.kept_alive(run.lease):
            opinion = extraction.judge(pair.known, pair.new, model=model)
    except ModelError as error:
        with jobs.hold(run.lease):
            judging.log_failure(run.person.id, model, "judgement", error)
        return error
    _answer(run, pair, opinion)
    return None


def _answer(run: Run, pair: JudgedPair, opinion: Opinion) -> None:
    with jobs.hold(run.lease):
        _refold(run, judging.answer(pair, opinion.judged, why=opinion.why, call=opinion.call))
        jobs.progress(run.lease, "judge")


def _leave(run: Run, senseless: dict[int, ModelError]) -> bool:
    """Puts the job off for another try; without one left, leaves these pairs to people. Whether the job may end."""
    with jobs.hold(run.lease):
        if jobs.put_off(run.lease, next(iter(senseless.values()))):
            return False
        judging.give_up(senseless)
    return True
