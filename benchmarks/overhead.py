"""What an episode costs beside the model: from the taken job to written facts, at 1,000 and at 100,000 stored facts.

    uv run benchmarks/overhead.py
    uv run benchmarks/overhead.py --episodes 400 --facts 1000 100000

The model answers at once with one claim an episode; there is no embedder. Beside it, in turn, one transaction of
bare inserts of the very rows that an episode leaves. Runs on an embedded Postgres of its own under a temporary
directory, removed at the end. Prints one JSON document: milliseconds, and their ratio, which is what can be compared.
"""

import argparse
import itertools
import json
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

USERS = 20
FIRST_SAID = datetime(2026, 3, 1, 12, tzinfo=UTC)

# Some of each user's facts are live, many more are past; what is under test must not notice.
FACTS = """
    INSERT INTO memory_fact (user_id, entity_id, text, subject, predicate, object, object_key, kind, polarity, basis,
        source, status, status_reason, confidence, last_supported_at, first_said_at, began_on, is_exclusive,
        is_confirmed, is_pinned, is_unjudged, policy_version, language, embedding_model)
    SELECT entity.user_id, entity.id, 'Knows thing ' || n, 'user', 'knows', 'thing ' || n, 'thing ' || n, 'knowledge',
        'affirms', 'stated', 'user', CASE WHEN n <= 20 THEN 'active' ELSE 'superseded' END, '', 0.9, now(),
        now() - interval '1 day', current_date - 1, false, false, false, false, 0, 'en', ''
    FROM memory_entity entity, generate_series(1, %(each)s) n WHERE entity.is_owner
"""

CLAIMS = """
    WITH told AS (
        INSERT INTO memory_episode (user_id, external_id, session, occurred_at, is_closed, is_flagged, is_outright,
            document, removed, content_hash, turn_count, read_turns, read_chars, state, error, due_at)
        SELECT id, 'before', '', now(), true, false, false, '', 0, '0', 1, 1, 0, 'done', '', now() FROM memory_user
        RETURNING id, user_id
    )
    INSERT INTO memory_candidate (user_id, episode_id, place, turn, said_at, text, subject, subject_note, subject_key,
        note_key, predicate, object, object_key, kind, polarity, basis, speech, source, verdict, reason, detail, digest,
        extractor, policy_version, slot, entity_id, fact_id)
    SELECT fact.user_id, told.id, 1, 1, fact.first_said_at, fact.text, 'user', '', '', '', fact.predicate, fact.object,
        fact.object_key, fact.kind, fact.polarity, fact.basis, 'states', 'user', 'accepted', '', '', '', 'bench', 0, '',
        fact.entity_id, fact.id
    FROM memory_fact fact JOIN told ON told.user_id = fact.user_id
"""


