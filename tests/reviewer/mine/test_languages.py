"""Members' pages in their language: complete, by choice, setting or browser, with dates and plurals that are right."""

import re
from typing import Any

import polib
import pytest
from django.conf import settings
from django.template.loader import render_to_string
from django.utils import translation

from memory import scope, stemming, tasks
from memory.models import User
from reviewer import catalogues
from tests import factories
from tests.reviewer.reading import As, found, text

OTHERS = [code for code, _ in settings.LANGUAGES if code != "en"]
_PLACE = re.compile(r"%\(\w+\)s")


@pytest.fixture(params=OTHERS)
def book(request: pytest.FixtureRequest) -> Any:
    return polib.pofile(str(catalogues.catalogue(request.param)))


def test_every_sentence_of_members_pages_is_translated(book: Any):
    told = {(entry.msgid, entry.msgid_plural): entry for entry in book}

    missing = [message for message in catalogues.messages() if message not in told or not told[message].translated()]

    assert (missing, [entry.msgid for entry in book.fuzzy_entries()]) == ([], [])


def test_catalogue_holds_nothing_that_stands_nowhere(book: Any):
    assert {(entry.msgid, entry.msgid_plural) for entry in book} == set(catalogues.messages())


def test_compiled_catalogue_is_the_written_one(book: Any):
    compiled = polib.mofile(book.fpath.removesuffix("po") + "mo")

    told = {entry.msgid: (entry.msgstr, entry.msgstr_plural) for entry in compiled}
    assert told == {entry.msgid: (entry.msgstr, entry.msgstr_plural) for entry in book}


def test_translation_fills_in_what_the_sentence_does(book: Any):
    wrong = [
        entry.msgid
        for entry in book
        for words in [entry.msgstr, *entry.msgstr_plural.values()]
        if words and set(_PLACE.findall(words)) != set(_PLACE.findall(entry.msgid_plural or entry.msgid))
    ]

    assert wrong == []


