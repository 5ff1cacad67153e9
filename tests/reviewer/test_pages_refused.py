"""What the gate refused."""

import pytest

from memory import scope
from memory.browsing import refusals
from memory.models import GateAudit, User
from memory.types import TEXTLESS, Reason
from reviewer import wording
from tests import factories
from tests.memory.review.quarrels import beliefs, refuse
from tests.reviewer import reading
from tests.reviewer.reading import As

PATH = "/people/maya/refused/"
HTMX = {"HX-Request": "true"}


@pytest.mark.parametrize("path", [PATH, "/refused/"])
def test_refusal_is_shown_with_reason_detail_and_the_turn_it_was_said_in(path: str, as_: As, member: User):
    episode = factories.make_episode(member, "Maybe I like tea. Who knows?")
    factories.make_refusal(member, "Maybe I like tea.", episode=episode)

    response = as_("reviewer").get(path)

    assert reading.sentences(response) == ["Maybe I like tea."]
    assert reading.found(response, r'class="badge reason">(.*?)</span>') == ["Hedged"]
    assert reading.found(response, r'<span class="why">(.*?)</span>') == ["The person was not sure themselves."]
    assert reading.found(response, r'<span class="why detail" [^>]*>(.*?)</span>') == ["maybe"]
    assert reading.found(response, r"<mark>(.*?)</mark>") == ["Maybe I like tea."]
    assert reading.links(response, "Read the conversation") == [f"/people/maya/episodes/{episode.pk}/?from=1#turn-1"]


@pytest.mark.parametrize("reason", TEXTLESS)
def test_refusal_without_text_says_so_and_quotes_nothing(reason: str, as_: As, member: User):
    episode = factories.make_episode(member, "My password is zebra-7731.")
    factories.make_refusal(member, episode=episode, reason=reason)

    response = as_("reviewer").get(PATH)

    assert reading.sentences(response) == ["The claim was not kept."]
    assert reading.links(response, "Turn 1") == [f"/people/maya/episodes/{episode.pk}/?from=1#turn-1"]
    assert b"zebra" not in response.content


@pytest.mark.parametrize("headers", [{}, HTMX])
@pytest.mark.parametrize(("answer", "told"), [("right", "Rightly refused"), ("wrong", "Should have been kept")])
def test_refusal_is_audited_in_passing_and_that_taken_back(  # noqa: PLR0917 - a table of answers
    answer: str, told: str, headers: dict[str, str], as_: As, member: User
):
    path = f"{PATH}{factories.make_refusal(member, 'Maybe I like tea.').pk}/"
    client = as_("reviewer")

    response = client.post(f"{path}audit/", {"answer": answer}, headers=headers, follow=True)
    lists = [reading.sentences(client.get("/refused/", {"found": found})) for found in ("right", "wrong")]
    after = client.post(f"{path}withdraw/", headers=headers, follow=True)

    assert reading.found(response, r"<strong>(.*?)</strong>") == [told]
    assert lists == [["Maybe I like tea."] if found == answer else [] for found in ("right", "wrong")]
    assert reading.found(after, r'name="answer" value="(\w+)"') == ["right", "wrong"]


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_refusal_audited_twice_shows_the_first(headers: dict[str, str], as_: As, member: User):
    path = f"{PATH}{factories.make_refusal(member).pk}/audit/"
    as_("admin").post(path, {"answer": "right"})

    response = as_("reviewer").post(path, {"answer": "wrong"}, headers=headers, follow=True)

    assert reading.found(response, r"<strong>(.*?)</strong>") == ["Rightly refused"]
    assert b"Somebody was quicker" in response.content


def test_audit_of_another_is_not_theirs_to_undo_but_an_admins(as_: As, member: User):
    path = f"{PATH}{factories.make_refusal(member).pk}/"
    as_("reviewer").post(f"{path}audit/", {"answer": "right"})
    offered = reading.found(as_("admin").get("/refused/"), r'action="[^"]*/(withdraw)/"')
    as_("admin").post(f"{path}withdraw/")
    as_("admin").post(f"{path}audit/", {"answer": "wrong"})

    response = as_("reviewer").post(f"{path}withdraw/", headers=HTMX)

    assert offered == ["withdraw"]
    assert reading.found(response, r'role="alert">(.*?)</p>') == [
        "Another reviewer said so. They can take it back, or an admin."
    ]
    assert reading.found(response, r"<strong>(.*?)</strong>") == ["Should have been kept"]


