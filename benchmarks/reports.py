"""Reports over a large memory: how fast pages answer from stored results, and how long building them takes.

    uv run benchmarks/reports.py                      1,000,000 facts, 100,000 labels
    uv run benchmarks/reports.py --facts 100000 --labels 10000

Half of the labels are one sample, stratified by kind; the rest are twenty samples of facts and one of resolutions,
an eighth of it labelled twice. Runs on an embedded Postgres of its own under a temporary directory, removed at the
end. Prints one JSON document and exits 1 over a bar.
"""

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.overhead import configure, remove  # noqa: E402
from benchmarks.upkeep import FACTS_A_USER, fill  # noqa: E402

PAGE_BAR_MS, BUILD_BAR_S = 300, 60
ROUNDS = 40
KINDS = ("knowledge", "preference", "goal", "identity", "constraint")

SAMPLE = """
    INSERT INTO memory_sample (name, subject, is_random, filters, method, stratify_by, strata, population, size, seed,
        overlap, guidelines, reviewers, look, policy_version, created_at, closed_at)
    VALUES (%(name)s, %(subject)s, true, '{}', %(method)s, %(by)s, %(strata)s, %(population)s, %(size)s, 1,
        0.1, '', '{}', 1, 0, now() - %(ago)s * interval '1 day', now() - %(ago)s * interval '1 day') RETURNING id
"""

ITEMS = """
    INSERT INTO memory_sampleitem (sample_id, place, user_id, wanted, lacking, gold, stratum, owner, first_episode, kind,
        source, basis, predicate, language, extractor, prompt_version, policy_version, outcome, said_at, confidence)
    SELECT %(sample)s, n, owner.id, 1, 0, '', CASE WHEN %(is_stratified)s THEN (%(kinds)s::text[])[1 + n %% 5] ELSE '' END,
        owner.id, n / 3, (%(kinds)s::text[])[1 + n %% 5], (ARRAY['user', 'user', 'tool:x', 'inferred'])[1 + n %% 4],
        (ARRAY['stated', 'inferred'])[1 + n %% 2], (ARRAY['lives_in', 'likes', 'works_at', 'odd'])[1 + n %% 4],
        (ARRAY['en', 'de', 'ru'])[1 + n %% 3], 'model-' || n %% 2, 'extraction-' || n %% 3, n %% 2,
        (ARRAY['update', 'duplicate', 'conflict'])[1 + n %% 3], now() - (n %% 700) * interval '1 day', 0.3 + (n %% 70) / 100.0
    FROM generate_series(1, %(size)s) n JOIN (SELECT id, row_number() OVER (ORDER BY id) AS r FROM memory_user) owner
        ON owner.r = 1 + n * 7919::bigint %% %(people)s
"""

LABELS = """
    INSERT INTO memory_label (item_id, user_id, reviewer_id, verdict, seconds, at)
    SELECT item.id, item.user_id, who.id,
        CASE WHEN (item.id * 31 + who.r * (item.id % 13)) % 17 < 15 THEN 'correct'
             WHEN item.id % 3 = 0 THEN 'stale' WHEN item.id % 3 = 1 THEN 'incorrect' ELSE 'cant_tell' END,
        3 + item.id % 20, now() - (item.id % 150) * interval '1 day'
    FROM memory_sampleitem item JOIN (SELECT id, row_number() OVER (ORDER BY id) AS r FROM memory_user LIMIT 6) who
        ON who.r = 1 + item.id % 3 OR item.id % 8 = 0 AND who.r = 4 + item.id % 3
"""

CONFLICTS = """
    INSERT INTO memory_conflict (user_id, entity_id, predicate, why, settled_by, winner_id, opened_at, settled_at)
    SELECT user_id, entity_id, predicate, '', CASE WHEN id % 5 = 0 THEN '' ELSE 'reviewer' END,
        CASE WHEN id % 5 IN (0, 1) THEN NULL ELSE id END, now() - (id % 400) * interval '1 day',
        CASE WHEN id % 5 = 0 THEN NULL ELSE now() - (id % 400 - id % 9) * interval '1 day' END
    FROM memory_fact WHERE id % 50 = 0
"""

