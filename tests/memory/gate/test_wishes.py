"""Six languages of asking not to remember: with a topic, and pointing at what was said."""

import pytest

from memory.types import Quote, Reason

from .judging import claim, judge_in, turn

# what was said, its object, how people ask that it be not kept
TOPICS = [
    (
        "I'm pregnant since March",
        "pregnant",
        [
            "please don't remember that I'm pregnant",
            "Don't store that I'm pregnant.",
            "Forget that I'm pregnant.",
            "Please don't save anything about my pregnancy.",
            "can you not remember the pregnancy thing",
            "I'd rather you didn't store my pregnancy",
            "Never mention or save my pregnancy.",
            "don't keep a note of my pregnancy",
            "Please leave my pregnancy out of your memory.",
        ],
    ),
    (
        "My address is 5 Elm Street",
        "5 Elm Street",
        [
            "don't store my address",
            "Please don't save my address.",
            "never remember my address",
            "Delete my address from your memory.",
            "forget my address",
            "My address shouldn't be stored.",
            "no need to remember my address",
            "My home address is not for your records.",
        ],
    ),
    (
        "Ich bin seit März schwanger",
        "schwanger",
        [
            "Merk dir bitte nicht, dass ich schwanger bin.",
            "Speichere nicht, dass ich schwanger bin",
            "Vergiss bitte, dass ich schwanger bin.",
            "Bitte nichts über meine Schwangerschaft speichern.",
            "Meine Schwangerschaft bitte nicht merken.",
            "Das mit der Schwangerschaft bitte nicht speichern.",
            "Behalte die Schwangerschaft nicht im Gedächtnis.",
            "Notier dir meine Schwangerschaft bitte nicht.",
        ],
    ),
    (
        "Meine Adresse ist Ulmenweg 5",
        "Ulmenweg 5",
        [
            "Speichere meine Adresse nicht.",
            "Bitte meine Adresse nicht speichern.",
            "Meine Adresse sollst du nicht speichern.",
            "Vergiss meine Adresse.",
            "Merk dir meine Adresse nicht",
            "Lösche meine Adresse bitte.",
            "Meine Adresse bleibt unter uns.",
            "Meine Adresse darf nicht gespeichert werden.",
        ],
    ),
    (
        "Estoy embarazada desde marzo",
        "embarazada",
        [
            "No recuerdes que estoy embarazada.",
            "Por favor, no guardes que estoy embarazada.",
            "Olvida que estoy embarazada.",
            "No guardes nada sobre mi embarazo.",
            "No anotes lo de mi embarazo",
            "Prefiero que no guardes mi embarazo.",
            "No quiero que recuerdes mi embarazo.",
            "Lo de mi embarazo que quede entre nosotros.",
        ],
    ),
    (
        "Mi dirección es calle Olmo 5",
        "calle Olmo 5",
        [
            "No guardes mi dirección.",
            "Por favor no almacenes mi dirección",
            "Olvida mi dirección.",
            "Borra mi dirección.",
            "Mi dirección no la guardes.",
            "No hace falta que guardes mi dirección.",
            "No registres mi dirección",
            "Mi dirección no se debe guardar.",
        ],
    ),
    (
        "Je suis enceinte depuis mars",
        "enceinte",
        [
            "Ne retiens pas que je suis enceinte.",
            "N'enregistre pas que je suis enceinte, stp.",
            "Oublie que je suis enceinte.",
            "Ne garde rien sur ma grossesse.",
            "Ne note pas ma grossesse.",
            "Je préfère que tu ne retiennes pas ma grossesse.",
            "Merci de ne pas enregistrer ma grossesse.",
            "Ma grossesse, ça reste entre nous.",
        ],
    ),
    (
        "Mon adresse est 5 rue des Ormes",
        "5 rue des Ormes",
        [
            "N'enregistre pas mon adresse.",
            "Ne garde pas mon adresse en mémoire.",
            "Oublie mon adresse.",
            "Efface mon adresse.",
            "Pas besoin de retenir mon adresse.",
            "Ne stocke pas mon adresse",
            "Mon adresse ne doit pas être enregistrée.",
            "Ne mémorise surtout pas mon adresse.",
        ],
    ),
    (
        "Olen raskaana maaliskuusta",
        "raskaana",
        [
            "Älä muista, että olen raskaana.",
            "Älä tallenna sitä, että olen raskaana.",
            "Unohda, että olen raskaana.",
            "Älä tallenna mitään raskaudestani.",
            "Raskauttani ei saa tallentaa.",
            "Älä kirjaa raskauttani muistiin.",
            "En halua, että tallennat raskauttani.",
            "Raskauteni jää meidän väliseksi.",
        ],
    ),
    (
        "Osoitteeni on Jalavatie 5",
        "Jalavatie 5",
        [
            "Älä tallenna osoitettani.",
            "Älä pane osoitettani muistiin.",
            "Unohda osoitteeni.",
            "Poista osoitteeni muististasi.",
            "Osoitettani ei saa tallentaa.",
            "Ei tarvitse muistaa osoitettani.",
            "Älä säilytä osoitettani",
            "En halua että tallennat osoitteeni.",
        ],
    ),
    (
        "Я беременна с марта",
        "беременна",
        [
            "Не запоминай, что я беременна.",
            "Пожалуйста, не сохраняй, что я беременна",
            "Забудь, что я беременна.",
            "Не записывай ничего о моей беременности.",
            "Не сохраняй мою беременность.",
            "Не надо запоминать про беременность.",
            "Про мою беременность не запоминай.",
            "Моя беременность пусть останется между нами.",
        ],
    ),
    (
        "Мой адрес улица Вязов 5",
        "улица Вязов 5",
        [
            "Не сохраняй мой адрес.",
            "Мой адрес не сохраняй.",
            "Забудь мой адрес.",
            "Удали мой адрес из памяти.",
            "Не нужно запоминать мой адрес.",
            "Не храни мой адрес",
            "Мой адрес не записывай, пожалуйста.",
            "Сотри мой адрес.",
        ],
    ),
]
NAMED = [(said, obj, request) for said, obj, requests in TOPICS for request in requests]
POINTING = [
    "Please don't remember that.",
    "Don't save this.",
    "forget what I just said",
    "That's off the record.",
    "Let's keep that between us.",
    "Scratch that, don't store it.",
    "Don't write that down please",
    "You can forget that again.",
    "Please don't keep a record of that.",
    "Merk dir das nicht.",
    "Das bitte nicht speichern.",
    "Vergiss das wieder.",
    "Das bleibt unter uns.",
    "Bitte nicht merken!",
    "Vergiss, was ich gerade gesagt habe.",
    "Notier dir das bloß nicht",
    "Das musst du dir nicht merken.",
    "Speicher das bitte nicht ab.",
    "No guardes eso.",
    "No lo recuerdes, por favor.",
    "Olvida lo que dije.",
    "Que quede entre nosotros.",
    "Olvídalo.",
    "Esto no lo anotes.",
    "No hace falta que lo guardes.",
    "Borra eso, por favor.",
    "Mejor no lo guardes.",
    "Ne retiens pas ça.",
    "Oublie ce que je viens de dire.",
    "Ça reste entre nous.",
    "N'enregistre pas ça s'il te plaît.",
    "Ne le note pas.",
    "Efface ça.",
    "Pas la peine de le retenir.",
    "Garde ça pour toi.",
    "Ne t'en souviens pas.",
    "Älä tallenna tätä.",
    "Unohda se.",
    "Älä pane tuota muistiin.",
    "Tämä jää meidän kesken.",
    "Unohda mitä juuri sanoin.",
    "Ei tarvitse muistaa tätä.",
    "Älä kirjaa tätä ylös, kiitos.",
    "Poista tuo muistista.",
    "Tätä ei saa tallentaa.",
    "Не запоминай это.",
    "Забудь это, пожалуйста.",
    "Это между нами.",
    "Не сохраняй это.",
    "Забудь, что я сейчас сказала.",
    "Этого не записывай.",
    "Пусть это останется между нами.",
    "Не надо это запоминать.",
    "Сотри это, пожалуйста.",
]
CATS = "I have two cats, Tom and Bo"


