"""What an asker gets: the document of interfaces.md, and the record of it."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.test import override_settings

from memory import recollecting, scope
from memory.errors import InvalidQuestion
from memory.models import Fact, ModelCall, Recalled, User
from memory.recollecting import Question
from tests.factories import WHEN, make_conflict, make_episode, make_fact, make_user
from tests.memory.recall.finding import Bagged, embed, entity, tell
from tests.scripted_model import ScriptedModel

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("_then")]

LISTED = {
    "id", "text", "subject", "subject_note", "predicate", "object", "kind", "polarity", "basis", "source", "confidence",
    "effective_confidence", "status", "status_reason", "valid_from", "valid_to", "expires_on", "created_at",
    "last_supported_at", "supersedes", "superseded_by", "derived_from", "evidence", "rank", "found_by", "conflict",
}  # fmt: skip


@pytest.fixture
def _then() -> Iterator[None]:
    with override_settings(ASSAY_NOW=WHEN + timedelta(days=1)):
        yield


def _recollect(user: User, question: Question | str, **minds: Any) -> dict[str, Any]:
    asked = Question(question) if isinstance(question, str) else question
    chosen = {"model": None, "embedder": None} | minds
    return recollecting.recollect(user, asked, actor="a test", **chosen).document


def test_document_has_the_keys_of_the_interface() -> None:
    user = make_user()
    tell(user, "Likes tea")

    document = _recollect(user, "tea")

    assert set(document) == {"facts", "episodes", "retrieval", "block"}
    assert [set(fact) for fact in document["facts"]] == [LISTED]
    assert set(document["retrieval"]) == {"needs_episodes", "why", "note"}


def test_facts_come_in_order_of_their_rank() -> None:
    user = make_user()
    tell(user, "Plays chess", "Likes tea", "Lives in Oslo")

    facts = _recollect(user, "Does she like tea?")["facts"]

    assert [fact["rank"] for fact in facts] == [1, 2, 3]
    assert (facts[0]["text"], facts[0]["found_by"]) == ("Likes tea", ["words"])


def test_facts_alone_come_where_they_will_do() -> None:
    user = make_user()
    make_fact(user, "Likes tea", episode=make_episode(user, "I like tea"))

    document = _recollect(user, "Which tea?")

    assert (document["episodes"], document["retrieval"]["needs_episodes"]) == ([], False)


def test_what_was_said_comes_where_it_is_asked_for() -> None:
    user = make_user()
    episode = make_episode(user, "I like tea")
    make_fact(user, "Likes tea", episode=episode)

    document = _recollect(user, "What did I say about tea?")

    (turn,) = document["episodes"]
    assert {name: turn[name] for name in ("episode", "turn", "role", "content", "rank")} == {
        "episode": episode.external_id,
        "turn": 1,
        "role": "user",
        "content": "I like tea",
        "rank": 1,
    }
    assert "- [2026-03-10] user said: “I like tea”" in document["block"].splitlines()


def test_long_turns_are_cut_and_say_so() -> None:
    user = make_user()
    make_episode(user, "tea " * 3_000)

    (turn,) = _recollect(user, "What did I say about tea?")["episodes"]

    assert (len(turn["content"]), turn["is_cut"]) == (4_000, True)


def test_model_plans_and_its_call_is_recorded() -> None:
    user = make_user()
    make_episode(user, "I like tea")
    model = ScriptedModel([{"needs_episodes": True, "why": "it is about a conversation"}])

    document = _recollect(user, "tea", model=model)

    assert document["retrieval"]["why"] == "it is about a conversation"
    assert [turn["content"] for turn in document["episodes"]] == ["I like tea"]
    with scope.user(user.pk):
        assert list(ModelCall.objects.values_list("name", flat=True)) == ["retrieval_plan"]


@pytest.mark.parametrize(
    ("has_vectors", "note"), [(True, ""), (False, "vectors are off: found by words and names only")]
)
def test_document_says_whether_vectors_had_a_part(*, has_vectors: bool, note: str) -> None:
    user, embedder = make_user(), Bagged()
    tell(user, "Likes tea")
    embed(user, embedder)

    assert _recollect(user, "tea", embedder=embedder if has_vectors else None)["retrieval"]["note"] == note


def test_every_recall_is_recorded_by_ids_alone() -> None:
    user = make_user()
    facts = make_conflict(user, *tell(user, "Deploys to staging", "Deploys to production"))
    sides = sorted(side.fact_id for side in _sides(user))

    _recollect(user, Question("What did I say about staging?", k=1))

    with scope.user(user.pk):
        (row,) = Recalled.objects.all()
    assert (sorted(row.facts), row.needs_episodes, row.actor) == (sides, True, "a test")
    assert facts.pk


def _sides(user: User) -> list[Any]:
    from memory.models import ConflictSide  # noqa: PLC0415

    with scope.user(user.pk):
        return list(ConflictSide.objects.all())


def test_block_says_that_facts_contradict_each_other() -> None:
    user = make_user()
    make_conflict(user, *tell(user, "Deploys to staging", "Deploys to production"))

    block = _recollect(user, "staging")["block"].splitlines()

    assert block[2].startswith("These contradict each other.")
    assert [row.rpartition(" ")[2] for row in block[3:5]] == ["staging", "production"]


def test_block_names_others_where_the_text_does_not() -> None:
    user = make_user()
    tell(user, "Lives in Leeds", entity=entity(user, "Anna", "sister"), subject="Anna")
    tell(user, "Anna lives in York", entity=entity(user, "Anna"), subject="Anna")

    block = _recollect(user, "Anna")["block"]

    assert sorted(row.partition("] ")[2].partition(", ")[0] for row in block.splitlines() if row.startswith("- [")) == [
        "Anna (sister): Lives in Leeds",
        "Anna lives in York",
    ]


def test_days_in_the_block_are_by_the_users_calendar() -> None:
    user = make_user(time_zone="Pacific/Auckland")
    late = datetime(2026, 3, 9, 20, tzinfo=UTC)
    with scope.user(user.pk):
        pass
    tell(user, "Likes tea", first_said_at=late, last_supported_at=late)

    assert "- [2026-03-10] Likes tea\n" in _recollect(user, "tea")["block"]


@pytest.mark.parametrize(
    "question",
    [
        Question("tea", k=0),
        Question("tea", k=-1),
        Question("tea", k=201),
        Question("tea", as_of="yesterday"),
        Question("tea", as_of="2026-02-30"),
        Question("tea", as_of="2026-3-4"),
    ],
)
def test_questions_that_make_no_sense_are_refused(question: Question) -> None:
    with pytest.raises(InvalidQuestion):
        _recollect(make_user(), question)


@pytest.mark.parametrize("subject", ["me", "user", "the user", "Maya Okafor", "ich", "yo", "je", "minä", "я"])
def test_subject_may_be_a_word_for_the_user(subject: str) -> None:
    user = make_user(display_name="Maya Okafor")
    (own,) = tell(user, "Likes tea")
    tell(user, "Likes milk", entity=entity(user, "Anna"), subject="Anna")

    facts = _recollect(user, Question("Likes", subject=subject))["facts"]

    assert [fact["id"] for fact in facts] == [own.pk]


def test_as_of_a_month_means_its_last_day() -> None:
    user = make_user()
    tell(user, "Lives in Oslo", began_on=datetime(2025, 3, 31, tzinfo=UTC).date())

    found = [
        len(_recollect(user, Question("Oslo", as_of=day))["facts"]) for day in ("2025-02", "2025-03", "2025", "2024")
    ]

    assert found == [0, 1, 1, 0]


# The command --------------------------------------------------------------------------------


def test_command_prints_one_json_document(capsys: pytest.CaptureFixture[str]) -> None:
    user = make_user("maya")
    tell(user, "Likes tea", "Plays chess")

    call_command("recall", "tea", "--user", "maya", "--k", "1", "--json")

    document = json.loads(capsys.readouterr().out)
    assert [fact["text"] for fact in document["facts"]] == ["Likes tea"]


def test_command_prints_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    user = make_user("maya")
    tell(user, "Likes [bold]tea[/bold]")

    call_command("recall", "tea", "--user", "maya")

    assert "Likes [bold]tea[/bold]" in capsys.readouterr().out


def test_command_says_when_there_is_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    make_user("maya")

    call_command("recall", "tea", "--user", "maya")

    assert capsys.readouterr().out.splitlines()[0] == "Nothing is known here."


def test_recollecting_changes_no_fact() -> None:
    user = make_user()
    tell(user, "Likes tea")
    with scope.user(user.pk):
        before = list(Fact.objects.values())

    for _ in range(3):
        _recollect(user, "What did I say about tea?")

    with scope.user(user.pk):
        assert list(Fact.objects.values()) == before
