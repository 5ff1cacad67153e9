"""How long the review desk takes: from an answer to the next item shown, and its pages, first and last.

    uv run benchmarks/desk.py                     100,000 facts, a sample of 3,000 items
    uv run benchmarks/desk.py --facts 1000000     as many as the goals speak of

The site as it is served, by granian over HTTP with a session, on an embedded Postgres and Valkey of its own under a
temporary directory, removed at the end. Prints one JSON document: milliseconds on the server's side of one connection,
and their ratios to a lean fragment in the same run, which are what can be compared; and milliseconds in Chromium, from
the key to the next item painted.
"""

# ruff: noqa: PLC0415 - Django wants its environment first
import argparse
import http.client
import json
import re
import secrets
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks import api, recall  # noqa: E402 - found from the checkout
from benchmarks.recall import FACTS_A_USER, ratio, spread  # noqa: E402 - likewise

ITEMS = 3_000
WARM = 20
LEAN = "/palette/?q="
"""A fragment with session, person, scope and next to no template: what anything here costs at least."""

# From the key to the frame in which another item stands: a task after the frame's callbacks runs once it is painted.
WATCH = """() => {
    const queue = document.getElementById("queue");
    const item = () => document.getElementById("item").dataset.item;
    const watch = (before, pressed) => new Promise((resolve) => {
        new MutationObserver((_changes, watcher) => {
            if (item() !== before) {
                watcher.disconnect();
                requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - pressed)));
            }
        }).observe(queue, { childList: true });
    });
    document.addEventListener("keydown", () => { window.shown = watch(item(), performance.now()); }, true);
}"""

# Name → address; {user} is a person's id, {sample} the closed sample's. A page of the desk is added here.
PAGES = {
    "people, first": "/people/",
    "people, last": "/people/?last=1",
    "a person's facts, first": "/people/{user}/",
    "a person's facts, last": "/people/{user}/?last=1",
    "facts, first": "/facts/",
    "facts, last": "/facts/?last=1",
    "facts, filtered": "/facts/?kind=goal",
    "facts, of a language": "/facts/?language=fi",
    "conflicts": "/conflicts/",
    "refused": "/refused/",
    "resolutions": "/resolutions/",
    "jobs": "/jobs/",
    "queue": "/review/",
    "samples": "/samples/",
    "draw a sample": "/samples/new/",
    "closed sample, first": "/samples/{sample}/",
    "closed sample, last": "/samples/{sample}/?last=1",
}

OWNERS = """
    INSERT INTO memory_entity (id, user_id, name, name_key, note, note_key, is_owner)
    SELECT u, u, 'user', 'user', '', '', true FROM generate_series(%(first)s::bigint, %(last)s::bigint) u
"""

# Each on a key of its own: only those that are drawn have claims, and a fold leaves no fact without one.
FACTS = """
    INSERT INTO memory_fact (user_id, entity_id, text, subject, predicate, object, object_key, kind, polarity, basis,
        source, status, status_reason, confidence, last_supported_at, first_said_at, began_on, is_exclusive,
        is_confirmed, is_pinned, is_unjudged, policy_version, language, embedding_model)
    SELECT u, u, 'Collects stamps of kind ' || n || ' from ' || md5(n::text), 'user', 'collects_' || n, 'kind ' || n,
        'kind ' || n, (ARRAY['knowledge', 'preference', 'goal', 'identity', 'constraint'])[1 + n %% 5], 'affirms',
        'stated', 'user', CASE WHEN n %% 20 < 17 THEN 'active' ELSE 'superseded' END, '', 0.9,
        now() - n %% 90 * interval '1 day', now() - interval '200 days', current_date - 200, false, false, false,
        false, 0, 'en', ''
    FROM generate_series(%(first)s::bigint, %(last)s::bigint) u, generate_series(1, %(each)s) n
"""

