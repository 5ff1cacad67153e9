"""The system account Postgres runs under when root starts it, since it refuses root."""

import os
import pwd
import shutil
import stat
import subprocess
from pathlib import Path

from reviewer.embedded.server import ServerFailed

NAME = "assay_postgres"


def needed() -> str | None:
    """The account's name if this process is root (made when missing), else None."""
    if os.geteuid() != 0:
        return None
    if not _exists():
        _make()
    return NAME


def own(directory: Path, account: str) -> None:
    """Give the account a directory and what is in it."""
    for path in (directory, *directory.rglob("*")):
        shutil.chown(path, account, account)


def let_pass(path: Path) -> None:
    """Let other accounts reach `path`: permission to pass through its parents, not to list them."""
    for parent in path.parents:
        mode = parent.stat().st_mode
        if not mode & stat.S_IXOTH:
            parent.chmod(mode | stat.S_IXOTH)


def _make() -> None:
    """Fails silently if another data directory's first start makes it at this very moment."""
    if shutil.which("useradd"):
        subprocess.run(["useradd", "--system", "--no-create-home", NAME], check=False, capture_output=True)
    if not _exists():
        raise ServerFailed(
            f"Postgres does not run as root, and the account {NAME} could not be made."
            " Make it, run as another account, or set DATABASE_URL."
        )


def _exists() -> bool:
    try:
        pwd.getpwnam(NAME)
    except KeyError:
        return False
    return True
