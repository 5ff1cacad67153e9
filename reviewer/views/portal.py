"""The door for members whom their agent sent: a link that is good once."""

from django.contrib.auth import login
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods

from memory import portal as portals
from reviewer.views.access import AnyRequest, private

GONE = 410
BACKEND = "django.contrib.auth.backends.ModelBackend"


@require_http_methods(["GET", "HEAD", "POST"])
@private
@sensitive_variables("token")
def portal(request: AnyRequest, token: str) -> HttpResponse:
    """A look costs nothing, so that previews and scanners don't use the link up; the button does."""
    if request.user.is_authenticated and portals.was_of(token, request.user.pk):
        return redirect("home")
    if request.method != "POST":
        person = portals.owner(token)
        return render(request, "portal/page.html", {"person": person}, status=200 if person else GONE)
    person = portals.consume(token)
    if person is None:
        return render(request, "portal/page.html", {"person": None}, status=GONE)
    login(request, person, backend=BACKEND)
    return redirect("home")
