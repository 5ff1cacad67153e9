"""The forms of an invitation: making one, and following one."""

from typing import Any

from django import forms
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from memory.models import Access, User
from reviewer import wording


class InvitationForm(forms.Form):
    """Whom to invite, and as what."""

    external_id = forms.CharField(max_length=200)
    display_name = forms.CharField(max_length=200, required=False)
    access = forms.ChoiceField(choices=list(wording.ROLES_OF_LOGINS.items()), initial=Access.REVIEWER)

    def clean_access(self) -> Access:
        return Access(self.cleaned_data["access"])


class WelcomeForm(forms.Form):
    """What someone with an invitation chooses: a name to be called by, and a password."""

    display_name = forms.CharField(max_length=200, required=False)
    password = forms.CharField(strip=False, max_length=1000)
    again = forms.CharField(strip=False, max_length=1000)

    def __init__(self, data: Any = None, *, login: User) -> None:
        super().__init__(data, initial={"display_name": login.display_name})
        self._login = login

    def clean_password(self) -> str:
        password = str(self.cleaned_data["password"])
        validate_password(password, self._login)
        return password

    def clean_again(self) -> str:
        again = str(self.cleaned_data["again"])
        if self.cleaned_data.get("password") not in {None, again}:
            raise ValidationError(_("The two are not the same."))
        return again
