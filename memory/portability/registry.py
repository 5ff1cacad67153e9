"""Every table and field of memory, classified. What an export holds, and so what an erasure must reach, follows from it.

A field that is not named here fails a test: nobody can add a column and forget what becomes of it.
"""

from enum import StrEnum

from django.db.models import Model

from memory import models


class Class(StrEnum):
    """What a field is. Only CONTENT and LINK travel."""

    CONTENT = "content"
    """The person's own, or what was decided about it."""
    LINK = "link"
    """Points at a row that travels too, by a number within the export."""
    DERIVED = "derived"
    """Computed anew wherever it is missing."""
    AUDIT = "audit"
    """Who did what when, without content: stays with the installation."""
    SYSTEM = "system"
    """Of this installation alone: logins, leases, keys."""


CONTENT, LINK, DERIVED, AUDIT, SYSTEM = Class


def _fields(**classes: str) -> dict[str, Class]:
    """Raises ValueError for a field of two classes."""
    named = [(name, Class(kind)) for kind, names in classes.items() for name in names.split()]
    fields = dict(named)
    if len(fields) < len(named):
        raise ValueError(f"a field stands in two classes: {sorted(name for name, _ in named)}")
    return fields


REGISTRY: dict[type[Model], dict[str, Class]] = {
    models.User: _fields(
        content="external_id display_name subject language time_zone is_paused",
        system="id password last_login access is_active epoch",
        audit="created_at",
    ),
    models.Rule: _fields(content="topic topic_key created_at", system="id user"),
    models.Entity: _fields(content="name name_key note note_key is_owner created_at", link="id", system="user"),
    models.Alias: _fields(content="alias alias_key created_at", link="entity", system="id user"),
    models.Episode: _fields(
        content="external_id session occurred_at is_closed is_flagged is_outright document removed content_hash"
        " turn_count read_turns read_chars state error due_at created_at",
        link="id",
        system="user",
    ),
    models.Turn: _fields(
        content="n role name content at ref language",
        link="episode",
        derived="embedding embedding_model",
        system="id user",
    ),
    models.Fact: _fields(
        content="text subject predicate object object_key kind polarity basis source status status_reason confidence"
        " last_supported_at first_said_at valid_from valid_to expires_on began_on ended_on is_exclusive is_confirmed"
        " is_pinned is_unjudged policy_version language created_at fades_at",
        link="id entity superseded_by",
        derived="embedding embedding_model",
        system="user",
    ),
    models.Candidate: _fields(
        content="place turn said_at text subject subject_note subject_key note_key predicate object object_key kind"
        " polarity basis speech valid_from valid_to expires_on source verdict reason detail refused_for refused_detail digest"
        " extractor policy_version slot created_at",
        link="id episode entity about fact",
        audit="call",
        system="user",
    ),
    models.Evidence: _fields(content="turn role at quote", link="candidate episode", system="id user"),
    models.GateAudit: _fields(audit="id user candidate is_right actor at"),
    models.Resolution: _fields(
        content="relation why policy_version created_at", link="candidate fact against", system="id user"
    ),
    models.JudgedPair: _fields(content="answer why by was at", link="known new", audit="call actor", system="id user"),
    models.Derivation: _fields(link="fact base", system="id user"),
    models.Conflict: _fields(
        content="predicate why settled_by opened_at settled_at asked_at note", link="id entity winner", system="user"
    ),
    models.ConflictSide: _fields(link="conflict fact", system="id user"),
    models.PersonsRuling: _fields(
        content="predicate verb by as_of note at", link="id entity claims conflict", audit="actor", system="user"
    ),
    models.Erasure: _fields(audit="id user claim_mark key_mark erased_at lifted_at"),
    models.ErasureRequest: _fields(
        content="topic language said_at asked_at answered_at", link="facts", audit="marks", system="id user"
    ),
    models.Job: _fields(
        system="id user state run_after lease_until fence attempts step reading died_at deaths error embed_after created_at finished_at"
    ),
    models.ModelCall: _fields(audit="id user name model prompt_version tokens_in tokens_out latency_ms error at"),
    models.History: _fields(audit="id user actor action table row fields at"),
    models.Recalled: _fields(audit="id user facts needs_episodes actor at"),
    models.Decided: _fields(audit="id user dimension value without because actor at"),
    models.PortalLink: _fields(system="id user digest expires_at used_at"),
    models.Receipt: _fields(audit="id user_id act counts actor at"),
    models.Departure: _fields(audit="id mark at"),
    models.ApiKey: _fields(system="id name prefix digest scopes user created_at last_used_at revoked_at"),
    models.Correction: _fields(content="verdict as_of at undone_at", link="fact ruling claim", system="id user"),
    models.Label: _fields(audit="id item user reviewer verdict as_of ruling remark key seconds at undone_at"),
    models.Remark: _fields(content="note suggestion", link="id fact candidate", system="user"),
    models.SampleText: _fields(
        derived="text subject object polarity valid_from valid_to detail fact candidate", system="id user"
    ),
    models.SampleItem: _fields(
        audit="id sample place user fact candidate words wanted lacking gold stratum owner first_episode kind source basis"
        " predicate language extractor prompt_version policy_version outcome said_at confidence"
    ),
    models.Sample: _fields(
        audit="id name subject is_random filters method stratify_by strata population size seed overlap guidelines"
        " reviewers look policy_version created_by created_at closed_at"
    ),
    models.Handout: _fields(audit="id item slot reviewer leased_until taken_at skipped_at labelled_at"),
    models.PredicateOffer: _fields(system="id predicate offered_by offered_at answer answered_at spread_at"),
    models.Report: _fields(
        derived="id kind about data pictures so_far ground error policy_version requested_at built_at took_ms"
    ),
    models.StaffRead: _fields(audit="id user reader page at"),
    models.Invitation: _fields(
        system="id digest external_id display_name access invited_by created_at expires_at used_at revoked_at"
    ),
    models.SavedView: _fields(system="id holder name page query created_at"),
    models.Dismissal: _fields(system="id user entity other"),
    models.Transfer: _fields(
        system="id user kind state name format done total summary error created_at finished_at expires_at fetched_at"
        " lease_until fence"
    ),
    models.TransferChunk: _fields(system="id user transfer n data"),
    models.PolicyVersion: _fields(system="version changes note actor created_at"),
}

SECTIONS: dict[str, type[Model]] = {
    "rules": models.Rule,
    "entities": models.Entity,
    "aliases": models.Alias,
    "episodes": models.Episode,
    "turns": models.Turn,
    "facts": models.Fact,
    "candidates": models.Candidate,
    "evidence": models.Evidence,
    "resolutions": models.Resolution,
    "judgements": models.JudgedPair,
    "derivations": models.Derivation,
    "conflicts": models.Conflict,
    "conflict_sides": models.ConflictSide,
    "rulings": models.PersonsRuling,
    "labels": models.Correction,
    "remarks": models.Remark,
    "erasure_requests": models.ErasureRequest,
}
"""What travels, in an order in which each row's links are known when it is read back. Reviewers' labels: `reviewed`."""

NUMBERED: dict[tuple[type[Model], str], type[Model]] = {
    (models.PersonsRuling, "claims"): models.Candidate,
    (models.ErasureRequest, "facts"): models.Fact,
}
"""Columns that hold numbers of rows without being relations."""


def travelling(model: type[Model]) -> list[str]:
    """The fields of a table that an export holds."""
    return [name for name, kind in REGISTRY[model].items() if kind in (CONTENT, LINK)]
