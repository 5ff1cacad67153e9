"""The queue over HTTP: what is asked, what became of an answer, with htmx and without."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from memory import forgetting, scope
from memory.models import Handout, Label, Remark, Sample, SampleItem, StaffRead, User
from memory.review import progress, sampling
from memory.review.sampling import Plan
from memory.types import SampleSubject
from tests import factories
from tests.reviewer import reading
from tests.reviewer.reading import As

HTMX = {"HX-Request": "true"}


@pytest.fixture
def draw(member: User) -> Callable[..., Sample]:
    def make(count: int = 2, **plan: Any) -> Sample:
        for n in range(count):
            factories.make_believed(member, f"I collect stamps of kind {n}", "collects", f"stamps {n}")
        return sampling.draw(Plan("Weekly", count, **plan), by=None)

    return make


def in_hand(client: Client, sample: Sample) -> tuple[int, str]:
    """The item that the page asks about, and the key of its form."""
    response = client.get(f"/review/{sample.pk}/")
    [item] = reading.found(response, r'data-item="(\d+)"')
    [key] = reading.found(response, r'name="key" value="([^"]+)"')
    return int(item), key


def answer(client: Client, sample: Sample, item: int, **fields: Any) -> Any:
    values = {"verdict": "correct", "key": uuid4()} | fields
    headers = values.pop("headers", {})
    return client.post(f"/review/{sample.pk}/{item}/label/", values, headers=headers)


def standing() -> list[str]:
    with scope.staff():
        return list(Label.objects.standing().order_by("pk").values_list("verdict", flat=True))


def told(response: Any) -> list[str]:
    return reading.found(response, r'<span id="saved"[^>]*>(.*?)</span>')


def test_item_asks_whether_the_conversation_supports_the_claim(as_: As, draw: Callable[..., Sample]):
    sample = draw(1)

    response = as_("reviewer").get(f"/review/{sample.pk}/")

    assert reading.found(response, r'<h2 class="question"[^>]*>(.*?)</h2>') == [
        "Does the conversation support this claim?"
    ]
    assert reading.sentences(response) == ["I collect stamps of kind 0"]
    assert reading.found(response, r"<mark>(.*?)</mark>") == ["I collect stamps of kind 0"]


@pytest.mark.parametrize(("subject", "times"), [(SampleSubject.FACTS, 1), (SampleSubject.REFUSALS, 0)])
def test_item_says_that_answers_take_effect_where_they_do(
    as_: As, draw: Callable[..., Sample], subject: SampleSubject, times: int
):
    factories.make_refusal(factories.make_user())
    sample = draw(1, subject=subject)

    response = as_("reviewer").get(f"/review/{sample.pk}/")

    told = "Your answers take effect: incorrect retires the claim, stale ends it; undo takes that back."
    assert reading.text(response).count(told) == times


def test_last_answer_leaves_nothing_said_of_answers(as_: As, draw: Callable[..., Sample]):
    sample = draw(1)
    client = as_("reviewer")
    before = client.get(f"/review/{sample.pk}/", headers=HTMX)
    (label,) = reading.found(before, r'<form class="answer"[^>]*action="(.*?)"')

    after = client.post(label, {"verdict": "correct", "key": str(uuid4())}, headers=HTMX)

    assert ["take effect" in reading.text(each) for each in (before, after)] == [True, False]


def test_item_says_nothing_that_would_sway_a_reviewer(as_: As, member: User):
    fact = factories.make_fact(
        member, "Skis.", confidence=0.4321, status="conflicted", status_reason="sway-1", source="user"
    )
    sample = sampling.draw(Plan("Weekly", 1, overlap=1), by=None)
    other, _ = in_hand(as_("admin"), sample)
    answer(as_("admin"), sample, other, verdict="incorrect", note="sway-2")

    page = as_("reviewer").get(f"/review/{sample.pk}/").content.decode()

    telling = ("sway-1", "sway-2", "onflicted", "0.43", "0,43", "43 %", "43\u00a0%", "43%", "Ada<")
    assert [word for word in telling if word in page.split("<main")[1]] == []
    assert fact.text in page


def test_answer_with_htmx_brings_the_next_item_alone(as_: As, draw: Callable[..., Sample]):
    sample, client = draw(2), as_("reviewer")
    item, key = in_hand(client, sample)

    response = answer(client, sample, item, key=key, headers=HTMX)

    assert (response.status_code, told(response), "<html" in response.content.decode()) == (
        200,
        ["Saved: Correct."],
        False,
    )
    assert reading.found(response, r'data-item="(\d+)"') != [str(item)]
    assert standing() == ["correct"]


def test_answer_without_htmx_leads_back_to_the_queue(as_: As, draw: Callable[..., Sample]):
    sample, client = draw(2), as_("reviewer")
    item, key = in_hand(client, sample)

    response = answer(client, sample, item, key=key)

    assert (response.status_code, response["Location"]) == (302, f"/review/{sample.pk}/")
    assert "Saved: Correct." in reading.text(client.get(response["Location"]))


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_answer_sent_twice_is_saved_once(headers: dict[str, str], as_: As, draw: Callable[..., Sample]):
    sample, client = draw(2), as_("reviewer")
    item, key = in_hand(client, sample)

    codes = {answer(client, sample, item, key=key, headers=headers).status_code for _ in range(2)}

    assert (len(codes), standing()) == (1, ["correct"])


def test_stale_tab_is_told_what_stands(as_: As, draw: Callable[..., Sample]):
    sample, client = draw(2), as_("reviewer")
    item, _ = in_hand(client, sample)
    answer(client, sample, item)

    response = answer(client, sample, item, verdict="incorrect")

    assert told(response) == ["You had labelled that one before, as Correct. Nothing was changed."]
    assert standing() == ["correct"]


def test_answer_to_what_went_to_another_is_not_saved_and_told(as_: As, draw: Callable[..., Sample]):
    sample, client = draw(1), as_("reviewer")
    item, _ = in_hand(client, sample)
    with scope.staff():
        Handout.objects.update(leased_until=timezone.now() - timedelta(seconds=1))
    in_hand(as_("admin"), sample)

    response = answer(client, sample, item)

    assert told(response) == ["Not saved: your time with that one ran out, and somebody else has it now."]
    assert standing() == []


def test_answer_after_the_lease_ran_out_is_saved_while_nobody_else_has_it(as_: As, draw: Callable[..., Sample]):
    sample, client = draw(1), as_("reviewer")
    item, _ = in_hand(client, sample)
    with scope.staff():
        Handout.objects.update(leased_until=timezone.now() - timedelta(seconds=1))

    answer(client, sample, item)

    assert standing() == ["correct"]


def test_answer_to_what_was_erased_is_told(as_: As, draw: Callable[..., Sample], member: User):
    sample, client = draw(1), as_("reviewer")
    item, _ = in_hand(client, sample)
    with scope.staff():
        fact = SampleItem.objects.get(pk=item).fact_id
    with scope.user(member.pk):
        forgetting.erase(member.pk, [fact], actor="test")

    assert told(answer(client, sample, item)) == ["Not saved: its person had that one erased meanwhile."]


def test_who_leaves_in_mid_sample_leaves_it_to_be_finished(as_: As, member: User):
    for person, what in ((member, "tea"), (member, "rum"), (factories.make_user("sven"), "kvass")):
        factories.make_believed(person, f"I drink {what}", "drinks", what)
    sample, client = sampling.draw(Plan("Weekly", 3), by=None), as_("reviewer")
    item, key = in_hand(client, sample)
    with scope.staff():
        person = User.objects.get(pk=SampleItem.objects.get(pk=item).owner)
    forgetting.depart(person, actor="test")

    response = answer(client, sample, item, key=key, headers=HTMX)
    while found := reading.found(client.get(f"/review/{sample.pk}/"), r'data-item="(\d+)"'):
        answer(client, sample, int(found[0]))

    assert told(response) == ["Not saved: its person had that one erased meanwhile."]
    with scope.staff():
        parts = progress.of([sample.pk])[sample.pk]
    assert (parts.erased + parts.labelled, parts.labelled, parts.is_finished) == (3, len(standing()), True)


def test_wrong_date_is_told_and_the_note_given_back(as_: As, draw: Callable[..., Sample]):
    sample, client = draw(1), as_("reviewer")
    item, _ = in_hand(client, sample)

    response = answer(client, sample, item, verdict="stale", as_of="yesterday", note="so she said", headers=HTMX)

    assert told(response) == ["Not saved: the date is none. Write it as 2026-06-30."]
    assert reading.found(response, r'<textarea id="note"[^>]*>(.*?)</textarea>') == ["so she said"]
    assert standing() == []


@pytest.mark.parametrize("fields", [{"verdict": "maybe"}, {"verdict": ""}, {"key": "x"}])
def test_answer_that_no_page_sends_is_missing(fields: dict[str, str], as_: As, draw: Callable[..., Sample]):
    sample, client = draw(1), as_("reviewer")
    item, _ = in_hand(client, sample)

    assert (answer(client, sample, item, **fields).status_code, standing()) == (404, [])


@pytest.mark.parametrize("act", ["label", "skip", "hold"])
def test_item_of_another_sample_is_missing_like_a_random_one(act: str, as_: As, draw: Callable[..., Sample]):
    first, second = draw(1), draw(1)
    client = as_("reviewer")
    item, key = in_hand(client, first)
    values = {"verdict": "correct", "key": key}

    found = [client.post(f"/review/{second.pk}/{pk}/{act}/", values).status_code for pk in (item, 2**62)]

    assert (found, standing()) == ([404, 404], [])


@pytest.mark.parametrize("path", ["", "stop/"])
def test_sample_of_others_is_missing_like_a_random_one(
    path: str, as_: As, staff: dict[str, User], draw: Callable[..., Sample]
):
    sample, client = draw(1, reviewers=(staff["admin"].pk,)), as_("reviewer")
    ask = client.post if path else client.get

    assert [ask(f"/review/{pk}/{path}").status_code for pk in (sample.pk, 2**62)] == [404, 404]


def test_skipped_is_last_and_told(as_: As, draw: Callable[..., Sample]):
    sample, client = draw(2), as_("reviewer")
    item, _ = in_hand(client, sample)

    response = client.post(f"/review/{sample.pk}/{item}/skip/", headers=HTMX)

    assert told(response) == ["Skipped: it comes back at the end."]
    assert reading.found(response, r'data-item="(\d+)"') != [str(item)]


def test_undo_brings_the_item_back(as_: As, draw: Callable[..., Sample]):
    sample, client = draw(2), as_("reviewer")
    item, _ = in_hand(client, sample)
    response = answer(client, sample, item, headers=HTMX)
    [path] = reading.found(response, r'class="undo" method="post" action="([^"]+)"')

    again = client.post(path, headers=HTMX)
    twice = client.post(path, headers=HTMX)

    assert reading.found(again, r'data-item="(\d+)"') == reading.found(twice, r'data-item="(\d+)"') == [str(item)]
    assert standing() == []


def test_undo_of_another_reviewers_label_is_missing(as_: As, draw: Callable[..., Sample]):
    sample, client = draw(2), as_("reviewer")
    item, _ = in_hand(client, sample)
    response = answer(client, sample, item, headers=HTMX)
    [path] = reading.found(response, r'class="undo" method="post" action="([^"]+)"')

    assert (as_("admin").post(path).status_code, standing()) == (404, ["correct"])


def test_heartbeat_says_whether_the_item_is_still_theirs(as_: As, draw: Callable[..., Sample]):
    sample, client = draw(1), as_("reviewer")
    item, _ = in_hand(client, sample)
    before = client.post(f"/review/{sample.pk}/{item}/hold/").status_code
    with scope.staff():
        Handout.objects.update(leased_until=timezone.now() - timedelta(seconds=1))
    in_hand(as_("admin"), sample)

    assert (before, client.post(f"/review/{sample.pk}/{item}/hold/").status_code) == (204, 410)


def test_stop_gives_back_what_was_in_hand(as_: As, draw: Callable[..., Sample]):
    sample, client = draw(1), as_("reviewer")
    item, _ = in_hand(client, sample)

    response = client.post(f"/review/{sample.pk}/stop/")

    assert response["Location"] == "/review/"
    assert in_hand(as_("admin"), sample)[0] == item


def test_what_is_left_in_others_hands_is_said(as_: As, draw: Callable[..., Sample]):
    sample = draw(1)
    in_hand(as_("admin"), sample)

    response = as_("reviewer").get(f"/review/{sample.pk}/")

    assert "Nothing left for you here" in reading.text(response)


def test_finished_sample_offers_to_be_closed(as_: As, draw: Callable[..., Sample]):
    sample, client = draw(1), as_("reviewer")
    item, _ = in_hand(client, sample)

    response = answer(client, sample, item, headers=HTMX)

    assert reading.found(response, r'action="(/samples/\d+/close/)"') == [f"/samples/{sample.pk}/close/"]


def test_refusal_is_asked_about_as_a_refusal(as_: As, member: User):
    factories.make_refusal(member, "Maybe I like tea.")
    sample = sampling.draw(Plan("Refused", 1, subject=SampleSubject.REFUSALS), by=None)

    response = as_("reviewer").get(f"/review/{sample.pk}/")

    assert reading.found(response, r'<h2 class="question"[^>]*>(.*?)</h2>') == ["Was it right to refuse this claim?"]
    assert reading.found(response, r'name="verdict" value="(\w+)"') == ["correct", "incorrect", "cant_tell"]
    assert "Hedged: The person was not sure themselves. maybe" in reading.text(response)


def test_resolution_is_shown_with_its_decision(as_: As, member: User):
    factories.make_believed(member)
    sample = sampling.draw(Plan("Resolved", 1, subject=SampleSubject.RESOLUTIONS), by=None)

    response = as_("reviewer").get(f"/review/{sample.pk}/")

    assert reading.found(response, r'<h2 class="question"[^>]*>(.*?)</h2>') == ["Was this decided rightly?"]
    assert "new fact:" in reading.text(response)


def test_long_and_hostile_text_is_shown_whole_as_text(as_: As, member: User):
    said = f"<img src=x onerror=alert(1)> \u202eevil {'x' * 5000} سلام"
    factories.make_fact(member, said)
    sample = sampling.draw(Plan("Weekly", 1), by=None)

    response = as_("reviewer").get(f"/review/{sample.pk}/")

    assert reading.sentences(response) == [said.replace("\u202e", "⟨U+202E⟩")]
    assert "<img" not in response.content.decode()


def test_look_at_an_item_is_noted(as_: As, staff: dict[str, User], member: User, draw: Callable[..., Sample]):
    sample = draw(1)

    in_hand(as_("reviewer"), sample)

    with scope.staff():
        assert list(StaffRead.objects.values_list("reader", "user", "page")) == [
            (staff["reviewer"].pk, member.pk, "queue-item")
        ]


def test_item_in_hand_is_the_same_for_its_reviewer_elsewhere(as_: As, draw: Callable[..., Sample]):
    sample, client = draw(3), as_("reviewer")

    assert in_hand(client, sample)[0] == in_hand(client, sample)[0]


def test_remark_is_stored_with_the_label(as_: As, draw: Callable[..., Sample]):
    sample, client = draw(1), as_("reviewer")
    item, _ = in_hand(client, sample)

    answer(client, sample, item, note="=HYPERLINK(1)", suggestion="Collects coins.")

    with scope.staff():
        assert list(Remark.objects.values_list("note", "suggestion")) == [("=HYPERLINK(1)", "Collects coins.")]


def test_empty_queue_leads_to_a_sample_of_ten(as_: As, member: User):
    response = as_("reviewer").get("/review/")

    assert reading.links(response, "Draw ten facts") == ["/samples/new/?size=10"]


def test_queue_lists_what_is_theirs_assigned_first(as_: As, staff: dict[str, User], draw: Callable[..., Sample]):
    draw(1)
    for name, reviewers in (("Anyone's", ()), ("Mine", (staff["reviewer"].pk,)), ("Hers", (staff["admin"].pk,))):
        sampling.draw(Plan(name, 1, reviewers=reviewers), by=None)

    response = as_("reviewer").get("/review/")

    names = reading.found(response, r'<h2 dir="auto">(.*?)</h2>')
    assert names == ["Mine", "Weekly", "Anyone's"]


@pytest.mark.parametrize("path", ["/review/", "/samples/"])
def test_list_takes_the_same_statements_for_one_and_thirty(path: str, as_: As, member: User):
    factories.make_fact(member)
    sampling.draw(Plan("One", 1), by=None)
    client = as_("reviewer")
    client.get(path)
    one = reading.queries(client, path)

    for n in range(29):
        sampling.draw(Plan(f"Sample {n}", 1), by=None)

    assert reading.queries(client, path) == one


def test_item_takes_the_same_statements_with_one_quote_and_many(as_: As, member: User):
    fact = factories.make_fact(member)
    sample, client = sampling.draw(Plan("One", 1), by=None), as_("reviewer")
    client.get(f"/review/{sample.pk}/")
    one = reading.queries(client, f"/review/{sample.pk}/")

    for n in range(9):
        factories.add_evidence(fact, factories.make_episode(member, f"I live in Oslo {n}."), f"I live in Oslo {n}.")

    assert reading.queries(client, f"/review/{sample.pk}/") == one


def test_answer_takes_the_same_statements_at_the_beginning_and_later(as_: As, draw: Callable[..., Sample]):
    sample, client = draw(8), as_("reviewer")
    counts = []
    for _ in range(7):
        item, key = in_hand(client, sample)
        with CaptureQueriesContext(connection) as captured:
            answer(client, sample, item, key=key, verdict="cant_tell", headers=HTMX)
        counts.append(len(captured))

    assert len(set(counts)) == 1


@pytest.mark.parametrize(("access", "place"), [("reviewer", "/review/"), ("admin", "/people/"), ("member", "/mine/")])
def test_site_begins_for_reviewers_where_something_waits_for_them(
    as_: As, draw: Callable[..., Sample], access: str, place: str
):
    draw(1)

    response = as_(access).get("/")

    assert (response.status_code, response["Location"]) == (302, place)


def test_site_begins_with_people_once_a_reviewer_has_answered_or_is_not_asked(
    as_: As, staff: dict[str, User], draw: Callable[..., Sample]
):
    draw(1, reviewers=(staff["admin"].pk,))
    sample, client = sampling.draw(Plan("Mine", 1), by=None), as_("reviewer")
    item, key = in_hand(client, sample)
    before = client.get("/")["Location"]

    answer(client, sample, item, key=key)

    assert (before, client.get("/")["Location"]) == ("/review/", "/people/")
