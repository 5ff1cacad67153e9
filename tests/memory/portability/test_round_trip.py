"""Out and back: the same memory under other numbers, which folding anew does not change."""

import hashlib
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import transaction
from psycopg.errors import LockNotAvailable

from memory import (
    believing,
    clock,
    demo,
    embedding,
    forgetting,
    incoming,
    ingest,
    jobs,
    pipeline,
    policies,
    portability,
    scope,
    upkeep,
)
from memory.models import Candidate, ErasureRequest, Fact, Label, PersonsRuling, Remark, Rule, User
from memory.portability import reviewed
from memory.types import ERASED, Verb
from reviewer import embedded
from tests import databases, filling, labelled
from tests.dialogue import end_state
from tests.factories import WHEN, make_user
from tests.memory.forgetting.living import claim, fact, facts, lives, living_in, tell

pytestmark = pytest.mark.django_db(transaction=True)


def _export(user: User, folder: Path) -> Path:
    path = folder / "memory.zip"
    path.write_bytes(b"".join(portability.export(user.pk)))
    return path


def _move(user: User, folder: Path) -> User:
    """Exported, removed without a trace, restored."""
    path = _export(user, folder)
    with scope.staff():
        User.objects.filter(pk=user.pk).delete()
    return portability.restore(path)


def _document(path: Path) -> dict[str, Any]:
    with zipfile.ZipFile(path) as archive:
        document: dict[str, Any] = json.loads(archive.read("memory.json"))
        return document


def _talkative() -> User:
    """Someone with facts of every status, a conflict, rulings, a rule and a request."""
    user = living_in("Oslo", "Bergen", "Rome")
    tell(user, "I live in Turin.", claims=[lives("Turin")], day=20)
    for number, word in enumerate(("tea", "jazz", "chess")):
        tell(
            user, f"I like {word}.", claims=[claim(f"I like {word}.", predicate="likes", object=word)], day=30 + number
        )
    tell(
        user,
        "Bo works at Acme.",
        claims=[claim("Bo works at Acme.", subject="Bo", predicate="works_at", object="Acme")],
    )
    tell(
        user,
        "Maybe I will sail.",
        claims=[claim("Will sail.", predicate="does", object="sail", quote="Maybe I will sail.")],
    )
    guess = {"basis": "inferred", "object": "snooker"}
    tell(
        user,
        "Snooker was on again.",
        claims=[claim("Watches snooker.", predicate="watches", quote="Snooker was on again.") | guess],
    )
    tell(user, "Forget my jazz.", day=40)
    tea, chess = fact(user, "tea").pk, fact(user, "chess").pk
    with scope.user(user.pk):
        forgetting.retire(user.pk, [chess], actor=user, verb=Verb.CLOSE)
        forgetting.decline(user.pk, "my health")
        Fact.objects.filter(pk=tea).update(is_pinned=True)
    return user


def test_same_memory_comes_back(tmp_path: Path) -> None:
    user = _talkative()
    before = end_state(user.pk)
    assert {status for _, status in facts(user)} >= {"active", "superseded", "conflicted", "retracted"}

    restored = _move(user, tmp_path)

    assert end_state(restored.pk) == before
    assert restored.pk != user.pk


def test_restored_memory_exports_the_same_again(tmp_path: Path) -> None:
    user = _talkative()
    first = _document(_export(user, tmp_path))

    second = _document(_export(_move(user, tmp_path), tmp_path))

    assert _unnumbered(second) == _unnumbered(first)


def _unnumbered(document: Any) -> Any:
    """Numbers in the order of their coming, apart by section; both exports name rows in one order."""
    given: dict[int, int] = {}

    def renumber(value: Any, key: str = "") -> Any:
        if isinstance(value, dict):
            return {name: renumber(part, name) for name, part in value.items()}
        if isinstance(value, list):
            return [renumber(part, key) for part in value]
        is_number = key in NUMBERS and isinstance(value, int)
        return given.setdefault(value, len(given)) if is_number else value

    return {name: renumber(rows) for name, rows in document.items() if name == "user"} | {
        name: [{key: value for key, value in row.items() if key not in NUMBERS} for row in rows]
        for name, rows in document.items()
        if isinstance(rows, list)
    }


