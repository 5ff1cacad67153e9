"""Facts to be found, and asking for them."""

import itertools
import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext

from memory import embedding, policies, recall, scope, text
from memory.models import Entity, Fact, User
from memory.recall import Found, Where
from tests.factories import make_fact


class Bagged:
    """An embedder whose vectors are counts of character pairs, hashed: alike where texts are, and the same for ever."""

    dimensions = 64

    def __init__(self, name: str = "bagged") -> None:
        self.name = name
        self.seen: list[str] = []

    def embed(self, texts: Sequence[str], *, is_query: bool = False) -> list[list[float]]:  # noqa: ARG002 - one way for both
        self.seen += texts
        return [_vector(one.casefold(), self.dimensions) for one in texts]


def _vector(told: str, dimensions: int) -> list[float]:
    counts = [0.01] * dimensions
    for first, second in itertools.pairwise(told):
        counts[(ord(first) * 31 + ord(second)) % dimensions] += 1
    length = math.sqrt(sum(count * count for count in counts))
    return [count / length for count in counts]


def tell(user: User, *texts: str, **fields: Any) -> list[Fact]:
    """A fact a text, each on a key of its own, in the user's language."""
    plain = {"is_exclusive": False, "language": user.language}
    return [
        make_fact(
            user, one, **plain | {"predicate": f"says_{n}", "object": one, "object_key": text.object_key(one)} | fields
        )
        for n, one in enumerate(texts)
    ]


def find(user: User, query: str, *, k: int = 6, embedder: Bagged | None = None, **where: Any) -> list[Found]:
    """`where`: a subject or a day, as `Where` has them."""
    asked = recall.ask(query, embedder=embedder)
    with scope.user(user.pk):
        place = Where(user.pk, user.language, **where)
        return list(recall.recall(asked, place, k=k, policy=policies.current()).found)


def texts(user: User, found: Sequence[Found]) -> list[str]:
    """In the order found."""
    with scope.user(user.pk):
        told = Fact.objects.in_bulk([one.fact for one in found])
    return [told[one.fact].text for one in found]


def found_by(user: User, query: str, **options: Any) -> list[str]:
    """Only those that some leg found, without what fills up to k."""
    return texts(user, [one for one in find(user, query, **options) if one.found_by])


def embed(user: User, embedder: Bagged) -> int:
    return embedding.refresh(embedder, user_id=user.pk)


def entity(user: User, name: str, note: str = "") -> Entity:
    with scope.user(user.pk):
        return Entity.objects.create(
            user=user, name=name, name_key=text.name_key(name), note=note, note_key=text.name_key(note)
        )


@contextmanager
def statements() -> Iterator[list[str]]:
    """What is sent to the database inside, without what opens and closes scopes."""
    sent: list[str] = []
    with CaptureQueriesContext(connection) as captured:
        yield sent
    frame = ("SAVEPOINT", "RELEASE", "BEGIN", "COMMIT", "SELECT current_setting('role')")
    sent += [query["sql"] for query in captured if not query["sql"].startswith(frame)]
