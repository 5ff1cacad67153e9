"""Who may call what, as data. An operation without a row fails."""

import urllib.parse
from typing import Any, NamedTuple

import pytest

from memory import keys, scope
from memory.models import User
from reviewer.api import api
from tests import factories
from tests.reviewer.api.conftest import Agent, Keyed


class Row(NamedTuple):
    """The scope that a call needs, what it answers then, and with what body. Ids are those of `maya`."""

    scope: str
    status: int
    body: Any = None
    query: str = ""


EPISODE = {"external_id": "e1", "turns": [{"role": "user", "content": "I live in Oslo."}]}
USER = "/users/{external_id}"
MATRIX = {
    ("POST", f"{USER}/episodes"): Row("ingest", 202, EPISODE),
    ("GET", f"{USER}/episodes/{{episode_id}}"): Row("ingest", 200),
    ("POST", f"{USER}/recall"): Row("recall", 200, {"query": "where does she live?"}),
    ("POST", f"{USER}/answer"): Row("recall", 503, {"question": "where does she live?"}),
    ("POST", f"{USER}/decide"): Row("recall", 200, {}),
    ("GET", f"{USER}/facts"): Row("recall", 200),
    ("GET", f"{USER}/facts/{{fact_id}}"): Row("recall", 200),
    ("PATCH", f"{USER}/facts/{{fact_id}}"): Row("manage", 200, {"status": "retracted"}),
    ("DELETE", f"{USER}/facts/{{fact_id}}"): Row("manage", 200),
    ("GET", f"{USER}/conflicts"): Row("recall", 200),
    ("PUT", USER): Row("manage", 200, {"display_name": "Maya"}),
    ("PATCH", USER): Row("manage", 200, {"display_name": "Maya"}),
    ("GET", f"{USER}/export"): Row("manage", 200),
    ("DELETE", f"{USER}/memory"): Row("manage", 200, query="?confirm=maya"),
    ("POST", f"{USER}/portal"): Row("manage", 201),
}
CALLS = sorted(MATRIX)
SCOPES = {"ingest", "recall", "manage"}
ONE = [call for call in CALLS if "_id}" in call[1].replace("external_id", "")]


@pytest.fixture
def maya(transactional_db: None) -> User:
    return factories.make_user("maya")


@pytest.fixture
def jonas(transactional_db: None) -> User:
    return factories.make_user("jonas")


@pytest.fixture
def ids(maya: User) -> dict[str, Any]:
    fact = factories.make_believed(maya)
    with scope.user(maya.pk):
        episode = fact.claims.get().episode_id
    return {"external_id": "maya", "fact_id": fact.pk, "episode_id": episode}


def ask(agent: Agent, call: tuple[str, str], ids: dict[str, Any]) -> Any:
    row = MATRIX[call]
    return agent(call[0], "/api/v1" + call[1].format(**ids) + row.query, row.body)


def told(answer: Any) -> tuple[int, Any, str]:
    return answer.status, answer.body, answer.headers["Content-Type"]


def test_operations_each_have_a_row():
    paths = api.get_openapi_schema()["paths"]

    found = {(method.upper(), path.removeprefix("/api/v1")) for path, calls in paths.items() for method in calls}

    assert found == set(MATRIX)


@pytest.mark.parametrize("call", CALLS)
def test_call_with_its_scope_is_answered_for_everybodys_and_for_the_persons_key(
    call: tuple[str, str], keyed: Keyed, ids: dict[str, Any], maya: User
):
    row = MATRIX[call]
    agent = keyed(row.scope, user=maya if call[0] == "DELETE" else None)

    answer = ask(agent, call, ids)

    assert answer.status == row.status


@pytest.mark.parametrize("call", CALLS)
def test_call_without_its_scope_is_not_allowed(call: tuple[str, str], keyed: Keyed, ids: dict[str, Any]):
    others = SCOPES - {MATRIX[call].scope}

    answer = ask(keyed(*others), call, ids)

    assert (answer.status, answer.body["type"]) == (403, "urn:assay:problem:not-allowed")


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("token", ["", "nonsense", "assay_", "assay_00000000_" + "x" * 43, "assay_0_\x80", "revoked"])
def test_call_without_a_valid_key_is_told_so(call: tuple[str, str], token: str, ids: dict[str, Any]):
    if token == "revoked":
        key, token = keys.create("old", scopes=keys.Scope)
        keys.revoke(key.prefix)

    answer = ask(Agent(token), call, ids)

    assert (answer.status, answer.headers["WWW-Authenticate"]) == (401, "Bearer")


@pytest.mark.parametrize("call", CALLS)
def test_key_for_another_person_cannot_tell_one_from_nobody(
    call: tuple[str, str], keyed: Keyed, ids: dict[str, Any], jonas: User
):
    agent = keyed(user=jonas)

    real = ask(agent, call, ids)
    random = ask(agent, call, ids | {"external_id": "nobody-at-all"})

    assert (told(real), real.status) == (told(random), 404)


@pytest.mark.parametrize("call", ONE)
def test_foreign_id_under_ones_own_person_is_missing_like_a_random_one(
    call: tuple[str, str], keyed: Keyed, ids: dict[str, Any], jonas: User
):
    agent = keyed(user=jonas)

    real = ask(agent, call, ids | {"external_id": "jonas"})
    random = ask(agent, call, {"external_id": "jonas", "fact_id": 2**62, "episode_id": 2**62})
    over = ask(agent, call, {"external_id": "jonas", "fact_id": 2**80, "episode_id": 2**80})

    assert (told(real), told(over), real.status) == (told(random), told(random), 404)


def test_foreign_episode_id_in_a_body_is_ones_own_new_episode(keyed: Keyed, ids: dict[str, Any], jonas: User):
    own = keyed()("post", "maya/episodes", EPISODE)

    answer = keyed("ingest", user=jonas)("post", "jonas/episodes", EPISODE)

    assert (own.status, answer.status, answer.body["arrival"]) == (202, 202, "created")


@pytest.mark.parametrize("query", ["after={fact_id}", "subject=maya", "status=all"])
def test_foreign_things_in_filters_find_nothing(query: str, keyed: Keyed, ids: dict[str, Any], jonas: User):
    answer = keyed("recall", user=jonas)("get", f"jonas/facts?{query.format(**ids)}")

    assert answer.body == {"facts": [], "next": None}


def test_recall_for_one_person_brings_nothing_of_another(keyed: Keyed, ids: dict[str, Any], jonas: User):
    answer = keyed("recall", user=jonas)("post", "jonas/recall", {"query": "Oslo", "subject": "maya"})

    assert (answer.body["facts"], answer.body["episodes"]) == ([], [])


@pytest.mark.parametrize(
    "name", ["a/b", "..", ".", "x~y", "a~2Fb", "maya@example.com", "ключ", "ascii space", "50%", "q?x#y"]
)
def test_external_id_of_any_kind_has_an_address(name: str, agent: Agent):
    spelled = name.replace("~2F", "~7E2F").replace("/", "~2F")
    spelled = spelled.replace(".", "~2E") if not name.strip(".") else spelled
    answer = agent("put", urllib.parse.quote(spelled, safe="~"), {})

    assert (answer.status, answer.body["external_id"]) == (201, name)
