"""The addresses where something is decided: contradictions, refusals, resolutions."""

from django.urls import path

from reviewer.views import conflicts, settling

CONFLICT = "people/<person:external_id>/conflicts/<int:conflict_id>/"

urlpatterns = [
    path(CONFLICT, settling.conflict, name="conflict"),
    path(CONFLICT + "settle/", settling.settle, name="settle"),
    path(CONFLICT + "undo/", settling.undo, name="settle-undo"),
    path(CONFLICT + "withdraw/", settling.withdraw, name="settle-withdraw"),
    path("conflicts/offers/", conflicts.offers, name="offers"),
]
