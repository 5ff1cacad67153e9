"""Taking everything along, and being forgotten."""

import io
import json
import zipfile

import pytest

from memory import scope
from memory.models import Departure, Fact, Receipt, User
from tests import factories
from tests.reviewer.api.conftest import Agent, Keyed


@pytest.mark.django_db(transaction=True)
def test_export_is_an_archive_of_this_person_alone(agent: Agent):
    maya, jonas = factories.make_user("maya"), factories.make_user("jonas")
    factories.make_believed(maya)
    factories.make_believed(jonas, "Likes zebras", "likes", "zebras")

    answer = agent("get", "maya/export")

    with zipfile.ZipFile(io.BytesIO(answer.body)) as archive:
        content = {name: archive.read(name) for name in archive.namelist()}
    counts = json.loads(content["manifest.json"])["counts"]
    assert sorted(content) == ["facts.csv", "facts.md", "manifest.json", "memory.json"]
    assert counts["facts"] == 1
    assert [name for name, raw in content.items() if b"zebras" in raw] == []
    assert answer.headers["Content-Disposition"] == 'attachment; filename="memory.zip"'


@pytest.mark.django_db
@pytest.mark.parametrize("query", ["", "?confirm=", "?confirm=jonas", "?confirm=MAYA"])
def test_forgetting_without_the_name_once_more_forgets_nothing(query: str, agent: Agent):
    factories.make_believed(factories.make_user("maya"))

    answer = agent("delete", f"maya/memory{query}")

    assert (answer.status, User.objects.count()) == (422, 1)


@pytest.mark.django_db
def test_forgetting_is_shown_before_and_complete(agent: Agent):
    factories.make_believed(factories.make_user("maya"))

    shown = agent("delete", "maya/memory?preview=true")
    done = agent("delete", "maya/memory?confirm=maya")

    assert (shown.body["erased"], shown.body["counts"]["fact"]) == (False, 1)
    assert (done.body["erased"], done.body["counts"]) == (True, shown.body["counts"])
    with scope.staff():
        assert (User.objects.count(), Fact.objects.count(), Departure.objects.count()) == (0, 0, 1)
        assert Receipt.objects.get().actor == f"key {agent.token.split('_')[1]}"


@pytest.mark.django_db
def test_forgotten_persons_own_key_ends(keyed: Keyed):
    agent = keyed(user=factories.make_user("maya"))

    agent("delete", "maya/memory?confirm=maya")

    assert agent("get", "maya/facts").status == 401


@pytest.mark.django_db
@pytest.mark.parametrize("access", ["reviewer", "admin"])
def test_login_of_staff_is_neither_removed_nor_let_in(access: str, agent: Agent):
    factories.make_login(access, "rita")

    forgotten, link = agent("delete", "rita/memory?confirm=rita"), agent("post", "rita/portal")

    assert (forgotten.status, link.status, User.objects.count()) == (403, 403, 1)
