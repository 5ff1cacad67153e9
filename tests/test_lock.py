"""What is pinned where: pyproject.toml for `uv sync`, requirements.lock for the container."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

_CHECKOUT = Path(__file__).parent.parent
_PIN = re.compile(
    r"^([a-z0-9-]+)==([^ ;\\]+)(?: ; .*?)? \\$\n((?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)", re.MULTILINE
)


@pytest.fixture(scope="module")
def project() -> dict[str, Any]:
    return tomllib.loads((_CHECKOUT / "pyproject.toml").read_text())


@pytest.fixture(scope="module")
def lock() -> str:
    return (_CHECKOUT / "requirements.lock").read_text()


def test_lock_holds_nothing_but_pins_with_hashes(lock: str) -> None:
    rest = _PIN.sub("", lock)

    assert rest == ""


def test_lock_and_constraints_name_the_same_versions(lock: str, project: dict[str, Any]) -> None:
    pinned = {f"{match[1]}=={match[2]}" for match in _PIN.finditer(lock)}

    assert pinned - {*project["tool"]["uv"]["constraint-dependencies"]} == set()


def test_lock_has_every_dependency_of_the_site(lock: str, project: dict[str, Any]) -> None:
    wanted = {_name(one) for one in project["project"]["dependencies"]}

    assert wanted - {match[1] for match in _PIN.finditer(lock)} == set()


def test_constraints_pin_every_dependency_of_every_group(project: dict[str, Any]) -> None:
    groups = [*project["dependency-groups"].values(), *project["project"]["optional-dependencies"].values()]
    wanted = {_name(one) for group in groups for one in group}

    assert wanted - {_name(one) for one in project["tool"]["uv"]["constraint-dependencies"]} == set()


def _name(requirement: str) -> str:
    return re.split(r"[\[=<>~; ]", requirement)[0].lower().replace("_", "-").replace(".", "-")
