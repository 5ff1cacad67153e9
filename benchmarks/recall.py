"""How fast recall is beside one bare hybrid statement, and whether it is exact, on synthetic facts.

    uv run benchmarks/recall.py                        1,000,000 facts over 3,400 users, and a heavy one
    uv run benchmarks/recall.py --facts 100000         quicker

Runs on an embedded Postgres of its own under a temporary directory, removed at the end. Prints one JSON
document: milliseconds, and their ratios to the floor in the same run, which are what can be compared.
"""

# ruff: noqa: PLC0415 - Django wants its environment first
import argparse
import json
import os
import random
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
DIMENSIONS = 384
FACTS_A_USER = 294
HEAVY = 50_000
MODEL = "synthetic"
SMALL = 10_000
EXACT_QUERIES = 1_000

# Words follow a power law, as they do; vectors are sums of two of ten thousand, so that no two facts share one.
POOL = """
    CREATE UNLOGGED TABLE bench_word AS
        SELECT i, translate(to_hex(i * 7919 + 4096), '0123456789', 'ghijklmnop') AS word
        FROM generate_series(0, 4999) i;
    CREATE UNLOGGED TABLE bench_vector AS
        SELECT i, (SELECT array_agg(random() - 0.5 + 0 * i + 0 * j) FROM generate_series(1, {dimensions}) j)::halfvec AS v
        FROM generate_series(0, 9999) i;
    ALTER TABLE bench_word ADD PRIMARY KEY (i);
    ALTER TABLE bench_vector ADD PRIMARY KEY (i);
"""

USERS = """
    INSERT INTO memory_user (id, password, external_id, display_name, access, subject, language, time_zone,
        is_active, is_paused, epoch, created_at)
    SELECT u, '!', 'bench-' || u, '', 'member', 'user', 'en', 'UTC', true, false, 0, now()
    FROM generate_series(%(first)s::bigint, %(last)s::bigint) u
"""

ENTITIES = """
    INSERT INTO memory_entity (id, user_id, name, name_key, note, note_key, is_owner)
    SELECT u * 100 + e, u, word, word, '', '', e = 0
    FROM generate_series(%(first)s::bigint, %(last)s::bigint) u, generate_series(0, 29) e
    JOIN LATERAL (SELECT CASE WHEN e = 0 THEN 'user' ELSE 'name' || translate(to_hex(u * 31 + e), '0123456789', 'ghijklmnop')
        END AS word) named ON true
"""

FACTS = """
    INSERT INTO memory_fact (user_id, entity_id, text, subject, predicate, object, object_key, kind, polarity, basis,
        source, status, status_reason, confidence, last_supported_at, first_said_at, began_on, is_exclusive,
        is_confirmed, is_pinned, is_unjudged, policy_version, language, embedding, embedding_model)
    SELECT u, u * 100 + e, initcap(w[1]) || ' ' || array_to_string(w[2:7], ' ') || ' the ' || w[8] || '.',
        'user', 'knows', w[7] || ' ' || w[8], w[7] || ' ' || w[8], 'knowledge', 'affirms', 'stated', 'user',
        CASE WHEN n %% 20 < 17 THEN 'active' ELSE 'superseded' END, '', 0.9, now() - n %% 90 * interval '1 day',
        now() - interval '200 days', current_date - 200, false, false, false, false, 0, 'en', v, 'synthetic'
    FROM (
        SELECT u, n, 1 + floor(29 * random())::int AS e, (9999 * random())::int AS i, (9999 * random())::int AS j,
            ARRAY[floor(5000 * random() ^ 3), floor(5000 * random() ^ 3), floor(5000 * random() ^ 3),
                floor(5000 * random() ^ 3), floor(5000 * random() ^ 3), floor(5000 * random() ^ 3),
                floor(5000 * random() ^ 3), floor(5000 * random() ^ 3)]::int[] AS picked
        FROM generate_series(%(first)s::bigint, %(last)s::bigint) u, generate_series(1, %(each)s) n
    ) drawn
    JOIN LATERAL (SELECT array_agg(word ORDER BY place) AS w
        FROM unnest(picked) WITH ORDINALITY AS p (i, place) JOIN bench_word USING (i)) said ON true
    JOIN LATERAL (SELECT a.v + b.v AS v FROM bench_vector a, bench_vector b WHERE a.i = drawn.i AND b.i = j) summed ON true
    ORDER BY u, n
"""

