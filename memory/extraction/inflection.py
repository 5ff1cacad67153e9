"""Names and nouns in their base form: "Oslossa" and "Osloon" are Oslo, «в Москве» and «в Москву» are Москва.

Finnish by a dictionary, and by endings for what it lacks; Russian by a morphological analyser. Both load when
first needed. What is not understood stays as it was said: a made-up name is worse than a doubled fact.
"""

import logging
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pymorphy3
import regex
from pymorphy3.analyzer import Parse
from simplemma.strategies import DictionaryLookupStrategy
from simplemma.strategies.dictionaries import LOW_MEMORY_DICTIONARY_FACTORY

_DATA = Path(__file__).parent / "data" / "endings.toml"
_CYRILLIC = regex.compile(r"\p{Cyrillic}[\p{Cyrillic}-]*")
_LINKING = regex.compile(r"(?<=[^aeiouyäöAEIOUYÄÖ])i$")
_INFINITIVE = ("sta", "stä")
_NOMINAL = ("NOUN", "ADJF", "PRTF")
_JOINTS = ("и", "или", "да")


def base(obj: str, language: str, cases: Sequence[str]) -> str:
    """`obj` as a dictionary would head it; `cases` are those it may stand in, the likeliest first.

    For "fi" they name endings of the data file, for "ru" they are grammemes of OpenCorpora (accs, loct, Geox …);
    in any language they may name rewritings of the data file.
    """
    for pattern, into in _rewritings(language, tuple(cases)):
        obj = pattern.sub(into, obj)
    if not cases:
        return obj
    if language == "fi":
        return " ".join(_finnish(word, cases) for word in obj.split(" "))
    if language == "ru":
        return " ".join(_russian(obj.split(" "), cases))
    return obj


@cache
def _rewritings(language: str, names: tuple[str, ...]) -> tuple[tuple[regex.Pattern[str], str], ...]:
    known = _data().get(language, {}).get("rewritings", {})
    return tuple((regex.compile(known[name][0]), known[name][1]) for name in names if name in known)


@cache
def _data() -> dict[str, Any]:
    return tomllib.loads(_DATA.read_text(encoding="utf-8"))


# Finnish ------------------------------------------------------------------------------------


def _finnish(word: str, cases: Sequence[str]) -> str:
    known_cases = [case for case in cases if case in _data()["fi"]]
    ending = next((m for case in known_cases if (m := _ending(case).search(word)) and m.start()), None)
    if ending is None:
        return word
    stem = word[: ending.start()]
    if _is_head(stem):
        return stem
    if known := _lemma(word):
        return _as_written(known.lower(), word) if word[0].isupper() else known
    if _is_head(word) and word.endswith(_INFINITIVE):
        return word
    return _LINKING.sub("", stem) if word[0].isupper() else stem


def _is_head(word: str) -> bool:
    """Whether a dictionary has an entry under the word itself."""
    return len(word) > 1 and any(_dictionary().get_lemma(form, "fi") == form for form in (word, word.lower()))


@cache
def _ending(case: str) -> regex.Pattern[str]:
    return regex.compile(rf"(?:(?<=[\w+#]):\p{{Ll}}+|(?<=\w\w){_data()['fi'][case]})$")


def _lemma(word: str) -> str | None:
    """The head word, if the word is no head word itself."""
    if word in _data()["fi"]["known"]:
        return str(_data()["fi"]["known"][word])
    found = (_dictionary().get_lemma(form, "fi") for form in dict.fromkeys((word, word.lower())))
    return next((lemma for lemma in found if lemma and lemma.lower() != word.lower()), None)


@cache
def _dictionary() -> DictionaryLookupStrategy:
    return DictionaryLookupStrategy(dictionary_factory=LOW_MEMORY_DICTIONARY_FACTORY)


# Russian ------------------------------------------------------------------------------------


def _russian(words: Sequence[str], cases: Sequence[str]) -> Iterator[str]:
    """Up to the noun that heads the phrase; what hangs on it ("центр Москвы") stays."""
    is_headed = False
    for word in words:
        plain = word.strip(",")
        parse = None if is_headed or not _CYRILLIC.fullmatch(plain) else _parse(plain, cases)
        nominative = parse.inflect({"nomn"}) if parse and parse.tag.case != "nomn" else None
        yield word if nominative is None else word.replace(plain, _as_written(nominative.word, plain))
        is_headed = (is_headed or parse is None or parse.tag.POS == "NOUN") and not _is_joint(word)


def _is_joint(word: str) -> bool:
    return word in _JOINTS or word.endswith(",")


def _parse(word: str, cases: Sequence[str]) -> Parse | None:
    """The likeliest reading as a noun or adjective in one of the cases; of a known place, as that.

    Of a name with a hyphen that no dictionary has, only the last part is declined: «в Нови-Саде» is Нови-Сад.
    What is no word at all is hardly a plural: «Грустин» is no genitive of «грустины».
    """
    found = [parse for parse in _analyser().parse(word) if parse.tag.POS in _NOMINAL]
    found.sort(key=lambda parse: not parse.is_known and _before_hyphen(parse.normal_form) != _before_hyphen(word))
    places = [parse for parse in found if parse.is_known and "Geox" in parse.tag] if "Geox" in cases else []
    sound = [parse for parse in places or found if parse.is_known or "plur" not in parse.tag]
    return next((p for case in cases for p in sound if case in p.tag.grammemes - {"Geox"}), None)


def _before_hyphen(word: str) -> str:
    return word.lower().rpartition("-")[0]


@cache
def _analyser() -> pymorphy3.MorphAnalyzer:
    logging.getLogger("pymorphy3").setLevel(logging.WARNING)  # it tells of every load
    return pymorphy3.MorphAnalyzer()


def _as_written(word: str, like: str) -> str:
    """With the capitals of `like`, part by part: "ростов-на-дону" → "Ростов-на-Дону"."""
    if like.isupper():
        return word.upper()
    pairs = zip(word.split("-"), like.split("-"), strict=False)
    parts = [part[:1].upper() + part[1:] if other[:1].isupper() else part for part, other in pairs]
    return "-".join(parts) if len(parts) == len(word.split("-")) else word
