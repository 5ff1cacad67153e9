"""Leaving with a long memory: exporting, restoring, erasing one fact, and forgetting a person.

    uv run benchmarks/leaving.py                    100,000 facts to export, 10,000 to forget
    uv run benchmarks/leaving.py --facts 10000

Every fact has a claim, a quote and a turn of its own, ten turns an episode; fifty are believed, the others past. Runs on an embedded Postgres of its own under a
temporary directory, removed at the end. Prints one JSON document and exits 1 over a bar.
"""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.overhead import configure, remove  # noqa: E402

FORGOTTEN = 10_000
DEPART_BAR = 10.0
GROWTH_BAR = 100.0

USER = """
    INSERT INTO memory_user (id, password, external_id, display_name, access, subject, language, time_zone,
        is_active, is_paused, epoch, created_at)
    VALUES (%(user)s, '!', 'bench-' || %(user)s, '', 'member', 'user', 'en', 'UTC', true, false, 0, now())
"""

ENTITY = """
    INSERT INTO memory_entity (id, user_id, name, name_key, note, note_key, is_owner)
    VALUES (%(user)s, %(user)s, 'user', 'user', '', '', true)
"""

EPISODES = """
    INSERT INTO memory_episode (id, user_id, external_id, session, occurred_at, is_closed, is_flagged, is_outright,
        document, removed, content_hash, turn_count, read_turns, read_chars, state, error, due_at)
    SELECT %(base)s + n, %(user)s, 'talk-' || n, '', now() - n * interval '1 minute', true, false, false, '', 0, 'x',
        10, 10, 0, 'done', '', now()
    FROM generate_series(0, %(facts)s / 10) n
"""

TURNS = """
    INSERT INTO memory_turn (user_id, episode_id, n, role, name, content, at, ref, language, embedding_model)
    SELECT %(user)s, %(base)s + n / 10, n %% 10 + 1, 'user', '', 'Hello again. I know thing ' || n || ' by heart. Bye.',
        now(), '', 'en', ''
    FROM generate_series(1, %(facts)s) n
"""

FACTS = """
    INSERT INTO memory_fact (id, user_id, entity_id, text, subject, predicate, object, object_key, kind, polarity, basis,
        source, status, status_reason, confidence, last_supported_at, first_said_at, began_on,
        is_exclusive, is_confirmed, is_pinned, is_unjudged, policy_version, language, embedding_model)
    SELECT %(base)s + n, %(user)s, %(user)s, 'Knows thing ' || n || ' by heart.', 'user', 'knows_' || n / 10, 'thing ' || n,
        'thing ' || n, 'knowledge', 'affirms', 'stated', 'user', CASE WHEN n <= 50 THEN 'active' ELSE 'superseded' END, '', 0.9, now(), now(), current_date,
        false, false, false, false, 0, 'en', ''
    FROM generate_series(1, %(facts)s) n
"""

CLAIMS = """
    INSERT INTO memory_candidate (id, user_id, episode_id, place, turn, said_at, text, subject, subject_note, subject_key,
        note_key, predicate, object, object_key, kind, polarity, basis, speech, source, verdict, reason, detail, digest,
        extractor, policy_version, slot, entity_id, fact_id)
    SELECT %(base)s + n, %(user)s, %(base)s + n / 10, n %% 10 + 1, n %% 10 + 1, now(), 'I know thing ' || n || ' by heart.',
        'user', '', '', '', 'knows_' || n / 10, 'thing ' || n, 'thing ' || n, 'knowledge', 'affirms', 'stated', 'states', 'user',
        'accepted', '', '', '', 'bench', 0, '', %(user)s, %(base)s + n
    FROM generate_series(1, %(facts)s) n
"""

QUOTES = """
    INSERT INTO memory_evidence (user_id, candidate_id, episode_id, turn, role, at, quote)
    SELECT %(user)s, %(base)s + n, %(base)s + n / 10, n %% 10 + 1, 'user', now(), 'I know thing ' || n || ' by heart.'
    FROM generate_series(1, %(facts)s) n
"""

RESOLUTIONS = """
    INSERT INTO memory_resolution (user_id, candidate_id, relation, why, fact_id, policy_version)
    SELECT %(user)s, %(base)s + n, 'new', 'Nothing like it is known.', %(base)s + n, 0
    FROM generate_series(1, %(facts)s) n
"""


def fill(user_id: int, facts: int) -> None:
    """One person's rows, by the database itself, under numbers that no sequence will reach."""
    from django.db import connection, connections  # noqa: PLC0415

    from memory import scope  # noqa: PLC0415

    values = {"user": user_id, "facts": facts, "base": user_id * 1_000_000}
    with scope.staff(), connection.cursor() as cursor:
        for statement in (USER, ENTITY, EPISODES, TURNS, FACTS, CLAIMS, QUOTES, RESOLUTIONS):
            cursor.execute(statement, values)
    with connections["owner"].cursor() as cursor:
        cursor.execute("ANALYZE")


def export(user_id: int, path: Path) -> dict[str, Any]:
    """To a file, watching this process's own memory at every piece."""
    from memory import portability  # noqa: PLC0415

    process, start = psutil.Process(), time.perf_counter()
    parts = portability.export(user_id)
    with path.open("wb") as file:
        file.write(next(parts))
        before = highest = process.memory_info().rss
        for number, part in enumerate(parts):
            file.write(part)
            if number % 100 == 0:
                highest = max(highest, process.memory_info().rss)
    return {
        "export_seconds": round(time.perf_counter() - start, 1),
        "export_mb": round(path.stat().st_size / 2**20, 1),
        "export_growth_mb": round((highest - before) / 2**20, 1),
    }


def restore(user_id: int, path: Path) -> float:
    """Into the same database, its person gone as by another way than forgetting."""
    from memory import portability, scope  # noqa: PLC0415
    from memory.models import User  # noqa: PLC0415

    with scope.staff():
        User.objects.filter(pk=user_id).delete()
    return _timed(lambda: portability.restore(path))


def erase(user_id: int) -> float:
    """One fact in the middle."""
    from memory import forgetting, scope  # noqa: PLC0415

    fact = user_id * 1_000_000 + FORGOTTEN // 2

    def work() -> None:
        with scope.user(user_id):
            forgetting.erase(user_id, [fact], actor="benchmark")

    return _timed(work)


def depart(user_id: int) -> float:
    from memory import forgetting, scope  # noqa: PLC0415
    from memory.models import User  # noqa: PLC0415

    with scope.staff():
        user = User.objects.get(pk=user_id)
    return _timed(lambda: forgetting.depart(user, actor="benchmark"))


def _timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return round(time.perf_counter() - start, 1)


def measure(facts: int, folder: Path, *, has_restore: bool) -> dict[str, Any]:
    many, some = 8_000_001, 8_000_002
    fill(many, facts)
    fill(some, FORGOTTEN)
    found = {"facts": facts} | export(many, folder / "memory.zip")
    found["erase_one_seconds"] = erase(some)
    found["depart_seconds"] = depart(some)
    if has_restore:
        found["restore_seconds"] = restore(many, folder / "memory.zip")
    found["passed"] = found["export_growth_mb"] < GROWTH_BAR and found["depart_seconds"] <= DEPART_BAR
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--facts", type=int, default=100_000)
    parser.add_argument("--no-restore", action="store_true", help="leave out the longest part")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="assay-leaving-"))
    configure(folder)
    try:
        found = measure(options.facts, folder, has_restore=not options.no_restore)
        print(json.dumps(found, indent=2))
        return 0 if found["passed"] else 1
    finally:
        remove(folder)


if __name__ == "__main__":
    raise SystemExit(main())
