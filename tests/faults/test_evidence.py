"""B2, B11–B14, B21: what may stand as evidence, and what the sentence around a quote says."""

import pytest
from django.utils import timezone

from memory import jobs, pipeline, scope
from memory.models import Episode, Fact, Job
from memory.types import BLOCK_CLOSE, BLOCK_OPEN
from tests.faults.telling import Person, after, proposing
from tests.scripted_model import ScriptedModel, candidate

pytestmark = pytest.mark.django_db


# B2: markers within words and names ----------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "said", "expected"),
    [
        ("en", "Mia works at Mighty Networks.", "(Mia) works_at=Mighty Networks"),
        ("en", "Lena's firm is called HappyCo.", "(Lena's firm) name=HappyCo"),
        ("en", "I work at Maybelline", "works_at=Maybelline"),
        ("en", "Hope Might lives in Oslo", "(Hope Might) lives_in=Oslo"),
        ("en", "I live in Sad Harbour", "lives_in=Sad Harbour"),
        ("en", "We use Perhapsody", "uses=Perhapsody"),
        ("de", "Ich arbeite bei Vielleichtl & Söhne", "works_at=Vielleichtl & Söhne"),
        ("de", "Mia wohnt in Glücksburg", "(Mia) lives_in=Glücksburg"),
        ("es", "Trabajo en Quizasoft", "works_at=Quizasoft"),
        ("fr", "Je travaille chez Tristesse Records", "works_at=Tristesse Records"),
        ("fi", "Olen töissä Ehkälä Oy:llä", "works_at=Ehkälä Oy"),
        ("ru", "Я работаю в Может-Банке", "works_at=Может-Банк"),
    ],
)
def test_name_that_looks_like_a_marker_is_a_name(language: str, said: str, expected: str) -> None:
    person = after(said, language=language)

    assert (person.live, person.refused) == ([expected], [])


# B11: once and again -------------------------------------------------------------------------

SAID = ["I live in Oslo", "I love sushi", "I'm allergic to nuts", "Asun Oslossa", "Я люблю суши"]


@pytest.mark.parametrize("said", SAID)
@pytest.mark.parametrize("times", [2, 5])
def test_episode_delivered_again_changes_nothing(said: str, times: int) -> None:
    person = Person()
    person.says(said, external_id="same")
    before = _state(person)

    for _ in range(times):
        person.says(said, external_id="same")

    assert _state(person) == before


@pytest.mark.parametrize("said", SAID)
def test_episode_processed_again_from_the_start_changes_nothing(said: str) -> None:
    person = Person()
    person.says(said)
    before = _state(person)
    with scope.user(person.user.pk):
        Episode.objects.update(state="pending", read_turns=0, read_chars=0)

    person.works()

    assert _state(person) == before


@pytest.mark.parametrize("said", SAID)
def test_worker_killed_while_the_model_thinks_leaves_the_same_as_once(said: str) -> None:
    found = {"candidates": [candidate(said, object=said.rsplit(maxsplit=1)[-1], predicate="likes", kind="preference")]}
    killed = Person(model=ScriptedModel(_Killed([found])))
    killed.puts(said)
    jobs.request([killed.user.pk])
    with pytest.raises(KeyboardInterrupt):
        pipeline.process(killed.user.pk, pipeline.Engine(model=killed.model))
    once = Person(model=ScriptedModel([found]))
    once.says(said)

    with scope.user(killed.user.pk):
        Job.objects.update(lease_until=timezone.now())
    while pipeline.process(killed.user.pk, pipeline.Engine(model=killed.model)):
        pass

    assert _state(killed) == _state(once) != []


class _Killed:
    """A script that dies at the first call, as its process would."""

    def __init__(self, replies: list[object]) -> None:
        self.replies = [KeyboardInterrupt(), *replies]

    def __call__(self, _: object) -> object:
        reply = self.replies.pop(0) if self.replies else None
        if isinstance(reply, BaseException):
            raise reply
        return reply


def _state(person: Person) -> list[object]:
    with scope.user(person.user.pk):
        return sorted(Fact.objects.values_list("text", "status", "confidence"))


# B12: memory handed back ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "turns"),
    [
        ("en", ["a: As I remember, you like tea", "what time is it?"]),
        ("en", ["a: You live in Oslo and work at Acme.", "Thanks!"]),
        ("en", ["s: The user lives in Oslo.", "Hello"]),
        ("en", [f"{BLOCK_OPEN}\nLives in Oslo\n{BLOCK_CLOSE}\nwhat time is it?"]),
        ("en", [f"a: {BLOCK_OPEN}\nI live in Oslo\n{BLOCK_CLOSE}", "ok"]),
        ("de", ["a: Soweit ich mich erinnere, magst du Tee.", "Wie spät ist es?"]),
        ("es", ["a: Recuerdo que vives en Oslo.", "¿Qué hora es?"]),
        ("fr", ["a: Je me souviens que tu habites à Oslo.", "Quelle heure est-il ?"]),
        ("fi", ["a: Muistan, että asut Oslossa.", "Paljonko kello on?"]),
        ("ru", ["a: Помню, ты живёшь в Осло.", "Который час?"]),
    ],
)
def test_what_the_assistant_recalls_is_not_learnt(language: str, turns: list[str]) -> None:
    person = after(turns, language=language)

    assert person.facts == []


