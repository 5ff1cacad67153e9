"""`forget`: erase facts, or a person, after saying exactly what would go."""

from argparse import ArgumentParser
from typing import Any

from memory import forgetting, listing, policies, scope
from memory.errors import NotFound
from memory.forgetting import Preview
from memory.management.speaking import SpeakingCommand, add_user, find_user
from memory.models import Fact, Receipt, User

ACTOR = "command line"


class Command(SpeakingCommand):
    help = "Erase a fact, what is known about a subject, or everything of a user. Shows what goes; --yes does it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        add_user(parser)
        which = parser.add_mutually_exclusive_group(required=True)
        which.add_argument("--fact", type=int, metavar="ID")
        which.add_argument("--subject", metavar="S")
        which.add_argument("--everything", action="store_true")
        which.add_argument("--lift", action="store_true", help="let a forgotten person come back, as someone new")
        parser.add_argument("--wrong", action="store_true", help="it was never true: what it had replaced comes back")
        parser.add_argument("--yes", action="store_true", help="do it, and do not only show it")

    def run(self, *, user: str | None, everything: bool, as_json: bool, **options: Any) -> int:
        if options["lift"]:
            return self._lift(user or "", as_json=as_json)
        whose = find_user(user)
        document = _everything(whose, **options) if everything else _facts(whose, **options)
        if as_json:
            self.say(document)
        else:
            self._table(document, is_done=options["yes"])
        return 0

    def _lift(self, external_id: str, *, as_json: bool) -> int:
        if not forgetting.lift_departure(external_id):
            raise NotFound(f"{external_id!r} is not forgotten here: name a forgotten person with --user")
        if as_json:
            self.say({"user": external_id, "lifted": True})
        else:
            self.stdout.write(f"{external_id} may come back, as someone new.")
        return 0

    def _table(self, document: dict[str, Any], *, is_done: bool) -> None:
        facts = [(fact["id"], fact["text"], "") for fact in document.get("facts", ())]
        facts += [(fact["id"], fact["text"], "derived only from these") for fact in document.get("dependent", ())]
        self.show(("id", "fact", ""), facts, nothing="Everything of this person, their login too.")
        self.show(("of", "rows"), sorted(document["counts"].items()), nothing="Nothing is stored.")
        self.stdout.write("Erased." if is_done else "Nothing has been erased yet: say --yes to do it.")


def _everything(user: User, *, yes: bool, **_: Any) -> dict[str, Any]:
    if yes:
        return _receipt(forgetting.depart(user, actor=ACTOR))
    with scope.staff():
        return {"user": user.external_id, "erased": False, "counts": forgetting.preview_departure(user.pk)}


def _facts(user: User, *, fact: int | None, subject: str | None, yes: bool, wrong: bool, **_: Any) -> dict[str, Any]:
    with scope.user(user.pk):
        named = (
            Fact.objects.filter(user=user, pk=fact) if fact is not None else forgetting.about(user.pk, subject or "")
        )
        going = forgetting.preview(user.pk, named.values_list("pk", flat=True))
        if not going.facts:
            raise NotFound("there is no such fact: see `list --status all`")
        shown = _shown(user, going)
        if yes:
            return shown | _receipt(forgetting.erase(user.pk, going.facts, actor=ACTOR, was_wrong=wrong))
    return shown | {"erased": False, "counts": going.counts}


def _shown(user: User, going: Preview) -> dict[str, Any]:
    thresholds = policies.current().thresholds
    return {
        "user": user.external_id,
        "facts": listing.facts(Fact.objects.filter(pk__in=going.facts), thresholds=thresholds),
        "dependent": listing.facts(Fact.objects.filter(pk__in=going.dependent), thresholds=thresholds),
    }


def _receipt(receipt: Receipt) -> dict[str, Any]:
    return {"erased": True, "receipt": receipt.pk, "counts": receipt.counts, "at": receipt.at}