# Behind each fact that was drawn: a conversation of five turns, the third of which says it, and the claim with its quote.
GROUNDS = """
    CREATE TEMP TABLE drawn AS
        SELECT fact.id, fact.user_id, fact.entity_id, fact.text, fact.predicate, fact.object, fact.object_key, fact.kind,
            fact.last_supported_at AS at, 1000000000 + row_number() OVER () AS n
        FROM memory_sampleitem item JOIN memory_fact fact ON fact.id = item.fact_id WHERE item.sample_id = %(sample)s;
    INSERT INTO memory_episode (id, user_id, external_id, session, occurred_at, is_closed, is_flagged, is_outright,
            document, removed, content_hash, turn_count, read_turns, read_chars, state, error, due_at)
        SELECT n, user_id, 'bench-' || n, '', at, true, false, false, '', 0, '0', 5, 5, 0, 'done', '', at FROM drawn;
    INSERT INTO memory_turn (user_id, episode_id, n, role, name, content, at, ref, language, embedding_model)
        SELECT user_id, drawn.n, turn, CASE turn %% 2 WHEN 1 THEN 'user' ELSE 'assistant' END, '',
            CASE turn WHEN 3 THEN 'By the way: ' || text || '. And so on.' ELSE repeat('Some other words. ', 20) END,
            at, '', 'en', '' FROM drawn, generate_series(1, 5) turn;
    INSERT INTO memory_candidate (id, user_id, episode_id, place, turn, said_at, text, subject, subject_note,
            subject_key, note_key, predicate, object, object_key, kind, polarity, basis, speech, source, verdict,
            reason, detail, digest, extractor, policy_version, slot, entity_id, fact_id)
        SELECT n, user_id, n, 1, 3, at, text, 'user', '', '', '', predicate, object, object_key, kind, 'affirms',
            'stated', 'states', 'user', 'accepted', '', '', '', 'patterns-1', 0, '', entity_id, id FROM drawn;
    INSERT INTO memory_evidence (user_id, candidate_id, episode_id, turn, role, at, quote)
        SELECT user_id, n, n, 3, 'user', at, text FROM drawn;
    DROP TABLE drawn;
"""

