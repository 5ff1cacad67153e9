"""Reading an export back: the same rows under new numbers. All of it, or nothing."""

import hashlib
import io
import json
import zipfile
from collections import defaultdict
from collections.abc import Iterator
from itertools import batched
from pathlib import Path
from typing import Any, BinaryIO

import ijson
from django.db import connection
from django.db.models import ForeignKey, Model

from memory import people, scope
from memory.errors import Unreadable
from memory.models import User
from memory.portability.exporting import SCHEMA
from memory.portability.registry import REGISTRY, SECTIONS, Class, travelling

BATCH = 500
_SHORT = 1 << 20


class _Numbers:
    """New numbers for old ones, taken from each table's sequence as they are first met."""

    def __init__(self) -> None:
        self._given: dict[type[Model], dict[int, int]] = defaultdict(dict)
        self._free: dict[type[Model], list[int]] = defaultdict(list)

    def new(self, model: type[Model], old: int | None) -> int | None:
        if old is None:
            return None
        given = self._given[model]
        if old not in given:
            given[old] = self._take(model)
        return given[old]

    def _take(self, model: type[Model]) -> int:
        free = self._free[model]
        if not free:
            with connection.cursor() as cursor:
                cursor.execute(
                    "SELECT nextval(pg_get_serial_sequence(%s, 'id')) FROM generate_series(1, %s)",
                    [model._meta.db_table, BATCH],
                )
                free.extend(row[0] for row in reversed(cursor.fetchall()))
        return free.pop()


def restore(path: Path) -> User:
    """Makes the user of an export with all that is theirs. Raises Unreadable when it is damaged, or the user exists."""
    with _open(path) as archive:
        manifest = _manifest(archive)
        _check(archive, manifest)
        with archive.open("memory.json") as file:
            head = next(ijson.items(file, "user"), None)
        if not isinstance(head, dict):
            raise Unreadable("memory.json names no user")
        with scope.staff():
            user = _user(head)
            _compare(_rows(archive, user), manifest)
    return user


def _open(path: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(path)
    except (OSError, zipfile.BadZipFile) as error:
        raise Unreadable(f"{path.name} is not an export: {error}") from error


def _manifest(archive: zipfile.ZipFile) -> dict[str, Any]:
    try:
        manifest = json.loads(archive.read("manifest.json"))
    except (KeyError, ValueError, zipfile.BadZipFile) as error:
        raise Unreadable("the export has no manifest that can be read: it is incomplete") from error
    if not isinstance(manifest, dict) or manifest.get("schema") != SCHEMA:
        raise Unreadable(f"the export is not of the schema {SCHEMA}")
    return manifest


def _check(archive: zipfile.ZipFile, manifest: dict[str, Any]) -> None:
    for name, facts in manifest.get("files", {}).items():
        try:
            with archive.open(name) as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
        except (KeyError, zipfile.BadZipFile) as error:
            raise Unreadable(f"{name} is missing or damaged") from error
        if digest != facts.get("sha256"):
            raise Unreadable(f"{name} is not what the manifest says it is")


def _user(head: dict[str, Any]) -> User:
    people.refuse_departed(head["external_id"])
    if User.objects.filter(external_id=head["external_id"]).exists():
        raise Unreadable(f"the user {head['external_id']!r} exists here already: an export goes into an empty place")
    return User.objects.create(password="!", **{name: head[name] for name in travelling(User)})  # noqa: S106 - no login


def _rows(archive: zipfile.ZipFile, user: User) -> dict[str, int]:
    numbers, counts = _Numbers(), {}
    for name, model in SECTIONS.items():
        counts[name] = 0
        with archive.open("memory.json") as file:
            for batch in batched(_items(file, name), BATCH, strict=False):
                model._default_manager.bulk_create(_row(model, values, user, numbers) for values in batch)
                counts[name] += len(batch)
    return counts


def _items(file: BinaryIO | io.BufferedIOBase, name: str) -> Iterator[dict[str, Any]]:
    try:
        yield from ijson.items(file, f"{name}.item", use_float=True)
    except ijson.JSONError as error:
        raise Unreadable(f"memory.json cannot be read in its section {name!r}") from error


def _row(model: type[Model], values: dict[str, Any], user: User, numbers: _Numbers) -> Model:
    """One row under its new numbers; what the export holds for readers alone is passed over."""
    columns: dict[str, Any] = {"user_id": user.pk}
    for name, kind in REGISTRY[model].items():
        if name not in travelling(model) or name not in values:
            continue
        columns[_column(model, name)] = (
            _renumbered(model, name, values[name], numbers) if kind is Class.LINK else values[name]
        )
    return model(**columns)


def _column(model: type[Model], name: str) -> str:
    field = model._meta.get_field(name)
    return field.attname if isinstance(field, ForeignKey) else name


def _renumbered(model: type[Model], name: str, value: Any, numbers: _Numbers) -> Any:
    field = model._meta.get_field(name)
    if name == "id":
        return numbers.new(model, value)
    if isinstance(field, ForeignKey):
        return numbers.new(field.related_model, value)
    return [numbers.new(SECTIONS["candidates"], claim) for claim in value]


def _compare(counts: dict[str, int], manifest: dict[str, Any]) -> None:
    promised = {name: count for name, count in manifest.get("counts", {}).items() if name in SECTIONS}
    if counts != promised:
        raise Unreadable(f"the export holds {counts}, but its manifest says {promised}")
