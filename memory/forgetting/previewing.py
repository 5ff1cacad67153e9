"""What an erasure would take, before it is done: the facts named, what depends on them, and rows by table."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from django.db.models import Q

from memory import text
from memory.models import Candidate, Derivation, Evidence, Fact, Turn

ERASED = "[erased]"

_NAME = re.compile(r"(?=\S*\d)(?=\S*[^\W\d_])[\w-]{5,}")
"""A word with letters and digits: it names one thing, wherever it stands."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A part of a stored turn that would be blanked: the span in its content."""

    turn: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Preview:
    """`facts` are those named; `dependent` those derived only from them. Ids, for whoever shows their texts."""

    user_id: int
    facts: tuple[int, ...]
    dependent: tuple[int, ...]
    candidates: tuple[int, ...]
    sentences: tuple[Sentence, ...]
    older: tuple[int, ...] = ()
    """What the facts had superseded: back only if the person says that they were wrong."""
    counts: dict[str, int] = field(default_factory=dict)

    @property
    def all_facts(self) -> tuple[int, ...]:
        return self.facts + self.dependent


def preview(user_id: int, facts: Iterable[int]) -> Preview:
    """Exactly what `erase` of these facts would take; inside the user's scope."""
    named = sorted(Fact.objects.filter(user=user_id, pk__in=list(facts)).values_list("pk", flat=True))
    dependent = _dependent(user_id, named)
    gone = [*named, *dependent]
    claims = _claims(user_id, gone)
    sentences = _sentences(user_id, claims, gone)
    candidates = claims | _beside(user_id, sentences)
    older = Fact.objects.filter(user=user_id, superseded_by__in=gone).exclude(pk__in=gone)
    return Preview(
        user_id=user_id,
        facts=tuple(named),
        dependent=tuple(dependent),
        candidates=tuple(sorted(candidates)),
        sentences=tuple(sentences),
        older=tuple(sorted(older.values_list("pk", flat=True))),
        counts={
            "facts": len(gone),
            "candidates": len(candidates),
            "evidence": Evidence.objects.filter(user=user_id, candidate__in=candidates).count(),
            "sentences": len(sentences),
        },
    )


def _dependent(user_id: int, named: Sequence[int]) -> list[int]:
    """Facts derived from those going, and from nothing that stays; and theirs in turn."""
    bases: dict[int, set[int]] = {}
    for fact, base in Derivation.objects.filter(user=user_id).values_list("fact", "base"):
        bases.setdefault(fact, set()).add(base)
    gone = set(named)
    while more := {fact for fact, on in bases.items() if fact not in gone and on <= gone}:
        gone |= more
    return sorted(gone - set(named))


def _claims(user_id: int, facts: Sequence[int]) -> set[int]:
    """Candidates behind the facts, and any that said the same, refused and held ones too."""
    rows = Fact.objects.filter(user=user_id, pk__in=facts).values_list("entity", "predicate", "object_key")
    same = Q(fact__in=facts)
    for entity, predicate, object_key in rows:
        same |= Q(entity=entity, predicate=predicate, object_key=object_key)
    return set(Candidate.objects.filter(same, user=user_id).values_list("pk", flat=True))


def _sentences(user_id: int, claims: set[int], facts: Sequence[int]) -> list[Sentence]:
    """The sentences that the claims quote, and others that say the object where nothing else rests on it."""
    quotes = Evidence.objects.filter(user=user_id, candidate__in=claims)
    found = {
        (row.pk, *span)
        for row, quote in _with_turns(user_id, quotes)
        for span in _spans(row.content, text.find_quotes(quote, row.content))
    }
    kept = _kept_spans(user_id, claims)
    for words in _own_objects(user_id, facts, quotes):
        for row in Turn.objects.filter(user=user_id, content__icontains=words).only("pk", "content"):
            spans = _spans(row.content, text.find_quotes(words, row.content))
            found |= {(row.pk, *span) for span in spans if not _touches(span, kept.get(row.pk, ()))}
    return [Sentence(*one) for one in sorted(found)]


def _with_turns(user_id: int, quotes: Iterable[Evidence]) -> list[tuple[Turn, str]]:
    said = [(quote.episode_id, quote.turn, quote.quote) for quote in quotes]
    rows = Turn.objects.filter(user=user_id, episode__in={episode for episode, _, _ in said})
    turns = {(row.episode_id, row.n): row for row in rows}
    return [(turns[episode, n], quote) for episode, n, quote in said if (episode, n) in turns]


def _spans(content: str, quotes: Iterable[tuple[int, int]]) -> set[tuple[int, int]]:
    """The whole sentences that the quoted spans lie in."""
    sentences = text.sentences(content)
    return {
        (start, end)
        for quote_start, quote_end in quotes
        for start, end in sentences
        if start < quote_end and quote_start < end
    }


def _own_objects(user_id: int, facts: Sequence[int], quotes: Iterable[Evidence]) -> set[str]:
    """Objects, whole quotes, and names like `zebra-7731`, of which no fact that stays speaks."""
    rows = Fact.objects.filter(user=user_id)
    going = list(rows.filter(pk__in=facts).values_list("object", "object_key", "text"))
    staying = list(rows.exclude(pk__in=facts).values_list("object_key", "text"))
    objects = {words for words, key, _ in going if words and key not in {key for key, _ in staying}}
    names = {name for _, _, said in going for name in _NAME.findall(said)}
    spoken = {name for _, said in staying for name in _NAME.findall(said)}
    return objects | (names - spoken) | {quote.quote for quote in quotes}


def _kept_spans(user_id: int, claims: set[int]) -> dict[int, list[tuple[int, int]]]:
    """Where in the turns the evidence of other facts stands."""
    kept: dict[int, list[tuple[int, int]]] = {}
    others = Evidence.objects.filter(user=user_id, candidate__fact__isnull=False).exclude(candidate__in=claims)
    for row, quote in _with_turns(user_id, others):
        kept.setdefault(row.pk, []).extend(text.find_quotes(quote, row.content))
    return kept


def _touches(span: tuple[int, int], others: Iterable[tuple[int, int]]) -> bool:
    return any(start < span[1] and span[0] < end for start, end in others)


def _beside(user_id: int, sentences: Sequence[Sentence]) -> set[int]:
    """Candidates without a fact that quote one of the sentences: refused ones hold its words too."""
    turns = {row.pk: row for row in Turn.objects.filter(user=user_id, pk__in={s.turn for s in sentences})}
    blanked: dict[tuple[int, int], list[tuple[str, tuple[int, int]]]] = {
        (turns[s.turn].episode_id, turns[s.turn].n): [] for s in sentences
    }
    for s in sentences:
        blanked[turns[s.turn].episode_id, turns[s.turn].n].append((turns[s.turn].content, (s.start, s.end)))
    quotes = Evidence.objects.filter(user=user_id, episode__in={key[0] for key in blanked}, candidate__fact=None)
    return {
        row.candidate_id
        for row in quotes
        for content, span in blanked.get((row.episode_id, row.turn), ())
        if _touches(span, text.find_quotes(row.quote, content))
    }
