"""Names and numbers of a claim that nobody said."""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from memory import text
from memory.gate import languages, wordlists, words
from memory.gate.cases import Case

_DIGITS = re.compile(r"\d+")
_ISO_DAY = re.compile(r"\d{4}-\d\d")
_YEAR = re.compile(r"(?:19|20)\d\d")
_NAME = re.compile(r"(?<=[^\W_][\s,;(/&-])\s?(?P<name>[^\W\d_][\w'’]*[+#]*)")
_ACRONYM = re.compile(r"\b[^\W\d_]{2,6}\b")


def unheard(case: Case) -> str:
    """The number or the name that was not said, "" if all were."""
    return _other_number(case) or _other_sign(case) or _other_name(case)


def _turns(case: Case) -> str:
    return "\n".join(dict.fromkeys(p.turn.content for p in case.quoted))


# Numbers ------------------------------------------------------------------------------------


def _other_number(case: Case) -> str:
    """A number of the object, or a count in the text, that is neither said nor spelt out."""
    proposal = case.proposal
    said = set(_DIGITS.findall(" ".join(p.sentence.text for p in case.quoted)))
    claimed = set() if _ISO_DAY.search(proposal.object) else set(_DIGITS.findall(proposal.object))
    if not _is_dated(case):
        claimed |= {number for number in _DIGITS.findall(proposal.text) if not _YEAR.fullmatch(number)}
    if claimed <= said or (not said and _is_reckoned(case, claimed)):
        return ""
    return f"the number {min(claimed - said)} was not said"


def _other_sign(case: Case) -> str:
    """A number of the object that was said with the other sign alone: 5 for −5."""
    said = _signed(" ".join(p.sentence.text for p in case.quoted))
    spelt = wordlists.flat("resting", "minus")
    if any(word in spelt for p in case.quoted for word in p.sentence.tokens):
        return ""
    swapped = {(not is_minus, number) for is_minus, number in _signed(case.proposal.object) - said} & said
    return next((f"the number {number} was said with another sign" for _, number in sorted(swapped)), "")


def _signed(plain: str) -> frozenset[tuple[bool, str]]:
    return frozenset((bool(match["minus"]), match["number"]) for match in _SIGNED.finditer(plain))


_SIGNED = re.compile(r"(?<![^\s(])(?P<minus>[-−–])?(?P<number>\d+(?:[.,]\d+)*)")


def _is_reckoned(case: Case, claimed: set[str]) -> bool:
    """Whether numbers may be of words: "ten years", "last year"."""
    if all(_YEAR.fullmatch(number) for number in claimed):
        return True
    spelt = wordlists.flat("resting", "numbers")
    return any(word in spelt for p in case.quoted for word in p.sentence.tokens)


def _is_dated(case: Case) -> bool:
    """Whether the text tells a day, which may be reckoned from the turn's."""
    proposal = case.proposal
    is_bound = bool(proposal.valid_from or proposal.valid_to or proposal.expires_on or _ISO_DAY.search(proposal.text))
    return is_bound or not wordlists.flat("resting", "calendar").isdisjoint(words.all_of(proposal.text))


# Names --------------------------------------------------------------------------------------


def _other_name(case: Case) -> str:
    """A name within the text or the object that is in no turn, in one language with them."""
    written = dict.fromkeys((*_names(case.proposal.text), *_names(case.proposal.object)))
    if not written:
        return ""
    heard = list(_heard(case))
    missing = [name for name in written if not any(words.found(p, said) for p in words.all_of(name) for said in heard)]
    turns = _turns(case) if missing else ""
    unknown = next((name for name in missing if not _is_short_for(name, case.proposal.text, turns)), "")
    return f"nobody named “{unknown}”" if unknown and _is_comparable(case.proposal.text, turns) else ""


@lru_cache(maxsize=2048)
def _names(plain: str) -> tuple[str, ...]:
    """The words written with a capital where no sentence begins."""
    return tuple(_written(plain))


def _written(plain: str) -> Iterator[str]:
    known = wordlists.flat("resting", "calendar")
    for match in _NAME.finditer(plain):
        name = match["name"]
        if name[0].isupper() and words.telling(name) and not known & set(words.all_of(name)):
            yield name


def _heard(case: Case) -> Iterator[words.Index]:
    """The words of all turns, of who speaks, and of what the claim is about; the quoted turns first."""
    proposal, ground = case.proposal, case.ground
    quoted = [passage.turn for passage in case.quoted]
    texts = (plain for turn in (*quoted, *ground.turns) for plain in (turn.content, turn.name))
    known = (ground.owner, *ground.owner_names, proposal.subject, proposal.subject_note or "")
    yield from (words.index_of(plain) for plain in dict.fromkeys((*texts, *known)) if plain)


def is_invented(case: Case, subject: str) -> bool:
    """Whether an unheard subject is written as a name, in a script that the turns are written in.

    A role in a capital, "Mother", is none; nor is a single noun where all nouns have capitals.
    """
    turns = "\n".join(turn.content for turn in case.ground.turns)
    capitals = [word for word in subject.split() if word[:1].isupper()]
    if not capitals or len(capitals) < len(subject.split()) or not _script(subject) & _script(turns):
        return False
    roles = wordlists.flat("subjects", "others")
    if any(word in roles for word in words.all_of(subject)):
        return False
    return len(capitals) > 1 or not languages.is_likely(languages.nameless(turns[:_ENOUGH]), "de")


def _script(plain: str) -> frozenset[str]:
    """The scripts of the letters: the first word of their Unicode names."""
    return frozenset(unicodedata.name(char, "").split(" ")[0] for char in set(plain) if char.isalpha())


def _is_short_for(name: str, claim: str, turns: str) -> bool:
    """Whether a turn has the name's initials: "NYC" for New York City, "TS" for TypeScript."""
    short = {match.group().casefold() for match in _ACRONYM.finditer(turns)}
    inner = "".join(char for char in name if char.isupper()).casefold()
    initials = "".join(word[0] for word in re.findall(r"\w+", claim) if word[0].isupper()).casefold()
    return inner in short or any(name[0].casefold() in s and s in initials for s in short if s.upper() in turns)


def _is_comparable(claim: str, turns: str) -> bool:
    """Whether claim and turns are in one language, and one that writes only names with capitals."""
    told, said = languages.nameless(claim), languages.nameless(turns[:_ENOUGH])
    if languages.is_likely(said, "de") or text.is_spaceless(turns):
        return False
    return any(languages.is_likely(told, code) and languages.is_likely(said, code) for code in _CODES)


_ENOUGH = 400
_CODES = ("en", "es", "fr", "fi", "ru")
