"""Who may open what, as data. A route without a row fails."""

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any, NamedTuple

import pytest
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone

from memory import jobs, portal, scope
from memory.mine import righting, transfers
from memory.models import ErasureRequest, Invitation, Job, Receipt, Rule, User
from memory.review import previewing, sampling
from memory.review.sampling import Plan
from memory.types import TransferKind
from tests import factories, reported
from tests.memory.review.quarrels import tell
from tests.reviewer.reading import As

type Ids = dict[str, Any]


class Row(NamedTuple):
    """What each answers to each: the person themselves is `owner`, another member `other`."""

    anonymous: int
    owner: int
    other: int
    reviewer: int
    admin: int
    method: str = "get"


TO_LOGIN = 302
OPEN = Row(200, 200, 200, 200, 200)
PERSONS = Row(TO_LOGIN, 200, 404, 200, 200)
STAFF = Row(TO_LOGIN, 403, 403, 200, 200)
STAFF_ACT = Row(TO_LOGIN, 403, 403, 302, 302, "post")
STAFFS = Row(TO_LOGIN, 404, 404, 200, 200)  # about a person, but not for them
STAFFS_ACT = Row(TO_LOGIN, 404, 404, 302, 302, "post")
ANYONE = Row(TO_LOGIN, 200, 200, 200, 200)
ADMINS = Row(TO_LOGIN, 403, 403, 403, 200)
ADMINS_ACT = Row(TO_LOGIN, 403, 403, 403, 302, "post")
ROOM = Row(TO_LOGIN, 200, 200, 200, 200)  # everybody's own, whoever they are
MINE = Row(TO_LOGIN, 200, 404, 404, 404)
MINE_ACT = Row(TO_LOGIN, 302, 404, 404, 404, "post")

AGENTS = "api/"  # they have keys, and a matrix of their own: api/test_access.py

