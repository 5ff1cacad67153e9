import re
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from reviewer import environment

_PRODUCTION = {
    "DEBUG": "0",
    "SECRET_KEY": "s" * 50,
    "ALLOWED_HOSTS": "assay.example, www.assay.example",
    "ASSAY_ERASURE_KEY": "e" * 32,
}


def test_read_nothing_configured_is_development() -> None:
    found = environment.read({})

    assert (found.is_debug, found.is_https, found.database_url, found.secret_key) == (True, False, None, None)


@pytest.mark.parametrize("name", ["DATABASE_URL", "SECRET_KEY", "ALLOWED_HOSTS"])
def test_read_anything_of_an_installation_configured_is_production(name: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="does not start"):
        environment.read({name: "postgresql://assay_app:x@db/assay"})


def test_read_debug_said_outright_wins() -> None:
    found = environment.read({"DATABASE_URL": "postgresql://assay_app:x@db/assay", "DEBUG": "1"})

    assert found.is_debug is True


def test_read_production_complete_starts_over_https() -> None:
    found = environment.read(_PRODUCTION)

    assert (found.is_debug, found.is_https) == (False, True)
    assert found.allowed_hosts == ("assay.example", "www.assay.example")


@pytest.mark.parametrize("name", ["SECRET_KEY", "ALLOWED_HOSTS", "ASSAY_ERASURE_KEY"])
@pytest.mark.parametrize("value", [None, "", " , "])
def test_read_production_without_what_it_needs_is_refused(name: str, value: str | None) -> None:
    env = {key: text for key, text in {**_PRODUCTION, name: value}.items() if text is not None}

    with pytest.raises(ImproperlyConfigured, match=rf"^Assay does not start:\n- {name} is [^\n]+$"):
        environment.read(env)


def test_read_production_names_every_problem_at_once() -> None:
    with pytest.raises(ImproperlyConfigured) as refusal:
        environment.read({"DEBUG": "0", "ASSAY_NOW": "2026-01-01", "CELERY_BROKER_URL": "memory://"})

    assert re.findall(r"^- (\w+)", str(refusal.value), re.MULTILINE) == [
        "CELERY_BROKER_URL",
        "SECRET_KEY",
        "ALLOWED_HOSTS",
        "ASSAY_ERASURE_KEY",
        "ASSAY_NOW",
    ]


def test_read_production_with_a_fixed_clock_is_refused() -> None:
    with pytest.raises(ImproperlyConfigured, match="ASSAY_NOW fixes the clock"):
        environment.read({**_PRODUCTION, "ASSAY_NOW": "2026-03-10"})


@pytest.mark.parametrize("debug", ["0", "1"])
@pytest.mark.parametrize(
    "url",
    ["filesystem://", "filesystem://localhost//", "sqla+sqlite:///celery.db", "sqlalchemy+postgresql://", "memory://"],
)
def test_read_broker_that_loses_tasks_is_refused_always(url: str, debug: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="loses the running task"):
        environment.read({**_PRODUCTION, "DEBUG": debug, "CELERY_BROKER_URL": url})


@pytest.mark.parametrize(
    "url", ["redis://valkey:6379/0", "rediss://valkey:6379/0", "amqp://guest@rabbit//", "sentinel://one:26379"]
)
def test_read_broker_that_keeps_tasks_is_taken(url: str) -> None:
    assert environment.read({**_PRODUCTION, "CELERY_BROKER_URL": url}).broker_url == url


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-03-10", datetime(2026, 3, 10, tzinfo=UTC)),
        ("2026-03-10T12:00:00Z", datetime(2026, 3, 10, 12, tzinfo=UTC)),
        ("2026-03-10T12:00:00-04:00", datetime(2026, 3, 10, 12, tzinfo=timezone(-timedelta(hours=4)))),
    ],
)
def test_read_fixed_clock_keeps_its_zone_and_is_utc_without(text: str, moment: datetime) -> None:
    assert environment.read({"ASSAY_NOW": text}).now == moment


@pytest.mark.parametrize(
    ("name", "value"), [("DEBUG", "maybe"), ("HTTPS", "2"), ("DATABASE_POOL", "many"), ("ASSAY_NOW", "yesterday")]
)
def test_read_value_that_makes_no_sense_is_refused_by_name(name: str, value: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=f"{name} is '{value}'"):
        environment.read({name: value})


_DEMO = "2026-06-30T12:00:00+00:00"


@pytest.mark.parametrize(
    ("env", "stored", "at"),
    [
        ({}, None, None),
        ({}, _DEMO, datetime(2026, 6, 30, 12, tzinfo=UTC)),
        ({"ASSAY_NOW": "2026-03-10"}, _DEMO, datetime(2026, 3, 10, tzinfo=UTC)),
        (_PRODUCTION, _DEMO, None),
    ],
)
def test_now_is_the_environments_then_the_demos_and_in_production_the_real_one(
    env: dict[str, str], stored: str | None, at: datetime | None, tmp_path: Path
) -> None:
    clock = tmp_path / "clock"
    if stored:
        clock.write_text(stored)

    assert environment.now(environment.read(env), clock) == at


def test_now_of_a_broken_clock_file_names_it(tmp_path: Path) -> None:
    clock = tmp_path / "clock"
    clock.write_text("soon")

    with pytest.raises(ImproperlyConfigured, match=rf"^{clock} is 'soon'"):
        environment.now(environment.read({}), clock)
