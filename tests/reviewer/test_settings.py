"""The settings as processes see them."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from django.test import Client

_CHECKOUT = Path(__file__).parent.parent.parent
_PRODUCTION = {
    "DEBUG": "0",
    "SECRET_KEY": "".join(chr(33 + n) for n in range(60)),
    "ALLOWED_HOSTS": "assay.example",
    "ASSAY_ERASURE_KEY": "e" * 32,
    "DATABASE_URL": "postgresql://assay_app:secret@db.example/assay",
    "CELERY_BROKER_URL": "redis://:secret@valkey.example/0",
}

type Manage = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def manage(tmp_path: Path) -> Manage:
    """Runs manage.py in a fresh environment; returns what came of it."""

    def run(*arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
        base = {"PATH": os.environ["PATH"], "ASSAY_DATA_DIR": str(tmp_path), "PYTHONWARNINGS": "error"}
        return subprocess.run(
            [sys.executable, "manage.py", *arguments],
            env={**base, **env},
            cwd=_CHECKOUT,
            capture_output=True,
            text=True,
            check=False,
        )

    return run


@pytest.mark.parametrize("command", [["check"], ["collectstatic", "--dry-run", "--noinput"], ["migrate", "--help"]])
def test_command_without_need_of_a_database_starts_no_server(
    manage: Manage, tmp_path: Path, command: list[str]
) -> None:
    done = manage(*command)

    assert (done.returncode, [path.name for path in tmp_path.iterdir()]) == (0, ["secrets"])


def test_check_deploy_in_production_is_clean(manage: Manage) -> None:
    done = manage("check", "--deploy", "--fail-level", "INFO", **_PRODUCTION)

    assert (done.returncode, done.stdout + done.stderr) == (0, "System check identified no issues (0 silenced).\n")


def test_production_writes_nothing_to_the_data_directory(manage: Manage, tmp_path: Path) -> None:
    manage("check", **_PRODUCTION)

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["SECRET_KEY", "ALLOWED_HOSTS", "ASSAY_ERASURE_KEY"])
def test_production_without_what_it_needs_does_not_start(manage: Manage, name: str) -> None:
    done = manage("check", **{key: value for key, value in _PRODUCTION.items() if key != name})

    assert done.returncode == 2
    assert f"- {name} is not set." in done.stderr


def test_migrate_in_production_without_the_owner_says_what_is_missing(manage: Manage) -> None:
    done = manage("migrate", **_PRODUCTION)

    assert (done.returncode, done.stderr) == (
        1,
        "CommandError: Set MIGRATION_DATABASE_URL: the application's login may not migrate.\n",
    )


@pytest.mark.django_db
def test_every_answer_carries_the_strict_policy(client: Client) -> None:
    response = client.get("/healthz")

    assert sorted(response["Content-Security-Policy"].split("; ")) == [
        "base-uri 'none'",
        "connect-src 'self'",
        "default-src 'none'",
        "font-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "img-src 'self'",
        "script-src 'self'",
        "style-src 'self'",
    ]


def test_production_sends_people_to_https_and_keeps_them_there(manage: Manage) -> None:
    script = (
        "import json; from django.http import HttpResponse; from django.middleware.security import SecurityMiddleware;"
        " from django.test import RequestFactory;"
        " ask = lambda **how: SecurityMiddleware(lambda _: HttpResponse())("
        "RequestFactory().get('/x', HTTP_HOST='assay.example', **how)); plain, secure = ask(), ask(secure=True);"
        " print(json.dumps([plain.status_code, plain['Location'], secure['Strict-Transport-Security']]))"
    )

    done = manage("shell", "--no-imports", "-c", script, **_PRODUCTION)

    assert json.loads(done.stdout) == [
        301,
        "https://assay.example/x",
        "max-age=31536000; includeSubDomains; preload",
    ]
