"""How fast the lists are that staff look through, on the real site over a large store.

    uv run benchmarks/pages.py                         1,000,000 facts over 3,400 users
    uv run benchmarks/pages.py --facts 100000          quicker

Runs on an embedded Postgres of its own under a temporary directory, removed at the end. Each page goes through the
whole site, middleware, session and templates. Prints one JSON document: milliseconds, how many statements a page took,
and its p50 as a multiple of the plain first page in the same run, which is what can be compared.
"""

# ruff: noqa: PLC0415 - Django wants its environment first
import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks import recall  # noqa: E402

# As recall's, without vectors, which no list looks at.
_VECTORS = "JOIN LATERAL (SELECT a.v + b.v AS v FROM bench_vector"
NARROW = "\n".join(line for line in recall.FACTS.splitlines() if _VECTORS not in line).replace(
    "'en', v, 'synthetic'", "'en', NULL, ''"
)
# What stands in few rows: of each sort one in ten thousand.
RARE = """
    UPDATE memory_fact SET is_pinned = id % 10000 = 1, is_unjudged = id % 10000 = 2,
        source = CASE id % 10000 WHEN 3 THEN 'tool:calendar' ELSE source END,
        kind = CASE id % 10000 WHEN 4 THEN 'goal' ELSE kind END,
        predicate = CASE id % 10000 WHEN 5 THEN 'plays' ELSE predicate END,
        status = CASE id % 10000 WHEN 6 THEN 'conflicted' ELSE status END,
        text = CASE id % 10000 WHEN 7 THEN text || ' zebra-7731' ELSE text END
    WHERE id % 10000 BETWEEN 1 AND 7
"""
PLAIN = "/facts/"
SUPPLE = 20.0
"""Seconds that one sort of page may take at most: a slow one is measured less often."""


def main() -> None:
    """Fills, measures, prints."""
    parser = argparse.ArgumentParser(description="Measure the lists that staff look through.")
    parser.add_argument("--facts", type=int, default=1_000_000)
    parser.add_argument("--times", type=int, default=40)
    asked = parser.parse_args()
    home = Path(tempfile.mkdtemp(prefix="assay-pages-"))
    os.environ |= {"ASSAY_DATA_DIR": str(home), "DJANGO_SETTINGS_MODULE": "reviewer.settings", "DEBUG": "1"}
    os.environ |= {"ASSAY_EMBEDDING_MODEL": "none"}
    for name in ("DATABASE_URL", "MIGRATION_DATABASE_URL", "ASSAY_NOW"):
        os.environ.pop(name, None)
    try:
        print(json.dumps(_measured(asked.facts, asked.times), indent=2))
    finally:
        recall.release(home)


def _measured(facts: int, times: int) -> dict[str, Any]:
    recall.FACTS = NARROW
    bench = recall.Bench(0)
    started = time.monotonic()
    bench.fill(max(1, facts // recall.FACTS_A_USER), each=recall.FACTS_A_USER)
    bench.admin.execute(RARE)
    bench.admin.execute("VACUUM ANALYZE memory_fact")
    report: dict[str, Any] = {"facts": facts, "filled in s": round(time.monotonic() - started)}
    client = _reviewer()
    pages = dict(_pages(bench))
    found = {name: _page(client, path, times) for name, path in pages.items()}
    plain = found["facts, first page"]["p50"]
    for figures in found.values():
        figures["x plain"] = recall.ratio(figures["p50"], plain)
    return report | {"pages, ms": found}


def _reviewer() -> Any:
    from django.conf import settings
    from django.test import Client

    from memory import scope
    from memory.models import User

    settings.ALLOWED_HOSTS = ["*"]
    settings.DEBUG = False
    with scope.staff():
        user = User.objects.create(pk=10**9, external_id="rita", access="reviewer")
    client = Client()
    client.force_login(user)
    return client


def _pages(bench: Any) -> Iterator[tuple[str, str]]:
    """Names of pages and their addresses; places in the middle of lists come from the lists themselves."""
    word = bench.admin.execute("SELECT word FROM bench_word WHERE i = 3").fetchone()[0]
    newest, middle = bench.admin.execute("SELECT max(id), max(id) / 2 FROM memory_fact").fetchone()
    owner = bench.admin.execute("SELECT user_id FROM memory_fact WHERE id = %s", [newest]).fetchone()[0]
    yield "facts, first page", PLAIN
    yield "facts, next", f"{PLAIN}?after={newest - 40}"
    yield "facts, middle", f"{PLAIN}?after={middle}"
    yield "facts, previous", f"{PLAIN}?before={middle}"
    yield "facts, last page", f"{PLAIN}?last=1"
    yield "facts, common word", f"{PLAIN}?q={word}"
    yield "facts, common word, last page", f"{PLAIN}?q={word}&last=1"
    yield "facts, rare word", f"{PLAIN}?q=zebra-7731"
    yield "facts, no such word", f"{PLAIN}?q=qqqqzzzz"
    yield "facts, two letters", f"{PLAIN}?q=zq"
    for name in ("status=superseded", "status=conflicted", "status=all&flag=pinned", "predicate=plays"):
        yield f"facts, {name}", f"{PLAIN}?{name}"
    for name in ("kind=goal", "source=tool", "language=fi", "age=older", "sureness=faint", "sureness=firm"):
        yield f"facts, {name}", f"{PLAIN}?{name}"
    yield "facts of a person", f"{PLAIN}?person=bench-{owner}"
    yield "facts of a person, recalled", f"{PLAIN}?person=bench-{owner}&q={word}&recall=1"
    yield "people", "/people/"
    yield "people, last page", "/people/?last=1"
    yield "a person", f"/people/bench-{owner}/"
    yield "a fact", f"/people/bench-{owner}/facts/{newest}/"
    yield "names", f"/people/bench-{owner}/names/"
    yield "palette", f"/palette/?q={word}"


def _page(client: Any, path: str, times: int) -> dict[str, Any]:
    from django.db import connection

    statements: list[str] = []

    def count(execute: Any, sql: str, *rest: Any) -> Any:
        statements.append(sql)
        return execute(sql, *rest)

    with connection.execute_wrapper(count):
        status = client.get(path).status_code
    taken: list[float] = []
    while len(taken) < times and (len(taken) < 5 or sum(taken) < SUPPLE * 1000):
        started = time.perf_counter()
        client.get(path)
        taken.append((time.perf_counter() - started) * 1000)
    print(path, status, recall.spread(taken), file=sys.stderr)
    return {"status": status, **recall.spread(taken), "statements": len(statements)}


if __name__ == "__main__":
    main()