# The floor: what a search of one user's facts costs that knows no confidence, conflict, floor or scope.
FLOOR = """
WITH question AS MATERIALIZED (
    SELECT replace(plainto_tsquery('english', %(query)s)::text, '&', '|')::tsquery AS words
),
own AS MATERIALIZED (
    SELECT fact.id, embedding <=> %(vector)s::halfvec AS distance,
        CASE WHEN search @@ question.words THEN ts_rank(search, question.words) END AS words,
        entity.name_key = ANY(%(names)s) AS is_named
    FROM memory_fact fact JOIN memory_entity entity ON entity.id = fact.entity_id, question
    WHERE fact.user_id = %(user)s AND status IN ('active', 'conflicted')
),
by_vector AS (SELECT id, row_number() OVER (ORDER BY distance) AS place FROM own ORDER BY distance LIMIT 60),
by_words AS (
    SELECT id, row_number() OVER (ORDER BY words DESC) AS place FROM own WHERE words IS NOT NULL
    ORDER BY words DESC LIMIT 60
),
by_name AS (SELECT id, 1 AS place FROM own WHERE is_named LIMIT 60),
fused AS (
    SELECT id, sum(1.0 / (60 + place)) AS score
    FROM (SELECT * FROM by_vector UNION ALL SELECT * FROM by_words UNION ALL SELECT * FROM by_name) legs
    GROUP BY id ORDER BY score DESC LIMIT 10
)
SELECT fact.* FROM fused JOIN memory_fact fact USING (id) ORDER BY score DESC
"""

# One sequential scan for all queries at once: what the right answers are.
TRUTH = """
    SELECT query, array_agg(id ORDER BY place) FROM (
        SELECT query.i AS query, fact.id,
            row_number() OVER (PARTITION BY query.i ORDER BY fact.embedding <=> query.v, fact.id) AS place
        FROM bench_query query JOIN memory_fact fact ON fact.user_id = query.user_id
        WHERE fact.status IN ('active', 'conflicted')
    ) ranked WHERE place <= 10 GROUP BY query
"""


@dataclass(frozen=True)
class Query:
    """A question with its vector, and whose it is."""

    user: int
    text: str
    vector: list[float]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--facts", type=int, default=1_000_000)
    parser.add_argument("--queries", type=int, default=300)
    parser.add_argument("--no-heavy", action="store_true", help="without the user of 50,000 facts")
    options = parser.parse_args()
    home = Path(tempfile.mkdtemp(prefix="assay-recall-"))
    os.environ |= {"ASSAY_DATA_DIR": str(home), "DJANGO_SETTINGS_MODULE": "reviewer.settings", "DEBUG": "1"}
    for name in ("DATABASE_URL", "MIGRATION_DATABASE_URL", "ASSAY_NOW"):
        os.environ.pop(name, None)
    sys.path.insert(0, str(ROOT))
    try:
        print(json.dumps(Bench(options.queries).run(options.facts, is_heavy=not options.no_heavy), indent=2))
    finally:
        release(home)


def release(home: Path) -> None:
    from django.db import connections

    from reviewer import embedded

    connections.close_all()
    embedded.release()
    shutil.rmtree(home, ignore_errors=True)


