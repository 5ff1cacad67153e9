"""Words compared but for their endings, and which words of a text tell anything."""

import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache

from memory import text
from memory.gate import scripts, wordlists

_STEM = 3
_ENDING = 2
_SHORT = 5
_RUSSIAN = re.compile(f"[а-я]{{2,{_SHORT}}}")
_ENDINGS = re.compile("(?<=..)(?:[ое][йм]|[ая]м?и?х?|[еиоуыьэюй])$")
_FLEETING = re.compile("[еоь](?=[^аеиоуыьэюя]$)")


@lru_cache(maxsize=16384)
def is_akin(one: str, other: str) -> bool:
    """Whether two words are one but for their endings; numbers and short words must be equal."""
    if one == other:
        return True
    if _is_short_russian(one) and _is_short_russian(other) and not _roots(one).isdisjoint(_roots(other)):
        return True
    if one[:_STEM] != other[:_STEM]:
        return False
    shorter, longer = sorted((one, other), key=len)
    if len(shorter) < _STEM or not (one.isalpha() and other.isalpha()):
        return False
    if _is_in_case(shorter, longer):
        return True
    shared = next((i for i, (a, b) in enumerate(zip(shorter, longer, strict=False)) if a != b), len(shorter))
    return shared >= max(_STEM, len(shorter) - _ENDING) and len(longer) - shared <= max(_ENDING, len(shorter) - 1)


def _is_short_russian(word: str) -> bool:
    return _RUSSIAN.fullmatch(word) is not None


def _roots(word: str) -> frozenset[str]:
    """A short word without its ending, with and without a vowel that comes and goes: "Уфа", "Уфе"; "Орёл", "Орле"."""
    root = _ENDINGS.sub("", word)
    return frozenset({root, _FLEETING.sub("", root)})


def _is_in_case(word: str, longer: str) -> bool:
    """Whether a word with a Finnish ending is another, its consonants softened or not: "Lahdessa" is Lahti."""
    stems = (longer[:-size] for size in (3, 4, 5, 6) if longer[-size:] in _case_endings())
    return any(stem == word or (len(stem) == len(word) and _hard(stem) == _hard(word)) for stem in stems)


@cache
def _case_endings() -> frozenset[str]:
    return wordlists.flat("resting", "endings")


def _hard(word: str) -> str:
    """With its consonants unsoftened, and without the last vowel."""
    return _SOFT.sub(lambda soft: _HARD[soft[0]], word)[:-1]


_HARD = {"d": "t", "ng": "nk", "nn": "nt", "ll": "lt", "rr": "rt", "mm": "mp", "v": "p"}
_SOFT = re.compile("|".join(_HARD))


def content(plain: str) -> tuple[str, ...]:
    """The words of a text that mean something; all of them if none does."""
    return telling(plain) or all_of(plain)


@lru_cache(maxsize=2048)
def telling(plain: str) -> tuple[str, ...]:
    """The words of a text without those that any sentence may have."""
    return tuple(word for word in all_of(plain) if word not in _idle())


@lru_cache(maxsize=2048)
def all_of(plain: str) -> tuple[str, ...]:
    """The words of a text, each without what only joins it to others."""
    return tuple(_bare(scripts.in_one(word)) for word in text.words(plain))


def _bare(word: str) -> str:
    """Without a possessive ending, a French elision or a Russian diaeresis."""
    return _ELISION.sub("", word).removesuffix("'s").removesuffix("’s").replace("ё", "е")


_ELISION = re.compile("^(?:[cdjlmnst]|qu)['’](?=..)")


@cache
def _idle() -> frozenset[str]:
    lists = (("vague", "small"), ("polarity", "negators"), ("resting", "idle"))
    return frozenset().union(*(wordlists.flat(name, table) for name, table in lists))


type Index = Mapping[str, tuple[str, ...]]


@lru_cache(maxsize=2048)
def index(wanted: Iterable[str]) -> Index:
    """Words by their beginnings, for `found`."""
    filed: dict[str, tuple[str, ...]] = {}
    for word in wanted:
        for beginning in _beginnings(word):
            filed[beginning] = (*filed.get(beginning, ()), word)
    return filed


@lru_cache(maxsize=16384)
def _beginnings(word: str) -> frozenset[str]:
    """Under which a word is filed."""
    return frozenset({word[:_STEM], word[: _STEM - 1]} if _is_short_russian(word) else {word[:_STEM]})


@lru_cache(maxsize=2048)
def index_of(plain: str) -> Index:
    """All words of a text, filed."""
    return index(all_of(plain))


def found(token: str, wanted: Index) -> list[str]:
    """The wanted words that a token of a sentence is, or has as one of its parts."""
    filed = (wanted.get(beginning, ()) for part in _parts(token) for beginning in _beginnings(part))
    near = dict.fromkeys(word for words in filed for word in words)
    return [word for word in near if any(is_akin(word, part) for part in _parts(token))]


def found_within(token: str, wanted: Iterable[str]) -> list[str]:
    """The wanted words that a longer word is made of: "Nüsse" in "Nussallergie"."""
    plain = _plain(token)
    return [word for word in wanted if any(_is_part(part, plain) for part in {_plain(word), _root(_plain(word))})]


def _is_part(root: str, token: str) -> bool:
    """Whether a root begins or ends a word, and what is left of it is long enough to be one."""
    if len(root) < _ROOT or not token.isalpha() or len(token) - len(root) < _ROOT:
        return False
    return token.startswith(root) or token.endswith(root)


_ROOT = 4


@lru_cache(maxsize=4096)
def _plain(word: str) -> str:
    """Without the marks by which German tells a plural."""
    return word.translate(_UMLAUTS)


_UMLAUTS = str.maketrans("äöü", "aou")


def _root(word: str) -> str:
    """Without the ending of a plural."""
    return next(
        (word.removesuffix(end) for end in _PLURALS if word.endswith(end) and len(word) - len(end) >= _ROOT), word
    )


_PLURALS = ("en", "er", "e", "n", "s", "t")


@lru_cache(maxsize=16384)
def _parts(token: str) -> tuple[str, ...]:
    """The token and what a hyphen joins in it; its characters, where a script has no spaces."""
    if not token.isascii() and text.is_spaceless(token):
        return tuple(token)
    bare = _bare(token)
    return (bare, *bare.split("-")) if "-" in bare else (bare,)
