"""Finding in one sentence what the patterns of a language say."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

import regex

from memory import text
from memory.extraction import mentions
from memory.extraction.mentions import Mention
from memory.extraction.patterns.book import Book, Form

MAX_WORDS = 12
MAX_HITS = 10
"""In a sentence. An enumeration of more is no list of facts."""
_APOSTROPHES = dict.fromkeys(map(ord, "’‘ʼ´`＇"), "'")
_ENDS = regex.compile(r""":(?=\s|$)|[;!?()\[\]"“”«»„—…\n]|\s[-–]\s|(?<!\b\d\d?)\.(?=\s|$)|\.\.+""")
_COMMA = regex.compile(r",(?!\d)")
_PAUSE = regex.compile(r",\s+(?!\d{4})")
_LEFT = regex.compile(r"""^(?:[\s,;:!?'"“”«»…–—]|\.(?!\p{L}))+""")
"""A point before a letter is part of a name: ".NET"."""
_EDGES = " \t\n.,;:!?'\"“”«»…-–—"


@dataclass(frozen=True, slots=True)
class Hit:
    """A form found in a sentence. `start` and `end` bound the whole; the object is verbatim, from `at`."""

    form: Form
    object: str
    start: int
    at: int
    name: str = ""
    role: str = ""
    groups: Mapping[str, str] = field(default_factory=dict)
    """What else the form marked, for the text: an article, a verb."""

    @property
    def end(self) -> int:
        return self.at + len(self.object)


def hits(sentence: str, forms: Iterable[Form], book: Book) -> list[Hit]:
    """What is found, in the order of the sentence. No two hits share words of their objects; the first form wins."""
    plain = sentence.translate(_APOSTROPHES)
    there = book.needles_in(plain.lower())
    times = mentions.find(sentence, book.language)
    found: list[Hit] = []
    for form in (form for form in forms if form.may_match(there)):
        for hit in _of_form(plain, form, book, times):
            if not any(hit.at < other.end and other.at < hit.end for other in found):
                found.append(hit)
    return sorted(found, key=lambda hit: (hit.start, hit.at))[:MAX_HITS]


def clause(sentence: str, hit: Hit, others: list[Hit], book: Book) -> tuple[int, int]:
    """Bounds of the part of the sentence that belongs to `hit`: to the nearest joint or other hit on each side."""
    before = max((other.end for other in others if other.end <= hit.start), default=0)
    after = min((other.start for other in others if other.start >= hit.end), default=len(sentence))
    left = [
        m.end() for joint in _joints(book, is_shared=before > 0) for m in joint.finditer(sentence, before, hit.start)
    ]
    is_shared = after < len(sentence)
    right = [
        m.start() for joint in _joints(book, is_shared=is_shared) for m in joint.finditer(sentence, hit.end, after)
    ]
    return max(left, default=before), min(right, default=after)


def _joints(book: Book, *, is_shared: bool) -> tuple[regex.Pattern[str], ...]:
    """Between two hits a comma parts them: "80 kg on 1 May, 79 kg on 1 June"."""
    return (book.words["joints"], _PAUSE) if is_shared else (book.words["joints"],)


def _of_form(plain: str, form: Form, book: Book, times: list[Mention]) -> Iterator[Hit]:
    at = 0
    while match := form.regex.search(plain, at):
        yield from _cut(match, form, book, times)
        at = max(match.start() + 1, match.start("obj") + 1 if "obj" in form.regex.groupindex else match.end())


def _cut(match: regex.Match[str], form: Form, book: Book, times: list[Mention]) -> Iterator[Hit]:
    """One hit, or several for an enumeration; none if nothing is left of the object."""
    groups = {name: value or "" for name, value in match.groupdict().items()}
    name, role = groups.get("name", "").strip(), groups.get("role", "").strip()
    whole = Hit(form, match[0].rstrip(_EDGES), match.start(), match.start(), name, role, groups)
    hit = replace(whole, role=book.roles.get(role.lower(), role))
    if form.pattern.object:
        yield hit
        return
    for start, end in _parts(match, form, book):
        found = _trim(match.string, start, _before_time(start, end, form, times), book)
        if found:
            yield replace(hit, object=match.string[found[0] : found[1]], at=found[0])


def _parts(match: regex.Match[str], form: Form, book: Book) -> Iterator[tuple[int, int]]:
    """Where the object, or each of several, may stand."""
    start, end = match.span("obj")
    stops = [_ENDS, book.words["breaks"], *([] if form.pattern.is_many else [_COMMA])]
    end = min([m.start() for stop in stops if (m := stop.search(match.string, start, end))] + [end])
    if not form.pattern.is_many:
        yield start, end
        return
    for joint in regex.finditer(
        rf"{book.words['list'].pattern}|$", match.string, regex.IGNORECASE, pos=start, endpos=end
    ):
        yield start, joint.start()
        start = joint.end()


def _before_time(start: int, end: int, form: Form, times: list[Mention]) -> int:
    if form.pattern.keeps_time:
        return end
    return min([m.start for m in times if start < m.start < end and m.end > start] + [end])


def _trim(plain: str, start: int, end: int, book: Book) -> tuple[int, int] | None:
    """Without words that add nothing at either side. None if it is empty, a pronoun, or no value but a tale."""
    while True:
        part = plain[start:end]
        start += len(part) - len(_LEFT.sub("", part))
        part = plain[start:end].rstrip(_EDGES)
        end = start + len(part)
        lead, trail = book.words["leading"].match(part), book.words["trailing"].search(part)
        if not part or not (lead or trail):
            break
        start, end = (start + lead.end(), end) if lead else (start, start + trail.start() if trail else end)
    is_value = 0 < len(text.words(part)) <= MAX_WORDS and not book.words["empty"].fullmatch(part)
    return (start, end) if is_value or _is_symbol(part) else None


def _is_symbol(part: str) -> bool:
    return bool(part) and not text.words(part) and len(part) <= MAX_WORDS
