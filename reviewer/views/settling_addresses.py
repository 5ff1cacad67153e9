"""The addresses where something is decided: contradictions, refusals, resolutions."""

from django.urls import path

from reviewer.views import conflicts, refused, resolutions, settling

CONFLICT = "people/<person:external_id>/conflicts/<int:conflict_id>/"
REFUSAL = "people/<person:external_id>/refused/<int:candidate_id>/"
RESOLUTION = "people/<person:external_id>/resolutions/<int:claim_id>/"

urlpatterns = [
    path(CONFLICT, settling.conflict, name="conflict"),
    path(CONFLICT + "settle/", settling.settle, name="settle"),
    path(CONFLICT + "undo/", settling.undo, name="settle-undo"),
    path(CONFLICT + "withdraw/", settling.withdraw, name="settle-withdraw"),
    path("conflicts/offers/", conflicts.offers, name="offers"),
    path(REFUSAL, refused.refusal, name="refusal"),
    path(REFUSAL + "promote/", refused.promote, name="promote"),
    path(REFUSAL + "demote/", refused.demote, name="demote"),
    path(REFUSAL + "audit/", refused.audit, name="refusal-audit"),
    path(REFUSAL + "withdraw/", refused.withdraw, name="refusal-withdraw"),
    path("resolutions/", resolutions.listing, name="resolutions"),
    path(RESOLUTION, resolutions.resolution, name="resolution"),
    path(RESOLUTION + "audit/", resolutions.audit, name="audit"),
    path(RESOLUTION + "undo/", resolutions.undo, name="audit-undo"),
]
