"""Who may sign in and as what, and inviting more: for admins."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from memory import inviting, logins, scope
from memory.browsing import logins as browsing
from memory.errors import Unanswerable
from memory.models import Access, User
from reviewer.signing import factors, lockout
from reviewer.signing.inviting import InvitationForm
from reviewer.views import asking
from reviewer.views.access import HtmxRequest, admin_required
from reviewer.views.answering import respond

_ROLES = [access.value for access in Access]


@require_safe
@admin_required
def listing(request: HtmxRequest) -> HttpResponse:
    """All who can sign in, by name and role."""
    return _shown(request, InvitationForm())


@require_http_methods(["GET", "HEAD", "POST"])
@admin_required
@sensitive_variables("link")
def invite(request: HtmxRequest) -> HttpResponse:
    """Makes a link and shows it, this once; whoever comes to the address again is led to the list."""
    if request.method != "POST":
        return redirect("logins")
    form = InvitationForm(request.POST)
    if form.is_valid():
        try:
            link = inviting.issue(**form.cleaned_data, by=request.user)
        except Unanswerable as why:
            form.add_error(None, str(why))
        else:
            return _shown(
                request, InvitationForm(), link=_address(request, link), whom=form.cleaned_data["external_id"]
            )
    return _shown(request, form, status=422)


@require_POST
@admin_required
@sensitive_variables("link")
def renew(request: HtmxRequest, login_id: int) -> HttpResponse:
    """Makes a link for a new password and shows it, this once."""
    login = browsing.login(login_id)
    try:
        link = inviting.renew(login_id, by=request.user)
    except Unanswerable as why:
        messages.error(request, str(why))
        return redirect("logins")
    return _shown(request, InvitationForm(), link=_address(request, link), whom=str(login))


@require_POST
@admin_required
def revoke(request: HtmxRequest, invitation_id: int) -> HttpResponse:
    """Ends a link. Asked twice, it has ended."""
    inviting.revoke(invitation_id)
    messages.success(request, _("The link no longer works."))
    return redirect("logins")


@require_POST
@admin_required
def role(request: HtmxRequest, login_id: int) -> HttpResponse:
    """Makes a login a member's, a reviewer's or an admin's."""
    wanted = request.POST.get("access", "")
    if wanted not in _ROLES:
        messages.error(request, _("Choose a role."))
        return redirect("logins")
    return _done(request, lambda: logins.change(login_id, by=request.user, access=wanted), _("The role is changed."))


@require_POST
@admin_required
def shut(request: HtmxRequest, login_id: int) -> HttpResponse:
    """Signs a login out everywhere, at once, and lets it in no more."""
    return _done(request, lambda: logins.change(login_id, by=request.user, is_active=False), _("The login is shut."))


@require_POST
@admin_required
def reopen(request: HtmxRequest, login_id: int) -> HttpResponse:
    """Lets a login in again."""
    return _done(
        request, lambda: logins.change(login_id, by=request.user, is_active=True), _("The login is open again.")
    )


@require_POST
@admin_required
def unlock(request: HtmxRequest, login_id: int) -> HttpResponse:
    """Lets whoever had too many wrong passwords try again at once."""
    lockout.lift(browsing.login(login_id).external_id)
    messages.success(request, _("They can try again at once."))
    return redirect("logins")


@require_POST
@admin_required
def factor(request: HtmxRequest, login_id: int) -> HttpResponse:
    """Takes the second factor of a lost phone away."""
    factors.take_away(browsing.login(login_id).pk)
    messages.success(
        request, _("The second factor is taken away. The password alone lets them in until they set it up anew.")
    )
    return redirect("logins")


def _done(request: HtmxRequest, act: Callable[[], User], told: str) -> HttpResponse:
    try:
        act()
    except Unanswerable as why:
        messages.error(request, str(why))
    else:
        messages.success(request, told)
    return redirect("logins")


def _shown(
    request: HtmxRequest, form: InvitationForm, *, status: int = 200, link: str = "", whom: str = ""
) -> HttpResponse:
    query = request.GET.get("q", "").replace("\x00", "").strip()[:200]
    access = asking.choice(request, "role", _ROLES)
    page = browsing.logins(query, asking.cursor(request), access=Access(access) if access else None)
    with scope.staff():
        pending = inviting.pending()
    context = {
        "form": form,
        "link": link,
        "whom": whom,
        "pending": pending,
        "query": query,
        "role": access,
        "roles": _ROLES,
        "page": page,
        "locked": lockout.locked(login.external_id for login in page.rows),
        "having": factors.having(login.pk for login in page.rows),
    }
    response = respond(request, "logins/page.html#logins", context)
    response.status_code = status
    return response


def _address(request: HttpRequest, link: inviting.Link) -> str:
    return request.build_absolute_uri(reverse("invited", args=[link.token]))
