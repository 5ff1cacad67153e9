"""F1 and F2: what is asked in any script, with any signs, and misspelt."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.recall import ask
from tests.factories import make_user
from tests.memory.recall.finding import find, found_by, tell, texts

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("told", "query"),
    [
        ("我住在东京", "东京"),
        ("我住在东京", "我现在住在哪里"),
        ("私は蕎麦アレルギーです", "蕎麦"),
        ("私は蕎麦アレルギーです", "蕎麦を食べられますか"),
        ("ฉันอาศัยอยู่ที่เชียงใหม่", "เชียงใหม่"),
        ("用户喜欢喝乌龙茶", "乌龙茶 please"),
        ("사용자는 서울에 산다", "서울에"),
    ],
)
def test_recall_in_scripts_without_spaces_finds_in_mid_sentence(told: str, query: str) -> None:
    user = make_user(language="xx")
    tell(user, "Likes tea", told, "Plays chess")

    assert found_by(user, query)[:1] == [told]


@pytest.mark.parametrize(
    ("told", "query"),
    [
        ("The ticket is zebra-7731", "7731"),
        ("Builds from C:\\repo\\assay", "C:\\repo"),
        ("Deploys with deploy_to_prod.sh", "deploy_to_prod"),
        ("Calls getUserById in the hot path", "getUser"),
        ("Is reached at mia@example.org", "example.org"),
        ("Runs v2.14.1 of the client", "v2.14.1"),
        ("Programs in C#", "C#"),
        ("Is 50%_off the plan", "50%_off"),
    ],
)
def test_recall_of_identifiers_finds_parts_of_them(told: str, query: str) -> None:
    user = make_user()
    tell(user, "Likes tea", "Plays chess in Oslo", told)

    assert found_by(user, query) == [told]


@pytest.mark.parametrize(
    ("language", "told", "query"),
    [
        ("en", "Likes restaurants with a view", "restarants"),
        ("en", "Lives in Bergen", "Bregen"),
        ("en", "Uses Postgres", "postgrse"),
        ("de", "Wohnt in Lübeck", "Lübekc"),
        ("es", "Trabaja de cocinera", "cozinera"),
        ("fr", "Habite à Grenoble", "Grenobel"),
        ("fi", "Asuu Jyväskylässä", "Jyväskyla"),
        ("ru", "Живёт в Екатеринбурге", "Екатеренбург"),
    ],
)
def test_recall_of_a_misspelt_word_finds_the_right_one(language: str, told: str, query: str) -> None:
    user = make_user(language=language)
    tell(user, "Zzz", told, "Qqq")

    assert found_by(user, query) == [told]


@pytest.mark.parametrize(
    ("language", "told", "query"),
    [
        ("en", "Is allergic to peanuts", "Which allergies are there?"),
        ("de", "Hat zwei Häuser", "Wie viele Hauses?"),
        ("es", "Trabaja en hospitales", "¿En qué hospital trabajan?"),
        ("fr", "Travaille dans les hôpitaux", "Où travaillait-il ?"),
        ("fi", "Asuu taloissa", "Millaisessa talossa?"),
        ("ru", "Работает в больницах", "В какой больнице?"),
    ],
)
def test_recall_stems_words_in_the_users_language(language: str, told: str, query: str) -> None:
    user = make_user(language=language)
    tell(user, "Zzz", told)

    assert found_by(user, query) == [told]


HOSTILE = [
    'C:\\repo|x - "a"',
    "%",
    "_",
    "*",
    "'; --",
    "'; DROP TABLE memory_fact; --",
    "a & b | !c <-> d:*",
    "\\",
    "''\\'",
    "((((",
    "",
    "   ",
    "\x00tea\x00",
    "\ud83d tea",
    "{term} {{}} %(user)s %s",
    "tea " * 600,
    "東京" * 1_500,
    "\u202egnp.exe",
]


@pytest.mark.parametrize("query", HOSTILE)
def test_recall_of_any_signs_gives_an_answer(query: str) -> None:
    user = make_user()
    tell(user, "Likes tea", "Plays chess", "Lives in Oslo")

    assert len(find(user, query)) == 3


@settings(max_examples=60, deadline=None)
@given(query=st.text(max_size=80))
def test_recall_of_anything_never_fails(query: str) -> None:
    user = make_user()
    tell(user, "Likes tea")

    assert len(find(user, query)) == 1


@pytest.mark.parametrize("wildcard", ["%", "_", "*", ".*", "L%"])
def test_recall_takes_wildcards_for_themselves(wildcard: str) -> None:
    user = make_user()
    tell(user, "Likes tea", "Plays chess")

    assert found_by(user, wildcard) == []


@pytest.mark.parametrize("query", ["Where does she go there?", "Which of these would that be?", "about whom"])
def test_recall_takes_no_common_word_for_a_misspelt_one(query: str) -> None:
    user = make_user()
    tell(user, "Theremin player", "Abouts face", "Wherry owner", "Thesis writer")

    assert found_by(user, query) == []


def test_ask_looks_at_no_more_than_two_thousand_characters() -> None:
    asked = ask("tea " * 5_000, embedder=None)

    assert (len(asked.query), len(asked.names) < 20) == (1_999, True)


def test_rare_words_weigh_more_than_common_ones() -> None:
    user = make_user()
    common = [f"Keeps the garden shed number {n} tidy" for n in "abcdefgh"]
    tell(user, *common, "Keeps an otter")

    found = find(user, "Does the garden have an otter?", k=3)

    assert texts(user, found)[0] == "Keeps an otter"
