"""Cleaning, normalising, tokenising: one place.

`clean` is the one door for strings. Everything else here expects cleaned text.
"""

import tomllib
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import regex

_DATA = Path(__file__).parent / "data"


@dataclass(frozen=True, slots=True)
class Cleaned:
    """`removed` counts the code points that were taken out."""

    text: str
    removed: int


_PAIR = regex.compile(r"[\ud800-\udbff][\udc00-\udfff]")
_LINE_END = regex.compile(r"\r\n?")
# Flags of England, Scotland and Wales: the only tag sequences in general use, so the only ones
# kept. Any other run of tag characters can carry hidden text.
_FLAG = "\U0001f3f4(?:\U000e0067\U000e0062(?:\U000e0065\U000e006e\U000e0067|\U000e0073\U000e0063\U000e0074|\U000e0077\U000e006c\U000e0073)\U000e007f)"
_JOINING = (
    r"[\p{Arabic}\p{Syriac}\p{Mandaic}\p{Mongolian}\p{Nko}\p{Phags_Pa}\p{Devanagari}\p{Bengali}\p{Gurmukhi}"
    r"\p{Gujarati}\p{Oriya}\p{Tamil}\p{Telugu}\p{Kannada}\p{Malayalam}\p{Sinhala}\p{Khmer}\p{Myanmar}\p{Tibetan}"
    r"\u064b-\u0655\u0670\u0951\u0952]"
)
_SELECTABLE = r"[\p{Sm}\p{Myanmar}\p{Phags_Pa}\p{Han}\u3001\u3002\uff01\uff0c\uff0e\uff1a\uff1b\uff1f]"
# What may stay although it is invisible. The order matters: the flag first, as it holds tags.
_KEPT = "|".join(
    (
        _FLAG,
        rf"(?<={_JOINING})[\u200c\u200d]",
        r"(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}]\ufe0f?)\u200d(?=[\p{Extended_Pictographic}])",
        r"(?<=\p{Mongolian})[\u180b-\u180d\u180f]",
        r"(?<=\p{Emoji})[\ufe0e\ufe0f]",
        rf"(?<={_SELECTABLE})[\ufe00-\ufe02]",
        r"(?<=\p{Han})[\U000e0100-\U000e01ef]",
        r"(?<=\p{M})\u034f(?=\p{M})",
    )
)
_HIDDEN = regex.compile(
    rf"({_KEPT})|[\p{{Cc}}--\n\t]|[\p{{Default_Ignorable_Code_Point}}\p{{Cs}}\p{{NChar}}\u200e\u200f\u061c\ufff9-\ufffb]",
    flags=regex.VERSION1,
)


def clean(raw: str) -> Cleaned:
    """Text as it may be stored: NFC, without what cannot be seen or would reorder the rest.

    Kept are newline, tab, the joiners that emoji and joining scripts need, one variation
    selector after a character that takes one, and the three flag sequences of tags.
    """
    if raw.isascii() and raw.isprintable():
        return Cleaned(raw, 0)
    text = _PAIR.sub(_join_pair, raw)
    text = _LINE_END.sub("\n", text)
    visible = _HIDDEN.sub(lambda match: match.group(1) or "", text)
    return Cleaned(unicodedata.normalize("NFC", visible), len(text) - len(visible))


def _join_pair(match: regex.Match[str]) -> str:
    return match.group().encode("utf-16-le", "surrogatepass").decode("utf-16-le")


# Keys -------------------------------------------------------------------------------------

_MINUS = regex.compile(r"[\u2212\u2010\u2011\ufe63\uff0d]|(?<=\d)\u2013(?=\d)|(?<!\S)\u2013(?=\d)")
_NUMBER_MARK = r"(?<=\d)[.,:](?=\d)|(?<!\S)[.](?=\d)"
_DASH_WITH_MEANING = r"(?<![\p{L}\p{N}])-(?=[\d.]\d*)|(?<=\d)-(?=\d)|(?<=[\p{L}\p{N}])-(?=\s|$)"
_SPLITTING = r"[-\p{Pd}/\\_()\[\]{}\u00b7\u30fb,;:|]"
_NAME_OUT = regex.compile(rf"({_NUMBER_MARK}|[#+&])|{_SPLITTING}|([\p{{P}}\p{{Sk}}])")
_OBJECT_OUT = regex.compile(
    rf"({_NUMBER_MARK}|{_DASH_WITH_MEANING}|(?<!\S)[.](?=\p{{L}})|[#+&%‰@*/_\p{{Sm}}\p{{Sc}}\p{{So}}])|{_SPLITTING}|([\p{{P}}\p{{Sk}}])"
)


