"""Pins every package that anything here pulls in.

    uv run --no-sync python .ci/lock.py            after a change of the dependencies in pyproject.toml
    uv run --no-sync python .ci/lock.py --upgrade  to move everything to its newest version

Writes [tool.uv] constraint-dependencies (what `uv sync` resolves to, anywhere) and
requirements.lock (what the container installs, checked by hash).
"""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent
_BLOCK = re.compile(r"^constraint-dependencies = \[\n(?:  .*\n)*\]\n", re.MULTILINE)


def main() -> None:
    is_upgrade = "--upgrade" in sys.argv[1:]
    if is_upgrade:
        constrain([])
    uv("lock", *(["--upgrade"] if is_upgrade else []))
    constrain(pins(tomllib.loads((CHECKOUT / "uv.lock").read_text())))
    uv("lock")
    uv(
        "export",
        "--no-dev",
        "--extra=local",
        "--no-emit-project",
        "--no-header",
        "--no-annotate",
        "--format=requirements-txt",
        "--output-file=requirements.lock",
    )


def pins(lock: dict[str, list[dict[str, str]]]) -> list[str]:
    """`name==version` of every package but our own; one that has several versions has none."""
    versions: dict[str, set[str]] = {}
    for package in lock["package"]:
        if "virtual" not in package["source"]:
            versions.setdefault(package["name"], set()).add(package["version"])
    return [f"{name}=={found.pop()}" for name, found in sorted(versions.items()) if len(found) == 1]


def constrain(pinned: list[str]) -> None:
    """Put the pins into pyproject.toml."""
    file = CHECKOUT / "pyproject.toml"
    lines = "".join(f'  "{pin}",\n' for pin in pinned)
    text, count = _BLOCK.subn(f"constraint-dependencies = [\n{lines}]\n", file.read_text())
    if count != 1:
        raise SystemExit("pyproject.toml has no constraint-dependencies to write to")
    file.write_text(text)


def uv(*arguments: str) -> None:
    subprocess.run(["uv", *arguments, "--quiet"], cwd=CHECKOUT, check=True)


if __name__ == "__main__":
    main()
