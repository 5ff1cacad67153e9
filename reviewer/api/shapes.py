"""What goes in and comes out, as the OpenAPI document describes it.

What comes in is checked by these; what goes out is written as it stands, and held to them by the tests.
"""

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from memory import incoming
from memory.types import Status
from reviewer.api.parsing import MAX_ID, Day, Name, Words
from reviewer.api.people import language, zone
from reviewer.api.problems import DETAILS, KINDS, MEDIA_TYPE

type Among = Literal["live", "all", "active", "conflicted", "superseded", "retracted", "lapsed"]
type State = Literal["pending", "running", "done", "failed"]


class Given(BaseModel):
    """Bodies say what they mean: no unknown fields, and no text where a number belongs."""

    model_config = ConfigDict(extra="forbid", strict=True)


class PersonChange(Given):
    display_name: Name | None = None
    language: str | None = Field(None, max_length=10, examples=["en"])
    time_zone: str | None = Field(None, max_length=64, examples=["Europe/Berlin"])
    paused: bool | None = Field(None, description="nothing is learnt while paused")

    @field_validator("language")
    @classmethod
    def _known_language(cls, value: str | None) -> str | None:
        return None if value is None else language(value)

    @field_validator("time_zone")
    @classmethod
    def _known_zone(cls, value: str | None) -> str | None:
        return None if value is None else zone(value)


class Person(BaseModel):
    external_id: str
    display_name: str
    language: str
    time_zone: str
    paused: bool
    created_at: datetime


class Question(Given):
    query: Words
    k: int = Field(6, ge=1, le=50, description="how many facts; sides of a conflict come whole beyond that")
    subject: Name | None = Field(None, description="only facts about this one")
    as_of: str | None = Field(
        None,
        max_length=10,
        description="what was so on the last day of this",
        examples=["2026", "2026-03", "2026-03-10"],
    )


class Asking(Given):
    question: Words


class Deciding(Given):
    dimensions: list[Name] | None = Field(None, min_length=1, max_length=50, description="all, if none are named")


class FactChange(Given):
    """One of three: `text` and/or `object` corrects; `status` retracts or closes; `valid_to` alone closes."""

    text: Words | None = Field(None, description="how the sentence should read")
    object: Words | None = Field(None, description="what should stand for the object")
    status: Literal["retracted", "closed"] | None = Field(None, description="never true; or true no longer")
    valid_to: Day | None = Field(None, description="the last day it was true; today, if it is closed without")


class Evidence(BaseModel):
    episode: str
    turn: int
    role: str
    quote: str
    at: datetime


class Fact(BaseModel):
    id: int
    text: str
    subject: str
    subject_note: str = Field(description="what tells it apart from others of the same name")
    predicate: str
    object: str
    kind: str
    polarity: str
    basis: str
    source: str
    confidence: float
    effective_confidence: float
    status: Status
    status_reason: str
    valid_from: str | None
    valid_to: str | None
    expires_on: str | None
    created_at: datetime
    last_supported_at: datetime
    supersedes: list[int]
    superseded_by: int | None
    derived_from: list[int]
    evidence: list[Evidence]


class Wanted(BaseModel):
    """Which facts, and which page of them."""

    status: Among = "live"
    subject: str = Field("", max_length=200)
    after: int = Field(0, ge=0, le=MAX_ID)
    limit: int = Field(50, ge=1, le=200)


class Facts(BaseModel):
    facts: list[Fact]
    next: int | None = Field(description="what to give as `after` for the next page; null on the last")


class Changed(BaseModel):
    fact: Fact = Field(description="what is believed now; after a retraction the fact itself, as it is now")
    corrected: Fact | None = Field(description="the fact that this one corrects, as it is now")


class Erased(BaseModel):
    erased: bool
    counts: dict[str, int]
    facts: list[Fact] | None = Field(None, description="what would go; only in a preview")
    dependent: list[Fact] | None = Field(None, description="what would go with it, being derived from it alone")
    receipt: int | None = None
    at: datetime | None = None


class Recalled(Fact):
    rank: int
    found_by: list[str]
    conflict: int | None = Field(description="the conflict it is a side of")


class Said(BaseModel):
    episode: str
    turn: int
    role: str
    name: str
    content: str
    is_cut: bool
    at: datetime
    rank: int


