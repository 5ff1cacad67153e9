"""Where the processes of one server count together for Prometheus. Imports nothing of Prometheus, which looks once."""

import os
import shutil
import tempfile
from pathlib import Path

import psutil

_PREFIX = "assay-metrics-"


def share() -> None:
    """Names the folder for the workers of this server, before they count; folders of dead servers are removed."""
    for left in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        pid = left.name.removeprefix(_PREFIX)
        if pid.isdecimal() and not psutil.pid_exists(int(pid)):
            shutil.rmtree(left, ignore_errors=True)
    folder = Path(tempfile.gettempdir()) / f"{_PREFIX}{os.getppid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    os.environ.setdefault("PROMETHEUS_MULTIPROC_DIR", str(folder))
