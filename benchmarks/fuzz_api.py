"""Whether anything that can be sent to the API makes it fail: 5,000 made-up requests, and hostile values in every field.

    uv run benchmarks/fuzz_api.py                5,000 requests by schemathesis, then the hostile ones; some minutes
    uv run benchmarks/fuzz_api.py --cases 500 --start 1000

Runs on an embedded Postgres and Valkey of its own under a temporary directory, removed at the end. Prints one JSON
document and exits 1 if any answer was a server error, or not one that the OpenAPI document describes.
"""

# ruff: noqa: PLC0415 - Django wants its environment first
import argparse
import json
import logging
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--cases", type=int, default=5_000)
    parser.add_argument("--start", type=int, default=1, help="another one makes up other requests")
    options = parser.parse_args()
    home = Path(tempfile.mkdtemp(prefix="assay-fuzz-"))
    os.environ |= {
        "ASSAY_DATA_DIR": str(home),
        "DJANGO_SETTINGS_MODULE": "reviewer.settings",
        "ASSAY_EMBEDDING_MODEL": "none",
        "ASSAY_RATE_LIMIT": "0",
        "DEBUG": "1",
    }
    for name in ("DATABASE_URL", "MIGRATION_DATABASE_URL", "CELERY_BROKER_URL", "OPENAI_API_KEY", "OPENAI_BASE_URL"):
        os.environ.pop(name, None)
    sys.path.insert(0, str(ROOT))
    try:
        report = run(options.cases, start=options.start)
    finally:
        release(home)
    print(json.dumps(report, indent=2))
    return 1 if report["server errors"] or report["faults"] else 0


def run(cases: int, *, start: int) -> dict[str, Any]:
    import django
    from django.core.management import call_command

    django.setup()
    logging.disable()
    call_command("migrate", verbosity=0)
    from memory import keys
    from tests import fuzzing
    from tests.reviewer.api.test_fuzz import CALLS, set_up

    _, token = keys.create("fuzz", scopes=keys.Scope)
    started = time.monotonic()
    found = fuzzing.Found()
    for turn in range(3):  # what an operation with few fields leaves over is made up for by another turn
        if found.requests < cases:
            more = fuzzing.explore(token, set_up, cases=cases - found.requests, start=start + 1_000 * turn)
            found.statuses += more.statuses
            found.faults += more.faults
    spoilt = fuzzing.spoil(token, CALLS, set_up)
    return {
        "made up": found.requests,
        "hostile": spoilt.requests,
        "server errors": found.server_errors + spoilt.server_errors,
        "faults": sorted(set(found.faults + spoilt.faults))[:50],
        "statuses": dict(sorted((found.statuses + spoilt.statuses).items())),
        "seconds": round(time.monotonic() - started),
    }


def release(home: Path) -> None:
    from django.db import connections

    from reviewer import embedded

    connections.close_all()
    embedded.release()
    shutil.rmtree(home, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
