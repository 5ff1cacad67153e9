"""The streams of JSON in a file, a folder or a ZIP as it was downloaded."""

import io
import re
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from memory.errors import Unreadable

MAX_UNPACKED = 32 << 30
MAX_RATIO = 200
_SMALL = 64 << 20
_EXPORT = re.compile(r"conversations(?:-\d+)?\.json", re.IGNORECASE)
_DATA = re.compile(r"[^.].*\.(?:json|jsonl|ndjson)", re.IGNORECASE)
_BOM = b"\xef\xbb\xbf"
_OTHERS = {
    b"\xff\xfe": "UTF-16 text; save it as UTF-8",
    b"\xfe\xff": "UTF-16 text; save it as UTF-8",
    b"PK\x03\x04": "an incomplete ZIP; download it again",
    b"\x1f\x8b": "a gzip file; unpack it first",
    b"\x28\xb5\x2f\xfd": "a Zstandard file; unpack it first",
}

type OnBytes = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Source:
    """One stream of JSON, which can be opened more than once. `name` is for messages only."""

    name: str
    _open: Callable[[], Any]

    @contextmanager
    def open(self) -> Iterator[io.BufferedReader]:
        """The stream behind its byte order mark. Raises Unreadable if it cannot be UTF-8 text."""
        with self._open() as raw, io.BufferedReader(raw, 1 << 16) as stream:
            start = stream.peek(4)[:4]
            _check_start(self.name, start)
            stream.read(len(_BOM) if start.startswith(_BOM) else 0)
            yield stream


@contextmanager
def find(path: Path, *, on_bytes: OnBytes | None = None) -> Iterator[list[Source]]:
    """The sources at `path`, in order. `on_bytes` hears how far into a file has been read.

    Raises Unreadable, also for what goes wrong while the sources are read.
    """
    try:
        if path.is_dir():
            yield _in_folder(path, on_bytes)
        elif zipfile.is_zipfile(path):
            with _hear(path, on_bytes) as file, zipfile.ZipFile(file) as archive:
                yield _in_archive(archive, path)
        else:
            yield [Source(path.name, partial(_hear, path, on_bytes))]
    except OSError as error:
        raise Unreadable(f"{path.name}: cannot be read: {error.strerror or error}.") from error
    except zipfile.BadZipFile as error:
        raise Unreadable(f"{path.name}: is a damaged ZIP ({error}). Download it again.") from error
    except (RuntimeError, NotImplementedError) as error:  # zipfile: locked, or packed in a way it does not know
        raise Unreadable(f"{path.name}: cannot be unpacked ({error}). Unpack it first.") from error


def _in_folder(path: Path, on_bytes: OnBytes | None) -> list[Source]:
    files = {file.name: file for file in path.iterdir() if file.is_file()}
    return [Source(name, partial(_hear, files[name], on_bytes)) for name in _choose(list(files), path)]


def _in_archive(archive: zipfile.ZipFile, path: Path) -> list[Source]:
    """Names in an archive only tell its members apart: nothing is ever written by them."""
    members = {info.filename: info for info in archive.infolist() if not info.is_dir()}
    chosen = [members[name] for name in _choose(list(members), path)]
    _check_sizes(chosen, path)
    return [Source(f"{path.name}/{info.filename}", partial(archive.open, info)) for info in chosen]


def _choose(names: Sequence[str], path: Path) -> list[str]:
    """The parts of an export, whatever lies beside them; else the only data file there is."""
    own = [name for name in names if "__MACOSX" not in name]
    exports = sorted(name for name in own if _EXPORT.fullmatch(_last(name)))
    data = [name for name in own if _DATA.fullmatch(_last(name))]
    if exports or len(data) == 1:
        return exports or data
    raise Unreadable(f"{path.name}: holds no conversations.json. Name the file that is to be imported.")


def _last(name: str) -> str:
    return name.rpartition("/")[2]


def _check_sizes(members: Sequence[zipfile.ZipInfo], path: Path) -> None:
    unpacked = sum(info.file_size for info in members)
    packed = sum(info.compress_size for info in members)
    if unpacked > MAX_UNPACKED or (unpacked > _SMALL and unpacked > MAX_RATIO * packed):
        raise Unreadable(f"{path.name}: would unpack to {unpacked} bytes, too many to be an export. Unpack it first.")


def _check_start(name: str, start: bytes) -> None:
    if not start:
        raise Unreadable(f"{name}: is empty.")
    for mark, what in _OTHERS.items():
        if start.startswith(mark):
            raise Unreadable(f"{name}: is {what}.")
    if b"\0" in start:
        raise Unreadable(f"{name}: is no UTF-8 text.")


def _hear(path: Path, on_bytes: OnBytes | None) -> "_Heard":
    return _Heard(path.open("rb"), on_bytes)


class _Heard(io.RawIOBase):
    """A file that tells how far it has been read."""

    def __init__(self, file: io.BufferedReader, on_bytes: OnBytes | None) -> None:
        super().__init__()
        self._file = file
        self._on_bytes = on_bytes

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._file.tell()

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        length = self._file.readinto(buffer)
        if self._on_bytes:
            self._on_bytes(self._file.tell())
        return length

    def close(self) -> None:
        self._file.close()
        super().close()