@pytest.mark.parametrize("act", ["audit", "withdraw"])
@pytest.mark.parametrize(("role", "whose"), [("member", "maya"), ("other_member", "maya"), ("reviewer", "jonas")])
def test_audit_is_missing_to_strangers_and_under_another(act: str, role: str, whose: str, as_: As, member: User):  # noqa: PLR0917 - a table of who
    row = factories.make_refusal(member)

    response = as_(role).post(f"/people/{whose}/refused/{row.pk}/{act}/", {"answer": "right"})

    with scope.staff():
        assert (response.status_code, GateAudit.objects.count()) == (404, 0)


@pytest.mark.parametrize("headers", [{}, HTMX])
@pytest.mark.parametrize("act", ["audit", "withdraw"])
def test_audit_of_what_was_taken_in_meanwhile_shows_that(act: str, headers: dict[str, str], as_: As, member: User):
    path = f"{PATH}{refuse(member)}/"
    client = as_("reviewer")
    client.post(f"{path}promote/", {"plain": "1"})

    response = client.post(f"{path}{act}/", {"answer": "right"}, headers=headers)

    assert reading.found(response, r'<p class="notice error"[^>]*>(.*?)</p>') == ["It was taken in meanwhile."]
    assert reading.found(response, r'name="answer" value="(\w+)"') == []
    with scope.staff():
        assert GateAudit.objects.count() == 0


def test_audit_that_makes_no_sense_is_told(as_: As, member: User):
    path = f"{PATH}{factories.make_refusal(member).pk}/audit/"

    response = as_("reviewer").post(path, {"answer": "perhaps"}, headers=HTMX)

    assert reading.found(response, r'role="alert">(.*?)</p>') == ["Choose one of the answers."]


def test_member_sees_nothing_of_audits(as_: As, member: User):
    row = factories.make_refusal(member, "Maybe I like tea.")
    as_("reviewer").post(f"{PATH}{row.pk}/audit/", {"answer": "right"})

    pages = [as_("member").get(f"{PATH}{query}") for query in ("", "?found=right", "?found=wrong")]

    assert [reading.sentences(page) for page in pages] == [["Maybe I like tea."]] * 3
    assert ["Rightly refused" in reading.text(page) for page in pages] == [False] * 3


@pytest.mark.parametrize("reason", Reason)
def test_every_reason_is_explained(reason: Reason):
    name, meaning = wording.REASONS[reason]

    assert (bool(name), str(meaning)[-1]) == (True, ".")


@pytest.mark.parametrize("path", [PATH, "/refused/"])
def test_reason_filter_keeps_counts_of_all_reasons(path: str, as_: As, member: User):
    for reason in ("hedged", "hedged", "task"):
        factories.make_refusal(member, f"Because {reason}.", reason=reason)

    response = as_("reviewer").get(path, {"reason": "task"})

    assert reading.sentences(response) == ["Because task."]
    assert reading.found(response, r'<span class="count">(\d+)</span></a>')[-3:] == ["3", "2", "1"]


def test_member_sees_their_own_refusals_only(as_: As, member: User, other_member: User):
    factories.make_refusal(member, "Maybe I like tea.")
    factories.make_refusal(other_member, "zebra-7731")

    response = as_("member").get(PATH)

    assert reading.sentences(response) == ["Maybe I like tea."]


def test_refusals_across_people_name_whose_they_are(as_: As, member: User, other_member: User):
    factories.make_refusal(member)
    factories.make_refusal(other_member)

    response = as_("reviewer").get("/refused/")

    assert reading.found(response, r"<li>in the memory of <a [^>]*>(.*?)</a>") == [
        "Jonas Brandt",
        "Maya Okafor",
    ]


