"""Exports that are damaged, forged or not ours: a clear error, and nothing is written."""

import hashlib
import json
import zipfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from memory import forgetting, portability, scope
from memory.errors import AssayError, Departed, Unreadable
from memory.models import Candidate, Entity, Episode, Fact, Sample, User
from memory.portability import reading
from tests import labelled
from tests.memory.forgetting.living import fact, facts, living_in

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def export(tmp_path: Path) -> Path:
    """Of someone who is here no longer."""
    path = tmp_path / "memory.zip"
    path.write_bytes(_exported())
    return path


@cache
def _exported() -> bytes:
    user = living_in("Oslo", "Bergen")
    labelled.add_items(labelled.make_sample(), "correct", user=user, fact_id=fact(user, "Oslo").pk)
    content = b"".join(portability.export(user.pk))
    with scope.staff():
        User.objects.filter(pk=user.pk).delete()
        Sample.objects.all().delete()
    return content


def _written() -> list[int]:
    with scope.staff():
        return [model._default_manager.count() for model in (User, Entity, Episode, Fact, Candidate, Sample)]


def _parts(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def _pack(path: Path, parts: dict[str, bytes]) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)


def _forge(path: Path, change: Callable[[dict[str, Any], dict[str, Any]], None]) -> None:
    """Changes document and manifest, and makes the hashes agree, as whoever forges one would."""
    parts = _parts(path)
    document, manifest = json.loads(parts["memory.json"]), json.loads(parts["manifest.json"])
    change(document, manifest)
    parts["memory.json"] = json.dumps(document).encode()
    if "files" in manifest:
        manifest["files"]["memory.json"] = {"sha256": hashlib.sha256(parts["memory.json"]).hexdigest()}
    parts["manifest.json"] = json.dumps(manifest).encode()
    _pack(path, parts)


@pytest.mark.parametrize("left", [0, 10, 200, -1, -30])
def test_file_that_was_cut_short_is_refused(export: Path, left: int) -> None:
    export.write_bytes(export.read_bytes()[:left])

    with pytest.raises(Unreadable):
        portability.restore(export)

    assert sum(_written()) == 0


@pytest.mark.parametrize("place", [0.02, 0.1, 0.2, 0.3, 0.5, 0.6, 0.9])
def test_file_with_a_changed_byte_gives_the_same_memory_or_none(export: Path, place: float) -> None:
    """Bytes of a ZIP that say nothing about content, such as its dates, may be what they like."""
    content = bytearray(export.read_bytes())
    content[int(len(content) * place)] ^= 0xFF
    export.write_bytes(bytes(content))

    try:
        left = facts(portability.restore(export))
    except Unreadable:
        left = []

    assert left in ([], [("Oslo", "superseded"), ("Bergen", "active")])
    assert bool(left) == bool(sum(_written()))


@pytest.mark.parametrize("content", [b"", b"not a zip", b"PK\x05\x06" + b"\0" * 18, b'{"schema": "assay.export/1"}'])
def test_file_that_is_no_export_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "other.zip"
    path.write_bytes(content)

    with pytest.raises(Unreadable):
        portability.restore(path)


def test_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="none"):
        portability.restore(tmp_path / "none.zip")


@pytest.mark.parametrize("name", ["memory.json", "facts.csv", "facts.md", "manifest.json"])
def test_missing_part_is_refused(export: Path, name: str) -> None:
    parts = _parts(export)
    del parts[name]
    _pack(export, parts)

    with pytest.raises(Unreadable):
        portability.restore(export)


@pytest.mark.parametrize("name", ["memory.json", "facts.csv", "facts.md"])
def test_changed_part_is_refused(export: Path, name: str) -> None:
    parts = _parts(export)
    parts[name] = parts[name].replace(b"Oslo", b"Rome")
    _pack(export, parts)

    with pytest.raises(Unreadable, match=name):
        portability.restore(export)


def test_part_that_the_manifest_does_not_name_is_refused(export: Path) -> None:
    _pack(export, _parts(export) | {"../evil": b"x"})

    with pytest.raises(Unreadable, match="not those"):
        portability.restore(export)


def _set(section: str, **values: Any) -> Callable[[Any, Any], None]:
    def change(document: Any, manifest: Any) -> None:
        document[section][0] |= values

    return change


def _lacking(section: str, name: str) -> Callable[[Any, Any], None]:
    def change(document: Any, manifest: Any) -> None:
        del document[section][0][name]

    return change


def _head(**values: Any) -> Callable[[Any, Any], None]:
    return lambda document, _: document.update(values)


