"""A question made ready for the statement: its words, the names in it, its vector. Pure but for the embedder."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import regex

from memory import llm, text
from memory.errors import ModelError

LONGEST = 2_000
"""Characters of a question that are looked at."""
NAME_WORDS = 5
MOST_PARTS = 200


@dataclass(frozen=True, slots=True)
class Asked:
    """`names` are all runs of up to five words, normalised as entities and objects are.

    `parts` are looked for as they stand, in the middle of words too; `spelt` are words that may be misspelt. `vector` is None where vectors are off, or
    the embedder failed; `note` says which.
    """

    query: str
    names: Sequence[str] = ()
    parts: Sequence[str] = ()
    spelt: Sequence[str] = ()
    vector: Sequence[float] | None = None
    model: str = ""
    note: str = ""


def ask(query: str, *, embedder: llm.Embedder | None) -> Asked:
    """Cleans the question and embeds it. A failing embedder is said, not raised: words still find."""
    cleaned = text.clean(query).text[:LONGEST].strip()
    vector, model, note = _embed(cleaned, embedder)
    return Asked(cleaned, _names(cleaned), _parts(cleaned), _spelt(cleaned), vector, model, note)


def _embed(query: str, embedder: llm.Embedder | None) -> tuple[Sequence[float] | None, str, str]:
    if embedder is None:
        return None, "", "vectors are off: found by words and names only"
    if not query:
        return None, "", "nothing was asked: the surest first"
    try:
        return embedder.embed([query], is_query=True)[0], embedder.name, ""
    except ModelError as error:
        return None, "", f"the embedder failed ({error}): found by words and names only"


_OWNING = regex.compile(r"['’]s?$")


def _names(query: str) -> list[str]:
    """Every run of words that could be a name, once, in the two normal forms that are stored."""
    tokens = [_OWNING.sub("", token) or token for token in query.split()]
    runs = {" ".join(tokens[i : i + n]) for n in range(1, NAME_WORDS + 1) for i in range(len(tokens) - n + 1)}
    keys = {key for run in runs for key in _keys(run)}
    return sorted(keys | {key[:-1] for key in keys if key.endswith("s")} - {""})


def _keys(run: str) -> tuple[str, ...]:
    """Both normal forms; of plain words they are one."""
    is_plain = run.isascii() and run.replace(" ", "").isalnum()
    return (run.lower(),) if is_plain else (text.object_key(run), text.name_key(run))


_SPACELESS = regex.compile(
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}\u30fc]+", flags=regex.VERSION1
)
_INNER = regex.compile(r"[^\p{L}\p{M}'’]")
_SHORTEST = 3


def _parts(query: str) -> list[str]:
    """Pairs of neighbouring characters where a script has no spaces; identifiers; and a single word itself."""
    lowered = query.lower()
    pairs = {pair for run in _SPACELESS.findall(lowered) for pair in _pairs(run)}
    words = lowered.split()
    alone = {lowered} if len(words) == 1 and len(lowered) >= _SHORTEST else set()
    return sorted(pairs | alone | set(_identifiers(words)))[:MOST_PARTS]


def _pairs(run: str) -> Iterator[str]:
    yield from (run[i : i + 2] for i in range(max(1, len(run) - 1)))


_WORD = regex.compile(r"[\p{L}\p{M}]{4,30}")
MOST_SPELT = 24


def _spelt(query: str) -> list[str]:
    """The first words long enough to be told apart from others when a letter is wrong."""
    return list(dict.fromkeys(_WORD.findall(query.lower())))[:MOST_SPELT]


def _identifiers(words: Sequence[str]) -> Iterator[str]:
    """Words with a digit or a sign inside, such as `zebra-7731`, `v2.1` and `A:B`."""
    for word in words:
        bare = word.strip(".,;:!?()[]{}\"'“”„«»¿¡…")
        if len(bare) >= _SHORTEST and _INNER.search(bare) and not _SPACELESS.search(bare):
            yield bare
