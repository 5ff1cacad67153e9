"""How much of the evidence for a question recall brings back, on LoCoMo conversations.

    uv run benchmarks/locomo.py FILE [--samples N] [--vectors CACHE]

FILE is a LoCoMo release (a JSON list of samples). Each sample is imported as its two speakers, and the file's
`observation` plays the model of the extraction, so that gate, resolver and store run as they do; every fact's
quote is the turn it rests on. A question goes to the speaker it names. Printed as one JSON document: the share
of evidence turns among the first 5, 10 and 20, by category and in all, for vectors alone, words alone, both, and
both with the votes of facts.

Runs on an embedded Postgres of its own under a temporary directory, removed at the end. `--vectors` keeps the
embedder's work in a file, for the next run.
"""

# ruff: noqa: PLC0415 - Django wants its environment first
import argparse
import json
import os
import re
import shutil
import sqlite3
import sys
import tempfile
from array import array
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
CUTS = (5, 10, 20)
CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
PREDICATE = "has_told"
POLICY = {"cardinality": {PREDICATE: "many"}, "thresholds": {"ceiling": None}}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--samples", type=int, help="only the first so many")
    parser.add_argument("--vectors", type=Path, default=Path(":memory:"), help="a file that keeps vectors")
    options = parser.parse_args()
    home = Path(tempfile.mkdtemp(prefix="assay-locomo-"))
    os.environ |= {"ASSAY_DATA_DIR": str(home), "DJANGO_SETTINGS_MODULE": "reviewer.settings", "DEBUG": "1"}
    for name in ("DATABASE_URL", "MIGRATION_DATABASE_URL", "ASSAY_NOW"):
        os.environ.pop(name, None)
    sys.path.insert(0, str(ROOT))
    try:
        print(json.dumps(run(options.file, options.samples, options.vectors), indent=2))
    finally:
        release(home)


def release(home: Path) -> None:
    from django.db import connections

    from reviewer import embedded

    connections.close_all()
    embedded.release()
    shutil.rmtree(home, ignore_errors=True)


def run(file: Path, samples: int | None, vectors: Path) -> dict[str, Any]:
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    from memory import llm, scope
    from memory.models import PolicyVersion

    with scope.staff():
        PolicyVersion.objects.create(version=1, changes=POLICY)
    embedder = Kept(llm.LocalEmbedder(), vectors)
    report = Report()
    for sample in json.loads(file.read_text(encoding="utf-8"))[:samples]:
        people = learn(file, sample, embedder)
        for question in questions(sample):
            report.add(question, people, embedder)
        print(f"{sample['sample_id']}: {report.summary()['all']}", file=sys.stderr)
    return report.summary() | {"facts": report.facts()}


def learn(file: Path, sample: Mapping[str, Any], embedder: Any) -> dict[str, Any]:
    """Both speakers' memories, through the real door, gate and resolver; returns them by name."""
    from django.conf import settings

    from memory import engine, importing, ingest, jobs, scope
    from memory.models import User
    from memory.pipeline import Engine

    settings.ASSAY_NOW = end(sample["conversation"])
    episodes = defaultdict(list)
    for episode in importing.read(file, format="locomo"):
        if episode.user.partition(":")[0] == sample["sample_id"]:
            episodes[episode.user].append(episode)
    people = {}
    for name, told in episodes.items():
        speaker = name.partition(":")[2]
        with scope.staff():
            user = User.objects.named(name)
        ingest.store_all(user, told, is_import=True)
        jobs.request([user.pk])
        engine.drain(Engine(Observer(sample, speaker), embedder), user_ids=[user.pk])
        people[speaker] = user
    return people