MATRIX = {
    "healthz": OPEN,
    "metrics": Row(401, 403, 403, 403, 200),
    "portal/<str:token>": OPEN,
    "": Row(TO_LOGIN, 302, 302, 302, 302),
    "favicon.ico": Row(302, 302, 302, 302, 302),
    "login/": Row(200, 302, 302, 302, 302),
    "login/code/": Row(302, 302, 302, 302, 302),
    "login/again/": ANYONE,
    "login/again/code/": Row(TO_LOGIN, 302, 302, 302, 302),
    "login/oidc/": Row(404, 404, 404, 404, 404),
    "login/oidc/callback/": Row(404, 404, 404, 404, 404),
    "account/": ANYONE,
    "account/password/": ANYONE,
    "account/second-factor/on/": Row(TO_LOGIN, 302, 302, 302, 302),
    "account/second-factor/off/": Row(TO_LOGIN, 404, 404, 404, 404),
    "account/second-factor/codes/": Row(TO_LOGIN, 404, 404, 404, 404),
    "account/second-factor/codes/new/": Row(TO_LOGIN, 302, 302, 302, 302),
    "logout/": Row(302, 302, 302, 302, 302, "post"),
    "mine/": ROOM,
    "mine/past/": ROOM,
    "mine/<int:fact_id>/": MINE,
    "mine/<int:fact_id>/right/": MINE_ACT,
    "mine/<int:fact_id>/wrong/": MINE_ACT,
    "mine/<int:fact_id>/over/": MINE_ACT,
    "mine/<int:fact_id>/reword/": MINE_ACT._replace(owner=200),  # nothing was said: the page says so
    "mine/undo/<int:correction_id>/": MINE_ACT,
    "mine/conversations/": ROOM,
    "mine/conversations/<int:episode_id>/": MINE,
    "mine/<int:fact_id>/forget/": MINE,
    "mine/forget/": ROOM,
    "mine/forget/topic/": ROOM,
    "mine/forget/conversation/<int:episode_id>/": MINE,
    "mine/forget/preview/": Row(302, 302, 302, 302, 302),  # nothing was chosen
    "mine/forget/erase/": Row(302, 302, 302, 302, 302, "post"),
    "mine/forget/requests/<int:request_id>/keep/": MINE_ACT,
    "mine/forget/everything/": ROOM,
    "mine/forget/lift/": Row(302, 302, 302, 302, 302, "post"),
    "mine/receipts/<int:receipt_id>/": MINE,
    "mine/gone/<str:token>/": Row(404, 404, 404, 404, 404),  # no receipt's
    "mine/never/": ROOM,
    "mine/never/add/": Row(302, 302, 302, 302, 302, "post"),
    "mine/never/<int:rule_id>/remove/": Row(302, 302, 302, 302, 302, "post"),
    "mine/pause/": Row(302, 302, 302, 302, 302, "post"),
    "mine/questions/": ROOM,
    "mine/questions/<int:conflict_id>/answer/": MINE_ACT,
    "mine/questions/<int:conflict_id>/undo/": MINE_ACT,
    "mine/questions/who/<int:candidate_id>/": MINE_ACT,
    "mine/questions/again/<int:candidate_id>/": MINE_ACT,
    "mine/along/": ROOM,
    "mine/along/export/": Row(302, 302, 302, 302, 302, "post"),
    "mine/along/bring/": Row(302, 302, 302, 302, 302, "post"),  # no file came
    "mine/along/<int:transfer_id>/": MINE._replace(owner=302),  # nothing to choose from
    "mine/along/<int:transfer_id>/fetch/": MINE_ACT,
    "mine/along/<int:transfer_id>/learn/": MINE_ACT,
    "mine/along/<int:transfer_id>/drop/": MINE_ACT,
    "mine/readers/": ROOM,
    "mine/settings/": ROOM,
    "mine/language/": Row(302, 302, 302, 302, 302, "post"),
    "palette/": ANYONE,
    "facts/": STAFF,
    "facts/facts.csv": STAFF,
    "facts/retire/": STAFF,
    "facts/restore/": STAFF_ACT,
    "facts/searches/": STAFF_ACT,
    "facts/searches/<int:view_id>/drop/": STAFF_ACT,
    "people/": STAFF,
    "people/<person:external_id>/": PERSONS,
    "people/<person:external_id>/facts/<int:fact_id>/": PERSONS,
    "people/<person:external_id>/facts/<int:fact_id>/edit/": STAFF,
    "people/<person:external_id>/facts/<int:fact_id>/retire/": STAFF_ACT,
    "people/<person:external_id>/facts/<int:fact_id>/restore/": STAFF_ACT,
    "people/<person:external_id>/facts/<int:fact_id>/pin/": STAFF_ACT,
    "people/<person:external_id>/facts/<int:fact_id>/erase/": STAFF,
    "people/<person:external_id>/names/": STAFF,
    "people/<person:external_id>/names/<int:entity_id>/alias/": STAFF_ACT,
    "people/<person:external_id>/names/<int:entity_id>/same/": STAFF_ACT,
    "people/<person:external_id>/names/<int:entity_id>/different/": STAFF_ACT,
    "people/<person:external_id>/names/aliases/<int:alias_id>/remove/": STAFF_ACT,
    "people/<person:external_id>/names/dismissed/<int:dismissal_id>/undo/": STAFF_ACT,
    "people/<person:external_id>/leaving/": STAFF,
    "people/<person:external_id>/leaving/export/": STAFF,
    "people/<person:external_id>/leaving/subject/": STAFF,
    "people/<person:external_id>/leaving/everything/": ADMINS,
    "people/<person:external_id>/refused/": PERSONS,
    "people/<person:external_id>/conflicts/": PERSONS,
    "people/<person:external_id>/conflicts/<int:conflict_id>/": PERSONS,
    "people/<person:external_id>/conflicts/<int:conflict_id>/settle/": Row(TO_LOGIN, 200, 404, 200, 200, "post"),
    "people/<person:external_id>/conflicts/<int:conflict_id>/undo/": Row(TO_LOGIN, 302, 404, 302, 302, "post"),
    "people/<person:external_id>/conflicts/<int:conflict_id>/withdraw/": Row(TO_LOGIN, 302, 404, 302, 302, "post"),
    "people/<person:external_id>/episodes/": PERSONS,
    "people/<person:external_id>/episodes/<int:episode_id>/": PERSONS,
    "refused/": STAFF,
    "conflicts/": STAFF,
    "conflicts/offers/": Row(TO_LOGIN, 403, 403, 403, 404, "post"),
    "people/<person:external_id>/refused/<int:candidate_id>/": STAFFS,
    "people/<person:external_id>/refused/<int:candidate_id>/promote/": Row(
        TO_LOGIN, 404, 404, 200, 200, "post"
    ),  # declined
    "people/<person:external_id>/refused/<int:candidate_id>/demote/": STAFFS_ACT,
    "people/<person:external_id>/refused/<int:candidate_id>/audit/": Row(TO_LOGIN, 404, 404, 200, 200, "post"),
    "people/<person:external_id>/refused/<int:candidate_id>/withdraw/": STAFFS_ACT,
    "resolutions/": STAFF,
    "people/<person:external_id>/resolutions/<int:claim_id>/": STAFFS,
    "people/<person:external_id>/resolutions/<int:claim_id>/audit/": Row(TO_LOGIN, 404, 404, 200, 200, "post"),
    "people/<person:external_id>/resolutions/<int:claim_id>/undo/": STAFFS_ACT,
    "review/": STAFF,
    "review/<int:sample_id>/": STAFF,
    "review/<int:sample_id>/stop/": STAFF_ACT,
    "review/<int:sample_id>/undo/<int:label_id>/": STAFF_ACT._replace(reviewer=404, admin=404),  # nobody has labelled
    "review/<int:sample_id>/<int:item_id>/label/": STAFF_ACT._replace(reviewer=404, admin=404),  # nothing was answered
    "review/<int:sample_id>/<int:item_id>/skip/": STAFF_ACT,
    "review/<int:sample_id>/<int:item_id>/hold/": STAFF_ACT._replace(
        reviewer=410, admin=410
    ),  # it is in nobody's hands
    "samples/": STAFF,
    "samples/new/": STAFF,
    "samples/<int:sample_id>/": STAFF,
    "samples/<int:sample_id>/close/": STAFF_ACT,
    "samples/<int:sample_id>/extend/": STAFF_ACT,
    "samples/<int:sample_id>/assign/": STAFF_ACT,
    "samples/<int:sample_id>/gold/": STAFF_ACT._replace(reviewer=403, admin=404),  # admins', who must say an answer
    "reports/": STAFF,
    "reports/contradictions/": STAFF,
    "reports/reviewers/": STAFF,
    "reports/gate/": STAFF,
    "reports/decisions/": STAFF,
    "reports/cost/": STAFF,
    "health/": STAFF,
    "reports/<int:report_id>/rebuild/": STAFF_ACT,
    "reports/<int:report_id>/table.csv": STAFF,
    "reports/<int:report_id>/<slug:picture>.svg": STAFF,
    "reports/<int:report_id>/<slug:picture>.png": STAFF,
    "policy/": STAFF,
    "policy/carry/": ADMINS_ACT,
    "policy/preview/": Row(TO_LOGIN, 403, 403, 403, 200, "post"),  # nothing was changed: the page says so
    "policy/preview/<slug:about>/": STAFF,
    "policy/preview/<slug:about>/again/": ADMINS_ACT,
    "policy/preview/<slug:about>/apply/": ADMINS_ACT,
    "policy/versions/<int:version>/": STAFF,
    "policy/versions/<int:version>/back/": ADMINS_ACT,
    "jobs/": STAFF,
    "invited/<str:token>": Row(410, 410, 410, 410, 410),
    "logins/": ADMINS,
    "logins/invite/": Row(TO_LOGIN, 403, 403, 403, 422, "post"),
    "logins/invitations/<int:invitation_id>/revoke/": ADMINS_ACT,
    "logins/<int:login_id>/role/": ADMINS_ACT,
    "logins/<int:login_id>/shut/": ADMINS_ACT,
    "logins/<int:login_id>/reopen/": ADMINS_ACT,
    "logins/<int:login_id>/unlock/": ADMINS_ACT,
    "logins/<int:login_id>/factor/": ADMINS_ACT,
    "logins/<int:login_id>/renew/": Row(TO_LOGIN, 403, 403, 403, 200, "post"),
    "reads/": ADMINS,
    "reads/log.csv": ADMINS,
    "jobs/<int:job_id>/rerun/": Row(TO_LOGIN, 403, 403, 302, 302, "post"),
}


