"""Reading turns: whose voice, which language, answers to questions, corrections of what was just said."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import tzinfo

import regex

from memory import text
from memory.extraction.patterns import making, tools
from memory.extraction.patterns.book import LANGUAGES, Book, Form, book
from memory.extraction.patterns.making import Said
from memory.extraction.patterns.matching import Hit, hits
from memory.types import Ground, Proposal, Quote, Role, Turn

_CYRILLIC = regex.compile(r"\p{Cyrillic}")
_NOT_SAID = regex.compile(r"^```.*?(?:^```|\Z)|^>.*?$", regex.MULTILINE | regex.DOTALL)
_HANDOVER = regex.compile(r"[:：]\s*$")
MAX_CORRECTION = 5
MAX_SENTENCE = 1000
"""In characters. Nothing plain is longer, and time stays in proportion."""


@dataclass(slots=True)
class _Talk:
    """What was said so far that the next sentence may refer to."""

    ground: Ground
    zone: tzinfo
    question: tuple[Turn, str] | None = None
    recent: list[tuple[Hit, Proposal]] = field(default_factory=list)


def read(ground: Ground, *, zone: tzinfo) -> Iterator[Proposal]:
    """Proposals from all turns, in their order."""
    talk = _Talk(ground, zone)
    for turn in ground.turns:
        if turn.role is Role.TOOL:
            yield from tools.read(turn, owner=ground.owner)
        elif turn.role is Role.ASSISTANT:
            talk.question = _question(turn)
        elif turn.role is Role.USER:
            yield from _user_turn(turn, talk)
            talk.question = None


def _question(turn: Turn) -> tuple[Turn, str] | None:
    """The one question a turn ends with."""
    asked = [turn.content[start:end] for start, end in text.sentences(turn.content)]
    questions = [sentence for sentence in asked if sentence.rstrip().endswith(("?", "？"))]
    is_plain = len(questions) == 1 and asked[-1] == questions[0] and len(questions[0]) <= MAX_SENTENCE
    return (turn, questions[0]) if is_plain else None


def _user_turn(turn: Turn, talk: _Talk) -> Iterator[Proposal]:
    skipped = [match.span() for match in _NOT_SAID.finditer(turn.content)]
    handed_over = -1
    for place, (start, end) in enumerate(text.sentences(turn.content)):
        if end - start > MAX_SENTENCE or any(a <= start < b for a, b in skipped):
            continue
        if place == 0:
            yield from _yes(turn, turn.content[start:end], talk)
        # What follows "translate this:" is not the speaker's own; the quote shows it.
        quote = turn.content[handed_over if handed_over >= 0 else start : end]
        yield from _sentence(turn, turn.content[start:end], quote, talk)
        if handed_over < 0 and _HANDOVER.search(turn.content[start:end]):
            handed_over = start


def _sentence(turn: Turn, sentence: str, quote: str, talk: _Talk) -> Iterator[Proposal]:
    for language in _languages(sentence, talk.ground):
        said = _said(sentence, turn, talk, evidence=(Quote(turn.n, quote),), of=book(language))
        made = list(making.proposals(_hits(sentence, _forms(said.book, talk.ground), said.book), said))
        talk.recent.extend(made)
        fixed = list(_corrections(said, talk))
        yield from (proposal for _, proposal in made)
        yield from fixed
        if made or fixed:
            return


def _hits(sentence: str, forms: tuple[Form, ...], of: Book) -> list[Hit]:
    """What is only ever refused is proposed once a sentence, and only if nothing else is."""
    sound = hits(sentence, [form for form in forms if form.name != "loose"], of)
    return sound or hits(sentence, [form for form in forms if form.name == "loose"], of)[:1]


def _said(sentence: str, turn: Turn, talk: _Talk, *, evidence: tuple[Quote, ...], of: Book) -> Said:
    return Said(sentence, turn, evidence, talk.ground.owner, talk.zone, of)


def _forms(of: Book, ground: Ground) -> tuple[Form, ...]:
    """In an imported list nobody speaks: "I" in it is not the owner."""
    if ground.document:
        return (*of.bare, *(form for form in of.forms if form.name.startswith("third")))
    return (*of.forms, *of.bare) if ground.is_outright else of.forms


def _languages(sentence: str, ground: Ground) -> Iterator[str]:
    """The user's own first, then those the sentence may be in."""
    if _CYRILLIC.search(sentence):
        yield "ru"
        return
    own = ground.language if ground.language in LANGUAGES else "en"
    for language in dict.fromkeys((own, *LANGUAGES)):
        if language == own or (language != "ru" and book(language).words["voice"].search(sentence)):
            yield language


# Answers ------------------------------------------------------------------------------------


def _yes(turn: Turn, sentence: str, talk: _Talk) -> Iterator[Proposal]:
    """A question of the assistant and the user's plain "yes" are evidence together."""
    if talk.question is None:
        return
    asker, question = talk.question
    for language in _languages(question, talk.ground):
        of = book(language)
        agreed = of.words["yes"].match(sentence)
        found = _asked(question, of) if agreed else []
        if agreed and found:
            evidence = (Quote(asker.n, question), Quote(turn.n, sentence))
            said = _said(question, turn, talk, evidence=evidence, of=of)
            made = list(making.proposals(found, said))
            talk.recent.extend(made)
            yield from (proposal for _, proposal in made)
            return


def _asked(question: str, of: Book) -> list[Hit]:
    """What the question supposes, with an object that stands in it and leaves no choice."""
    shifted = question
    for pattern, into in of.you:
        shifted = pattern.sub(into, shifted)
    found = [*hits(question, of.asked, of), *(hits(shifted, of.forms, of) if shifted != question else [])]
    sound = [h for h in found if h.form.name != "loose" and (h.form.pattern.object or h.object in question)]
    return [h for h in sound if not of.words["choice"].search(h.object)][:1]


# Corrections --------------------------------------------------------------------------------


def _corrections(said: Said, talk: _Talk) -> Iterator[Proposal]:
    """As in "… sorry, Bergen", "Bergen, not Oslo": a new value for something said before."""
    for pattern in said.book.corrections:
        match = pattern.search(said.sentence)
        meant = _meant(match, talk, said.book) if match and _is_value(match["obj"], said.book) else None
        if match and meant:
            hit, wrong = meant
            fixed = making.corrected(hit, wrong, match["obj"].strip(), said)
            talk.recent.append((hit, fixed))
            yield fixed
            return


def _is_value(raw: str, of: Book) -> bool:
    """Whether it could stand for a value, and is not the next clause."""
    return not (of.words["breaks"].search(f" {raw}") or of.words["empty"].fullmatch(raw.strip()))


def _meant(match: regex.Match[str], talk: _Talk, of: Book) -> tuple[Hit, Proposal] | None:
    """What the correction is about: the latest with the old value, or, if none is named, the very latest."""
    obj, old = match["obj"].strip(), (match.groupdict().get("old") or "").strip()
    usable = [(hit, p) for hit, p in reversed(talk.recent) if p.object and not hit.form.pattern.object]
    if old:
        usable = [(hit, p) for hit, p in usable if _is_same(p.object, making.base(old, hit, of))]
    elif not (obj[:1].isupper() or obj[:1].isdigit()) or len(obj.split()) > MAX_CORRECTION:
        return None
    usable = [(hit, p) for hit, p in usable if not _is_same(p.object, making.base(obj, hit, of))]
    return usable[0] if usable else None


def _is_same(one: str, other: str) -> bool:
    return text.object_key(one) == text.object_key(other)
