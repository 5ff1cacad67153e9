"""Forgetting everything: the login too. A receipt stays, which says how much and not what."""

from django.contrib.auth import logout
from django.core import signing
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from memory import forgetting, scope
from memory.mine import leaving
from memory.models import Receipt
from reviewer.views.access import AnyRequest, HtmxRequest, private, signed_in
from reviewer.views.mine import room

SALT = "mine.gone"
GOOD_FOR = 3600  # seconds


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def everything(request: HtmxRequest) -> HttpResponse:
    """How much would go, and the words to type; then all of it goes. Logins of staff are removed by an admin."""
    with room.inside(request):
        is_meant = request.method == "POST" and not request.user.is_staff
        if is_meant and " ".join(request.POST.get("words", "").split()).casefold() == phrase().casefold():
            return _depart(request)
        with scope.staff():  # what reviewers said of it goes too, which nobody sees in their own scope
            counts = forgetting.preview_departure(request.user.pk)
        with scope.user(request.user.pk):
            context = {"counts": leaving.told(counts), "phrase": phrase(), "is_wrong": is_meant}
            return room.show(request, "everything.html", context)


@require_safe
@private
def gone(request: AnyRequest, token: str) -> HttpResponse:
    """The receipt of someone who has no login any more; whoever has the link sees counts and no content."""
    try:
        receipt_id = int(signing.loads(token, salt=SALT, max_age=GOOD_FOR))
    except (signing.BadSignature, ValueError) as error:
        raise Http404 from error
    with scope.staff():
        receipt = Receipt.objects.filter(pk=receipt_id).first()
    if receipt is None:
        raise Http404
    return render(request, "mine/receipt.html", {"receipt": receipt, "lines": leaving.told(receipt.counts)})


def phrase() -> str:
    """What is to be typed, in the reader's language."""
    return _("forget everything")


def _depart(request: HtmxRequest) -> HttpResponse:
    receipt = forgetting.depart(request.user, actor=str(request.user.pk))
    logout(request)
    return redirect("mine-gone", signing.dumps(receipt.pk, salt=SALT))
