"""Relative dates, said on Sunday 10 March 2024 unless a test says otherwise."""

from datetime import UTC, date, datetime, timedelta, timezone
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory import dates
from memory.extraction import mentions
from memory.extraction.anchoring import Aspect, When, anchor

SAID = datetime(2024, 3, 10, 12, tzinfo=UTC)
BEGINS, HELD, HOLDS, AIMS = Aspect.BEGINS, Aspect.HELD, Aspect.HOLDS, Aspect.AIMS


def at(sentence: str, language: str = "en", aspect: Aspect = HOLDS) -> When:
    return anchor(sentence, SAID, zone=UTC, language=language, aspect=aspect)


@pytest.mark.parametrize(
    ("language", "sentence", "start"),
    [
        ("en", "I started at Acme today", "2024-03-10"),
        ("en", "I moved to Bergen yesterday", "2024-03-09"),
        ("en", "I started at Acme last week", "2024-02-26/2024-03-03"),
        ("en", "I moved here last month", "2024-02"),
        ("en", "I moved here last year", "2023"),
        ("en", "I moved to Oslo in 2019", "2019"),
        ("en", "I joined in January", "2024-01"),
        ("en", "I joined in November", "2023-11"),
        ("en", "I joined in March 2021", "2021-03"),
        ("en", "I moved on 5 March", "2024-03-05"),
        ("en", "I moved on March 5th", "2024-03-05"),
        ("en", "I moved on the 20th of March", "2023-03-20"),
        ("en", "I moved on March 5, 2021", "2021-03-05"),
        ("en", "I moved 3 years ago", "2021"),
        ("en", "I moved two months ago", "2024-01"),
        ("en", "I moved a week ago", "2024-02-26/2024-03-03"),
        ("en", "I moved five days ago", "2024-03-05"),
        ("en", "I started last Monday", "2024-03-04"),
        ("en", "I started on Friday", "2024-03-08"),
        ("en", "I started on 2024-02-29", "2024-02-29"),
        ("de", "Ich habe heute bei Acme angefangen", "2024-03-10"),
        ("de", "Gestern bin ich nach Bergen gezogen", "2024-03-09"),
        ("de", "Ich habe letzte Woche angefangen", "2024-02-26/2024-03-03"),
        ("de", "Ich bin im Mai 2020 umgezogen", "2020-05"),
        ("de", "Ich bin vor drei Jahren umgezogen", "2021"),
        ("de", "Ich bin am 5. März umgezogen", "2024-03-05"),
        ("de", "Ich bin am 05.03.2021 umgezogen", "2021-03-05"),
        ("de", "Ich bin letzten Monat umgezogen", "2024-02"),
        ("es", "Empecé hoy en Acme", "2024-03-10"),
        ("es", "Me mudé ayer", "2024-03-09"),
        ("es", "Empecé la semana pasada", "2024-02-26/2024-03-03"),
        ("es", "Me mudé el 5 de marzo", "2024-03-05"),
        ("es", "Me mudé hace tres años", "2021"),
        ("es", "Me mudé en 2019", "2019"),
        ("es", "Me mudé en mayo de 2020", "2020-05"),
        ("fr", "J'ai commencé aujourd'hui", "2024-03-10"),
        ("fr", "J'ai déménagé hier", "2024-03-09"),
        ("fr", "J'ai commencé la semaine dernière", "2024-02-26/2024-03-03"),
        ("fr", "J'ai déménagé le 1er mars", "2024-03-01"),
        ("fr", "J'ai déménagé il y a trois ans", "2021"),
        ("fr", "J'ai déménagé en 2019", "2019"),
        ("fr", "J'ai déménagé l’année dernière", "2023"),
        ("fi", "Aloitin Acmella tänään", "2024-03-10"),
        ("fi", "Muutin eilen Bergeniin", "2024-03-09"),
        ("fi", "Aloitin viime viikolla", "2024-02-26/2024-03-03"),
        ("fi", "Muutin 5. maaliskuuta", "2024-03-05"),
        ("fi", "Muutin kolme vuotta sitten", "2021"),
        ("fi", "Muutin vuonna 2019", "2019"),
        ("fi", "Muutin tammikuussa", "2024-01"),
        ("ru", "Я начал работать сегодня", "2024-03-10"),
        ("ru", "Я переехал вчера", "2024-03-09"),
        ("ru", "Я начал на прошлой неделе", "2024-02-26/2024-03-03"),
        ("ru", "Я переехал 5 марта", "2024-03-05"),
        ("ru", "Я переехал три года назад", "2021"),
        ("ru", "Я переехал в 2019 году", "2019"),
        ("ru", "Я переехал в январе", "2024-01"),
    ],
)
def test_anchor_of_a_beginning_is_its_start_at_its_precision(language: str, sentence: str, start: str) -> None:
    assert at(sentence, language, BEGINS) == When(valid_from=start)


