"""Signing in: by password and second factor, or by an identity provider, and again before what is delicate."""

import logging
from functools import wraps
from typing import Any

from allauth.account.views import LoginView, ReauthenticateView
from allauth.mfa.base.views import AuthenticateView
from allauth.mfa.base.views import ReauthenticateView as ReauthenticateByCodeView
from allauth.socialaccount.providers.openid_connect import views as openid
from django.conf import settings
from django.http import HttpRequest, HttpResponse

from reviewer.signing.accounts import refusal
from reviewer.views.access import View, private, signed_in

log = logging.getLogger(__name__)


def _providers() -> list[str]:
    """What the ways in besides the password are called."""
    return [app["name"] for apps in settings.SOCIALACCOUNT_PROVIDERS.values() for app in apps["APPS"]]


def _answered(view: View) -> View:
    """With a page of ours where the provider is away, or says what makes no sense."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except (KeyError, ValueError, OSError) as error:
            log.warning("the identity provider gave no usable answer: %s", type(error).__name__)
            return refusal(request)

    return wrapped


login = private(LoginView.as_view(template_name="login/page.html", extra_context={"providers": _providers}))
code = private(AuthenticateView.as_view(template_name="login/code.html"))
again = signed_in(ReauthenticateView.as_view(template_name="login/again.html"))
again_by_code = signed_in(ReauthenticateByCodeView.as_view(template_name="login/again.html"))
provider = private(_answered(openid.login))
provider_callback = private(_answered(openid.callback))
