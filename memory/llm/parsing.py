"""Reading a model's text as JSON: tolerant of wrapping, never of something missing."""

import json
import re
from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel, ValidationError

from memory.errors import ModelError

MAX_STARTS = 64

_THOUGHT = re.compile(r"<think>.*?</think>", re.DOTALL | re.IGNORECASE)
_DECODER = json.JSONDecoder(strict=False)  # raw line breaks inside strings are common and harmless


def parse[T: BaseModel](content: str, schema: type[T]) -> T:
    """The first JSON object in `content` that fits. Raises ModelError if there is none: cut off, empty, not JSON."""
    if not content.strip():
        raise ModelError("The model's answer is empty.", is_about_reply=True)
    for value in _objects(_THOUGHT.sub("", content)):
        try:
            return schema.model_validate(value)
        except (ValidationError, RecursionError):
            continue
    raise ModelError("The model's answer is not the JSON that was asked for, or is cut off.", is_about_reply=True)


def _objects(content: str) -> Iterator[dict[str, Any]]:
    """Each object that starts at an opening brace; the number of starts is bounded, for answers of nothing but braces."""
    start = content.find("{")
    for _ in range(MAX_STARTS):
        if start < 0:
            return
        try:
            value, _end = _DECODER.raw_decode(content, start)
        except (ValueError, RecursionError):
            pass
        else:
            yield value
        start = content.find("{", start + 1)