def test_long_memory_that_follows_a_change_of_language_later_says_so_until_then(
    as_: As, member: User, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(stemming.follow, "__kwdefaults__", {"limit": 2})
    factories.make_episode(member, "a", "b", "c", "d", "e")
    client = as_("member")
    client.post("/mine/settings/", {"name": "", "language": "de", "zone": "Europe/Berlin"})
    before = text(client.get("/mine/settings/"))

    tasks.restem(member.pk)
    after = text(client.get("/mine/settings/"))

    told = "wird gerade für die Suche in dieser Sprache neu geordnet"
    assert (told in before, told in after) == (True, False)


def test_collecting_finds_sentences_in_templates_and_code():
    collected = catalogues.messages()

    assert {
        ("Forget &amp; pause", ""),
        ("%(n)s thing", "%(n)s things"),
        ("Thank you.", ""),
        ("About me", ""),
    } <= set(collected)


@pytest.mark.parametrize(
    ("language", "heading"),
    [
        ("en", "What is known about you"),
        ("de", "Was über dich bekannt ist"),
        ("es", "Lo que se sabe de ti"),
        ("fr", "Ce que l’on sait de vous"),
        ("fi", "Mitä sinusta tiedetään"),
        ("ru", "Что о вас известно"),
    ],
)
def test_page_is_in_the_language_that_the_browser_asks_for(language: str, heading: str, as_: As):
    response = as_("member").get("/mine/", headers={"Accept-Language": f"{language}-XX,en;q=0.5"})

    assert found(response, r"<h1>(.*?)</h1>") == [heading]
    assert found(response, r"<html ([^>]*)>") == [f'lang="{language}" dir="ltr"']


def test_setting_goes_before_the_browser(as_: As, member: User):
    with scope.user(member.pk):
        User.objects.filter(pk=member.pk).update(language="fi")

    response = as_("member").get("/mine/", headers={"Accept-Language": "de"})

    assert found(response, r'<html lang="(\w+)"') == ["fi"]


def test_choice_on_the_page_goes_before_all(as_: As, member: User):
    with scope.user(member.pk):
        User.objects.filter(pk=member.pk).update(language="fi")
    client = as_("member")

    client.post("/mine/language/", {"language": "en", "next": "/mine/forget/"})

    assert found(client.get("/mine/"), r'<html lang="(\w+)"') == ["en"]


@pytest.mark.parametrize(
    ("back", "leads"),
    [
        ("/mine/forget/", "/mine/forget/"),
        ("https://evil.example/mine/", "/mine/"),
        ("//evil.example/", "/mine/"),
        ("/people/", "/mine/"),
    ],
)
def test_choice_leads_back_into_the_room_alone(back: str, leads: str, as_: As):
    response = as_("member").post("/mine/language/", {"language": "de", "next": back})

    assert response["Location"] == leads


@pytest.mark.parametrize("code", ["", "xx", "../etc", "DE\x00"])
def test_choice_of_no_language_changes_nothing(code: str, as_: As):
    client = as_("member")

    client.post("/mine/language/", {"language": code})

    assert found(client.get("/mine/"), r'<html lang="(\w+)"') == ["en"]


def test_unknown_language_of_the_browser_is_english(as_: As):
    response = as_("member").get("/mine/", headers={"Accept-Language": "tlh, *;q=0.1"})

    assert found(response, r'<html lang="(\w+)"') == ["en"]


def test_staffs_pages_stay_english_whatever_the_browser_asks_for(as_: As, member: User):
    factories.make_fact(member)
    client = as_("reviewer")

    pages = [
        client.get(path, headers={"Accept-Language": "ru"}) for path in ("/people/", "/people/maya/", "/conflicts/")
    ]

    assert [found(page, r'<html lang="(\w+)"') for page in pages] == [["en"]] * 3


@pytest.mark.parametrize("language", ["ar", "he", "ru", "fi"])
def test_staffs_pages_hold_in_another_locale(language: str, as_: As, member: User, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("reviewer.language.ROOMS", ("/",))
    monkeypatch.setattr("reviewer.language.language", lambda _request: language)
    factories.make_fact(member, valid_from="2026-03")
    client = as_("reviewer")

    assert [client.get(path).status_code for path in ("/people/", "/people/maya/", "/conflicts/", "/jobs/")] == [
        200
    ] * 4


@pytest.mark.parametrize(
    ("valid_to", "told"),
    [
        (None, "<li>since some time between 6 April 2026 and 12 April 2026</li>"),
        ("2026-05", "<li>between 6 April 2026 and 12 April 2026</li><li>until May 2026</li>"),
        (
            "2026-05-04/2026-05-10",
            "<li>between 6 April 2026 and 12 April 2026</li><li>until some time between 4 May 2026 and 10 May 2026</li>",
        ),
    ],
)
def test_beginning_in_a_week_says_that_it_lasts_unless_it_ended(as_: As, member: User, valid_to: str | None, told: str):
    factories.make_fact(member, valid_from="2026-04-06/2026-04-12", valid_to=valid_to)

    page = as_("member").get("/mine/").content.decode()

    assert re.sub(r">\s+<", "><", page).count(told) == 1


@pytest.mark.parametrize(
    ("language", "day"),
    [
        ("en", "10 March 2026"),
        ("de", "10. März 2026"),
        ("es", "10 de marzo de 2026"),
        ("fr", "10 mars 2026"),
        ("fi", "10. maaliskuuta 2026"),
        ("ru", "10 марта 2026 г."),
    ],
)
def test_days_are_written_as_the_language_does(language: str, day: str, as_: As, member: User):
    factories.make_fact(member)

    response = as_("member").get("/mine/", headers={"Accept-Language": language})

    (said,) = found(response, r'<li dir="auto">.*?>([^<]*)</time></li>')
    assert said.replace("\u00a0", " ") == day


@pytest.mark.parametrize(
    ("n", "words"), [(1, "1 вещь"), (2, "2 вещи"), (5, "5 вещей"), (11, "11 вещей"), (21, "21 вещь"), (22, "22 вещи")]
)
def test_plurals_are_those_of_the_language(n: int, words: str):
    with translation.override("ru"):
        assert translation.ngettext("%(n)s thing", "%(n)s things", n) % {"n": n} == words


def test_page_runs_from_right_to_left_in_a_language_that_does(as_: As, member: User, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("reviewer.language.language", lambda _request: "ar")
    factories.make_fact(member, "يعيش في القاهرة")

    response = as_("member").get("/mine/")

    assert found(response, r"<html ([^>]*)>") == ['lang="ar" dir="rtl"']
    assert found(response, r'<p class="sentence[^>]*>(.*?)</p>') == ["<bdi>يعيش في القاهرة</bdi>"]


def test_styles_of_the_room_know_no_left_and_right():
    rules = [(settings.BASE_DIR / "static" / name).read_text() for name in ("mine.css", "mine-pieces.css")]

    sides = r"(?:margin|padding|border|inset)-(?:left|right)|text-align: (?:left|right)|(?:^|[\s;{])(?:left|right):"
    assert [re.findall(sides, each) for each in rules] == [[], []]


@pytest.mark.parametrize("language", OTHERS)
def test_portal_speaks_the_language_too(language: str):
    with translation.override(language):
        said = render_to_string("portal/page.html", {"person": User(external_id="maya")})

    assert "Open my memory" not in said


def test_settings_choose_language_and_time_zone(as_: As, member: User):
    client = as_("member")

    response = client.post(
        "/mine/settings/", {"name": " Maya  O. ", "language": "de", "zone": "Europe/Berlin"}, follow=True
    )

    with scope.user(member.pk):
        saved = User.objects.values_list("display_name", "language", "time_zone").get()
    assert (saved, "Gespeichert." in text(response)) == (("Maya O.", "de", "Europe/Berlin"), True)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"language": "xx", "zone": "UTC"}, "Choose a language from the list."),
        ({"language": "en", "zone": "Mars/Olympus"}, "Choose a time zone from the list."),
    ],
)
def test_settings_that_cannot_be_say_so_and_change_nothing(data: dict[str, str], words: str, as_: As, member: User):
    response = as_("member").post("/mine/settings/", data | {"name": "Somebody else"})

    with scope.user(member.pk):
        saved = User.objects.values_list("display_name", "language", "time_zone").get()
    assert (words in text(response), saved) == (True, ("Maya Okafor", "en", "UTC"))