@pytest.mark.parametrize(
    ("language", "sentence", "start"),
    [
        ("en", "I've lived in Bergen since 2019", "2019"),
        ("en", "I have been vegan since last March", "2024-03"),
        ("en", "I've lived here for 3 years", "2021"),
        ("en", "I've worked there for the past two months", "2024-01"),
        ("en", "I live here since Monday", "2024-03-04"),
        ("de", "Ich wohne seit 2019 in Bergen", "2019"),
        ("de", "Ich wohne seit drei Jahren hier", "2021"),
        ("de", "Seit letzter Woche wohne ich hier", "2024-02-26/2024-03-03"),
        ("de", "Ich bin seit Januar Vegetarier", "2024-01"),
        ("de", "Ich wohne seit gestern hier", "2024-03-09"),
        ("es", "Vivo aquí desde 2019", "2019"),
        ("es", "Vivo aquí desde hace tres años", "2021"),
        ("es", "Llevo dos meses aquí", "2024-01"),
        ("es", "Vivo aquí desde enero", "2024-01"),
        ("es", "Vivo aquí desde ayer", "2024-03-09"),
        ("fr", "J'habite ici depuis 2019", "2019"),
        ("fr", "J'habite ici depuis trois ans", "2021"),
        ("fr", "J'habite ici depuis la semaine dernière", "2024-02-26/2024-03-03"),
        ("fr", "J'habite ici depuis janvier", "2024-01"),
        ("fr", "J'habite ici depuis hier", "2024-03-09"),
        ("fi", "Olen asunut täällä vuodesta 2019", "2019"),
        ("fi", "Olen asunut täällä kolme vuotta", "2021"),
        ("fi", "Olen asunut täällä tammikuusta lähtien", "2024-01"),
        ("fi", "Olen asunut täällä vuodesta 2019 asti", "2019"),
        ("fi", "Olen asunut täällä kaksi kuukautta", "2024-01"),
        ("ru", "Я живу здесь с 2019 года", "2019"),
        ("ru", "Я живу здесь уже три года", "2021"),
        ("ru", "Я живу здесь с января", "2024-01"),
        ("ru", "Я живу здесь с прошлой недели", "2024-02-26/2024-03-03"),
        ("ru", "Я живу здесь с прошлого года", "2023"),
    ],
)
def test_anchor_of_since_is_the_start(language: str, sentence: str, start: str) -> None:
    assert at(sentence, language) == When(valid_from=start)


@pytest.mark.parametrize(
    ("language", "sentence", "end"),
    [
        ("en", "I lived in Oslo until 2018", "2018"),
        ("en", "I lived in Oslo till March 2018", "2018-03"),
        ("en", "I lived in Oslo until last week", "2024-03-03"),
        ("en", "I worked there until last month", "2024-02"),
        ("en", "I lived in Oslo until yesterday", "2024-03-09"),
        ("de", "Ich habe bis 2018 in Oslo gewohnt", "2018"),
        ("de", "Ich habe bis März 2018 in Oslo gewohnt", "2018-03"),
        ("de", "Ich habe bis gestern in Oslo gewohnt", "2024-03-09"),
        ("de", "Bis letzte Woche habe ich da gewohnt", "2024-03-03"),
        ("de", "Bis zum 5. März wohnte ich dort", "2024-03-05"),
        ("es", "Viví en Oslo hasta 2018", "2018"),
        ("es", "Viví en Oslo hasta marzo de 2018", "2018-03"),
        ("es", "Viví en Oslo hasta ayer", "2024-03-09"),
        ("es", "Viví en Oslo hasta la semana pasada", "2024-03-03"),
        ("es", "Viví en Oslo hasta el 5 de marzo", "2024-03-05"),
        ("fr", "J'ai vécu à Oslo jusqu'en 2018", "2018"),
        ("fr", "J'ai vécu à Oslo jusqu'en mars 2018", "2018-03"),
        ("fr", "J'ai vécu à Oslo jusqu'à hier", "2024-03-09"),
        ("fr", "J'ai vécu à Oslo jusqu'à la semaine dernière", "2024-03-03"),
        ("fr", "J'ai vécu à Oslo jusqu'au 5 mars", "2024-03-05"),
        ("fi", "Asuin Oslossa vuoteen 2018 asti", "2018"),
        ("fi", "Asuin Oslossa eiliseen eli 2024-03-09 asti", "2024-03-09"),
        ("fi", "Asuin Oslossa vuoteen 2018", "2018"),
        ("fi", "Asuin Oslossa maaliskuuhun 2018 saakka", "2018-03"),
        ("fi", "Asuin Oslossa tammikuuhun asti", "2024-01"),
        ("ru", "Я жил в Осло до 2018 года", "2018"),
        ("ru", "Я жил в Осло до марта 2018", "2018-03"),
        ("ru", "Я жил в Осло до вчера", "2024-03-09"),
        ("ru", "Я жил в Осло до прошлой недели", "2024-03-03"),
        ("ru", "Я жил в Осло до 5 марта", "2024-03-05"),
    ],
)
def test_anchor_of_until_in_the_past_is_the_end(language: str, sentence: str, end: str) -> None:
    assert at(sentence, language, HELD) == When(valid_to=end)


