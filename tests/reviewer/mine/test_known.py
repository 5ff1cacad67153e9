"""The member's own page: what it says of each thing, what it finds, and whom it is for."""

import pytest

from memory import scope
from memory.models import Decided, Recalled, User
from tests import factories
from tests.reviewer.reading import As, found, links, queries, sentences, text


def headings(response: object) -> list[str]:
    return found(response, r"<h2[^>]*>(.*?)</h2>")  # type: ignore[arg-type]


def told(response: object) -> list[str]:
    return [each.removeprefix("<bdi>").removesuffix("</bdi>") for each in sentences(response)]  # type: ignore[arg-type]


def test_things_stand_under_plain_headings(as_: As, member: User):
    anna = factories.make_entity(member, "Anna", "sister")
    factories.make_fact(member, "Lives in Oslo")
    factories.make_fact(member, "Anna is a nurse", entity=anna)
    factories.make_fact(member, "Prefers tea", kind="preference")
    factories.make_fact(member, "Knows Django", predicate="knows")
    factories.make_fact(member, "Runs a marathon in May", kind="goal")
    factories.make_fact(member, "Is in Lisbon", kind="temporary")
    factories.make_fact(member, "Spends at most 200 a month", kind="constraint")

    response = as_("member").get("/mine/")

    assert headings(response) == ["About me", "People", "Preferences", "What I know", "Goals", "For now", "Limits"]


def test_page_has_no_jargon(as_: As, member: User):
    left, right = factories.make_fact(member, "Likes tea"), factories.make_fact(member, "Likes coffee")
    factories.make_conflict(member, left, right)
    factories.make_fact(member, "Works too much", basis="inferred", source="inferred")

    said = text(as_("member").get("/mine/")).casefold()

    assert [word for word in ("fact", "predicate", "conflict", "episode", "retract", "candidate") if word in said] == []


def test_thing_says_where_it_is_from_how_sure_and_until_when(as_: As, member: User):
    factories.make_fact(member, "Is in Lisbon", expires_on="2027-05-03", confidence=0.5)

    response = as_("member").get("/mine/")

    (told_of_it,) = found(response, r'<ul class="meta">(.*?)</ul>')
    assert told_of_it == (
        '<li dir="auto">You said so · <time datetime="2026-03-10T12:00:00+00:00">10 March 2026</time></li> '
        '<li class="sure faint"><span class="dot" aria-hidden="true"></span>not sure</li> '
        "<li>until 3 May 2027</li>"
    )


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"source": "user"}, "You said so"),
        ({"source": "inferred", "basis": "inferred"}, "We concluded this"),
        ({"source": "tool:calendar"}, "Shown by calendar"),
        ({"source": "imported:mem0"}, "From mem0"),
    ],
)
def test_thing_says_who_said_it(fields: dict[str, str], words: str, as_: As, member: User):
    factories.make_fact(member, **fields)

    response = as_("member").get("/mine/")

    assert found(response, r'<li dir="auto">(.*?) · ') == [words]


def test_why_shows_the_words_in_their_conversation(as_: As, member: User):
    episode = factories.make_episode(member, "Hello. I live in Oslo. And you?")
    factories.make_fact(member, "I live in Oslo.", episode=episode)

    response = as_("member").get("/mine/")

    assert found(response, r"<blockquote[^>]*>(.*?)</blockquote>") == ["Hello. <mark>I live in Oslo.</mark> And you?"]
    assert links(response, "Read the conversation") == [f"/mine/conversations/{episode.pk}/?from=1#turn-1"]


def test_use_in_answers_and_decisions_is_said(as_: As, member: User):
    fact = factories.make_fact(member, "Prefers code examples", kind="preference")
    with scope.user(member.pk):
        Recalled.objects.create(user=member, facts=[fact.pk], actor="key 1")
        Decided.objects.create(
            user=member,
            dimension="explanation_depth",
            value="code",
            without="default",
            because=[fact.pk],
            actor="key 1",
        )

    response = as_("member").get("/mine/")

    (use,) = found(response, r'<p class="use">(.*?)</p>')
    assert use.startswith("Used in 1 answer lately")
    assert use.endswith("This made explanations come with code.")


def test_search_finds_by_words_and_says_how_many(as_: As, member: User):
    factories.make_believed(member, "Lives in Oslo")
    factories.make_believed(member, "Prefers tea", "drinks", "tea")

    response = as_("member").get("/mine/?q=tea")

    assert told(response) == ["Prefers tea"]