def routes(patterns: list[URLPattern | URLResolver], before: str = "") -> Iterator[str]:
    for pattern in patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from routes(pattern.url_patterns, route)
        else:
            yield route


@pytest.fixture
def ids(member: User) -> Ids:
    """The ids of one thing of each sort, all the member's."""
    episode = factories.make_episode(member, "I live in Oslo.")
    fact = factories.make_fact(member, episode=episode)
    jobs.request([member.pk])
    sample = sampling.draw(Plan("Weekly", 1), by=None)
    with scope.staff():
        item = sample.items.get()
        job = Job.objects.get(user=member)
    return {
        "external_id": member.external_id,
        "fact_id": fact.pk,
        "episode_id": episode.pk,
        "job_id": job.pk,
        "candidate_id": factories.make_refusal(member).pk,
        "claim_id": tell(member, "tea", predicate="likes").pk,
        "sample_id": sample.pk,
        "item_id": item.pk,
        "entity_id": fact.entity_id,
        "alias_id": 1,
        "dismissal_id": 1,
        "view_id": 1,
        "label_id": 1,
        "conflict_id": factories.make_conflict(member, factories.make_fact(member), settled_by="reviewer").pk,
        **_left(member, fact.pk),
        "correction_id": righting.affirm(member.pk, fact.pk).pk,
        "report_id": reported.report_with_a_picture(),
        "picture": "precision",
        "about": _preview(),
        "version": 0,
        "token": portal.issue(member).token,
        "login_id": member.pk,
        "invitation_id": _invitation().pk,
        "member": member,
    }


