"""What the site measures of itself for Prometheus: counts and times, no content and nobody's name.

Requests and recalls are counted by each process and summed over those of one server through files (`sharing`);
jobs, model calls and the queue are asked of where they are kept.
"""

import logging
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import prometheus_client
from django.db.models import Count, Q, Sum
from django.http import HttpRequest, HttpResponse
from prometheus_client import CollectorRegistry, Counter, Histogram, multiprocess
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from memory import scope
from memory.models import Episode, Job, JobState, ModelCall, State
from reviewer.celery import BROKER_AWAY, app

log = logging.getLogger(__name__)

BUCKETS = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10)
_METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}

REQUESTS = Counter("assay_requests", "Requests by route, method and status", ["route", "method", "status"])
DURATIONS = Histogram("assay_request_seconds", "How long requests took", ["route"], buckets=BUCKETS)
RECALLS = Histogram("assay_recall_seconds", "How long recalls took, embedding included", buckets=BUCKETS)

type Respond = Callable[[HttpRequest], HttpResponse]


def measured(get_response: Respond) -> Respond:
    """Middleware: counts requests by the route they took, never by their address."""

    def middleware(request: HttpRequest) -> HttpResponse:
        started = time.perf_counter()
        response = get_response(request)
        match = request.resolver_match
        route = match.route if match else "none"
        method = request.method if request.method in _METHODS else "other"
        REQUESTS.labels(route, method, response.status_code).inc()
        DURATIONS.labels(route).observe(time.perf_counter() - started)
        return response

    return middleware


def exposition() -> bytes:
    """All of it, in Prometheus' text format."""
    stored = CollectorRegistry()
    stored.register(_Stored())
    return prometheus_client.generate_latest(counted()) + prometheus_client.generate_latest(stored)


def counted() -> CollectorRegistry:
    """What this process, or all processes of its server, have counted."""
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return prometheus_client.REGISTRY
    registry = CollectorRegistry()
    multiprocess.MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return registry


class _Stored(Collector):
    """What Postgres and the broker know."""

    def collect(self) -> Iterator[Metric]:
        with scope.staff():
            yield _by("assay_jobs", "Jobs by state", [*JobState], dict(_counted(Job)))
            yield _by("assay_episodes", "Episodes by state", [*State], dict(_counted(Episode)))
            yield from _calls()
        yield _depths()


def _counted(model: type[Job | Episode]) -> list[tuple[str, int]]:
    return list(model.objects.order_by().values_list("state").annotate(Count("id")))


def _by(name: str, about: str, states: Sequence[str], counts: Mapping[str, int]) -> Metric:
    gauge = GaugeMetricFamily(name, about, labels=["state"])
    for state in states:
        gauge.add_metric([str(state)], counts.get(state, 0))
    return gauge


def _calls() -> Iterator[Metric]:
    labels = ["call", "model", "outcome"]
    calls = CounterMetricFamily("assay_model_calls", "Calls to the model", labels=labels)
    tokens = CounterMetricFamily("assay_model_tokens", "Tokens to and from the model", labels=["call", "model", "way"])
    rows = (
        ModelCall.objects.order_by()
        .values_list("name", "model")
        .annotate(
            all=Count("id"), failed=Count("id", filter=~Q(error="")), came=Sum("tokens_in"), went=Sum("tokens_out")
        )
    )
    for name, model, total, failed, came, went in rows:
        calls.add_metric([name, model, "failed"], failed)
        calls.add_metric([name, model, "answered"], total - failed)
        tokens.add_metric([name, model, "in"], came)
        tokens.add_metric([name, model, "out"], went)
    yield calls
    yield tokens


def _depths() -> Metric:
    """Without samples while the broker is away."""
    gauge = GaugeMetricFamily("assay_queue_depth", "Messages that no worker has taken yet", labels=["queue"])
    try:
        with app.connection_for_read() as broker:
            broker.ensure_connection(max_retries=1, interval_start=0, timeout=2)
            for queue in sorted(app.amqp.queues):
                gauge.add_metric([queue], _waiting(broker, queue))
    except BROKER_AWAY:
        log.warning("the broker is away: the depth of its queues is not told")
    return gauge


def _waiting(broker: Any, queue: str) -> int:
    """A queue that nothing was ever sent to, or that is empty, may not be there."""
    try:
        return int(broker.channel().queue_declare(queue, passive=True).message_count)
    except broker.channel_errors:
        return 0
