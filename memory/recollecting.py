"""What a question brings back: facts first, what was said where that is asked for, and the block for a prompt."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from memory import dates, judging, listing, llm, people, policies, recall, rendering, scope, text
from memory.errors import InvalidQuestion
from memory.models import Fact, Recalled, User
from memory.policy import Policy
from memory.recall import Found, FoundTurn, Plan, Where
from memory.types import Basis

DEFAULT_K = 6
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
class Recollection:
    """`document` is for the asker; `facts` are the ids in its order; `numbered` is its block with facts by number."""

    document: dict[str, Any]
    facts: tuple[int, ...]
    numbered: str


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
        found = recall.recall(asked, where, k=question.k, policy=policy)
        facts = _facts(found.found, policy)
        turns = recall.recall_both(asked, where, k=question.k, policy=policy) if plan.needs_episodes else []
        lines, said = _lines(found.found, where), _said(turns, where)
        _log(user.pk, found.found, plan, actor)
    hedge_below = policy.thresholds.hedge_below
    document = {
        "facts": facts,
        "episodes": [_turn(turn, rank) for rank, turn in enumerate(turns, start=1)],
        "retrieval": {"needs_episodes": plan.needs_episodes, "why": plan.why, "note": found.note},
        "block": rendering.render(lines, said, hedge_below=hedge_below),
    }
    numbered = [replace(line, number=number) for number, line in enumerate(lines, start=1)]
    return Recollection(
        document,
        tuple(one.fact for one in found.found),
        rendering.render(numbered, said, hedge_below=hedge_below),
    )


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


def _facts(found: Sequence[Found], policy: Policy) -> list[dict[str, Any]]:
    rows = Fact.objects.filter(pk__in=[one.fact for one in found])
    by_id = {fact["id"]: fact for fact in listing.facts(rows, thresholds=policy.thresholds)}
    return [
        by_id[one.fact] | {"rank": rank, "found_by": list(one.found_by), "conflict": one.conflict}
        for rank, one in enumerate(found, start=1)
    ]


def _lines(found: Sequence[Found], where: Where) -> list[rendering.Line]:
    rows = Fact.objects.select_related("entity").defer("embedding").in_bulk([one.fact for one in found])
    return [_line(rows[one.fact], one, where) for one in found]


def _line(fact: Fact, found: Found, where: Where) -> rendering.Line:
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


def _subject(fact: Fact) -> str:
    """Where the sentence leaves open whom it is about: another's name, and what tells them apart."""
    is_told = fact.entity.name.casefold() in fact.text.casefold() and not fact.entity.note
    return "" if fact.entity.is_owner or is_told else str(fact.entity)


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


def _log(user_id: int, found: Sequence[Found], plan: Plan, actor: str) -> None:
    if plan.call is not None:
        judging.log(user_id, plan.call)
    Recalled.objects.create(
        user_id=user_id, facts=[one.fact for one in found], needs_episodes=plan.needs_episodes, actor=actor[:50]
    )
