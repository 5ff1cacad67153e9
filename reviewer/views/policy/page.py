"""The policy in force, and proposing another."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from memory import decisions, policies, scope
from memory import policy as shipping
from memory.errors import InvalidPolicy
from memory.models import Access
from memory.policy import Policy
from memory.policy_types import Vocabulary
from memory.review import offering, previewing, reports, trying, versioning
from reviewer.views.access import HtmxRequest, admin_required, staff_page
from reviewer.views.policy.form import PolicyForm
from reviewer.views.reports import frame


@require_safe
@staff_page
def policy(request: HtmxRequest) -> HttpResponse:
    """Every threshold with what it means, the vocabulary, the words, the examples, the versions.

    To a page that waits for a version to be carried out, how far that is.
    """
    if request.htmx and not request.htmx.history_restore_request:
        return render(request, "policy/page.html#carried", _carried(request, policies.current()))
    return _show(request, PolicyForm(None, policy=policies.current()))


@require_POST
@admin_required
def carry(_request: HtmxRequest) -> HttpResponse:
    """Goes on with carrying out what is in force, after it broke off."""
    with scope.staff():
        version = str(policies.current().version)
        carried = reports.find(reports.CARRIED, version)
        if carried is not None and carried.error:
            frame.stored(reports.CARRIED, version, again=True)
    return redirect("policy")


def _carried(request: HtmxRequest, in_force: Policy) -> dict[str, Any]:
    return {
        "policy": in_force,
        "carried": reports.find(reports.CARRIED, str(in_force.version)),
        "may_change": request.user.access == Access.ADMIN,
    }


@require_POST
@admin_required
def propose(request: HtmxRequest) -> HttpResponse:
    """Has what the form changes previewed. One that makes no sense comes back with what is wrong."""
    with scope.staff():
        form = PolicyForm(request.POST.dict(), policy=policies.current())
        if form.is_valid() and (about := _asked(form)):
            return redirect(reverse("policy-preview", args=[about]))
        return _show(request, form)


def _asked(form: PolicyForm) -> str:
    """The name of the preview; "" with the reason in the form."""
    changes = form.changes()
    if not changes:
        form.add_error(None, _("Nothing differs from the policy in force. Change a value first."))
        return ""
    try:
        return preview_of(policies.propose(changes))
    except InvalidPolicy as error:
        form.add_error(None, str(error))
        return ""


def preview_of(document: dict[str, Any]) -> str:
    """Asks for a preview, and a worker for making it; its name. Inside the staff's scope."""
    result = previewing.ask(document)
    if result.is_new:
        frame.tell(reports.PREVIEW, result.about)
    return result.about


def _show(request: HtmxRequest, form: PolicyForm) -> HttpResponse:
    """Inside the staff's scope."""
    versions, in_force = versioning.history(), form.policy
    context = _carried(request, in_force) | {
        "form": form,
        "versions": versions,
        "groups": form.groups(versions, shipping.default()),
        "predicates": _predicates(in_force),
        "markers": [
            (reason, language, words)
            for reason, languages in in_force.markers.items()
            for language, words in languages.items()
        ],
        "dimensions": _dimensions(in_force),
        "tried": trying.attempt(in_force) if "try" in request.GET else (),
        "report": frame.stored(reports.CURVE),
        "offers": offering.offers() if request.user.access == Access.ADMIN else (),
    }
    return render(request, "policy/page.html", context)


def _predicates(policy: Policy) -> list[tuple[str, str, str]]:
    """Each canonical predicate with how many values it may have and its other names: thousands, so joined here."""
    names = _names(policy.vocabulary)
    return [
        (name, value.value, ", ".join(names.get(name, ())).replace("_", " "))
        for name, value in sorted(policy.vocabulary.cardinality.items())
    ]


def _dimensions(policy: Policy) -> list[tuple[str, str, list[str]]]:
    """What agents have decided for them: its name, what holds without memory, and what facts can speak for."""
    tables = {**decisions.shipped(), **policy.dimensions}
    return [
        (name, table["default"], list(dict.fromkeys(rule["value"] for rule in table.get("rules", ()))))
        for name, table in tables.items()
    ]


def _names(vocabulary: Vocabulary) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for synonym, name in vocabulary.synonyms.items():
        found.setdefault(name, []).append(synonym)
    return found