def _left(member: User, fact: int) -> Ids:
    """What is left of forgetting, and waits for it."""
    with scope.user(member.pk):
        return {
            "request_id": ErasureRequest.objects.create(user=member, facts=[fact]).pk,
            "receipt_id": Receipt.objects.create(user_id=member.pk, act="erase", counts={}, actor="").pk,
            "transfer_id": transfers.opened(member.pk, TransferKind.EXPORT).pk,
            "rule_id": Rule.objects.create(user=member, topic="tea", topic_key="tea").pk,
        }


def _preview() -> str:
    with scope.staff():
        return previewing.ask({"thresholds": {"ceiling": 9}}).about


def _invitation() -> Invitation:
    with scope.staff():
        return Invitation.objects.create(
            digest="0" * 64, external_id="new", access="member", expires_at=timezone.now() + timedelta(days=1)
        )


def address(route: str, ids: Ids) -> str:
    return "/" + re.sub(r"<\w+:(\w+)>", lambda match: str(ids[match[1]]), route)


def bare(body: bytes) -> str:
    """Without the token that differs with every answer."""
    return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", body.decode())


def test_routes_each_have_a_row():
    found = set(routes(get_resolver().url_patterns))

    assert {route for route in found if not route.startswith(AGENTS)} == set(MATRIX)


@pytest.mark.parametrize("route", MATRIX)
@pytest.mark.parametrize("role", ["anonymous", "owner", "other", "reviewer", "admin"])
def test_route_answers_each_role_as_the_matrix_says(route: str, role: str, as_: As, ids: Ids):
    row = MATRIX[route]
    client = as_({"owner": "member", "other": "other_member"}.get(role, role))

    response = getattr(client, row.method)(address(route, ids))

    assert response.status_code == getattr(row, role)