NUMBERS = {
    *(
        "id",
        "entity",
        "superseded_by",
        "episode",
        "candidate",
        "claim",
        "fact",
        "against",
        "about",
        "known",
        "new",
        "base",
    ),
    *("conflict", "winner", "claims", "facts", "ruling", "remark"),
}


def test_folding_anew_after_restoring_changes_nothing(tmp_path: Path) -> None:
    restored = _move(_talkative(), tmp_path)
    before = end_state(restored.pk)

    with scope.user(restored.pk):
        keys = {
            believing.Key(*key)
            for key in Candidate.objects.claims().exclude(entity=None).values_list("entity", "predicate", "slot")
        }
        believing.refold(restored.pk, keys, policy=policies.current())
        upkeep.lapse_one(policies.current(), restored.pk, today=clock.now().date())

    assert end_state(restored.pk) == before


def test_rulings_rules_and_requests_still_hold_after_restoring(tmp_path: Path) -> None:
    restored = _move(_talkative(), tmp_path)
    jazz = fact(restored, "jazz").pk

    with scope.user(restored.pk):
        assert [*Rule.objects.values_list("topic", flat=True)] == ["my health"]
        assert [*ErasureRequest.objects.values_list("facts", flat=True)] == [[jazz]]
        ruled = {pk for claims in PersonsRuling.objects.values_list("claims", flat=True) for pk in claims}
        assert ruled <= {*Candidate.objects.values_list("pk", flat=True)}
        forgetting.restore(restored.pk, [jazz], actor=restored)

    assert ("jazz", "active") in facts(restored)


def test_restored_user_cannot_sign_in_by_an_old_password(tmp_path: Path) -> None:
    user = living_in("Oslo")

    restored = _move(user, tmp_path)

    assert (restored.has_usable_password(), str(restored.access)) == (False, "member")


def test_request_of_which_part_was_erased_keeps_the_rest(tmp_path: Path) -> None:
    user = living_in("Oslo")
    with scope.user(user.pk):
        kept = Fact.objects.get().pk
        ErasureRequest.objects.create(user=user, facts=[kept, 10**9])

    restored = _move(user, tmp_path)

    with scope.user(restored.pk):
        assert ErasureRequest.objects.get().facts == [Fact.objects.get().pk]


class _Embedder:
    name, dimensions = "two", 2

    def embed(self, texts: Any, *, is_query: bool = False) -> list[list[float]]:  # noqa: ARG002 - the Protocol's
        return [[1.0, 0.0] for _ in texts]


def test_vectors_are_made_again_after_restoring(tmp_path: Path) -> None:
    user = living_in("Oslo")
    embedding.refresh(_Embedder(), user_id=user.pk)

    restored = _move(user, tmp_path)
    with scope.user(restored.pk):
        before = Fact.objects.filter(embedding=None).count()
    embedding.refresh(_Embedder(), user_id=restored.pk)

    with scope.user(restored.pk):
        assert (before, Fact.objects.filter(embedding=None).count()) == (1, 0)


def test_every_column_that_travels_comes_back(tmp_path: Path) -> None:
    user = make_user(language="fi", time_zone="Asia/Tokyo", display_name="Aino", is_paused=True, subject="Aino")
    rows = filling.fill(user)
    with scope.user(user.pk):
        ErasureRequest.objects.update(topic=ERASED)  # they are answered
    labelled.add_items(
        labelled.make_sample(), "stale", user=user, fact_id=rows[Fact][0].pk, candidate_id=rows[Candidate][0].pk
    )
    first = _document(_export(user, tmp_path))

    second = _document(_export(_move(user, tmp_path), tmp_path))

    assert _unnumbered(second) == _unnumbered(first)
    assert min(len(rows) for name, rows in first.items() if isinstance(rows, list)) > 0