@pytest.mark.parametrize(
    "turns",
    [
        ["a: As I remember, you like tea", "what time is it?"],
        ["a: You like tea, and you told me so.", "Go on"],
        ["s: Known: the user likes tea", "Hi"],
        [f"{BLOCK_OPEN} Likes tea {BLOCK_CLOSE} hi"],
    ],
)
def test_model_that_quotes_recalled_memory_teaches_nothing(turns: list[str]) -> None:
    quote = turns[0].removeprefix("a: ").removeprefix("s: ")
    claims = [candidate("Likes tea", predicate="likes", object="tea", evidence=[{"turn": 1, "quote": quote}])]
    person = Person(model=proposing(claims))

    person.says(*turns)

    assert (person.facts, len(person.refused)) == ([], 1)


# B13, B14: what nobody said ------------------------------------------------------------------


@pytest.mark.parametrize("turns", [["Hi"], ["Hi", "a: Hello! How can I help?"], ["Thanks"], ["ok"], ["👍"]])
def test_model_that_echoes_its_instructions_teaches_nothing(turns: list[str]) -> None:
    person = Person(model=ScriptedModel(_echo))

    person.says(*turns)

    assert (person.facts, set(person.refused) - {"unsourced", "malformed", "too_short"}) == ([], set())


def _echo(call: object) -> object:
    """Every sentence of the system prompt as a candidate of turn 1."""
    lines = [line.strip("-* ") for line in call.system.splitlines() if len(line.split()) > 3]  # type: ignore[attr-defined]
    return {"candidates": [candidate(line[:150], object=line.split()[-1]) for line in lines[:60]]}


@pytest.mark.parametrize(
    "claim",
    [
        candidate("John Doe lives in Springfield", subject="John Doe", object="Springfield"),
        candidate(
            "Lives in Springfield", object="Springfield", evidence=[{"turn": 1, "quote": "I live in Springfield"}]
        ),
        candidate("Likes jazz", predicate="likes", object="jazz", evidence=[{"turn": 7, "quote": "What time is it?"}]),
        candidate("Likes jazz", predicate="likes", object="jazz", evidence=[{"turn": 1, "quote": "What time is it?"}]),
        candidate("Likes jazz", predicate="likes", object="jazz", evidence=[]),
        candidate("Likes jazz", predicate="likes", object="jazz", evidence=[{"turn": 1, "quote": ""}]),
        candidate("John Doe works at Acme", subject="John Doe", predicate="works_at", object="Acme"),
    ],
)
def test_invented_claim_is_refused(claim: dict[str, object]) -> None:
    person = Person(model=proposing([claim]))

    person.says("What time is it?")

    assert (person.facts, len(person.refused)) == ([], 1)


# B21: the sentence around --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "quote", "obj"),
    [
        ("I don't like sushi", "like sushi", "sushi"),
        ("I never liked sushi", "liked sushi", "sushi"),
        ("I think I might switch to Postgres", "switch to Postgres", "Postgres"),
        ("if I lived in Oslo, I'd ski", "I lived in Oslo", "Oslo"),
        ("translate: I live in Paris", "I live in Paris", "Paris"),
        ("Should I move to Bergen?", "I move to Bergen", "Bergen"),
        ("My boss thinks I live in Rome", "I live in Rome", "Rome"),
        ("Ich mag kein Sushi", "Sushi", "Sushi"),
        ("Ich glaube, ich wechsle vielleicht zu Postgres", "zu Postgres", "Postgres"),
        ("Si viviera en Oslo, esquiaría", "viviera en Oslo", "Oslo"),
        ("Traduis : J'habite à Paris", "J'habite à Paris", "Paris"),
        ("En pidä sushista", "pidä sushista", "sushi"),
        ("Jos asuisin Oslossa, hiihtäisin", "asuisin Oslossa", "Oslo"),
        ("Переведи: Я живу в Париже", "Я живу в Париже", "Париж"),
    ],
)
def test_quote_taken_out_of_its_sentence_is_refused(said: str, quote: str, obj: str) -> None:
    claim = candidate(f"Likes {obj}", predicate="likes", object=obj, evidence=[{"turn": 1, "quote": quote}])
    person = Person(model=proposing([claim]))

    person.says(said)

    assert (person.facts, len(person.refused)) == ([], 1)


@pytest.mark.parametrize(
    ("language", "question", "answer", "expected"),
    [
        ("en", "You live in Oslo?", "Yes", "lives_in=Oslo"),
        ("en", "So you're vegetarian, right?", "yep, that's right", "diet=vegetarian"),
        ("en", "Do you work at Acme?", "Yes, I do.", "works_at=Acme"),
        ("de", "Wohnst du in Oslo?", "Ja", "lives_in=Oslo"),
        ("es", "¿Vives en Oslo?", "Sí", "lives_in=Oslo"),
        ("fr", "Tu habites à Oslo ?", "Oui", "lives_in=Oslo"),
        ("fi", "Asutko Oslossa?", "Kyllä", "lives_in=Oslo"),
        ("ru", "Ты живёшь в Москве?", "Да", "lives_in=Москва"),
    ],
)
def test_question_and_yes_are_evidence_together(language: str, question: str, answer: str, expected: str) -> None:
    person = after([f"a: {question}", answer], language=language)

    assert (person.live, person.turns) == ([expected], [1, 2])


@pytest.mark.parametrize("answer", ["No", "Not really", "Maybe", "What time is it?", "I used to", "no, in Bergen"])
def test_question_without_a_yes_teaches_nothing_of_it(answer: str) -> None:
    person = after(["a: You live in Oslo?", answer])

    assert [fact for fact in person.live if fact == "lives_in=Oslo"] == []
