"""The names of a person's people and things."""

import pytest

from memory import scope
from memory.models import Alias, Dismissal, Entity, User
from tests import factories
from tests.reviewer import reading
from tests.reviewer.reading import As

PATH = "/people/maya/names/"
HTMX = {"HX-Request": "true"}


@pytest.fixture
def katherine(member: User) -> Entity:
    return make(member, "Katherine")


@pytest.fixture
def kate(member: User) -> Entity:
    return make(member, "Kate")


def make(user: User, name: str) -> Entity:
    entity = factories.make_entity(user, name)
    factories.make_fact(user, f"{name} is known", entity=entity, object=name, object_key=name.lower())
    return entity


def pairs(response) -> list[str]:  # noqa: ANN001 - a test client's
    return reading.found(response, r'<p class="names">(.*?)</p>')


def test_names_are_listed_with_how_much_is_known(katherine: Entity, as_: As):
    response = as_("reviewer").get(PATH)

    assert reading.links(response, "<bdi>Katherine</bdi>") == [f"/people/maya/?subject={katherine.pk}&status=all"]
    assert reading.found(response, r'<td class="number"[^>]*>(\d+)</td>') == ["1", "1"]


def test_likely_names_are_suggested_with_the_reason(katherine: Entity, kate: Entity, as_: As):
    response = as_("reviewer").get(PATH)

    assert len(pairs(response)) == 1
    assert reading.found(response, r'<p class="note">(.*?)</p>') == ["forms of one given name"]


def test_search_finds_names_notes_and_aliases(katherine: Entity, kate: Entity, member: User, as_: As):
    with scope.user(member.pk):
        Alias.objects.create(user=member, entity=katherine, alias="Kitty", alias_key="kitty")

    response = as_("reviewer").get(PATH, {"q": "kitt"})

    assert reading.found(response, r'<th scope="row"><a [^>]*><bdi>(.*?)</bdi>') == ["Katherine"]


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_alias_is_given_and_taken_off(headers: dict[str, str], katherine: Entity, as_: As):
    client = as_("reviewer")

    given = client.post(f"{PATH}{katherine.pk}/alias/", {"alias": "Kitty"}, headers=headers, follow=True)
    with scope.staff():
        alias = Alias.objects.get()
    taken = client.post(f"{PATH}aliases/{alias.pk}/remove/", headers=headers, follow=True)

    assert reading.found(given, r"<bdi>(Kitty)</bdi>") == ["Kitty"]
    assert reading.found(taken, r"<bdi>(Kitty)</bdi>") == []
    with scope.staff():
        assert not Alias.objects.exists()


def test_taking_a_name_off_twice_is_told(katherine: Entity, as_: As):
    response = as_("reviewer").post(f"{PATH}aliases/1/remove/", follow=True)

    assert reading.found(response, r'<p class="notice info"[^>]*>(.*?)</p>') == [
        "That name has been taken off already."
    ]


def test_name_that_cannot_be_is_told_why(katherine: Entity, as_: As):
    response = as_("reviewer").post(f"{PATH}{katherine.pk}/alias/", {"alias": "Katherine"}, follow=True)

    assert reading.found(response, r'<p class="notice error"[^>]*>(.*?)</p>') == ["That is its name already."]


def test_pair_said_to_be_one_is_one(katherine: Entity, kate: Entity, as_: As):
    response = as_("reviewer").post(f"{PATH}{katherine.pk}/same/", {"other": kate.pk}, headers=HTMX)

    assert response.content.lstrip().startswith(b'<div id="entities"')
    with scope.staff():
        assert list(Alias.objects.values_list("alias", "entity")) == [("Kate", katherine.pk)]


def test_pair_said_to_be_two_is_asked_about_no_more_until_asked_again(katherine: Entity, kate: Entity, as_: As):
    client = as_("reviewer")

    for _ in range(2):
        after = client.post(f"{PATH}{katherine.pk}/different/", {"other": kate.pk}, follow=True)
    with scope.staff():
        dismissal = Dismissal.objects.get()
    again = client.post(f"{PATH}dismissed/{dismissal.pk}/undo/", follow=True)

    assert (len(pairs(after)), len(pairs(again))) == (0, 1)


@pytest.mark.parametrize("act", ["same", "different"])
@pytest.mark.parametrize("other", ["", "x", "-1", str(2**62)])
def test_pair_with_nobody_changes_nothing(act: str, other: str, katherine: Entity, as_: As):
    response = as_("reviewer").post(f"{PATH}{katherine.pk}/{act}/", {"other": other}, follow=True)

    assert len(reading.found(response, r'<p class="notice error"[^>]*>(.*?)</p>')) == 1
    with scope.staff():
        assert (Alias.objects.count(), Dismissal.objects.count()) == (0, 0)


@pytest.mark.parametrize("act", ["same", "different"])
def test_entities_of_another_person_are_not_touched(act: str, katherine: Entity, other_member: User, as_: As):
    own = make(other_member, "Kate")

    as_("reviewer").post(f"/people/jonas/names/{katherine.pk}/{act}/", {"other": own.pk})

    with scope.staff():
        assert (Alias.objects.count(), Dismissal.objects.count()) == (0, 0)


@pytest.mark.parametrize("role", ["member", "other_member"])
def test_members_change_nothing(role: str, katherine: Entity, as_: As):
    response = as_(role).post(f"{PATH}{katherine.pk}/alias/", {"alias": "Kitty"})

    assert response.status_code == 403
    with scope.staff():
        assert not Alias.objects.exists()


def test_number_of_statements_does_not_grow(member: User, as_: As):
    client = as_("reviewer")
    make(member, "Anna")
    one = reading.queries(client, PATH)
    for number in range(29):
        make(member, f"Somebody {number}")

    assert reading.queries(client, PATH) == one
