"""What an endpoint's refusals mean: whether another try can help, when, and what to set.

Nothing of an answer's free text is repeated: endpoints echo prompts and keys in their errors.
"""

import math
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from email.utils import parsedate_to_datetime

import openai

from memory.errors import ModelError

MAX_WAIT = 3600.0

_ADVICE = {
    400: "it does not take the request: check that ASSAY_MODEL supports structured output and is long enough",
    401: "check OPENAI_API_KEY",
    402: "the account has no credit",
    403: "OPENAI_API_KEY may not use this model: check the key and ASSAY_MODEL",
    404: "check OPENAI_BASE_URL and the model's name",
    405: "OPENAI_BASE_URL is not the address of an OpenAI-compatible API",
    413: "the request is too long for this model",
    422: "it does not take the request: check that ASSAY_MODEL supports structured output",
}
_PASSING = frozenset({408, 409, 425, 429})
_ABOUT_ONE_CALL = frozenset({400, 413, 422})  # another call may be shorter, or more to its liking
_CODE = re.compile(r"[a-z][a-z0-9_]{1,40}")


@contextmanager
def explained() -> Iterator[None]:
    """Turns what the client raises inside the block into a ModelError, and drops the rest of it."""
    try:
        yield
    except openai.OpenAIError as error:
        raise explain(error) from None


def explain(error: openai.OpenAIError) -> ModelError:
    """The ModelError for what the client raised."""
    if isinstance(error, openai.APITimeoutError):
        return ModelError("The model's endpoint did not answer within the deadline.")
    if isinstance(error, openai.APIStatusError):
        return _explain_status(error)
    if isinstance(error, openai.APIConnectionError):
        cause = type(error.__cause__).__name__ if error.__cause__ else "no connection"
        return ModelError(f"The model's endpoint could not be reached or broke off ({cause}).")
    return ModelError(f"The model's client failed ({type(error).__name__}).", is_final=True)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds the endpoint asks to wait, 0 to an hour; None if it does not say or makes no sense."""
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return _bounded(milliseconds / 1000)
    raw = headers.get("retry-after")
    seconds = _number(raw)
    return _bounded(seconds) if seconds is not None else _until(raw, headers.get("date"))


def _explain_status(error: openai.APIStatusError) -> ModelError:
    status = error.status_code
    code = f", {error.code}" if isinstance(error.code, str) and _CODE.fullmatch(error.code) else ""
    if status in _PASSING or status >= 500:  # noqa: PLR2004 - HTTP's own classes
        return ModelError(
            f"The model's endpoint is busy or broken (HTTP {status}{code}).",
            retry_after=retry_after(error.response.headers),
        )
    advice = _ADVICE.get(status, "it redirects: set OPENAI_BASE_URL to the final address" if status < 400 else "")  # noqa: PLR2004
    return ModelError(
        f"The model's endpoint refused the call (HTTP {status}{code}): {advice or 'no reason known'}.",
        is_final=True,
        is_about_reply=status in _ABOUT_ONE_CALL,
    )


def _number(raw: str | None) -> float | None:
    try:
        number = float(raw or "")
    except ValueError:
        return None
    is_literal = "n" in (raw or "").lower()  # "nan" and "inf" are words, 1e999 is a number
    return None if is_literal or math.isnan(number) else number


def _until(raw: str | None, sent: str | None) -> float | None:
    """An HTTP date, measured against the endpoint's own clock where it tells the time."""
    try:
        until = parsedate_to_datetime(raw or "").timestamp()
    except (ValueError, OverflowError, OSError):
        return None
    try:
        now = parsedate_to_datetime(sent or "").timestamp()
    except (ValueError, OverflowError, OSError):
        now = time.time()
    return _bounded(until - now)


def _bounded(seconds: float) -> float:
    return min(max(seconds, 0.0), MAX_WAIT)
