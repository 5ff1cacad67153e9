"""Kinds of plain sentences that were once misread, each with what must stay as it is."""

import pytest

from tests.memory.gate.hearing import heard
from tests.memory.gate.judging import judge

# Who does not work somewhere is not out of order ----------------------------------------------


@pytest.mark.parametrize(
    ("language", "said", "believed"),
    [
        ("ru", "Я никогда не работал в Acme", ["not works_at=Acme"]),
        ("ru", "Больше не работаю в Сбербанке", ["not works_at=Сбербанк"]),
        ("ru", "Я уже не работаю на заводе", ["not works_at=завод"]),
        ("ru", "Моя сестра больше не работает в Газпроме", ["сестра: not works_at=Газпром"]),
        ("ru", "Мой брат Олег не работает в Nokia", ["Олег: not works_at=Nokia"]),
        ("en", "I'm not working at Acme", ["not works_at=Acme"]),
        ("ru", "Skype не работает в России", ["[transient]"]),
        ("ru", "Принтер не работает в офисе", ["[transient]"]),
        ("en", "The server is not working", ["[transient]"]),
        ("ru", "Мой ноутбук не работает", []),
    ],
)
def test_hear_not_working_is_of_people_a_denial_and_of_things_passing(
    language: str, said: str, believed: list[str]
) -> None:
    assert heard(said, language) == believed


# To speak a tongue is not to say something ----------------------------------------------------


@pytest.mark.parametrize(
    ("said", "believed"),
    [
        ("Анна говорит по-фински", ["Анна: speaks=финский"]),
        ("Анна говорит по-английски и по-немецки", ["Анна: speaks=английский", "Анна: speaks=немецкий"]),
        ("Моя коллега свободно говорит по-турецки", ["коллега: speaks=турецкий"]),
        ("Мой брат Иван говорит на китайском", ["Иван: speaks=китайский"]),
        ("Анна говорит на шведском языке", ["Анна: speaks=шведский"]),
        ("Анна говорит, что Rust мёртв", ["[hearsay]"]),
        ("Анна говорит Rust лучше", ["[hearsay]"]),
        ("Анна говорит по-моему глупости", ["[hedged]"]),
        ("Он говорит что всё плохо", ["[hearsay]"]),
        ("Начальник говорит на работе бардак", ["[hearsay]"]),
    ],
)
def test_hear_of_a_tongue_is_no_hearsay(said: str, believed: list[str]) -> None:
    assert heard(said, "ru") == believed


# What was is told as past ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "said", "believed"),
    [
        ("fi", "Asuin ennen Oslossa", ["lived_in=Oslo"]),
        ("fi", "Aiemmin asuin Turussa", ["lived_in=Turku"]),
        ("es", "Antes vivía en Oslo", ["lived_in=Oslo"]),
        ("es", "Vivía en Madrid", ["lived_in=Madrid"]),
        ("es", "Trabajaba en Iberia", ["worked_at=Iberia"]),
        ("fr", "Avant, j'habitais à Lyon", ["lived_in=Lyon"]),
        ("fr", "Je travaillais chez Renault", ["worked_at=Renault"]),
        ("de", "Ich habe früher in Oslo gewohnt", ["lived_in=Oslo"]),
        ("de", "Früher lebte ich in Wien", ["lived_in=Wien"]),
        ("en", "I used to live in York", ["lived_in=York"]),
        ("ru", "Раньше я жил в Туле", ["lived_in=Тула"]),
        ("fr", "Je n'habite plus à Bordeaux", ["not lives_in=Bordeaux"]),
        ("es", "Ya no vivo en Barcelona", ["not lives_in=Barcelona"]),
        ("de", "Ich wohne nicht mehr in Berlin", ["not lives_in=Berlin"]),
    ],
)
def test_hear_of_the_past_is_believed_as_past(language: str, said: str, believed: list[str]) -> None:
    assert heard(said, language) == believed


