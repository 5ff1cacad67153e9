"""Export and forgetting, by staff for a person."""

import io
import zipfile

import pytest

from memory import scope
from memory.models import Entity, Fact, User
from tests import factories
from tests.reviewer import reading
from tests.reviewer.reading import As

PATH = "/people/maya/leaving/"


@pytest.fixture
def anna(member: User) -> Entity:
    entity = factories.make_entity(member, "Anna", "sister")
    factories.make_fact(member, "Anna lives in Oslo", entity=entity, subject="Anna")
    return entity


def count(user: User) -> int:
    with scope.staff():
        return Fact.objects.filter(user=user).count()


@pytest.mark.django_db(transaction=True)  # from a snapshot, which opens first
def test_export_is_the_whole_memory(anna: Entity, as_: As):
    response = as_("reviewer").get(f"{PATH}export/")

    archive = zipfile.ZipFile(io.BytesIO(b"".join(response.streaming_content)))
    assert sorted(archive.namelist()) == ["facts.csv", "facts.md", "manifest.json", "memory.json"]
    assert "Anna lives in Oslo" in archive.read("memory.json").decode()


def test_preview_of_a_subject_takes_nothing(anna: Entity, member: User, as_: As):
    factories.make_fact(member, "Lives in Kiel")

    response = as_("reviewer").get(f"{PATH}subject/", {"subject": "Anna"})

    assert reading.found(response, r'<li dir="auto">(.*?)</li>') == ["Anna lives in Oslo"]
    assert count(member) == 2


def test_subject_is_erased_and_nothing_else(anna: Entity, member: User, as_: As):
    factories.make_fact(member, "Lives in Kiel", object="Kiel", object_key="kiel")
    client = as_("reviewer")
    shown = client.get(f"{PATH}subject/", {"subject": "Anna"})
    chosen = reading.found(shown, r'name="fact" value="(\d+)"')

    statuses = [client.post(f"{PATH}subject/", {"fact": chosen}).status_code for _ in range(2)]

    assert (statuses, count(member)) == ([302, 302], 1)


def test_subject_that_nobody_knows_is_told(as_: As, member: User):
    response = as_("reviewer").get(f"{PATH}subject/", {"subject": "Nobody"})

    assert reading.found(response, r"<h2>(.*?)</h2>") == ["Nothing is known about that"]


def test_fact_of_another_is_not_erased(anna: Entity, other_member: User, member: User, as_: As):
    foreign = factories.make_fact(other_member, "Lives in Oslo")

    as_("reviewer").post(f"{PATH}subject/", {"fact": [foreign.pk]})

    assert (count(member), count(other_member)) == (1, 1)


@pytest.mark.parametrize("typed", ["", "Maya", "jonas", "maya "])
def test_person_is_forgotten_only_when_named_exactly(typed: str, anna: Entity, member: User, as_: As):
    response = as_("admin").post(f"{PATH}everything/", {"typed": typed})

    is_named = typed.strip() == "maya"
    with scope.staff():
        assert User.objects.filter(pk=member.pk).exists() is not is_named
    assert response.status_code == (302 if is_named else 200)


def test_preview_of_everything_counts_by_table(anna: Entity, as_: As):
    response = as_("admin").get(f"{PATH}everything/")

    assert reading.found(response, r"<dt>Facts</dt><dd>(\d+)</dd>") == ["1"]


def test_admin_does_not_forget_themselves(staff: dict[str, User], as_: As):
    response = as_("admin").post("/people/ada/leaving/everything/", {"typed": "ada"})

    assert response.status_code == 200
    with scope.staff():
        assert User.objects.filter(external_id="ada").exists()


@pytest.mark.parametrize("role", ["member", "other_member", "reviewer"])
def test_only_admins_forget_a_person(role: str, member: User, as_: As):
    response = as_(role).post(f"{PATH}everything/", {"typed": "maya"})

    assert response.status_code == 403
    with scope.staff():
        assert User.objects.filter(pk=member.pk).exists()
