"""One person's facts, and one fact alone."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.test import override_settings

from memory import scope
from memory.models import Derivation, Fact, User
from tests import factories
from tests.factories import WHEN
from tests.reviewer import reading
from tests.reviewer.reading import As

PATH = "/people/maya/"
HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "</p><script>alert(1)</script>",
    "{{ 7|add:7 }}{% csrf_token %}",
    "أنا أسكن في أوسلو",
    "word " * 1_000,
    "x" * 5_000,
]


@pytest.mark.parametrize("role", ["member", "reviewer"])
def test_person_page_shows_a_fact_with_what_it_rests_on(role: str, as_: As, member: User):
    episode = factories.make_episode(member, "Well, since you ask: I live in Oslo. And you?")
    factories.make_fact(member, "I live in Oslo.", episode=episode, valid_from="2024-03", kind="identity")

    response = as_(role).get(PATH)

    assert reading.sentences(response) == ["I live in Oslo."]
    assert reading.found(response, r'<p class="triple">(.*?)</p>')[0].count("<span") == 3
    assert reading.found(response, r'title="Believed now">(.*?)</span>') == ["Active"]
    assert reading.found(response, r"<blockquote [^>]*>(.*?)</blockquote>") == ["I live in Oslo."]
    assert reading.found(response, r'<p class="around" [^>]*>(.*?)</p>') == [
        "Well, since you ask: <mark>I live in Oslo.</mark> And you?"
    ]
    assert reading.found(response, r"<li>(since .*?)</li>") == ["since March 2024"]
    assert reading.found(response, r'title="Recalled plainly">(.*?)</span>') == ["90 %"]


def test_person_page_has_nothing_of_anyone_else(as_: As, member: User, other_member: User):
    factories.make_fact(other_member, "zebra-7731")
    factories.make_refusal(other_member, "zebra-7731")

    response = as_("reviewer").get(PATH)

    assert b"zebra" not in response.content
    assert reading.found(response, r'class="count">(\d+)') == ["0", "0", "0", "0", "0"]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_shown_as_text_and_whole(text: str, as_: As, member: User):
    factories.make_fact(member, text, object=text, subject=text[:300])

    response = as_("member").get(PATH)

    assert reading.sentences(response) == [text.strip()]
    assert b"<img" not in response.content
    assert b"<script>alert" not in response.content


def test_hidden_characters_are_made_visible(as_: As, member: User):
    factories.make_fact(member, "pay \N{RIGHT-TO-LEFT OVERRIDE}001 to Eve\N{ZERO WIDTH SPACE}")

    response = as_("member").get(PATH)

    assert reading.sentences(response) == ["pay ⟨U+202E⟩001 to Eve⟨U+200B⟩"]


@pytest.mark.parametrize(
    ("confidence", "word"), [(0.9, "Firm"), (0.65, "Firm"), (0.64, "Tentative"), (0.4, "Tentative"), (0.39, "Faint")]
)
def test_confidence_is_told_in_words(confidence: float, word: str, as_: As, member: User):
    factories.make_fact(member, confidence=confidence, kind="identity")

    response = as_("member").get(PATH)

    assert reading.found(response, r"</span>(Firm|Tentative|Faint)") == [word]


@pytest.mark.parametrize(("days", "left"), [(0, "90 %"), (365, "45 %"), (1095, "11 %")])
def test_confidence_is_what_is_left_of_it_now(days: int, left: str, as_: As, member: User):
    factories.make_fact(member, confidence=0.9, kind="knowledge")

    with override_settings(ASSAY_NOW=WHEN + timedelta(days=days)):
        response = as_("member").get(PATH)

    assert reading.found(response, r'<span class="figure"[^>]*>(.*?)</span>') == [left]


@pytest.mark.parametrize(
    ("stored", "said"),
    [
        ({"valid_from": "2026"}, "since 2026"),
        ({"valid_from": "2026-03-04"}, "since 4 March 2026"),
        ({"valid_from": "2024-02-26/2024-03-03"}, "since some time between 26 February 2024 and 3 March 2024"),
        ({"valid_from": "2026-04-06/2026-04-12"}, "since some time between 6 and 12 April 2026"),
        ({"valid_to": "2018"}, "until 2018"),
        ({"valid_from": "2015", "valid_to": "2018-06"}, "from 2015 until June 2018"),
        ({"expires_on": date(2026, 7, 3)}, "expires on 3 July 2026"),
    ],
)
def test_dates_are_shown_at_their_precision(stored: dict[str, object], said: str, as_: As, member: User):
    factories.make_fact(member, **stored)

    response = as_("member").get(PATH)

    assert reading.found(response, r"<li>((?:since|until|from|expires) .*?)</li>") == [said]


def test_times_are_those_of_the_person(as_: As, member: User):
    with scope.staff():
        User.objects.filter(pk=member.pk).update(time_zone="America/New_York")
    factories.make_fact(member, last_supported_at=datetime(2026, 3, 11, 2, 30, tzinfo=UTC))

    response = as_("reviewer").get(PATH)

    assert reading.found(response, r"<li>(last said .*?)</li>") == ["last said 10 March 2026"]


def test_fact_that_a_reviewer_confirmed_was_supported_then_not_said(as_: As, member: User):
    factories.make_fact(member, is_confirmed=True)

    response = as_("reviewer").get(f"/people/{member.external_id}/")

    assert reading.found(response, r"<li>(last (?:said|supported) .*?)</li>") == ["last supported 10 March 2026"]


@pytest.mark.parametrize("status", ["superseded", "retracted", "lapsed"])
def test_fact_that_is_not_live_claims_no_sureness(status: str, as_: As, member: User):
    factories.make_fact(member, status=status, status_reason="faded")

    response = as_("member").get(PATH, {"status": "all"})

    assert reading.found(response, r"</span>(Firm|Tentative|Faint)") == []
    assert reading.found(response, r"<bdi>(faded)</bdi>") == ["faded"]


def test_denial_says_not(as_: As, member: User):
    factories.make_fact(member, "Does not eat meat.", predicate="eats", object="meat", polarity="denies")

    response = as_("member").get(PATH)

    assert reading.found(response, r'<span class="predicate" dir="auto">(.*?)</span>') == ["<strong>not</strong> eats"]


def test_lineage_is_told_from_both_ends(as_: As, member: User):
    newer = factories.make_fact(member, "Lives in Bergen.", object="Bergen")
    older = factories.make_fact(member, "Lives in Oslo.", status="superseded", superseded_by=newer)

    response = as_("member").get(PATH, {"status": "all"})

    assert reading.links(response, "Lives in Oslo.") == [f"/people/maya/facts/{older.pk}/"]
    assert set(reading.links(response, "Lives in Bergen.")) == {f"/people/maya/facts/{newer.pk}/"}


@pytest.mark.parametrize(
    ("status", "shown"),
    [
        ("", ["Active.", "Conflicted."]),
        ("active", ["Active."]),
        ("conflicted", ["Conflicted."]),
        ("superseded", ["Superseded."]),
        ("retracted", ["Retracted."]),
        ("lapsed", ["Lapsed."]),
        ("all", ["Active.", "Conflicted.", "Lapsed.", "Retracted.", "Superseded."]),
    ],
)
def test_status_filter_shows_facts_of_that_status(status: str, shown: list[str], as_: As, member: User):
    for each in ("active", "conflicted", "superseded", "retracted", "lapsed"):
        factories.make_fact(member, f"{each.capitalize()}.", status=each)

    response = as_("member").get(PATH, {"status": status})

    assert sorted(reading.sentences(response)) == shown


def test_subject_and_kind_filters_narrow_list_and_counts(as_: As, member: User):
    anna = factories.make_entity(member, "Anna", "sister")
    factories.make_fact(member, "Anna likes tea.", entity=anna, kind="preference")
    factories.make_fact(member, "Anna lives in Turku.", entity=anna, kind="knowledge")
    factories.make_fact(member, "I like tea.", kind="preference")

    response = as_("member").get(PATH, {"subject": anna.pk, "kind": "preference"})

    assert reading.sentences(response) == ["Anna likes tea."]
    assert reading.found(response, r'aria-current="true">(Live <span class="count">\d+)') == [
        'Live <span class="count">1'
    ]


def test_facts_stand_by_subject_and_kind_the_person_first(as_: As, member: User):
    zoe, anna = factories.make_entity(member, "Zoe"), factories.make_entity(member, "Anna", "sister")
    factories.make_fact(member, "Zoe skis.", entity=zoe)
    factories.make_fact(member, "Anna skis.", entity=anna)
    factories.make_fact(member, "I like tea.", kind="preference")
    factories.make_fact(member, "I ski.", kind="knowledge")

    response = as_("member").get(PATH)

    assert reading.sentences(response) == ["I ski.", "I like tea.", "Anna skis.", "Zoe skis."]
    assert reading.found(response, r"<h2>.*?<bdi>(.*?)</bdi>") == ["Maya Okafor", "Anna", "Zoe"]
    assert reading.found(response, r"<h3>(.*?)</h3>") == ["Knowledge", "Preference", "Knowledge", "Knowledge"]


def test_filtering_by_htmx_answers_with_the_facts_alone(as_: As, member: User):
    factories.make_fact(member)

    response = as_("member").get(PATH, {"kind": "knowledge"}, headers={"HX-Request": "true"})

    assert response.content.strip().startswith(b'<div id="facts"')
    assert reading.sentences(response) == ["Lives in Oslo."]


def test_pages_of_facts_keep_their_filters_and_meet(as_: As, member: User):
    for n in range(35):
        factories.make_fact(member, f"Likes dish {n}.", kind="preference")
    factories.make_fact(member, "Skis.", kind="knowledge")
    client = as_("member")

    first = client.get(PATH, {"kind": "preference"})
    second = client.get(PATH + reading.links(first, "Next")[0])

    assert (len(reading.sentences(first)), len(reading.sentences(second))) == (30, 5)
    assert {*reading.sentences(first), *reading.sentences(second)} == {f"Likes dish {n}." for n in range(35)}


def test_quotes_beyond_a_dozen_are_counted(as_: As, member: User):
    fact = factories.make_fact(member)
    for n in range(15):
        factories.add_evidence(fact, factories.make_episode(member, f"I said {n}."), f"I said {n}.")

    response = as_("member").get(PATH)

    assert len(reading.found(response, r"<blockquote [^>]*>(.*?)</blockquote>")) == 12
    assert reading.found(response, r'<p class="none">(.*?)</p>') == ["and 4 older ones"]


def test_fact_by_itself_shows_all_its_quotes(as_: As, member: User):
    fact = factories.make_fact(member)
    for n in range(15):
        factories.add_evidence(fact, factories.make_episode(member, f"I said {n}."), f"I said {n}.")

    response = as_("member").get(f"{PATH}facts/{fact.pk}/")

    assert len(reading.found(response, r"<blockquote [^>]*>(.*?)</blockquote>")) == 16


def test_quote_from_an_imported_list_names_it(as_: As, member: User):
    episode = factories.make_episode(member, "User lives in Oslo.", document="mem0 <x>")
    factories.make_fact(member, "User lives in Oslo.", episode=episode, source="imported:mem0 <x>")

    response = as_("member").get(PATH)

    assert reading.found(response, r'<figcaption>\s*<span dir="auto">(.*?)</span>') == ["from mem0 <x>"]


def test_thirty_facts_take_as_many_queries_as_one(as_: As, member: User):
    client = as_("member")
    _with_lineage(member, "Paris")
    few = reading.queries(client, PATH + "?status=all")
    for n in range(14):
        _with_lineage(member, f"place {n}")

    many = reading.queries(client, PATH + "?status=all")

    assert many == few


def _with_lineage(member: User, place: str) -> Fact:
    entity = factories.make_entity(member, f"somebody in {place}")
    newer = factories.make_fact(member, f"Lives in {place}.", entity=entity)
    return factories.make_fact(member, f"Left {place}.", entity=entity, status="superseded", superseded_by=newer)


@pytest.mark.parametrize(
    ("path", "heading"),
    [(PATH, "Nothing is known yet"), (PATH + "?status=lapsed", "No fact fits these filters")],
)
def test_person_without_facts_is_told_so(path: str, heading: str, as_: As, member: User):
    response = as_("member").get(path)

    assert reading.found(response, "<h2>(.*?)</h2>") == [heading]


@pytest.mark.parametrize(
    ("state", "notice"),
    [
        ("pending", "1 episode is waiting to be read."),
        ("failed", "1 episode could not be read, so what was said there is not in memory."),
    ],
)
def test_unread_episodes_are_told_of(state: str, notice: str, as_: As, member: User):
    factories.make_episode(member, "I live in Oslo.", state=state)

    response = as_("member").get(PATH)

    assert reading.found(response, r'<p class="notice[^>]*>([^<]*)') == [notice]


def test_fact_page_names_what_it_was_inferred_from(as_: As, member: User):
    base = factories.make_fact(member, "Lives in Oslo.")
    fact = factories.make_fact(member, "Speaks Norwegian.", basis="inferred", source="inferred", predicate="speaks")
    with scope.user(member.pk):
        Derivation.objects.create(user=member, fact=fact, base=base)

    response = as_("member").get(f"{PATH}facts/{fact.pk}/")

    assert reading.links(response, "Lives in Oslo.") == [f"/people/maya/facts/{base.pk}/"]


def test_fact_page_of_another_person_is_missing(as_: As, member: User, other_member: User):
    fact = factories.make_fact(other_member, "zebra-7731")

    response = as_("member").get(f"{PATH}facts/{fact.pk}/")

    assert (response.status_code, b"zebra" in response.content) == (404, False)
