"""Samples over HTTP: drawing, counting, closing, extending, assigning, mixing in what is known."""

from typing import Any

import pytest

from memory import scope
from memory.models import Label, Sample, SampleItem, StaffRead, User
from memory.review import sampling
from memory.review.sampling import Plan
from memory.types import SampleSubject
from tests import factories
from tests.reviewer import reading
from tests.reviewer.reading import As

HTMX = {"HX-Request": "true"}
FORM = {"name": "Weekly", "subject": "facts", "size": "2", "choosing": "random", "status": "live", "overlap": "0"}


@pytest.fixture
def facts(member: User) -> list[int]:
    return [
        factories.make_fact(member, f"Likes tea {n}.", kind=kind).pk
        for n, kind in enumerate(("goal", "goal", "identity"))
    ]


def drawn() -> list[Sample]:
    with scope.staff():
        return list(Sample.objects.order_by("pk"))


def wrongs(response: Any) -> list[str]:
    return reading.found(response, r'<span class="wrong"[^>]*>(.*?)</span>') + reading.found(
        response, r'<div class="notice error" role="alert"><p>(.*?)</p>'
    )


def test_form_draws_a_sample_and_leads_to_it(as_: As, staff: dict[str, User], facts: list[int]):
    response = as_("reviewer").post("/samples/new/", FORM | {"stratify_by": "kind", "seed": "7", "overlap": "50"})

    [sample] = drawn()
    assert (response.status_code, response["Location"]) == (302, f"/samples/{sample.pk}/")
    assert (sample.name, sample.seed, sample.overlap, sample.created_by_id) == ("Weekly", 7, 0.5, staff["reviewer"].pk)
    assert sample.strata == {"goal": [2, 1], "identity": [1, 1]}


def test_form_without_a_seed_is_given_one(as_: As, facts: list[int]):
    for _ in range(2):
        as_("reviewer").post("/samples/new/", FORM)

    assert len({sample.seed for sample in drawn()}) == 2


def test_sample_names_no_person_it_is_limited_to(as_: As, member: User, facts: list[int]):
    as_("reviewer").post("/samples/new/", FORM | {"person": member.external_id})

    assert drawn()[0].filters == {"status": "live", "person": member.pk}


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"name": ""}, "This field is required."),
        ({"size": "0"}, "Ensure this value is greater than or equal to 1."),
        ({"size": "many"}, "Enter a whole number."),
        ({"overlap": "101"}, "Ensure this value is less than or equal to 100."),
        ({"person": "nobody"}, "There is nobody by this id."),
        ({"subject": "refusals", "choosing": "risk"}, "Only facts can be drawn by what is at risk."),
        ({"subject": "refusals", "stratify_by": "band"}, "What you draw from cannot be told apart by this."),
        ({"kind": "relationship"}, "There is nothing to draw from: nothing matches. Loosen the filters."),
        (
            {"size": "1", "stratify_by": "kind", "at_least_one": "on"},
            "1 items cannot hold one of each of 2 strata: ask for more items.",
        ),
    ],
)
def test_form_that_makes_no_sense_is_told_and_kept(fields: dict[str, str], message: str, as_: As, facts: list[int]):
    response = as_("reviewer").post("/samples/new/", FORM | fields)

    assert (response.status_code, set(wrongs(response)), drawn()) == (200, {message}, [])
    assert reading.found(response, r'name="seed"[^>]*') != []


@pytest.mark.parametrize("fields", [{"subject": "x"}, {"kind": "x"}, {"reviewers": "99999999"}, {"seed": "-1"}])
def test_form_that_no_page_sends_draws_nothing(fields: dict[str, str], as_: As, facts: list[int]):
    response = as_("reviewer").post("/samples/new/", FORM | fields)

    assert (response.status_code, drawn()) == (200, [])


def test_population_is_counted_without_scripts(as_: As, facts: list[int]):
    response = as_("reviewer").post("/samples/new/", FORM | {"kind": "goal", "count": "1"})

    assert reading.found(response, r'<p id="population"[^>]*>(.*?)</p>') == ["<b>2</b> to draw from"]
    assert drawn() == []


def test_population_is_counted_as_a_fragment(as_: As, facts: list[int]):
    response = as_("reviewer").get("/samples/new/", FORM | {"kind": "goal"}, headers=HTMX)

    assert response.content.decode().strip() == '<p id="population" role="status"><b>2</b> to draw from</p>'


def test_open_sample_shows_no_item_and_no_answer(as_: As, facts: list[int]):
    sample = sampling.draw(Plan("Weekly", 3), by=None)

    response = as_("reviewer").get(f"/samples/{sample.pk}/")

    assert "Likes tea" not in reading.text(response)
    assert reading.found(response, r"<dd>(\d+)</dd>") == ["0", "0", "0", "0", "3", "0", "3"]


