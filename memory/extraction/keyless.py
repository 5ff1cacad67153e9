"""What was given outright is proposed even if nothing else was made of it: as a sentence without a key."""

import re
from collections.abc import Iterable, Iterator

from memory import text
from memory.types import Ground, Kind, Proposal, Quote, Role, Turn

MAX_WORDS = 40
MIN_WORDS = 4


def rest(ground: Ground, found: Iterable[Proposal]) -> tuple[Proposal, ...]:
    """Keyless proposals for the turns, or the sentences of turns, that `found` does not cover."""
    if not _is_given(ground):
        return ()
    sound = [p for p in found if not p.flaw]
    return tuple(p for turn in ground.turns for p in _of_turn(turn, ground, sound))


def _is_given(ground: Ground) -> bool:
    """A whole conversation flagged "remember" is not given word by word."""
    return bool(ground.document) or (ground.is_outright and all(t.role is Role.USER for t in ground.turns))


def _of_turn(turn: Turn, ground: Ground, found: list[Proposal]) -> Iterator[Proposal]:
    quotes = [q.quote for p in found for q in p.evidence if q.turn == turn.n]
    whole = turn.content.strip()
    if not quotes and len(text.words(whole)) <= MAX_WORDS:
        if whole:
            yield _proposal(whole, turn, ground)
        return
    for sentence in (turn.content[start:end] for start, end in text.sentences(turn.content)):
        if len(text.words(sentence)) >= MIN_WORDS and not any(_overlaps(sentence, quote) for quote in quotes):
            yield _proposal(sentence, turn, ground)


def _overlaps(sentence: str, quote: str) -> bool:
    one, other = text.fold_quote(sentence), text.fold_quote(quote)
    return one in other or other in one


def _proposal(sentence: str, turn: Turn, ground: Ground) -> Proposal:
    return Proposal(
        text=re.sub(r"\s+", " ", sentence),
        subject=ground.owner,
        predicate="",
        object="",
        kind=Kind.KNOWLEDGE,
        evidence=(Quote(turn.n, sentence),),
        is_keyless=True,
    )
