"""The export: one ZIP, streamed, from one snapshot. A section that fails fails it all: half is never called whole."""

import csv
import hashlib
import io
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any

import regex
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import F, Model

from memory import clock, policies, scope
from memory.models import Evidence, Fact, User
from memory.portability import reviewed
from memory.portability.registry import REGISTRY, SECTIONS, Class, travelling

SCHEMA = "assay.export/1"
CHUNK = 500
_FORMULA = regex.compile(r"""(^|[;\t\r\n])(?=["'“”„\s]*[=+\-@＝＋－＠])|^(?=[\t\r])""")
"""Where a cell, or what a spreadsheet may take for the next one, begins like a formula, quoted or not."""
_MARKDOWN = regex.compile(r"([\\`*_{}\[\]<>()#!|~])")

COLUMNS = [
    "text",
    "subject",
    "subject_note",
    "predicate",
    "object",
    "kind",
    "polarity",
    "basis",
    "source",
    "status",
    "status_reason",
    "confidence",
    "last_supported_at",
    "valid_from",
    "valid_to",
    "expires_on",
]


class _Encoder(DjangoJSONEncoder):
    """Moments to their last digit: what came first must still come first."""

    def default(self, o: Any) -> Any:
        return o.isoformat() if isinstance(o, datetime) else super().default(o)


_ENCODER = _Encoder(ensure_ascii=False)


class _Pipe(io.RawIOBase):
    """Where the ZIP is written; what has gathered is taken out and sent."""

    def __init__(self) -> None:
        self._gathered: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._gathered.append(bytes(data))
        return len(data)

    def drain(self) -> bytes:
        data = b"".join(self._gathered)
        self._gathered.clear()
        return data


def export(user_id: int) -> Iterator[bytes]:
    """The bytes of the ZIP. Opens its own snapshot, which lasts until the last byte is taken."""
    pipe, files, counts = _Pipe(), {}, dict[str, int]()
    parts: dict[str, Callable[[], Iterator[str]]] = {
        "memory.json": lambda: _document(user_id, reviews, counts),
        "facts.csv": lambda: _table(user_id),
        "facts.md": lambda: _page(user_id),
    }
    with _moment(user_id) as reviews, zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, part in parts.items():
            digest = hashlib.sha256()
            with archive.open(name, "w", force_zip64=True) as file:
                for text in part():
                    digest.update(text.encode())
                    file.write(text.encode())
                    yield pipe.drain()
            files[name] = {"sha256": digest.hexdigest()}
        manifest = {"schema": SCHEMA, "made_at": clock.now(), "counts": counts, "files": files}
        archive.writestr("manifest.json", _json(manifest))
    yield pipe.drain()


@contextmanager
def _moment(user_id: int) -> Iterator[list[dict[str, Any]]]:
    """The person's rows as they are at this moment, in their scope; and the labels of reviewers, as of the same."""
    with scope.moment():
        with scope.staff():
            reviews = reviewed.given(user_id)
        with scope.user(user_id):
            yield reviews


def _document(user_id: int, reviews: Sequence[dict[str, Any]], counts: dict[str, int]) -> Iterator[str]:
    user = User.objects.get(pk=user_id)
    head = {name: getattr(user, name) for name in travelling(User)}
    yield f'{{"schema": {_json(SCHEMA)},\n"policy_version": {policies.current().version},\n"user": {_json(head)}'
    for name, model in SECTIONS.items():
        yield from _section(name, _rows(model, user_id), counts)
    yield from _section(reviewed.SECTION, reviews, counts)
    yield "}\n"


def _section(name: str, rows: Iterable[dict[str, Any]], counts: dict[str, int]) -> Iterator[str]:
    counts[name] = 0
    yield f',\n"{name}": ['
    for row in rows:
        yield f"{',' if counts[name] else ''}\n{_json(row)}"
        counts[name] += 1
    yield "]"


def _rows(model: type[Model], user_id: int) -> Iterator[dict[str, Any]]:
    """Rows as they travel; a fact also brings its quotes, for whoever reads the file."""
    links = [name for name, kind in REGISTRY[model].items() if kind is Class.LINK]
    rows = model._default_manager.filter(user=user_id).order_by("pk").values(*travelling(model), row_id=F("pk"))
    for chunk in _chunks(rows.iterator(chunk_size=CHUNK)):
        quotes = _quotes(row["row_id"] for row in chunk) if model is Fact else {}
        for row in chunk:
            pk = row.pop("row_id")
            yield (
                row
                | ({"evidence": quotes.get(pk, [])} if model is Fact else {})
                | ({"id": pk} if "id" in links else {})
            )


def _chunks(rows: Iterator[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    chunk: list[dict[str, Any]] = []
    for row in rows:
        chunk.append(row)
        if len(chunk) == CHUNK:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def _quotes(facts: Iterable[int]) -> dict[int, list[dict[str, Any]]]:
    found: dict[int, list[dict[str, Any]]] = {}
    said = Evidence.objects.filter(candidate__fact__in=list(facts)).order_by("pk")
    rows: Any = said.values("turn", "role", "at", "quote", of=F("candidate__fact"), said_in=F("episode__external_id"))
    for row in rows:
        found.setdefault(row.pop("of"), []).append(row | {"episode": row.pop("said_in")})
    return found


def _table(user_id: int) -> Iterator[str]:
    """CSV that a spreadsheet takes for text, whatever the cells begin with."""
    line = io.StringIO()
    writer = csv.writer(line, quoting=csv.QUOTE_ALL)
    writer.writerow(COLUMNS)
    yield f"\ufeff{line.getvalue()}"
    for fact in _facts(user_id):
        line.seek(0)
        line.truncate()
        writer.writerow(inert(fact[name]) for name in COLUMNS)
        yield line.getvalue()


def inert(cell: object) -> str:
    """The cell as text that is no formula, in whatever spreadsheet."""
    return "" if cell is None else _FORMULA.sub(r"\1'", str(cell))


def _page(user_id: int) -> Iterator[str]:
    yield "# What is remembered\n"
    for fact in _facts(user_id):
        dates = (
            f" ({fact['valid_from'] or ''}–{fact['valid_to'] or ''})" if fact["valid_from"] or fact["valid_to"] else ""
        )
        yield f"\n- {plain(fact['text'])}{dates} · {fact['status']}, from {plain(fact['source'])}"
    yield "\n"


def plain(text: str) -> str:
    """A text in one line that Markdown takes for nothing but text: no markup, no picture, no link."""
    return _MARKDOWN.sub(r"\\\1", " ".join(text.split()))


def _facts(user_id: int) -> Iterator[dict[str, Any]]:
    rows = Fact.objects.filter(user=user_id).order_by("status", "subject", "pk")
    own = [name for name in COLUMNS if name != "subject_note"]
    yield from rows.values(*own, subject_note=F("entity__note")).iterator(chunk_size=CHUNK)


def _json(value: object) -> str:
    return _ENCODER.encode(value)
