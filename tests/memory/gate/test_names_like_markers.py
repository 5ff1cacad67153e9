"""Names and subjects that look like orders, empty words, or what is over."""

import pytest

from memory.types import Judgement, Reason

from .judging import judge

ACCEPTED = Judgement(is_accepted=True, source="user")
STATED = [
    ("Deploy target is staging", "Deploy target", "staging"),
    ("Deploy target is prod", "Deploy target", "prod"),
    ("Order number is 5", "Order number", "5"),
    ("Book club meets on Mondays", "Book club", "Mondays"),
    ("Test database is Postgres", "Test database", "Postgres"),
    ("Test database is Postgres", "our project", "Postgres"),
    ("Design lead is Mia", "Design lead", "Mia"),
    ("Plan is Pro", "Plan", "Pro"),
    ("Print shop is in Turku", "Print shop", "Turku"),
    ("Liste ist auf Deutsch", "Liste", "Deutsch"),
    ("Compra está en Madrid", "Compra", "Madrid"),
    ("Liste est chez Orange", "Liste", "Orange"),
]
ORDERED = [
    ("Book a table for two in Turku", "Turku"),
    ("Book a table that is free in Turku", "Turku"),
    ("Plan my trip to Turku", "Turku"),
    ("Test whether Postgres is up", "Postgres"),
    ("Find hotels in Turku", "Turku"),
    ("Tell Mia lunch is at noon", "noon"),
    ("Réserve une table à Lyon", "Lyon"),
    ("Buche einen Tisch in Turku", "Turku"),
]
PLACES = [
    ("J'habite à Nice.", "Nice"),
    ("I live in Nice.", "Nice"),
    ("I live in Cool, Texas.", "Cool, Texas"),
    ("J'ai déménagé à Nice.", "Nice"),
    ("J'habite à Lyon, pardon, à Nice.", "Nice"),
    ("Vivo en Nice.", "Nice"),
    ("Asun Nice nimisessä kaupungissa.", "Nice"),
    ("Ich wohne in der Stadt Schön.", "Schön"),
]
EMPTY = [
    ("My brother has nice things.", "nice things"),
    ("My brother has nice things.", "Nice Things"),
    ("Mein Bruder mag neue Ideen.", "neue Ideen"),
    ("Mein Bruder mag Sachen.", "Sachen"),
    ("MY BROTHER LIKES NICE THINGS.", "NICE THINGS"),
]
MOVED = [
    ("I used to live in Paris but now I live in Rome.", "Rome"),
    ("I used to live in Paris and now live in Rome.", "Rome"),
    ("I no longer live in Paris, now I live in Rome.", "Rome"),
    ("Früher habe ich in Paris gewohnt, aber jetzt wohne ich in Rom.", "Rom"),
    ("Antes vivía en París pero ahora vivo en Roma.", "Roma"),
    ("Avant j'habitais à Paris mais maintenant j'habite à Rome.", "Rome"),
    ("Asuin ennen Pariisissa mutta nyt asun Roomassa.", "Rooma"),
    ("Раньше я жил в Париже, но теперь живу в Риме.", "Рим"),
]
LEFT = [
    ("I used to live in Paris but now I live in Rome.", "Paris"),
    ("I no longer live in Paris, now I live in Rome.", "Paris"),
    ("Früher habe ich in Paris gewohnt, aber jetzt wohne ich in Rom.", "Paris"),
    ("Antes vivía en París pero ahora vivo en Roma.", "París"),
    ("Раньше я жил в Париже, но теперь живу в Риме.", "Париж"),
]


@pytest.mark.parametrize(("content", "subject", "obj"), STATED)
def test_statement_that_opens_with_a_noun_like_an_order_is_accepted(content: str, subject: str, obj: str) -> None:
    judgement = judge(content, content, obj, text=content, subject=subject)

    assert judgement == ACCEPTED


@pytest.mark.parametrize(("content", "obj"), ORDERED)
def test_order_is_refused_as_a_task_though_its_verb_may_be_a_noun(content: str, obj: str) -> None:
    judgement = judge(content, content, obj, text=content)

    assert judgement.reason is Reason.TASK


@pytest.mark.parametrize(("content", "obj"), PLACES)
def test_place_named_like_a_quality_is_accepted(content: str, obj: str) -> None:
    judgement = judge(content, content.removesuffix("."), obj, predicate="lives_in")

    assert judgement == ACCEPTED


@pytest.mark.parametrize(("content", "obj"), EMPTY)
def test_quality_that_names_nothing_is_refused_as_vague(content: str, obj: str) -> None:
    judgement = judge(content, content.removesuffix("."), obj, subject="brother", predicate="likes")

    assert judgement.reason is Reason.VAGUE


@pytest.mark.parametrize(("content", "obj"), MOVED)
def test_home_told_after_a_former_one_is_accepted(content: str, obj: str) -> None:
    judgement = judge(content, content.removesuffix("."), obj, predicate="lives_in", text=f"The user lives in {obj}.")

    assert judgement == ACCEPTED


@pytest.mark.parametrize(("content", "obj"), LEFT)
def test_former_home_told_before_a_new_one_is_refused_as_unsourced(content: str, obj: str) -> None:
    judgement = judge(content, content.removesuffix("."), obj, predicate="lives_in", text=f"The user lives in {obj}.")

    assert judgement.reason is Reason.UNSOURCED
