"""What the gate refused, and why; and what a reviewer took in all the same."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.contrib.postgres.search import TrigramSimilarity
from django.db import models
from django.db.models import Count, Q, QuerySet

from memory import prepared
from memory.browsing import quotes
from memory.browsing.paging import Cursor, Order, Page, turn
from memory.browsing.quotes import Excerpt, Quotes
from memory.browsing.searching import Counted
from memory.errors import NotFound
from memory.models import Candidate, Evidence, Fact, GateAudit, Turn
from memory.types import TEXTLESS, Reason, Verdict

# A person's own by when it was said; across people by arrival, which the primary key gives without sorting all.
OF_ONE, OF_ALL = Order(("-said_at", "-id")), Order(("-id",))
RECENT = 5000
"""Among how many of the newest the extractors and prompts to choose from are looked for, and what is alike across people."""
ALIKE = 8
LEAST_ALIKE = 0.25
MOST_COUNTED = 10_000
_COUNTS = """
    SELECT kind.reason, (
        SELECT count(*) FROM (
            SELECT FROM memory_candidate WHERE verdict = 'refused' AND reason = kind.reason LIMIT %(most)s
        ) few
    ) FROM unnest(%(reasons)s::text[]) AS kind (reason)
"""
AROUND = 2
"""Turns shown on each side of the one in which it was said."""


class Found(StrEnum):
    """What a reviewer said of a refusal in passing."""

    RIGHT = "right"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Filters:
    """What narrows a list of refusals. `prompt` is a version, `model` a name, `words` part of the text."""

    user_id: int | None = None
    reason: Reason | None = None
    extractor: str = ""
    model: str = ""
    prompt: str = ""
    words: str = ""
    found: Found | None = None

    @property
    def is_any(self) -> bool:
        return bool(self.reason or self.extractor or self.model or self.prompt or self.words or self.found)


@dataclass(frozen=True, slots=True)
class Refusal:
    """A refused candidate; of one whose text is not kept there is nothing but the reason. `said` is a reviewer's word of it."""

    row: Candidate
    reason: Reason
    is_textless: bool
    quotes: Quotes
    said: GateAudit | None = None

    @property
    def is_promoted(self) -> bool:
        return bool(self.row.refused_for)


@dataclass(frozen=True, slots=True)
class Said:
    """A turn as far as it is shown, with the quote in it, if one is."""

    row: Turn
    around: Excerpt


@dataclass(frozen=True, slots=True)
class Told:
    """One refusal with the conversation around it; `quoted` are the turns that it quotes."""

    refusal: Refusal
    turns: tuple[Said, ...]
    quoted: tuple[Turn, ...]


@dataclass(frozen=True, slots=True)
class Alike:
    """Something like a refusal: another one, or a fact, with how alike by its letters."""

    row: Candidate | Fact
    likeness: float


def page(cursor: Cursor, filters: Filters) -> Page[Refusal]:
    """Newest first: of one person, or of everyone."""
    within = _refused(filters.user_id)
    order = OF_ALL if filters.user_id is None else OF_ONE
    return turn(_narrowed(within, filters), order, cursor, within=within).of(_shown)


def counts(user_id: int | None = None) -> Mapping[Reason, Counted]:
    """How many were refused for which reason, the commonest first; reasons without any are left out.

    Across people they are counted as far as anybody cares to know.
    """
    if user_id is None:
        rows = prepared.rows(_COUNTS, {"reasons": [reason.value for reason in Reason], "most": MOST_COUNTED + 1})
        found = {reason: Counted(min(count, MOST_COUNTED), count > MOST_COUNTED) for reason, count in rows}
    else:
        own = _refused(user_id).order_by().values_list("reason").annotate(Count("id"))
        found = {reason: Counted(count, is_more=False) for reason, count in own}
    ranked = sorted(found, key=lambda reason: (-found[reason].number, reason))
    return {Reason(reason): found[reason] for reason in ranked if found[reason].number}


def found(user_id: int | None = None) -> Mapping[Found, int]:
    """How many reviewers found right, and wrong."""
    said = _said(user_id).aggregate(
        right=Count("pk", filter=Q(is_right=True)), wrong=Count("pk", filter=Q(is_right=False))
    )
    return {each: said[each.value] for each in Found}


