"""The pattern data, compiled: per language, forms of saying something and what each means.

A file holds `macros` (names that forms use as <name>), word lists for trimming, and a list of
patterns. A pattern's forms are kept by what they say of the fact:

    denies  it is not so                  affirms it is so
    begins  it has become so              ends    it has ceased to be so
    held    it was so                     noun    a noun: "my <noun> is …"
    third   what others do: "Anna <third>"
    third_denies                          asked   how an assistant asks for it
    list    as in lists of memories only: "Uses C#", said of no one else
    loose   only ever said so that the gate must refuse it, and be seen to

`<o>` stands for the words that become the object, up to where the clause ends; `<p>` for such that
begin with a capital.
"""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import regex

from memory.extraction.patterns.needles import needles
from memory.types import Kind

LANGUAGES = ("en", "de", "es", "fr", "fi", "ru")
FORMS = ("denies", "ends", "third_denies", "begins", "held", "affirms", "noun", "third", "loose")
"""In the order in which they are tried: what is denied or over must not be read as so."""
_WRAPS = {
    "leading": r"(?:{})(?:\s+|(?<='))",
    "trailing": r"(?:^|[\s,]+)(?:{})$",
    "yes": r"(?:{})(?=$|\s*[,.!…–-])",
    "breaks": r"\s(?:{})\b",
}
"""How the lists of words are framed."""
_SPACE = regex.compile(r" (?![?*+{])")
_MACRO = regex.compile(r"(?<!\?P)<(\w+)>")
_OBJECT = r"(?P<obj>\S.*)"


@dataclass(frozen=True, slots=True)
class Pattern:
    """One thing to say, in one language.

    Texts are sentences with {obj}, the object as it was said, and {any} other group of the form that matched.
    """

    predicate: str
    kind: Kind
    text: str
    denied: str = ""
    ended: str = ""
    past: str = ""
    begun: str = ""
    noun_text: str = ""
    """Of others, by the noun: "Tidepool's database is …"."""
    third_text: str = ""
    """Of others, where the text would not follow their name."""
    short: str = ""
    """Instead of a text that comes out too short to stand alone."""
    past_predicate: str = ""
    object: str = ""
    """Fixed, where the words are not it."""
    is_many: bool = False
    """An enumeration is several facts."""
    is_aim: bool = False
    is_reading: bool = False
    keeps_time: bool = False
    """Words for time belong to the object."""
    cases: tuple[str, ...] = ()
    """In which the object may stand; see `inflection`."""


@dataclass(frozen=True, slots=True)
class Form:
    """One way of saying a pattern. Compiled when a sentence first has what it needs: most never do."""

    name: str
    pattern: Pattern
    source: str
    needles: frozenset[str]

    @property
    def regex(self) -> regex.Pattern[str]:
        return _compiled(self.source)

    def may_match(self, there: frozenset[str]) -> bool:
        """Whether the needles that a sentence has are enough for the form."""
        return not self.needles or not self.needles.isdisjoint(there)


@dataclass(frozen=True, slots=True)
class Book:
    """All of one language: forms, and the words that tell where an object ends and how a sentence is meant."""

    language: str
    forms: tuple[Form, ...]
    asked: tuple[Form, ...]
    bare: tuple[Form, ...]
    """As lists of memories say it: "Lives in Oslo", "User's name is John"."""
    words: Mapping[str, regex.Pattern[str]]
    corrections: tuple[regex.Pattern[str], ...]
    possessive: str
    article: str
    """What a text may begin with that a possessive takes the place of: "Tidepool's deploy target"."""
    roles: Mapping[str, str]
    """One word for those that mean the same person: "mum" is the mother."""
    you: tuple[tuple[regex.Pattern[str], str], ...]
    """What turns a question to someone into what they would say of themselves."""

    def needles_in(self, lowered: str) -> frozenset[str]:
        """Those of all forms that a sentence, in lower case, has."""
        return frozenset(needle for needle in _needles(self.language) if needle in lowered)


