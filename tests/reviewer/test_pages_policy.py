"""The pages of the policy: what is in force, what another would do, applying it, and going back."""

from datetime import timedelta
from typing import Any

import pytest
from django.http import HttpResponse

from memory import policies, scope, upkeep
from memory.models import Fact, PolicyVersion, Report, User
from memory.review import building, carrying, previewing, reports
from tests import labelled
from tests.factories import WHEN
from tests.labelled import CORRECT, INCORRECT
from tests.memory.review.quarrels import beliefs, tell
from tests.reviewer.reading import As, found, links, queries, text

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}


@pytest.fixture
def moved(member: User) -> User:
    """Somebody who moved house, and once more."""
    for number, city in enumerate(["Oslo", "Bergen", "Turku"]):
        tell(member, city, at=WHEN + timedelta(days=9 * number))
    with scope.staff():
        policy = policies.current()
    upkeep.run(policy)
    return member


def propose(as_: As, role: str = "admin", **changes: Any) -> HttpResponse:
    return as_(role).post("/policy/preview/", changes)


def previewed(as_: As, **changes: Any) -> str:
    """The address of a preview that is made."""
    response = propose(as_, **changes)
    assert response.status_code == 302, text(response)
    building.build(reports.PREVIEW, about_of(response["Location"]))
    return str(response["Location"])


def about_of(address: str) -> str:
    return address.rstrip("/").rpartition("/")[2]


def versions() -> list[tuple[int, dict[str, Any], str]]:
    with scope.staff():
        return list(PolicyVersion.objects.order_by("version").values_list("version", "changes", "note"))


def test_page_has_every_threshold_with_its_value(as_: As):
    response = as_("reviewer").get("/policy/")

    names = found(response, r'name="([a-z_.]+)"[^>]*id="id_[a-z_.]+"')
    assert response.status_code == 200
    assert {"min_confidence", "birth.user", "half_life_days.goal", "ceiling", "auto_settle", "alike"} <= set(names)
    assert 'value="0.3"' in response.content.decode()


def test_reviewer_is_shown_the_policy_and_no_way_to_change_it(as_: As):
    response = as_("reviewer").get("/policy/")

    assert (found(response, r'(type="submit">Preview)'), found(response, r"(Roll back)")) == ([], [])


@pytest.mark.parametrize("role", ["member", "reviewer"])
def test_only_an_admin_proposes_and_applies(role: str, as_: As, moved: User):
    address = previewed(as_, ceiling="2")

    answers = [
        propose(as_, role, ceiling="2").status_code,
        as_(role).post(f"{address}apply/").status_code,
        as_(role).post(f"{address}again/").status_code,
        as_(role).post("/policy/versions/0/back/").status_code,
    ]

    assert (answers, versions()) == ([403] * 4, [])


def test_stranger_sees_no_example_of_anybodys_facts(as_: As, moved: User):
    address = previewed(as_, predicate="lives_in", cardinality="many")

    responses = [as_(role).get(address) for role in ("anonymous", "member", "other_member")]

    assert [response.status_code for response in responses] == [302, 403, 403]
    assert ["Oslo" in text(response) for response in responses] == [False] * 3


def test_preview_counts_what_would_become_of_facts_with_some_to_look_at(as_: As, moved: User):
    address = previewed(as_, predicate="lives_in", cardinality="many")

    response = as_("admin").get(address)

    assert found(response, r"<p><b>(\d+)</b>") == ["2"]
    assert found(response, r"</b> ([A-Z][a-z ]+)<") == ["Are believed again"]
    assert [bool(links(response, f"Lives in {city}")) for city in ("Oslo", "Bergen", "Turku")] == [True, True, False]


def test_preview_changes_nothing(as_: As, moved: User):
    before = beliefs(moved)

    as_("admin").get(previewed(as_, ceiling="1"))

    assert (beliefs(moved), versions()) == (before, [])


def test_preview_that_is_being_made_says_so_and_fills_by_itself(as_: As):
    address = propose(as_, ceiling="2")["Location"]

    whole = as_("admin").get(address)
    (again,) = found(whole, r'hx-get="([^"]*waiting=[^"]*)"')
    waiting = as_("admin").get(again, headers=HTMX)
    building.build(reports.PREVIEW, about_of(address))
    there = as_("admin").get(again, headers=HTMX)

    assert "The preview is being made, person by person." in text(whole)
    assert (waiting.status_code, there.status_code) == (204, 200)
    assert "Nothing of what is stored would change." in text(there)
    assert "<html" not in there.content.decode()


