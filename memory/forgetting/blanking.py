"""Taking erased words out of what stays: stored turns, quotes of other facts, reasons and error texts."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence

from django.db.models import Model

from memory.forgetting import wording
from memory.forgetting.sentences import Sentence, quoting
from memory.models import (
    Candidate,
    Conflict,
    Episode,
    ErasureRequest,
    Evidence,
    Fact,
    Job,
    JudgedPair,
    ModelCall,
    PersonsRuling,
    Remark,
    Resolution,
    SampleText,
    Turn,
)
from memory.types import ERASED

TOLD: tuple[tuple[type[Model], str], ...] = (
    (Candidate, "detail"),
    (Candidate, "refused_detail"),
    (Conflict, "note"),
    (Conflict, "why"),
    (Episode, "error"),
    (ErasureRequest, "topic"),
    (Evidence, "quote"),
    (Fact, "status_reason"),
    (Job, "died_at"),
    (Job, "error"),
    (Job, "step"),
    (JudgedPair, "why"),
    (ModelCall, "error"),
    (PersonsRuling, "note"),
    (Remark, "note"),
    (Remark, "suggestion"),
    (Resolution, "why"),
    (SampleText, "detail"),
)
"""Columns in which something is said about claims, by people, by the model or by us."""


def blank(user_id: int, sentences: Sequence[Sentence]) -> int:
    """Blanks the sentences in their turns, and whatever else quotes them; how many turns that touched."""
    quotes = quoting(Evidence.objects.filter(user=user_id), sentences)
    Evidence.objects.filter(user=user_id, pk__in=[row.pk for row in quotes]).update(quote=ERASED)
    by_turn: dict[int, list[Sentence]] = defaultdict(list)
    for sentence in sentences:
        by_turn[sentence.turn].append(sentence)
    turns = list(Turn.objects.filter(user=user_id, pk__in=by_turn).defer("embedding").select_related("episode"))
    for turn in turns:
        _keep_place(turn, by_turn[turn.pk])
        content = blanked(turn.content, by_turn[turn.pk])
        Turn.objects.filter(pk=turn.pk).update(content=content, embedding=None, embedding_model="")
    # A hash of all that was said would tell whoever guesses the rest.
    Episode.objects.filter(user=user_id, pk__in={turn.episode_id for turn in turns}).update(content_hash="")
    return len(turns)


def blanked(content: str, sentences: Iterable[Sentence]) -> str:
    """The content with each of the sentences replaced."""
    for sentence in sorted(sentences, reverse=True):
        content = content[: sentence.start] + ERASED + content[sentence.end :]
    return content


def _keep_place(turn: Turn, sentences: Iterable[Sentence]) -> None:
    """Extraction that is in the middle of the turn goes on at the same words, wherever they are now."""
    episode = turn.episode
    if not episode.read_chars or turn.n != episode.read_turns + 1:
        return
    read = episode.read_chars
    for sentence in sentences:
        if sentence.start < episode.read_chars:
            read += len(ERASED) - (min(sentence.end, episode.read_chars) - sentence.start)
    Episode.objects.filter(pk=episode.pk).update(read_chars=max(read, 0))


def scrub(user_id: int, words: Collection[str]) -> None:
    """Blanks what was said about claims, wherever it holds one of the words."""
    for model, field in TOLD:
        for condition in wording.holding(field, words):
            rows = model._default_manager.filter(condition, user=user_id).values_list("pk", field)
            told = [pk for pk, content in rows if wording.has_any(content, words)]
            if told:
                model._default_manager.filter(user=user_id, pk__in=told).update(**{field: ERASED})
