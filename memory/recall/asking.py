"""A question made ready for the statement: its words, the names in it, its vector. Pure but for the embedder."""

from collections.abc import Sequence
from dataclasses import dataclass

from memory import llm, text
from memory.errors import ModelError

LONGEST = 2_000
"""Characters of a question that are looked at."""
NAME_WORDS = 5


@dataclass(frozen=True, slots=True)
class Asked:
    """`names` are all runs of up to five words, normalised as entities and objects are.

    `vector` is None where vectors are off, or the embedder failed; `why` says which.
    """

    query: str
    names: Sequence[str]
    is_spaceless: bool
    vector: Sequence[float] | None = None
    model: str = ""
    why: str = ""


def ask(query: str, *, embedder: llm.Embedder | None) -> Asked:
    """Cleans the question and embeds it. A failing embedder is said, not raised: words still find."""
    cleaned = text.clean(query).text[:LONGEST].strip()
    vector, model, why = _embed(cleaned, embedder)
    return Asked(cleaned, _names(cleaned), text.is_spaceless(cleaned), vector, model, why)


def _embed(query: str, embedder: llm.Embedder | None) -> tuple[Sequence[float] | None, str, str]:
    if embedder is None:
        return None, "", "vectors are off: found by words and names only"
    if not query:
        return None, "", "nothing was asked"
    try:
        return embedder.embed([query], is_query=True)[0], embedder.name, ""
    except ModelError as error:
        return None, "", f"the embedder failed ({error}): found by words and names only"


def _names(query: str) -> list[str]:
    """Every run of words that could be a name, once, in the two normal forms that are stored."""
    tokens = text.object_key(query).split()
    runs = (tokens[i : i + n] for n in range(1, NAME_WORDS + 1) for i in range(len(tokens) - n + 1))
    spelled = [" ".join(run) for run in runs]
    return sorted({*spelled, *(text.name_key(run) for run in spelled)} - {""})
