"""B3–B6, B8–B10, B22, B23, B25: what is the same, what is another, what takes its place."""

import pytest

from tests.faults.telling import Person, after

pytestmark = pytest.mark.django_db


# B3: containment by letters ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "first", "second", "expected"),
    [
        ("en", "Ali writes Java", "Ali writes JavaScript", ["(Ali) programs_in=Java", "(Ali) programs_in=JavaScript"]),
        ("en", "I use Go", "I use Google Docs", ["uses=Go", "uses=Google Docs"]),
        ("en", "I like tea", "I like teapots", ["likes=tea", "likes=teapots"]),
        ("en", "I program in C", "I program in C#", ["programs_in=C", "programs_in=C#"]),
        ("de", "Ich mag Bier", "Ich mag Bierbrauen", ["likes=Bier", "likes=Bierbrauen"]),
        ("es", "Me gusta el pan", "Me gusta el pancake", ["likes=pan", "likes=pancake"]),
        ("fr", "J'aime le thé", "J'aime le théâtre", ["likes=thé", "likes=théâtre"]),
        ("fi", "Pidän kahvista", "Pidän kahviloista", ["likes=kahvi", "likes=kahvila"]),
        ("ru", "Я люблю чай", "Я люблю чайники", ["likes=чай", "likes=чайники"]),
    ],
)
def test_object_within_anothers_letters_is_another(language: str, first: str, second: str, expected: list[str]) -> None:
    person = after(first, second, language=language)

    assert person.facts == [f"active {fact}" for fact in expected]


# B4: likeness is not sameness ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The deadline is 15 October", "The deadline is 16 October"),
        ("This week I'm in Room 101", "This week I'm in Room 102"),
        ("My birthday is 3 May", "My birthday is 4 May"),
        ("Our deploy target is staging", "Our deploy target is prod"),
        ("We use Postgres 15", "We use Postgres 16"),
        ("My wife is Anna", "My wife is Hanna"),
        ("I was born in 1990", "I was born in 1991"),
    ],
)
def test_nearly_alike_values_are_two_claims(first: str, second: str) -> None:
    person = after(first, second, days=0.1)

    assert len(person.facts) == 2


# B5: back to an old value -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "said", "expected"),
    [
        ("en", ["I live in Oslo", "I moved to Bergen", "I moved back to Oslo"], ["Oslo", "Bergen", "Oslo"]),
        ("en", ["I live in Oslo", "I live in Bergen now", "I live in Oslo again"], ["Oslo", "Bergen", "Oslo"]),
        ("en", ["I work at Acme", "I joined Nokia", "I work at Acme"], ["Acme", "Nokia", "Acme"]),
        ("de", ["Ich wohne in Oslo", "Ich bin nach Bergen gezogen", "Ich wohne in Oslo"], ["Oslo", "Bergen", "Oslo"]),
        ("es", ["Vivo en Oslo", "Me mudé a Bergen", "Vivo en Oslo"], ["Oslo", "Bergen", "Oslo"]),
        ("fr", ["J'habite à Oslo", "J'ai déménagé à Bergen", "J'habite à Oslo"], ["Oslo", "Bergen", "Oslo"]),
        ("fi", ["Asun Oslossa", "Muutin Bergeniin", "Muutin takaisin Osloon"], ["Oslo", "Bergen", "Oslo"]),
        ("ru", ["Живу в Москве", "Переехал в Берген", "Я живу в Москве"], ["Москва", "Берген", "Москва"]),
    ],
)
def test_return_to_an_old_value_is_a_new_row_of_one_lineage(
    language: str, said: list[str], expected: list[str]
) -> None:
    person = after(*said, language=language)

    first, second, third = (person.one(object=o, status=s) for o, s in zip(expected, STATES, strict=True))
    assert (first.superseded_by_id, second.superseded_by_id, third.superseded_by_id) == (second.pk, third.pk, None)


STATES = ("superseded", "superseded", "active")


# B6: a third value ---------------------------------------------------------------------------


@pytest.mark.parametrize("third", [2, 3, 5])
def test_third_value_of_a_conflict_joins_it(third: int) -> None:
    said = ["our deploy target is staging", "our deploy target is prod", "our deploy target is canary"]
    person = Person()

    for n, sentence in enumerate(said):
        person.says(sentence, day=(0, 0.1, third / 10)[n])

    assert person.conflicts == [(["canary", "prod", "staging"], "")]
    assert len(person.live) == 3


