"""Bodies and words as they come in: JSON that is only JSON, text that is only text."""

import json
from datetime import date
from typing import Annotated, Any, NoReturn, cast

from django.http import HttpRequest
from ninja.parser import Parser
from pydantic import AfterValidator, BeforeValidator, Field

from memory import text
from reviewer.api.problems import Problem

MAX_SMALL = 64 * 1024
MAX_ID = 2**63 - 1


class StrictParser(Parser):
    """What no JSON is, is refused: NaN, Infinity, numbers of thousands of digits, nesting without end."""

    def parse_body(self, request: HttpRequest) -> Any:
        return body(request, limit=MAX_SMALL)


def body(request: HttpRequest, *, limit: int | None = None) -> Any:
    """The JSON in a request. Raises Problem."""
    if limit is not None and len(request.body) > limit:
        raise Problem(413, f"The body is over the limit of {limit} bytes for this call.")
    try:
        return json.loads(request.body.decode("utf-8-sig"), parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise Problem(400) from None


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _cleaned(raw: str) -> str:
    cleaned = text.clean(raw).text.strip()
    if not cleaned:
        raise ValueError("must say something")
    return cleaned


def _name(raw: str) -> str:
    return " ".join(text.clean(raw).text.split())


def _day(raw: object) -> date:
    try:
        return date.fromisoformat(cast(str, raw))
    except (TypeError, ValueError):
        raise ValueError("must be a day such as 2026-03-10") from None


type Words = Annotated[str, Field(min_length=1, max_length=2_000), AfterValidator(_cleaned)]
type Name = Annotated[str, Field(max_length=200), AfterValidator(_name)]
type Day = Annotated[date, BeforeValidator(_day, json_schema_input_type=date)]
type Id = Annotated[int, Field(ge=1, le=MAX_ID)]
