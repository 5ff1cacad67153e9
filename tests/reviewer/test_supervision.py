import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from reviewer.supervision import Child, GaveUp, stop

type Start = Callable[[str], Child]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts a child that runs a line of Python."""
    children: list[Child] = []

    def start_one(code: str) -> Child:
        command = [sys.executable, "-c", code]
        children.append(Child("child", command, env={**os.environ, "OUT": str(tmp_path)}, log=tmp_path / "log"))
        return children[-1]

    yield start_one
    stop(children, patience=1)


def test_look_after_starts_what_died_again(start: Start, tmp_path: Path) -> None:
    child = start("import os, pathlib; pathlib.Path(os.environ['OUT'], str(os.getpid())).touch()")

    while len(list(tmp_path.glob("[0-9]*"))) < 2:
        child.look_after()
        time.sleep(0.05)


def test_look_after_gives_up_on_what_keeps_dying(start: Start, tmp_path: Path) -> None:
    child = start("raise SystemExit('no such luck')")

    with pytest.raises(GaveUp, match="child keeps dying"):
        _look_on(child)

    assert (tmp_path / "log").read_text() == "no such luck\n" * 5


def test_stop_ends_what_does_not_listen_and_all_it_started(start: Start, tmp_path: Path) -> None:
    deaf = (
        "import os, pathlib, signal, subprocess, sys, time; signal.signal(signal.SIGTERM, signal.SIG_IGN);"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)']);"
        "pathlib.Path(os.environ['OUT'], 'pid').write_text(str(child.pid)); time.sleep(60)"
    )
    child = start(deaf)
    while not (tmp_path / "pid").exists() or not (tmp_path / "pid").read_text():
        time.sleep(0.05)
    grandchild = psutil.Process(int((tmp_path / "pid").read_text()))

    stop([child], patience=0.3)

    grandchild.wait(5)


def _look_on(child: Child) -> None:
    while True:
        child.look_after()
        time.sleep(0.05)
