"""Ordinary sentences that must pass: a gate that refuses these is as wrong as one that lets all in."""

from typing import Any

import pytest

from memory.types import Judgement, Kind, Polarity, Speech

from .judging import judge

ACCEPTED = Judgement(is_accepted=True, source="user")
DENIES = {"polarity": Polarity.DENIES}

# content, quote, object, further fields
SENTENCES: list[tuple[str, str, str, dict[str, Any]]] = [
    # English
    ("I live in Oslo.", "I live in Oslo", "Oslo", {"predicate": "lives_in"}),
    ("Mia works at Mighty Networks.", "works at Mighty Networks", "Mighty Networks", {"subject": "Mia"}),
    ("Lena's firm is called HappyCo.", "is called HappyCo", "HappyCo", {"subject": "Lena's firm"}),
    ("Hope Might is my neighbour.", "Hope Might is my neighbour", "my neighbour", {"subject": "Hope Might"}),
    ("May is my sister and Will is my brother.", "May is my sister", "sister", {"subject": "May"}),
    ("Will lives in Leeds with his husband.", "Will lives in Leeds", "Leeds", {"subject": "Will"}),
    ("My daughter was born in May.", "born in May", "born in May", {"subject": "daughter"}),
    ("my exam is on 3 may 2026", "exam is on 3 may 2026", "3 may 2026", {}),
    ("I love sushi.", "I love sushi", "sushi", {"predicate": "likes"}),
    ("I'm allergic to peanuts.", "allergic to peanuts", "peanuts", {"predicate": "allergic_to"}),
    ("I was diagnosed with depression in 2019.", "diagnosed with depression", "depression", {}),
    ("I have depression.", "I have depression", "depression", {}),
    ("I'm afraid of spiders.", "afraid of spiders", "spiders", {}),
    ("My doctor says I have diabetes.", "I have diabetes", "diabetes", {}),
    ("My wife says we moved to Leeds in 2020.", "moved to Leeds", "Leeds", {}),
    ("My mother lives in Turku.", "lives in Turku", "Turku", {"subject": "mother"}),
    ("My brother told me he got a job at Nokia.", "got a job at Nokia", "job at Nokia", {"subject": "brother"}),
    ("I'm going to run the marathon in May.", "run the marathon", "marathon in May", {"kind": Kind.GOAL}),
    ("I've decided to learn Finnish this year.", "decided to learn Finnish", "learn Finnish", {"kind": Kind.GOAL}),
    ("Please always answer in German.", "always answer in German", "answers in German", {"kind": Kind.PREFERENCE}),
    ("From now on call me Ali.", "call me Ali", "Ali", {"predicate": "called"}),
    ("Never use emojis when you reply to me.", "Never use emojis", "no emojis", {"kind": Kind.CONSTRAINT}),
    ("If possible I prefer window seats.", "I prefer window seats", "window seats", {"predicate": "prefers"}),
    ("I get migraines if I drink red wine.", "I get migraines if I drink red wine", "migraines from red wine", {}),
    ("Let me know if you need more, I use Arch Linux.", "I use Arch Linux", "Arch Linux", {}),
    ("I'm vegetarian, what should I cook tonight?", "I'm vegetarian", "vegetarian", {}),
    ("Can you recommend a restaurant in Oslo, I live there and I'm vegan.", "I'm vegan", "vegan", {}),
    ("I don't eat meat but I like fish.", "I like fish", "fish", {"predicate": "likes"}),
    ("I live in Oslo, not Bergen.", "I live in Oslo", "Oslo", {}),
    ("No, I live in Bergen.", "I live in Bergen", "Bergen", {"speech": Speech.CORRECTS}),
    ("I live in Oslo … sorry, Bergen.", "sorry, Bergen", "Bergen", {"speech": Speech.CORRECTS}),
    ("I don't like sushi.", "I don't like sushi", "sushi", DENIES),
    ("I no longer use Vercel.", "no longer use Vercel", "Vercel", DENIES),
    ("We quit using Vercel last year.", "quit using Vercel", "Vercel", DENIES),
    ("I can't live without coffee.", "can't live without coffee", "coffee", {"predicate": "likes"}),
    ("I'd prefer short answers.", "prefer short answers", "short answers", {"kind": Kind.PREFERENCE}),
    ("I work nights at the airport.", "work nights at the airport", "the airport", {}),
    ("Our app runs on Postgres 16 and port 8080.", "runs on Postgres 16", "Postgres 16", {"subject": "our app"}),
    ("Keep tooling under 200 euros a month.", "under 200 euros a month", "under 200 euros a month", {}),
    ("My order number is 4821093 and I paid in cash.", "I paid in cash", "paid in cash", {}),
    ("My flat is 72 square metres and costs 1400 a month.", "72 square metres", "72 square metres", {}),
    ("I use a password manager called Bitwarden.", "password manager called Bitwarden", "Bitwarden", {}),
    ("Don't forget that I'm allergic to nuts.", "allergic to nuts", "nuts", {}),
    ("I translate books for a living.", "translate books for a living", "translates books", {}),
    ("I used to live in Oslo until 2018.", "used to live in Oslo", "Oslo", {"valid_to": "2018"}),
    ("I play the cello in an orchestra.", "play the cello", "the cello", {}),
    ("I'm expecting twins in June.", "expecting twins in June", "twins in June", {}),
    ("My dog is called “Sir Barks a Lot”.", "Sir Barks a Lot", "Sir Barks a Lot", {"subject": "my dog"}),
    ("I started at Acme today.", "started at Acme today", "Acme", {}),
    ("I'm in Lisbon this week.", "in Lisbon this week", "Lisbon", {"kind": Kind.TEMPORARY, "expires_on": "2026-03-15"}),
    # German
    ("Ich wohne in Leipzig.", "wohne in Leipzig", "Leipzig", {"predicate": "lives_in"}),
    ("Ich trinke keinen Kaffee.", "trinke keinen Kaffee", "Kaffee", DENIES),
    ("Mia Wunsch ist meine Chefin.", "Mia Wunsch ist meine Chefin", "Chefin", {"subject": "Mia Wunsch"}),
    ("Ich arbeite seit 2019 bei Siemens.", "arbeite seit 2019 bei Siemens", "Siemens", {}),
    ("Mein Arzt sagt, ich habe Diabetes.", "ich habe Diabetes", "Diabetes", {}),
    ("Bitte antworte immer auf Englisch.", "antworte immer auf Englisch", "Antworten auf Englisch", {}),
    ("Ich bin gegen Nüsse allergisch.", "gegen Nüsse allergisch", "Nüsse", {}),
    ("Ich bin Vegetarierin, was kann ich kochen?", "Ich bin Vegetarierin", "Vegetarierin", {}),
    ("Wenn möglich, sitze ich am Fenster.", "sitze ich am Fenster", "am Fenster", {}),
    ("Meine Tochter heißt Hanna und ist sechs.", "Tochter heißt Hanna", "Hanna", {"subject": "Tochter"}),
    ("Ich werde im Mai den Marathon laufen.", "im Mai den Marathon laufen", "Marathon", {"kind": Kind.GOAL}),
    ("Vergiss nicht, dass ich Linkshänder bin.", "ich Linkshänder bin", "Linkshänder", {}),
    # Spanish
    ("Vivo en Madrid desde 2015.", "Vivo en Madrid", "Madrid", {"predicate": "lives_in"}),
    ("Me encanta el sushi.", "Me encanta el sushi", "sushi", {"predicate": "likes"}),
    ("Soy alérgica a los cacahuetes.", "alérgica a los cacahuetes", "cacahuetes", {}),
    ("Mi médico dice que tengo diabetes.", "tengo diabetes", "diabetes", {}),
    ("Trabajo en una panadería en Sevilla.", "Trabajo en una panadería", "panadería", {}),
    ("No como carne, pero me gusta el pescado.", "me gusta el pescado", "pescado", {"predicate": "likes"}),
    ("Por favor, responde siempre en español.", "responde siempre en español", "respuestas en español", {}),
    ("Voy a correr el maratón en mayo.", "correr el maratón", "maratón en mayo", {"kind": Kind.GOAL}),
    ("Mi hermana vive en Lima.", "vive en Lima", "Lima", {"subject": "hermana"}),
    ("Tengo dos hijos, Leo y Ana.", "Tengo dos hijos", "dos hijos", {}),
    # French
    ("J'habite à Lyon.", "J'habite à Lyon", "Lyon", {"predicate": "lives_in"}),
    ("J'adore le fromage de chèvre.", "adore le fromage de chèvre", "fromage de chèvre", {}),
    ("Je suis allergique aux noix.", "allergique aux noix", "noix", {}),
    ("Mon médecin dit que j'ai du diabète.", "j'ai du diabète", "diabète", {}),
    ("Je travaille chez Renault depuis dix ans.", "travaille chez Renault", "Renault", {}),
    ("Je ne mange pas de porc.", "ne mange pas de porc", "porc", DENIES),
    ("Réponds toujours en français, s'il te plaît.", "Réponds toujours en français", "réponses en français", {}),
    ("J'ai décidé d'apprendre le finnois.", "décidé d'apprendre le finnois", "apprendre le finnois", {}),
    ("Ma fille s'appelle Inès.", "s'appelle Inès", "Inès", {"subject": "fille"}),
    ("Je suis végétarien, qu'est-ce que je peux cuisiner ?", "Je suis végétarien", "végétarien", {}),
    # Finnish
    ("Asun Tampereella.", "Asun Tampereella", "Tampere", {"predicate": "lives_in"}),
    ("Pidän mustikkapiirakasta.", "Pidän mustikkapiirakasta", "mustikkapiirakka", {"predicate": "likes"}),
    ("Olen allerginen pähkinöille.", "allerginen pähkinöille", "pähkinät", {}),
    ("Työskentelen Nokialla insinöörinä.", "Työskentelen Nokialla", "Nokia", {}),
    ("Lääkäri sanoo, että minulla on diabetes.", "minulla on diabetes", "diabetes", {}),
    ("En syö lihaa.", "En syö lihaa", "liha", DENIES),
    ("Vastaa minulle aina suomeksi.", "Vastaa minulle aina suomeksi", "suomeksi", {}),
    ("Juoksen maratonin toukokuussa.", "Juoksen maratonin", "maraton", {"kind": Kind.GOAL}),
    ("Siskoni asuu Turussa.", "asuu Turussa", "Turku", {"subject": "sisko"}),
    ("Minulla on kaksi lasta.", "kaksi lasta", "kaksi lasta", {}),
    # Russian
    ("Я живу в Казани.", "живу в Казани", "Казань", {"predicate": "lives_in"}),
    ("Я люблю пельмени.", "люблю пельмени", "пельмени", {"predicate": "likes"}),
    ("У меня аллергия на орехи.", "аллергия на орехи", "орехи", {}),
    ("Я работаю в Яндексе с 2020 года.", "работаю в Яндексе", "Яндекс", {}),
    ("Врач говорит, что у меня диабет.", "у меня диабет", "диабет", {}),
    ("Я не ем мясо.", "не ем мясо", "мясо", DENIES),
    ("Отвечай мне всегда по-русски.", "Отвечай мне всегда по-русски", "по-русски", {}),
    ("Я решил выучить финский.", "решил выучить финский", "финский", {"kind": Kind.GOAL}),
    ("Моя сестра живёт в Туле.", "живёт в Туле", "Тула", {"subject": "сестра"}),
    ("Он может говорить по-фински, мой сын Пётр.", "может говорить по-фински", "по-фински", {"subject": "Пётр"}),
    # Scripts without spaces
    ("我住在东京。", "我住在东京", "东京", {"text": "住在东京"}),
]


@pytest.mark.parametrize(
    ("content", "quote", "obj", "fields"), SENTENCES, ids=lambda v: v if isinstance(v, str) else ""
)
def test_judge_of_ordinary_statement_accepts(content: str, quote: str, obj: str, fields: dict[str, Any]) -> None:
    judgement = judge(content, quote, obj, **fields)

    assert judgement == ACCEPTED
