"""Reading a model's candidates as proposals. Nothing raises: what is wrong with one becomes its flaw."""

import re
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from memory import dates, text
from memory.extraction.schemas import Candidate
from memory.types import Basis, Kind, Polarity, Proposal, Quote, Speech

MAX_CHARS = 4_000
"""Of any string. Far above what the gate lets pass, far below what hurts."""
MAX_QUOTES = 20

_MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)[T ]\d\d:\d\d.*")


def read(raw: object, *, known: int) -> Proposal:
    """One candidate. `known` is how many known facts were handed out: other references are flaws."""
    try:
        candidate = Candidate.model_validate(raw)
    except ValidationError as error:
        return _flawed(raw, _first(error))
    except RecursionError:
        return _flawed(raw, "nested too deeply")
    flaw = _flaw(candidate, known=known)
    return _flawed(raw, flaw) if flaw else _proposal(candidate)


def _proposal(candidate: Candidate) -> Proposal:
    return Proposal(
        text=_clean(candidate.text),
        subject=_clean(candidate.subject),
        subject_note=_clean(candidate.subject_note or "") or None,
        predicate=_clean(candidate.predicate),
        object=_clean(candidate.object),
        kind=Kind(candidate.kind),
        polarity=Polarity(candidate.polarity),
        basis=Basis(candidate.basis),
        speech=Speech(candidate.speech),
        valid_from=_date(candidate.valid_from),
        valid_to=_date(candidate.valid_to),
        expires_on=_date(candidate.expires_on),
        about=candidate.about,
        evidence=tuple(Quote(e.turn, _clean(e.quote)) for e in candidate.evidence),
    )


def _flaw(candidate: Candidate, *, known: int) -> str:
    """What types alone cannot say; "" if all is well."""
    strings = [value for value in candidate.model_dump().values() if isinstance(value, str)]
    if any(len(s) > MAX_CHARS for s in (*strings, *(e.quote for e in candidate.evidence))):
        return f"a field is longer than {MAX_CHARS} characters"
    if len(candidate.evidence) > MAX_QUOTES:
        return f"more than {MAX_QUOTES} quotes"
    if candidate.about is not None and not 1 <= candidate.about <= known:
        return f"about: #{candidate.about} was not among the known facts"
    return next((f"{name}: not a date" for name in _DATES if not _is_date(getattr(candidate, name))), "")


_DATES = ("valid_from", "valid_to", "expires_on")


def _is_date(raw: str | None) -> bool:
    when = _date(raw)
    return when is None or dates.is_date(when)


def _date(raw: str | None) -> str | None:
    """A moment is read as its day; an empty string as no date."""
    stripped = (raw or "").strip()
    moment = _MOMENT.fullmatch(stripped)
    return (moment[1] if moment else stripped) or None


def _flawed(raw: object, flaw: str) -> Proposal:
    """As much of a broken candidate as can be shown to a person."""
    fields: Mapping[Any, object] = raw if isinstance(raw, dict) else {}
    return Proposal(
        text=_show(fields.get("text")),
        subject=_show(fields.get("subject")),
        predicate=_show(fields.get("predicate")),
        object=_show(fields.get("object")),
        evidence=_quotes(fields.get("evidence")),
        flaw=flaw,
    )


def _quotes(raw: object) -> tuple[Quote, ...]:
    """The quotes that can be read, so that a secret in a broken candidate is still seen as one."""
    items = raw[:MAX_QUOTES] if isinstance(raw, list) else []
    pairs = [(e.get("turn"), e.get("quote")) for e in items if isinstance(e, dict)]
    return tuple(Quote(turn, _show(quote)) for turn, quote in pairs if type(turn) is int and abs(turn) < 2**31)


def _show(value: object) -> str:
    return _clean(value[:MAX_CHARS]) if isinstance(value, str) else ""


def _clean(raw: str) -> str:
    return text.clean(raw).text.strip()


def _first(error: ValidationError) -> str:
    """Field and kind of the first error; never the value, which is the model's."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    where = ".".join(str(part) for part in first["loc"][:3]) or "candidate"
    return f"{where}: {first['type'].replace('_', ' ')}"
