"""What forgetting would take, put together for whoever is asked whether it shall: by one thing, a topic, a conversation.

Every function runs inside the person's scope.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from memory import forgetting
from memory.errors import NotFound
from memory.forgetting.outdating import lock
from memory.mine import knowing
from memory.mine.knowing import Entry
from memory.models import Episode, ErasureRequest, Evidence, Fact, Receipt, User


@dataclass(frozen=True, slots=True)
class Going:
    """Exactly what goes: the things `named` (with those that say the very same), and what rests on them alone.

    `older` is what they had replaced. `sentences` are blanked in conversations. `seal` tells whether it is still the
    same when the answer comes.
    """

    named: Sequence[Entry]
    dependent: Sequence[Entry]
    older: Sequence[Entry]
    sentences: int
    seal: str

    @property
    def is_empty(self) -> bool:
        return not self.named


@dataclass(frozen=True, slots=True)
class Learnt:
    """What was learnt from one conversation: there alone, and elsewhere too."""

    episode: Episode
    here: Sequence[Entry]
    elsewhere: Sequence[Entry]


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked for in a chat, with what it would take."""

    request: ErasureRequest
    going: Going


def going(user_id: int, fact_ids: Iterable[int], *, now: datetime) -> Going:
    """What erasing these would take."""
    found = forgetting.preview(user_id, fact_ids)
    return Going(
        named=_entries(user_id, found.facts, now),
        dependent=_entries(user_id, found.dependent, now),
        older=_entries(user_id, found.older, now),
        sentences=len(found.sentences),
        seal=seal(found.all_facts, found.claims, found.older),
    )


def seal(*ids: Sequence[int]) -> str:
    """Tells one preview from another."""
    return hashlib.sha256(repr(ids).encode()).hexdigest()[:16]


def about(user: User, topic: str, *, now: datetime) -> list[Entry]:
    """What a topic names, by words: in the person's own language, or as they stand."""
    words = topic.strip()
    if not words:
        return []
    found = {*forgetting.said_about(user.pk, words, user.language), *forgetting.said_about(user.pk, words)}
    return _entries(user.pk, sorted(found), now)


def learnt(user_id: int, episode_id: int, *, now: datetime) -> Learnt:
    """What was learnt from a conversation. Raises NotFound."""
    episode = Episode.objects.filter(user=user_id, pk=episode_id).first()
    if episode is None:
        raise NotFound("There is no such conversation.")
    facts = Fact.objects.filter(user=user_id)
    said = Evidence.objects.filter(user=user_id)
    found = set(facts.filter(claims__in=said.filter(episode=episode).values("candidate")).values_list("pk", flat=True))
    others = said.exclude(episode=episode).values("candidate")
    also = set(facts.filter(pk__in=found, claims__in=others).values_list("pk", flat=True))
    return Learnt(episode, _entries(user_id, sorted(found - also), now), _entries(user_id, sorted(also), now))


def asked(user_id: int, *, now: datetime) -> list[Asked]:
    """What waits to be erased because it was asked for in a chat."""
    rows = ErasureRequest.objects.filter(user=user_id, answered_at=None).order_by("-asked_at")
    found = [Asked(row, going(user_id, row.facts, now=now)) for row in rows[:MOST_ASKED]]
    return [one for one in found if not one.going.is_empty]


MOST_ASKED = 10


def erase(user_id: int, fact_ids: Iterable[int], *, was_wrong: bool = False) -> Receipt:
    """Erases them for good, and every export and brought file that holds them. Raises NotFound when none is there."""
    return forgetting.erase(user_id, fact_ids, actor=str(user_id), was_wrong=was_wrong)


def keep(user_id: int, request_id: int) -> None:
    """What was asked for in a chat was not meant: it is believed again. Said twice, it is so. Raises NotFound."""
    user = lock(user_id)
    request = ErasureRequest.objects.filter(user=user, pk=request_id).first()
    if request is None:
        raise NotFound("There is no such request.")
    if request.answered_at is None:
        forgetting.restore(user_id, request.facts, actor=user)
        forgetting.answer(user_id, [request.pk])


def receipt(user_id: int, receipt_id: int) -> Receipt:
    """One of the person's own. Raises NotFound."""
    found = Receipt.objects.filter(user_id=user_id, pk=receipt_id).first()
    if found is None:
        raise NotFound("There is no such receipt.")
    return found


def receipts(user_id: int) -> Sequence[Receipt]:
    """What was forgotten so far, the last first."""
    return list(Receipt.objects.filter(user_id=user_id).order_by("-at", "-pk")[:20])


def _entries(user_id: int, fact_ids: Sequence[int], now: datetime) -> list[Entry]:
    return knowing.some(user_id, fact_ids, now=now) if fact_ids else []


def told(counts: Mapping[str, int]) -> dict[str, int]:
    """Counts by table, as far as they mean something to the person: what they said, what is known, what else there is."""
    named = {"episode": "conversations", "turn": "messages", "fact": "things", "facts": "things", "rule": "rules"}
    named |= {"sentences": "sentences", "transfer": "transfers", "transfers": "transfers"}
    found = dict.fromkeys(dict.fromkeys(named.values()), 0)
    for table, count in counts.items():
        if table in named:
            found[named[table]] += count
    found["others"] = sum(count for table, count in counts.items() if table not in named)
    return {name: count for name, count in found.items() if count}
