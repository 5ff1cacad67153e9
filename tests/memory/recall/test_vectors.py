"""F4 and the vector leg: exact within the user, one model's vectors alone, none of an old text."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from django.db import connection

from memory import embedding, policies, recall, scope
from memory.errors import ModelError
from memory.models import Fact, Turn, User
from memory.recall import Where
from tests.factories import make_episode, make_user
from tests.memory.recall.finding import Bagged, embed, find, tell, texts

pytestmark = pytest.mark.django_db


def _edit(fact: Fact, text: str) -> None:
    with scope.user(fact.user_id):
        Fact.objects.filter(pk=fact.pk).update(text=text, object=text, object_key=text.lower())
        Fact.objects.filter(pk=fact.pk).update(embedding=None, embedding_model="")


@pytest.mark.parametrize(
    ("old", "new", "query"),
    [
        ("Likes sailing on lakes", "Collects stamps", "sailing lakes"),
        ("Wohnt in Hamburg", "Spielt Klavier", "Hamburg wohnen"),
        ("Le gusta el arroz", "Toca la guitarra", "arroz"),
        ("Habite à Lyon", "Joue aux échecs", "habiter Lyon"),
        ("Asuu Turussa", "Pelaa shakkia", "Turku asuminen"),
        ("我住在东京", "喜欢喝茶", "住在东京"),
    ],
)
def test_recall_never_finds_an_edited_fact_by_its_old_text(old: str, new: str, query: str) -> None:
    user, embedder = make_user(language="xx"), Bagged()
    (fact,) = tell(user, old)
    embed(user, embedder)
    _edit(fact, new)

    before = find(user, query, embedder=embedder)
    embed(user, embedder)
    after = find(user, query, embedder=embedder)

    assert [one.found_by for one in before] == [()]
    assert [one.found_by for one in after] == [("vector",)]


def test_refresh_writes_no_vector_of_a_text_that_changed_meanwhile() -> None:
    user = make_user()
    (fact,) = tell(user, "Likes tea")

    class Editing(Bagged):
        def embed(self, texts: Sequence[str], *, is_query: bool = False) -> list[list[float]]:  # noqa: ARG002
            _edit(fact, f"Likes coffee {len(self.seen)}")
            self.seen.append("")
            if len(self.seen) > 2:
                raise ModelError("enough")
            return [[1.0] * self.dimensions for _ in texts]

    embed(user, Editing())

    with scope.user(user.pk):
        fact.refresh_from_db()
    assert (fact.embedding, fact.embedding_model) == (None, "")


def test_vectors_of_another_model_are_never_compared() -> None:
    user = make_user()
    tell(user, "Likes tea", "Plays chess")
    embed(user, Bagged("old"))

    found = find(user, "zzz", embedder=Bagged("new"))

    assert [one.found_by for one in found] == [(), ()]


def test_vectors_of_another_size_are_never_compared() -> None:
    class Longer(Bagged):
        dimensions = 96

    user = make_user()
    tell(user, "Likes tea", "Plays chess")
    embed(user, Bagged())

    found = find(user, "?", embedder=Longer("longer"))

    assert [one.found_by for one in found] == [(), ()]


def test_refresh_embeds_again_after_a_change_of_model() -> None:
    user = make_user()
    tell(user, "Likes tea", "Plays chess")
    first = embed(user, Bagged("old"))

    second, third = embed(user, Bagged("new")), embed(user, Bagged("new"))

    assert (first, second, third) == (4, 4, 0)  # two facts, and the two turns that they were said in


def test_recall_without_an_embedder_says_so() -> None:
    asked = recall.ask("tea", embedder=None)

    assert asked.note == "vectors are off: found by words and names only"


def test_recall_with_a_failing_embedder_goes_on_and_says_so() -> None:
    class Failing(Bagged):
        def embed(self, texts: Sequence[str], *, is_query: bool = False) -> list[list[float]]:  # noqa: ARG002
            raise ModelError("no answer")

    user = make_user()
    tell(user, "Likes tea")

    asked = recall.ask("tea", embedder=Failing())

    assert asked.note == "the embedder failed (no answer): found by words and names only"
    assert texts(user, find(user, "tea", embedder=Failing())) == ["Likes tea"]


# Exact --------------------------------------------------------------------------------------

SCAN = """
    SELECT array_agg(id) FROM (
        SELECT id FROM memory_fact WHERE user_id = %s AND status = 'active' ORDER BY embedding <=> %s::halfvec, id LIMIT 10
    ) nearest