FORGED: dict[str, Callable[[Any, Any], Any]] = {
    "schema": lambda _, manifest: manifest.update(schema="other/1"),
    "schema of the document": _head(schema="assay.export/2"),
    "unknown section": _head(secrets=[]),
    "labels from elsewhere": lambda _, manifest: manifest["counts"].update(labels=3),
    "fewer rows than promised": lambda document, _: document["facts"].pop(),
    "more rows than promised": lambda document, _: document["rules"].append({}),
    "section missing": lambda document, _: document.pop("evidence"),
    "no counts": lambda _, manifest: manifest.pop("counts"),
    "no files": lambda _, manifest: manifest.pop("files"),
    "no user": _head(user=None),
    "user without a name": lambda document, _: document["user"].update(external_id=""),
    "user with another type of name": lambda document, _: document["user"].update(external_id=["x"]),
    "user with access": lambda document, _: document["user"].update(access="admin"),
    "user with a password": lambda document, _: document["user"].update(password="x"),
    "user with too long a name": lambda document, _: document["user"].update(external_id="x" * 500),
    "row that is no object": lambda document, _: document["facts"].__setitem__(0, "fact"),
    "section that is no list": _head(facts={"a": 1}),
    "unknown field": _set("facts", colour="red"),
    "another user's row": _set("facts", user=1),
    "field missing": _lacking("facts", "text"),
    "link missing": _lacking("candidates", "episode"),
    "number that is no number": _set("facts", id="7"),
    "number that is true": _set("facts", id=True),
    "link to nowhere": _set("candidates", episode=999_999_999),
    "ruling that names no list": lambda document, _: document["candidates"][0].update(fact=[1]),
    "number twice": lambda document, _: document["facts"][1].update(id=document["facts"][0]["id"]),
    "unknown status": _set("facts", status="believed"),
    "unknown kind": _set("candidates", kind="rumour"),
    "confidence that is none": _set("facts", confidence=7.5),
    "confidence that is not a number": _set("facts", confidence=float("nan")),
    "moment that is none": _set("facts", last_supported_at="yesterday"),
    "moment out of range": _set("facts", last_supported_at="99999-01-01T00:00:00Z"),
    "text that is a number": _set("facts", text=5),
    "text that is null": _set("facts", text=None),
    "too long": _set("facts", subject="x" * 5000),
    "count below zero": _set("turns", n=-1),
    "huge count": _set("turns", n=10**30),
    "two live values": lambda document, _: [
        row.update(status="active", is_exclusive=True, superseded_by=None) for row in document["facts"]
    ],
    "successor of itself": lambda document, _: document["facts"][0].update(superseded_by=document["facts"][0]["id"]),
    "label of an unknown kind": _set("reviews", verdict="great"),
    "label without a verdict": _set("reviews", verdict=""),
    "label of an unknown sample": _set("reviews", subject="people"),
    "label about nothing": _set("reviews", fact=None),
    "label about what did not come": _set("reviews", fact=10**9),
    "label of no time": _set("reviews", at="yesterday"),
    "label that names who gave it": _set("reviews", reviewer="Rita"),
    "label with a ruling that is none": _set("reviews", ruling="1"),
    "two turns at one place": lambda document, _: [
        row.update(n=1, episode=document["episodes"][0]["id"]) for row in document["turns"]
    ],
}


@pytest.mark.parametrize("name", FORGED)
def test_forged_export_is_refused_and_writes_nothing(export: Path, name: str) -> None:
    _forge(export, FORGED[name])

    with pytest.raises(Unreadable) as caught:
        portability.restore(export)

    assert sum(_written()) == 0
    assert "Oslo" not in str(caught.value)


def test_section_with_rows_that_the_manifest_does_not_name_is_refused(export: Path) -> None:
    _forge(export, lambda _, manifest: manifest["counts"].pop("reviews"))

    with pytest.raises(Unreadable, match="its manifest says"):
        portability.restore(export)

    assert sum(_written()) == 0


def test_forged_text_is_cleaned_at_the_door(export: Path) -> None:
    _forge(export, _set("facts", text="I live in \u202eOslo\u0000."))

    user = portability.restore(export)

    with scope.user(user.pk):
        assert "I live in Oslo." in set(Fact.objects.values_list("text", flat=True))


def _bombs() -> Iterator[tuple[str, bytes]]:
    yield "spaces", b" " * (64 << 20)
    yield "zeros", b"\0" * (64 << 20)


@pytest.mark.parametrize(("name", "content"), list(_bombs()), ids=[name for name, _ in _bombs()])
def test_part_that_would_burst_is_refused_unread(export: Path, name: str, content: bytes) -> None:
    parts = _parts(export) | {"memory.json": content}
    _pack(export, parts)

    with pytest.raises(Unreadable, match="more than an export"):
        portability.restore(export)


def test_manifest_that_would_burst_is_refused(export: Path) -> None:
    _pack(export, _parts(export) | {"manifest.json": b" " * (64 << 20)})

    with pytest.raises(Unreadable, match="manifest"):
        portability.restore(export)


def test_deep_document_is_refused(export: Path) -> None:
    parts = _parts(export)
    parts["memory.json"] = b'{"schema": "assay.export/1", "user": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"
    manifest = json.loads(parts["manifest.json"])
    manifest["files"]["memory.json"] = {"sha256": hashlib.sha256(parts["memory.json"]).hexdigest()}
    _pack(export, parts | {"manifest.json": json.dumps(manifest).encode()})

    with pytest.raises(Unreadable):
        portability.restore(export)


def test_user_who_exists_is_not_overwritten(tmp_path: Path) -> None:
    user = living_in("Oslo")
    path = tmp_path / "memory.zip"
    path.write_bytes(b"".join(portability.export(user.pk)))
    before = _written()

    with pytest.raises(Unreadable, match="exists here already"):
        portability.restore(path)

    assert _written() == before


def test_user_who_was_forgotten_does_not_come_back_by_an_export(tmp_path: Path) -> None:
    user = living_in("Oslo")
    path = tmp_path / "memory.zip"
    path.write_bytes(b"".join(portability.export(user.pk)))
    forgetting.depart(user, actor="me")

    with pytest.raises(Departed):
        portability.restore(path)

    assert sum(_written()) == 0


def test_every_refusal_is_an_error_of_ours() -> None:
    assert issubclass(Unreadable, AssayError)
    assert reading.HIGHEST_RATIO < 1000