@cache
def _needles(language: str) -> frozenset[str]:
    of = book(language)
    return frozenset().union(*(form.needles for form in (*of.forms, *of.asked, *of.bare)))


@cache
def book(language: str) -> Book:
    """The patterns of one of LANGUAGES."""
    data = tomllib.loads((Path(__file__).parent / f"{language}.toml").read_text(encoding="utf-8"))
    macros = _macros(data.get("macros", {}))
    entries = [(_pattern(entry), entry) for entry in data["pattern"]]
    return Book(
        language=language,
        forms=tuple(form for name in FORMS for form in _forms(name, entries, macros, data.get("frames", {}))),
        asked=tuple(_forms("asked", entries, macros, {})),
        bare=tuple(
            form for name in (*FORMS, "list") for form in _forms(name, entries, macros, data["bare"], is_open=False)
        ),
        words={
            name: _compile(_WRAPS.get(name, "{}").replace("{}", raw), macros) for name, raw in data["words"].items()
        },
        corrections=tuple(_compile(raw, macros) for raw in data["corrections"]["forms"]),
        possessive=data["possessive"],
        article=data.get("article", ""),
        roles=data.get("roles", {}),
        you=tuple((_compile(rf"\b(?:{raw})\b", macros), into) for raw, into in data.get("you", {}).items()),
    )


def _pattern(entry: Mapping[str, Any]) -> Pattern:
    return Pattern(
        predicate=entry["predicate"],
        kind=Kind(entry["kind"]),
        text=entry["text"],
        denied=entry.get("denied", ""),
        ended=entry.get("ended", ""),
        past=entry.get("past", ""),
        begun=entry.get("begun", ""),
        noun_text=entry.get("noun_text", ""),
        third_text=entry.get("third_text", ""),
        short=entry.get("short", ""),
        past_predicate=entry.get("past_predicate", ""),
        object=entry.get("object", ""),
        is_many=entry.get("is_many", False),
        is_aim=entry.get("is_aim", False),
        is_reading=entry.get("is_reading", False),
        keeps_time=entry.get("keeps_time", False),
        cases=tuple(entry.get("cases", ())),
    )


type _Entries = list[tuple[Pattern, Mapping[str, Any]]]


def _forms(
    name: str, entries: _Entries, macros: Mapping[str, str], frames: Mapping[str, Any], *, is_open: bool = True
) -> Iterator[Form]:
    """Forms of one kind in the order of the file, within their frames; without frames as they are, if `is_open`."""
    around = frames.get(name, ["<say>"] if is_open else [])
    for pattern, entry in entries:
        for raw in entry.get(name, ()):
            for frame in around:
                source = _filled(r"(?<![\w'-])" + frame.replace("<say>", raw), macros)
                yield Form(name, pattern, source, needles(raw))


def _macros(raw: Mapping[str, str]) -> dict[str, str]:
    """Macros may use those before them."""
    made: dict[str, str] = {"o": _OBJECT, "p": rf"(?-i:(?=\p{{Lu}})){_OBJECT}"}
    for name, value in raw.items():
        made[name] = _fill(value, made)
    return made


def _fill(raw: str, macros: Mapping[str, str]) -> str:
    return _MACRO.sub(lambda macro: macros.get(macro[1], macro[0]), raw)


def _compile(raw: str, macros: Mapping[str, str]) -> regex.Pattern[str]:
    return _compiled(_filled(raw, macros))


def _filled(raw: str, macros: Mapping[str, str]) -> str:
    """A space in the data is any run of space, unless it is made optional there."""
    return _SPACE.sub(r"\\s+", _fill(raw, macros)).replace(" ", r"\s")


@cache
def _compiled(source: str) -> regex.Pattern[str]:
    return regex.compile(source, regex.IGNORECASE)
