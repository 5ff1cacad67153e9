"""The shape of docker-compose.yml, Dockerfile and .env.example."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import dj_database_url
import pytest
import yaml

from reviewer import environment

_CHECKOUT = Path(__file__).parent.parent
_OURS = ("init", "migrate", "web", "mcp", "worker", "beat")
_SECRETS = ("SECRET_KEY", "ASSAY_ERASURE_KEY", "POSTGRES_ADMIN_PASSWORD", "ASSAY_OWNER_PASSWORD", "ASSAY_APP_PASSWORD")


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    """The services as compose sees them with every required variable set to its own name."""
    text = (_CHECKOUT / "docker-compose.yml").read_text()
    text = re.sub(r"\$\{(\w+):\?[^}]*\}", lambda match: match[1].lower() * 3, text)
    text = re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", text)
    return dict(yaml.safe_load(text)["services"])


@pytest.fixture(scope="module")
def dockerfile() -> str:
    return (_CHECKOUT / "Dockerfile").read_text()


def test_compose_has_a_service_for_each_part(services: dict[str, Any]) -> None:
    assert {"postgres", "valkey", *_OURS} <= services.keys()


def test_compose_databases_have_vectors_and_health_checks(services: dict[str, Any]) -> None:
    assert services["postgres"]["image"] == "pgvector/pgvector:pg18"
    assert services["valkey"]["image"].startswith("valkey/valkey:9")
    assert all("healthcheck" in services[name] for name in ("postgres", "valkey", "web", "mcp", "worker"))


@pytest.mark.parametrize("name", _OURS)
def test_compose_application_logs_in_without_privileges(services: dict[str, Any], name: str) -> None:
    login = dj_database_url.parse(services[name]["environment"]["DATABASE_URL"])

    assert (login["USER"], login["NAME"]) == ("assay_app", "assay")


def test_compose_superuser_is_known_to_the_init_step_alone(services: dict[str, Any]) -> None:
    knowing = [name for name in _OURS if "ADMIN_DATABASE_URL" in services[name]["environment"]]

    assert knowing == ["init"]


def test_compose_owner_is_known_to_init_and_migrate_alone(services: dict[str, Any]) -> None:
    owners = {name: services[name]["environment"].get("MIGRATION_DATABASE_URL") for name in _OURS}
    logins = {name: dj_database_url.parse(url)["USER"] for name, url in owners.items() if url}

    assert logins == {"init": "assay_owner", "migrate": "assay_owner"}


@pytest.mark.parametrize("name", _OURS)
def test_compose_environment_passes_for_production(services: dict[str, Any], name: str) -> None:
    env = {key: str(value) for key, value in services[name]["environment"].items()}
    env["SECRET_KEY"] *= 2

    found = environment.read(env)

    assert (found.is_debug, found.is_https) == (False, True)


def test_compose_secrets_come_from_outside_or_it_does_not_start() -> None:
    text = (_CHECKOUT / "docker-compose.yml").read_text()

    for name in (*_SECRETS, "VALKEY_PASSWORD"):
        uses = re.findall(rf"\$\{{{name}([^}}]*)\}}", text)
        assert uses
        assert all(use.startswith(":?") for use in uses)


def test_compose_worker_can_be_scaled(services: dict[str, Any]) -> None:
    assert {"container_name", "ports", "hostname"} & services["worker"].keys() == set()


def test_compose_only_the_doors_are_published(services: dict[str, Any]) -> None:
    assert [name for name, service in services.items() if "ports" in service] == ["web", "mcp"]


@pytest.mark.parametrize("name", _OURS)
def test_compose_containers_can_do_little(services: dict[str, Any], name: str) -> None:
    service = services[name]

    assert (service["read_only"], service["cap_drop"]) == (True, ["ALL"])
    assert service["security_opt"] == ["no-new-privileges:true"]


def test_compose_site_and_workers_wait_for_the_migration(services: dict[str, Any]) -> None:
    waits = {name: services[name]["depends_on"]["migrate"]["condition"] for name in ("web", "worker", "beat")}

    assert set(waits.values()) == {"service_completed_successfully"}


def test_compose_worker_keeps_gossip(services: dict[str, Any]) -> None:
    """Without it a prefork worker stops consuming after the broker's restart."""
    assert [word for word in services["worker"]["command"] if "without" in word] == []


def test_dockerfile_installs_by_hash_and_runs_as_nobody_special(dockerfile: str) -> None:
    assert "--require-hashes --requirement requirements.lock" in dockerfile
    assert re.findall(r"^USER (\w+)$", dockerfile, re.MULTILINE) == ["assay"]
    assert dockerfile.index("USER assay") < dockerfile.index("CMD [")


def test_dockerfile_build_collects_static_files(dockerfile: str, tmp_path: Path) -> None:
    """The very command of the image, with the very environment it gives."""
    command = re.search(r"&& (SECRET_KEY=.*?) python (manage\.py collectstatic)", dockerfile.replace("\\\n", " "))
    assert command
    env = dict(pair.split("=") for pair in command[1].split())

    done = subprocess.run(
        [sys.executable, *command[2].split(), "--no-input", "--dry-run"],
        env={"PATH": os.environ["PATH"], "ASSAY_DATA_DIR": str(tmp_path), **env},
        cwd=_CHECKOUT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")


def test_dockerfile_copies_only_what_dockerignore_lets_in(dockerfile: str) -> None:
    copied = {name for line in re.findall(r"^COPY (.+) \S+$", dockerfile, re.MULTILINE) for name in line.split()}
    let_in = set(re.findall(r"^!(\S+)$", (_CHECKOUT / ".dockerignore").read_text(), re.MULTILINE))

    assert copied == let_in


def test_env_example_names_every_variable_of_compose() -> None:
    used = set(re.findall(r"\$\{(\w+)", (_CHECKOUT / "docker-compose.yml").read_text()))
    named = set(re.findall(r"^#? ?([A-Z_]+)=", (_CHECKOUT / ".env.example").read_text(), re.MULTILINE))

    assert used - named == set()


def test_env_example_gives_no_secret_a_value() -> None:
    values = re.findall(r"^(\w+)=(.*)$", (_CHECKOUT / ".env.example").read_text(), re.MULTILINE)

    assert {value for _, value in values} == {""}
