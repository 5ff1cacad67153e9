"""The addresses of what staff find facts and people by, and put right there."""

from django.urls import path

from reviewer.views import entities, fact, facts, leaving, palette

PERSON = "people/<person:external_id>/"
FACT = f"{PERSON}facts/<int:fact_id>/"
ENTITY = f"{PERSON}names/<int:entity_id>/"

urlpatterns = [
    path("palette/", palette.palette, name="palette"),
    path("facts/", facts.facts, name="facts"),
    path("facts/facts.csv", facts.export, name="facts-export"),
    path("facts/retire/", facts.retire, name="facts-retire"),
    path("facts/restore/", facts.restore, name="facts-restore"),
    path("facts/searches/", facts.save, name="facts-save"),
    path("facts/searches/<int:view_id>/drop/", facts.drop, name="facts-drop"),
    path(FACT, fact.fact, name="fact"),
    path(f"{FACT}edit/", fact.edit, name="fact-edit"),
    path(f"{FACT}retire/", fact.retire, name="fact-retire"),
    path(f"{FACT}restore/", fact.restore, name="fact-restore"),
    path(f"{FACT}pin/", fact.pin, name="fact-pin"),
    path(f"{FACT}erase/", fact.erase, name="fact-erase"),
    path(f"{PERSON}names/", entities.entities, name="entities"),
    path(f"{ENTITY}alias/", entities.alias, name="entity-alias"),
    path(f"{ENTITY}same/", entities.same, name="entity-same"),
    path(f"{ENTITY}different/", entities.different, name="entity-different"),
    path(f"{PERSON}names/aliases/<int:alias_id>/remove/", entities.unalias, name="entity-unalias"),
    path(f"{PERSON}names/dismissed/<int:dismissal_id>/undo/", entities.reconsider, name="entity-reconsider"),
    path(f"{PERSON}leaving/", leaving.leaving, name="leaving"),
    path(f"{PERSON}leaving/export/", leaving.export, name="person-export"),
    path(f"{PERSON}leaving/subject/", leaving.subject, name="forget-subject"),
    path(f"{PERSON}leaving/everything/", leaving.everything, name="forget-everything"),
]
