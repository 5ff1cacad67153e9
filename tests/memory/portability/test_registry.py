"""The registry knows every table and field, each once, and nothing that is not there."""

from typing import Any

import pytest
from django.apps import apps
from django.db.models import Model

from memory.models.ownership import Owned
from memory.portability import registry
from memory.portability.registry import NUMBERED, REGISTRY, SECTIONS, Class

MODELS = list(apps.get_app_config("memory").get_models(include_auto_created=True))


def test_every_model_is_classified_and_no_other() -> None:
    assert {model.__name__ for model in REGISTRY} == {model.__name__ for model in MODELS}


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_every_field_is_classified_and_no_other(model: type[Model]) -> None:
    assert sorted(REGISTRY[model]) == sorted(field.name for field in model._meta.concrete_fields)


def test_field_of_two_classes_is_refused() -> None:
    with pytest.raises(ValueError, match="two classes"):
        registry._fields(content="text", link="text")


def test_field_of_an_unknown_class_is_refused() -> None:
    with pytest.raises(ValueError, match="misc"):
        registry._fields(misc="text")


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_content_travels_with_its_user(model: Any) -> None:
    holds = {Class.CONTENT, Class.LINK} & {*REGISTRY[model].values()}

    assert bool(holds) == (model in SECTIONS.values() or model.__name__ == "User")
    assert not holds or issubclass(model, Owned) or model.__name__ == "User"


@pytest.mark.parametrize("model", SECTIONS.values(), ids=lambda model: model.__name__)
def test_links_point_at_rows_that_travel(model: Any) -> None:
    links = [name for name, kind in REGISTRY[model].items() if kind is Class.LINK and name != "id"]
    targets = [NUMBERED.get((model, name)) or model._meta.get_field(name).related_model for name in links]

    assert [target for target in targets if REGISTRY[target].get("id") is not Class.LINK] == []