@pytest.mark.parametrize(("said", "obj", "request_"), NAMED)
@pytest.mark.parametrize("is_first", [True, False])
def test_judge_of_what_a_request_names_refuses_in_any_turn(
    said: str, obj: str, request_: str, *, is_first: bool
) -> None:
    asked = f"{CATS}. {request_}"
    turns = (turn(1, said if is_first else asked), turn(2, "ok", "assistant"), turn(3, asked if is_first else said))

    judgement = judge_in(turns, claim(said, obj, n=1 if is_first else 3))

    assert judgement.reason == Reason.DECLINED


@pytest.mark.parametrize("request_", [request for *_, request in NAMED if "ça reste" not in request])
def test_judge_beside_a_request_that_names_its_topic_accepts(request_: str) -> None:
    judgement = judge_in((turn(1, f"{CATS}. {request_}"),), claim(CATS, "two cats"))

    assert judgement.is_accepted, judgement


@pytest.mark.parametrize("request_", POINTING)
def test_judge_of_turn_before_a_pointing_request_refuses(request_: str) -> None:
    turns = (turn(1, "I live in Oslo."), turn(2, "ok", "assistant"), turn(3, request_))

    judgement = judge_in(turns, claim("I live in Oslo", "Oslo"))

    assert judgement.reason == Reason.DECLINED


