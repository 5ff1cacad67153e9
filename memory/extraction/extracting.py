"""The stage's verb: one window's turns in, proposals out."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, tzinfo
from functools import cache
from pathlib import Path

from memory import llm
from memory.errors import ModelError
from memory.extraction import keyless, lines, patterns, reading
from memory.extraction.schemas import ExtractionReply
from memory.types import Ground, Proposal

PROMPT = "extraction-1"
MAX_CANDIDATES = 200
"""In one reply. Few are the target; hundreds are a model gone wrong."""


@dataclass(frozen=True, slots=True)
class Extracted:
    """What one window gave. `calls` are the model's replies, for the record; `extractor` names who proposed."""

    proposals: tuple[Proposal, ...]
    calls: tuple[llm.Reply, ...]
    extractor: str


def extract(
    ground: Ground,
    known: Sequence[str],
    *,
    model: llm.Model | None,
    zone: tzinfo = UTC,
    context: int = 0,
) -> Extracted:
    """Proposals from the turns of `ground`, by `model` or else by patterns.

    `known` are the texts of known facts; a proposal's `about` is a place in it, from 1. `zone` is the
    user's; the first `context` turns give no proposals of their own. Raises ModelError.
    """
    if model is None:
        return _extracted(patterns.find(ground, zone=zone), ground, context=context, by=patterns.NAME)
    reply = model.complete(_call(ground, known, zone))
    found = _read(reply, known=len(known))
    extracted = _extracted(found, ground, context=context, by=f"{reply.model}/{PROMPT}")
    return replace(extracted, calls=(reply,))


def _extracted(found: tuple[Proposal, ...], ground: Ground, *, context: int, by: str) -> Extracted:
    everything = (*found, *keyless.rest(ground, found))
    return Extracted(tuple(p for p in everything if not _is_context(p, context)), (), by)


def _call(ground: Ground, known: Sequence[str], zone: tzinfo) -> llm.Call:
    return llm.Call(
        name="extraction",
        system=prompt(PROMPT),
        user=lines.render(ground.turns, known, zone=zone),
        schema=ExtractionReply,
        prompt_version=PROMPT,
    )


def _read(reply: llm.Reply, *, known: int) -> tuple[Proposal, ...]:
    candidates = reply.data.candidates
    if len(candidates) > MAX_CANDIDATES:
        raise ModelError(
            f"The model proposed {len(candidates)} facts from one window; more than {MAX_CANDIDATES} is no answer.",
            is_about_reply=True,
        )
    return tuple(reading.read(candidate, known=known) for candidate in candidates)


def _is_context(proposal: Proposal, context: int) -> bool:
    turns = [quote.turn for quote in proposal.evidence]
    return bool(turns) and all(1 <= turn <= context for turn in turns)


@cache
def prompt(version: str) -> str:
    """The system prompt of that version."""
    return (Path(__file__).parent / "prompts" / f"{version}.md").read_text(encoding="utf-8").strip()
