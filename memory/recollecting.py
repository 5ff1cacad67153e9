"""What a question brings back: facts first, what was said where that is asked for, and the block for a prompt."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from memory import clock, dates, judging, listing, llm, people, policies, recall, rendering, scope, text
from memory.errors import InvalidQuestion
from memory.listing import Row
from memory.models import User
from memory.policy import Policy
from memory.recall import Found, FoundTurn, Where
from memory.types import Basis

DEFAULT_K = 6
# Nobody waits for the disk to have noted who asked: the last moment of this record may go with a crash.
LOG = """logged AS (
    INSERT INTO memory_recalled (user_id, facts, needs_episodes, actor, at)
    SELECT %(user)s, coalesce(array_agg(id ORDER BY place), '{}'), %(needs_episodes)s, %(actor)s, %(now)s
    FROM set_config('synchronous_commit', 'off', true) LEFT JOIN shown ON true
)"""
BRING = recall.Bring(listing.COLUMNS, listing.JOINS, LOG)
LONGEST_CONTENT = 4_000
"""Characters of one turn that are handed out."""


@dataclass(frozen=True, slots=True)
class Question:
    """`as_of` is a date at its precision: what was so on its last day."""

    query: str
    k: int = DEFAULT_K
    subject: str | None = None
    as_of: str | None = None


@dataclass(frozen=True, slots=True)
class _Shown:
    """What a block is rendered from."""

    lines: Sequence[rendering.Line]
    said: Sequence[rendering.Said]
    hedge_below: float


@dataclass(frozen=True, slots=True)
class Recollection:
    """`document` is for the asker; `facts` are the ids in its order."""

    document: dict[str, Any]
    facts: tuple[int, ...]
    shown: _Shown

    @property
    def numbered(self) -> str:
        """The block with facts by number, for a model that is to name them."""
        lines = [replace(line, number=number) for number, line in enumerate(self.shown.lines, start=1)]
        return rendering.render(lines, self.shown.said, hedge_below=self.shown.hedge_below)


def recollect(
    user: User, question: Question, *, model: llm.Model | None, embedder: llm.Embedder | None, actor: str
) -> Recollection:
    """Answers from the user's memory alone, and notes which facts it gave to whom.

    Raises InvalidQuestion. No transaction is open while a model or an embedder works.
    """
    where = _where(user, question)
    asked = recall.ask(question.query, embedder=embedder)
    plan = recall.plan(asked.query, model=model)
    with scope.user(user.pk):
        policy = policies.current()
        logged = {"needs_episodes": plan.needs_episodes, "actor": actor[:50], "now": clock.now()}
        found = recall.recall(asked, where, k=question.k, policy=policy, bring=BRING, **logged)
        turns = recall.recall_both(asked, where, k=question.k, policy=policy) if plan.needs_episodes else []
        if plan.call is not None:
            judging.log(user.pk, plan.call)
    rows = [listing.brought(one.brought) for one in found.found]
    lines = [_line(row, one, where) for row, one in zip(rows, found.found, strict=True)]
    said = _said(turns, where)
    hedge_below = policy.thresholds.hedge_below
    document = {
        "facts": _facts(rows, found.found, policy),
        "episodes": [_turn(turn, rank) for rank, turn in enumerate(turns, start=1)],
        "retrieval": {"needs_episodes": plan.needs_episodes, "why": plan.why, "note": found.note},
        "block": rendering.render(lines, said, hedge_below=hedge_below),
    }
    return Recollection(document, tuple(one.fact for one in found.found), _Shown(lines, said, hedge_below))


def _where(user: User, question: Question) -> Where:
    if not 1 <= question.k <= recall.MOST:
        raise InvalidQuestion(f"k is {question.k}: it must be a number from 1 to {recall.MOST}.")
    return Where(
        user_id=user.pk,
        language=user.language,
        subject_key=_subject_key(user, question.subject or ""),
        as_of=_day(question.as_of),
        zone=people.zone(user.time_zone),
    )


def _day(as_of: str | None) -> date | None:
    if not as_of:
        return None
    if not dates.is_date(as_of):
        raise InvalidQuestion(f"{as_of!r} is no date: write it like 2026, 2026-03 or 2026-03-04.")
    return dates.last_day(as_of)


def _subject_key(user: User, subject: str) -> str:
    """Words for the user mean what facts about them are about."""
    key = text.name_key(text.clean(subject).text)
    own = {text.name_key(name) for name in (user.display_name, user.external_id.rpartition(":")[2]) if name}
    return text.name_key(user.subject) if text.is_self(subject) or key in own else key


def _facts(rows: Sequence[Row], found: Sequence[Found], policy: Policy) -> list[dict[str, Any]]:
    now = clock.now()
    return [
        listing.fact(row, policy.thresholds, now)
        | {"rank": rank, "found_by": list(one.found_by), "conflict": one.conflict}
        for rank, (row, one) in enumerate(zip(rows, found, strict=True), start=1)
    ]


def _line(fact: Row, found: Found, where: Where) -> rendering.Line:
    return rendering.Line(
        text=fact.text,
        happened=fact.valid_from or fact.first_said_at.astimezone(where.zone).date().isoformat(),
        learnt=fact.created_at.astimezone(where.zone).date(),
        sure=found.worth,
        subject=_subject(fact),
        until=fact.valid_to or (fact.expires_on.isoformat() if fact.expires_on else ""),
        is_inferred=fact.basis == Basis.INFERRED,
        conflict=found.conflict,
    )


def _subject(fact: Row) -> str:
    """Where the sentence leaves open whom it is about: another's name, and what tells them apart."""
    is_told = fact.name.casefold() in fact.text.casefold() and not fact.note
    return "" if fact.is_owner or is_told else fact.entity


def _said(turns: Sequence[FoundTurn], where: Where) -> list[rendering.Said]:
    return [rendering.Said(turn.at.astimezone(where.zone).date(), turn.role, turn.content, turn.name) for turn in turns]


def _turn(turn: FoundTurn, rank: int) -> Mapping[str, Any]:
    return {
        "episode": turn.episode,
        "turn": turn.n,
        "role": turn.role,
        "name": turn.name,
        "content": turn.content[:LONGEST_CONTENT],
        "is_cut": len(turn.content) > LONGEST_CONTENT,
        "at": turn.at.isoformat(),
        "ref": turn.ref,
        "rank": rank,
        "found_by": list(turn.found_by),
    }
