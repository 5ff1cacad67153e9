"""What a page's URL asks for. What makes no sense there is as missing as a page that does not exist."""

from collections.abc import Container

from django.http import Http404, HttpRequest

from memory.browsing.paging import Cursor

_LARGEST = 2**63 - 1
_LONGEST = 200


def number(request: HttpRequest, name: str) -> int | None:
    """A positive whole number, None when it is not given."""
    given = request.GET.get(name, "")
    if not given:
        return None
    found = whole(given)
    if found is None:
        raise Http404
    return found


def whole(given: str) -> int | None:
    """A positive whole number that a row could have, None for anything else."""
    is_number = given.isascii() and given.isdecimal() and 0 < int(given[:20]) <= _LARGEST
    return int(given) if is_number else None


def words(request: HttpRequest, name: str) -> str:
    """What somebody typed to look for: anything, as far as it is looked at."""
    return request.GET.get(name, "").replace("\x00", "").strip()[:_LONGEST]


def choice(request: HttpRequest, name: str, among: Container[str]) -> str | None:
    """One of the values in `among`, None when it is not given."""
    given = request.GET.get(name, "")
    if given and given not in among:
        raise Http404
    return given or None


def cursor(request: HttpRequest) -> Cursor:
    """Which page of a list: `after` or `before` a row, or the `last`."""
    after, before = number(request, "after"), number(request, "before")
    if after is not None and before is not None:
        raise Http404
    return Cursor(after=after, before=before, is_last="last" in request.GET)
