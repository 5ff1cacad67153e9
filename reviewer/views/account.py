"""One's own sign-in: the password and the second factor."""

from functools import wraps
from typing import Any

from allauth.account.views import PasswordChangeView
from allauth.mfa.recovery_codes.views import GenerateRecoveryCodesView, ViewRecoveryCodesView
from allauth.mfa.totp.views import ActivateTOTPView, DeactivateTOTPView
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from reviewer.signing import factors
from reviewer.views.access import HtmxRequest, View, signed_in


@require_safe
@signed_in
def account(request: HtmxRequest) -> HttpResponse:
    """What one signs in with."""
    context = {
        "has_password": request.user.has_usable_password(),
        "has_factor": bool(factors.having([request.user.pk])),
        "is_changed": request.GET.get("changed") == "password",
    }
    return render(request, "account/page.html", context)


def _with_password(view: View) -> View:
    """For whoever has a password; others are looked after where they come in from."""

    @signed_in
    @wraps(view)
    def wrapped(request: HtmxRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not request.user.has_usable_password():
            return redirect("account")
        return view(request, *args, **kwargs)

    return wrapped


password = _with_password(PasswordChangeView.as_view(template_name="account/password.html"))
factor_on = _with_password(ActivateTOTPView.as_view(template_name="account/factor_on.html"))
factor_off = _with_password(DeactivateTOTPView.as_view(template_name="account/factor_off.html"))
codes = _with_password(ViewRecoveryCodesView.as_view(template_name="account/codes.html"))
new_codes = _with_password(GenerateRecoveryCodesView.as_view(template_name="account/new_codes.html"))