def test_closed_sample_shows_its_items_with_their_answers(as_: As, staff: dict[str, User], facts: list[int]):
    sample, client = sampling.draw(Plan("Weekly", 3), by=None), as_("reviewer")
    with scope.staff():
        item = SampleItem.objects.get(sample=sample, place=1)
        Label.objects.create(
            item=item, user_id=item.user_id, reviewer=staff["reviewer"], verdict="incorrect", at=sample.created_at
        )

    response = client.post(f"/samples/{sample.pk}/close/")

    page = client.get(response["Location"])
    assert len(reading.found(page, r'<th scope="row">(.*?)</th>')) == 3
    assert "Incorrect Rita" in reading.text(page)
    with scope.staff():
        assert StaffRead.objects.filter(page="sample").count() == 1


def test_closed_sample_says_what_its_answers_did(as_: As, member: User):
    for n in range(3):
        factories.make_believed(member, f"I collect stamps of kind {n}", "collects", f"stamps {n}")
    sample, client = sampling.draw(Plan("Weekly", 3), by=None), as_("reviewer")
    for verdict in ("incorrect", "stale", "incorrect"):
        page = client.get(f"/review/{sample.pk}/")
        [item], [key] = reading.found(page, r'data-item="(\d+)"'), reading.found(page, r'name="key" value="([^"]+)"')
        client.post(f"/review/{sample.pk}/{item}/label/", {"verdict": verdict, "key": key})
    sampling.close(sample.pk)

    response = client.get(f"/samples/{sample.pk}/")

    assert reading.found(response, r"<p>(The answers took effect:.*?)</p>") == [
        "The answers took effect: 2 claims were retired, 1 claim was ended."
    ]


@pytest.mark.parametrize("subject", SampleSubject)
def test_closed_sample_leads_to_its_report(subject: SampleSubject, as_: As, member: User):
    factories.make_believed(member)
    factories.make_refusal(member)
    sample, client = sampling.draw(Plan("Weekly", 1, subject=subject), by=None), as_("reviewer")
    during = reading.links(client.get(f"/samples/{sample.pk}/"), "See its report")
    sampling.close(sample.pk)

    [path] = reading.links(client.get(f"/samples/{sample.pk}/"), "See its report")

    assert (during, client.get(path).status_code) == ([], 200)


def test_closed_sample_that_changed_nothing_says_nothing_of_it(as_: As, facts: list[int]):
    sample = sampling.close(sampling.draw(Plan("Weekly", 3), by=None).pk)

    response = as_("reviewer").get(f"/samples/{sample.pk}/")

    assert reading.found(response, r"<p>(The answers took effect:.*?)</p>") == []


def test_closed_sample_takes_the_same_statements_for_one_item_and_thirty(as_: As, member: User):
    client = as_("reviewer")
    for n in range(31):
        factories.make_fact(member, f"Likes tea {n}.")
    one, thirty = (sampling.close(sampling.draw(Plan("x", size), by=None).pk).pk for size in (1, 30))
    client.get(f"/samples/{one}/")

    assert reading.queries(client, f"/samples/{one}/") == reading.queries(client, f"/samples/{thirty}/")


def test_items_beyond_a_page_are_reached(as_: As, member: User):
    for n in range(31):
        factories.make_fact(member, f"Likes tea {n}.")
    sample = sampling.close(sampling.draw(Plan("x", 31), by=None).pk)

    response = as_("reviewer").get(f"/samples/{sample.pk}/?last=1")

    assert reading.found(response, r'<td class="number">(\d+)</td>')[-1] == "31"


def test_erased_person_leaves_their_items_without_words(as_: As, member: User, facts: list[int]):
    sample = sampling.close(sampling.draw(Plan("x", 3), by=None).pk)
    with scope.staff():
        User.objects.get(pk=member.pk).delete()

    response = as_("reviewer").get(f"/samples/{sample.pk}/")

    assert reading.found(response, r'<em class="kept-not">(.*?)</em>') == ["erased"] * 3


def test_extension_draws_more(as_: As, facts: list[int]):
    sample = sampling.draw(Plan("x", 1), by=None)

    as_("reviewer").post(f"/samples/{sample.pk}/extend/", {"more": "2"})

    assert [(row.size, row.look) for row in drawn()] == [(3, 2)]


@pytest.mark.parametrize("more", ["", "0", "-1", "many", "٣", "9" * 40])
def test_extension_by_nonsense_is_told(more: str, as_: As, facts: list[int]):
    sample, client = sampling.draw(Plan("x", 1), by=None), as_("reviewer")

    response = client.post(f"/samples/{sample.pk}/extend/", {"more": more})

    assert "size: draw from 1 to" in reading.text(client.get(response["Location"]))
    assert drawn()[0].size == 1


