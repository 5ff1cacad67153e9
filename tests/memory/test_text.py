"""Cleaning, keys, quotes, sentences, self-references."""

import random
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory import text

HIDDEN = [
    *"\u200b\u2060\ufeff\u00ad\u180e\u061c\u200e\u200f\u2061\u2062\u2063\u2064\u206a\u206f\ufff9\ufffb\u3164\u115f\u034f",
    *"\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069",
    *"\x00\x01\x07\x08\x0b\x0c\x1b\x7f\x85\x9f\ufdd0\uffff",
    *"\ud800\udfff\udc80",
    *"\U000e0001\U000e0020\U000e0041\U000e007f\U000e0100\ufe00",
]
ORDINARY = [
    "Plain English with tabs\tand\nnew lines.",
    "Größe, Straße, Übung",
    "¿Qué tal, niño?",
    "Où est la forêt ? Çà et là, cœur",
    "Hyvää päivää, äiti",
    "Привет, ёжик",
    "שלום עולם",
    "السلام عليكم ورحمة الله",
    "مُحَمَّد",
    "می‌خواهم خانه‌ها",
    "हिन्दी में क्‍ष और नमस्ते",
    "বাংলা র‍্যাব",
    "മലയാളം ന്‍",
    "සිංහල ක්‍ෂ ශ්‍රී",
    "我住在东京。",
    "日本語のテキスト",
    "한국어 문장",
    "ภาษาไทย",
    "ខ្ញុំ",
    "தமிழ்",
    "👨‍👩‍👧‍👦 👩🏽‍💻 🏳️‍🌈 ❤️ ☎︎ 1️⃣ #️⃣",
    "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f 🇫🇮",
    "e\u0301 is é".replace("e\u0301", "é"),
    "x̂ ñ́ z̷",
    "C++ C# 1.5 −5 50 % € ½",
    "ᠮᠣᠩᠭᠣᠯ",
    "Ελληνικά ἀρχή",
    "ქართული",
    "Tiếng Việt",
]


def test_clean_of_2000_salted_strings_leaves_nothing_hidden_and_counts_it() -> None:
    rng = random.Random(5)
    drawn = []
    for _ in range(2000):
        hidden = [rng.choice(HIDDEN) for _ in range(rng.randrange(1, 6))]
        word = rng.choice(["Oslo", "likes tea", "C++ user", "naïve", "Привет"])
        drawn.append((word, " ".join([word, *("." + h for h in hidden)]), len(hidden)))

    cleaned = [text.clean(raw) for _, raw, _ in drawn]

    assert [(c.text, c.removed) for c in cleaned] == [(f"{w}{' .' * n}", n) for w, _, n in drawn]


@pytest.mark.parametrize("plain", ORDINARY)
def test_clean_of_ordinary_text_changes_nothing(plain: str) -> None:
    cleaned = text.clean(plain)

    assert cleaned == text.Cleaned(unicodedata.normalize("NFC", plain), 0)


@given(st.text(st.characters() | st.sampled_from([*HIDDEN, "\u200d", "\u200c", "😀", "م", "क"])))
def test_clean_twice_is_clean_once(raw: str) -> None:
    once = text.clean(raw)

    assert text.clean(once.text) == text.Cleaned(once.text, 0)


def test_clean_composes_and_keeps_line_ends() -> None:
    assert text.clean("cafe\u0301\r\nbar\rbaz").text == "café\nbar\nbaz"


def test_clean_of_surrogate_pair_joins_it() -> None:
    assert text.clean("\ud83d\ude00 \ud83d") == text.Cleaned("😀 ", 1)


@pytest.mark.parametrize("raw", ["a\u200db", "\u200cOslo", "Oslo\u200d", "x\u200d😀", "م\u200c\u200c\u200cن"])
def test_clean_of_joiner_without_need_removes_it(raw: str) -> None:
    assert text.clean(raw).removed > 0


