"""Which of the shipped languages a sentence may be in. Asked only about words that two of them share."""

from functools import cache, lru_cache

from lingua import IsoCode639_1, Language, LanguageDetector, LanguageDetectorBuilder

_SHIPPED = (
    Language.ENGLISH,
    Language.GERMAN,
    Language.SPANISH,
    Language.FRENCH,
    Language.FINNISH,
    Language.RUSSIAN,
)
_LIKELY = 0.3


def is_likely(text: str, language: str) -> bool:
    """Whether a text may be in a language, given as its two-letter code."""
    return language in _likely(text)


@lru_cache(maxsize=4096)
def _likely(text: str) -> frozenset[str]:
    return _of(text) or _of(nameless(text))


def _of(text: str) -> frozenset[str]:
    values = _detector().compute_language_confidence_values(text)
    likely = (v.language.iso_code_639_1 for v in values if v.value >= _LIKELY)
    return frozenset(_code(code) for code in likely)


def nameless(text: str) -> str:
    """Without the words in capitals, which may be of any language."""
    return " ".join(word for word in text.split() if not word[:1].isupper())


def _code(code: IsoCode639_1) -> str:
    return code.name.lower()


@cache
def _detector() -> LanguageDetector:
    return LanguageDetectorBuilder.from_languages(*_SHIPPED).build()
