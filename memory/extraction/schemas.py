"""The wire format of extraction and judgement, as Pydantic models."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, SkipValidation


def _strict(schema: dict[str, Any]) -> None:
    """Strict structured output wants every field required; what we read is more forgiving."""
    schema["additionalProperties"] = False
    schema["required"] = list(schema["properties"])
    schema.pop("description", None)  # our docstrings are no business of the model's
    for definition in schema["properties"].values():
        definition.pop("default", None)


class Wire(BaseModel):
    """Read strictly by type, sent as a strict schema."""

    model_config = ConfigDict(strict=True, extra="ignore", json_schema_extra=_strict)


class Evidence(Wire):
    turn: int
    quote: str


class Candidate(Wire):
    text: str
    subject: str
    subject_note: str | None = None
    predicate: str
    object: str
    kind: Literal["preference", "knowledge", "goal", "temporary", "identity", "relationship", "constraint"]
    polarity: Literal["affirms", "denies"] = "affirms"
    basis: Literal["stated", "inferred"] = "stated"
    speech: Literal["states", "corrects", "changes"] = "states"
    valid_from: str | None = None
    valid_to: str | None = None
    expires_on: str | None = None
    about: int | None = None
    evidence: list[Evidence]


class ExtractionReply(Wire):
    """Candidates are not validated here, so that one that is malformed does not sink the others."""

    candidates: list[SkipValidation[Candidate]]


class JudgementReply(Wire):
    relation: Literal["duplicate", "refinement", "update", "conflict", "compatible"]
    why: str = ""
