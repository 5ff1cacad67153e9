"""`remember`: tell Assay something outright, and see what became of it."""

from argparse import ArgumentParser
from typing import Any

from django.utils import timezone

from memory import clock, engine, ingest, jobs, listing, people, policies, scope, tasks
from memory.incoming import prepare
from memory.management.speaking import DEFAULT_USER, SpeakingCommand, add_user, only_user
from memory.models import Candidate, Episode, Fact, Resolution, State, User
from memory.types import Verdict


class Command(SpeakingCommand):
    help = "Remember a text for a user; waits until it is processed and prints what became of it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        add_user(parser)
        parser.add_argument("text", metavar="TEXT")

    def run(self, *, user: str | None, text: str, as_json: bool, **_: Any) -> int:
        whose = _whose(user)
        said_at = clock.now()
        name = f"remember-{timezone.now().isoformat()}"
        turn = {"role": "user", "content": text, "at": said_at.isoformat()}
        incoming = prepare({"external_id": name, "closed": True, "remember": True, "turns": [turn]}, is_outright=True)
        stored = ingest.store(whose, incoming)
        jobs.request([whose.pk])
        engine.drain(engine.configured(), user_ids=[whose.pk], attempt=tasks.attempt)
        outcome = _outcome(whose, stored.episode.pk)
        if as_json:
            self.say(outcome)
        else:
            self._table(outcome)
        return 1 if outcome["state"] == State.FAILED else 0

    def _table(self, outcome: dict[str, Any]) -> None:
        rows = [(fact["status"], fact["text"], _why(outcome, fact)) for fact in outcome["facts"]]
        rows += [("held", row["text"], row["reason"]) for row in outcome["held"]]
        rows += [("refused", row["text"] or "(text not kept)", _refusal(row)) for row in outcome["refused"]]
        nothing = outcome["error"] or "Nothing in it was worth keeping."
        self.show(("became", "what", "why"), rows, nothing=nothing)


def _whose(external_id: str | None) -> User:
    with scope.staff():
        only = None if external_id else only_user()
    return only or people.named(external_id or DEFAULT_USER)


def _outcome(user: User, episode_id: int) -> dict[str, Any]:
    with scope.user(user.pk):
        episode = Episode.objects.get(pk=episode_id)
        found = Candidate.objects.filter(episode=episode).order_by("place").prefetch_related("resolutions")
        told = Resolution.objects.filter(candidate__episode=episode)
        touched = {pk for pair in told.values_list("fact", "against") for pk in (pair[0] or pair[1],) if pk}
        chosen = Fact.objects.filter(pk__in=touched).order_by("pk")
        return {
            "user": user.external_id,
            "episode": episode.external_id,
            "state": episode.state,
            "error": episode.error,
            "facts": listing.facts(chosen, thresholds=policies.current().thresholds),
            "relations": [
                {"relation": row.relation, "why": row.why, "fact": row.fact_id, "against": row.against_id}
                for claim in found
                for row in claim.resolutions.all()
            ],
            "held": [_refused(row) for row in found if row.verdict == Verdict.HELD],
            "refused": [_refused(row) for row in found if row.verdict == Verdict.REFUSED],
        }


def _refused(row: Candidate) -> dict[str, Any]:
    return {"id": row.pk, "text": row.text, "reason": row.reason, "detail": row.detail}


def _why(outcome: dict[str, Any], fact: dict[str, Any]) -> str:
    return "; ".join(row["why"] for row in outcome["relations"] if fact["id"] == (row["fact"] or row["against"]))


def _refusal(row: dict[str, Any]) -> str:
    return f"{row['reason']}: {row['detail']}" if row["detail"] else row["reason"]
