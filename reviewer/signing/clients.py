"""Where a request comes from."""

from ipaddress import ip_address

from django.conf import settings
from django.http import HttpRequest

_NOWHERE = "127.0.0.1"


def address(request: HttpRequest) -> str:
    """The client's IP address: what the outermost of our own proxies saw, else who connects.

    The rest of X-Forwarded-For is the client's own word and is not believed.
    """
    hops = request.headers.get("X-Forwarded-For", "").split(",")
    proxies: int = settings.ASSAY_PROXIES
    told = hops[-proxies] if 0 < proxies <= len(hops) else ""
    return _valid(told) or _valid(request.META.get("REMOTE_ADDR", "")) or _NOWHERE


def _valid(text: str) -> str:
    try:
        return str(ip_address(text.strip()))
    except ValueError:
        return ""
