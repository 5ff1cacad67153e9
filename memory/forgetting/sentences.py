"""Which sentences of the stored turns go with an erased claim, and which candidates without a fact."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from memory import text
from memory.forgetting import wording
from memory.models import Candidate, Evidence, Turn
from memory.types import ERASED, Verdict

type Span = tuple[int, int]
_SAID = ("text", "subject", "subject_note", "object", "detail")


@dataclass(frozen=True, slots=True, order=True)
class Sentence:
    """A part of a stored turn that would be blanked: the span in its content."""

    turn: int
    start: int
    end: int


def find(user_id: int, claims: Collection[int], words: Collection[str]) -> list[Sentence]:
    """The sentences that the claims quote, and any others in which their words stand, whoever said them."""
    quoted = Evidence.objects.filter(user=user_id, candidate__in=claims).exclude(quote=ERASED)
    found = {Sentence(row.pk, *span) for row, quote in _with_turns(quoted) for span in around(row.content, [quote])}
    for condition in wording.holding("content", words):
        for row in Turn.objects.filter(condition, user=user_id).only("pk", "content"):
            spans = wording.places(row.content, words)
            found |= {Sentence(row.pk, *span) for span in whole(row.content, spans)}
    return sorted(found)


def beside(user_id: int, sentences: Sequence[Sentence], words: Collection[str]) -> set[int]:
    """Refused and waiting candidates that quote one of the sentences, or hold one of the words."""
    rows = Candidate.objects.filter(user=user_id, fact=None).exclude(verdict=Verdict.ACCEPTED)
    touched = quoting(Evidence.objects.filter(user=user_id, candidate__in=rows.values("pk")), sentences)
    found = {row.candidate_id for row in touched}
    for field in _SAID:
        for condition in wording.holding(field, words):
            told = rows.filter(condition).values_list("pk", field)
            found |= {pk for pk, content in told if wording.has_any(content, words)}
    for condition in wording.holding("quote", words):
        said = Evidence.objects.filter(condition, user=user_id, candidate__in=rows.values("pk"))
        found |= {row.candidate_id for row in said if wording.has_any(row.quote, words)}
    return found


def quoting(rows: QuerySet[Evidence], sentences: Sequence[Sentence]) -> list[Evidence]:
    """Those of the quotes that stand in one of the sentences, or hold a part of one."""
    spans: dict[int, list[Span]] = defaultdict(list)
    for sentence in sentences:
        spans[sentence.turn].append((sentence.start, sentence.end))
    turns = {(row.episode_id, row.n): row for row in Turn.objects.filter(pk__in=spans)}
    near = rows.filter(episode__in={episode for episode, _ in turns})
    return [
        row
        for row in near
        if (turn := turns.get((row.episode_id, row.turn)))
        and any(_touches(span, text.find_quotes(row.quote, turn.content)) for span in spans[turn.pk])
    ]


def around(content: str, quotes: Iterable[str]) -> set[Span]:
    """The whole sentences in which the quotes stand, by the reading that the gate accepted them under."""
    return whole(content, [span for quote in quotes for span in text.find_quotes(quote, content)])


def whole(content: str, spans: Iterable[Span]) -> set[Span]:
    """The sentences that the spans touch."""
    sentences = text.sentences(content)
    return {s for start, end in spans for s in sentences if s[0] < end and start < s[1]}


def _with_turns(quotes: Iterable[Evidence]) -> list[tuple[Turn, str]]:
    said = [(quote.user_id, quote.episode_id, quote.turn, quote.quote) for quote in quotes]
    rows = Turn.objects.filter(user__in={user for user, *_ in said}, episode__in={episode for _, episode, *_ in said})
    turns = {(row.episode_id, row.n): row for row in rows}
    return [(turns[episode, n], quote) for _, episode, n, quote in said if (episode, n) in turns]


def _touches(span: Span, others: Iterable[Span]) -> bool:
    return any(start < span[1] and span[0] < end for start, end in others)
