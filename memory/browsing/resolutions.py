"""How claims were resolved without anybody being asked, and what people said of that."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from django.db import models
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet

from memory.browsing import differing, quotes
from memory.browsing.differing import Piece
from memory.browsing.paging import Cursor, Order, Page, turn
from memory.browsing.quotes import Quotes
from memory.errors import NotFound
from memory.models import Fact, JudgedPair, Resolution
from memory.types import AUTOMATIC, Relation

ORDER = Order(("-id",))


class Standing(StrEnum):
    """What people said of a decision."""

    UNSEEN = "unseen"
    RIGHT = "right"
    WRONG = "wrong"


class Judge(StrEnum):
    """Who decided."""

    RULE = "rule"
    MODEL = "model"


@dataclass(frozen=True, slots=True)
class Filters:
    """What narrows a list of decisions."""

    user_id: int | None = None
    standing: Standing = Standing.UNSEEN
    relation: Relation | None = None
    judge: Judge | None = None


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision: what was known `before`, what was said, both in pieces by what they have otherwise, and who judged.

    `said` is a person's word of it, None while nobody has looked; `relation` is then what had been decided.
    """

    row: Resolution
    relation: str
    before: Fact | None
    known: tuple[Piece, ...]
    claim: tuple[Piece, ...]
    quotes: Quotes
    is_by_model: bool
    said: JudgedPair | None

    @property
    def is_right(self) -> bool:
        return self.said is not None and self.said.answer == self.said.was


def page(cursor: Cursor, filters: Filters) -> Page[Decided]:
    """The newest first."""
    within = _decisions(filters.user_id)
    return turn(_narrowed(within, filters), ORDER, cursor, within=within).of(_decided)


def one(user_id: int, candidate_id: int) -> Decided:
    """How one claim was resolved."""
    row = _decisions(user_id).filter(candidate=candidate_id).first()
    if row is None:
        raise NotFound("There is no such decision.")
    return _decided([row])[0]


def counts(user_id: int | None) -> Mapping[Standing, int]:
    """How many people found right, and wrong. What nobody has seen is not counted: it is nearly everything."""
    said = JudgedPair.objects.exclude(by="")
    said = said if user_id is None else said.filter(user=user_id)
    found = said.aggregate(right=Count("pk", filter=Q(answer=F("was"))), wrong=Count("pk", filter=~Q(answer=F("was"))))
    return {Standing.RIGHT: found["right"], Standing.WRONG: found["wrong"]}


def _decisions(user_id: int | None) -> QuerySet[Resolution]:
    related = ("user", "candidate", "candidate__episode", "fact", "against")
    rows = Resolution.objects.select_related(*related).defer("fact__embedding", "against__embedding")
    rows = rows.fetch_mode(models.FETCH_RAISE)
    return rows if user_id is None else rows.filter(user=user_id)


def _said(*conditions: Q) -> Exists:
    about = JudgedPair.objects.filter(user=OuterRef("user"), new=OuterRef("candidate"))
    return Exists(about.filter(*conditions))


BY_PERSON = ~Q(by="")
_STANDING = {
    Standing.RIGHT: (BY_PERSON, Q(answer=F("was"))),
    Standing.WRONG: (BY_PERSON, ~Q(answer=F("was"))),
}


def _narrowed(rows: QuerySet[Resolution], filters: Filters) -> QuerySet[Resolution]:
    if filters.standing is Standing.UNSEEN:
        relations = [filters.relation] if filters.relation else AUTOMATIC
        rows = rows.filter(~_said(BY_PERSON), relation__in=relations, fact__isnull=False)
        rows = rows.filter(Q(against__isnull=False) | Q(relation=Relation.DUPLICATE))
    else:
        was = Q(was=filters.relation) if filters.relation else Q()
        rows = rows.filter(_said(*_STANDING[filters.standing], was))
    if filters.judge is None:
        return rows
    by_model = _said(Q(by=""), ~Q(answer=""))
    return rows.filter(by_model if filters.judge is Judge.MODEL else ~by_model)


def _decided(rows: Iterable[Resolution]) -> list[Decided]:
    found = list(rows)
    owners, claims = {row.user_id for row in found}, [row.candidate_id for row in found]
    behind = quotes.behind_candidates(owners, claims)
    pairs = JudgedPair.objects.filter(user__in=owners, new__in=claims).exclude(answer="")
    by_model: set[int] = set()
    said: dict[int, JudgedPair] = {}
    for pair in pairs.select_related("actor", "known").fetch_mode(models.FETCH_RAISE):
        if pair.by:
            said[pair.new_id] = pair
        else:
            by_model.add(pair.new_id)
    return [
        _one(
            row,
            behind.get(row.candidate_id, quotes.NONE),
            said.get(row.candidate_id),
            is_by_model=row.candidate_id in by_model,
        )
        for row in found
    ]


def _one(row: Resolution, behind: Quotes, said: JudgedPair | None, *, is_by_model: bool) -> Decided:
    relation = said.was if said else row.relation
    before = row.fact if relation == Relation.DUPLICATE and said is None else row.against
    words = said.known.text if said else before.text if before else ""
    known, claim = differing.marked([words, row.candidate.text])
    return Decided(row, relation, before, known, claim, behind, is_by_model, said)