def test_preview_that_broke_is_asked_for_again_from_its_page(as_: As):
    address = propose(as_, ceiling="2")["Location"]
    with scope.staff():
        reports.break_off(reports.PREVIEW, about_of(address), "KeyError in report, line 7")
    broken = as_("admin").get(address)

    as_("admin").post(f"{address}again/")

    assert found(broken, r"(>Preview again<)") == [">Preview again<"]
    assert "The preview is being made, person by person." in text(as_("admin").get(address))


def test_preview_whose_remake_broke_offers_it_once(as_: As):
    address = previewed(as_, ceiling="2")
    with scope.staff():
        reports.break_off(reports.PREVIEW, about_of(address), "KeyError in report, line 7")

    response = as_("admin").get(address)

    assert found(response, r"<code>(.*?)</code>") == ["KeyError in report, line 7"]
    assert found(response, r"(>Preview again<)") == [">Preview again<"]


def test_apply_makes_a_version_with_its_note_and_is_carried_out(as_: As, moved: User, staff: dict[str, User]):
    address = previewed(as_, predicate="lives_in", cardinality="many")

    response = as_("admin").post(f"{address}apply/", {"note": "People have two homes."})
    carrying.carry_out(1)

    assert (response.status_code, response["Location"]) == (302, "/policy/")
    assert versions() == [(1, {"cardinality": {"lives_in": "many"}}, "People have two homes.")]
    assert {status for _, status, _ in beliefs(moved)} == {"active"}
    page = text(as_("reviewer").get("/policy/"))
    assert "Version 1 is in force." in page
    assert "People have two homes." in page
    assert "Ada" in page


def test_apply_twice_applies_once(as_: As, moved: User):
    address = previewed(as_, ceiling="2")
    as_("admin").post(f"{address}apply/")

    again = as_("admin").post(f"{address}apply/", follow=True)

    assert (again.status_code, len(versions())) == (200, 1)
    assert "Propose it again" not in text(again)


def test_apply_over_a_policy_that_changed_meanwhile_applies_nothing(as_: As, moved: User):
    address = previewed(as_, ceiling="2")
    with scope.staff():
        policies.change({"ceiling": 9})

    response = as_("admin").post(f"{address}apply/", follow=True)

    assert "Propose it again." in text(response)
    assert [changes for _, changes, _ in versions()] == [{"thresholds": {"ceiling": 9}}]
    assert "The policy is no longer version 0" in text(as_("admin").get(address))


def test_carrying_out_is_left_to_a_worker_and_said_meanwhile(as_: As, moved: User):
    as_("admin").post(f"{previewed(as_, ceiling='2')}apply/")

    meanwhile = text(as_("admin").get("/policy/"))
    building.build(reports.CARRIED, "1")
    then = text(as_("admin").get("/policy/"))

    assert ["is being carried out" in page for page in (meanwhile, then)] == [True, False]
    with scope.staff():
        assert Fact.objects.filter(user=moved, status="active").count() == 1
        assert Report.objects.get(kind=reports.CARRIED).data["numbers"] == {"people": 1}


def test_carrying_out_says_how_far_it_is_to_a_page_that_waits(as_: As, moved: User, other_member: User):
    tell(other_member, "Lima")
    as_("admin").post(f"{previewed(as_, ceiling='2')}apply/")
    carrying.carry_out(1, seconds=0)

    whole, part = as_("reviewer").get("/policy/"), as_("reviewer").get("/policy/", headers=HTMX)
    building.build(reports.CARRIED, "1")
    then = as_("reviewer").get("/policy/", headers=HTMX)

    assert ["1 of 2 people are done." in text(page) for page in (whole, part)] == [True, True]
    assert part.content.decode().strip()[:17] == '<div id="carried"'
    assert text(then) == "Version 1 is carried out: the memories of 2 people were gone through."


