"""Whether work survives what can happen to it: killed workers, an emptied broker, repeated messages, servers going down.

    uv run benchmarks/chaos.py                     200 jobs, 50 kills; then Postgres and Valkey killed; some minutes
    uv run benchmarks/chaos.py --jobs 40 --kills 8

Real Celery workers on a Postgres and a Valkey of its own under a temporary directory, removed at the end; the
model is scripted, behind real HTTP. Every job's memory is compared with that of a twin whose work nothing disturbed.
Prints one JSON document and exits 1 if anything was lost, doubled or late.
"""

import argparse
import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Self

import psutil

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

RECOVERY_BAR = 40.0  # seconds, after a worker was killed
RETURN_BAR = 60.0  # seconds, after the broker or the database came back
FIRST_SAID = datetime(2026, 3, 1, 12, tzinfo=UTC)
CITIES = ("Oslo", "Bergen", "Lisbon", "Kyoto", "Quito", "Turku")
FIRMS = ("Acme", "Globex", "Initech", "Hooli")
PREDICATES = {"live": "lives_in", "work": "works_at", "play": "plays", "use": "uses"}
POISON = "I live in Chernobyl."


# What people say and what the model makes of it ---------------------------------------------------------------


def episodes(n: int) -> list[list[str]]:
    """What person n says on six days: something new, something again, something that changed."""
    city, later, firm = CITIES[n % 6], CITIES[(n + 1) % 6], FIRMS[n % 4]
    return [
        [f"I live in {city}.", f"I work at {firm}."],
        [f"I live in {city}.", f"I play the cello number {n}."],
        [f"I live in {later} now.", f"I use vim version {n}."],
        [f"I work at {firm}."],
        [f"I live in {later}.", f"I use vim version {n}."],
        [f"I play the harp number {n}."],
    ]


def extraction(prompt: str) -> dict[str, Any]:
    """One claim for every user turn."""
    found = []
    for line in prompt.splitlines():
        head, _, said = line.partition(": ")
        if head.startswith("[") and "] user " in head:
            found.append(_claim(int(head[1 : head.index("]")]), said))
    return {"candidates": found}


def _claim(turn: int, said: str) -> dict[str, Any]:
    words = said.removesuffix(".").removesuffix(" now").split()
    return {
        "text": said,
        "subject": "user",
        "predicate": PREDICATES[words[1]],
        "object": " ".join(words[3:] or words[2:]),
        "kind": "knowledge",
        "speech": "changes" if said.endswith(" now.") else "states",
        "evidence": [{"turn": turn, "quote": said}],
    }


class SlowModel:
    """Takes its time to answer; a prompt with the poison in it kills the worker that asked."""

    def __init__(self, latency: float) -> None:
        self.latency = latency
        self.asker = threading.local()

    def __call__(self, received: Any) -> Any:
        if POISON in received.user:
            self._kill_asker()
        time.sleep(random.uniform(0.2, 1.0) * self.latency)
        return extraction(received.user)

    def _kill_asker(self) -> None:
        """The process at the other end of the connection that the question came by, and no other."""
        asker, own = self.asker.ports
        for connection in psutil.net_connections("tcp4"):
            ends = (connection.laddr and connection.laddr.port, connection.raddr and connection.raddr.port)
            if ends == (asker, own) and connection.pid not in (None, os.getpid()):
                os.kill(connection.pid, signal.SIGKILL)


@contextlib.contextmanager
def serving(model: SlowModel) -> Iterator[Any]:
    from tests.scripted_server import ScriptedServer, _Handler  # noqa: PLC0415 - after Django is set up

    class Knowing(_Handler):
        """Tells the model which ports it is asked from and at."""

        def do_POST(self) -> None:  # noqa: N802 - the name is the standard library's
            model.asker.ports = self.client_address[1], self.server.server_address[1]
            super().do_POST()

    with ScriptedServer(reply=model) as server:
        server._server.RequestHandlerClass = Knowing
        server._server.handle_error = lambda *_: None  # of workers killed while they wait
        yield server


# Workers ------------------------------------------------------------------------------------------------------


