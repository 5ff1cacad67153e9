"""Whether a claim would steer the agent, or carries something to render."""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from memory import text
from memory.gate import lexing, markers, reaching, wordlists
from memory.gate.cases import Case, Passage
from memory.gate.lexing import Sentence

_MARKUP = re.compile(
    r"https?:|ftp:|www\.\w|javascript:|data:\w+/|vbscript:|file://|!?\[[^\]\n]*\]\s?\([^)\n]*\)|\[[^\]\n]+\]:\s?\S"
    r"|</?[a-z!][^<>\n]{0,200}>|<[a-z]+\s[^\n]*=|&(?:#\d+|#x[0-9a-f]+|lt|gt|quot);|<assay-|</assay-"
    r"|\[/?INST\]|<\|[\w]+\|>|<<SYS>>|^#{2,}\s*(?:system|instruction|assistant|user)\b|\{\{.*?\}\}|\{%.*?%\}",
    re.IGNORECASE | re.MULTILINE,
)
_ENCODED = re.compile(r"\b(?:[A-Za-z0-9+/]{4}){12,}={0,2}|(?:\\x[0-9a-f]{2}){6,}|(?:%[0-9a-f]{2}){6,}", re.IGNORECASE)


def instruction(case: Case) -> str:
    """What would steer, "" if nothing does."""
    return _rendered(case) or _steers(case) or (_commands(case) if case.is_foreign else "")


def _fields(case: Case) -> tuple[str, ...]:
    proposal = case.proposal
    return (proposal.text, proposal.subject, proposal.predicate, proposal.object, proposal.subject_note or "")


def _rendered(case: Case) -> str:
    for field in _fields(case):
        match = _MARKUP.search(unicodedata.normalize("NFKC", field)) or _ENCODED.search(field)
        if match:
            return f"it carries a link, markup or code: “{match.group()[:40]}”"
    return ""


def _steers(case: Case) -> str:
    """An order that overrides the agent's rules or makes it act for another."""
    for sentence in _heard(case):
        for table in ("override", "third_party"):
            if found := markers.find_all("instruction", table, sentence):
                return f"“{markers.words_of(sentence, found[0])}”"
    return _by_policy(case)


def _by_policy(case: Case) -> str:
    return reaching.marked(case, "instruction", case.spoken) if case.policy.markers.get("instruction") else ""


def _heard(case: Case) -> Iterator[Sentence]:
    """Claim and evidence, also as they read without disguise."""
    texts = [f"{case.proposal.text}", case.proposal.object, *(t for p in case.quoted for t in _surroundings(case, p))]
    for plain in dict.fromkeys(texts):
        yield lexing.read(plain)
        unmasked = _unmask(plain)
        if unmasked != plain.casefold():
            yield lexing.read(unmasked)


def _surroundings(case: Case, passage: Passage) -> Iterator[str]:
    """The sentences of the quote's paragraph; of the whole turn where the words are not the user's."""
    content = passage.turn.content
    start, end = (0, len(content)) if case.is_foreign else _paragraph(content, passage.span)
    for first, last in text.sentences(content[start:end][:_FAR]):
        yield content[start + first : start + last]


_FAR = 20_000


def _paragraph(content: str, span: tuple[int, int]) -> tuple[int, int]:
    start = content.rfind("\n", 0, span[0]) + 1
    end = content.find("\n", span[1])
    return start, end if end >= 0 else len(content)


def _commands(case: Case) -> str:
    """Anything instructive in the words of a tool or an import."""
    for sentence in (case.claim, *(p.sentence for p in case.heard)):
        if found := markers.find_all("instruction", "commands", sentence):
            return f"“{markers.words_of(sentence, found[0])}”"
    names = wordlists.flat("instruction", "agents")
    return "it is about the agent" if text.name_key(case.proposal.subject) in names else ""


# Disguises ----------------------------------------------------------------------------------

_LOOKALIKES = str.maketrans("аеорсухікмтнвј0134578@$!|", "aeopcyxikmthbjoieastbasil")
_SPACED = re.compile(r"\b(?:\w[ .\-_*]){4,}\w\b")


@lru_cache(maxsize=4096)
def _unmask(plain: str) -> str:
    """Letters for look-alikes and digits in words, spaced-out words closed up."""
    folded = unicodedata.normalize("NFKC", plain).casefold()
    closed = _SPACED.sub(lambda match: re.sub(r"[ .\-_*]", "", match.group()), folded)
    return re.sub(r"\S+", _plain_word, closed)


def _plain_word(match: re.Match[str]) -> str:
    word = match.group()
    letters = [char for char in word if char.isalpha()]
    has_latin = any("a" <= char <= "z" for char in letters)
    is_mixed = has_latin and (len(letters) < len(word.strip(".,!?;:'\"")) or not all(c.isascii() for c in letters))
    if not is_mixed:
        return word
    core = word.rstrip(".,!?;:")
    return core.translate(_LOOKALIKES) + word[len(core) :]
