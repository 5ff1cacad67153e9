"""One proposal before the gate: what it quotes, where that stands, and the sentences around."""

from collections.abc import Iterator
from dataclasses import dataclass

from memory import text
from memory.gate import lexing, resting
from memory.policy import Policy
from memory.types import BLOCK_CLOSE, BLOCK_OPEN, Ground, Proposal, Quote, Role, Turn

VOICES = (Role.USER, Role.TOOL)


@dataclass(frozen=True, slots=True)
class Passage:
    """A quote found in its turn, or what the claim rests on in one of its sentences.

    `span` is in the turn's content, `offset` is where the sentence begins; `target` are
    the tokens from the first to the last word of the claim's object, None if it has none.
    """

    turn: Turn
    span: tuple[int, int]
    offset: int
    sentence: lexing.Sentence
    tokens: range
    target: range | None = None

    @property
    def quote(self) -> str:
        """The quoted words as they stand in the turn."""
        return self.turn.content[slice(*self.span)]

    @property
    def is_recalled(self) -> bool:
        """Whether the quote is of memory that was handed back in the turn."""
        opened = self.turn.content.rfind(BLOCK_OPEN, 0, self.span[1])
        return opened >= 0 and self.turn.content.find(BLOCK_CLOSE, opened, self.span[0]) < 0


@dataclass(frozen=True, slots=True)
class Case:
    """What every check looks at. `missing` says which quote was not found, "" if all were.

    `quoted` are the quotes with all their sentences, `passages` the sentences among them
    that the claim rests on.
    """

    proposal: Proposal
    ground: Ground
    policy: Policy
    is_forgotten: bool
    quoted: tuple[Passage, ...]
    passages: tuple[Passage, ...]
    missing: str

    @property
    def heard(self) -> tuple[Passage, ...]:
        """The quotes in full that may be evidence: of the user or a tool, not recalled memory."""
        return tuple(p for p in self.quoted if p.turn.role in VOICES and not p.is_recalled)

    @property
    def spoken(self) -> tuple[Passage, ...]:
        """The passages that may be evidence: of the user or a tool, not recalled memory."""
        return tuple(p for p in self.passages if p.turn.role in VOICES and not p.is_recalled)

    @property
    def own(self) -> tuple[Passage, ...]:
        """Those of them in the user's own turns."""
        return tuple(p for p in self.spoken if p.turn.role is Role.USER)

    @property
    def has_end(self) -> bool:
        """Whether the claim says when it stops being true."""
        return bool(self.proposal.expires_on or self.proposal.valid_to)

    @property
    def claim(self) -> lexing.Sentence:
        """The claim's own sentence."""
        return lexing.read(self.proposal.text)

    @property
    def is_foreign(self) -> bool:
        """Whether nothing of it is from the user's own mouth: a tool or an imported document."""
        return bool(self.ground.document) or not self.own


def build(proposal: Proposal, ground: Ground, policy: Policy, *, is_forgotten: bool) -> Case:
    """Look up every quote of a proposal in the turns it names."""
    found = [(quote, _find(quote, ground)) for quote in _evidence(proposal, ground)]
    missing = next((_complaint(quote, ground) for quote, passage in found if passage is None), "")
    quoted = tuple(passage for _, passage in found if passage is not None)
    passages = tuple(rest for passage in quoted for rest in _rests(proposal, passage))
    return Case(proposal, ground, policy, is_forgotten, quoted, passages, missing if found else "it quotes nothing")


def _evidence(proposal: Proposal, ground: Ground) -> Iterator[Quote]:
    """The quotes; what was given outright or imported may be its own evidence."""
    yield from proposal.evidence
    if not proposal.evidence and (ground.is_outright or ground.document):
        yield from (Quote(t.n, proposal.text) for t in ground.turns if text.find_quote(proposal.text, t.content))


def _find(quote: Quote, ground: Ground) -> Passage | None:
    turn = next((turn for turn in ground.turns if turn.n == quote.turn), None)
    span = text.find_quote(quote.quote, turn.content) if turn else None
    if turn is None or span is None:
        return None
    start, end = text.sentence_span(turn.content, span)
    sentence = lexing.read(turn.content[start:end])
    return Passage(turn, span, start, sentence, sentence.tokens_in(span[0] - start, span[1] - start))


def _rests(proposal: Proposal, quoted: Passage) -> Iterator[Passage]:
    for rest in resting.rests(proposal, quoted.turn.content, quoted.span):
        places = rest.sentence.spans[rest.tokens.start : rest.tokens.stop]
        span = (rest.start + places[0][0], rest.start + places[-1][1]) if places else quoted.span
        yield Passage(quoted.turn, span, rest.start, rest.sentence, rest.tokens, rest.target)


def _complaint(quote: Quote, ground: Ground) -> str:
    if not any(turn.n == quote.turn for turn in ground.turns):
        return f"there is no turn {quote.turn}"
    return f"turn {quote.turn} does not say “{quote.quote}”"
