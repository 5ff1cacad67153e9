"""The door for agents: `/api/v1/`. Each module is some rows of its table; errors are `problems`."""

from typing import Any

from django.urls import register_converter
from ninja import NinjaAPI
from ninja.openapi.schema import OpenAPISchema

from reviewer.api import asking, episodes, facts, leaving, persons, problems
from reviewer.api.parsing import StrictParser
from reviewer.api.shapes import Problem
from reviewer.converters import WhomConverter

register_converter(WhomConverter, "whom")


class API(NinjaAPI):
    """Describes problems once for all operations."""

    def get_openapi_schema(
        self, *, path_prefix: str | None = None, path_params: dict[str, Any] | None = None
    ) -> OpenAPISchema:
        schema = super().get_openapi_schema(path_prefix=path_prefix, path_params=path_params)
        schema["components"]["schemas"]["Problem"] = Problem.model_json_schema()
        return schema


api = API(
    title="Assay",
    version="1",
    urls_namespace="api",
    description=(
        "What an agent keeps about people, each fact with its source. Send conversations, recall before answering."
        " An external id is percent-encoded in an address, a slash in it written as ~2F."
    ),
    parser=StrictParser(),
)
problems.handle(api)
for module in (episodes, asking, facts, persons, leaving):
    api.add_router("", module.router)