@dataclass
class Fleet:
    """Celery workers and a beat, each in a process group of its own, so that it dies as a whole."""

    env: Mapping[str, str]
    folder: Path
    size: int = 4
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)
    beat: subprocess.Popen[bytes] | None = None
    started: int = 0

    def __enter__(self) -> Self:
        self.beat = self._run("beat", "-s", str(self.folder / "schedule"), "--pidfile", "")
        for _ in range(self.size):
            self.hire()
        return self

    def __exit__(self, *_: object) -> None:
        for process in [*self.workers, *filter(None, [self.beat])]:
            self._kill(process)

    def hire(self) -> None:
        self.started += 1
        self.workers.append(self._run("worker", "-c", "1", "-n", f"chaos{self.started}@%h"))

    def kill_one(self) -> None:
        """Kills a worker with all its children, and starts another."""
        self._kill(self.workers.pop(random.randrange(len(self.workers))))
        self.hire()

    def _run(self, *command: str) -> subprocess.Popen[bytes]:
        with (self.folder / "fleet.log").open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "celery", "-A", "reviewer", *command, "-l", "WARNING"],
                env=dict(self.env),
                cwd=ROOT,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    @staticmethod
    def _kill(process: subprocess.Popen[bytes]) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


# People and their work ----------------------------------------------------------------------------------------


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
        while process(user_id, engine):
            pass
        twins[name] = memory_of(f"twin-{number}")
    return twins


# Trials -------------------------------------------------------------------------------------------------------


@dataclass
class Trial:
    """One run with disturbances, and what it took."""

    prefix: str
    size: int
    recoveries: list[float] = field(default_factory=list)

    @property
    def names(self) -> list[str]:
        return [f"{self.prefix}{n}" for n in range(self.size)]

    def is_done(self) -> bool:
        return unfinished(self.prefix) == 0

    def wait(self, *, seconds: float) -> float:
        """Until all is done; how long that took, infinite if it did not get there."""
        start = time.monotonic()
        while not self.is_done():
            if time.monotonic() - start > seconds:
                return float("inf")
            time.sleep(0.1)
        return time.monotonic() - start

    def watch_recovery(self, *, seconds: float = 90.0) -> None:
        """Until every job that ran a moment ago has ended or been taken over."""
        before, start = running(), time.monotonic()
        while before & running():
            if time.monotonic() - start > seconds:
                self.recoveries.append(float("inf"))
                return
            time.sleep(0.1)
        self.recoveries.append(time.monotonic() - start)

    def differences(self) -> list[str]:
        """Whose memory is not that of their twin."""
        twins = undisturbed(self.names, episodes, stands_for=self.prefix)
        return [name for name in self.names if memory_of(name) != twins[name]]


def disturb_workers(fleet: Fleet, trial: Trial, *, kills: int) -> None:
    """Kills workers at random all along the run, and empties the broker half-way."""
    watchers = []
    total = left = unfinished(trial.prefix)
    for number in range(kills):
        while left > total * (kills - number) / (kills + 1):
            time.sleep(0.1)
            left = unfinished(trial.prefix)
        fleet.kill_one()
        watchers.append(threading.Thread(target=_in_thread, args=(trial.watch_recovery,)))
        watchers[-1].start()
        if number == kills // 2:
            empty_broker()
    for watcher in watchers:
        watcher.join()


def _in_thread(work: Callable[[], None]) -> None:
    from django.db import connections  # noqa: PLC0415

    try:
        work()
    finally:
        connections.close_all()


def run_kills(fleet: Fleet, *, size: int, kills: int) -> dict[str, Any]:
    """Jobs whose messages all come thrice, whose workers are killed, and whose broker is emptied half-way."""
    trial = Trial("kill-", size)
    publish((store(name, episodes(n)) for n, name in enumerate(trial.names)), times=3)
    disturb_workers(fleet, trial, kills=kills)
    last = trial.wait(seconds=180)
    worst = max(trial.recoveries, default=0.0)
    return {
        "jobs": size,
        "kills": kills,
        "lost": unfinished(trial.prefix),
        "different": trial.differences(),
        "slowest_recovery": round(worst, 1),
        "all_done_after_last_kill": round(last, 1),
        "passed": worst <= RECOVERY_BAR and last < float("inf") and not trial.differences(),
    }


def run_crashes(*, size: int) -> dict[str, Any]:
    """Makers that die between commit and publish, every one of them: the sweep finds the work."""
    trial = Trial("crash-", size)
    for n, name in enumerate(trial.names):
        store_and_die(name, episodes(n))
    seconds = trial.wait(seconds=300)
    different = trial.differences()
    return {"exits": size, "seconds": round(seconds, 1), "different": different, "passed": not different}


def run_poison(*, beside: int) -> dict[str, Any]:
    """A job that kills its worker at the same step each time, among healthy ones."""
    from memory import scope  # noqa: PLC0415
    from memory.models import Episode, Job  # noqa: PLC0415

    poisoned = store("poison-0", [[POISON]])
    trial = Trial("beside-", beside)
    publish([poisoned, *(store(name, episodes(n)) for n, name in enumerate(trial.names))])
    healthy = trial.wait(seconds=120)
    deadline = time.monotonic() + 180
    while unfinished("poison-") and time.monotonic() < deadline:
        time.sleep(0.5)
    with scope.staff():
        job = Job.objects.get(user=poisoned)
        episode = Episode.objects.get(user=poisoned)
    return {
        "state": str(job.state),
        "why": job.error,
        "healthy_done_after": round(healthy, 1),
        "passed": (job.state, episode.state) == ("failed", "failed")
        and "3 times" in job.error
        and healthy < RETURN_BAR,
    }