@pytest.mark.parametrize("given", ["x", "9" * 30, "9" * 5_000])
def test_sample_is_not_assigned_to_what_is_nobody(given: str, as_: As, facts: list[int]):
    sample, client = sampling.draw(Plan("x", 1), by=None), as_("reviewer")

    response = client.post(f"/samples/{sample.pk}/assign/", {"reviewers": [given]})

    assert "one of them is no reviewer any more" in reading.text(client.get(response["Location"]))
    assert drawn()[0].reviewers == []


def test_sample_is_assigned_to_reviewers_only(as_: As, staff: dict[str, User], member: User, facts: list[int]):
    sample, client = sampling.draw(Plan("x", 1), by=None), as_("reviewer")

    client.post(f"/samples/{sample.pk}/assign/", {"reviewers": [staff["admin"].pk]})
    assigned = drawn()[0].reviewers
    client.post(f"/samples/{sample.pk}/assign/", {"reviewers": [member.pk]})

    assert (assigned, drawn()[0].reviewers) == ([staff["admin"].pk], [staff["admin"].pk])


def test_admin_mixes_in_a_fact_with_a_known_answer(as_: As, member: User, facts: list[int]):
    sample = sampling.draw(Plan("x", 2), by=None)
    known = factories.make_fact(member, "Owns a boat.")

    as_("admin").post(f"/samples/{sample.pk}/gold/", {"fact": known.pk, "answer": "incorrect"})

    with scope.staff():
        golden = SampleItem.objects.exclude(gold="").get()
        assert (golden.fact_id, golden.gold, drawn_size(sample)) == (known.pk, "incorrect", 2)


def drawn_size(sample: Sample) -> int:
    return Sample.objects.get(pk=sample.pk).size


@pytest.mark.parametrize(
    ("fact", "told"), [("{known}", "This fact is in the sample already."), ("99", "There is no fact of this number.")]
)
def test_fact_that_cannot_be_mixed_in_is_told(fact: str, told: str, as_: As, facts: list[int]):
    sample, client = sampling.draw(Plan("x", 3), by=None), as_("admin")

    response = client.post(f"/samples/{sample.pk}/gold/", {"fact": fact.format(known=facts[0]), "answer": "correct"})

    assert told in reading.text(client.get(response["Location"]))


def test_reviewer_may_not_mix_in_answers(as_: As, facts: list[int]):
    sample = sampling.draw(Plan("x", 1), by=None)

    assert (
        as_("reviewer").post(f"/samples/{sample.pk}/gold/", {"fact": facts[1], "answer": "correct"}).status_code == 403
    )


@pytest.mark.parametrize("state", ["open", "closed"])
def test_list_is_narrowed_by_state(state: str, as_: As, facts: list[int]):
    sampling.draw(Plan("open", 1), by=None)
    sampling.close(sampling.draw(Plan("closed", 1), by=None).pk)

    response = as_("reviewer").get(f"/samples/?state={state}")

    assert reading.found(response, r'<th scope="row"><a [^>]*>(.*?)</a>') == [state]


def test_form_warns_where_a_name_that_is_typed_would_stay(as_: As):
    response = as_("reviewer").get("/samples/new/")

    warned = reading.found(response, r'<span class="detail" id="id_(\w+)_helptext">It stays when a person is forgotten')
    described = reading.found(response, r'<(?:input|textarea)[^>]*aria-describedby="id_(\w+)_helptext"')
    assert (warned, described) == (["name", "predicate", "guidelines"], ["name", "predicate", "guidelines"])


@pytest.mark.parametrize("path", ["/samples/?state=imagined", "/samples/?after=99", "/samples/99/", "/samples/new/x"])
def test_address_that_makes_no_sense_is_missing(path: str, as_: As, facts: list[int]):
    assert as_("reviewer").get(path).status_code == 404


def test_guidelines_are_shown_without_markup_images_or_links(as_: As, facts: list[int]):
    source = "# Read\n\n<img src=x onerror=alert(1)> ![a](http://evil/) [b](http://evil/) **bold**"
    sample = sampling.draw(Plan("x", 1, guidelines=source), by=None)

    response = as_("reviewer").get(f"/samples/{sample.pk}/")

    [shown] = reading.found(response, r'<div class="prose" dir="auto">(.*?)</div>')
    assert shown == (
        "<h3>Read</h3> <p><img src=x onerror=alert(1)> ![a](http://evil/) [b](http://evil/) <strong>bold</strong></p>"
    )  # as `found` unescapes it
    assert "<img" not in response.content.decode()