def test_search_leaves_no_trace_of_use(as_: As, member: User):
    factories.make_believed(member, "Lives in Oslo")

    as_("member").get("/mine/?q=Oslo")

    with scope.user(member.pk):
        assert Recalled.objects.count() == 0


def test_search_as_a_fragment_is_the_list_alone(as_: As, member: User):
    factories.make_believed(member)

    response = as_("member").get("/mine/?q=Oslo", headers={"HX-Request": "true"})

    assert response.content.decode().strip().startswith('<div id="known"')


def test_heading_narrows_the_list(as_: As, member: User):
    factories.make_fact(member, "Lives in Oslo")
    factories.make_fact(member, "Prefers tea", kind="preference")

    assert told(as_("member").get("/mine/?group=preferences")) == ["Prefers tea"]


@pytest.mark.parametrize(
    ("status", "reason", "told"),
    [
        ("superseded", "replaced by a newer value", "over"),
        ("superseded", "another value was settled on by user", "something else was chosen"),
        ("retracted", "retracted by member: it was never true", "not true"),
        ("retracted", "its person asked for it to be forgotten", "you asked to have it forgotten"),
        ("lapsed", "faded", "faded"),
        ("lapsed", "expired", "over"),
        ("lapsed", "over the ceiling", "made room for other things"),
    ],
)
def test_past_says_why_each_thing_is_not_used(  # noqa: PLR0917 - a table of ends
    status: str, reason: str, told: str, as_: As, member: User
):
    factories.make_fact(member, status=status, status_reason=reason)

    response = as_("member").get("/mine/past/")

    assert found(response, r'<span class="tag">(.*?)</span>') == [told]


def test_past_says_of_what_was_replaced_that_something_newer_counts(as_: As, member: User):
    newer = factories.make_fact(member, "Lives in Bergen")
    factories.make_fact(member, status="superseded", status_reason="replaced by a newer value", superseded_by=newer)

    response = as_("member").get("/mine/past/")

    assert found(response, r'<span class="tag">(.*?)</span>') == ["something newer counts"]


def test_past_shows_what_is_no_longer_used(as_: As, member: User):
    factories.make_fact(member, "Lives in Oslo")
    factories.make_fact(member, "Lives in Turku", status="superseded")

    client = as_("member")

    assert (told(client.get("/mine/")), told(client.get("/mine/past/"))) == (["Lives in Oslo"], ["Lives in Turku"])


def test_nothing_of_another_is_shown(as_: As, member: User, other_member: User):
    factories.make_fact(other_member, "Lives in Turku")
    factories.make_fact(other_member, "Lived in Vaasa", status="superseded")
    factories.make_episode(other_member, "I live in Turku.")

    client = as_("member")
    pages = [client.get(path) for path in ("/mine/", "/mine/?q=Turku", "/mine/past/", "/mine/conversations/")]

    assert [("Turku" in text(page).replace("“Turku”", ""), "Vaasa" in text(page)) for page in pages] == [
        (False, False)
    ] * 4


def test_staff_see_their_own_memory(as_: As, member: User, staff: dict[str, User]):
    factories.make_fact(member, "Lives in Oslo")
    factories.make_fact(staff["reviewer"], "Lives in Turku")

    assert told(as_("reviewer").get("/mine/")) == ["Lives in Turku"]


@pytest.mark.parametrize(
    "path", ["/mine/?group=imagined", "/mine/?after=x", "/mine/past/?after=1&before=2", "/mine/99999999999999999999/"]
)
def test_address_that_makes_no_sense_is_missing(path: str, as_: As):
    assert as_("member").get(path).status_code == 404


@pytest.mark.parametrize("path", ["/mine/", "/mine/past/", "/mine/conversations/", "/mine/?q=Oslo"])
def test_page_takes_as_many_statements_for_thirty_as_for_one(path: str, as_: As, member: User):
    client = as_("member")
    status = "superseded" if "past" in path else "active"
    factories.make_fact(member, "Lives in Oslo", status=status)
    client.get(path)
    one = queries(client, path)
    for n in range(29):
        factories.make_fact(member, f"Lived in Oslo {n}", status=status)

    assert queries(client, path) == one


def test_hidden_characters_and_markup_are_shown_as_text(as_: As, member: User):
    factories.make_fact(member, "<img src=x> \u202e مرحبا")

    assert told(as_("member").get("/mine/")) == ["<img src=x> ⟨U+202E⟩ مرحبا"]
