"""The gate's word lists: versioned data, per language."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

_DATA = Path(__file__).parent.parent / "data" / "gate"


@cache
def read(name: str) -> dict[str, Any]:
    """One data file, by its name without ending."""
    return tomllib.loads((_DATA / f"{name}.toml").read_text(encoding="utf-8"))


@cache
def languages(name: str, table: str) -> dict[str, tuple[str, ...]]:
    """The entries of one table, per language."""
    return {language: tuple(entries) for language, entries in read(name)[table].items()}


@cache
def flat(name: str, table: str) -> frozenset[str]:
    """The words of one table in all languages together, folded as tokens are."""
    return frozenset(
        word.casefold().replace("ё", "е") for entries in languages(name, table).values() for word in entries
    )
