"""The second factor of a sign-in: who has one, and taking it away when their phone is lost."""

import base64
import hashlib
from collections.abc import Iterable

from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings

ISSUER = "Assay"


class FactorAdapter(DefaultMFAAdapter):
    """Keeps what codes are computed from encrypted by the installation's key: a copy of the database opens nothing."""

    def get_totp_issuer(self) -> str:
        return ISSUER

    def build_totp_svg(self, url: str) -> str:
        """Without the prolog, which has no place inside a page."""
        return str(super().build_totp_svg(url)).partition("?>")[2]

    def encrypt(self, text: str) -> str:
        return _cipher().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """What another key encrypted fits no code: an admin takes the factor away."""
        try:
            return _cipher().decrypt(encrypted_text.encode()).decode()
        except InvalidToken:
            return ""


def having(user_ids: Iterable[int]) -> set[int]:
    """Those of these users who have a second factor."""
    rows = Authenticator.objects.filter(user__in=list(user_ids), type=Authenticator.Type.TOTP)
    return set(rows.values_list("user_id", flat=True))


def take_away(user_id: int) -> bool:
    """Whether there was one."""
    return bool(Authenticator.objects.filter(user=user_id).delete()[0])


def _cipher() -> Fernet:
    key = hashlib.sha256(b"second factor:" + settings.SECRET_KEY.encode()).digest()
    return Fernet(base64.urlsafe_b64encode(key))