@pytest.mark.parametrize("route", [route for route, row in MATRIX.items() if row in {PERSONS, STAFF}])
def test_anonymous_comes_back_after_signing_in(route: str, as_: As, ids: Ids):
    path = address(route, ids)

    response = as_("anonymous").get(path)

    assert response["Location"] == f"/login/?next={path}"


def test_anonymous_who_acts_begins_at_the_start_after_signing_in(as_: As, ids: Ids):
    response = as_("anonymous").post(address("jobs/<int:job_id>/rerun/", ids))

    assert response["Location"] == "/login/?next=/"


@pytest.mark.parametrize("route", [route for route, row in MATRIX.items() if row is PERSONS])
def test_stranger_cannot_tell_a_person_from_nobody(route: str, as_: As, ids: Ids):
    client = as_("other_member")

    real = client.get(address(route, ids))
    random = client.get(address(route, ids | {"external_id": "nobody-at-all"}))

    assert (real.status_code, bare(real.content)) == (404, bare(random.content))


@pytest.mark.parametrize("role", ["other_member", "reviewer"])
@pytest.mark.parametrize(
    "path",
    [
        "facts/{fact_id}/",
        "episodes/{episode_id}/",
        "?subject={subject}",
        "?after={fact_id}",
        "?before={fact_id}",
        "refused/?after={refusal}",
        "conflicts/?after={conflict}",
        "episodes/?after={episode_id}",
    ],
)
def test_foreign_id_under_another_person_is_missing_like_a_random_one(path: str, role: str, as_: As, ids: Ids):
    member = ids["member"]
    fact = factories.make_fact(member)
    foreign = ids | {
        "subject": fact.entity_id,
        "refusal": factories.make_refusal(member).pk,
        "conflict": factories.make_conflict(member, fact).pk,
    }
    client = as_(role)

    real = client.get("/people/jonas/" + path.format(**foreign))
    random = client.get("/people/jonas/" + path.format(**dict.fromkeys(foreign, 2**62)))

    assert (real.status_code, bare(real.content)) == (404, bare(random.content))


@pytest.mark.parametrize(
    "path",
    [
        "/people/maya/?status=imagined",
        "/people/maya/?kind=imagined",
        "/people/maya/?subject=x",
        "/people/maya/?subject=-1",
        "/people/maya/?subject=٣",
        "/people/maya/?after=99999999999999999999999999",
        "/people/maya/?after=1&before=1",
        "/people/maya/facts/99999999999999999999999999/",
        "/people/maya/episodes/99999999999999999999999999/",
        "/people/maya/episodes/{episode_id}/?from=2",
        "/people/maya/refused/?reason=imagined",
        "/people/%00/",
        "/people/~6Daya/",
        "/jobs/?state=imagined",
        "/jobs/?after=99999999",
    ],
)
def test_address_that_makes_no_sense_is_missing(path: str, as_: As, ids: Ids):
    response = as_("reviewer").get(path.format(**ids))

    assert response.status_code == 404


@pytest.mark.parametrize("route", [route for route, row in MATRIX.items() if row in {PERSONS, STAFF}])
def test_page_with_content_is_not_stored_anywhere(route: str, as_: As, ids: Ids):
    response = as_("reviewer").get(address(route, ids))

    assert response["Cache-Control"] == "private, no-store"


def test_page_forbids_all_but_its_own_scripts_and_styles(as_: As, member: User):
    response = as_("member").get("/people/maya/")

    policy = dict(part.split(" ", 1) for part in response["Content-Security-Policy"].split("; "))
    assert (policy["default-src"], policy["script-src"], policy["style-src"]) == ("'none'", "'self'", "'self'")


def test_expired_session_sends_htmx_to_sign_in(as_: As):
    headers = {"HX-Request": "true", "HX-Current-URL": "http://testserver/people/maya/?status=all"}

    response = as_("anonymous").get("/people/maya/", headers=headers)

    assert response["HX-Redirect"] == "/login/?next=/people/maya/%3Fstatus%3Dall"
