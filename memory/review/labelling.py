"""Labels: saved once, whatever is sent twice, and taken back as if they had not been.

A label, what it does to the fact, its remark and the item's slot change in one transaction of the staff's.
"""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from uuid import UUID

from django.db.models import F, QuerySet
from django.utils import timezone

from memory import clock, prepared, text
from memory.errors import InvalidLabel, NotFound
from memory.models import Handout, Label, Remark, SampleItem, SampleText, User
from memory.review import effects, handing
from memory.types import LabelVerdict, SampleSubject

UNDOABLE = 20
"""How many of their last labels a reviewer can take back."""
LONGEST_REMARK = 4_000
_OWNER = f"""
    SELECT {prepared.columns(User, "person")} FROM memory_user person
    WHERE id = (SELECT owner FROM memory_sampleitem WHERE id = %(item)s) FOR NO KEY UPDATE
"""  # noqa: S608 - our own
_KNOWN = f"""
    SELECT {prepared.columns(Label, "label")} FROM memory_label label
    WHERE reviewer_id = %(reviewer)s AND (key = %(key)s OR (item_id = %(item)s AND undone_at IS NULL))
"""  # noqa: S608 - our own
_COLUMNS = ("item_id", "user_id", "reviewer_id", "verdict", "as_of", "ruling_id", "remark_id", "key", "seconds", "at")
_SAVE = f"""
    WITH handed AS (
        UPDATE memory_handout SET slot = %(slot)s, leased_until = %(until)s, labelled_at = %(now)s, skipped_at = NULL
        WHERE id = %(handout)s
    ), counted AS (
        UPDATE memory_sampleitem SET lacking = lacking - 1 WHERE id = %(item_id)s
    )
    INSERT INTO memory_label ({", ".join(_COLUMNS)})
    VALUES ({", ".join(f"%({name})s" for name in _COLUMNS)}) RETURNING id
"""  # noqa: S608 - our own


class Outcome(StrEnum):
    """What became of a label that was sent. Only of a SAVED one something is stored, once."""

    SAVED = "saved"
    ALREADY = "already"
    """The reviewer has labelled this item before, from another page; that label stands."""
    TAKEN = "taken"
    """It went to somebody else meanwhile."""
    ERASED = "erased"
    """Its person had it erased meanwhile."""
    CLOSED = "closed"
    """The sample was closed meanwhile."""
    UNDONE = "undone"
    """This very form was saved and taken back."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a reviewer sends. `key` names the form, so that sending it again saves nothing more."""

    verdict: LabelVerdict
    key: UUID
    as_of: date | None = None
    note: str = ""
    suggestion: str = ""


@dataclass(frozen=True, slots=True)
class Recorded:
    """What became of it, with the label that stands now, if there is one."""

    outcome: Outcome
    label: Label | None = None


def record(item_id: int, answer: Answer, *, by: User, within: int) -> Recorded:
    """Saves a reviewer's answer to an item of the sample `within`, and makes it so; inside the staff scope.

    Raises InvalidLabel when it makes no sense, NotFound for what is not theirs to label.
    """
    handing.in_turn(by.pk)
    owner = _owner(item_id)
    item = _item(item_id, by, within=within)
    told = _told_before(item, answer, by)
    if told is not None:
        return told
    _check(item, answer)
    handouts = handing.of(item.pk)
    mine = next((handout for handout in handouts if handout.reviewer_id == by.pk), None)
    if mine is None:
        raise NotFound("This item was not handed to you.")
    if not handing.claim(mine, handouts, wanted=item.wanted):
        return Recorded(Outcome.TAKEN)
    return Recorded(Outcome.SAVED, _save(item, answer, mine, by=by, owner=owner))


def undo(label_id: int, *, by: User, within: int) -> Label:
    """Takes back one of the reviewer's last labels with all it did; taken back already, it stays so.

    The item is in their hands again. Inside the staff scope. Raises NotFound for others' labels and older ones,
    InvalidLabel when closed.
    """
    handing.in_turn(by.pk)
    item_id = Label.objects.filter(pk=label_id, reviewer=by).values_list("item", flat=True).first()
    if item_id is None:
        raise NotFound("There is no such label of yours.")
    owner = _owner(item_id)
    item = _item(item_id, by, within=within)
    label: Label = Label.objects.select_related("item").get(pk=label_id)
    if label.undone_at is None:
        _take_back(label, item, by=by, owner=owner)
    return label


def last(sample_id: int, reviewer_id: int) -> int | None:
    """The id of the reviewer's newest label in a sample that can still be taken back; inside the staff scope."""
    newest = _newest(reviewer_id).values_list("pk", "undone_at", "item__sample")[:UNDOABLE]
    return next((pk for pk, undone_at, sample in newest if undone_at is None and sample == sample_id), None)


