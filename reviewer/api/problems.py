"""What went wrong, as `application/problem+json` (RFC 9457): what it is, and what to do."""

import logging
from collections.abc import Callable, Iterable, Mapping
from http import HTTPStatus
from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.core.handlers.exception import convert_exception_to_response
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.urls import resolve
from ninja import NinjaAPI
from ninja.errors import HttpError, ValidationError

from memory import errors

log = logging.getLogger(__name__)

MEDIA_TYPE = "application/problem+json"
UNDER = "/api/"

# Short names and titles by status. The type is `urn:assay:problem:<name>`.
KINDS = {
    400: ("unreadable", "The request cannot be read"),
    401: ("no-key", "A key is needed"),
    403: ("not-allowed", "This is not allowed"),
    404: ("not-found", "There is nothing here"),
    405: ("no-such-method", "This address does not take that method"),
    409: ("conflict", "This does not fit what is stored"),
    410: ("forgotten", "This person was forgotten"),
    413: ("too-large", "This is too large"),
    422: ("invalid", "Something in the request is wrong"),
    429: ("too-many", "Too many requests"),
    500: ("failed", "Something failed here"),
    502: ("model-failed", "The model did not give a usable answer"),
    503: ("no-model", "This needs a model"),
}
DETAILS = {
    400: "The body must be JSON in UTF-8: no NaN or Infinity, and not nested more than a few levels deep.",
    401: "Send a valid key: Authorization: Bearer assay_… An admin makes one with `manage.py key create`.",
    403: "The key may not do this.",
    404: "There is no such address, person or row, or it is not for this key. See /api/v1/docs.",
    405: "See /api/v1/docs for the methods of this address.",
    413: "Send less at once.",
    500: "It is not the request's fault. Try again later; the server's log says where it failed.",
}
STATUSES: Mapping[type[errors.AssayError], int] = {
    errors.InvalidEpisode: 422,
    errors.TooLarge: 413,
    errors.EpisodeConflict: 409,
    errors.Departed: 410,
    errors.MemoryPaused: 403,
    errors.NotAMember: 403,
    errors.NotFound: 404,
    errors.NotLive: 409,
    errors.Refused: 422,
    errors.ModelError: 502,
    errors.Unconfigured: 503,
}


class Problem(Exception):
    """Answers the request with this status and these words."""

    def __init__(self, status: int, detail: str = "", *, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(detail)
        self.status, self.detail, self.headers = status, detail, headers or {}


def document(status: int, detail: str = "") -> dict[str, Any]:
    """The problem itself, as it also stands in the items of a batch."""
    name, title = KINDS.get(status, ("error", HTTPStatus(status).phrase))
    detail = detail or DETAILS.get(status, title)
    return {"type": f"urn:assay:problem:{name}", "title": title, "status": status, "detail": detail}


def respond(status: int, detail: str = "", *, headers: Mapping[str, str] | None = None) -> HttpResponse:
    response = JsonResponse(document(status, detail), status=status, content_type=MEDIA_TYPE)
    if status == HTTPStatus.UNAUTHORIZED:
        response["WWW-Authenticate"] = "Bearer"
    for name, value in (headers or {}).items():
        response[name] = value
    return response


def status_of(error: errors.AssayError) -> int:
    return next((STATUSES[kind] for kind in type(error).__mro__ if kind in STATUSES), 422)


type Respond = Callable[[HttpRequest], HttpResponse]


def problems(get_response: Respond) -> Respond:
    """Middleware: whatever fails under /api/ answers as a problem, and nothing from there is kept by caches.

    Who comes with a key takes the short way, past what only pages need: sessions, messages, forms' tokens.
    """
    answer_directly: Any = convert_exception_to_response(_view)

    def middleware(request: HttpRequest) -> HttpResponse:
        if not request.path_info.startswith(UNDER):
            return get_response(request)
        response = (answer_directly if "Authorization" in request.headers else get_response)(request)
        if response.status_code >= HTTPStatus.BAD_REQUEST and response["Content-Type"] != MEDIA_TYPE:
            allowed = {"Allow": response["Allow"]} if response.has_header("Allow") else {}
            response = respond(response.status_code, headers=allowed)
        response.setdefault("Cache-Control", "private, no-store")
        return response

    return middleware


def _view(request: HttpRequest) -> HttpResponse:
    """What Django's innermost handler does, and its first middleware: only hosts of ours are answered."""
    request.get_host()
    request.resolver_match = match = resolve(request.path_info)
    response: HttpResponse = match.func(request, *match.args, **match.kwargs)
    if not response.streaming:
        response.setdefault("Content-Length", str(len(response.content)))
    return response


def handle(api: NinjaAPI) -> None:
    """Makes every exception of an operation a problem, also those that ninja has answers of its own for."""
    for kind in (Exception, Http404, HttpError, ValidationError):
        api.add_exception_handler(kind, _answer)


def _answer(_: HttpRequest, error: Any) -> HttpResponse:
    if isinstance(error, HttpError) and isinstance(error.__cause__, Problem):
        error = error.__cause__  # ninja's word for whatever went wrong while a body was read
    match error:
        case Problem():
            return respond(error.status, error.detail, headers=error.headers)
        case errors.AssayError():
            return respond(status_of(error), str(error))
        case ValidationError():
            return respond(422, _told(error.errors))
        case HttpError():
            return respond(error.status_code)
        case Http404() | RequestDataTooBig():
            return respond(404 if isinstance(error, Http404) else 413)
    log.error("A request failed", exc_info=error)
    return respond(500)


def _told(found: Iterable[Mapping[str, Any]]) -> str:
    """Which fields are wrong, and how; never their values."""
    return " ".join(f"{_place(one['loc'])}: {_words(one)}." for one in found)


def _words(one: Mapping[str, Any]) -> str:
    is_no_object = one["type"] in {"model_type", "model_attributes_type", "dict_type"}
    return "must be an object" if is_no_object else str(one["msg"]).removeprefix("Value error, ")


def _place(loc: Iterable[object]) -> str:
    """Without what only ninja knows: where a value came from and what its parameter is called."""
    source, *path = loc
    return ".".join(map(str, path[1:] if source == "body" else path)) or "body"
