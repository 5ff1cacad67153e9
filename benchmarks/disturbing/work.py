"""People whose work is disturbed: storing it, handing it out, and what came of it."""

import os
import time
import warnings
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

from benchmarks.disturbing.talk import extraction

FIRST_SAID = datetime(2026, 3, 1, 12, tzinfo=UTC)


def store(name: str, said: Iterable[list[str]]) -> int:
    """Stores a person's episodes, as the API does, and requests their job; their id."""
    from memory import incoming, ingest, jobs, people  # noqa: PLC0415

    user = people.named(name)
    for day, contents in enumerate(said):
        at = (FIRST_SAID + timedelta(days=10 * day)).isoformat()
        turns = [{"role": "user", "content": content, "at": at} for content in contents]
        raw = {"external_id": f"day-{day}", "session": f"session-{day}", "closed": True, "turns": turns}
        ingest.store(user, incoming.prepare(raw))
    jobs.request([user.pk])
    return int(user.pk)


def store_and_die(name: str, said: list[list[str]]) -> None:
    """The same in a process that ends between its commit and its message."""
    from django.db import connections  # noqa: PLC0415

    connections.close_all()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of forking beside the model's threads
        child = os.fork()
    if child == 0:
        try:
            store(name, said)
        finally:
            os._exit(0)
    os.waitpid(child, 0)


def publish(user_ids: Iterable[int], *, times: int = 1) -> None:
    from memory import tasks  # noqa: PLC0415

    for user_id in user_ids:
        for _ in range(times):
            tasks.work.delay(user_id)


def empty_broker() -> None:
    import redis  # noqa: PLC0415

    from reviewer.celery import broker_url  # noqa: PLC0415

    with redis.Redis.from_url(broker_url()) as broker:
        broker.flushdb()


def unfinished(prefix: str) -> int:
    from memory import scope  # noqa: PLC0415
    from memory.models import Episode, State  # noqa: PLC0415

    with scope.staff():
        return Episode.objects.filter(user__external_id__startswith=prefix, state=State.PENDING).count()


def running() -> set[tuple[int, int]]:
    """Jobs under way: ids and fences."""
    from memory import scope  # noqa: PLC0415
    from memory.models import Job, JobState  # noqa: PLC0415

    with scope.staff():
        return set(Job.objects.filter(state=JobState.RUNNING).values_list("pk", "fence"))


def memory_of(name: str) -> dict[str, Any]:
    """What is known of a person, apart from ids and times of arrival."""
    from memory import scope  # noqa: PLC0415
    from memory.models import Candidate, Episode, Evidence, Fact, Resolution, User  # noqa: PLC0415

    with scope.staff():
        user = User.objects.get(external_id=name)
        facts = Fact.objects.filter(user=user).order_by("first_said_at", "text")
        return {
            "facts": list(
                facts.values_list("text", "status", "confidence", "last_supported_at", "superseded_by__text")
            ),
            "episodes": sorted(Episode.objects.filter(user=user).values_list("external_id", "state", "read_turns")),
            "candidates": sorted(
                Candidate.objects.filter(user=user).values_list("text", "said_at", "verdict", "place")
            ),
            "quotes": Evidence.objects.filter(user=user).count(),
            "resolutions": sorted(Resolution.objects.filter(user=user).values_list("relation", "why")),
        }


def undisturbed(names: Iterable[str], stories: Callable[[int], list[list[str]]], *, stands_for: str) -> dict[str, Any]:
    """The memories of twins, made in this process with nothing in the way."""
    from memory.pipeline import Engine, process  # noqa: PLC0415
    from tests.scripted_model import ScriptedModel  # noqa: PLC0415

    engine = Engine(model=ScriptedModel(lambda call: extraction(call.user)))
    twins = {}
    for name in names:
        number = name.removeprefix(stands_for)
        user_id = store(f"twin-{number}", stories(int(number)))
        while process(user_id, engine) or unfinished(f"twin-{number}"):
            time.sleep(0.01)  # the sweep may have handed the job to a worker
        twins[name] = memory_of(f"twin-{number}")
    return twins