@pytest.mark.parametrize("request_", POINTING)
def test_judge_of_sentence_before_a_pointing_request_refuses(request_: str) -> None:
    judgement = judge_in((turn(1, f"I live in Oslo. {request_}"),), claim("I live in Oslo", "Oslo"))

    assert judgement.reason == Reason.DECLINED


OWN_MATTERS = [
    (
        "I live in Rome.",
        "Do you live in Rome?",
        "Yes. Please don't remember this: I love poker",
        ("Yes", "I love poker"),
    ),
    (
        "Ich wohne in Rom.",
        "Wohnst du in Rom?",
        "Ja. Bitte merk dir das nicht: ich liebe Poker",
        ("Ja", "ich liebe Poker"),
    ),
    (
        "Vivo en Roma.",
        "¿Vives en Roma?",
        "Sí. Por favor, no recuerdes esto: me encanta el póker",
        ("Sí", "me encanta el póker"),
    ),
    ("Я живу в Риме.", "Ты живёшь в Риме?", "Да. Пожалуйста, не запоминай это: я люблю покер", ("Да", "я люблю покер")),
]


@pytest.mark.parametrize(("said", "asked", "answered", "quotes"), OWN_MATTERS)
def test_wish_that_names_its_matter_leaves_the_rest_of_the_talk(
    said: str, asked: str, answered: str, quotes: tuple[str, str]
) -> None:
    turns = (turn(1, said), turn(2, asked, "assistant"), turn(3, answered))
    yes, matter = quotes
    claims = (
        claim(said, said[-5:-1]),
        claim(asked, said[-5:-1], n=2, evidence=(Quote(2, asked), Quote(3, yes))),
        claim(matter, matter[-5:], n=3),
    )

    declined = [judge_in(turns, each).reason is Reason.DECLINED for each in claims]

    assert declined == [False, False, True]


def test_wish_that_names_its_matter_covers_the_sentences_after_it() -> None:
    content = "Don't remember this: I love poker. I lost my savings in Macau."

    judgement = judge_in((turn(1, content),), claim("I lost my savings in Macau", "savings in Macau"))

    assert judgement.reason is Reason.DECLINED
