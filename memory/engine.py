"""The engine that this process's environment describes, and working with it until nothing is due."""

import os
import time
from collections.abc import Callable, Iterable

from memory import jobs, llm
from memory.pipeline import Engine, process

NAP_SECONDS = 0.2
PATIENCE_SECONDS = 60.0
"""A wait longer than that, which an endpoint asked for, is left to the workers."""


def configured() -> Engine:
    """The model and embedder of the environment. Raises Unconfigured on values that cannot work."""
    settings = llm.from_environment(os.environ)
    return Engine(model=llm.client(settings), embedder=llm.embedder(settings))


def drain(
    engine: Engine,
    *,
    user_ids: Iterable[int] | None = None,
    on_done: Callable[[int], None] | None = None,
    attempt: Callable[[int, Engine], bool] = process,
) -> None:
    """Works until no job of these users (of anyone) runs, waits or is due, beside any worker that does too.

    Short waits that a rate-limited endpoint asked for are slept through. `attempt` runs one user's job.
    """
    wanted = None if user_ids is None else set(user_ids)
    while True:
        ready = jobs.due(wanted)
        for user_id in ready:
            if attempt(user_id, engine) and on_done:
                on_done(user_id)
        if ready:
            continue
        wait = jobs.next_run(wanted)
        if wait is None or wait > PATIENCE_SECONDS:
            return
        time.sleep(min(max(wait, 0.01), NAP_SECONDS))
