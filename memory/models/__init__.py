"""Tables by noun. Constraints and QuerySet words live with them."""

from memory.models.agents import ApiKey, Decided, PortalLink, Recalled
from memory.models.candidates import Candidate, Evidence, GateAudit, JudgedPair, Resolution
from memory.models.entities import Alias, Entity
from memory.models.episodes import Episode, State, Turn
from memory.models.facts import Conflict, ConflictSide, Derivation, Fact, PersonsRuling
from memory.models.leaving import Departure, Erasure, ErasureRequest, Receipt, Rule
from memory.models.review import (
    Correction,
    Handout,
    Label,
    PredicateOffer,
    Remark,
    Report,
    Sample,
    SampleItem,
    SampleText,
)
from memory.models.users import Access, User
from memory.models.visiting import Dismissal, Invitation, SavedView, StaffRead, Transfer, TransferChunk
from memory.models.work import History, Job, JobState, ModelCall, PolicyVersion

__all__ = [
    "Access",
    "Alias",
    "ApiKey",
    "Candidate",
    "Conflict",
    "ConflictSide",
    "Correction",
    "Decided",
    "Departure",
    "Derivation",
    "Dismissal",
    "Entity",
    "Episode",
    "Erasure",
    "ErasureRequest",
    "Evidence",
    "Fact",
    "GateAudit",
    "Handout",
    "History",
    "Invitation",
    "Job",
    "JobState",
    "JudgedPair",
    "Label",
    "ModelCall",
    "PersonsRuling",
    "PolicyVersion",
    "PortalLink",
    "PredicateOffer",
    "Recalled",
    "Receipt",
    "Remark",
    "Report",
    "Resolution",
    "Rule",
    "Sample",
    "SampleItem",
    "SampleText",
    "SavedView",
    "StaffRead",
    "State",
    "Transfer",
    "TransferChunk",
    "Turn",
    "User",
]
