"""What allauth is told about Assay's logins: no e-mail, no sign-up, the external id as the name."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.forms import LoginForm
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _

from memory.models import User
from reviewer.signing import clients


class NameForm(LoginForm):
    """Calls the field for the name "username", as password managers and axes know it."""

    def add_prefix(self, field_name: str) -> str:
        return str(super().add_prefix("username" if field_name == "login" else field_name))


class AccountAdapter(DefaultAccountAdapter):
    """Wrong passwords are axes' matter, which counts in the database and by name and address together."""

    error_messages = DefaultAccountAdapter.error_messages | {
        "username_password_mismatch": _("Name or password is wrong. Both are case-sensitive."),
        "too_many_login_attempts": _("Too many tries. Wait a few minutes, then try again."),
        "enter_current_password": _("That is not your current password."),
    }

    def is_open_for_signup(self, _request: HttpRequest) -> bool:
        return False

    def pre_authenticate(self, _request: HttpRequest, **_credentials: Any) -> None:
        """The library's count by name alone would let anybody lock out anybody."""

    def get_client_ip(self, request: HttpRequest) -> str:
        return clients.address(request)

    def add_message(self, *_: Any, **__: Any) -> None:
        """The pages say themselves what has happened."""

    def send_notification_mail(self, *_: Any, **__: Any) -> None:
        """There is no address to write to."""

    def get_password_change_redirect_url(self, _request: HttpRequest) -> str:
        return "/account/?changed=password"

    def respond_user_inactive(self, request: HttpRequest, _user: User) -> HttpResponse:
        return refusal(request)


class ProviderAdapter(DefaultSocialAccountAdapter):
    """Who comes from the identity provider is the login whose name is the configured claim; nobody is made."""

    def is_open_for_signup(self, _request: HttpRequest, _sociallogin: Any) -> bool:
        return False

    def pre_social_login(self, request: HttpRequest, sociallogin: Any) -> None:
        user = User.objects.filter(external_id=_claimed(sociallogin.account.extra_data), is_active=True).first()
        if user is None or sociallogin.state.get("process") != "login":
            raise ImmediateHttpResponse(refusal(request))
        sociallogin.user = user

    def on_authentication_error(self, request: HttpRequest, *_: Any, **__: Any) -> None:
        raise ImmediateHttpResponse(refusal(request))


def refusal(request: HttpRequest) -> HttpResponse:
    """Signing in elsewhere went well or not; here there is no way in by it."""
    return render(request, "login/refused.html", status=403)


def _claimed(told: dict[str, Any]) -> str:
    """Nothing, "", when the provider says nothing, or does not vouch for the address that it names."""
    claims = told.get("userinfo") or told.get("id_token") or told
    claim = settings.ASSAY_OIDC_CLAIM
    if claim == "email" and claims.get("email_verified") is not True:
        return ""
    return str(claims.get(claim) or "")