class Bench:
    """A filled database, the application's connection to it, and a superuser's for filling and for the floor."""

    def __init__(self, queries: int) -> None:
        import django
        import psycopg
        from django.core.management import call_command

        django.setup()
        call_command("migrate", verbosity=0)
        from memory import policy
        from reviewer import embedded

        url = embedded.ensure().database_url("postgres")
        self.admin = psycopg.connect(url, autocommit=True, cursor_factory=psycopg.ClientCursor)
        self.admin.execute("SET session_replication_role = replica; SET max_parallel_workers_per_gather = 0")
        self.queries = queries
        self.users = 0
        self.policy = replace(policy.default(), thresholds=replace(policy.default().thresholds, ceiling=None))
        self.random = random.Random(7)
        self.admin.execute(POOL.format(dimensions=DIMENSIONS))

    def run(self, facts: int, *, is_heavy: bool) -> dict[str, Any]:
        report: dict[str, Any] = {}
        for size in sorted({min(SMALL, facts), facts}):
            started = time.monotonic()
            self.fill(max(1, size // FACTS_A_USER) - self.users, each=FACTS_A_USER)
            report[f"{size:,} facts"] = {"filled in s": round(time.monotonic() - started)} | self.compare(self.draw())
        report["growth of p50"] = ratio(*(list(report.values())[i]["recall, ms"]["p50"] for i in (-1, 0)))
        report["exact"] = self.exactness(EXACT_QUERIES)
        if is_heavy:
            self.fill(1, each=HEAVY)
            heavy = [replace(query, user=self.users) for query in self.draw(30, of=[self.users])]
            report[f"a user of {HEAVY:,} facts"] = self.compare(heavy)
        return report

    def fill(self, users: int, *, each: int) -> None:
        """User after user, as clustering leaves a heap."""
        step = max(1, 100_000 // each)
        for first in range(self.users + 1, self.users + users + 1, step):
            last = min(first + step - 1, self.users + users)
            span = {"first": first, "last": last, "each": each}
            for statement in (USERS, ENTITIES, FACTS):
                self.admin.execute(statement, span)
            print(f"filled to user {last}", file=sys.stderr)
        self.users += users
        self.admin.execute("VACUUM ANALYZE memory_fact, memory_entity, memory_user")

    def draw(self, count: int | None = None, *, of: Sequence[int] = ()) -> list[Query]:
        """Questions that share words with a fact of the user's, a third of them with a name, and a vector near it."""
        users = [self.random.choice(of or range(1, self.users + 1)) for _ in range(count or self.queries)]
        return [self._query(user, place) for place, user in enumerate(users)]

    def _query(self, user: int, place: int) -> Query:
        row = self.admin.execute(
            """SELECT fact.text, entity.name, embedding::real[]::float8[] FROM memory_fact fact
            JOIN memory_entity entity ON entity.id = entity_id
            WHERE fact.user_id = %s AND status = 'active' ORDER BY fact.id OFFSET %s LIMIT 1""",
            [user, self.random.randrange(200)],
        ).fetchone()
        assert row is not None
        text, name, vector = row
        words = self.random.sample(text.rstrip(".").lower().split(), 4)
        asked = f"What is it about {' and '.join(words)}?" + (f" Does {name} know?" if place % 3 == 0 else "")
        return Query(user, asked, [number + self.random.gauss(0, 0.1) for number in vector])

    def compare(self, queries: Sequence[Query]) -> dict[str, Any]:
        """The floor and recall in turns on the same questions; the first round only warms."""
        for query in queries:
            self.floor(query)
            self.recall(query)
        floor, own, statement = [], [], []
        for query in queries:
            floor.append(timed(self.floor, query))
            own.append(timed(self.recall, query))
            statement.append(timed(self.statement, query))
        return {
            "floor, ms": spread(floor),
            "recall, ms": spread(own),
            "its statement alone, ms": spread(statement),
            "recall / floor": {name: ratio(spread(own)[name], spread(floor)[name]) for name in ("p50", "p95")},
        }

    def floor(self, query: Query) -> Any:
        values = {"user": query.user, "query": query.text, "names": list(self.ask(query).names)}
        return self.admin.execute(FLOOR, values | {"vector": str(query.vector)}).fetchall()

    def recall(self, query: Query) -> Any:
        from memory import scope
        from memory.recall import Where, recall

        with scope.user(query.user):
            return recall(self.ask(query), Where(query.user), k=10, policy=self.policy)

    def statement(self, query: Query) -> Any:
        """Recall's statement as the floor is run: no scope, no row-level security."""
        from memory.recall import Where
        from memory.recall.finding import prepare

        statement, values = prepare(self.ask(query), Where(query.user), k=10, policy=self.policy)
        return self.admin.execute(statement, dict(values)).fetchall()

    def ask(self, query: Query) -> Any:
        from memory import recall

        return recall.ask(query.text, embedder=Given(query.vector))

    def exactness(self, count: int) -> dict[str, Any]:
        """By vectors alone, against a sequential scan: the share of its first ten, and of queries with ten back."""
        queries = [replace(query, text="?") for query in self.draw(count)]
        self.admin.execute("CREATE TABLE bench_query (i int, user_id bigint, v halfvec)")
        with self.admin.cursor() as cursor:
            cursor.executemany(
                "INSERT INTO bench_query VALUES (%s, %s, %s)",
                [(i, query.user, str(query.vector)) for i, query in enumerate(queries)],
            )
        self.admin.execute("SET enable_indexscan = off; SET enable_bitmapscan = off")
        truth = dict(self.admin.execute(TRUTH).fetchall())
        self.admin.execute("RESET enable_indexscan; RESET enable_bitmapscan; DROP TABLE bench_query")
        found = [[one.fact for one in self.recall(query).found] for query in queries]
        hits = sum(len({*truth[i]} & {*facts}) for i, facts in enumerate(found))
        return {"recall@10": ratio(hits, sum(map(len, truth.values()))), "fewest": min(map(len, found))}


class Given:
    """An embedder that has the vector already: its own time is not what is measured."""

    name, dimensions = MODEL, DIMENSIONS

    def __init__(self, vector: list[float]) -> None:
        self._vector = vector

    def embed(self, texts: Sequence[str], *, is_query: bool = False) -> list[list[float]]:
        return [self._vector for _ in texts]


def timed(run: Callable[[Query], Any], query: Query) -> float:
    started = time.perf_counter()
    run(query)
    return (time.perf_counter() - started) * 1000


def spread(times: Sequence[float]) -> dict[str, float]:
    return {"p50": round(statistics.median(times), 2), "p95": round(statistics.quantiles(times, n=20)[-1], 2)}


def ratio(part: float, whole: float) -> float:
    return round(part / whole, 3)


if __name__ == "__main__":
    main()
