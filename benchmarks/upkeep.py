"""One nightly pass over everybody's facts: how long, and whether memory stays flat.

    uv run benchmarks/upkeep.py                    1,000,000 facts over 10,000 users
    uv run benchmarks/upkeep.py --facts 100000

As on a night after a quiet month: of a user's hundred facts two have faded and two have ended, a half are past, and
every tenth user has more than the ceiling allows. Runs on an embedded Postgres of its own under a temporary directory,
removed at the end. Prints one JSON document and exits 1 over the bar.
"""

import argparse
import json
import resource
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import psutil

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.overhead import configure, remove  # noqa: E402

FACTS_A_USER = 100
BAR = 60.0

USERS = """
    INSERT INTO memory_user (password, external_id, display_name, access, subject, language, time_zone,
        is_active, is_paused, epoch, created_at)
    SELECT '!', 'bench-' || u, '', 'member', 'user', 'en',
        (ARRAY['UTC', 'Pacific/Auckland', 'America/New_York', 'Europe/Berlin'])[1 + u %% 4], true, false, 0, now()
    FROM generate_series(1, %s) u
"""

ENTITIES = """
    INSERT INTO memory_entity (user_id, name, name_key, note, note_key, is_owner)
    SELECT id, 'user', 'user', '', '', true FROM memory_user
"""

FACTS = """
    INSERT INTO memory_fact (user_id, entity_id, text, subject, predicate, object, object_key, kind, polarity, basis,
        source, status, status_reason, confidence, last_supported_at, first_said_at, fades_at, expires_on, began_on,
        is_exclusive, is_confirmed, is_pinned, is_unjudged, policy_version, language, embedding_model)
    SELECT entity.user_id, entity.id, 'Knows thing ' || n, 'user', 'knows', 'thing ' || n, 'thing ' || n, 'knowledge',
        'affirms', 'stated', 'user',
        CASE WHEN n > CASE WHEN entity.user_id %% 10 = 0 THEN 60 ELSE 50 END THEN 'superseded' ELSE 'active' END, '', 0.5 + n / 300.0,
        now() - n * interval '1 day', now() - n * interval '1 day',
        CASE WHEN n <= 2 THEN now() - interval '1 day' ELSE now() + interval '1 year' END,
        CASE WHEN n BETWEEN 3 AND 4 THEN current_date - 3 END,
        current_date - n, false, n = 50, n = 51, false, 0, 'en', ''
    FROM memory_entity entity, generate_series(1, %s) n
"""


def fill(users: int) -> None:
    """Rows by the database itself."""
    from django.db import connection, connections  # noqa: PLC0415

    from memory import scope  # noqa: PLC0415

    with scope.staff(), connection.cursor() as cursor:
        cursor.execute(USERS, [users])
        cursor.execute(ENTITIES)
        cursor.execute(FACTS, [FACTS_A_USER])
    with connections["owner"].cursor() as cursor:
        cursor.execute("VACUUM ANALYZE memory_fact")


def backend_bytes() -> int:
    """Memory of the server's process for this connection that it shares with no other."""
    from django.db import connection  # noqa: PLC0415

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return int(psutil.Process(cursor.fetchone()[0]).memory_full_info().uss)


def measure() -> dict[str, Any]:
    """A pass that has everything to do, and one that has nothing."""
    from memory import policies, scope, upkeep  # noqa: PLC0415

    with scope.staff():
        policy = policies.current()
    before = backend_bytes()
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    first, changed = _timed(lambda: upkeep.run(policy))
    second, again = _timed(lambda: upkeep.run(policy))
    return {
        "changed": changed,
        "seconds": round(first, 1),
        "changed_again": again,
        "seconds_again": round(second, 1),
        "backend_growth_mb": round((backend_bytes() - before) / 2**20, 1),
        "own_growth_mb": round((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - own) / 2**10, 1),
        "passed": first <= BAR and again == 0,
    }


def _timed(work: Any) -> tuple[float, int]:
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--facts", type=int, default=1_000_000)
    users = parser.parse_args().facts // FACTS_A_USER
    folder = Path(tempfile.mkdtemp(prefix="assay-upkeep-"))
    configure(folder)
    try:
        fill(users)
        found = {"facts": users * FACTS_A_USER, "users": users} | measure()
        print(json.dumps(found, indent=2))
        return 0 if found["passed"] else 1
    finally:
        remove(folder)


if __name__ == "__main__":
    raise SystemExit(main())