# A denial and what is so instead --------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "said", "believed"),
    [
        ("en", "I don't live in Oslo, I live in Bergen", ["not lives_in=Oslo", "lives_in=Bergen"]),
        ("en", "I do not live in Oslo, I live in Bergen", ["not lives_in=Oslo", "lives_in=Bergen"]),
        ("en", "I don't work at Acme anymore, I work at Nokia", ["not works_at=Acme", "works_at=Nokia"]),
        ("en", "I no longer live in Turku, I live in Espoo", ["not lives_in=Turku", "lives_in=Espoo"]),
        ("de", "Ich wohne nicht mehr in Oslo, ich wohne in Bergen", ["not lives_in=Oslo", "lives_in=Bergen"]),
        ("es", "Ya no trabajo en Acme, trabajo en Nokia", ["not works_at=Acme", "works_at=Nokia"]),
        ("fr", "Je n'habite pas à Oslo, j'habite à Bergen", ["not lives_in=Oslo", "lives_in=Bergen"]),
        ("fi", "En asu Oslossa, asun Bergenissä", ["not lives_in=Oslo", "lives_in=Bergen"]),
        ("ru", "Я не живу в Осло, я живу в Бергене", ["not lives_in=Осло", "lives_in=Берген"]),
        ("en", "If I don't live in Oslo, I live in Bergen", ["[hypothetical]", "[hypothetical]"]),
        ("en", "I don't think I live in Oslo", ["[hedged]"]),
    ],
)
def test_hear_denial_beside_what_is_so_gives_both(language: str, said: str, believed: list[str]) -> None:
    assert heard(said, language) == believed


# What one has just done lasts -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "believed"),
    [
        ("Me acabo de mudar a Bergen", ["lives_in=Bergen"]),
        ("Acabo de mudarme a Lima", ["lives_in=Lima"]),
        ("Nos acabamos de mudar a Cádiz", ["lives_in=Cádiz"]),
        ("Estoy en Lima", ["[transient]"]),
        ("Acabo de llegar a casa", []),
    ],
)
def test_hear_what_was_just_done_is_lasting_if_it_is(said: str, believed: list[str]) -> None:
    assert heard(said, "es") == believed


# Short names whose endings change -------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "said", "believed"),
    [
        ("ru", "Живу в Уфе", ["lives_in=Уфа"]),
        ("ru", "Живу в Орле", ["lives_in=Орёл"]),
        ("ru", "Живу в Оше", ["lives_in=Ош"]),
        ("ru", "Я замужем за Петром", ["married_to=Пётр"]),
        ("ru", "Я женат на Еве", ["married_to=Ева"]),
        ("fi", "Asun Lahdessa", ["lives_in=Lahti"]),
        ("fi", "Asun Hangossa", ["lives_in=Hanko"]),
        ("fi", "Muutin Lahteen", ["lives_in=Lahti"]),
    ],
)
def test_hear_short_name_in_any_case_is_sourced(language: str, said: str, believed: list[str]) -> None:
    assert heard(said, language) == believed


# Where one is for a while ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "said", "believed"),
    [
        ("en", "I'm in Oslo", ["[transient]"]),
        ("de", "Ich bin in Rom", ["[transient]"]),
        ("es", "Estoy en Madrid", ["[transient]"]),
        ("fr", "Je suis à Lyon", ["[transient]"]),
        ("fi", "Olen Oslossa", ["[transient]"]),
        ("ru", "Я в Риме", ["[transient]"]),
        ("en", "I'm in Oslo until Friday", ["staying_in=Oslo until 2024-03-15"]),
        ("fr", "Je suis à Lyon jusqu'à vendredi", ["staying_in=Lyon until 2024-03-15"]),
        ("ru", "Я в Риме до пятницы", ["staying_in=Рим until 2024-03-15"]),
    ],
)
def test_hear_stay_without_an_end_is_passing(language: str, said: str, believed: list[str]) -> None:
    assert heard(said, language) == believed


# What is dreamt, joked or said not to be so ----------------------------------------------------


