"""From a hit to a proposal: text, polarity, speech and time."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, tzinfo

from memory.extraction import inflection, mentions
from memory.extraction.anchoring import Aspect, When, combine
from memory.extraction.patterns.book import Book, Form
from memory.extraction.patterns.matching import Hit, clause
from memory.types import Kind, Polarity, Proposal, Quote, Speech, Turn

MAX_TEXT = 300
MIN_TEXT = 8
"""The gate takes less for a fragment: "Uses C#" needs its subject."""
_PASSING = (Kind.KNOWLEDGE, Kind.PREFERENCE, Kind.TEMPORARY)
_SPACE = " "
_SLOT = re.compile(r"{(\w+)}")


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence with all that is needed to read it."""

    sentence: str
    turn: Turn
    evidence: tuple[Quote, ...]
    owner: str
    zone: tzinfo
    book: Book

    @property
    def today(self) -> date:
        return self.turn.at.astimezone(self.zone).date()


def proposals(found: list[Hit], said: Said) -> Iterator[tuple[Hit, Proposal]]:
    """The proposals for all hits in one sentence."""
    for hit in found:
        made = _proposal(hit, found, said)
        if made:
            yield hit, made


def corrected(hit: Hit, wrong: Proposal, obj: str, said: Said) -> Proposal:
    """What was meant instead of `wrong`, which came from `hit`. "Not in Oslo but in Bergen" affirms."""
    is_denied = wrong.polarity is Polarity.DENIES
    meant = replace(hit, object=obj)
    return Proposal(
        text=_filled(hit.form.pattern.text, meant, said) if is_denied else wrong.text.replace(_plain(hit.object), obj),
        subject=wrong.subject,
        subject_note=wrong.subject_note,
        predicate=hit.form.pattern.predicate,
        object=base(obj, hit, said.book),
        kind=hit.form.pattern.kind,
        polarity=Polarity.AFFIRMS,
        speech=Speech.CORRECTS,
        evidence=said.evidence,
    )


def base(raw: str, hit: Hit, book: Book) -> str:
    """The words for an object of `hit` as a dictionary would head them."""
    return inflection.base(_plain(raw), book.language, hit.form.pattern.cases)


def _proposal(hit: Hit, found: list[Hit], said: Said) -> Proposal | None:
    pattern, name = hit.form.pattern, hit.form.name
    start, end = clause(said.sentence, hit, found, said.book)
    when = _when(hit, start, end, said)
    is_denied = name in ("denies", "ends", "third_denies")
    is_past = name == "held" and not when.valid_to
    if is_past and not pattern.past_predicate:
        return None
    is_passing = bool(when.expires_on) and pattern.kind in _PASSING and not pattern.is_aim
    return Proposal(
        text=_text(hit, said),
        subject=hit.name or hit.role or said.owner,
        subject_note=hit.role or None if hit.name else None,
        predicate=pattern.past_predicate if is_past else pattern.predicate,
        object=pattern.object or base(hit.object, hit, said.book),
        kind=Kind.TEMPORARY if is_passing else pattern.kind,
        polarity=Polarity.DENIES if is_denied else Polarity.AFFIRMS,
        speech=_speech(hit, said.sentence[start:end], said, is_denied=is_denied),
        valid_from=when.valid_from,
        valid_to=when.valid_to,
        expires_on=when.expires_on,
        evidence=said.evidence,
    )


def _when(hit: Hit, start: int, end: int, said: Said) -> When:
    if hit.form.pattern.keeps_time:
        return When()
    found = mentions.find(said.sentence[start:end], said.book.language)
    # "I hate Mondays": what is the object is not a date.
    apart = [m for m in found if start + m.end <= hit.at or start + m.start >= hit.end or hit.form.pattern.object]
    return combine(apart, said.today, aspect=_aspect(hit))


def _aspect(hit: Hit) -> Aspect:
    if hit.form.pattern.is_aim:
        return Aspect.AIMS
    if hit.form.name == "held":
        return Aspect.HELD
    return Aspect.BEGINS if hit.form.name in ("begins", "ends") or hit.form.pattern.is_reading else Aspect.HOLDS


def _speech(hit: Hit, part: str, said: Said, *, is_denied: bool) -> Speech:
    """As in "No, I left Acme": what tells of a change puts nothing right that was true until then."""
    words = said.book.words
    if is_denied and words["never"].search(said.sentence):
        return Speech.CORRECTS
    if hit.form.name in ("begins", "ends") or words["changing"].search(part):
        return Speech.CHANGES
    return Speech.CORRECTS if words["correcting"].match(said.sentence) else Speech.STATES


def _text(hit: Hit, said: Said) -> str:
    made = _filled(template(hit.form), hit, said)
    if len(made) < MIN_TEXT and hit.form.pattern.short:
        made = _filled(hit.form.pattern.short, hit, said)
    subject = hit.name or hit.role or (said.owner if len(made) < MIN_TEXT else "")
    if not subject:
        return made
    return f"{subject[0].upper()}{subject[1:]}{_of_others(made, hit, said)}"


def _of_others(made: str, hit: Hit, said: Said) -> str:
    """What follows the name of another."""
    pattern, book = hit.form.pattern, said.book
    if hit.form.name != "noun":
        made = _filled(pattern.third_text, hit, said) if pattern.third_text and hit.form.name == "third" else made
        return f" {made[0].lower()}{made[1:]}"
    made = _filled(pattern.noun_text, hit, said) if pattern.noun_text else made.removeprefix(book.article)
    return f"{book.possessive} {made[0].lower()}{made[1:]}"


def template(form: Form) -> str:
    """The text for what is said in this form."""
    pattern = form.pattern
    told = {"denies": pattern.denied, "third_denies": pattern.denied, "ends": pattern.ended or pattern.denied}
    return (told | {"held": pattern.past, "begins": pattern.begun}).get(form.name) or pattern.text


def _filled(template: str, hit: Hit, said: Said) -> str:
    """The template with what it names, as it was said."""
    opens = said.sentence.startswith
    known = {name: value[:1].lower() + value[1:] if opens(value) else value for name, value in hit.groups.items()}
    known |= {"obj": hit.form.pattern.object or _plain(hit.object), "sentence": _plain(said.sentence)}
    made = _SLOT.sub(lambda slot: known.get(slot[1], ""), template)
    return f"{made[:1].upper()}{made[1:]}"[:MAX_TEXT]


def _plain(raw: str) -> str:
    return _SPACE.join(raw.split())
