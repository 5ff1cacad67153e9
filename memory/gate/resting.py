"""Which sentences of a quote a claim rests on, and which of their words.

Extractors quote whole turns. What a turn says beside the claim, a question back, a mood, a
request, does not weaken it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from memory import text
from memory.gate import lexing, markers, words
from memory.gate.lexing import Sentence
from memory.types import Proposal


@dataclass(frozen=True, slots=True)
class Rest:
    """A sentence and what of the claim is in its quoted part.

    `start` is where it begins in the turn, `tokens` run from the first to the last word that
    the claim shares with it, all that is quoted if none; `target` from the first to the last of its object.
    """

    start: int
    sentence: Sentence
    tokens: range
    target: range | None
    of_object: frozenset[str]
    of_text: frozenset[str]


def rests(proposal: Proposal, content: str, span: tuple[int, int]) -> list[Rest]:
    """The sentences that hold most of the claim's object, then of its text; all if none holds any.

    Of equals, those with fewer words of the text go unless they take something back. Those
    that alone hold a name or number of the object stay.
    """
    heard = [_read(proposal, content, span, place) for place in _touched(content, span)]
    if len(heard) <= 1 or proposal.is_keyless:
        return heard
    most = max(len(rest.of_object) for rest in heard)
    if not most:
        return _most_of_text(heard)
    best = [rest for rest in heard if len(rest.of_object) == most]
    closest = _most_of_text(best)
    kept = [rest for rest in best if rest in closest or _takes_back(rest)]
    told = frozenset[str]().union(*(rest.of_object for rest in kept))
    return [rest for rest in heard if rest in kept or _names_alone(rest, told, proposal)]


def _most_of_text(heard: list[Rest]) -> list[Rest]:
    most = max(len(rest.of_text) for rest in heard)
    return [rest for rest in heard if len(rest.of_text) == most]


def _touched(content: str, span: tuple[int, int]) -> list[tuple[int, int]]:
    return [s for s in text.sentences(content) if s[0] < span[1] and s[1] > span[0]] or [span]


def _read(proposal: Proposal, content: str, span: tuple[int, int], place: tuple[int, int]) -> Rest:
    start, end = place
    sentence = lexing.read(content[start:end])
    quoted = sentence.tokens_in(span[0] - start, span[1] - start)
    objects, texts = _wanted(proposal.object, proposal.text, proposal.subject)
    of_object = _finds(sentence, quoted, objects)
    of_text = _finds(sentence, quoted, texts)
    target = range(min(of_object), max(of_object) + 1) if of_object else None
    places = sorted({*of_object, *_nearest(of_text, sentence, target)})
    tokens = range(places[0], places[-1] + 1) if places else quoted
    return Rest(start, sentence, tokens, target, _all(of_object), _all(of_text))


def _nearest(finds: dict[int, list[str]], sentence: Sentence, target: range | None) -> dict[int, list[str]]:
    """Those in the object's own part, if they are all the words there are: "I don't work at Acme, I work at Nokia"."""
    if target is None or markers.has("hypothetical", "opener", sentence):
        return finds
    part = sentence.part_around(target)
    near = {i: of_wanted for i, of_wanted in finds.items() if i in part}
    return near if _all(near) == _all(finds) else finds


def _all(finds: dict[int, list[str]]) -> frozenset[str]:
    return frozenset(word for found in finds.values() for word in found)


@lru_cache(maxsize=1024)
def _wanted(obj: str, claim: str, subject: str) -> tuple[words.Index, words.Index]:
    """The object's words, and those of the text that are neither these nor the subject's."""
    of_object = words.content(obj)
    known = {*of_object, *words.telling(subject)}
    return words.index(of_object), words.index(tuple(w for w in words.telling(claim) if w not in known))


def _finds(sentence: Sentence, quoted: range, wanted: words.Index) -> dict[int, list[str]]:
    found = ((i, words.found(sentence.tokens[i], wanted)) for i in quoted)
    told = {i: of_wanted for i, of_wanted in found if of_wanted}
    return told or _finds_within(sentence, quoted, wanted)


def _finds_within(sentence: Sentence, quoted: range, wanted: words.Index) -> dict[int, list[str]]:
    """As parts of compounds, where no word is there whole."""
    every = [word for filed in wanted.values() for word in filed]
    found = ((i, words.found_within(sentence.tokens[i], every)) for i in quoted)
    return {i: of_wanted for i, of_wanted in found if of_wanted}


_TAKING_BACK = (
    ("polarity", "negators"),
    ("polarity", "former"),
    ("hedged", "words"),
    ("hedged", "whole"),
    ("hypothetical", "words"),
    ("hypothetical", "unreal"),
)


def _takes_back(rest: Rest) -> bool:
    return any(markers.has(name, table, rest.sentence) for name, table in _TAKING_BACK)


def _names_alone(rest: Rest, told: frozenset[str], proposal: Proposal) -> bool:
    """Whether a sentence alone has a name or a number of the object."""
    return any(word in _names(proposal.object) for word in rest.of_object - told)


@lru_cache(maxsize=1024)
def _names(obj: str) -> frozenset[str]:
    written = (word for word in obj.split() if word[:1].isupper() or any(map(str.isdigit, word)))
    return frozenset(word for name in written for word in words.telling(name))


def following(content: str, end: int) -> Iterator[Sentence]:
    """The sentence after a place in a turn, if there is one."""
    after = next((span for span in text.sentences(content) if span[0] >= end), None)
    if after:
        yield lexing.read(content[slice(*after)])