@pytest.mark.parametrize("path", [PATH, "/refused/"])
def test_pages_of_refusals_meet(path: str, as_: As, member: User):
    for n in range(35):
        factories.make_refusal(member, f"Maybe {n}.")
    client = as_("reviewer")

    first = client.get(path)
    second = client.get(path + reading.links(first, "Next")[0])

    assert reading.sentences(first) + reading.sentences(second) == [f"Maybe {n}." for n in reversed(range(35))]


@pytest.mark.parametrize("path", [PATH, "/refused/"])
def test_thirty_refusals_take_as_many_queries_as_one(path: str, as_: As, member: User):
    client = as_("reviewer")
    factories.make_refusal(member)
    few = reading.queries(client, path)
    for _ in range(29):
        factories.make_refusal(member)

    many = reading.queries(client, path)

    assert many == few


@pytest.mark.parametrize("path", [PATH, "/refused/"])
def test_no_refusal_is_told(path: str, as_: As):
    response = as_("reviewer").get(path)

    assert reading.found(response, "<h2>(.*?)</h2>") == ["Nothing was refused"]


def test_filtering_refusals_by_htmx_answers_with_them_alone(as_: As, member: User):
    factories.make_refusal(member)

    response = as_("member").get(PATH, headers={"HX-Request": "true"})

    assert response.content.strip().startswith(b'<div id="refused"')


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("?q=TEA", ["Maybe I like tea."]),
        ("?extractor=model-2", ["Maybe I like rum."]),
        ("?model=big", ["Maybe I like rum."]),
        ("?prompt=extraction-2", ["Maybe I like rum."]),
        ("?q=like&reason=vague", ["Maybe I like gin."]),
        ("?person=jonas", []),
        ("?person=maya&q=gin", ["Maybe I like gin."]),
        ("?q=%25", []),
    ],
)
@pytest.mark.usefixtures("other_member")
def test_refusals_narrowed(query: str, expected: list[str], as_: As, member: User):
    factories.make_refusal(member)
    factories.make_refusal(member, "Maybe I like gin.", reason="vague")
    call = factories.make_call(member, model="big", prompt_version="extraction-2")
    factories.make_refusal(member, "Maybe I like rum.", extractor="model-2", call=call)

    response = as_("reviewer").get(f"/refused/{query}")

    assert reading.sentences(response) == expected


def test_refusals_offer_the_extractors_that_made_them(as_: As, member: User):
    factories.make_refusal(member)
    factories.make_refusal(member, "Maybe I like rum.", extractor="model-2")

    response = as_("reviewer").get("/refused/")

    assert reading.found(response, r'<select id="by-extractor".*?</select>')[0].count("<option") == 3


def test_refusal_shows_the_conversation_around_it(as_: As, member: User):
    episode = factories.make_episode(member, "Hello.", "Maybe I like tea. Who knows?", "Bye.")
    row = factories.make_refusal(member, "Maybe I like tea.", episode=episode, turn=2)

    response = as_("reviewer").get(f"{PATH}{row.pk}/")

    said = reading.found(response, r'<p class="content" dir="auto">(.*?)</p>')
    assert said == ["Hello.", "<mark>Maybe I like tea.</mark> Who knows?", "Bye."]


def test_refusal_shows_what_is_like_it(as_: As, member: User, other_member: User):
    row = factories.make_refusal(member)
    factories.make_refusal(member, "Maybe I like teas.")
    factories.make_refusal(other_member, "Perhaps I like tea.")
    factories.make_refusal(member, "Quite another thing.")
    factories.make_fact(member, "I like tea.")
    client = as_("reviewer")

    own, all_ = client.get(f"{PATH}{row.pk}/"), client.get(f"{PATH}{row.pk}/?everyone=1")

    likes = r'<ul class="likes">(.*?)</ul>'
    assert [part.count("<li>") for part in reading.found(own, likes)] == [1, 1]
    assert [part.count("<li>") for part in reading.found(all_, likes)] == [2, 1]


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_refusal_taken_in_is_a_fact_and_can_be_undone(headers: dict[str, str], as_: As, member: User):
    path = f"{PATH}{refuse(member)}/"
    client = as_("reviewer")

    taken = client.post(f"{path}promote/", {"note": "They mean it.", "plain": "1"}, headers=headers, follow=True)
    facts = beliefs(member)
    undone = client.post(f"{path}demote/", headers=headers, follow=True)

    assert (facts, beliefs(member)) == ([("Oslo", "active", None)], [])
    assert reading.found(taken, r"<strong>(.*?)</strong>") == ["A reviewer took it in."]
    assert reading.found(undone, r'action="[^"]*(promote)/"') == ["promote"]


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_refusal_kept_as_unsure_waits_and_says_so(headers: dict[str, str], as_: As, member: User):
    path = f"{PATH}{refuse(member)}/promote/"

    response = as_("reviewer").post(path, headers=headers, follow=True)

    assert (beliefs(member), "It is not believed yet" in reading.text(response)) == ([], True)


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_refusal_taken_in_twice_says_so(headers: dict[str, str], as_: As, member: User):
    path = f"{PATH}{refuse(member)}/promote/"
    client = as_("reviewer")
    client.post(path, {"plain": "1"})

    response = client.post(path, headers=headers, follow=True)

    assert (b"Somebody was quicker" in response.content, beliefs(member)) == (True, [("Oslo", "active", None)])