def _newest(reviewer_id: int) -> QuerySet[Label]:
    """Those taken back among them, so that nobody undoes their way back for ever."""
    return Label.objects.filter(reviewer=reviewer_id).order_by("-at", "-pk")


def _owner(item_id: int) -> User | None:
    """Whose memory it is about, their row locked before any other of theirs; None when they have left."""
    found = prepared.rows(_OWNER, {"item": item_id})
    return prepared.instance(User, found[0]) if found else None


def _item(item_id: int, by: User, *, within: int) -> SampleItem:
    item = handing.locked(item_id, within=within)
    if not handing.may_label(item.sample, by.pk):
        raise NotFound("There is no such item.")
    return item


def _told_before(item: SampleItem, answer: Answer, by: User) -> Recorded | None:
    """Why nothing more is to be saved, if so."""
    found = prepared.rows(_KNOWN, {"reviewer": by.pk, "key": answer.key, "item": item.pk})
    known = [prepared.instance(Label, row) for row in found]
    same = next((label for label in known if label.key == answer.key), None)
    if same is not None:
        return Recorded(Outcome.SAVED if same.undone_at is None else Outcome.UNDONE, same)
    if known:
        return Recorded(Outcome.ALREADY, known[0])
    if item.sample.closed_at is not None:
        return Recorded(Outcome.CLOSED)
    if item.is_erased:
        return Recorded(Outcome.ERASED)
    return None


def _check(item: SampleItem, answer: Answer) -> None:
    is_about_facts = item.sample.subject == SampleSubject.FACTS
    if answer.verdict is LabelVerdict.STALE and not is_about_facts:
        raise InvalidLabel("verdict: only a fact can be stale. Say correct, incorrect or can’t tell.")
    if len(answer.note) > LONGEST_REMARK or len(answer.suggestion) > LONGEST_REMARK:
        raise InvalidLabel(f"note: at most {LONGEST_REMARK:,} characters. Shorten it and save again.")
    if answer.as_of is not None and answer.as_of > clock.now().date():
        raise InvalidLabel("as_of: the day it stopped being true cannot lie ahead.")


def _save(item: SampleItem, answer: Answer, handout: Handout, *, by: User, owner: User | None) -> Label:
    ruling = effects.rule(item, answer.verdict, as_of=answer.as_of, by=by, owner=owner) if owner else None
    now = timezone.now()
    label = Label(
        item=item,
        user=owner,
        reviewer=by,
        verdict=answer.verdict,
        as_of=answer.as_of if answer.verdict is LabelVerdict.STALE else None,
        ruling_id=ruling,
        remark=_remark(item, answer, owner) if owner else None,
        key=answer.key,
        seconds=(now - handout.taken_at).total_seconds(),
        at=clock.now(),
    )
    values = {name: getattr(label, name) for name in _COLUMNS} | {"verdict": answer.verdict.value}
    handed = {"handout": handout.pk, "slot": handout.slot, "until": handout.leased_until, "now": now}
    [[label.pk]] = prepared.rows(_SAVE, values | handed)
    return label


def _remark(item: SampleItem, answer: Answer, owner: User) -> Remark | None:
    note, suggestion = text.clean(answer.note).text.strip(), text.clean(answer.suggestion).text.strip()
    if suggestion and SampleText.objects.filter(pk=item.words_id or 0, text=suggestion).exists():
        suggestion = ""  # the page begins with the claim as it is
    if not note and not suggestion:
        return None
    about = {"fact_id": item.fact_id, "candidate_id": item.candidate_id}
    return Remark.objects.create(user=owner, **about, note=note, suggestion=suggestion)


def _take_back(label: Label, item: SampleItem, *, by: User, owner: User | None) -> None:
    if label.pk not in _newest(by.pk).values_list("pk", flat=True)[:UNDOABLE]:
        raise NotFound(f"Only your last {UNDOABLE} labels can be taken back.")
    if item.sample.closed_at is not None:
        raise InvalidLabel("The sample is closed: its labels stand as they are.")
    if owner is not None:
        effects.unrule(label, by=by, owner=owner)
    label.undone_at = clock.now()
    Label.objects.filter(pk=label.pk).update(undone_at=label.undone_at)
    SampleItem.objects.filter(pk=item.pk).update(lacking=F("lacking") + 1)
    handing.release_all(item.sample_id, by.pk)
    now = timezone.now()
    mine = Handout.objects.filter(item=item, reviewer=by)
    mine.update(labelled_at=None, skipped_at=None, taken_at=now, leased_until=now + handing.LEASE)
