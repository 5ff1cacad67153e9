"""Working on what tests store, as a worker would, and looking at what came of it."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.utils import timezone

from memory import jobs, llm, pipeline, scope
from memory.jobs import Lease
from memory.models import Candidate, Episode, Fact, Job, User
from tests.scripted_model import ScriptedModel, candidate


def work(user: User, model: llm.Model | None = None) -> None:
    """Requests the user's job and runs it until it need not run again at once."""
    jobs.request([user.pk])
    while pipeline.process(user.pk, pipeline.Engine(model=model)):
        pass


def work_through_waits(user: User, model: llm.Model, *, runs: int) -> None:
    """The same as often as told, as if every wait in between had passed."""
    jobs.request([user.pk])
    for _ in range(runs):
        pass_wait(user)
        pipeline.process(user.pk, pipeline.Engine(model=model))


def take(user: User) -> Lease:
    """The user's job, requested and taken."""
    jobs.request([user.pk])
    with scope.user(user.pk):
        lease = jobs.take(user.pk)
    assert lease is not None
    return lease


def job(user: User) -> Job:
    with scope.staff():
        return Job.objects.get(user=user)


def change_job(user: User, **columns: Any) -> None:
    with scope.staff():
        Job.objects.filter(user=user).update(**columns)


def die(user: User) -> None:
    """What is left when the worker of a running job is killed: a lease that runs out."""
    change_job(user, lease_until=timezone.now() - timedelta(seconds=1))


def pass_wait(user: User) -> None:
    """Lets the time pass that a job was put off by."""
    change_job(user, run_after=timezone.now())


def facts(user: User) -> list[tuple[str, str]]:
    """Texts and statuses, in the order they were first said."""
    with scope.user(user.pk):
        return list(Fact.objects.order_by("first_said_at", "pk").values_list("text", "status"))


def candidates(user: User) -> list[tuple[str, str]]:
    """Texts and verdicts."""
    with scope.user(user.pk):
        return list(Candidate.objects.order_by("episode", "turn", "place").values_list("text", "verdict"))


def states(user: User) -> list[tuple[str, str]]:
    """Of the user's episodes in order of occurrence: state and error."""
    with scope.user(user.pk):
        return list(Episode.objects.order_by("occurred_at", "pk").values_list("state", "error"))


def echo(*, predicate: str = "lives_in", **fields: Any) -> ScriptedModel:
    """A model that takes every user turn for one claim, of which the last word is the object."""
    return ScriptedModel(lambda call: {"candidates": echoed(call.user, predicate=predicate, **fields)})


def echoed(prompt: str, **fields: Any) -> list[dict[str, Any]]:
    """What `echo` says to a prompt."""
    lines = [line for line in prompt.splitlines() if line.startswith("[") and "] user " in line]
    found = []
    for line in lines:
        head, _, content = line.partition(": ")
        evidence = [{"turn": int(head[1 : head.index("]")]), "quote": content}]
        found.append(candidate(content, evidence=evidence) | fields)
    return found


def answering(extraction: Callable[[llm.Call], Any], judgement: Any) -> ScriptedModel:
    """A model that extracts by a function, and judges by another or always says the same."""
    judge = judgement if callable(judgement) else lambda _: judgement
    return ScriptedModel(lambda call: judge(call) if call.name == "judgement" else extraction(call))
