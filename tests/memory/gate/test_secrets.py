"""Credentials and identity numbers are refused; ordinary numbers and talk about passwords are not."""

import pytest

from memory.gate import secrets
from memory.types import Reason

from .judging import judge

# Put together at run time, so that no scanner takes the tests for a leak.
SECRETS = [
    "AKIA" + "IOSFODNN7EXAMPLE",
    "ghp_" + "a1B2" * 9,
    "github_pat_" + "11ABCDEFG0" * 4,
    "glpat-" + "xyzXYZ1234567890abcd",
    "sk-" + "proj-abc123DEF456ghi789JKL",
    "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc",
    "xoxb-" + "1234567890-abcdefghijkl",
    "AIza" + "SyA1234567890abcdefghijklmnopqrstuv",
    "hf_" + "abcdefghijklmnopqrstuvwxyz1234",
    "npm_" + "abcdefghijklmnopqrstuvwxyz0123456789",
    "eyJhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiIxMjM0NTY3ODkwIn0.abcDEF123",
    "-----BEGIN RSA " + "PRIVATE KEY-----",
    "postgres://admin:" + "s3cret@db.example.com/app",
    "123456789:" + "AAabcdefghijklmnopqrstuvwxyz0123456",
    "Authorization: Bearer " + "abcdef0123456789abcdef",
    "Xk29dLq0PzR7vTn4WmYb8CsE1HgJ5uAf",
    "my password is hunter2",
    "the Wi-Fi password is swordfish",
    "password: correcthorse",
    "my bank PIN is 4921",
    "the door code is 1234#",
    "my API key = 99ffab12",
    "CVV: 123",
    "mein Passwort lautet Sommer2024",
    "meine PIN ist 4921",
    "mi contraseña es girasol99",
    "mi clave es 4921",
    "mon mot de passe est tournesol",
    "mon code PIN est 4921",
    "salasanani on kissa123",
    "PIN-koodini on 4921",
    "мой пароль: солнышко1",
    "мой пин-код: 4921",
    "card 4111 1111 1111 1111",
    "5500-0000-0000-0004",
    "amex 378282246310005",
    "IBAN DE89 3704 0044 0532 0130 00 at my bank",
    "FI2112345600000785",
    "SSN 536-90-4399",
    "my social security number is 536904399",
    "hetu 131052-308T",
    "DNI 54362315K",
    "NIE X2482300W",
    "Steuer-ID 36 574 261 809",
    "numéro de sécu 2 95 10 99 126 111 93",
    "СНИЛС 112-233-445 95",
    "паспорт 4510 123456",
    "my passport number is C01X00T47",
    "meine Ausweisnummer ist L01X00T471",
    "национальный ИНН 500100732259",
    "４１１１ １１１１ １１１１ １１１１",
]
HARMLESS = [
    "I use a password manager called Bitwarden",
    "my password is too long to remember",
    "the password policy is strict at work",
    "my order number is 4821093",
    "call me on +358 40 123 4567",
    "my flat costs 1400 euros and has 72 square metres",
    "I was born on 12.10.1988 in Turku",
    "my passport expires in 2027",
    "we sold 12 345 678 units in 2023",
    "commit 3f2b8c9d1e4a5b6c7d8e9f0a1b2c3d4e5f6a7b8c",
    "id 550e8400-e29b-41d4-a716-446655440000",
    "ich habe mein Passwort vergessen",
    "ich benutze Bitwarden für Passwörter",
    "mi contraseña es demasiado larga",
    "mon mot de passe est trop court",
    "salasanani on liian lyhyt",
    "мой пароль слишком короткий",
    "version 16.4.2 of Postgres on port 5432",
    "the secret of good bread is time",
    "my login page is built with Django",
    "room 4111, floor 11",
    "my car is a Volvo V70 from 2009",
    "the key to my heart is chocolate",
    "https is what our site uses on port 8443",
    "my pin collection has 300 pins",
    "parcel 4111 1111 1111 1112 is on its way",
]


@pytest.mark.parametrize("text", SECRETS)
def test_find_in_text_with_secret_names_its_kind(text: str) -> None:
    kind = secrets.find_in(text)

    assert kind != ""


@pytest.mark.parametrize("text", HARMLESS)
def test_find_in_harmless_text_finds_nothing(text: str) -> None:
    kind = secrets.find_in(text)

    assert kind == ""


def test_judge_of_secret_predicate_and_object_refuses() -> None:
    judgement = judge(
        "It's hunter2, by the way.", "hunter2", "hunter2", predicate="password", text="It is hunter2 now."
    )

    assert judgement.reason == Reason.SECRET


def test_judge_of_secret_detail_does_not_repeat_it() -> None:
    judgement = judge("My password is hunter2.", "password is hunter2", "hunter2")

    assert judgement.detail == "password"


def test_judge_of_claim_beside_secret_accepts() -> None:
    judgement = judge("My PIN is 4921. I live in Oslo.", "I live in Oslo", "Oslo")

    assert judgement.is_accepted
