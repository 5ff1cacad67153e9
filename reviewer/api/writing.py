"""Documents as answers, written as they are: what they must look like is held by tests, not at every request."""

import json
from typing import Any

from django.http import HttpResponse


def written(document: Any, *, status: int = 200) -> HttpResponse:
    content = json.dumps(document, ensure_ascii=False, default=_plain, separators=(",", ":"))
    return HttpResponse(content.encode(), status=status, content_type="application/json")


def _plain(value: Any) -> str:
    """Times and days are written as ISO 8601; nothing else should come here."""
    return str(value.isoformat())
