"""Names and nouns in the forms they are said in, and their base form."""

import pytest

from memory.extraction.inflection import base

PLACE_RU = ("Geox", "loct", "accs", "gent")


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Oslossa", "Oslo"),
        ("Osloon", "Oslo"),
        ("Bergenissä", "Bergen"),
        ("Turussa", "Turku"),
        ("Turkuun", "Turku"),
        ("Turusta", "Turku"),
        ("Helsingissä", "Helsinki"),
        ("Tampereelle", "Tampere"),
        ("New Yorkissa", "New York"),
        ("Uudessa Seelannissa", "Uusi Seelanti"),
        ("Acmella", "Acme"),
        ("IBM:llä", "IBM"),
        ("Oslo", "Oslo"),
    ],
)
def test_base_of_finnish_place_is_its_name(said: str, expected: str) -> None:
    assert base(said, "fi", ("place",)) == expected


@pytest.mark.parametrize(
    ("said", "case", "expected"),
    [
        ("kahvista", "elative", "kahvi"),
        ("kissoista", "elative", "kissa"),
        ("vihreästä teestä", "elative", "vihreä tee"),
        ("kahvista ilman maitoa", "elative", "kahvi ilman maitoa"),
        ("sushia", "partitive", "sushi"),
        ("Postgresia", "partitive", "Postgres"),
        ("C++:aa", "partitive", "C++"),
        ("pähkinöille", "allative", "pähkinä"),
    ],
)
def test_base_of_finnish_noun_is_its_head_word(said: str, case: str, expected: str) -> None:
    assert base(said, "fi", (case,)) == expected


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Москве", "Москва"),
        ("Москву", "Москва"),
        ("Бергене", "Берген"),
        ("Осло", "Осло"),
        ("Нижнем Новгороде", "Нижний Новгород"),
        ("Ростове-на-Дону", "Ростов-на-Дону"),
        ("центре Москвы", "центр Москвы"),
        ("США", "США"),
        ("Google", "Google"),
        ("Нови-Саде", "Нови-Сад"),
        ("Баден-Бадене", "Баден-Баден"),
    ],
)
def test_base_of_russian_place_is_its_name(said: str, expected: str) -> None:
    assert base(said, "ru", PLACE_RU) == expected


@pytest.mark.parametrize(
    ("said", "cases", "expected"),
    [
        ("музыку", ("accs", "gent"), "музыка"),
        ("суши", ("accs", "gent"), "суши"),
        ("собак и кошек", ("accs", "gent"), "собаки и кошки"),
        ("читать книги", ("accs", "gent"), "читать книги"),
        ("старшим инженером", ("ablt",), "старший инженер"),
        ("по-фински", ("tongue",), "финский"),
        ("финском языке", ("tongue",), "финский"),
    ],
)
def test_base_of_russian_noun_is_its_nominative(said: str, cases: tuple[str, ...], expected: str) -> None:
    assert base(said, "ru", cases) == expected


@pytest.mark.parametrize(("said", "expected"), [("der Schweiz", "Schweiz"), ("Die Ärzte", "Die Ärzte")])
def test_base_of_german_noun_has_no_article(said: str, expected: str) -> None:
    assert base(said, "de", ("article",)) == expected


@pytest.mark.parametrize("language", ["en", "fi", "ru", "xx"])
def test_base_without_cases_is_as_it_was_said(language: str) -> None:
    assert base("Oslossa", language, ()) == "Oslossa"
