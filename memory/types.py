"""Plain values that the stages hand each other. No I/O, no Django."""

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum


class Role(StrEnum):
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    SYSTEM = "system"


class Kind(StrEnum):
    PREFERENCE = "preference"
    KNOWLEDGE = "knowledge"
    GOAL = "goal"
    TEMPORARY = "temporary"
    IDENTITY = "identity"
    RELATIONSHIP = "relationship"
    CONSTRAINT = "constraint"


class Polarity(StrEnum):
    AFFIRMS = "affirms"
    DENIES = "denies"


class Basis(StrEnum):
    STATED = "stated"
    INFERRED = "inferred"


class Speech(StrEnum):
    STATES = "states"
    CORRECTS = "corrects"
    CHANGES = "changes"


class Status(StrEnum):
    ACTIVE = "active"
    CONFLICTED = "conflicted"
    SUPERSEDED = "superseded"
    RETRACTED = "retracted"
    LAPSED = "lapsed"


LIVE = (Status.ACTIVE, Status.CONFLICTED)


class Relation(StrEnum):
    """What a new claim is to what is known."""

    NEW = "new"
    DUPLICATE = "duplicate"
    REFINEMENT = "refinement"
    UPDATE = "update"
    CONFLICT = "conflict"
    COMPATIBLE = "compatible"
    OVERLAY = "overlay"
    PAST = "past"
    DENIAL = "denial"
    CORRECTION = "correction"


AUTOMATIC = (Relation.DUPLICATE, Relation.REFINEMENT, Relation.UPDATE, Relation.COMPATIBLE)
"""What is decided without anybody being asked, and so open to audit."""


class Judged(StrEnum):
    """The closed set of answers a judge may give."""

    DUPLICATE = "duplicate"
    REFINEMENT = "refinement"
    UPDATE = "update"
    CONFLICT = "conflict"
    COMPATIBLE = "compatible"


class Verdict(StrEnum):
    ACCEPTED = "accepted"
    REFUSED = "refused"
    HELD = "held"
    LAPSED = "lapsed"


class Reason(StrEnum):
    """Why the gate refused, in the order in which it looks."""

    SECRET = "secret"  # noqa: S105 - a reason code
    DECLINED = "declined"
    FORGOTTEN = "forgotten"
    MALFORMED = "malformed"
    TOO_SHORT = "too_short"
    TOO_LONG = "too_long"
    NO_SUBJECT = "no_subject"
    UNSOURCED = "unsourced"
    ASSISTANT_ONLY = "assistant_only"
    NOT_OWN_WORDS = "not_own_words"
    QUESTION = "question"
    HYPOTHETICAL = "hypothetical"
    TASK = "task"
    HEDGED = "hedged"
    AFFECTIVE = "affective"
    SPECULATIVE = "speculative"
    HEARSAY = "hearsay"
    TRANSIENT = "transient"
    VAGUE = "vague"
    INSTRUCTION = "instruction"


TEXTLESS = (Reason.SECRET, Reason.DECLINED, Reason.FORGOTTEN)
"""Refusals of which only the reason and a hash are kept."""


class SampleSubject(StrEnum):
    """What a sample is drawn from."""

    FACTS = "facts"
    REFUSALS = "refusals"
    RESOLUTIONS = "resolutions"


class SampleMethod(StrEnum):
    SIMPLE = "simple"
    STRATIFIED = "stratified"


class LabelVerdict(StrEnum):
    """A human judgement. Of a refusal or a resolution: whether it was right."""

    CORRECT = "correct"
    INCORRECT = "incorrect"
    STALE = "stale"
    CANT_TELL = "cant_tell"


class TransferKind(StrEnum):
    EXPORT = "export"
    IMPORT = "import"


class TransferState(StrEnum):
    """How far an export or import is; `previewed` is a file that its person has not yet said yes to."""

    WAITING = "waiting"
    RUNNING = "running"
    PREVIEWED = "previewed"
    DONE = "done"
    FAILED = "failed"