def run_outage(*, size: int, take_down: Callable[[], None], called: str) -> dict[str, Any]:
    """A server killed in mid-run, and back soon after; work goes on by itself."""
    trial = Trial(f"{called}-", size)
    publish(store(name, episodes(n)) for n, name in enumerate(trial.names))
    time.sleep(2)
    take_down()
    _await_database()
    back = time.monotonic()
    name, late = f"{called}-late", time.monotonic()
    store(name, episodes(0))  # requests are accepted whether the broker is there or not
    accepted = time.monotonic() - late
    seconds = trial.wait(seconds=180) if back else 0.0
    different = trial.differences()
    return {
        "jobs": size,
        "accepted_in": round(accepted, 2),
        "done_after_return": round(seconds, 1),
        "different": different,
        "passed": not different and seconds <= RETURN_BAR,
    }


def _await_database() -> None:
    from django.db import OperationalError, connections  # noqa: PLC0415

    for _ in range(600):
        connections.close_all()
        with contextlib.suppress(OperationalError):
            unfinished("none")
            return
        time.sleep(0.1)


def _server_pids(folder: Path) -> dict[str, int]:
    """The servers of the data directory: main processes alone."""
    postgres = int((folder / "postgres" / "postmaster.pid").read_text().splitlines()[0])
    valkeys = [p.pid for p in psutil.process_iter(["name", "cwd"]) if p.info["cwd"] == str(folder / "valkey")]
    return {"postgres": postgres, "valkey": valkeys[0]}


# The whole ----------------------------------------------------------------------------------------------------


def main() -> int:
    arguments = _arguments()
    folder = Path(tempfile.mkdtemp(prefix="assay-chaos-"))
    _configure(folder)
    try:
        model = SlowModel(latency=0.6)
        with serving(model) as server:
            os.environ |= {"OPENAI_BASE_URL": server.url, "OPENAI_API_KEY": "none", "ASSAY_MODEL": "scripted"}
            with Fleet(env=os.environ, folder=folder) as fleet:
                results = _trials(arguments, fleet, folder, model)
        print(json.dumps(results, indent=2))
        return 0 if all(result["passed"] for result in results.values()) else 1
    finally:
        _remove(folder)


def _trials(arguments: argparse.Namespace, fleet: Fleet, folder: Path, model: SlowModel) -> dict[str, dict[str, Any]]:
    def take_down(name: str) -> Callable[[], None]:
        return lambda: os.kill(_server_pids(folder)[name], signal.SIGKILL if name == "valkey" else signal.SIGQUIT)

    trials: dict[str, Callable[[], dict[str, Any]]] = {
        "kills": lambda: run_kills(fleet, size=arguments.jobs, kills=arguments.kills),
        "crashes": lambda: run_crashes(size=arguments.exits),
        "poison": lambda: run_poison(beside=10),
        "postgres": lambda: run_outage(size=40, take_down=take_down("postgres"), called="postgres"),
        "valkey": lambda: run_outage(size=40, take_down=take_down("valkey"), called="valkey"),
    }
    results = {}
    for name, trial in trials.items():
        results[name] = trial()
        print(name, results[name], file=sys.stderr)
        model.latency = 0.3
    return results


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--jobs", type=int, default=200)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--exits", type=int, default=200)
    return parser.parse_args()


def _configure(folder: Path) -> None:
    for name in [*os.environ]:
        if name.startswith(("ASSAY_", "OPENAI_")) or name in (
            "DATABASE_URL",
            "MIGRATION_DATABASE_URL",
            "CELERY_BROKER_URL",
        ):
            del os.environ[name]
    os.environ |= {
        "ASSAY_DATA_DIR": str(folder),
        "ASSAY_EMBEDDING_MODEL": "none",
        "DEBUG": "1",
        "DJANGO_SETTINGS_MODULE": "reviewer.settings",
    }
    import django  # noqa: PLC0415

    django.setup()
    from django.core.management import call_command  # noqa: PLC0415

    call_command("migrate", verbosity=0, database="owner")


def _remove(folder: Path) -> None:
    from django.db import connections  # noqa: PLC0415

    from reviewer import embedded  # noqa: PLC0415

    connections.close_all()
    embedded.release()
    shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    raise SystemExit(main())
