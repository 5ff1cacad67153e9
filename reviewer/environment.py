"""What the environment says about this installation, read and judged in one place."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

# Any of these means that somebody is installing the site, not trying it.
_MEANS_INSTALLATION = ("DATABASE_URL", "SECRET_KEY", "ALLOWED_HOSTS")
# Measured: these lose the running task when a worker is killed, or never leave the process.
_UNSAFE_BROKERS = ("filesystem", "sqla", "sqlalchemy", "memory")
_SHORTEST = {"SECRET_KEY": 50, "ASSAY_ERASURE_KEY": 32}  # characters
_YES, _NO = ("1", "true", "yes", "on"), ("0", "false", "no", "off")


@dataclass(frozen=True, slots=True)
class Provider:
    """An identity provider that vouches for logins: a login's name is what it says in `claim`."""

    url: str
    client_id: str
    client_secret: str
    name: str
    claim: str


@dataclass(frozen=True, slots=True)
class Environment:
    """`None` where nothing is configured; `is_debug` by `DEBUG`, else on for a bare trial only."""

    is_debug: bool
    is_https: bool
    secret_key: str | None
    erasure_key: str | None
    allowed_hosts: tuple[str, ...]
    trusted_origins: tuple[str, ...]
    database_url: str | None
    migration_database_url: str | None
    broker_url: str | None
    pool_size: int
    rate_limit: int
    now: datetime | None
    proxies: int
    oidc: Provider | None


def read(env: Mapping[str, str]) -> Environment:
    """Reads the variables; raises ImproperlyConfigured naming everything that keeps the site from starting."""
    is_debug = _flag(env, "DEBUG", default=not any(env.get(name) for name in _MEANS_INSTALLATION))
    environment = Environment(
        is_debug=is_debug,
        is_https=_flag(env, "HTTPS", default=not is_debug),
        secret_key=env.get("SECRET_KEY") or None,
        erasure_key=env.get("ASSAY_ERASURE_KEY") or None,
        allowed_hosts=_words(env, "ALLOWED_HOSTS"),
        trusted_origins=_words(env, "CSRF_TRUSTED_ORIGINS"),
        database_url=env.get("DATABASE_URL") or None,
        migration_database_url=env.get("MIGRATION_DATABASE_URL") or None,
        broker_url=env.get("CELERY_BROKER_URL") or None,
        pool_size=_number(env, "DATABASE_POOL", default=0),
        rate_limit=_number(env, "ASSAY_RATE_LIMIT", default=600),
        now=_moment("ASSAY_NOW", env.get("ASSAY_NOW", "")),
        proxies=_number(env, "ASSAY_PROXIES", default=0),
        oidc=_provider(env),
    )
    problems = [*_always_refused(environment), *([] if is_debug else _refused_in_production(environment))]
    if problems:
        raise ImproperlyConfigured("Assay does not start:\n- " + "\n- ".join(problems))
    return environment


def now(environment: Environment, clock: Path) -> datetime | None:
    """Where the clock stands: by ASSAY_NOW, else in development by the file that a demo left beside its data."""
    if environment.now or not environment.is_debug:
        return environment.now
    try:
        return _moment(str(clock), clock.read_text(encoding="utf-8"))
    except OSError:
        return None


def _always_refused(environment: Environment) -> Iterator[str]:
    scheme = (environment.broker_url or "").partition("://")[0].lower()
    if scheme.partition("+")[0] in _UNSAFE_BROKERS:
        yield (
            f"CELERY_BROKER_URL: a {scheme}:// broker loses the running task when its worker is killed."
            " Use Valkey, Redis or RabbitMQ."
        )


def _refused_in_production(environment: Environment) -> Iterator[str]:
    needed = {
        "SECRET_KEY": environment.secret_key,
        "ALLOWED_HOSTS": environment.allowed_hosts,
        "ASSAY_ERASURE_KEY": environment.erasure_key,
    }
    for name, value in needed.items():
        if not value:
            yield f"{name} is not set. (To develop on a machine of your own set DEBUG=1 instead.)"
        elif len(value) < _SHORTEST.get(name, 0):
            yield f"{name} is shorter than {_SHORTEST[name]} characters."
    if environment.now:
        yield "ASSAY_NOW fixes the clock; it is for demos, tests and benchmarks only."


def _provider(env: Mapping[str, str]) -> Provider | None:
    """None unless OIDC_URL is set; then the client's id and secret are needed too."""
    needed = {name: env.get(name, "").strip() for name in ("OIDC_URL", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET")}
    if not needed["OIDC_URL"]:
        return None
    missing = [name for name, value in needed.items() if not value]
    if missing:
        raise ImproperlyConfigured(f"OIDC_URL is set, so {' and '.join(missing)} must be set too.")
    name, claim = env.get("OIDC_NAME", "").strip(), env.get("OIDC_CLAIM", "").strip()
    url, client_id, client_secret = needed.values()
    return Provider(url, client_id, client_secret, name=name or "OpenID Connect", claim=claim or "sub")


def _flag(env: Mapping[str, str], name: str, *, default: bool) -> bool:
    value = env.get(name, "").strip().lower()
    if not value:
        return default
    if value not in _YES + _NO:
        raise ImproperlyConfigured(f"{name} is {value!r}; say 1 or 0.")
    return value in _YES


def _words(env: Mapping[str, str], name: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in env.get(name, "").split(",") if word.strip())


def _number(env: Mapping[str, str], name: str, *, default: int) -> int:
    value = env.get(name, "").strip() or str(default)
    if not value.isdecimal():
        raise ImproperlyConfigured(f"{name} is {value!r}; it is a number.")
    return int(value)


def _moment(name: str, value: str) -> datetime | None:
    value = value.strip()
    if not value:
        return None
    try:
        moment = datetime.fromisoformat(value)
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} is {value!r}; write it like 2026-03-10T12:00:00Z.") from error
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
