"""Whether facts will do, or what was said and done must be looked up: by the model or, without one, by rules."""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import regex
from pydantic import BaseModel, ConfigDict

from memory import llm, text
from memory.errors import ModelError

PROMPT = "retrieval_plan-1"
_HERE = Path(__file__).parent
_WORD = regex.compile(r"\w+")
_GAP = r"(?:\W+\w+){0,4}?"
_ABOUT = {"said": "it asks what was said", "done": "it asks what was done or when"}


class RetrievalPlanReply(BaseModel):
    """The wire format of `retrieval_plan`."""

    model_config = ConfigDict(strict=True, extra="forbid")

    needs_episodes: bool
    why: str


@dataclass(frozen=True, slots=True)
class Plan:
    """`call` is the model's reply, for the record; None where rules decided."""

    needs_episodes: bool
    why: str
    call: llm.Reply | None = None


def plan(query: str, *, model: llm.Model | None) -> Plan:
    """Asks the model; rules decide where there is none, where it fails, and where nothing is asked."""
    if model is None or not query:
        return by_rules(query)
    try:
        reply = model.complete(_call(query))
    except ModelError as error:
        ruled = by_rules(query)
        return Plan(ruled.needs_episodes, f"{ruled.why}; by rules, since the model failed: {error}")
    return Plan(reply.data.needs_episodes, " ".join(reply.data.why.split())[:500], reply)


def by_rules(query: str) -> Plan:
    """The rules of `data/plan.toml`."""
    folded = query.casefold()
    words = frozenset(_WORD.findall(folded))
    for about, rule in _rules().items():
        if rule.may_match(folded, words) and (match := rule.pattern.search(folded)):
            return Plan(needs_episodes=True, why=f"{_ABOUT[about]} (“{match.group()}”)")
    return Plan(needs_episodes=False, why="it asks for nothing that was said or done: facts will do")


def _call(query: str) -> llm.Call:
    return llm.Call(
        name="retrieval_plan",
        system=(_HERE / "prompts" / f"{PROMPT}.md").read_text(encoding="utf-8").strip(),
        user=f"Question: {' '.join(text.clean(query).text.split())}",
        schema=RetrievalPlanReply,
        prompt_version=PROMPT,
    )


@dataclass(frozen=True, slots=True)
class _Rule:
    """One pattern of all its phrases, and what tells quickly that none of them is there."""

    pattern: regex.Pattern[str]
    spoken: Sequence[frozenset[str]]
    spaceless: Sequence[str]

    def may_match(self, folded: str, words: frozenset[str]) -> bool:
        return any(phrase <= words for phrase in self.spoken) or any(phrase in folded for phrase in self.spaceless)


@cache
def _rules() -> dict[str, _Rule]:
    tables = tomllib.loads((_HERE / "data" / "plan.toml").read_text(encoding="utf-8"))
    spaceless = tables.pop("spaceless")
    tables.pop("version")
    return {
        about: _rule([phrase for table in tables.values() for phrase in table[about]], spaceless[about])
        for about in _ABOUT
    }


def _rule(spoken: Sequence[str], spaceless: Sequence[str]) -> _Rule:
    return _Rule(
        regex.compile("|".join([*map(_spoken, spoken), *map(regex.escape, spaceless)])),
        [frozenset(_WORD.findall(phrase.casefold())) for phrase in spoken],
        spaceless,
    )


def _spoken(phrase: str) -> str:
    """Whole words in order, with a gap at each "…"."""
    parts = [r"\W+".join(regex.escape(word) for word in part.split()) for part in phrase.casefold().split("…")]
    return rf"\b{(_GAP + r'\W+').join(parts)}\b"