@pytest.mark.parametrize(
    ("language", "sentence", "start", "end"),
    [
        ("en", "I was in Lisbon last week", "2024-02-26", "2024-03-03"),
        ("en", "I was in Lisbon yesterday", "2024-03-09", "2024-03-09"),
        ("en", "I was in Lisbon in 2022", "2022", "2022"),
        ("en", "I worked there from 2015 to 2018", "2015", "2018"),
        ("en", "I worked there 2015–2018", "2015", "2018"),
        ("de", "Ich war letzte Woche in Lissabon", "2024-02-26", "2024-03-03"),
        ("de", "Ich habe von 2015 bis 2018 dort gearbeitet", "2015", "2018"),
        ("es", "Estuve en Lisboa la semana pasada", "2024-02-26", "2024-03-03"),
        ("es", "Trabajé allí de 2015 a 2018", "2015", "2018"),
        ("fr", "J'étais à Lisbonne la semaine dernière", "2024-02-26", "2024-03-03"),
        ("fr", "J'y ai travaillé de 2015 à 2018", "2015", "2018"),
        ("fi", "Olin Lissabonissa viime viikolla", "2024-02-26", "2024-03-03"),
        ("fi", "Olin siellä töissä 2015-2018", "2015", "2018"),
        ("ru", "Я был в Лиссабоне на прошлой неделе", "2024-02-26", "2024-03-03"),
        ("ru", "Я работал там с 2015 до 2018 года", "2015", "2018"),
    ],
)
def test_anchor_of_what_is_over_has_both_ends(language: str, sentence: str, start: str, end: str) -> None:
    assert at(sentence, language, HELD) == When(valid_from=start, valid_to=end)


@pytest.mark.parametrize(
    ("language", "sentence", "start", "end"),
    [
        ("en", "This week I'm in Lisbon", "2024-03-10", "2024-03-10"),
        ("en", "Next week I'm in Lisbon", "2024-03-11", "2024-03-17"),
        ("en", "I'm in Lisbon for two weeks", "2024-03-10", "2024-03-24"),
        ("en", "I'm vegetarian for Lent", "2024-03-10", "2024-03-31"),
        ("en", "I'm in Lisbon this month", "2024-03-10", "2024-03-31"),
        ("de", "Diese Woche bin ich in Lissabon", "2024-03-10", "2024-03-10"),
        ("de", "In der Fastenzeit esse ich kein Fleisch", "2024-03-10", "2024-03-31"),
        ("de", "Nächste Woche bin ich in Lissabon", "2024-03-11", "2024-03-17"),
        ("es", "Este mes estoy en Lisboa", "2024-03-10", "2024-03-31"),
        ("es", "La semana que viene estoy en Lisboa", "2024-03-11", "2024-03-17"),
        ("es", "Durante la Cuaresma no como carne", "2024-03-10", "2024-03-31"),
        ("fr", "La semaine prochaine je suis à Lisbonne", "2024-03-11", "2024-03-17"),
        ("fr", "Je suis végétarien pendant le carême", "2024-03-10", "2024-03-31"),
        ("fr", "Je suis à Lisbonne pour deux semaines", "2024-03-10", "2024-03-24"),
        ("fi", "Ensi viikolla olen Lissabonissa", "2024-03-11", "2024-03-17"),
        ("fi", "Tässä kuussa olen Lissabonissa", "2024-03-10", "2024-03-31"),
        ("ru", "На следующей неделе я в Лиссабоне", "2024-03-11", "2024-03-17"),
        ("ru", "В этом месяце я в Лиссабоне", "2024-03-10", "2024-03-31"),
    ],
)
def test_anchor_of_the_passing_has_an_end(language: str, sentence: str, start: str, end: str) -> None:
    assert at(sentence, language) == When(valid_from=start, expires_on=end)


