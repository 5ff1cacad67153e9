"""The file of an export, opened with care: it may be damaged, cut short, forged, or made to fill a disk."""

import hashlib
import json
import zipfile
import zlib
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

from memory.errors import Unreadable
from memory.portability import reviewed
from memory.portability.exporting import SCHEMA
from memory.portability.registry import SECTIONS
from memory.portability.streaming import LIST, members

DOCUMENT, MANIFEST = "memory.json", "manifest.json"
FILES = frozenset({DOCUMENT, "facts.csv", "facts.md"})
ALL = (*SECTIONS, reviewed.SECTION)
LARGEST_MANIFEST = 1 << 20
LARGEST = 8 << 30
HIGHEST_RATIO = 250
"""What our own text compresses to at most; more is made to burst."""
ROOM = 1 << 20
"""Below this no ratio is suspicious."""

_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError, ValueError)
"""What `zipfile` raises; NotImplementedError for ways of packing that it does not know, RuntimeError for a password."""


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

    def rows(self) -> Generator[tuple[str, Any]]:
        """The user, and the rows of each section one by one, each with the name of its section; in one reading."""
        awaited = iter(["schema", "policy_version", "user", *ALL])
        section = ""
        for name, value in self._members():
            if name != section and name not in awaited:  # `in` goes on to it
                raise Unreadable(f"{DOCUMENT} has an unknown section, or one at another place than ours")
            is_start, section = name != section, name
            if (value is LIST) != (is_start and name in ALL):
                raise Unreadable(f"{DOCUMENT}: {name} is of another make")
            if name == "schema" and value != SCHEMA:
                raise Unreadable(f"{DOCUMENT} is not of the schema {SCHEMA}")
            if value is not LIST and name in {"user", *ALL}:
                yield name, value

    def _members(self) -> Generator[tuple[str, Any]]:
        try:
            with self._file.open(DOCUMENT) as file:
                yield from members(file)
        except (RecursionError, *_BROKEN) as error:
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
