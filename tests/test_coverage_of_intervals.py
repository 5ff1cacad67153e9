"""The short form of benchmarks/coverage.py."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def test_intervals_hold_what_they_promise_in_the_short_simulation():
    run = subprocess.run(
        [sys.executable, ROOT / "benchmarks" / "coverage.py", "--short"], capture_output=True, text=True, check=False
    )

    assert (run.returncode, json.loads(run.stdout)["missed"]) == (0, [])
