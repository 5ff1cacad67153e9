"""The engine that this process's environment describes, and working with it until nothing is due."""

import os
import time
from collections.abc import Callable, Iterable

from memory import jobs, llm
from memory.pipeline import Engine, process

NAP_SECONDS = 0.2


def configured() -> Engine:
    """The model and embedder of the environment. Raises Unconfigured on values that cannot work."""
    settings = llm.from_environment(os.environ)
    return Engine(model=llm.client(settings), embedder=llm.embedder(settings))


def drain(
    engine: Engine, *, user_ids: Iterable[int] | None = None, on_done: Callable[[int], None] | None = None
) -> None:
    """Works until no job of these users (of anyone) runs, waits or is due, beside any worker that does too.

    Waits that a rate-limited endpoint asked for are slept through.
    """
    wanted = None if user_ids is None else set(user_ids)
    while True:
        ready = [user_id for user_id in jobs.due() if wanted is None or user_id in wanted]
        for user_id in ready:
            if process(user_id, engine) and on_done:
                on_done(user_id)
        if ready:
            continue
        wait = jobs.next_run(wanted)
        if wait is None:
            return
        time.sleep(min(max(wait, 0.01), NAP_SECONDS))