def makers(user_id: int | None = None) -> Mapping[str, list[str]]:
    """The extractors, models and prompt versions behind the newest refusals."""
    newest = Candidate.objects.refused().order_by("-pk")
    newest = newest if user_id is None else newest.filter(user=user_id)
    rows = Candidate.objects.filter(pk__in=newest.values("pk")[:RECENT]).order_by()
    fields = ("extractor", "call__model", "call__prompt_version")
    found: list[tuple[str | None, ...]] = list(rows.values_list(*fields).distinct())
    names = [sorted({row[place] or "" for row in found} - {""}) for place in range(len(fields))]
    return dict(zip(("extractor", "model", "prompt"), names, strict=True))


def one(user_id: int, candidate_id: int) -> Told:
    """One that was refused, or was taken in after all."""
    rows = Candidate.objects.filter(Q(verdict="refused") | ~Q(refused_for=""), user=user_id, pk=candidate_id)
    row = rows.select_related("episode", "user", "fact", "call").fetch_mode(models.FETCH_RAISE).first()
    if row is None:
        raise NotFound("There is no such refusal.")
    said = dict(Evidence.objects.filter(user=user_id, candidate=row).values_list("turn", "quote"))
    beside = Q(n__gte=row.turn - AROUND, n__lte=row.turn + AROUND) | Q(n__in=list(said))
    turns = Turn.objects.filter(beside, user=user_id, episode=row.episode_id).order_by("n").defer("embedding")
    found = list(turns.fetch_mode(models.FETCH_RAISE))
    around = tuple(Said(turn, quotes.excerpt(turn.content, said.get(turn.n, ""))) for turn in found)
    return Told(_shown([row])[0], around, tuple(turn for turn in found if turn.n in said))


def alike(row: Candidate, *, is_everyone: bool) -> tuple[list[Alike], list[Alike]]:
    """Other refusals, and facts, whose words are like these: of the same person, or of everyone lately."""
    if not row.text:
        return [], []
    others: QuerySet[Any] = Candidate.objects.refused().exclude(pk=row.pk).exclude(text="")
    facts: QuerySet[Any] = Fact.objects.all()
    if not is_everyone:
        others, facts = others.filter(user=row.user_id), facts.filter(user=row.user_id)
    return _closest(others, row.text), _closest(facts, row.text)


def _closest(rows: QuerySet[Any], words: str) -> list[Alike]:
    newest = rows.model._default_manager.filter(pk__in=rows.order_by("-pk").values("pk")[:RECENT])
    ranked = newest.annotate(likeness=TrigramSimilarity("text", words)).filter(likeness__gte=LEAST_ALIKE)
    ranked = ranked.select_related("user").order_by("-likeness", "-pk").fetch_mode(models.FETCH_RAISE)
    deferred = ranked.defer("embedding") if rows.model is Fact else ranked
    return [Alike(found, found.likeness) for found in deferred[:ALIKE]]


def _refused(user_id: int | None) -> QuerySet[Candidate]:
    rows = Candidate.objects.refused().select_related("episode", "user").fetch_mode(models.FETCH_RAISE)
    return rows if user_id is None else rows.filter(user=user_id)


def _said(user_id: int | None) -> QuerySet[GateAudit]:
    """Of what is refused still."""
    said = GateAudit.objects.filter(candidate__verdict=Verdict.REFUSED)
    return said if user_id is None else said.filter(user=user_id)


def _narrowed(rows: QuerySet[Candidate], filters: Filters) -> QuerySet[Candidate]:
    if filters.found:
        said = GateAudit.objects.filter(is_right=filters.found is Found.RIGHT)
        rows = rows.filter(pk__in=said.values("candidate"))
    wanted: dict[str, Any] = {
        "reason": filters.reason,
        "extractor": filters.extractor,
        "call__model": filters.model,
        "call__prompt_version": filters.prompt,
        "text__icontains": filters.words,
    }
    return rows.filter(**{name: value for name, value in wanted.items() if value})


def _shown(rows: Iterable[Candidate]) -> list[Refusal]:
    found = list(rows)
    owners, ids = [row.user_id for row in found], [row.pk for row in found]
    behind = quotes.behind_candidates(owners, ids)
    audits = GateAudit.objects.filter(user__in=owners, candidate__in=ids).select_related("actor")
    said = {audit.candidate_id: audit for audit in audits.fetch_mode(models.FETCH_RAISE)}
    return [_refusal(row, behind.get(row.pk, quotes.NONE), said.get(row.pk)) for row in found]


def _refusal(row: Candidate, behind: Quotes, said: GateAudit | None) -> Refusal:
    reason = Reason(row.refused_for or row.reason)
    return Refusal(row, reason, reason in TEXTLESS, behind, said)