@pytest.mark.parametrize(
    ("language", "sentence", "end"),
    [
        ("en", "I'm in Lisbon until Friday", "2024-03-15"),
        ("en", "I'm in Lisbon until 20 March", "2024-03-20"),
        ("en", "I'm off meat until Easter", "2024-03-31"),
        ("en", "I'm here till the end of the month", "2024-03-31"),
        ("en", "I'm on leave until January", "2025-01-31"),
        ("de", "Ich bin bis Freitag in Lissabon", "2024-03-15"),
        ("de", "Bis Ostern esse ich kein Fleisch", "2024-03-31"),
        ("es", "Estoy en Lisboa hasta el viernes", "2024-03-15"),
        ("fr", "Je suis à Lisbonne jusqu'à vendredi", "2024-03-15"),
        ("fi", "Olen Lissabonissa perjantaihin asti", "2024-03-15"),
        ("ru", "Я в Лиссабоне до пятницы", "2024-03-15"),
        ("ru", "Я не ем мяса до Пасхи", "2024-05-05"),
    ],
)
def test_anchor_of_until_ahead_is_an_expiry(language: str, sentence: str, end: str) -> None:
    assert at(sentence, language) == When(expires_on=end)


@pytest.mark.parametrize(
    ("sentence", "end"),
    [
        ("I want to run a marathon in May", "2024-05-31"),
        ("I want to run a marathon in February", "2025-02-28"),
        ("I want to finish it this year", "2024-12-31"),
        ("I want to finish it in two weeks", "2024-03-24"),
        ("I want to finish it by Friday", "2024-03-15"),
        ("I want to finish it in 2026", "2026-12-31"),
    ],
)
def test_anchor_of_an_aim_is_its_end(sentence: str, end: str) -> None:
    assert at(sentence, aspect=AIMS) == When(expires_on=end)


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "I may switch to Postgres"),
        ("en", "I paid 2000 euros for it"),
        ("en", "I live in Room 2020b"),
        ("en", "I live in Oslo"),
        ("en", "I moved on 31 February"),
        ("en", "It costs 1999.50 in total"),
        ("de", "Ich mag Postgres"),
        ("es", "Me gusta Marzo, la banda"),
        ("fr", "Je marche beaucoup"),
        ("fi", "Pidän kahvista"),
        ("ru", "Я люблю май"),
    ],
)
def test_anchor_without_a_date_is_nothing(language: str, sentence: str) -> None:
    assert at(sentence, language, BEGINS) == When()


@pytest.mark.parametrize(
    ("zone", "day"),
    [("America/New_York", "2024-03-09"), ("UTC", "2024-03-10"), ("Asia/Tokyo", "2024-03-10")],
)
def test_anchor_day_is_the_local_one(zone: str, day: str) -> None:
    said = datetime(2024, 3, 10, 2, 30, tzinfo=UTC)

    when = anchor("Today I started at Acme", said, zone=ZoneInfo(zone), language="en", aspect=BEGINS)

    assert when == When(valid_from=day)


def test_anchor_west_of_greenwich_late_in_the_evening_is_still_that_day() -> None:
    said = datetime(2024, 6, 1, 22, 30, tzinfo=timezone(timedelta(hours=-4)))

    when = anchor("today I started at Acme", said, zone=timezone(timedelta(hours=-4)), language="en", aspect=BEGINS)

    assert when == When(valid_from="2024-06-01")


@given(
    st.sampled_from(
        [
            "yesterday",
            "last week",
            "last month",
            "in March",
            "on 29 February",
            "3 months ago",
            "on Monday",
            "this weekend",
        ]
    ),
    st.dates(date(1970, 1, 1), date(2090, 12, 31)),
    st.sampled_from(list(Aspect)),
)
def test_anchor_on_any_day_gives_dates_that_exist_and_run_forward(words: str, day: date, aspect: Aspect) -> None:
    said = datetime(day.year, day.month, day.day, 12, tzinfo=UTC)

    when = anchor(f"I did it {words}", said, zone=UTC, language="en", aspect=aspect)

    assert all(dates.is_date(d) for d in (when.valid_from, when.valid_to, when.expires_on) if d)
    assert (
        when.valid_from is None
        or when.valid_to is None
        or dates.first_day(when.valid_from) <= dates.last_day(when.valid_to)
    )


@given(st.text(max_size=60), st.sampled_from(mentions.languages()))
def test_find_in_any_text_gives_mentions_apart_and_in_order(text: str, language: str) -> None:
    found = mentions.find(text, language)

    assert all(0 <= m.start < m.end <= len(text) for m in found)
    assert all(one.end <= other.start + 12 for one, other in pairwise(found))