def test_refusals_of_everybody_are_counted_as_far_as_anybody_cares(
    as_: As, member: User, monkeypatch: pytest.MonkeyPatch
):
    for reason in ("hedged", "hedged", "task"):
        factories.make_refusal(member, f"Because {reason}.", reason=reason)
    monkeypatch.setattr(refusals, "MOST_COUNTED", 1)

    response = as_("reviewer").get("/refused/")

    assert reading.found(response, r'<span class="count">([^<]+)</span></a>') == ["2+", "1+", "1"]


def test_counts_follow_what_is_taken_in(as_: As, member: User):
    path = f"{PATH}{refuse(member)}/promote/"

    response = as_("reviewer").post(path, {"plain": "1"}, headers={"HX-Request": "true"})

    assert reading.found(response, r'<span class="count[^"]*">(\d+)</span>')[:3] == ["1", "0", "0"]


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_refusal_of_a_paused_person_comes_back_with_the_note(headers: dict[str, str], as_: As, member: User):
    candidate = refuse(member)
    with scope.staff():
        User.objects.filter(pk=member.pk).update(is_paused=True)

    response = as_("reviewer").post(f"{PATH}{candidate}/promote/", {"note": "<so>"}, headers=headers)

    assert reading.found(response, r'id="problem-here">(.*?)</p>') == [
        "Memory is paused for this person: nothing new is learnt."
    ]
    assert reading.found(response, r"<textarea[^>]*>(.*?)</textarea>") == ["<so>"]


def test_refusal_without_text_cannot_be_taken_in(as_: As, member: User):
    row = factories.make_refusal(member, reason="secret")

    response = as_("reviewer").get(f"{PATH}{row.pk}/")

    assert reading.found(response, r'<p class="notice">(.*?)</p>')[-1:] == [
        "Its text was not kept, so there is nothing to believe. It cannot be taken in."
    ]


@pytest.mark.parametrize("act", ["", "promote/", "demote/"])
@pytest.mark.parametrize(("role", "whose"), [("member", "maya"), ("other_member", "maya"), ("reviewer", "jonas")])
@pytest.mark.usefixtures("other_member")
def test_refusal_is_missing_to_strangers_and_under_another(act: str, role: str, whose: str, as_: As, member: User):  # noqa: PLR0917 - a table of who
    row = factories.make_refusal(member, "Maybe zebra-7731.")
    client = as_(role)
    path = f"/people/{whose}/refused/{row.pk}/{act}"

    response = client.post(path) if act else client.get(path)

    assert (response.status_code, b"zebra" in response.content) == (404, False)


def test_refusal_with_many_like_it_takes_as_many_queries_as_with_one(as_: As, member: User):
    row = factories.make_refusal(member)
    factories.make_refusal(member, "Maybe I like teas.")
    factories.make_fact(member, "I like tea.")
    client = as_("reviewer")
    few = reading.queries(client, f"{PATH}{row.pk}/")
    for n in range(8):
        factories.make_refusal(member, f"Maybe I like tea {n}.")
        factories.make_fact(member, f"I like tea {n}.")

    assert reading.queries(client, f"{PATH}{row.pk}/") == few