class Cardinality(StrEnum):
    ONE = "one"
    MANY = "many"
    READING = "reading"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of a conversation. `n` counts from 1 within its episode; `at` is aware."""

    n: int
    role: Role
    content: str
    at: datetime
    name: str = ""


@dataclass(frozen=True, slots=True)
class Quote:
    """Verbatim words from turn `turn`, by the numbering of whoever hands it over."""

    turn: int
    quote: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """A candidate as an extractor proposes it, before the gate. Text is already cleaned.

    Dates are ISO at their precision: "2026", "2026-03", "2026-03-04", or an
    interval of two days, "2024-02-26/2024-03-03", for "some day that week".
    `flaw` names what was wrong with the raw record (missing field, wrong type);
    the gate refuses a flawed proposal as malformed.
    """

    text: str
    subject: str
    predicate: str
    object: str
    kind: Kind = Kind.KNOWLEDGE
    polarity: Polarity = Polarity.AFFIRMS
    basis: Basis = Basis.STATED
    speech: Speech = Speech.STATES
    subject_note: str | None = None
    valid_from: str | None = None
    valid_to: str | None = None
    expires_on: str | None = None
    about: int | None = None
    evidence: tuple[Quote, ...] = ()
    flaw: str = ""
    is_keyless: bool = False
    """Given outright and matched by no pattern: a sentence without predicate and object."""


@dataclass(frozen=True, slots=True)
class Ground:
    """What proposals must stand on: the turns the extractor saw and whose they are.

    `document` names the imported list of bare memories that the turns are from, "" for a
    conversation. `is_outright`: given to `remember`. `declined`: topics of standing rules.
    """

    turns: tuple[Turn, ...]
    language: str = "en"
    owner: str = "user"
    owner_names: frozenset[str] = frozenset()
    document: str = ""
    is_outright: bool = False
    declined: tuple[str, ...] = ()


BLOCK_OPEN = "<assay-memory>"
BLOCK_CLOSE = "</assay-memory>"
"""What is rendered for an agent stands between these, so that it is known when handed back."""


ERASED = "[erased]"
"""What stands in a turn for a sentence that was erased."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the gate says of one proposal.

    `source` is "user", "tool:<name>", "imported:<doc>" or "inferred"; it is set when accepted.
    `detail` is for people: the marker found, the turn that lacks the quote.
    """

    is_accepted: bool
    reason: Reason | None = None
    detail: str = ""
    source: str = ""
    hold: str = ""
    """Why an accepted one waits before it is believed; not the gate's to say."""


@dataclass(frozen=True, slots=True)
class Claim:
    """An accepted candidate as the resolver sees it: plain values on one key.

    `order` makes ties between claims said at one moment total and independent of
    arrival: (episode's external id, turn, place in the turn, text).
    `said_at` is the time of the turn; `valid_from`/`valid_to` are as stated,
    at their precision (see `dates`); `episode` is the id of the episode, what support counts.
    """

    id: int
    episode: int
    session: str
    text: str
    object: str
    object_key: str
    predicate: str
    kind: Kind
    polarity: Polarity
    basis: Basis
    speech: Speech
    source: str
    said_at: datetime
    order: tuple[str, int, int, str] = ("", 0, 0, "")
    valid_from: str | None = None
    valid_to: str | None = None
    expires_on: date | None = None
    corrects: int | None = None
    """The id of a claim behind the known fact that the extractor said this one is about."""
    said_day: date | None = None
    """The local day of `said_at` where the user lives; None: its day in UTC."""


class Verb(StrEnum):
    """What a person decided about a fact."""

    CONFIRM = "confirm"
    RETRACT = "retract"
    FORGET = "forget"
    CLOSE = "close"
    SETTLE = "settle"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class Ruling:
    """A person's decision. `claims` are ids behind the fact it is about; `at` when it was made."""

    id: int
    verb: Verb
    claims: frozenset[int]
    at: datetime
    by: str
    """"member" or "reviewer"."""
    as_of: date | None = None


@dataclass(frozen=True, slots=True)
class FoldedFact:
    """One fact as the fold says it is. `claims` are its evidence in event order; the first founds it."""

    claims: tuple[int, ...]
    text: str
    object: str
    object_key: str
    kind: Kind
    polarity: Polarity
    basis: Basis
    source: str
    status: Status
    status_reason: str
    confidence: float
    last_supported_at: datetime
    valid_from: str | None = None
    valid_to: str | None = None
    expires_on: date | None = None
    superseded_by: int | None = None
    """Index into `Folded.facts`."""
    conflict: int | None = None
    """Number of the conflict group within this key, or None."""
    is_confirmed: bool = False
    is_unjudged: bool = False
    is_exclusive: bool = False
    """The one value its one-valued key allows now: active, affirmed, standing, and not ruled true beside others."""


@dataclass(frozen=True, slots=True)
class Decision:
    """How one claim was resolved: `fact` and `against` index `Folded.facts`."""

    claim: int
    relation: Relation
    why: str
    fact: int | None = None
    against: int | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """A contradiction on the key. `settled_by` is "" while open, else "user", "member", "reviewer" or "policy"."""

    sides: tuple[int, ...]
    why: str
    settled_by: str = ""
    winner: int | None = None


@dataclass(frozen=True, slots=True)
class Pair:
    """Two claims the resolver wants a judge for: the known one and the new one, by claim id."""

    known: int
    new: int


@dataclass(frozen=True, slots=True)
class Folded:
    """What is believed on one key."""

    facts: tuple[FoldedFact, ...] = ()
    decisions: tuple[Decision, ...] = ()
    groups: tuple[Group, ...] = ()
    held: tuple[int, ...] = ()
    """Claims still short of support."""
    unsupported: tuple[int, ...] = ()
    """Claims whose waiting time ran out before support came."""
    undecided: tuple[Pair, ...] = ()
    """Pairs that a judge, if there is one, should look at; then fold again."""