@pytest.mark.parametrize(
    ("language", "said", "believed"),
    [
        ("en", "In my dream I live in Oslo", ["[hypothetical]"]),
        ("en", "I dreamed that I live in Oslo", ["[hypothetical]"]),
        ("ru", "Мне приснилось, что я живу в Осло", ["[hypothetical]"]),
        ("fi", "Unessani asun Oslossa", ["[hypothetical]"]),
        ("en", "Imagine: I live in Oslo", ["[hypothetical]"]),
        ("en", "My dream is to live in Oslo", ["wants_to=live in Oslo"]),
        ("en", "I live in Oslo, just kidding", ["[hedged]"]),
        ("en", "I live in Oslo. Not!", ["[hedged]"]),
        ("en", "I live in Oslo, that's not true", ["[hedged]"]),
        ("ru", "Живу в Осло, шучу", ["[hedged]"]),
        ("en", "It's false that I work at Acme", ["[unsourced]"]),
        ("es", "Es mentira que vivo en Oslo", ["[unsourced]"]),
        ("fr", "Ce n'est pas vrai que j'habite à Oslo", ["[unsourced]"]),
        ("fr", "Je ne dis pas que j'habite à Oslo", ["[unsourced]"]),
        ("fi", "Ei ole totta, että asun Oslossa", ["[unsourced]"]),
        ("ru", "Неправда, что я живу в Осло", ["[unsourced]"]),
        ("ru", "Я не говорю, что живу в Осло", ["[unsourced]"]),
        ("ru", "Неправда, я живу в Бергене", ["lives_in=Берген"]),
        ("en", "That's not true, I live in Bergen", ["lives_in=Bergen"]),
    ],
)
def test_hear_what_is_not_meant_to_be_so_is_refused(language: str, said: str, believed: list[str]) -> None:
    assert heard(said, language) == believed


# Letters and signs that look like others -------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "said", "believed"),
    [
        ("en", "I don´t like sushi", ["not likes=sushi"]),
        ("en", "I don`t like sushi", ["not likes=sushi"]),
        ("en", "I donʼt like sushi", ["not likes=sushi"]),
        ("en", "I don\uff07t like sushi", ["not likes=sushi"]),
        ("fr", "Je n´aime pas le thé", ["not likes=thé"]),
        ("ru", "Я н\u0065 люблю суши", ["[unsourced]"]),
        ("en", "I live in 東京", ["lives_in=東京"]),
        ("en", "I use `vim`", ["uses=vim"]),
    ],
)
def test_hear_look_alike_is_read_as_what_it_looks_like(language: str, said: str, believed: list[str]) -> None:
    assert heard(said, language) == believed


@pytest.mark.parametrize(
    ("said", "quote"),
    [
        ("M\u0430ybe I live in Oslo", "I live in Oslo"),
        ("I m\u0456ght live in Oslo", "live in Oslo"),
        ("I n\u0435ver lived in Oslo", "lived in Oslo"),
        ("I don´t live in Oslo", "live in Oslo"),
    ],
)
def test_judge_of_marker_in_mixed_letters_refuses(said: str, quote: str) -> None:
    assert judge(said, quote, "Oslo", predicate="lives_in").is_accepted is False


# Coarse dates and seasons ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "said", "believed"),
    [
        ("en", "I moved to Bergen in the spring of 2023", ["lives_in=Bergen from 2023"]),
        ("en", "I moved to Bergen around 2019", ["lives_in=Bergen from 2019"]),
        ("de", "Ich bin um 2010 nach Bonn gezogen", ["lives_in=Bonn from 2010"]),
        ("fr", "Je joue au tennis le samedi", ["plays=tennis"]),
        ("en", "I play tennis every Saturday", ["plays=tennis"]),
        ("en", "I hate Mondays", ["not likes=Mondays"]),
        ("fr", "Je déménage à Lyon samedi", ["moving_to=Lyon until 2024-03-16"]),
        ("en", "I stopped eating meat in January", ["not eats=meat from 2024-01"]),
        ("en", "I moved out of Oslo in May", ["not lives_in=Oslo from 2023-05"]),
    ],
)
def test_hear_of_seasons_and_weekdays_dates_nothing_wrongly(language: str, said: str, believed: list[str]) -> None:
    assert heard(said, language) == believed