def fill(facts: int) -> list[int]:
    """Users with so many facts between them, on keys that the episodes to come do not touch."""
    from django.db import connection  # noqa: PLC0415

    from memory import people, scope  # noqa: PLC0415

    users = [people.named(f"bench-{facts}-{n}").pk for n in range(USERS)]
    for user_id in users:
        with scope.user(user_id):
            people.read(user_id)
    with scope.staff(), connection.cursor() as cursor:
        cursor.execute(FACTS, {"each": facts // USERS})
        cursor.execute(CLAIMS)
    return users


def extraction(call: Any) -> dict[str, Any]:
    """One claim: the last user turn."""
    line = next(line for line in reversed(call.user.splitlines()) if line.startswith("["))
    head, _, said = line.partition(": ")
    quote = {"turn": int(head[1 : head.index("]")]), "quote": said}
    claim = {"text": said, "subject": "user", "predicate": "owns", "object": said[6:-1], "kind": "knowledge"}
    return {"candidates": [claim | {"evidence": [quote]}]}


class Instant:
    """A model that has answered before it is asked, but for what parsing takes; `spent` is what that was."""

    name = "instant"

    def __init__(self) -> None:
        self.spent = 0.0

    def complete(self, call: Any) -> Any:
        from memory import llm  # noqa: PLC0415

        start = time.perf_counter()
        reply = llm.Reply(
            data=llm.parse(json.dumps(extraction(call)), call.schema), model=self.name, prompt_version="x-1"
        )
        self.spent += time.perf_counter() - start
        return reply


def tell(user_id: int, n: int) -> None:
    """An episode of two turns that is due at once."""
    from memory import incoming, ingest, jobs  # noqa: PLC0415
    from memory.models import User  # noqa: PLC0415

    user = User.objects.get(pk=user_id)
    at = (FIRST_SAID + timedelta(minutes=n)).isoformat()
    turns = [{"role": "assistant", "content": "Tell me more."}, {"role": "user", "content": f"I own boat number {n}."}]
    ingest.store(user, incoming.prepare({"external_id": f"e{n}", "closed": True, "occurred_at": at, "turns": turns}))
    jobs.request([user_id])


def timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1000


def measure(users: list[int], *, episodes: int, first: int, has_model: bool) -> dict[str, float]:
    """Medians in milliseconds over episodes spread over the users; bare inserts of the same rows in turn with them."""
    from memory.pipeline import Engine, process  # noqa: PLC0415

    model = Instant()
    engine = Engine(model=model if has_model else None)
    own, bare = [], []
    for n in range(first, first + episodes):
        user_id = users[n % len(users)]
        tell(user_id, n)
        model.spent = 0.0
        own.append(timed(lambda user_id=user_id: process(user_id, engine)) - model.spent * 1000)
        bare.append(insert_again(user_id, n))
    ordered = sorted(own)
    return {
        "own_ms": round(statistics.median(own), 2),
        "own_p90_ms": round(ordered[len(ordered) * 9 // 10], 2),
        "bare_inserts_ms": round(statistics.median(bare), 2),
        "ratio": round(statistics.median(own) / statistics.median(bare), 2),
    }


def insert_again(user_id: int, n: int) -> float:
    """The rows that episode n left, inserted once more by bare statements, and taken away again."""
    from django.db import connection  # noqa: PLC0415

    from memory import scope  # noqa: PLC0415

    with scope.staff(), connection.cursor() as cursor:
        rows = {table: _last(cursor, table, user_id) for table in TABLES}
    start = time.perf_counter()
    with scope.user(user_id), connection.cursor() as cursor:
        made = [_insert(cursor, table, row) for table, row in rows.items()]
        cursor.execute(
            "UPDATE memory_episode SET read_turns = 2 WHERE user_id = %s AND external_id = %s", [user_id, f"e{n}"]
        )
    spent = (time.perf_counter() - start) * 1000
    with scope.staff(), connection.cursor() as cursor:
        for table, pk in zip(rows, made, strict=True):
            cursor.execute(f"DELETE FROM {table} WHERE id = %s", [pk])
    return spent


TABLES = ("memory_candidate", "memory_evidence", "memory_fact", "memory_history")


def _last(cursor: Any, table: str, user_id: int) -> dict[str, Any]:
    cursor.execute(f"SELECT * FROM {table} WHERE user_id = %s ORDER BY id DESC LIMIT 1", [user_id])
    row = dict(zip([column.name for column in cursor.description], cursor.fetchone(), strict=True))
    return {name: value for name, value in row.items() if name not in ("id", "search")}


def _insert(cursor: Any, table: str, row: dict[str, Any]) -> int:
    names = ", ".join(f'"{name}"' for name in row)
    cursor.execute(
        f"INSERT INTO {table} ({names}) VALUES ({', '.join(['%s'] * len(row))}) RETURNING id", list(row.values())
    )
    return int(cursor.fetchone()[0])


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--facts", type=int, nargs="+", default=[1_000, 100_000])
    parser.add_argument("--episodes", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="assay-overhead-"))
    configure(folder)
    try:
        print(json.dumps(run(arguments), indent=2))
    finally:
        remove(folder)


def run(arguments: argparse.Namespace) -> dict[str, Any]:
    """Each size in turn, several rounds, since the machine may be busy."""
    from django.core.management import call_command  # noqa: PLC0415
    from django.db import connections  # noqa: PLC0415

    results: dict[str, Any] = {}
    for facts, has_model in itertools.product(arguments.facts, (False, True)):
        call_command("flush", verbosity=0, interactive=False, database="owner")  # what one measures, no other folds
        users = fill(facts)
        with connections["owner"].cursor() as cursor:
            cursor.execute("ANALYZE")
        name = f"{facts} facts, {'model' if has_model else 'patterns'}"
        measure(users, episodes=20, first=900_000, has_model=has_model)
        rounds = [
            measure(users, episodes=arguments.episodes, first=number * arguments.episodes, has_model=has_model)
            for number in range(arguments.rounds)
        ]
        results[name] = min(rounds, key=lambda found: found["own_ms"])
    return results


def configure(folder: Path) -> None:
    """An installation of its own in that directory, with nothing of the machine's."""
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
    from django.conf import settings  # noqa: PLC0415
    from django.core.management import call_command  # noqa: PLC0415

    call_command("migrate", verbosity=0, database="owner")
    settings.DEBUG = False  # which would keep every statement


def remove(folder: Path) -> None:
    """Stops the servers and takes the directory away."""
    from django.db import connections  # noqa: PLC0415

    from reviewer import embedded  # noqa: PLC0415

    connections.close_all()
    embedded.release()
    shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