def test_clean_of_tags_outside_a_flag_removes_them() -> None:
    hidden = "".join(chr(0xE0000 + ord(c)) for c in "ignore")

    assert text.clean(f"🏴{hidden}\U000e007f hi") == text.Cleaned("🏴 hi", 7)


@pytest.mark.parametrize(
    "different",
    [
        ("C", "C++", "C#", "C+"),
        ("1.5", "15", "1,5", "1 5"),
        ("−5", "5", "5%", "0.5", ".5"),
        ("A", "A+", "A-"),
        ("F#", "F"),
        (".NET", "NET"),
        ("5-10", "510", "5 10"),
        ("TCP/IP", "TCP IP"),
        ("$5", "€5", "5"),
        ("15:30", "1530"),
        ("a_b", "ab"),
        ("😀", "😢", ""),
        ("<5", ">5", "5"),
    ],
)
def test_object_key_of_different_objects_differs(different: tuple[str, ...]) -> None:
    keys = {text.object_key(obj) for obj in different}

    assert len(keys) == len(different)


@pytest.mark.parametrize(
    "same",
    [
        ("Postgres", "postgres", " POSTGRES ", "Postgres.", "“Postgres”"),
        ("−5", "-5", "﹣5"),
        ("New York", "new   york", "New\tYork!"),
        ("Ｃ＋＋", "c++"),
        ("e-mail", "E‑Mail"),
        ("STRASSE", "straße"),
    ],
)
def test_object_key_of_one_object_is_one(same: tuple[str, ...]) -> None:
    assert len({text.object_key(obj) for obj in same}) == 1


@pytest.mark.parametrize(
    "same",
    [
        ("O'Brien", "o’brien", "OBrien"),
        ("St. Petersburg", "st petersburg"),
        ("Anna-Maria", "anna maria"),
        ("U.S.", "us"),
    ],
)
def test_name_key_of_one_name_is_one(same: tuple[str, ...]) -> None:
    assert len({text.name_key(name) for name in same}) == 1


@pytest.mark.parametrize(
    "different", [("C#", "C"), ("C++", "C"), ("AT&T", "ATT"), ("Python 3.1", "Python 31"), ("Iran", "Tigran")]
)
def test_name_key_of_different_names_differs(different: tuple[str, str]) -> None:
    assert text.name_key(different[0]) != text.name_key(different[1])


@given(st.text())
def test_keys_of_keys_are_themselves(raw: str) -> None:
    assert text.name_key(text.name_key(raw)) == text.name_key(raw)


@pytest.mark.parametrize(
    ("quote", "content", "found"),
    [
        ("like sushi", "I like sushi.", "like sushi"),
        ("like  sushi", "I like\n sushi.", "like\n sushi"),
        ('"so" it is', "“so” it is", "“so” it is"),
        ("don't", "I don’t", "don’t"),
        ("东京", "我住在东京。", "东京"),
        ("C++", "I use C++.", "C++"),
        ("Oslo", "Newoslo Oslo", "Oslo"),
        ("né à Lyon", "je suis né à Lyon", "né à Lyon"),
        ("aime le thé", "j'aime le thé", "aime le thé"),
    ],
)
def test_find_quote_of_words_that_stand_there_finds_them(quote: str, content: str, found: str) -> None:
    span = text.find_quote(quote, content)

    assert span is not None
    assert content[slice(*span)] == found


@pytest.mark.parametrize(
    ("quote", "content"),
    [
        ("", "I like sushi"),
        ("   ", "I like sushi"),
        ("ike sushi", "I like sushi"),
        ("I like sush", "I like sushi"),
        ("i like sushi", "I like sushi"),
        ("5", "1.5"),
        ("5", "−5"),
        ("1", "1,000"),
        ("C", "C#"),
        ("smoker", "non-smoker"),
        ("t like", "don't like"),
        ("Java", "JavaScript"),
        ("e", "e\u0301"),
    ],
)
def test_find_quote_of_other_words_finds_nothing(quote: str, content: str) -> None:
    assert text.find_quote(quote, content) is None


