"""The stages in order: due episodes → windows → proposals → gate → candidates → facts."""

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, replace

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
        due, places = ([], {}) if person.is_paused else reading.unread()
        windows = _windows(due, engine, policy)
        step, episodes = _first_step(windows)
        jobs.note(lease, step, episodes=episodes)
        return Run(lease, engine, person, policy, windows, places, _view(engine, windows))


def _windows(due: Sequence[Due], engine: Engine, policy: Policy) -> list[Window]:
    """As few as a model's calls should be; patterns cost no call, and read each episode by itself."""
    if engine.model is None:
        return [window for episode in due for window in extraction.window([episode])]
    return extraction.window(due, batch_turns=policy.thresholds.batch_turns)


def _view(engine: Engine, windows: Sequence[Window]) -> View:
    """The known facts, where a model is about to look at them; patterns do not."""
    return reading.in_view() if engine.model is not None and windows else []


def _first_step(windows: Sequence[Window]) -> tuple[str, list[int]]:
    """What the next step is called, and the episodes it reads: of whoever dies at it, what is left to find."""
    if not windows:
        return "judge", []
    places = windows[0].places[windows[0].context :]
    episodes = sorted({place.episode for place in places})
    return f"extract {episodes} from turn {places[0].n}", episodes


def _work(run: Run) -> None:
    view: View | None = run.view
    for number, window in enumerate(run.windows):
        view = _read(run, window, view or [], later=run.windows[number + 1 :])
        if view is None:
            return
    if _judge(run):
        with jobs.hold(run.lease):
            _end(run)


def _read(run: Run, window: Window, view: View, *, later: Sequence[Window]) -> View | None:
    """One window, from its turns to facts. The view for what comes next; None when nothing does."""
    ground = _ground(run.person, window)
    try:
        with _patience(run):
            extracted = extraction.extract(
                ground,
                [text for text, _ in view],
                model=run.engine.model,
                zone=run.person.zone,
                context=window.context,
            )
    except ModelError as error:
        _fail(run, window, error)
        return None
    judged = [(p, _judgement(run, p, _within(ground, window, p))) for p in extracted.proposals]
    with jobs.hold(run.lease) as is_paused:
        if is_paused:  # meanwhile
            _end(run)
            return None
        accepted = recording.record(judged, _sitting(run, window, extracted, view))
        _refold(run, attributing.attribute(run.lease.user_id, accepted))
        if not window.document:
            forgetting.heed(run.lease.user_id, window.turns[window.context :])
        reading.mark_read(reading.ends(window, later))
        return _go_on(run, later)


def _go_on(run: Run, later: Sequence[Window]) -> View | None:
    """Inside `hold`: notes what comes next, or ends the job at once."""
    if later or (run.engine.model is not None and judging.has_open()):
        step, episodes = _first_step(later)
        jobs.progress(run.lease, step, episodes=episodes)
        return _view(run.engine, later)
    _end(run)
    return None


def _end(run: Run) -> None:
    """Inside `hold`."""
    today = clock.now().astimezone(run.person.zone).date()
    upkeep.lapse_one(run.policy, run.person.id, today=today)
    jobs.finish(run.lease)


def _patience(run: Run) -> AbstractContextManager[None]:
    """Keeps the lease while a model takes its time; patterns take none."""
    return nullcontext() if run.engine.model is None else jobs.kept_alive(run.lease)


def _fail(run: Run, window: Window, error: ModelError) -> None:
    """Puts the job off; with no try left, a reply that makes no sense fails its episodes, an outage all that are due."""
    with jobs.hold(run.lease):
        judging.log_failure(run.person.id, run.engine.model, "extraction", error)
        if not jobs.put_off(run.lease, error):
            episodes = {place.episode for place in window.places}
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
