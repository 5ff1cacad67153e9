"""Words of which a form needs one, read off its source: what a sentence lacks need not be compiled, nor tried."""

import regex

_TOKEN = regex.compile(
    r"(?P<macro><\w+>)"
    r"|(?P<open>\((?:\?(?::|P<\w+>|[=!]|<[=!]|-i:))?)"
    r"|(?P<close>\))"
    r"|(?P<bar>\|)"
    r"|(?P<class>\[(?:\\.|[^\]\\])*\]|\\.(?:\{\w+\})?|\.)"
    r"|(?P<letter>[\p{L}\p{M}])"
    r"|(?P<other>.)",
    regex.DOTALL,
)
_OPTIONAL = regex.compile(r"[?*]|\{0?,")
_NEGATIVE = ("(?!", "(?<!")
MIN_LENGTH = 2

type _Tokens = list[tuple[str, str, bool]]
"""Kind, text, and whether a quantifier makes it optional."""


def needles(raw: str) -> frozenset[str]:
    """Lower-case strings of which one must stand in whatever `raw` matches; empty if there is no telling."""
    tokens = [(m.lastgroup or "", m[0], bool(_OPTIONAL.match(raw, m.end()))) for m in _TOKEN.finditer(raw)]
    found, _ = _sequence(tokens, 0)
    return found


def _sequence(tokens: _Tokens, at: int) -> tuple[frozenset[str], int]:
    """The needles of alternatives up to the end of their group, and where that is."""
    alternatives: list[frozenset[str]] = []
    while True:
        best, at = _alternative(tokens, at)
        alternatives.append(best)
        if at >= len(tokens) or tokens[at][0] == "close":
            return (frozenset().union(*alternatives) if all(alternatives) else frozenset()), at
        at += 1


def _alternative(tokens: _Tokens, at: int) -> tuple[frozenset[str], int]:
    """The surest needles among the parts of one alternative."""
    best: frozenset[str] = frozenset()
    word = ""
    while at < len(tokens) and tokens[at][0] not in ("bar", "close"):
        kind, raw, is_optional = tokens[at]
        if kind == "letter" and not is_optional:
            word += raw.lower()
            at += 1
            continue
        best, word = _better(best, _needle(word)), ""
        if kind == "open":
            inner, end = _sequence(tokens, at + 1)
            is_certain = raw not in _NEGATIVE and not tokens[end][2]
            best, at = (_better(best, inner) if is_certain else best), end
        at += 1
    return _better(best, _needle(word)), at


def _needle(word: str) -> frozenset[str]:
    return frozenset([word]) if len(word) >= MIN_LENGTH else frozenset()


def _better(one: frozenset[str], other: frozenset[str]) -> frozenset[str]:
    """Of two that are both needed, the one that fewer sentences have: by its shortest word, then the fewer words."""
    return max((one, other), key=_sureness)


def _sureness(found: frozenset[str]) -> tuple[int, int]:
    return (min(map(len, found), default=0), -len(found))