"""


def test_recall_among_twenty_thousand_of_others_is_exact() -> None:
    user, embedder = make_user(), Bagged()
    tell(user, *(f"Knows thing {n} of {chr(97 + n)}{chr(110 - n)}" for n in range(20)))
    embed(user, embedder)
    _crowd(make_user(), 20_000, like=user)
    queries = [f"thing {chr(97 + n)}" for n in range(20)]

    found = [
        [one.fact for one in find(user, f"? {query}", k=10, embedder=embedder) if "vector" in one.found_by]
        for query in queries
    ]

    assert [len(facts) for facts in found] == [10] * len(queries)
    assert [sorted(facts) for facts in _by_vector_alone(user, queries, embedder)] == [
        sorted(facts) for facts in _scan(user, queries, embedder)
    ]


def _crowd(other: User, count: int, *, like: User) -> None:
    """Rows of another user, as near to every question as the user's own."""
    with scope.user(like.pk):
        pattern = Fact.objects.first()
        assert pattern is not None
    (own,) = tell(other, "Knows thing")
    rows = (
        Fact(
            **{
                field.attname: getattr(own, field.attname)
                for field in Fact._meta.concrete_fields
                if field.attname not in {"id", "embedding", "embedding_model"}
            },
            embedding=pattern.embedding,
            embedding_model=pattern.embedding_model,
        )
        for _ in range(count)
    )
    with scope.user(other.pk):
        Fact.objects.bulk_create(rows, batch_size=2_000)


def _by_vector_alone(user: User, queries: list[str], embedder: Bagged) -> list[list[int]]:
    """Nothing but vectors, by a policy that gives the other legs no weight."""
    with scope.user(user.pk):
        policy = policies.current()
        thresholds = replace(policy.thresholds, words_weight=0.0, letters_weight=0.0)
        alone = replace(policy, thresholds=thresholds)
        return [
            [
                one.fact
                for one in recall.recall(recall.ask(query, embedder=embedder), Where(user.pk), k=10, policy=alone).found
            ]
            for query in queries
        ]


def _scan(user: User, queries: list[str], embedder: Bagged) -> list[list[int]]:
    with scope.user(user.pk), connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_indexscan = off; SET LOCAL enable_bitmapscan = off")
        found = []
        for vector in embedder.embed(queries, is_query=True):
            cursor.execute(SCAN, [user.pk, str(vector)])
            found.append(cursor.fetchone()[0])
        cursor.execute("SET LOCAL enable_indexscan = on; SET LOCAL enable_bitmapscan = on")
    return found


# Turns --------------------------------------------------------------------------------------


def test_refresh_embeds_turns_with_their_speaker_and_no_more_than_their_beginning() -> None:
    user, embedder = make_user(), Bagged()
    episode = make_episode(user, "Hello", "x" * 5_000, "[erased]", "I said [erased] and left.")
    with scope.user(user.pk):
        Turn.objects.filter(episode=episode, n=1).update(name="Mia")
        Turn.objects.create(user=user, episode=episode, n=5, role="system", content="rules", at=episode.occurred_at)

    embed(user, embedder)

    assert embedder.seen == ["Mia: Hello", "x" * 2_000, "I said   and left."]
    with scope.user(user.pk):
        assert list(Turn.objects.filter(embedding=None).values_list("n", flat=True)) == [3, 5]


def test_stale_owners_are_those_with_facts_or_turns_to_embed() -> None:
    with_facts, with_turns, done = make_user(), make_user(), make_user()
    tell(with_facts, "Likes tea")
    make_episode(with_turns, "Hello")
    make_episode(done, "Hello")
    embed(done, Bagged())

    assert set(embedding.stale_owners(Bagged())) == {with_facts.pk, with_turns.pk}