class Retrieval(BaseModel):
    needs_episodes: bool
    why: str
    note: str


class Recollection(BaseModel):
    facts: list[Recalled]
    episodes: list[Said]
    retrieval: Retrieval
    block: str = Field(description="all of it, ready to stand in a prompt")


class Basis(BaseModel):
    id: int
    text: str


class Answered(BaseModel):
    answer: str
    facts: list[int]
    based_on: list[Basis]
    episodes: list[Said]
    retrieval: Retrieval


class Decided(BaseModel):
    value: str
    because: list[int]
    without: str


class Conflict(BaseModel):
    id: int | str
    status: str
    subject: str
    predicate: str
    why: str
    facts: list[int]


class Conflicts(BaseModel):
    conflicts: list[Conflict]


class EpisodeState(BaseModel):
    id: int
    external_id: str
    state: State
    why: str = Field(description="why it failed, or why it is put off; else empty")
    turns: int
    read: int = Field(description="how many of the turns extraction has seen")
    occurred_at: datetime


class Stored(BaseModel):
    """One stored episode; `status` is 202 if there is something to learn from it, 200 if it was here already."""

    id: int
    external_id: str
    state: State
    arrival: Literal["created", "existing", "appended"]
    turns_added: int
    removed: int = Field(description="invisible and control characters that were taken out")
    status: int


class NotStored(BaseModel):
    external_id: str
    type: str
    title: str
    status: int
    detail: str


class Batch(BaseModel):
    episodes: list[Stored | NotStored]


class PortalLink(BaseModel):
    url: str
    expires_at: datetime


class Problem(BaseModel):
    type: str
    title: str
    status: int
    detail: str


_TIME = {"anyOf": [{"type": "string", "format": "date-time"}, {"type": "number"}, {"type": "null"}]}
_ID = {"type": "string", "minLength": 1, "maxLength": incoming.MAX_NAME}
_NAME = {"type": ["string", "null"], "maxLength": incoming.MAX_NAME}
TURN = {
    "type": "object",
    "required": ["role", "content"],
    "properties": {
        "role": {"enum": ["user", "assistant", "tool", "system"]},
        "name": {**_NAME, "description": "of a tool or speaker"},
        "content": {"type": "string"},
        "at": {**_TIME, "description": "ISO 8601; without a zone it is the user's; else seconds since 1970"},
    },
}
EPISODE = {
    "type": "object",
    "required": ["external_id", "turns"],
    "properties": {
        "external_id": {**_ID, "description": "the same whenever this episode is sent again"},
        "session": {**_NAME, "description": "groups episodes of one conversation"},
        "closed": {"type": ["boolean", "null"], "description": "the session has ended: learn from it now"},
        "remember": {"type": ["boolean", "null"], "description": "worth learning from now"},
        "occurred_at": {**_TIME, "description": "when it happened, if not now"},
        "turns": {"type": "array", "items": TURN, "minItems": 1, "maxItems": incoming.MAX_TURNS},
    },
}
EPISODES = {
    "anyOf": [
        EPISODE,
        {
            "type": "object",
            "required": ["episodes"],
            "properties": {
                "episodes": {"type": "array", "items": EPISODE, "minItems": 1, "maxItems": incoming.MAX_EPISODES}
            },
        },
    ]
}
_EXAMPLE = {
    "external_id": "chat-2026-03-10",
    "closed": True,
    "turns": [{"role": "user", "content": "I moved to Bergen last week.", "at": "2026-03-10T09:30:00+01:00"}],
}
EPISODES_BODY = {"required": True, "content": {"application/json": {"schema": EPISODES, "example": _EXAMPLE}}}
ZIP = {"description": "The archive", "content": {"application/zip": {"schema": {"type": "string", "format": "binary"}}}}


def may_fail(*statuses: int, **more: Any) -> dict[str, Any]:
    """For `openapi_extra`: the problems that an operation answers with, beside those that each does."""
    found = sorted({400, 401, 403, 404, 422, 429, *statuses})
    return {"responses": {status: _problem(status) for status in found}, **more}


def _problem(status: int) -> dict[str, Any]:
    schema = {"$ref": "#/components/schemas/Problem"}
    description = DETAILS.get(status, KINDS[status][1])
    return {"description": description, "content": {MEDIA_TYPE: {"schema": schema}}}
