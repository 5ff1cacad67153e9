"""Acting on what is one person's: in their scope, and then showing how it stands now."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from memory import scope
from memory.errors import MemoryPaused, Refused, Unanswerable
from memory.models import User
from reviewer.views.access import HtmxRequest, View


class Done(Protocol):
    """What came of it."""

    @property
    def is_new(self) -> bool:
        """Whether this call did it."""


@dataclass(frozen=True, slots=True)
class Place:
    """The page that shows how it stands: its route, its view, and which of the fields come back when they do not fit."""

    route: str
    show: View
    kept: tuple[str, ...] = ()


def act(request: HtmxRequest, person: User, number: int, do: Callable[[], Done], *, place: Place) -> HttpResponse:
    """Does it, and shows the page; what cannot be done is told there, with what was written."""
    more: dict[str, Any] = {}
    try:
        with scope.user(person.pk):
            done = do()
    except (Refused, MemoryPaused, Unanswerable) as error:
        more = {"problem": str(error), **{name: request.POST.get(name, "") for name in place.kept}}
    else:
        if not done.is_new:
            messages.warning(request, _("Somebody was quicker: this is how it stands."))
    if more or request.htmx:
        return place.show(request, person.external_id, number, **more)
    return redirect(place.route, person.external_id, number)
