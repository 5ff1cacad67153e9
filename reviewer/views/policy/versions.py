"""One version of the policy beside another, and going back to it."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from memory import policies, scope
from memory.models import Access
from memory.review import versioning
from reviewer.views import asking
from reviewer.views.access import HtmxRequest, admin_required, staff_page
from reviewer.views.policy.page import preview_of


@require_safe
@staff_page
def version(request: HtmxRequest, version: int) -> HttpResponse:
    """What differs between it and the one before, or any other with `?against=`."""
    against = asking.choice(request, "against", {str(each) for each in range(policies.in_force()[0] + 1)})
    other = int(against) if against else max(0, version - 1)
    context = {
        "number": version,
        "against": other,
        "changes": versioning.differences(policies.numbered(other), policies.numbered(version)),
        "versions": versioning.history(),
        "in_force": policies.in_force()[0],
        "may_change": request.user.access == Access.ADMIN,
    }
    return render(request, "policy/version.html", context)


@require_POST
@admin_required
def back(request: HtmxRequest, version: int) -> HttpResponse:
    """Previews a new version that is equal to an old one."""
    with scope.staff():
        document, (_newest, present) = versioning.document(version), policies.in_force()
        if document == present:
            messages.info(request, _("That is what is in force already."))
            return redirect("policy")
        about = preview_of(document)
    return redirect("policy-preview", about)
