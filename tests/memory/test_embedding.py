"""Vectors in the pipeline: made once nothing is at stake, and no failure of theirs costs a fact."""

from collections.abc import Sequence

import pytest

from memory import embedding, jobs, pipeline, scope, tasks
from memory.errors import ModelError
from memory.llm import settings
from memory.models import Fact, User
from tests import working
from tests.factories import make_fact, make_user

pytestmark = pytest.mark.django_db


class Numbers:
    """An embedder of two dimensions that may be out of order."""

    name = "numbers"
    dimensions = 2

    def __init__(self, *, is_broken: bool = False) -> None:
        self.is_broken = is_broken
        self.calls = 0

    def embed(self, texts: Sequence[str], *, is_query: bool = False) -> list[list[float]]:  # noqa: ARG002
        self.calls += 1
        if self.is_broken:
            raise ModelError("HTTP 500")
        return [[float(len(text)), 1.0] for text in texts]


@pytest.fixture
def user() -> User:
    return make_user()


def models(user: User) -> list[str]:
    with scope.user(user.pk):
        return list(Fact.objects.order_by("pk").values_list("embedding_model", flat=True))


def test_job_embeds_what_it_learnt(user: User) -> None:
    make_fact(user)
    jobs.request([user.pk])

    pipeline.process(user.pk, pipeline.Engine(embedder=Numbers()))

    assert models(user) == ["numbers"]


def test_failing_embedder_costs_neither_facts_nor_the_job(user: User) -> None:
    make_fact(user)
    jobs.request([user.pk])

    pipeline.process(user.pk, pipeline.Engine(embedder=Numbers(is_broken=True)))

    assert (models(user), working.job(user).state) == ([""], "done")


def test_job_has_ended_before_its_vectors_are_made(user: User) -> None:
    make_fact(user)
    jobs.request([user.pk])
    seen: list[str] = []

    class Watching(Numbers):
        def embed(self, texts: Sequence[str], *, is_query: bool = False) -> list[list[float]]:
            seen.append(working.job(user).state)
            return super().embed(texts, is_query=is_query)

    pipeline.process(user.pk, pipeline.Engine(embedder=Watching()))

    assert set(seen) == {"done"}


def test_stale_vectors_are_found_and_made_by_the_sweep(user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    make_fact(user)
    numbers = Numbers()
    assert embedding.stale_owners(numbers) == [user.pk]
    monkeypatch.setattr(tasks, "_engine", lambda: pipeline.Engine(embedder=numbers))

    tasks.embed(user.pk)

    assert (models(user), embedding.stale_owners(numbers)) == (["numbers"], [])


def test_failing_sweep_backs_off(user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    make_fact(user)
    numbers = Numbers(is_broken=True)
    monkeypatch.setattr(tasks, "_engine", lambda: pipeline.Engine(embedder=numbers))
    published: list[int] = []
    monkeypatch.setattr(tasks.embed, "apply_async", lambda args, **_: published.extend(args))

    for _ in range(3):
        tasks.sweep()
        if published:
            tasks.embed(user.pk)

    assert published == [user.pk]


def test_longest_vector_fits_beside_a_long_fact() -> None:
    user = make_user()
    vector = [0.1] * settings.MOST_DIMENSIONS
    long = {"text": "x" * 9_000, "object": "y" * 9_000, "object_key": "y" * 9_000, "subject": "z" * 300}

    fact = make_fact(user, embedding=vector, embedding_model="m" * 200, status_reason="r" * 200, **long)

    with scope.user(user.pk):
        assert len(Fact.objects.get(pk=fact.pk).embedding) == settings.MOST_DIMENSIONS
