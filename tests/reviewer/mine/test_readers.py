"""Who looked, on the member's page."""

import pytest

from memory import keys, scope
from memory.models import Decided, Recalled, StaffRead, User
from tests.reviewer.reading import As, found, queries, text


@pytest.fixture
def looks(member: User, staff: dict[str, User]) -> None:
    key, _ = keys.create("Kitchen assistant", scopes=[keys.Scope.RECALL])
    with scope.user(member.pk):
        StaffRead.objects.create(user=member, reader=staff["reviewer"], page="person")
        Recalled.objects.create(user=member, facts=[], actor=f"key {key.prefix}")
        Decided.objects.create(
            user=member, dimension="tone", value="casual", without="default", because=[], actor=f"key {key.prefix}"
        )


def test_staff_and_assistants_are_named_with_what_they_did(as_: As, looks: None):
    said = text(as_("member").get("/mine/readers/"))

    told = ["Rita", "looked at your memory: what is known", "Kitchen assistant", "looked something up to answer you"]
    assert [word in said for word in [*told, "decided how to answer you", "checks memories"]] == [True] * 6


def test_looks_of_one_reader_on_a_day_are_told_once_with_what_they_saw(as_: As, member: User, staff: dict[str, User]):
    with scope.user(member.pk):
        for page in ("person", "person", "fact", "episode", "health"):
            StaffRead.objects.create(user=member, reader=staff["reviewer"], page=page)

    response = as_("member").get("/mine/readers/")

    assert found(response, r"<strong[^>]*>(.*?)</strong>") == ["Rita"]
    assert found(response, r"<li>(looked at .*?)</li>") == [
        "looked at your memory: how it is doing, conversations, what is known (3)"
    ]
    assert len(found(response, r"<li>(5 times, the last at .*?)</li>")) == 1


def test_looks_at_another_are_not_shown(as_: As, looks: None):
    assert "Nobody has looked yet" in text(as_("other_member").get("/mine/readers/"))


def test_looking_at_the_page_is_no_look(as_: As, member: User):
    client = as_("member")

    client.get("/mine/")

    assert "Nobody has looked yet" in text(client.get("/mine/readers/"))


def test_look_of_staff_at_the_persons_page_is_told(as_: As, member: User):
    as_("reviewer").get("/people/maya/")

    assert found(as_("member").get("/mine/readers/"), r"<strong[^>]*>(.*?)</strong>") == ["Rita"]


@pytest.mark.parametrize("before", ["x", "2026-13-01", "-1", "9999-99-99"])
def test_day_that_is_none_is_missing(before: str, as_: As):
    assert as_("member").get(f"/mine/readers/?before={before}").status_code == 404


def test_page_takes_as_many_statements_for_many_looks_as_for_one(as_: As, member: User, looks: None):
    client = as_("member")
    client.get("/mine/readers/")
    one = queries(client, "/mine/readers/")
    with scope.user(member.pk):
        Recalled.objects.bulk_create(Recalled(user=member, facts=[], actor=f"key {n}") for n in range(30))

    assert queries(client, "/mine/readers/") == one