SIDES = """
    INSERT INTO memory_conflictside (user_id, conflict_id, fact_id)
    SELECT conflict.user_id, conflict.id, fact.id FROM memory_conflict conflict JOIN LATERAL (
        SELECT id FROM memory_fact WHERE user_id = conflict.user_id AND (id = conflict.winner_id OR id % 50 = 1) LIMIT 2
    ) fact ON true
"""


# What else the reports are about: a conversation of ten turns for ten facts, a claim and its quote behind each fact
# and two refusals, a recall and a decision for every tenth, a call for each conversation.
TALK = (
    """
    INSERT INTO memory_episode (user_id, external_id, session, occurred_at, is_closed, is_flagged, is_outright, document,
        removed, content_hash, turn_count, read_turns, read_chars, state, error, due_at, created_at)
    SELECT id, 'bench-' || n, '', now(), true, false, false, '', 0, '', 50, 50, 0, 'done', '', now(),
        now() - ((id + n) % 180) * interval '1 day'
    FROM memory_user, generate_series(1, 10) n
    """,
    """
    INSERT INTO memory_turn (user_id, episode_id, n, role, name, content, at, ref, language, embedding_model)
    SELECT user_id, id, n, 'user', '', repeat('said this and that. ', 10), occurred_at, '', 'en', ''
    FROM memory_episode, generate_series(1, 10) n
    """,
    """
    INSERT INTO memory_candidate (user_id, episode_id, place, turn, said_at, text, subject, subject_note, subject_key,
        note_key, predicate, object, object_key, kind, polarity, basis, speech, source, verdict, reason, detail, digest,
        extractor, policy_version, slot, fact_id, created_at)
    SELECT fact.user_id, first.id, fact.id, 1, first_said_at, text, subject, '', '', '', predicate, object, object_key, kind,
        polarity, basis, 'states', source, CASE WHEN n = 0 THEN 'accepted' ELSE 'refused' END,
        CASE WHEN n = 0 THEN '' ELSE (ARRAY['hedged', 'task', 'vague', 'question'])[1 + fact.id % 4] END, '', '', 'bench', 0, '',
        CASE WHEN n = 0 THEN fact.id END, now() - (fact.id % 180) * interval '1 day'
    FROM memory_fact fact JOIN (SELECT user_id, min(id) AS id FROM memory_episode GROUP BY user_id) first USING (user_id),
        generate_series(0, 2) n
    """,
    """
    INSERT INTO memory_evidence (user_id, candidate_id, episode_id, turn, role, at, quote)
    SELECT user_id, id, episode_id, 1, CASE WHEN id % 100 = 0 THEN 'assistant' ELSE 'user' END, said_at, text
    FROM memory_candidate WHERE verdict = 'accepted'
    """,
    """
    INSERT INTO memory_recalled (user_id, facts, needs_episodes, actor, at)
    SELECT user_id, ARRAY[id, id + 1, id + 2, id + 3, id + 4], false, 'bench', now() FROM memory_fact WHERE id % 10 = 0
    """,
    """
    INSERT INTO memory_decided (user_id, dimension, value, without, because, actor, at)
    SELECT user_id, 'dimension-' || id % 6, 'a', (ARRAY['a', 'b'])[1 + id % 2], ARRAY[id, id + 1], 'bench',
        now() - (id % 180) * interval '1 day'
    FROM memory_fact WHERE id % 10 = 5
    """,
    """
    INSERT INTO memory_modelcall (user_id, name, model, prompt_version, tokens_in, tokens_out, latency_ms, error, at)
    SELECT user_id, 'extraction', 'model-' || id % 3, 'extraction-' || id % 2, 2000, 300, 500 + id % 4000,
        CASE WHEN id % 50 = 0 THEN 'timed out' ELSE '' END, created_at FROM memory_episode
    """,
    """
    INSERT INTO memory_entity (user_id, name, name_key, note, note_key, is_owner)
    SELECT id, words, words, '', '', false FROM memory_user, generate_series(1, 20) n,
        LATERAL (SELECT (ARRAY['anna', 'bert', 'cora', 'dave', 'emil'])[1 + n % 5] || ' no ' || n AS words) named
    """,
)


