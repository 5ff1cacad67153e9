"""Credentials and identity numbers: what must not even be kept as a refusal's text."""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable
from functools import cache, lru_cache
from itertools import chain
from math import log2

from stdnum import iban, luhn
from stdnum.ch import ssn as ch_ssn
from stdnum.de import idnr
from stdnum.es import dni, nie
from stdnum.fi import hetu
from stdnum.fr import nir
from stdnum.it import codicefiscale
from stdnum.no import fodselsnummer
from stdnum.pl import pesel
from stdnum.se import personnummer
from stdnum.us import ssn as us_ssn

from memory.gate import wordlists
from memory.gate.cases import Case

_DIGITS_ENOUGH = 7
_DIGITS_OF_IDENTITY = 6
_ENTROPY = 3.7


def find(case: Case) -> str:
    """What kind of secret the claim or its quotes carry, "" if none. Never the secret itself."""
    proposal = case.proposal
    named = f"{proposal.predicate.replace('_', ' ')}: {proposal.object}"
    texts = [proposal.text, proposal.subject, proposal.object, named, *(quote.quote for quote in proposal.evidence)]
    return next((kind for text in texts if (kind := find_in(text))), "")


@lru_cache(maxsize=1024)
def find_in(text: str) -> str:
    """What kind of secret a text carries, "" if none."""
    plain = unicodedata.normalize("NFKC", text)
    return _token(plain) or _number(plain) or _named(plain) or _random(plain)


def _token(text: str) -> str:
    match = _tokens().search(text)
    return match.lastgroup or "" if match else ""


@cache
def _tokens() -> re.Pattern[str]:
    patterns = wordlists.read("secrets")["tokens"]
    grouped = (f"(?P<{kind}>{_scoped(pattern)})" for kind, pattern in patterns.items())
    return re.compile("|".join(grouped))


def _scoped(pattern: str) -> str:
    """Flags at the front of a pattern hold for it alone."""
    return f"(?i:{pattern.removeprefix('(?i)')})" if pattern.startswith("(?i)") else pattern


# Numbers with a check digit -----------------------------------------------------------------


def _is_iban(text: str) -> bool:
    """Words may follow the number, so shorter and shorter beginnings are tried."""
    parts = text.split()
    return any(iban.is_valid("".join(parts[:count])) for count in range(len(parts), 0, -1))


_CARD = re.compile(r"(?<![\d.,])(?:\d[ .\-]?){12,18}\d(?![\d,])")
_ISSUERS = re.compile(r"4|5[0-8]|2[2-7]|3[0-9]|6")
_FORMS: tuple[tuple[str, re.Pattern[str], Callable[[str], bool]], ...] = (
    ("IBAN", re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}\b", re.IGNORECASE), _is_iban),
    ("social security number", re.compile(r"(?<![\d-])\d{3}[- ]\d{2}[- ]\d{4}(?![\d-])"), us_ssn.is_valid),
    ("henkilötunnus", re.compile(r"\b\d{6}[-+ABCDEFUVWXY]\d{3}[0-9A-Y]\b", re.IGNORECASE), hetu.is_valid),
    ("DNI", re.compile(r"\b\d{2}\.?\d{3}\.?\d{3}[- ]?[A-Z]\b", re.IGNORECASE), dni.is_valid),
    ("NIE", re.compile(r"\b[XYZ][- ]?\d{7}[- ]?[A-Z]\b", re.IGNORECASE), nie.is_valid),
    ("Steuer-ID", re.compile(r"(?<!\d)\d{2} ?\d{3} ?\d{3} ?\d{3}(?!\d)"), idnr.is_valid),
    (
        "numéro de sécurité sociale",
        re.compile(r"(?<!\d)[12] ?\d{2} ?\d{2} ?\d[\dAB] ?\d{3} ?\d{3} ?\d{2}(?!\d)"),
        nir.is_valid,
    ),
    (
        "codice fiscale",
        re.compile(r"\b[A-Z]{6}\d{2}[A-Z]\d{2}[A-Z]\d{3}[A-Z]\b", re.IGNORECASE),
        codicefiscale.is_valid,
    ),
    ("personnummer", re.compile(r"(?<!\d)(?:\d{2})?\d{6}[-+]\d{4}(?!\d)"), personnummer.is_valid),
    ("fødselsnummer", re.compile(r"(?<!\d)\d{6} ?\d{5}(?!\d)"), fodselsnummer.is_valid),
    ("PESEL", re.compile(r"(?<!\d)\d{11}(?!\d)"), pesel.is_valid),
    ("AHV number", re.compile(r"\b756\.?\d{4}\.?\d{4}\.?\d{2}\b"), ch_ssn.is_valid),
    ("СНИЛС", re.compile(r"(?<!\d)\d{3}-\d{3}-\d{3}[- ]\d{2}(?!\d)"), lambda _: True),
    ("national insurance number", re.compile(r"\b[A-CEGHJ-PR-TW-Z]{2} ?\d{2} ?\d{2} ?\d{2} ?[A-D]\b"), lambda _: True),
    ("Aadhaar", re.compile(r"(?<!\d)[2-9]\d{3} \d{4} \d{4}(?! ?\d)"), lambda _: True),
)