def end(conversation: Mapping[str, Any]) -> datetime:
    written = [value for key, value in conversation.items() if key.endswith("_date_time")]
    return max(datetime.strptime(one, "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC) for one in written) + timedelta(1)


class Observer:
    """A model that proposes what the file observed in the turns it is shown."""

    name = "observations"

    def __init__(self, sample: Mapping[str, Any], speaker: str) -> None:
        self._speaker = speaker
        self._seen: dict[str, list[str]] = defaultdict(list)
        for session in sample["observation"].values():
            for text, evidence in session.get(speaker, ()):
                for ref in references(evidence):
                    self._seen[ref].append(text)
        self._refs = {turn["text"]: turn["dia_id"] for turn in turns(sample)}

    def complete(self, call: Any) -> Any:
        from memory import llm

        replies = {
            "extraction": lambda: {"candidates": [*self._candidates(call.user)]},
            "judgement": lambda: {"relation": "compatible", "why": "observed apart"},
        }
        content = json.dumps(replies[call.name]())
        return llm.Reply(llm.parse(content, call.schema), model=self.name, prompt_version=call.prompt_version)

    def _candidates(self, shown: str) -> Iterator[dict[str, Any]]:
        for n, content in re.findall(r"^\[(\d+)\] user \S+: (.*(?:\n    .*)*)$", shown, re.MULTILINE):
            said = content.replace("\n    ", "\n").partition("\n[photo: ")[0]
            for text in self._seen.get(self._refs.get(said, ""), ()):
                yield self._candidate(text, int(n), said)

    def _candidate(self, text: str, n: int, said: str) -> dict[str, Any]:
        told = text.removeprefix(self._speaker).strip(" .")
        evidence = [{"turn": n, "quote": said}]
        named = {"subject": "user", "predicate": PREDICATE, "object": told, "kind": "knowledge"}
        return {"text": text, "evidence": evidence} | named


class Kept:
    """An embedder whose vectors are kept by text."""

    def __init__(self, inner: Any, file: Path) -> None:
        self.name, self.dimensions = inner.name, inner.dimensions
        self._inner = inner
        self._store = sqlite3.connect(file)
        self._store.execute("CREATE TABLE IF NOT EXISTS vector (text TEXT PRIMARY KEY, v BLOB)")

    def embed(self, texts: Sequence[str], *, is_query: bool = False) -> list[list[float]]:
        keys = [f"{'query' if is_query else 'passage'}: {text}" for text in texts]
        missing = {key: text for key, text in zip(keys, texts, strict=True) if self._find(key) is None}
        made = self._inner.embed([*missing.values()], is_query=is_query) if missing else []
        rows = [(key, array("f", vector).tobytes()) for key, vector in zip(missing, made, strict=True)]
        self._store.executemany("INSERT INTO vector VALUES (?, ?)", rows)
        self._store.commit()
        return [self._find(key) or [] for key in keys]

    def _find(self, key: str) -> list[float] | None:
        row = self._store.execute("SELECT v FROM vector WHERE text = ?", [key]).fetchone()
        return None if row is None else list(array("f", row[0]))


@dataclass(frozen=True)
class Question:
    text: str
    category: int
    evidence: frozenset[str]


def questions(sample: Mapping[str, Any]) -> Iterator[Question]:
    """Those whose evidence is in the conversation."""
    known = {turn["dia_id"] for turn in turns(sample)}
    for asked in sample["qa"]:
        evidence = frozenset(references(asked.get("evidence", ()))) & known
        if evidence:
            yield Question(asked["question"], asked["category"], evidence)


def turns(sample: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for name, session in sample["conversation"].items():
        if re.fullmatch(r"session_\d+", name):
            yield from session


def references(raw: Any) -> list[str]:
    """Some files write several in one string."""
    return re.findall(r"D\d+:\d+", json.dumps(raw))


class Report:
    def __init__(self) -> None:
        self._shares: dict[str, dict[str, list[tuple[float, ...]]]] = defaultdict(lambda: defaultdict(list))

    def add(self, question: Question, people: Mapping[str, Any], embedder: Any) -> None:
        """One question by every way of looking."""
        user = next((user for name, user in people.items() if name in question.text), next(iter(people.values())))
        for way, found in ways(question.text, user, embedder):
            share = tuple(len(question.evidence & {*found[:cut]}) / len(question.evidence) for cut in CUTS)
            self._shares[way]["all"].append(share)
            self._shares[way][CATEGORIES[question.category]].append(share)

    def summary(self) -> dict[str, Any]:
        """For each category, then each way: the mean share at each cut, in percent."""
        names = ["all", *CATEGORIES.values()]
        return {
            name: {way: mean(shares[name]) for way, shares in self._shares.items() if shares[name]} for name in names
        }

    def facts(self) -> dict[str, int]:
        from memory import scope
        from memory.models import Candidate, Fact

        with scope.staff():
            return {"proposed": Candidate.objects.count(), "live": Fact.objects.live().count()}


def mean(shares: Sequence[tuple[float, ...]]) -> list[float]:
    return [round(100 * sum(column) / len(shares), 1) for column in zip(*shares, strict=True)]


def ways(query: str, user: Any, embedder: Any) -> Iterator[tuple[str, list[str]]]:
    from memory import policies, recall, scope

    where = recall.Where(user.pk, user.language)
    asked = recall.ask(query, embedder=embedder)
    blind = replace(asked, vector=None, model="")
    with scope.user(user.pk):
        policy = policies.current()
        alone = replace(policy.thresholds, words_weight=0.0, letters_weight=0.0)
        by_vector = replace(policy, thresholds=alone)
        found = {
            "vectors": recall.recall_turns(asked, where, k=max(CUTS), policy=by_vector),
            "words": recall.recall_turns(blind, where, k=max(CUTS), policy=policy),
            "turns": recall.recall_turns(asked, where, k=max(CUTS), policy=policy),
            "turns and facts": recall.recall_both(asked, where, k=max(CUTS), policy=policy),
        }
    for way, said in found.items():
        yield way, [turn.ref for turn in said]


if __name__ == "__main__":
    main()