# B8: many-valued -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "first", "second", "expected"),
    [
        ("en", "I speak Finnish", "I speak Swedish", ["speaks=Finnish", "speaks=Swedish"]),
        ("en", "I like tea", "I love coffee", ["likes=coffee", "likes=tea"]),
        ("en", "I'm allergic to nuts", "I'm allergic to cats", ["allergic_to=cats", "allergic_to=nuts"]),
        ("en", "We use Slack", "We use Jira", ["uses=Jira", "uses=Slack"]),
        ("en", "I play the piano", "I play tennis", ["plays=piano", "plays=tennis"]),
        ("de", "Ich spreche Finnisch", "Ich spreche Schwedisch", ["speaks=Finnisch", "speaks=Schwedisch"]),
        ("es", "Hablo finés", "Hablo sueco", ["speaks=finés", "speaks=sueco"]),
        ("fr", "Je parle finnois", "Je parle suédois", ["speaks=finnois", "speaks=suédois"]),
        ("fi", "Puhun suomea", "Puhun ruotsia", ["speaks=ruotsi", "speaks=suomi"]),
        ("ru", "Я говорю по-фински", "Я говорю по-шведски", ["speaks=финский", "speaks=шведский"]),
    ],
)
def test_values_of_what_can_be_many_live_together(language: str, first: str, second: str, expected: list[str]) -> None:
    person = after(first, second, language=language)

    assert (person.facts, person.conflicts) == ([f"active {fact}" for fact in expected], [])


# B9: the other way round ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "first", "second", "obj"),
    [
        ("en", "I love sushi", "I hate sushi now", "sushi"),
        ("en", "I like running", "I don't like running any more", "running"),
        ("en", "I enjoy jazz", "I can't stand jazz anymore", "jazz"),
        ("en", "I hate olives", "I love olives now", "olives"),
        ("de", "Ich liebe Sushi", "Ich hasse jetzt Sushi", "Sushi"),
        ("de", "Ich mag Jazz", "Ich mag Jazz nicht mehr", "Jazz"),
        ("es", "Me encanta el sushi", "Ahora odio el sushi", "sushi"),
        ("es", "Me gusta el café", "Ya no me gusta el café", "café"),
        ("fr", "J'adore les sushis", "Je déteste les sushis maintenant", "sushis"),
        ("fi", "Rakastan sushia", "Vihaan nykyään sushia", "sushi"),
        ("fi", "Pidän kahvista", "En pidä enää kahvista", "kahvi"),
        ("ru", "Я люблю суши", "Теперь я ненавижу суши", "суши"),
    ],
)
def test_change_of_taste_leaves_exactly_one_live(language: str, first: str, second: str, obj: str) -> None:
    person = after(first, second, language=language)

    new, old = person.one(status="active"), person.one(status="superseded")
    assert (new.object, old.object, old.superseded_by_id) == (obj, obj, new.pk)
    assert new.polarity != old.polarity


# B10: a correction ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "first", "correction"),
    [
        ("en", "I'm vegetarian", "No, I'm not vegetarian, I never was"),
        ("en", "I work at Acme", "No, I don't work at Acme, I never did"),
        ("en", "I live in Paris", "That's wrong, I never lived in Paris"),
        ("en", "I'm allergic to cats", "Sorry, I'm not allergic to cats, I never was"),
        ("de", "Ich bin Vegetarierin", "Nein, ich bin keine Vegetarierin, ich war nie eine"),
        ("es", "Soy vegetariana", "No, no soy vegetariana, nunca lo fui"),
        ("fi", "Olen kasvissyöjä", "Ei, en ole kasvissyöjä, en ole koskaan ollut"),
        ("ru", "Я вегетарианец", "Нет, я не вегетарианец, никогда им не был"),
        ("fr", "Je suis végétarienne", "Non, je ne suis pas végétarienne, je ne l'ai jamais été"),
    ],
)
def test_correction_retracts_and_lends_no_confidence(language: str, first: str, correction: str) -> None:
    person = after(first, language=language)
    before = person.one().confidence

    person.says(correction, day=30)

    fact = person.one(polarity="affirms")
    assert (fact.status, fact.confidence <= before) == ("retracted", True)
    assert [claim for claim in person.live if not claim.startswith("not ")] == []