def _number(text: str) -> str:
    if sum(char.isdigit() for char in text) < _DIGITS_ENOUGH:
        return ""
    if any(_is_card(match.group()) for match in _CARD.finditer(text)):
        return "card number"
    found = (kind for kind, form, is_valid in _FORMS for match in form.finditer(text) if is_valid(match.group()))
    return next(found, "")


def _is_card(number: str) -> bool:
    digits = re.sub(r"\D", "", number)
    return bool(_ISSUERS.match(digits)) and len(set(digits)) > 1 and luhn.is_valid(digits)


# Named secrets ------------------------------------------------------------------------------


def _named(text: str) -> str:
    for match in _names("names").finditer(text):
        if _gives_away(match["value"]):
            return match["name"].casefold()
    for match in _names("weak_names").finditer(text):
        if _gives_away(match["value"]) and re.search(r"\d", match["value"].split()[0]):
            return match["name"].casefold()
    identities = (m for m in _identities().finditer(text) if len(re.findall(r"\d", m["value"])) >= _DIGITS_OF_IDENTITY)
    return next((match["name"].casefold() for match in identities), "")


def _gives_away(value: str) -> bool:
    words = value.strip(" \"'“”„«»`*").split()
    return bool(words) and words[0].strip(".,;:!?").casefold() not in wordlists.flat("secrets", "harmless")


@cache
def _names(table: str) -> re.Pattern[str]:
    """A name of a secret, perhaps "for my bank", a link, a value."""
    words = _any_of("links", is_wordy=True)
    between = rf"(?:\s+(?!(?:{words})\b)[^\s:=]{{1,20}}){{0,4}}?"
    link = rf"{between}\s*(?:\b(?:{words})\b\s*[:=]?|[=:]|->|\s[—–-]\s)\s*"
    return re.compile(
        rf"(?<!\w)(?P<name>{_any_of(table)})(?!\w)(?!\s+(?:{_any_of('other_things')})\b){link}(?P<value>\S.{{0,60}})",
        re.IGNORECASE,
    )


@cache
def _identities() -> re.Pattern[str]:
    """A name of a number that authorities or banks give, and digits soon after."""
    name = rf"(?<!\w)(?P<name>{_any_of('identities')})(?!\w)(?!\s+(?:{_any_of('other_things')})\b)"
    return re.compile(rf"{name}[^\n\d]{{0,25}}?\s*(?P<value>\b[A-Z]{{0,3}}\d[\d A-Z./-]{{2,30}})", re.IGNORECASE)


def _any_of(table: str, *, is_wordy: bool = False) -> str:
    words = set(chain.from_iterable(wordlists.languages("secrets", table).values()))
    chosen = sorted((word for word in words if not is_wordy or word[0].isalpha()), key=len, reverse=True)
    return "|".join(re.escape(word).replace(r"\ ", r"[\s_]+") for word in chosen)


# Random strings -----------------------------------------------------------------------------

_BLOB = re.compile(r"(?<![\w/.-])[A-Za-z0-9+/_=-]{24,}(?![\w/.])")


def _random(text: str) -> str:
    return "random string" if any(_is_random(match.group()) for match in _BLOB.finditer(text)) else ""


def _is_random(blob: str) -> bool:
    has_all = all(re.search(kind, blob) for kind in ("[a-z]", "[A-Z]", r"\d"))
    counts = Counter(blob).values()
    entropy = -sum(n / len(blob) * log2(n / len(blob)) for n in counts)
    return has_all and entropy > _ENTROPY
