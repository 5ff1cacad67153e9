"""Documents as answers, written as they are: what they must look like is held by tests, not at every request."""

from typing import Any

from django.http import HttpResponse
from pydantic_core import to_json


def written(document: Any, *, status: int = 200) -> HttpResponse:
    """Times and days come as text already."""
    return HttpResponse(to_json(document), status=status, content_type="application/json")
