"""Tables by noun. Constraints and QuerySet words live with them."""

from memory.models.agents import ApiKey, Decided, PortalLink, Recalled
from memory.models.candidates import Candidate, Evidence, JudgedPair, Resolution
from memory.models.entities import Alias, Entity
from memory.models.episodes import Episode, State, Turn
from memory.models.facts import Conflict, ConflictSide, Derivation, Fact, PersonsRuling
from memory.models.leaving import Departure, Erasure, ErasureRequest, Receipt, Rule
from memory.models.users import Access, User
from memory.models.work import History, Job, JobState, ModelCall, PolicyVersion

__all__ = [
    "Access",
    "Alias",
    "ApiKey",
    "Candidate",
    "Conflict",
    "ConflictSide",
    "Decided",
    "Departure",
    "Derivation",
    "Entity",
    "Episode",
    "Erasure",
    "ErasureRequest",
    "Evidence",
    "Fact",
    "History",
    "Job",
    "JobState",
    "JudgedPair",
    "ModelCall",
    "PersonsRuling",
    "PolicyVersion",
    "PortalLink",
    "Recalled",
    "Receipt",
    "Resolution",
    "Rule",
    "State",
    "Turn",
    "User",
]