# B22: put right within a minute --------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "turns"),
    [
        ("en", ["I live in Oslo … sorry, Bergen"]),
        ("en", ["I live in Oslo, sorry, I meant Bergen."]),
        ("en", ["I live in Oslo.", "Wait, no, Bergen."]),
        ("en", ["I live in Oslo.", "a: Nice!", "Correction: I live in Bergen."]),
        ("en", ["I live in Oslo. I mean Bergen."]),
        ("en", ["I live in Oslo.", "Sorry, not Oslo but Bergen."]),
        ("de", ["Ich wohne in Oslo … Entschuldigung, in Bergen"]),
        ("es", ["Vivo en Oslo... perdón, en Bergen"]),
        ("fr", ["J'habite à Oslo… pardon, à Bergen"]),
        ("fi", ["Asun Oslossa… anteeksi, Bergenissä"]),
        ("fi", ["Asun Oslossa, eiku Bergenissä"]),
        ("ru", ["Я живу в Осло… извини, в Бергене"]),
    ],
)
def test_slip_put_right_at_once_leaves_only_what_was_meant(language: str, turns: list[str]) -> None:
    person = after(turns, language=language)

    assert [fact.partition(" lives_in=")[0] for fact in person.facts] == ["active", "retracted"]
    assert person.one(status="active").object_key in {"bergen", "берген"}


@pytest.mark.parametrize(
    ("language", "first", "second"),
    [
        ("en", "I live in Oslo", "I moved to Bergen yesterday"),
        ("en", "I live in Oslo", "I've just moved to Bergen"),
        ("de", "Ich wohne in Oslo", "Ich bin gestern nach Bergen gezogen"),
        ("es", "Vivo en Oslo", "Me mudé a Bergen ayer"),
        ("fr", "J'habite à Oslo", "J'ai déménagé à Bergen hier"),
        ("fi", "Asun Oslossa", "Muutin eilen Bergeniin"),
        ("ru", "Я живу в Осло", "Я вчера переехала в Берген"),
    ],
)
def test_move_told_hours_later_supersedes(language: str, first: str, second: str) -> None:
    person = after(first, second, days=0.2, language=language)

    assert [person.one(status=status).object_key for status in ("superseded", "active")] in (
        ["oslo", "bergen"],
        ["осло", "берген"],
    )


# B23: symbols --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "predicate", "expected"),
    [
        (["I program in C", "I program in C++", "I program in C#"], "programs_in", ["c", "c#", "c++"]),
        (["I use C, C++ and C#"], "uses", ["c", "c#", "c++"]),
        (["I use F#", "I use F"], "uses", ["f", "f#"]),
        (["I weigh 1.5 kg", "I weigh 15 kg"], "weight", ["1.5 kg", "15 kg"]),
        (["We use Node.js", "We use Node"], "uses", ["node", "node.js"]),
        (["I use .NET", "I use NET"], "uses", [".net", "net"]),
    ],
)
def test_objects_that_differ_by_a_symbol_are_apart(said: list[str], predicate: str, expected: list[str]) -> None:
    person = after(*said)

    assert sorted(fact.partition("=")[2].casefold() for fact in person.live) == expected
    assert {fact.partition("=")[0] for fact in person.live} == {predicate}


# B25: an answered question --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second", "answer", "winner"),
    [
        ("our deploy target is staging", "our deploy target is prod", "the deploy target is prod", "prod"),
        ("our deploy target is staging", "our deploy target is prod", "the deploy target is staging", "staging"),
        ("our database is MySQL", "our database is MariaDB", "our database is MySQL", "MySQL"),
        ("I live in Oslo", "I live in Bergen", "I live in Bergen", "Bergen"),
        ("I work at Acme", "I work at Nokia", "I work at Nokia", "Nokia"),
    ],
)
def test_question_answered_by_the_user_is_settled(first: str, second: str, answer: str, winner: str) -> None:
    person = Person()
    person.says(first)
    person.says(second, day=0.2)
    asked = [settled_by for _, settled_by in person.conflicts]

    person.says(answer, day=7)

    assert (asked, [settled_by for _, settled_by in person.conflicts]) == ([""], ["user"])
    assert [fact.partition("=")[2] for fact in person.live] == [winner]
