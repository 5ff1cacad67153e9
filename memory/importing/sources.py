"""The streams of JSON in a file, a folder or a ZIP as it was downloaded."""

import io
import re
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from memory.errors import Unreadable

MAX_UNPACKED = 32 << 30
MAX_RATIO = 200
_SMALL = 64 << 20
_EXPORT = re.compile(r"conversations(?:-\d+)?\.json")
_DATA = re.compile(r"[^.].*\.(?:json|jsonl|ndjson)")
_MARKS = {
    b"\xff\xfe": "UTF-16 text",
    b"\xfe\xff": "UTF-16 text",
    b"\x1f\x8b": "a gzip file",
    b"\x28\xb5\x2f\xfd": "a zstandard file",
    b"%PDF": "a PDF",
    b"\x89PNG": "a picture",
}
_BOM = b"\xef\xbb\xbf"

type OnBytes = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Source:
    """One stream of JSON, which can be opened more than once. `name` is for messages only."""

    name: str
    _open: Callable[[], IO[bytes]]

    @contextmanager
    def open(self) -> Iterator[IO[bytes]]:
        """The stream behind its byte order mark. Raises Unreadable if it is no UTF-8 text."""
        with self._open() as raw, io.BufferedReader(raw, 1 << 16) as stream:  # type: ignore[type-var]
            _check_start(self.name, stream.peek(4))
            if stream.peek(3).startswith(_BOM):
                stream.read(3)
            yield stream


@contextmanager
def find(path: Path, *, on_bytes: OnBytes | None = None) -> Iterator[list[Source]]:
    """The sources at `path`, in order. `on_bytes` hears how many bytes of the file were read so far."""
    try:
        if path.is_dir():
            yield [_plain(file, on_bytes) for file in sorted(_wanted(list(path.iterdir()), lambda file: file.name))]
        elif zipfile.is_zipfile(path):
            with path.open("rb") as file, zipfile.ZipFile(_Counted(file, on_bytes)) as archive:
                yield [_member(archive, info) for info in _members(archive, path)]
        else:
            yield [_plain(path, on_bytes)]
    except OSError as error:
        raise Unreadable(f"{path.name}: cannot be read: {error.strerror or error}.") from error
    except zipfile.BadZipFile as error:
        raise Unreadable(f"{path.name}: is a damaged ZIP ({error}). Download it again.") from error


class _Counted(io.RawIOBase):
    """A raw stream that tells how far it has been read."""

    def __init__(self, inner: IO[bytes], on_bytes: OnBytes | None) -> None:
        super().__init__()
        self._inner = inner
        self._on_bytes = on_bytes

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        return self._inner.seek(offset, whence)

    def tell(self) -> int:
        return self._inner.tell()

    def readinto(self, buffer: "bytearray | memoryview") -> int:  # type: ignore[override]
        data = self._inner.read(len(buffer))
        buffer[: len(data)] = data
        if self._on_bytes:
            self._on_bytes(self._inner.tell())
        return len(data)

    def close(self) -> None:
        self._inner.close()
        super().close()
