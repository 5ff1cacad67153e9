"""The door for whoever was invited: a link that is good once, for a name and a password of their own."""

from django.contrib import messages
from django.contrib.auth import login
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods

from memory import inviting
from memory.models import User
from reviewer.signing import factors
from reviewer.signing.inviting import WelcomeForm
from reviewer.views.access import AnyRequest, private
from reviewer.views.portal import BACKEND, GONE


@require_http_methods(["GET", "HEAD", "POST"])
@private
@sensitive_variables("token")
@sensitive_post_parameters("password", "again")
def invited(request: AnyRequest, token: str) -> HttpResponse:
    """A look costs nothing; setting the password uses the link up and signs in."""
    invitation = inviting.find(token)
    if invitation is None:
        return render(request, "invited/page.html", status=GONE)
    asked = User(external_id=invitation.external_id, display_name=invitation.display_name)
    form = WelcomeForm(request.POST if request.method == "POST" else None, login=asked)
    if not form.is_valid():
        context = {"invitation": invitation, "form": form}
        return render(request, "invited/page.html", context, status=422 if form.is_bound else 200)
    given = form.cleaned_data
    user = inviting.accept(token, display_name=given["display_name"], password=given["password"])
    if user is None:
        return render(request, "invited/page.html", status=GONE)
    return _let_in(request, user)


def _let_in(request: AnyRequest, user: User) -> HttpResponse:
    """Not past a second factor: whoever has one signs in with it."""
    if factors.having([user.pk]):
        messages.success(request, _("The new password is set. Sign in with it."))
        return redirect("login")
    login(request, user, backend=BACKEND)
    return redirect("home")
