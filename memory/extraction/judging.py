"""Asking the model what a new claim is to a known one."""

from datetime import datetime
from typing import NamedTuple, Protocol

from memory import llm
from memory.extraction.extracting import prompt
from memory.extraction.schemas import JudgementReply
from memory.types import Judged

PROMPT = "judgement-1"


class Said(Protocol):
    """A claim as far as a judge needs it; `types.Claim` is one."""

    @property
    def text(self) -> str: ...

    @property
    def said_at(self) -> datetime: ...


class Opinion(NamedTuple):
    """The answer, the judge's reason, and the call for the record."""

    judged: Judged
    why: str
    call: llm.Reply


def judge(known: Said, new: Said, *, model: llm.Model) -> Opinion:
    """One of the closed set of answers. Raises ModelError on any other."""
    reply = model.complete(
        llm.Call(
            name="judgement",
            system=prompt(PROMPT),
            user=f"{_line('Known', known)}\n{_line('New', new)}",
            schema=JudgementReply,
            prompt_version=PROMPT,
        )
    )
    return Opinion(Judged(reply.data.relation), " ".join(reply.data.why.split())[:500], reply)


def _line(label: str, said: Said) -> str:
    return f"{label}, said {said.said_at.date().isoformat()}: {' '.join(said.text.split())}"