def test_reviewers_labels_come_back_without_who_gave_them(tmp_path: Path) -> None:
    user, reviewer = living_in("Oslo"), make_user("reviewer", access="reviewer")
    oslo = fact(user, "Oslo")
    with scope.user(user.pk):
        forgetting.retire(user.pk, [oslo.pk], actor=reviewer)
        links = {"ruling": PersonsRuling.objects.get(), "remark": Remark.objects.create(user=user, fact=oslo, note="?")}
    sample, other = labelled.make_sample(), labelled.make_sample(closed_at=None)
    labelled.add_items(sample, "incorrect", user=user, fact_id=oslo.pk, by=[reviewer])
    labelled.add_items(other, "stale", user=user, fact_id=oslo.pk)
    labelled.add_items(other, "correct", user=user, fact_id=oslo.pk, gold="correct", candidate_id=_claim(user))
    with scope.staff():
        Label.objects.filter(verdict="incorrect").update(**links)

    restored = _move(user, tmp_path)

    with scope.staff():
        found = Label.objects.filter(user=restored).order_by("pk").select_related("item__sample", "ruling", "remark")
        told = [(row.verdict, row.at, row.reviewer, row.item.sample.name, row.item.sample.is_random) for row in found]
        linked = found[0].item.fact, found[0].ruling, found[0].remark
    assert told == [(verdict, WHEN, None, reviewed.NAME, False) for verdict in ("incorrect", "stale")]
    with scope.user(restored.pk):
        assert linked == (Fact.objects.get(), PersonsRuling.objects.get(), Remark.objects.get())


def test_export_of_an_older_make_comes_back(tmp_path: Path) -> None:
    user = _talkative()
    with scope.user(user.pk):
        Remark.objects.bulk_create(Remark(user=user, fact=fact, note="?") for fact in Fact.objects.all())
    before = end_state(user.pk)
    path = _export(user, tmp_path)
    _make_older(path)
    with scope.staff():
        User.objects.filter(pk=user.pk).delete()

    restored = portability.restore(path)

    assert end_state(restored.pk) == before
    with scope.user(restored.pk):
        assert [*ErasureRequest.objects.values_list("topic", "language", "said_at", "marks")] == [("", "", None, [])]
        assert Remark.objects.count() == Fact.objects.count()


def _make_older(path: Path) -> None:
    """As exports were before requests stood, remarks had numbers and reviewers' labels travelled."""
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    document, manifest = json.loads(parts["memory.json"]), json.loads(parts["manifest.json"])
    del document["reviews"], manifest["counts"]["reviews"]
    for row in document["remarks"]:
        del row["id"]
    for row in document["erasure_requests"]:
        del row["topic"], row["language"], row["said_at"]
    parts["memory.json"] = json.dumps(document).encode()
    manifest["files"]["memory.json"]["sha256"] = hashlib.sha256(parts["memory.json"]).hexdigest()
    parts["manifest.json"] = json.dumps(manifest).encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)


def test_open_request_still_covers_what_comes_in_after_restoring(tmp_path: Path) -> None:
    restored = _move(_talkative(), tmp_path)

    tell(restored, "I play jazz.", claims=[claim("I play jazz.", predicate="plays", object="jazz")], day=35)

    assert [status for object_, status in facts(restored) if object_ == "jazz"] == ["retracted", "retracted"]


def _claim(user: User) -> int:
    with scope.user(user.pk):
        return int(Candidate.objects.get().pk)


def test_labels_of_others_do_not_travel(tmp_path: Path) -> None:
    user, other = living_in("Oslo"), living_in("Rome")
    labelled.add_items(labelled.make_sample(), "correct", user=other, fact_id=fact(other, "Rome").pk)

    assert _document(_export(user, tmp_path))["reviews"] == []


def test_nobody_counts_rows_before_all_are_there(tmp_path: Path) -> None:
    user = living_in("Oslo")
    path = _export(user, tmp_path)
    with scope.staff():
        User.objects.filter(pk=user.pk).delete()

    with databases.administration(embedded.ensure(), str(settings.DATABASES["default"]["NAME"])) as admin:
        admin.execute("SET lock_timeout = '50ms'")
        with transaction.atomic():
            portability.restore(path)

            with pytest.raises(LockNotAvailable):
                admin.execute("ANALYZE memory_candidate")


def test_demo_comes_back_as_it_was(tmp_path: Path) -> None:
    """One of the demo's people, with what patterns find in their conversations."""
    user = make_user(demo.member())
    for raw in demo.episodes():
        if raw["user"] == user.external_id:
            ingest.store(user, incoming.prepare(raw), is_import=True)
    jobs.request([user.pk])
    while pipeline.process(user.pk, pipeline.Engine()):
        pass
    before = end_state(user.pk)

    restored = _move(user, tmp_path)

    assert end_state(restored.pk) == before
    assert len(before["facts"]) > 5
