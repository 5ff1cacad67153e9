"""One thread that renews what many hold."""

import threading

from django.db import OperationalError

from memory.errors import LeaseLost
from memory.keeping import Keeper, keeper


def beats(*, failing: type[Exception] | None = None, until: int = 3) -> tuple[list[int], threading.Event]:
    """How often something was renewed while it was kept, until it had been `until` times."""
    count, enough = [0], threading.Event()

    def beat() -> None:
        count[0] += 1
        if count[0] >= until:
            enough.set()
        if failing:
            raise failing

    with Keeper(0.01).keep(beat):
        enough.wait(10 if failing is not LeaseLost else 0.3)
    return count, enough


def test_keep_renews_again_and_again() -> None:
    _, enough = beats()

    assert enough.is_set()


def test_keep_after_a_fault_of_the_database_tries_again() -> None:
    _, enough = beats(failing=OperationalError)

    assert enough.is_set()


def test_keep_of_a_lost_lease_ends() -> None:
    count, _ = beats(failing=LeaseLost)

    assert count == [1]


def test_keep_when_left_renews_no_more() -> None:
    left, beaten = Keeper(0.01), threading.Event()
    with left.keep(beaten.set):
        beaten.wait(10)
    beaten.clear()

    assert not beaten.wait(0.1)


def test_keeper_is_one_a_process() -> None:
    assert keeper() is keeper()