# As if others had labelled all but a few: the next item is then far down the sample.
LABELLED = """
    WITH done AS (
        UPDATE memory_sampleitem SET lacking = 0 WHERE sample_id = %(sample)s AND lacking > 0 AND place < %(until)s
            AND NOT EXISTS (SELECT FROM memory_handout handout WHERE item_id = memory_sampleitem.id)
        RETURNING id
    ), handed AS (
        INSERT INTO memory_handout (item_id, slot, leased_until, labelled_at) SELECT id, 1, now(), now() FROM done
    )
    INSERT INTO memory_label (item_id, verdict, at) SELECT id, 'correct', now() FROM done
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--facts", type=int, default=100_000)
    parser.add_argument("--labels", type=int, default=200)
    parser.add_argument("--times", type=int, default=40, help="how often each page is opened")
    options = parser.parse_args()
    home = Path(tempfile.mkdtemp(prefix="assay-desk-"))
    api.configure(home)
    try:
        print(json.dumps(Desk(options.facts).measure(labels=options.labels, times=options.times), indent=2))
    finally:
        recall.release(home)


class Desk:
    """A filled database, an open sample with grounds for every item, a closed one, and someone who reviews."""

    def __init__(self, facts: int) -> None:
        import django
        import psycopg
        from django.core.management import call_command

        django.setup()
        call_command("migrate", verbosity=0)
        call_command("collectstatic", verbosity=0, interactive=False)
        from reviewer import embedded

        url = embedded.ensure().database_url("postgres")
        self.admin = psycopg.connect(url, autocommit=True, cursor_factory=psycopg.ClientCursor)
        self.admin.execute("SET session_replication_role = replica")
        self.facts = facts
        self.fill(max(1, facts // FACTS_A_USER))
        self.drawn_in: dict[str, float] = {}
        self.open, self.closed = self.draw("open", stratify_by="kind"), self.draw("closed")
        self.admin.execute(GROUNDS, {"sample": self.open})
        self.admin.execute(LABELLED, {"sample": self.closed, "until": ITEMS})
        self.admin.execute("UPDATE memory_sample SET closed_at = now() WHERE id = %s", [self.closed])
        self.admin.execute("VACUUM ANALYZE")

    def fill(self, users: int) -> None:
        step = max(1, 100_000 // FACTS_A_USER)
        for first in range(1, users + 1, step):
            span = {"first": first, "last": min(first + step - 1, users), "each": FACTS_A_USER}
            for statement in (recall.USERS, OWNERS, FACTS):
                self.admin.execute(statement, span)
        for table in ("memory_user", "memory_fact"):
            self.admin.execute(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), max(id)) FROM {table}")
        self.admin.execute("VACUUM ANALYZE")

    def draw(self, name: str, **plan: Any) -> int:
        from memory.review import sampling

        started = time.perf_counter()
        sample = sampling.draw(sampling.Plan(name, ITEMS, **plan), by=None)
        self.drawn_in[f"{sample.size:,} of {sample.population:,}, {sample.method}"] = round(
            time.perf_counter() - started, 2
        )
        return sample.pk

    def measure(self, *, labels: int, times: int) -> dict[str, Any]:
        with api.served(workers=1) as port:
            reviewer = Reviewer(port, login())
            lean = self.timed(lambda: reviewer.get(LEAN, is_htmx=True), times=5 * times)
            first, beside = reviewer.label(self.open, labels)
            seen = painted(port, reviewer.session, self.open, labels)
            reviewer = Reviewer(port, reviewer.session)  # a connection that nobody used is closed meanwhile
            self.admin.execute(LABELLED, {"sample": self.open, "until": ITEMS - labels - WARM})
            late, beside_late = reviewer.label(self.open, labels // 2)
            pages = {name: self.page(reviewer, path, times=times) for name, path in PAGES.items()}
        return {
            "facts": self.facts,
            "drawing a sample, s": self.drawn_in,
            "lean fragment, ms": spread(lean),
            "label to next item, ms": spread(first),
            "key to next item painted in Chromium, ms": spread(seen),
            "label to next item / lean fragment in between": against(first, beside),
            "label to next item / lean fragment, most of the sample labelled": against(late, beside_late),
            "pages, ms": {name: spread(taken) for name, taken in pages.items() if taken},
            "pages / lean fragment": {name: against(taken, lean) for name, taken in pages.items() if taken},
        }

    def page(self, reviewer: "Reviewer", path: str, *, times: int) -> list[float]:
        """Nothing for a page that there is not."""
        address = path.format(user="bench-1", sample=self.closed)
        if reviewer.ask("GET", address).status == 404:
            return []
        return self.timed(lambda: reviewer.get(address), times=times)

    @staticmethod
    def timed(run: Callable[[], Any], *, times: int) -> list[float]:
        for _ in range(3):
            run()
        return [_milliseconds(run) for _ in range(times)]


class Reviewer:
    """A connection that is kept, with the session of somebody who reviews."""

    def __init__(self, port: int, session: str) -> None:
        self.session = session
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self._token = secrets.token_hex(16)
        self._headers = {"Cookie": f"sessionid={session}; csrftoken={self._token}"}

    def ask(
        self, method: str, path: str, fields: Mapping[str, str] | None = None, *, is_htmx: bool = False
    ) -> "Answer":
        headers = self._headers | ({"HX-Request": "true"} if is_htmx else {})
        body = None
        if fields is not None:
            headers |= {"X-CSRFToken": self._token, "Content-Type": "application/x-www-form-urlencoded"}
            body = urlencode(fields)
        self._connection.request(method, path, body, headers)
        response = self._connection.getresponse()
        return Answer(response.status, response.read().decode())

    def get(self, path: str, *, is_htmx: bool = False) -> None:
        answer = self.ask("GET", path, is_htmx=is_htmx)
        assert answer.status == 200, f"{path}: {answer.status}"

    def label(self, sample: int, count: int) -> tuple[list[float], list[float]]:
        """Answers so many items, three in four as correct, in turns with a lean fragment; the first ones only warm."""
        answer = self.ask("GET", f"/review/{sample}/")
        taken, lean = [], []
        for n in range(count + WARM):
            fields = {
                "verdict": "cant_tell" if n % 4 == 3 else "correct",
                "key": answer.found(r'name="key" value="([^"]+)'),
            }
            path = f"/review/{sample}/{answer.found(r'data-item="(\d+)"')}/label/"
            started = time.perf_counter()
            answer = self.ask("POST", path, fields, is_htmx=True)
            taken.append((time.perf_counter() - started) * 1000)
            assert "data-saved" in answer.body, answer.body[:2000]
            lean.append(_milliseconds(lambda: self.get(LEAN, is_htmx=True)))
        return taken[WARM:], lean[WARM:]


class Answer:
    """What came back."""

    def __init__(self, status: int, body: str) -> None:
        self.status, self.body = status, body

    def found(self, pattern: str) -> str:
        match = re.search(pattern, self.body)
        assert match, f"{self.status}: {self.body[:2000]}"
        return match[1]


def painted(port: int, session: str, sample: int, count: int) -> list[float]:
    """Answers so many items by a key in Chromium, three in four as correct; the first ones only warm."""
    from playwright.sync_api import sync_playwright

    arguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=arguments)
        context = browser.new_context(base_url=f"http://127.0.0.1:{port}")
        context.add_cookies([{"name": "sessionid", "value": session, "domain": "127.0.0.1", "path": "/"}])
        page = context.new_page()
        page.goto(f"/review/{sample}/")
        page.evaluate(WATCH)
        taken: list[float] = []
        for n in range(count + WARM):
            page.keyboard.press("0" if n % 4 == 3 else "1")
            taken.append(page.evaluate("() => window.shown"))
        browser.close()
    return taken[WARM:]


def login() -> str:
    """The session of a new reviewer."""
    from django.test import Client

    from memory import scope
    from memory.models import User

    with scope.staff():
        reviewer = User.objects.create(external_id="reviewer", access="reviewer", password="!")  # noqa: S106 - none
    client = Client()
    client.force_login(reviewer)
    return str(client.cookies["sessionid"].value)


def against(times: list[float], floor: list[float]) -> dict[str, float]:
    return {name: ratio(spread(times)[name], spread(floor)[name]) for name in ("p50", "p95")}


def _milliseconds(run: Callable[[], Any]) -> float:
    started = time.perf_counter()
    run()
    return (time.perf_counter() - started) * 1000


if __name__ == "__main__":
    main()