def test_carrying_out_that_broke_off_is_gone_on_with_once(as_: As, moved: User):
    as_("admin").post(f"{previewed(as_, ceiling='2')}apply/")
    with scope.staff():
        reports.break_off(reports.CARRIED, "1", "KeyError in carry, line 7")
    shown = [found(as_(role).get("/policy/"), r"(>Go on<)") for role in ("admin", "reviewer")]

    answers = [as_("admin").post("/policy/carry/") for _ in range(2)]

    with scope.staff():
        due = list(reports.due())
    assert shown == [[">Go on<"], []]
    assert [(each.status_code, each["Location"]) for each in answers] == [(302, "/policy/")] * 2
    assert due.count((reports.CARRIED, "1")) == 1
    assert "is being carried out" in text(as_("admin").get("/policy/"))


@pytest.mark.parametrize("method", ["get", "post"])
def test_page_can_be_loaded_again_however_it_came(method: str, as_: As):
    response = as_("admin").get("/policy/") if method == "get" else propose(as_)

    assert (response.status_code, links(response, "Reload the page")) == (200, ["/policy/"])


def test_curve_that_is_computed_anew_says_that_it_is_from_before(as_: As):
    labelled.closed_sample(*[CORRECT] * 8)
    building.build(reports.CURVE)
    before = text(as_("admin").get("/policy/"))
    with scope.staff():
        policies.change({"min_confidence": 0.4})

    after = text(as_("admin").get("/policy/"))

    assert ["What is shown is from before." in page for page in (before, after)] == [False, True]


def test_roll_back_previews_a_version_that_is_equal_to_the_old_one(as_: As, moved: User):
    as_("admin").post(f"{previewed(as_, ceiling='2')}apply/")
    as_("admin").post(f"{previewed(as_, ceiling='7', min_support='3')}apply/")

    response = as_("admin").post("/policy/versions/1/back/")
    building.build(reports.PREVIEW, about_of(response["Location"]))
    as_("admin").post(f"{response['Location']}apply/", {"note": "back"})

    [(_, first, _), _, (_, last, note)] = versions()
    assert (last, note) == (first, "back")


def test_roll_back_to_what_is_in_force_says_so(as_: As):
    response = as_("admin").post("/policy/versions/0/back/", follow=True)

    assert "in force already" in text(response)


def test_version_that_is_the_only_one_offers_no_other_to_compare_with(as_: As):
    response = as_("reviewer").get("/policy/versions/0/")

    assert (found(response, r"(<select)"), "It is the policy as shipped." in text(response)) == ([], True)


def test_preview_says_through_how_many_people_it_went(as_: As, moved: User, other_member: User):
    tell(other_member, "Lima")
    address = propose(as_, ceiling="2")["Location"]
    previewing.report(about_of(address), seconds=0)

    response = as_("admin").get(address)

    assert "1 of 2 people are done." in text(response)
    assert found(response, r"(data-announce)") == []  # nothing is made yet that could be called out


def test_version_shows_what_differs_from_any_other(as_: As):
    with scope.staff():
        policies.change({"ceiling": 2})
        policies.change({"ceiling": 7, "half_life_days.goal": None})

    before, shipped = (as_("reviewer").get(f"/policy/versions/2/{query}") for query in ("", "?against=0"))

    assert found(before, r"<td dir=\"auto\">(.*?)</td>")[:2] == ["90", "<strong>none</strong>"]
    assert found(shipped, r"<td dir=\"auto\">(.*?)</td>")[2:] == ["50", "<strong>7</strong>"]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("min_confidence", "1.5"),
        ("min_confidence", "much"),
        ("min_confidence", "nan"),
        ("min_confidence", "inf"),
        ("min_confidence", ""),
        ("min_confidence", "-1"),
        ("ceiling", "2.5"),
        ("ceiling", "9" * 400),
        ("half_life_days.goal", "0"),
        ("birth.user", "2"),
        ("auto_settle", "perhaps"),
        ("update_window_days", "1e300"),
        ("cardinality", "several"),
        ("predicate", "lives in; drop"),
        ("predicate", "lives_in"),
        ("cardinality", "many"),
        ("phrases", "maybe so"),
        ("language", "xx"),
        ("reason", "secret"),
        ("examples.kept", "\n".join(f"I like tea {n}" for n in range(11))),
        ("examples.refused", "x" * 301),
        ("drop", "x" * 300),
        ("drop", "secret.en:x"),
        ("min_confidence", "\x00"),
        ("predicate", "\x00"),
        ("phrases", "\x00"),
    ],
)
def test_value_that_makes_no_sense_comes_back_with_what_is_wrong(field: str, value: str, as_: As):
    response = propose(as_, **{field: value})

    assert (response.status_code, versions()) == (200, [])
    assert len(found(response, r'<div class="notice error" role="alert">(.*?)</div>')[0]) > 40