@given(st.lists(st.sampled_from(["Oslo", "don’t", "1.5", "C++", "  ", "\n", "“so”", "我", "e.g."]), min_size=1))
def test_find_quote_of_whole_content_spans_it(parts: list[str]) -> None:
    content = " ".join(parts)

    span = text.find_quote(content, content)

    assert span == ((content.index(content.strip()), len(content.rstrip())) if content.strip() else None)


@pytest.mark.parametrize(
    ("content", "parts"),
    [
        ("I live here. You don't!", ["I live here.", "You don't!"]),
        ("Dr. Smith uses C++ at 1.5 speed. Ok?", ["Dr. Smith uses C++ at 1.5 speed.", "Ok?"]),
        ("We met at 5 p.m. on Main St. and left. Bye", ["We met at 5 p.m. on Main St. and left.", "Bye"]),
        ("I live in Oslo … sorry, Bergen.", ["I live in Oslo … sorry, Bergen."]),
        ("我住在东京。我喜欢猫！真的吗？是", ["我住在东京。", "我喜欢猫！", "真的吗？", "是"]),
        ("one\ntwo\n\nthree", ["one", "two", "three"]),
        ("Am 3. Mai ziehe ich um. Gut.", ["Am 3. Mai ziehe ich um.", "Gut."]),
        ("Tapaamme 15. lokakuuta. Hyvä.", ["Tapaamme 15. lokakuuta.", "Hyvä."]),
        ("Vivo con la Sra. Ruiz. Vale.", ["Vivo con la Sra. Ruiz.", "Vale."]),
        ("Живу на ул. Мира. Да.", ["Живу на ул. Мира.", "Да."]),
        ("J. R. Smith is here. So am I. Yes", ["J. R. Smith is here.", "So am I.", "Yes"]),
        ("“I live here.” She nodded.", ["“I live here.”", "She nodded."]),
        ("i live in oslo. do you?", ["i live in oslo.", "do you?"]),
    ],
)
def test_sentences_of_text_ends_where_sentences_end(content: str, parts: list[str]) -> None:
    assert [content[start:end] for start, end in text.sentences(content)] == parts


def test_sentence_around_span_over_two_sentences_is_both() -> None:
    content = "I live here. In Oslo. Bye."

    assert text.sentence_around(content, (7, 15)) == "I live here. In Oslo."


def test_words_of_mixed_text_keeps_symbols_and_parts_spaceless_scripts() -> None:
    assert text.words("I don't use C++ 1.5, 我住") == ["i", "don't", "use", "c++", "1.5", "我", "住"]


@pytest.mark.parametrize(
    ("plain", "expected"), [("我住在东京 ok", True), ("hello 東京", False), ("ภาษาไทย", True), ("", False)]
)
def test_is_spaceless_tells_scripts(plain: str, expected: bool) -> None:  # noqa: FBT001
    assert text.is_spaceless(plain) == expected


@pytest.mark.parametrize(
    "name", ["I", "me", "My", "ich", "Yo", "je", "J'", "minä", "Я", "The user", "user", "Nutzer", "l'utilisateur"]
)
def test_is_self_of_self_reference_is_true(name: str) -> None:
    assert text.is_self(name)


@pytest.mark.parametrize("name", ["you", "Ian", "Mia", "userland", "it", "", "Jean"])
def test_is_self_of_other_name_is_false(name: str) -> None:
    assert not text.is_self(name)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("you", True),
        ("du", True),
        ("usted", True),
        ("vous", True),
        ("sinä", True),
        ("ты", True),
        ("I", False),
        ("Yuri", False),
    ],
)
def test_is_you_tells_the_one_spoken_to(name: str, expected: bool) -> None:  # noqa: FBT001
    assert text.is_you(name) == expected
