"""Reviewers' labels as they travel: what was judged, what for, how and when; never by whom.

They stand in tables of the staff's that are nobody's own. Brought back they are the labels of a closed sample that was
not drawn at random: seen beside their facts, and counted in no precision; without the seconds they took, which tells
them from what was given here, and counted of no reviewers. Answers to gold items stay, being about reviewers.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import F, Model

from memory import clock
from memory.errors import Unreadable
from memory.models import Candidate, Fact, Label, PersonsRuling, Remark, Sample, SampleItem, SampleText, User
from memory.portability import checking
from memory.portability.numbers import Numbers

SECTION = "reviews"
NAME = "Brought along"
AT_ONCE = 2000
LINKS: Mapping[str, type[Model]] = {"fact": Fact, "candidate": Candidate, "ruling": PersonsRuling, "remark": Remark}
_OWN = ("verdict", "as_of", "at", "undone_at")
FIELDS = {"subject", *LINKS, *_OWN}

type Row = dict[str, Any]
type _Thing = tuple[str, int | None, int | None]


def given(user_id: int) -> list[Row]:
    """All that stand or were taken back, of what is still there. In the staff's scope."""
    about = {"fact": F("item__fact"), "candidate": F("item__candidate"), "subject": F("item__sample__subject")}
    rows = Label.objects.filter(user=user_id, item__gold="").exclude(item__fact=None, item__candidate=None)
    return list(rows.order_by("at", "pk").values(*_OWN, "ruling", "remark", **about).iterator(chunk_size=AT_ONCE))


def restore(rows: Iterable[Any], user: User, numbers: Numbers) -> int:
    """Stores them under new numbers; how many. In the staff's scope. Raises Unreadable for what is none of ours."""
    by_thing: dict[_Thing, list[Row]] = defaultdict(list)
    for values in rows:
        row = _row(values, numbers)
        by_thing[row["subject"], row["fact"], row["candidate"]].append(row)
    for subject in sorted({subject for subject, _, _ in by_thing}):
        _store(user, subject, {thing: labels for thing, labels in by_thing.items() if thing[0] == subject})
    return sum(map(len, by_thing.values()))


def _row(values: Any, numbers: Numbers) -> Row:
    if not isinstance(values, dict) or values.keys() != FIELDS or values["fact"] is values["candidate"] is None:
        raise Unreadable(f"{SECTION}: a row is of another make")
    links = {
        name: None if values[name] is None else numbers.of_link(model, values[name]) for name, model in LINKS.items()
    }
    own = {name: checking.of_field(Label, name)(values[name]) for name in _OWN}
    subject = checking.of_field(Sample, "subject")(values["subject"])
    if not (subject and own["verdict"] and own["at"]):
        raise Unreadable(f"{SECTION}: a row says nothing")
    return {"subject": subject, **links, **own}


def _store(user: User, subject: str, by_thing: Mapping[_Thing, list[Row]]) -> None:
    now, size = clock.now(), len(by_thing)
    sample = Sample.objects.create(
        name=NAME,
        subject=subject,
        is_random=False,
        population=size,
        size=size,
        seed=0,
        policy_version=0,
        created_at=now,
        closed_at=now,
    )
    items = SampleItem.objects.bulk_create(
        (_item(sample, user, place, thing) for place, thing in enumerate(by_thing, start=1)),
        batch_size=AT_ONCE,
    )
    Label.objects.bulk_create(
        (
            Label(
                item=item,
                user=user,
                ruling_id=row["ruling"],
                remark_id=row["remark"],
                **{name: row[name] for name in _OWN},
            )
            for item, labels in zip(items, by_thing.values(), strict=True)
            for row in labels
        ),
        batch_size=AT_ONCE,
    )


def _item(sample: Sample, user: User, place: int, thing: _Thing) -> SampleItem:
    """With the words that it has now."""
    _, fact, candidate = thing
    row: Any = Candidate.objects.filter(user=user, pk=candidate or 0).first()
    row = row or Fact.objects.filter(user=user, pk=fact or 0).defer("embedding").first()
    if row is None:
        raise Unreadable(f"{SECTION}: a row is about nothing that the export holds")
    said = {name: getattr(row, name) for name in ("text", "subject", "object", "polarity", "valid_from", "valid_to")}
    about = {"user": user, "fact_id": fact, "candidate_id": candidate}
    sorts = {name: getattr(row, name) for name in ("kind", "source", "basis", "predicate", "policy_version")}
    words = SampleText.objects.create(**about, **said)
    return SampleItem(sample=sample, place=place, words=words, lacking=0, owner=user.pk, **about, **sorts)
