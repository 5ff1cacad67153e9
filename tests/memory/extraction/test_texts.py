"""Claims read as sentences, in the language they were said in."""

from datetime import UTC, datetime

import pytest

from memory.extraction import patterns
from memory.types import Ground, Role, Turn

AT = datetime(2024, 3, 10, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("language", "sentence", "text"),
    [
        ("en", "I use R", "Works with R"),
        ("en", "I like tea", "Likes tea"),
        ("en", "I'm vegan", "Is vegan"),
        ("en", "Tidepool's deploy target is staging", "Tidepool's deploy target is staging"),
        ("en", "Tidepool's database is Postgres 16 on Neon", "Tidepool's database is Postgres 16 on Neon"),
        ("en", "My sister's job is baker", "Sister's job is baker"),
        ("en", "My colleague is called Tomasz", "Colleague is called Tomasz"),
        ("en", "Our database is Postgres", "Uses Postgres as the database"),
        ("en", "My sister Anna lives in Turku", "Anna lives in Turku"),
        ("en", "My brother lives in Rome", "Brother lives in Rome"),
        ("en", "I have a nut allergy", "Has a nut allergy"),
        ("de", "Ich mag Tee", "Mag sehr gern Tee"),
        ("de", "Ich hasse Sushi", "Hasst Sushi"),
        ("de", "Ich wohne in der Schweiz", "Wohnt in der Schweiz"),
        ("de", "Ich esse keine Nüsse", "Isst keine Nüsse"),
        ("es", "Me gustan los perros", "Le gustan los perros"),
        ("es", "No me gusta el café", "No le gusta el café"),
        ("es", "Soy alérgica a las nueces", "Es alérgica a las nueces"),
        ("fr", "J'adore le thé", "Adore le thé"),
        ("fr", "Je vis au Canada", "Habite au Canada"),
        ("fr", "Je suis allergique aux noix", "Est allergique aux noix"),
        ("fi", "Pidän kahvista", "Pitää kahvista"),
        ("fi", "Rakastan sushia", "Rakastaa sushia"),
        ("fi", "Muutin Osloon", "Muuttanut Osloon"),
        ("ru", "Я переехала в Москву", "Переехала в Москву"),
        ("ru", "Живу во Владивостоке", "Живёт во Владивостоке"),
        ("ru", "Мне нравятся кошки", "Нравятся кошки"),
    ],
)
def test_text_of_a_claim_is_a_sentence(language: str, sentence: str, text: str) -> None:
    ground = Ground((Turn(1, Role.USER, sentence, AT),), language=language)

    assert [proposal.text for proposal in patterns.find(ground, zone=UTC)] == [text]
