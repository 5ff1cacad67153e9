"""The file of an export, opened with care: it may be damaged, cut short, forged, or made to fill a disk."""

import hashlib
import json
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import ijson

from memory.errors import Unreadable
from memory.portability.exporting import SCHEMA
from memory.portability.registry import SECTIONS

DOCUMENT, MANIFEST = "memory.json", "manifest.json"
FILES = frozenset({DOCUMENT, "facts.csv", "facts.md"})
LARGEST_MANIFEST = 1 << 20
LARGEST = 8 << 30
HIGHEST_RATIO = 250
"""What our own text compresses to at most; more is made to burst."""
ROOM = 1 << 20
"""Below this no ratio is suspicious."""

DEEPEST = 10

_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError, ValueError)


class Archive:
    """An export whose files are what its manifest says they are."""

    def __init__(self, file: zipfile.ZipFile) -> None:
        self._file = file
        self._manifest = _manifest(file)
        _check_files(file, self._manifest)

    def counts(self, sections: Iterable[str]) -> dict[str, int]:
        """How many rows of each section the manifest promises."""
        counts = self._manifest.get("counts")
        if not isinstance(counts, dict):
            return {}
        return {name: counts[name] for name in sections if name in counts}

    def head(self) -> dict[str, Any]:
        """The user; also looks whether the document is one of ours."""
        keys = list(self._items("", only_keys=True))
        wanted = {"schema", "policy_version", "user", *SECTIONS}
        if unknown := set(keys) - wanted:
            raise Unreadable(f"{DOCUMENT} has unknown sections: {', '.join(sorted(unknown))[:200]}")
        if len(keys) != len(set(keys)):
            raise Unreadable(f"{DOCUMENT} has a section twice")
        if next(self._items("schema"), None) != SCHEMA:
            raise Unreadable(f"{DOCUMENT} is not of the schema {SCHEMA}")
        user = next(self._items("user"), None)
        if not isinstance(user, dict):
            raise Unreadable(f"{DOCUMENT} names no user")
        return user

    def items(self, section: str) -> Iterator[Any]:
        """The rows of a section, one by one."""
        yield from self._items(f"{section}.item")

    def _items(self, prefix: str, *, only_keys: bool = False) -> Iterator[Any]:
        try:
            with self._file.open(DOCUMENT) as file:
                if only_keys:
                    events = ijson.basic_parse(file)
                    yield from _top_keys(events)
                else:
                    yield from ijson.items(file, prefix, use_float=True)
        except (ijson.JSONError, UnicodeDecodeError, *_BROKEN) as error:
            raise Unreadable(f"{DOCUMENT} cannot be read") from error


@contextmanager
def opened(path: Path) -> Iterator[Archive]:
    """Raises Unreadable for what is no whole export."""
    try:
        file = zipfile.ZipFile(path)
    except _BROKEN as error:
        raise Unreadable(f"{path.name} is not an export: no ZIP that can be read") from error
    with file:
        yield Archive(file)


def _top_keys(events: Iterable[tuple[str, Any]]) -> Iterator[str]:
    depth = 0
    for event, value in events:
        if event == "map_key" and depth == 1:
            yield value
        depth += event.startswith("start_") - event.startswith("end_")
        if depth > DEEPEST:
            raise ValueError("nested deeper than any row of ours")


def _manifest(file: zipfile.ZipFile) -> dict[str, Any]:
    try:
        with file.open(MANIFEST) as part:
            manifest = json.loads(part.read(LARGEST_MANIFEST))
    except (KeyError, RecursionError, *_BROKEN) as error:
        raise Unreadable("the export has no manifest that can be read: it is incomplete") from error
    if not isinstance(manifest, dict) or manifest.get("schema") != SCHEMA:
        raise Unreadable(f"the export is not of the schema {SCHEMA}")
    return manifest


def _check_files(file: zipfile.ZipFile, manifest: dict[str, Any]) -> None:
    files = manifest.get("files")
    if not isinstance(files, dict) or not files.keys() >= FILES:
        raise Unreadable("the manifest does not name all files of an export")
    names = file.namelist()
    if sorted(names) != sorted({*files, MANIFEST}):
        raise Unreadable("the export's files are not those that its manifest names")
    for name, facts in files.items():
        _check_size(file.getinfo(name))
        try:
            with file.open(name) as part:
                digest = hashlib.file_digest(cast("Any", part), "sha256").hexdigest()
        except _BROKEN as error:
            raise Unreadable(f"{name} is damaged") from error
        if not isinstance(facts, dict) or digest != facts.get("sha256"):
            raise Unreadable(f"{name} is not what the manifest says it is")


def _check_size(info: zipfile.ZipInfo) -> None:
    """Before a byte is unpacked; zipfile itself reads no further than the size that is declared."""
    is_bomb = info.file_size > ROOM and info.file_size > info.compress_size * HIGHEST_RATIO
    if is_bomb or info.file_size > LARGEST:
        raise Unreadable(f"{info.filename} would be {info.file_size:,} bytes: more than an export of ours can be")
