"""Whether work survives what can happen to it: killed workers, an emptied broker, repeated messages, servers going down.

    uv run benchmarks/chaos.py                     200 jobs, 50 kills; then Postgres and Valkey killed; some minutes
    uv run benchmarks/chaos.py --jobs 40 --kills 8

Real Celery workers on a Postgres and a Valkey of its own under a temporary directory, removed at the end; the
model is scripted, behind real HTTP. Every job's memory is compared with that of a twin whose work nothing disturbed.
Prints one JSON document and exits 1 if anything was lost, doubled or late.
"""

import argparse
import json
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.disturbing import crashes, kills, outage, poison  # noqa: E402
from benchmarks.disturbing.fleet import Fleet  # noqa: E402
from benchmarks.disturbing.talk import SlowModel, serving  # noqa: E402


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
        return lambda: os.kill(outage.server_pids(folder)[name], signal.SIGKILL if name == "valkey" else signal.SIGQUIT)

    trials: dict[str, Callable[[], dict[str, Any]]] = {
        "kills": lambda: kills.run(fleet, size=arguments.jobs, kills=arguments.kills),
        "crashes": lambda: crashes.run(size=arguments.exits),
        "poison": lambda: poison.run(beside=10),
        "postgres": lambda: outage.run(size=40, take_down=take_down("postgres"), called="postgres"),
        "valkey": lambda: outage.run(size=40, take_down=take_down("valkey"), called="valkey"),
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
