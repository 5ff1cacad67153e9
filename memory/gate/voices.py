"""Whether the words around a quote are the user's own, or another's that the user shows or plays."""

import re
from dataclasses import replace

from memory import text
from memory.gate import lexing, markers, wordlists
from memory.gate.cases import Case, Passage
from memory.gate.lexing import Sentence
from memory.types import Role

_QUOTED = re.compile(
    r"“[^”\n]{1,2000}”|«[^»\n]{1,2000}»|„[^“”\n]{1,2000}[“”]|\"[^\"\n]{1,2000}\"|「[^」]*」"
    r"|(?<![\w])['‘‚][^'’‘\n]{1,2000}['’‘](?!\w)"
)
_CODE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|`[^`\n]+`", re.DOTALL)
_LABEL = re.compile(r"^[ \t*_\-[(]*(?P<name>[^\W\d_][\w .'’-]{0,24}?)[*_\])]*\s*:\s", re.MULTILINE)
_NAME_LENGTH = 3
_SPEAKERS = 2
_HEADERS = 2


def not_own_words(case: Case) -> str:
    """Whose words they are instead, "" if the user's own."""
    if case.ground.document:
        return ""
    return next((why for p in case.own if (why := _foreign(case, _narrowed(p)))), "")


def _narrowed(passage: Passage) -> Passage:
    """Only the claim's object where the sentence orders work on a text: the order is the user's own."""
    if passage.target is None or not markers.has("voices", "carriers", passage.sentence):
        return passage
    places = passage.sentence.spans[passage.target.start : passage.target.stop]
    span = (passage.offset + places[0][0], passage.offset + places[-1][1])
    return replace(passage, span=span, tokens=passage.target)


def _foreign(case: Case, passage: Passage) -> str:
    checks = (_cited, _coded, _quoted, _mailed, _scripted, _carried, _introduced)
    return next((why for check in checks if (why := check(passage))), "") or _played(case, passage)


def _cited(passage: Passage) -> str:
    line = passage.turn.content.rfind("\n", 0, passage.span[0]) + 1
    return "it stands in a cited line" if passage.turn.content[line:].lstrip().startswith((">", "|")) else ""


def _coded(passage: Passage) -> str:
    inside = any(_holds(m, passage) for m in _CODE.finditer(passage.turn.content))
    return "it stands in code" if inside else ""


def _quoted(passage: Passage) -> str:
    """Quotation marks around more than a name."""
    longer = (m for m in _QUOTED.finditer(passage.turn.content) if not _is_title(m.group().split()))
    return "it stands in quotation marks" if any(_holds(m, passage) for m in longer) else ""


def _is_title(quoted: list[str]) -> bool:
    """A name or a title: short, or most of its words in capitals."""
    capitals = sum(word.strip("\"'“„«‘‚")[:1].isupper() for word in quoted)
    return len(quoted) <= _NAME_LENGTH or capitals * 2 > len(quoted)


def _holds(match: re.Match[str], passage: Passage) -> bool:
    return match.start() < passage.span[1] <= match.end() and match.start() <= passage.span[0]


# Pasted text --------------------------------------------------------------------------------


def _mailed(passage: Passage) -> str:
    """A mail's head or "… wrote:" stands before, or it is a letter from greeting to closing."""
    before = passage.turn.content[: passage.span[0]]
    heads = [m for m in _LABEL.finditer(before) if m["name"].casefold() in wordlists.flat("voices", "headers")]
    if len(heads) >= _HEADERS or any(_is_wrote(line) for line in before.splitlines()):
        return "it is in a pasted mail"
    return "it is in a letter" if _is_letter(passage) else ""


def _is_wrote(line: str) -> bool:
    return bool(line.strip()) and markers.has("voices", "wrote", lexing.read(line.strip()))


def _is_letter(passage: Passage) -> bool:
    lines = [line for line in passage.turn.content.splitlines() if line.strip()]
    firsts = [(text.words(line) or [""])[0] for line in lines]
    opens = next((i for i, line in enumerate(lines) if _greets(line, firsts[i])), None)
    if opens is None:
        return False
    return any(
        word in wordlists.flat("voices", "closings") and len(line.split()) <= _GREETING
        for word, line in zip(firsts[opens + 1 :], lines[opens + 1 :], strict=True)
    )


def _greets(line: str, first: str) -> bool:
    is_short = len(line.split()) <= _GREETING and line.rstrip().endswith((",", "!"))
    return is_short and first in wordlists.flat("voices", "greetings")


_GREETING = 5


def _scripted(passage: Passage) -> str:
    """Lines of two or more speakers."""
    labels = [m for m in _LABEL.finditer(passage.turn.content) if not text.is_self(m["name"])]
    heads = wordlists.flat("voices", "headers")
    names = {m["name"].casefold() for m in labels if m["name"][:1].isupper()} - heads
    line = passage.turn.content.rfind("\n", 0, passage.span[0]) + 1
    is_spoken = any(m.start() == line for m in labels)
    return "it is a line in a dialogue" if len(names) >= _SPEAKERS and is_spoken else ""


class _Order:
    """A sentence of a turn, where it starts and ends."""

    __slots__ = ("end", "sentence", "start")

    def __init__(self, content: str, span: tuple[int, int]) -> None:
        self.start, self.end = span
        self.sentence = lexing.read(content[self.start : self.end])


def _carried(passage: Passage) -> str:
    """An order to work on a text, and the quote in what follows it."""
    for order in _sentences_until(passage):
        found = markers.find_all("voices", "carriers", order.sentence)
        if found and _is_text_of(order, passage, found[0].tokens[-1]):
            return f"it is a text to work on: “{markers.words_of(order.sentence, found[0])}”"
    return ""


def _introduced(passage: Passage) -> str:
    """Whether a colon hands over to another: "The letter says:", "she wrote:"."""
    for order in _sentences_until(passage):
        colon = order.sentence.text.find(":")
        head = set(lexing.read(order.sentence.text[: max(colon, 0)]).tokens)
        if colon >= 0 and order.start + colon < passage.span[0] and head & wordlists.flat("voices", "introducers"):
            return "it is introduced as another's words"
    return "it is told as fiction" if any(_is_fiction(order, passage) for order in _sentences_until(passage)) else ""


def _is_fiction(order: _Order, passage: Passage) -> bool:
    if markers.has("voices", "told", order.sentence):
        return True
    asked = markers.find_all("voices", "fiction", order.sentence)
    return bool(asked) and order.end <= passage.span[0] and _is_text_of(order, passage, asked[0].tokens[-1])


def _sentences_until(passage: Passage) -> list[_Order]:
    content = passage.turn.content
    return [_Order(content, span) for span in text.sentences(content) if span[0] <= passage.span[0]]


def _is_text_of(order: _Order, passage: Passage, last: int) -> bool:
    """Whether the quote is the text that an order is about.

    In the order's own sentence it must come after it; later, the order must end in a colon
    or its line, so that "Summarise this. I live in Oslo." leaves the second sentence alone.
    """
    content = passage.turn.content
    if passage.span[0] < order.end:
        return passage.span[0] >= order.start + order.sentence.spans[last][1] and _follows(order, passage, last)
    between = content[order.end : passage.span[0]]
    return order.sentence.text.rstrip().endswith(":") or between.startswith("\n") or "\n" in between.split(".")[0]


def _follows(order: _Order, passage: Passage, last: int) -> bool:
    """Within the order's sentence: after a colon, or of a translation and no aside.

    "Can you translate menus, I live in Oslo" has an aside: a part of its own.
    """
    sentence = order.sentence
    tokens = passage.tokens
    if ":" in sentence.text[sentence.spans[last][0] : passage.span[0] - order.start]:
        return True
    is_aside = bool(tokens) and sentence.parts[tokens[0]] > sentence.parts[last]
    return markers.has("voices", "translating", sentence) and not is_aside


# Playing ------------------------------------------------------------------------------------


def _played(case: Case, passage: Passage) -> str:
    """A game begun in this or an earlier turn of the user, and not ended since."""
    state = ""
    for turn in case.ground.turns:
        if turn.role is not Role.USER or turn.n > passage.turn.n:
            continue
        for start, end in text.sentences(turn.content):
            if turn.n == passage.turn.n and start > passage.span[0]:
                break
            state = _state_after(lexing.read(turn.content[start:end]), state)
    return state


def _state_after(sentence: Sentence, state: str) -> str:
    if markers.has("voices", "play_over", sentence):
        return ""
    found = markers.find_all("voices", "play", sentence)
    return f"it is said in a role: “{markers.words_of(sentence, found[0])}”" if found else state
