"""What an agent decides before it answers, computed from facts: by which, and what it would be without them."""

import tomllib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import regex

from memory import clock, confidence, people, policies, scope
from memory.errors import InvalidQuestion
from memory.models import Decided, Fact, User
from memory.policy import Policy
from memory.types import Polarity, Status

_FILE = Path(__file__).parent / "data" / "decisions.toml"


@dataclass(frozen=True, slots=True)
class Known:
    """A fact as far as decisions look at it; `worth` is its confidence now."""

    id: int
    text: str
    predicate: str
    polarity: Polarity
    worth: float


@dataclass(frozen=True, slots=True)
class Decision:
    """`because` are the facts that speak for the value, the strongest first; empty where it is the default."""

    value: str
    without: str
    because: tuple[int, ...] = ()


def decide(user: User, *, actor: str, dimensions: Iterable[str] | None = None) -> dict[str, Decision]:
    """Each dimension (all, or those named) for this user, recorded with and without facts.

    Raises InvalidQuestion on a dimension that the policy does not have.
    """
    with scope.user(user.pk):
        policy = policies.current()
        wanted = _wanted(policy, dimensions)
        today = clock.now().astimezone(people.zone(user.time_zone)).date()
        facts = _known(policy, today)
        decisions = {name: weigh(facts, table) for name, table in wanted.items()}
        _record(user.pk, decisions, actor)
    return decisions


def weigh(facts: Sequence[Known], table: Mapping[str, Any]) -> Decision:
    """One dimension, by the rules of its table."""
    without = str(table["default"])
    scores: dict[str, float] = defaultdict(float)
    backing: dict[str, dict[int, float]] = defaultdict(dict)
    for rule in table.get("rules", ()):
        for fact in facts:
            if not _speaks(rule, fact):
                continue
            weight = fact.worth * float(rule.get("weight", 1))
            scores[rule["value"]] += weight if fact.polarity == Polarity.AFFIRMS else -weight
            if fact.polarity == Polarity.AFFIRMS:
                backing[rule["value"]][fact.id] = max(weight, backing[rule["value"]].get(fact.id, 0))
    value = max(scores, key=lambda name: (scores[name], name), default=without)
    if scores[value] <= 0:
        return Decision(without, without)
    because = sorted(backing[value], key=lambda fact: (-backing[value][fact], fact))
    return Decision(value, without, tuple(because))


def shipped() -> Mapping[str, Any]:
    """The dimensions of `data/decisions.toml`."""
    return _shipped()


@cache
def _shipped() -> Mapping[str, Any]:
    tables = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    return {name: table for name, table in tables.items() if name != "version"}


def _wanted(policy: Policy, dimensions: Iterable[str] | None) -> dict[str, Any]:
    known = {**shipped(), **policy.dimensions}
    names = list(known if dimensions is None else dimensions)
    missing = [name for name in names if name not in known]
    if missing:
        raise InvalidQuestion(f"There is no dimension {', '.join(missing)}: there are {', '.join(sorted(known))}.")
    return {name: known[name] for name in names}


def _known(policy: Policy, today: date) -> list[Known]:
    """What is sure enough to move a decision: about the user themselves, undisputed, and not over."""
    worth = confidence.effective_expression(policy.thresholds, now=clock.now())
    facts = Fact.objects.filter(status=Status.ACTIVE, entity__is_owner=True).annotate(worth=worth)
    sure = facts.filter(worth__gt=policy.thresholds.decision_floor).exclude(expires_on__lt=today)
    columns = ("pk", "text", "predicate", "polarity", "worth")
    return [Known(pk, text, name, Polarity(side), left) for pk, text, name, side, left in sure.values_list(*columns)]


def _speaks(rule: Mapping[str, Any], fact: Known) -> bool:
    if "predicates" in rule and fact.predicate not in rule["predicates"]:
        return False
    told = fact.text.casefold()
    return all(_words(tuple(rule[part])).search(told) for part in ("words", "with") if part in rule)


@cache
def _words(phrases: tuple[str, ...]) -> regex.Pattern[str]:
    """Whole words, or as they stand in scripts without spaces; "*" ends a stem."""
    return regex.compile("|".join(_phrase(phrase.casefold()) for phrase in phrases))


def _phrase(phrase: str) -> str:
    words = r"\W+".join(regex.escape(word) for word in phrase.removesuffix("*").split())
    if regex.search(r"[\p{Han}\p{Hiragana}\p{Katakana}]", phrase):
        return words
    return rf"\b{words}" if phrase.endswith("*") else rf"\b{words}\b"


def _record(user_id: int, decisions: Mapping[str, Decision], actor: str) -> None:
    Decided.objects.bulk_create(
        Decided(
            user_id=user_id,
            dimension=name[:50],
            value=decision.value[:50],
            without=decision.without[:50],
            because=list(decision.because),
            actor=actor[:50],
        )
        for name, decision in decisions.items()
    )
