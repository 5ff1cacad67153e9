"""The codes of the domain in plain words, as pages say them."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from memory.browsing.conflicts import Standing
from memory.browsing.facts import ALL, LIVE_ONES, Sureness
from memory.models import Access, JobState, State
from memory.review.settling import Choice
from memory.types import Kind, LabelVerdict, Reason, Relation, Role, SampleSubject, Status, Verdict

type Words = Promise | str

STATUSES: dict[str, tuple[Words, Words]] = {
    LIVE_ONES: (_("Live"), _("Believed now, undisputed or not")),
    Status.ACTIVE: (_("Active"), _("Believed now")),
    Status.CONFLICTED: (_("Conflicted"), _("One side of an open contradiction")),
    Status.SUPERSEDED: (_("Superseded"), _("Something newer replaced it, or another value was settled on")),
    Status.RETRACTED: (_("Retracted"), _("Taken back: it was never true")),
    Status.LAPSED: (_("Lapsed"), _("No longer recalled; kept on the record")),
    ALL: (_("All"), _("Everything on the record")),
}

SURENESS: dict[str, tuple[Words, Words]] = {
    Sureness.FIRM: (_("Firm"), _("Recalled plainly")),
    Sureness.TENTATIVE: (_("Tentative"), _("Recalled with a hedge")),
    Sureness.FAINT: (_("Faint"), _("Too weak to be recalled")),
}

AGES: dict[str, Words] = {
    "week": _("in the last week"),
    "month": _("in the last 30 days"),
    "year": _("in the last year"),
    "older": _("more than a year ago"),
}

SOURCES: dict[str, Words] = {
    "user": _("said by the user"),
    "tool": _("shown by a tool"),
    "imported": _("imported"),
    "inferred": _("inferred"),
}

BASES: dict[str, Words] = {"stated": _("Stated"), "inferred": _("Inferred")}

FLAGS: dict[str, Words] = {
    "unjudged": _("Unjudged"),
    "pinned": _("Pinned"),
    "confirmed": _("Confirmed"),
}

PARTS: dict[str, Words] = {
    "itself": _("this fact"),
    "before": _("before it"),
    "after": _("after it"),
    "base": _("inferred from"),
    "derived": _("inferred from it"),
}

VERBS: dict[str, Words] = {
    "confirm": _("confirmed it"),
    "retract": _("said it was never true"),
    "forget": _("asked for it to be forgotten"),
    "close": _("said it is no longer true"),
    "settle": _("settled a conflict"),
    "both": _("said both are true"),
}

ACTIONS: dict[str, Words] = {
    "learn": _("learnt"),
    "change": _("changed"),
    "merge": _("merged into another"),
    "lapse": _("lapsed"),
    "retire": _("retired"),
    "restore": _("restored"),
    "pin": _("pinned"),
    "unpin": _("unpinned"),
    "label": _("labelled"),
    "unlabel": _("took a label back"),
    "erase": _("erased"),
}

TRANSFERS: dict[str, Words] = {
    "waiting": _("Waiting"),
    "running": _("Running"),
    "previewed": _("Waits for its person’s yes"),
    "failed": _("Failed"),
}

LIKENESS: dict[str, Words] = {
    "spelling": _("spelt much alike"),
    "nickname": _("forms of one given name"),
    "part": _("one name is part of the other"),
    "same_facts": _("the same is known of both"),
}

KINDS: dict[str, Words] = {
    Kind.IDENTITY: _("Identity"),
    Kind.RELATIONSHIP: _("Relationship"),
    Kind.PREFERENCE: _("Preference"),
    Kind.KNOWLEDGE: _("Knowledge"),
    Kind.GOAL: _("Goal"),
    Kind.CONSTRAINT: _("Constraint"),
    Kind.TEMPORARY: _("Temporary"),
}

ROLES: dict[str, Words] = {
    Role.USER: _("User"),
    Role.ASSISTANT: _("Assistant"),
    Role.TOOL: _("Tool"),
    Role.SYSTEM: _("System"),
}

EPISODES: dict[str, tuple[Words, Words]] = {
    State.PENDING: (_("Waiting"), _("Not yet read, or not to its end")),
    State.DONE: (_("Read"), _("Read to its end")),
    State.FAILED: (_("Failed"), _("Reading it failed")),
}

JOBS: dict[str, Words] = {
    JobState.FAILED: _("Failed"),
    JobState.RUNNING: _("Running"),
    JobState.WAITING: _("Waiting"),
    JobState.DONE: _("Done"),
}

ROLES_OF_LOGINS: dict[str, Words] = {
    Access.MEMBER: _("Member"),
    Access.REVIEWER: _("Reviewer"),
    Access.ADMIN: _("Admin"),
}

# What a page that staff saw somebody on is called: by the name of its route.
PAGES: dict[str, Words] = {
    "people": _("People"),
    "person": _("A person's facts"),
    "fact": _("A fact"),
    "episodes": _("A person's episodes"),
    "episode": _("An episode"),
    "person-refused": _("A person's refused candidates"),
    "person-conflicts": _("A person's conflicts"),
    "refused": _("Refused candidates of everyone"),
    "conflicts": _("Conflicts of everyone"),
    "jobs": _("Jobs"),
    "rerun": _("Putting a job back to work"),
    "facts": _("Facts of everyone"),
    "facts-export": _("Facts as a table"),
    "facts-retire": _("Retiring facts"),
    "fact-edit": _("Editing a fact"),
    "fact-erase": _("Erasing a fact"),
    "fact-retire": _("Retiring a fact"),
    "fact-restore": _("Restoring a fact"),
    "fact-pin": _("Pinning a fact"),
    "facts-restore": _("Restoring facts"),
    "entities": _("A person's names"),
    "entity-alias": _("Giving another name"),
    "entity-unalias": _("Taking a name off"),
    "entity-same": _("Saying that two are one"),
    "entity-different": _("Saying that two are not one"),
    "entity-reconsider": _("Asking again whether two are one"),
    "leaving": _("A person's leaving"),
    "person-export": _("A person's export"),
    "forget-subject": _("Forgetting a subject"),
    "forget-everything": _("Forgetting a person"),
    "conflict": _("A conflict"),
    "settle": _("Settling a conflict"),
    "settle-undo": _("Taking a settlement back"),
    "settle-withdraw": _("Asking a person no more"),
    "refusal": _("A refused candidate"),
    "promote": _("Rescuing a candidate"),
    "demote": _("Leaving a candidate refused"),
    "refusal-audit": _("Auditing a refusal"),
    "refusal-withdraw": _("Taking back an audit of a refusal"),
    "resolutions": _("Resolutions of everyone"),
    "resolution": _("A resolution"),
    "audit": _("Auditing a resolution"),
    "audit-undo": _("Taking back an audit of a resolution"),
    "queue": _("The queue"),
    "queue-item": _("An item of the queue"),
    "queue-label": _("Labelling an item of the queue"),
    "queue-skip": _("Skipping an item of the queue"),
    "queue-undo": _("Taking a label back"),
    "samples": _("Samples"),
    "sample-new": _("A new sample"),
    "sample": _("A sample"),
    "reports": _("Reports"),
    "report-contradictions": _("Contradictions"),
    "report-reviewers": _("Reviewers"),
    "report-gate": _("The gate"),
    "report-decisions": _("Use"),
    "report-cost": _("Cost"),
    "health": _("Health"),
    "report-csv": _("A report as a table"),
    "policy-preview": _("A preview of a policy"),
    "palette": _("Going to a page"),
}

VERDICTS: dict[str, Words] = {
    Verdict.ACCEPTED: _("Kept"),
    Verdict.REFUSED: _("Refused"),
    Verdict.HELD: _("Held"),
    Verdict.LAPSED: _("Given up"),
}

RELATIONS: dict[str, Words] = {
    Relation.NEW: _("new fact"),
    Relation.DUPLICATE: _("supports a known fact"),
    Relation.REFINEMENT: _("makes a known fact more precise"),
    Relation.UPDATE: _("replaces a known fact"),
    Relation.CONFLICT: _("contradicts a known fact"),
    Relation.COMPATIBLE: _("stands beside known facts"),
    Relation.OVERLAY: _("holds for a while over a known fact"),
    Relation.PAST: _("belongs to the past"),
    Relation.DENIAL: _("ends a known fact"),
    Relation.CORRECTION: _("takes a known fact back"),
}

SETTLERS: dict[str, Words] = {
    "user": _("the user’s own later words"),
    "member": _("the person themselves"),
    "reviewer": _("a reviewer"),
    "policy": _("policy"),
}

REASONS: dict[str, tuple[Words, Words]] = {
    Reason.SECRET: (_("Secret"), _("It carries a password, a key, or a card or identity number.")),
    Reason.DECLINED: (_("Declined"), _("The person asked not to remember it.")),
    Reason.FORGOTTEN: (_("Forgotten"), _("The person had this erased before.")),
    Reason.MALFORMED: (_("Malformed"), _("A part of the claim is missing or of the wrong type.")),
    Reason.TOO_SHORT: (_("Too short"), _("Too few words to mean anything later.")),
    Reason.TOO_LONG: (_("Too long"), _("Too long to be one claim.")),
    Reason.NO_SUBJECT: (_("No subject"), _("It does not say whom or what it is about.")),
    Reason.UNSOURCED: (_("Unsourced"), _("The quote is not in the conversation, or does not say this.")),
    Reason.ASSISTANT_ONLY: (_("Assistant only"), _("Only the assistant or the system said it, never the person.")),
    Reason.NOT_OWN_WORDS: (_("Not own words"), _("The sentence quotes, translates, pastes or plays someone else.")),
    Reason.QUESTION: (_("Question"), _("The sentence asks; it does not tell.")),
    Reason.HYPOTHETICAL: (_("Hypothetical"), _("The sentence supposes something that need not be so.")),
    Reason.TASK: (_("Task"), _("A one-off request, or the matter at hand.")),
    Reason.HEDGED: (_("Hedged"), _("The person was not sure themselves.")),
    Reason.AFFECTIVE: (_("Mood"), _("A passing feeling.")),
    Reason.SPECULATIVE: (_("Speculative"), _("A guess about the future.")),
    Reason.HEARSAY: (_("Hearsay"), _("An opinion put into someone else’s mouth.")),
    Reason.TRANSIENT: (_("Transient"), _("True at that moment only.")),
    Reason.VAGUE: (_("Vague"), _("It names nothing that could be checked.")),
    Reason.INSTRUCTION: (_("Instruction"), _("It would tell the agent what to do, or carries a link or markup.")),
}

STANDINGS: dict[str, tuple[Words, Words]] = {
    Standing.OPEN: (_("Open"), _("Nobody has settled it")),
    Standing.ASKED: (_("Asked"), _("Its person is asked, and it is open until they answer")),
    Standing.SETTLED: (_("Settled"), _("Somebody has decided, or the person has said since")),
}

ANSWERS: dict[str, Words] = {
    Choice.ONE: _("one side is right"),
    Choice.BOTH: _("all of it is true"),
    Choice.TIMES: _("true at different times"),
    Choice.NEITHER: _("none of it was ever true"),
}

SAMPLED: dict[str, Words] = {
    SampleSubject.FACTS: _("Facts"),
    SampleSubject.REFUSALS: _("Refused candidates"),
    SampleSubject.RESOLUTIONS: _("Resolutions"),
}

CHOOSING: dict[str, tuple[Words, Words]] = {
    "random": (_("at random"), _("Precision is computed from these")),
    "risk": (_("what is most at risk"), _("Counted apart: complaints, contradictions, the least sure")),
}

SLICES: dict[str, Words] = {
    "kind": _("kind"),
    "source": _("source"),
    "basis": _("stated or inferred"),
    "status": _("status"),
    "band": _("how sure it is"),
    "outcome": _("reason or resolution"),
    "predicate": _("predicate"),
    "language": _("language"),
    "person": _("person"),
    "extractor": _("extractor or model"),
    "prompt_version": _("prompt version"),
    "policy_version": _("policy version"),
}

# What goes with a person, by table.
TABLES: dict[str, Words] = {
    "alias": _("Other names"),
    "apikey": _("Keys"),
    "candidate": _("Claims and refusals"),
    "conflict": _("Conflicts"),
    "conflictside": _("Sides of conflicts"),
    "correction": _("Their own corrections"),
    "decided": _("Decisions"),
    "derivation": _("Inferences"),
    "dismissal": _("Pairs said to be two"),
    "entity": _("People and things"),
    "episode": _("Episodes"),
    "erasure": _("What was erased, as hashes"),
    "erasurerequest": _("Requests to forget"),
    "evidence": _("Quotes"),
    "fact": _("Facts"),
    "gateaudit": _("Audited refusals"),
    "history": _("History"),
    "job": _("Jobs"),
    "judgedpair": _("Pairs judged"),
    "modelcall": _("Calls to a model"),
    "personsruling": _("Decisions of people"),
    "portallink": _("One-time links"),
    "recalled": _("Recalls"),
    "remark": _("Remarks"),
    "resolution": _("Resolutions"),
    "rule": _("Rules"),
    "sampletext": _("Texts in samples"),
    "staffread": _("Looks of staff"),
    "transfer": _("Exports and brought files"),
    "transferchunk": _("Parts of those files"),
    "turn": _("Turns"),
}

QUESTIONS: dict[str, Words] = {
    SampleSubject.FACTS: _("Does the conversation support this claim?"),
    SampleSubject.REFUSALS: _("Was it right to refuse this claim?"),
    SampleSubject.RESOLUTIONS: _("Was this decided rightly?"),
}

LABELS: dict[str, Words] = {
    LabelVerdict.CORRECT: _("Correct"),
    LabelVerdict.INCORRECT: _("Incorrect"),
    LabelVerdict.STALE: _("Stale"),
    LabelVerdict.CANT_TELL: _("Can’t tell"),
}

OF_REFUSALS: dict[str, Words] = LABELS | {
    LabelVerdict.CORRECT: _("Rightly refused"),
    LabelVerdict.INCORRECT: _("Should have been kept"),
}

OF_RESOLUTIONS: dict[str, Words] = LABELS | {
    LabelVerdict.CORRECT: _("Decided rightly"),
    LabelVerdict.INCORRECT: _("Decided wrongly"),
}

MAKERS: dict[str, Words] = {"extractor": _("Proposed by"), "model": _("Model"), "prompt": _("Prompt")}

JUDGES: dict[str, Words] = {"rule": _("by rule"), "model": _("by the model")}

FOUND: dict[str, Words] = {"right": _("Found right"), "wrong": _("Found wrong")}
FOUND_REFUSED: dict[str, Words] = {"right": _("Rightly refused"), "wrong": _("Should have been kept")}