def draw(labels: int, people: int) -> int:
    """The samples with their labels; returns the number of the large one."""
    from django.db import connection, connections  # noqa: PLC0415

    from memory import scope  # noqa: PLC0415

    items = labels * 8 // 9
    sizes = [("facts", items // 50, ago) for ago in range(21, 1, -1)]
    sizes += [("resolutions", items // 10, 1), ("facts", items // 2, 0)]
    with scope.staff(), connection.cursor() as cursor:
        for subject, size, ago in sizes:
            sample = _sample(cursor, subject, size, ago=ago)
            values = {"sample": sample, "size": size, "people": people, "kinds": [*KINDS], "is_stratified": ago == 0}
            cursor.execute(ITEMS, values)
        cursor.execute(LABELS)
        cursor.execute(CONFLICTS)
        cursor.execute(SIDES)
        for statement in TALK:
            cursor.execute(statement)
    with connections["owner"].cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    return sample


def _sample(cursor: Any, subject: str, size: int, *, ago: int) -> int:
    strata = {kind: [size * 2, size // 5 + 1] for kind in KINDS} if ago == 0 else {"": [size * 10, size]}
    values = {
        "name": f"{subject} {ago}",
        "subject": subject,
        "method": "stratified" if ago == 0 else "simple",
        "by": "kind" if ago == 0 else "",
        "strata": json.dumps(strata),
        "population": size * 10,
        "size": size,
        "ago": ago,
    }
    cursor.execute(SAMPLE, values)
    return int(cursor.fetchone()[0])


def building(sample: int) -> dict[str, float]:
    """Seconds that each report takes to be built, loading what draws included in the first."""
    from memory.review import building, reports  # noqa: PLC0415

    wanted = [
        (reports.PRECISION, str(sample)),
        *((kind, "") for kind in building.RECIPES if kind not in reports.LASTING),
    ]
    return {kind: _seconds(lambda kind=kind, about=about: building.build(kind, about)) for kind, about in wanted}


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return round(time.perf_counter() - start, 2)


def asking() -> dict[str, dict[str, float]]:
    """Milliseconds in which each page answers, and a picture of the largest report."""
    from django.test import Client  # noqa: PLC0415

    from memory import scope  # noqa: PLC0415
    from memory.models import Report, User  # noqa: PLC0415

    with scope.staff():
        User.objects.filter(external_id="bench-1").update(access="reviewer")
        number = Report.objects.filter(kind="precision").values_list("pk", flat=True)[0]
        reviewer = User.objects.get(external_id="bench-1")
    client = Client(SERVER_NAME="localhost")
    client.force_login(reviewer)
    names = ("", "contradictions/", "reviewers/", "gate/", "decisions/", "cost/", f"{number}/precision.svg")
    paths = [*(f"/reports/{name}" for name in names), "/health/", "/policy/"]
    return {path: _answers(client, path) for path in paths}


def _answers(client: Any, path: str) -> dict[str, float]:
    client.get(path)  # a process that has just begun loads the pages first
    took, own = [], time.process_time()
    for _ in range(ROUNDS):
        start = time.perf_counter()
        status = client.get(path).status_code
        took.append((time.perf_counter() - start) * 1000)
        assert status == 200, (path, status)
    own = (time.process_time() - own) * 1000 / ROUNDS
    p95 = sorted(took)[int(ROUNDS * 0.95) - 1]
    return {"p50": round(statistics.median(took), 1), "p95": round(p95, 1), "own_cpu": round(own, 1)}


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--facts", type=int, default=1_000_000)
    parser.add_argument("--labels", type=int, default=100_000)
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="assay-reports-"))
    configure(folder)
    try:
        people = options.facts // FACTS_A_USER
        fill(people)
        sample = draw(options.labels, people)
        built, answered = building(sample), asking()
        passed = max(built.values()) <= BUILD_BAR_S and max(each["p95"] for each in answered.values()) <= PAGE_BAR_MS
        found = {"facts": options.facts, "labels": options.labels, "built_s": built, "pages_ms": answered}
        print(json.dumps(found | {"passed": passed}, indent=2))
        return 0 if passed else 1
    finally:
        remove(folder)


if __name__ == "__main__":
    raise SystemExit(main())