def test_proposal_that_changes_nothing_says_so(as_: As):
    response = propose(as_, min_confidence="0.3")

    assert "Nothing differs from the policy in force." in text(response)


@pytest.mark.parametrize(
    "path", ["/policy/preview/nothing/", "/policy/versions/9/", "/policy/versions/0/?against=9", "/policy/preview/%00/"]
)
def test_what_does_not_exist_is_not_found(path: str, as_: As):
    assert as_("admin").get(path).status_code == 404


def test_markers_are_added_and_removed_with_a_preview_of_what_the_gate_would_say(as_: As, member: User):
    claim = tell(member, "tea", predicate="likes", text="I like tea in a manner of speaking")
    address = previewed(as_, phrases="in a manner of speaking", reason="hedged", language="en")

    response = as_("admin").get(address)
    as_("admin").post(f"{address}apply/")
    removal = previewed(as_, drop="hedged.en:in a manner of speaking")

    with scope.staff():
        gates = {row.about: row.data["numbers"]["gate"] for row in Report.objects.filter(kind=reports.PREVIEW)}
    assert gates[about_of(address)]["refused"]["rows"] == [claim.pk]
    assert "Refused by the gate" in text(response)
    assert [changes["markers"]["hedged"]["en"] for _, changes, _ in versions()] == [["in a manner of speaking"]]
    assert "Words for “Hedged” (en)" in text(as_("admin").get(removal))


def test_examples_are_run_through_the_gate(as_: As):
    kept, refused = "I live in Oslo and work as a nurse.", "I think I might move to Spain."
    as_("admin").post(f"{previewed(as_, **{'examples.kept': kept, 'examples.refused': refused})}apply/")

    response = as_("reviewer").get("/policy/?try=1")

    assert found(response, r"(as wanted|not as wanted)</span>") == ["as wanted", "as wanted"]


def test_below_the_bar_the_suggested_change_is_one_click_from_its_preview(as_: As):
    sample = labelled.closed_sample()
    labelled.add_items(sample, *[CORRECT] * 80, confidence=0.9)
    labelled.add_items(sample, *[INCORRECT] * 30, confidence=0.4)
    building.build(reports.CURVE)

    page = as_("admin").get("/policy/")
    [value] = found(page, r'<input type="hidden" name="min_confidence" value="([\d.]+)">')
    preview = as_("admin").get(previewed(as_, min_confidence=value))

    assert value == "0.45"
    assert "80 of 110" in text(preview)
    assert "80 of 80" in text(preview)


def test_reviewer_reads_the_curve_and_cannot_click_the_suggestion(as_: As):
    sample = labelled.closed_sample()
    labelled.add_items(sample, *[CORRECT] * 80, confidence=0.9)
    labelled.add_items(sample, *[INCORRECT] * 30, confidence=0.4)
    building.build(reports.CURVE)

    page = as_("reviewer").get("/policy/")

    assert ("From 45" in text(page), found(page, r"(Preview this change)")) == (True, [])


def test_pages_take_as_many_statements_for_one_as_for_thirty(as_: As, member: User):
    tell(member, "Oslo")
    tell(member, "Bergen", at=WHEN + timedelta(days=9))
    with scope.staff():
        policies.change({"ceiling": 99})
    building.build(reports.CURVE)
    one = previewed(as_, predicate="lives_in", cardinality="many")
    few = [queries(as_("admin"), path) for path in ("/policy/", one)]
    for number in range(30):
        tell(member, f"City{number}", at=WHEN + timedelta(days=number))
    with scope.staff():
        for number in range(30):
            policies.change({"ceiling": 100 + number})
    building.build(reports.CURVE)
    many = previewed(as_, predicate="lives_in", cardinality="many")

    assert [queries(as_("admin"), path) for path in ("/policy/", many)] == few
