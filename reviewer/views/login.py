"""Signing in: by password and second factor, or by an identity provider, and again before what is delicate."""

from allauth.account.views import LoginView, ReauthenticateView
from allauth.mfa.base.views import AuthenticateView
from allauth.mfa.base.views import ReauthenticateView as ReauthenticateByCodeView
from allauth.socialaccount.providers.openid_connect import views as openid
from django.conf import settings

from reviewer.views.access import private, signed_in


def _providers() -> list[str]:
    """What the ways in besides the password are called."""
    return [app["name"] for apps in settings.SOCIALACCOUNT_PROVIDERS.values() for app in apps["APPS"]]


login = private(LoginView.as_view(template_name="login/page.html", extra_context={"providers": _providers}))
code = private(AuthenticateView.as_view(template_name="login/code.html"))
again = signed_in(ReauthenticateView.as_view(template_name="login/again.html"))
again_by_code = signed_in(ReauthenticateByCodeView.as_view(template_name="login/again.html"))
provider = private(openid.login)
provider_callback = private(openid.callback)
