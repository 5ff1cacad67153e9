"""By which words what is erased can be told, where else it may stand, and finding them."""

import tomllib
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import batched
from pathlib import Path

import regex
from django.db.models import Q

from memory import text
from memory.models import Alias, Candidate, Entity, Evidence, Fact

ENOUGH = 4
"""So many words say the same thing wherever they stand together."""
SPACELESS_ENOUGH = 6
SHORTEST = 3
CHUNK = 200

_FILE = Path(__file__).parent.parent / "data" / "commonplace.toml"
_NAME = regex.compile(r"(?=\S*\d)(?=\S*[^\W\d_])[\w-]{5,}")
"""A word with letters and digits: it names one thing, wherever it stands."""
_MARK = r"""['"`´ʼ′″\p{Pi}\p{Pf}„‚「」『』]"""
_SPACELESS = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}"
_BEFORE, _AFTER = (rf"(?{look}[[\p{{L}}\p{{M}}\p{{N}}]--[{_SPACELESS}]])" for look in ("<!", "!"))


def own_words(user_id: int, facts: Iterable[int], claims: Iterable[int], leaving: Iterable[int]) -> frozenset[str]:
    """Words by which the facts can be told and of which nothing that stays speaks.

    They are the objects, names such as `zebra-7731`, whole sentences, and the names of entities that are left.
    """
    gone = {"pk__in": list(facts)}
    going = Fact.objects.filter(user=user_id, **gone).values_list("object", "text")
    claimed = Candidate.objects.filter(user=user_id, pk__in=list(claims)).values_list("object", "text")
    quotes = Evidence.objects.filter(user=user_id, candidate__in=list(claims)).values_list("quote", flat=True)
    said = [*going, *claimed]
    words = {words for words, _ in said if _is_telling(words)}
    words |= {name for pair in said for words in pair for name in _NAME.findall(words)}
    words |= {words for words in [*(sentence for _, sentence in said), *quotes] if _is_sentence(words)}
    words |= _names(user_id, leaving)
    staying = _staying(user_id, gone)
    return frozenset(word for word in words if not has_any(staying, [word]))


def _names(user_id: int, entities: Iterable[int]) -> set[str]:
    """Proper names only: "the project" stands in sentences about anything."""
    pks = list(entities)
    named = Entity.objects.filter(user=user_id, pk__in=pks).values_list("name", flat=True)
    also = Alias.objects.filter(user=user_id, entity__in=pks).values_list("alias", flat=True)
    return {name for name in [*named, *also] if _is_proper(name)}


def _is_proper(name: str) -> bool:
    is_written_so = name != name.lower() or text.is_spaceless(name)
    return is_written_so and len(name) > 1 and name.lower() not in _commonplace()


def _staying(user_id: int, gone: dict[str, list[int]]) -> str:
    """All that other facts say, and of whom."""
    facts = Fact.objects.filter(user=user_id).exclude(**gone)
    told = facts.values_list("text", "subject", "object", "entity__note")
    return "\n\n".join(part for row in told for part in row if part)


def _is_telling(words: str) -> bool:
    """Whether words name something: "Oslo" and "oat milk" do, "yes", "5" and "C" do not."""
    tokens = text.words(words)
    if not tokens:
        return not words.isascii()
    if text.is_spaceless(words):
        return len(words) > 1
    if len(tokens) > 1:
        return len("".join(tokens)) > SHORTEST
    return len(tokens[0]) >= SHORTEST and tokens[0] not in _commonplace()


def _is_sentence(words: str) -> bool:
    return len(text.words(words)) >= (SPACELESS_ENOUGH if text.is_spaceless(words) else ENOUGH)


@cache
def _commonplace() -> frozenset[str]:
    data = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    return frozenset(word for name, words in data.items() if name != "version" for word in words)


def places(content: str, words: Iterable[str]) -> list[tuple[int, int]]:
    """Where any of the words stand as words, whatever their case, their spacing and their quote marks."""
    return [match.span() for one in _patterns(words) for match in one.finditer(content, overlapped=True)]


def has_any(content: str, words: Iterable[str]) -> bool:
    return any(one.search(content) for one in _patterns(words))


def holding(field: str, words: Iterable[str]) -> Iterator[Q]:
    """Conditions that a column may hold one of the words: a first look, which `has_any` confirms."""
    for some in batched(sorted(words), CHUNK, strict=False):
        yield Q(**{f"{field}__iregex": "|".join(r"\s+".join(map(_escaped, one.split())) for one in some)})


def _escaped(token: str) -> str:
    """For Postgres. Signs may be written in several ways, which Python looks at."""
    return "".join(char if char.isalnum() else "." for char in token)


def _patterns(words: Iterable[str]) -> list[regex.Pattern[str]]:
    return [_pattern(word) for word in sorted(words, key=len, reverse=True)]


@cache
def _marks() -> regex.Pattern[str]:
    return regex.compile(_MARK)


@lru_cache(maxsize=512)
def _pattern(words: str) -> regex.Pattern[str]:
    tokens = (_MARK.join(map(regex.escape, _marks().split(token))) for token in words.split())
    body = r"\s+".join(tokens)
    before = _BEFORE if _is_of_a_word(words[0]) else ""
    after = _AFTER if _is_of_a_word(words[-1]) else ""
    return regex.compile(f"{before}(?:{body}){after}", regex.IGNORECASE | regex.VERSION1)


def _is_of_a_word(char: str) -> bool:
    return char.isalnum() and not text.is_spaceless(char)