def name_key(name: str) -> str:
    """What two spellings of one name share: NFKC, case folded, no punctuation, single spaces.

    The signs that tell names apart (C#, C++, AT&T, 3.1) stay.
    """
    return _key(name, _NAME_OUT)


def object_key(obj: str) -> str:
    """As `name_key`, but symbols, signs and decimals survive: C/C++/C#, 1.5/15, −5/5 differ."""
    return _key(obj, _OBJECT_OUT)


@lru_cache(maxsize=4096)
def _key(raw: str, out: regex.Pattern[str]) -> str:
    text = unicodedata.normalize("NFKC", raw).casefold()
    text = _MINUS.sub("-", unicodedata.normalize("NFKC", text))
    left = " ".join(out.sub(_keep_or_space, text).split())
    return unicodedata.normalize("NFKC", left)


def _keep_or_space(match: regex.Match[str]) -> str:
    """Group 1 stays, group 2 closes up (O'Brien, U.S.), the rest parts words."""
    return match.group(1) or ("" if match.group(2) else " ")


# Quotes -----------------------------------------------------------------------------------

_MARKS = str.maketrans(
    dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u02bc\u00b4`\u2039\u203a", "'")
    | dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\u300c\u300d\u300e\u300f", '"')
)


def fold_quote(text: str) -> str:
    """Whitespace runs become one space and every kind of quote mark ' or "."""
    return " ".join(text.translate(_MARKS).split())


def find_quote(quote: str, content: str) -> tuple[int, int] | None:
    """Where in `content` the quote stands first, whole words only, compared as folded."""
    return next(find_quotes(quote, content), None)


def find_quotes(quote: str, content: str) -> Iterator[tuple[int, int]]:
    """Every place where the quote stands, in order."""
    wanted = fold_quote(quote)
    folded = _folded(content)
    start = folded.find(wanted) if wanted else -1
    while start >= 0:
        end = start + len(wanted)
        if not (_is_inside(folded, start) or _is_inside(folded, end)):
            places = _places(content)
            yield places[start], places[end - 1] + 1
        start = folded.find(wanted, start + 1)


@lru_cache(maxsize=256)
def _folded(content: str) -> str:
    return fold_quote(content)


@lru_cache(maxsize=64)
def _places(content: str) -> tuple[int, ...]:
    """For each character of the folded content, where it stands in the content."""
    places: list[int] = []
    for index, char in enumerate(content):
        if not char.isspace() or (places and not content[index - 1].isspace()):
            places.append(index)
    return tuple(places)


# A cut is inside a word, a number or a symbol's name: parts that mean something else alone.
_INSIDE = regex.compile(
    r"(?<=[\p{L}\p{M}\p{N}_])(?=[\p{L}\p{M}\p{N}_])"
    r"|(?=\p{M})"
    r"|(?<=[\p{L}\p{N}]-)(?=[\p{L}\p{N}])|(?<=[\p{L}\p{N}])(?=-[\p{L}\p{N}])"
    r"|(?<=\d[.,:/])(?=\d)|(?<=\d)(?=[.,:/]\d)"
    r"|(?<=[-+\u2212$€£¥])(?=\d)|(?<=\d)(?=[%‰°])"
    r"|(?<=[\p{L}\p{N}])(?=[+#])|(?<=[+#])(?=[+#])"
    r"|(?<=\p{L})(?='(?:t|s|re|ve|ll|d|m)\b)|(?<=\p{L}')(?=(?:t|s|re|ve|ll|d|m)\b)"
    r"|(?<=[\u200d\ufe0f\U0001f1e6-\U0001f1ff])(?=[\u200d\U0001f1e6-\U0001f1ff])|(?<=\u200d)"
)
_SPACELESS = (
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}\p{Javanese}\p{Balinese}\u30fc]"
)
_SPACELESS_CHAR = regex.compile(_SPACELESS)


def _is_inside(text: str, at: int) -> bool:
    if at in {0, len(text)}:
        return False
    if _SPACELESS_CHAR.match(text[at]) or _SPACELESS_CHAR.match(text[at - 1]):
        return bool(regex.match(r"\p{M}", text[at]))
    return bool(_INSIDE.match(text, at))


# Sentences and words ----------------------------------------------------------------------

_STOP = regex.compile(
    r"""(?P<stop>[.!?…‽؟۔।]+)(?P<close>["'”’»)\]]*)(?=\s|$)"""
    r"""|(?P<wide>[。！？｡]+[」』”’）]*)"""
    r"""|(?P<line>\n+)"""
)
_HARD_WRAP = 40
_DOTTED = regex.compile(r"(?:\p{L}\.)+\p{L}")


def sentences(content: str) -> list[tuple[int, int]]:
    """Spans of the sentences of `content`, in order, without the space between them."""
    return list(_sentences(content))


def sentence_around(content: str, span: tuple[int, int]) -> str:
    """Return the whole sentence a span stands in, or from the first to the last of several."""
    start, end = sentence_span(content, span)
    return content[start:end]


def sentence_span(content: str, span: tuple[int, int]) -> tuple[int, int]:
    """Where `sentence_around` is found."""
    spans = [s for s in _sentences(content) if s[0] < span[1] and s[1] > span[0]]
    return (spans[0][0], spans[-1][1]) if spans else span


@lru_cache(maxsize=256)
def _sentences(content: str) -> tuple[tuple[int, int], ...]:
    cuts = [m.end() for m in _STOP.finditer(content) if _is_end(content, m)]
    edges = zip([0, *cuts], [*cuts, len(content)], strict=True)
    return tuple(trimmed for edge in edges if (trimmed := _trim(content, *edge)))


def _trim(content: str, start: int, end: int) -> tuple[int, int] | None:
    part = content[start:end]
    begin = start + len(part) - len(part.lstrip())
    return (begin, begin + len(part.strip())) if part.strip() else None


def _is_end(content: str, match: regex.Match[str]) -> bool:
    rest = content[match.end() : match.end() + 40].lstrip()
    if match["wide"]:
        return True
    if match["line"]:
        return not _is_wrapped(content[: match.start()].rpartition("\n")[2], rest, match["line"])
    if match["stop"] == ".":
        return not _is_abbreviation(content[: match.start()], rest)
    return not (match["stop"].strip(".") in {"", "…"} and rest[:1].islower())


def _is_wrapped(line: str, rest: str, breaks: str) -> bool:
    """Tell a line broken by its width, as in mail: long, without an end, going on in lower case."""
    return breaks == "\n" and len(line) >= _HARD_WRAP and rest[:1].islower()


def _is_abbreviation(before: str, rest: str) -> bool:
    words_before = before[-20:].split()
    last = words_before[-1].lstrip("(\"'„“«").casefold() if words_before else ""
    if last.isdecimal() and len(last) <= 2:  # noqa: PLR2004 - the day in "3. Mai"
        return rest[:1].islower() or _first_word(rest) in _months()
    if len(last) == 1 and last.isalpha():
        return before[-1:].isupper() and before[-1:] != "I" and rest[:1].isupper()
    if _DOTTED.fullmatch(last) and rest[:1].islower():
        return True
    return last in _abbreviations() and bool(rest)


def _first_word(text: str) -> str:
    return next(iter(text.split(maxsplit=1)), "").rstrip(".,!?").casefold()


NUMBER = r"\p{N}+(?:[.,:]\p{N}+)+"
"""A number with signs within, one word wherever words are told apart: 1.5, 10:30."""
WORD_SIGNS = "[+#]*"
"""What ends a word and belongs to it: C++, C#."""
_LETTER = rf"[[\p{{L}}\p{{M}}\p{{N}}_]--{_SPACELESS}]"
_WORD = regex.compile(
    rf"{_SPACELESS}\p{{M}}*"
    rf"|{NUMBER}"
    rf"|{_LETTER}+(?:['’\u200c\u200d]{_LETTER}+)*{WORD_SIGNS}",
    flags=regex.VERSION1,
)


def words(text: str) -> list[str]:
    """Case-folded word tokens; each character is one in scripts without spaces."""
    return _WORD.findall(text.casefold())


@lru_cache(maxsize=2048)
def is_spaceless(text: str) -> bool:
    """Whether most letters are of a script that writes no spaces between words."""
    spaceless = len(_SPACELESS_CHAR.findall(text))
    return spaceless * 2 > sum(char.isalpha() for char in text)


def is_self(name: str) -> bool:
    """Whether a name is a word for the speaker, alone or with others, or for the user seen from outside."""
    return name_key(name) in _selves("self") or is_we(name)


def is_we(name: str) -> bool:
    """Whether a name is a word for the speaker with others."""
    return name_key(name) in _selves("we")


def is_you(name: str) -> bool:
    """Whether a name is a word for the one spoken to."""
    return name_key(name) in _selves("you")


@cache
def _selves(table: str) -> frozenset[str]:
    return frozenset(name_key(word) for words in _read("selves.toml")[table].values() for word in words)


@cache
def _abbreviations() -> frozenset[str]:
    return frozenset(word for words in _read("sentences.toml")["abbreviations"].values() for word in words)


@cache
def _months() -> frozenset[str]:
    return frozenset(word for words in _read("sentences.toml")["months"].values() for word in words)


@cache
def _read(name: str) -> dict[str, Any]:
    return tomllib.loads((_DATA / name).read_text(encoding="utf-8"))
