"""Django's settings. What an installation may change stands in `.env.example`."""

import os
from datetime import timedelta
from pathlib import Path
from typing import Any

import dj_database_url
from django.utils.csp import CSP

from reviewer import embedded, environment, pooling

BASE_DIR = Path(__file__).resolve().parent.parent
_env = environment.read(os.environ)
_home = embedded.current()

DEBUG = _env.is_debug
SECRET_KEY = _env.secret_key or _home.secret("secret_key")
ALLOWED_HOSTS = [*_env.allowed_hosts] or ["localhost", "127.0.0.1", "[::1]"]

# Assay's own
DATA_DIR = _home.root
ASSAY_NOW = environment.now(_env, _home.clock)
ASSAY_ERASURE_KEY = _env.erasure_key or _home.secret("erasure_key")
CELERY_BROKER_URL = _env.broker_url  # None: the embedded Valkey
ASSAY_RATE_LIMIT = _env.rate_limit  # requests a minute and key; 0 for no limit
ASSAY_PROXIES = _env.proxies  # how many of our own stand in front and say where requests are from
ASSAY_OIDC_CLAIM = _env.oidc.claim if _env.oidc else "sub"

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
    "axes",
    "django_htmx",
    "ninja",
    "memory",
    "reviewer",
]

MIDDLEWARE = [
    "reviewer.measuring.measured",
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.csp.ContentSecurityPolicyMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "reviewer.api.problems.problems",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "reviewer.language.spoken",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "axes.middleware.AxesMiddleware",
    "reviewer.views.wrong.developing",
]

ROOT_URLCONF = "reviewer.urls"
WSGI_APPLICATION = "reviewer.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

# Database. `default` is the application's login, held to row-level security; `owner` migrates.


def _database(url: str | None, *, login: str) -> dict[str, Any]:
    if url is None:
        config: dict[str, Any] = {"ENGINE": embedded.ENGINE, "NAME": "assay", "USER": login}
    else:
        config = {**dj_database_url.parse(url)}
    # After how many runs memory.prepared's statements stay planned; a URL may say `?prepare_threshold=…`.
    config["OPTIONS"] = {"prepare_threshold": 2, **config.get("OPTIONS", {})}
    # A pool where threads serve requests (reviewer/wsgi.py); one lasting connection a process elsewhere.
    if _env.pool_size and login == "assay_app":
        pool = {"min_size": 1, "max_size": _env.pool_size, "timeout": 10, "check": pooling.check}
        return {**config, "OPTIONS": {**config["OPTIONS"], "pool": pool}, "CONN_HEALTH_CHECKS": True}
    return {**config, "CONN_MAX_AGE": 600, "CONN_HEALTH_CHECKS": True}


DATABASES = {"default": _database(_env.database_url, login="assay_app")}
_owner_url = _env.migration_database_url or (_env.database_url if DEBUG else None)
if _owner_url or not _env.database_url:
    DATABASES["owner"] = _database(_owner_url, login="assay_owner")
    DATABASES["default"]["TEST"] = {"MIRROR": "owner"}  # one database, two logins

# Counts of how often keys are used. With RabbitMQ each process counts for itself.
_is_amqp = (_env.broker_url or "").startswith(("amqp", "pyamqp"))
CACHES: dict[str, dict[str, Any]] = {
    "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
    if _is_amqp
    else {
        "BACKEND": "reviewer.forgiving.ForgivingCache",
        "KEY_PREFIX": "assay",
        "OPTIONS": {"socket_connect_timeout": 0.5, "socket_timeout": 0.5},
    }
}

# People
AUTH_USER_MODEL = "memory.User"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
LOGIN_URL = "/login/"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/login/"
SESSION_ENGINE = "django.contrib.sessions.backends.db"
AUTHENTICATION_BACKENDS = ["axes.backends.AxesStandaloneBackend", "django.contrib.auth.backends.ModelBackend"]

# Signing in. Nobody signs up: logins come by invitation.
ACCOUNT_ADAPTER = "reviewer.signing.accounts.AccountAdapter"
ACCOUNT_FORMS = {"login": "reviewer.signing.accounts.NameForm"}
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = "external_id"
ACCOUNT_USER_MODEL_EMAIL_FIELD = None
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_RATE_LIMITS = {
    "login": "30/m/ip",
    "login_failed": "5/300s/key",  # wrong codes of a second factor; wrong passwords are axes'
    "reauthenticate": "10/m/user",
    "change_password": "5/m/user",
}
MFA_ADAPTER = "reviewer.signing.factors.FactorAdapter"
MFA_RECOVERY_CODES_SHOW_ONCE = True
SOCIALACCOUNT_ADAPTER = "reviewer.signing.accounts.ProviderAdapter"
SOCIALACCOUNT_LOGIN_ON_GET = True  # a form that a redirect takes elsewhere is against form-action
SOCIALACCOUNT_STORE_TOKENS = False
SOCIALACCOUNT_PROVIDERS: dict[str, dict[str, Any]] = {}
if _env.oidc:
    _app: dict[str, Any] = {"provider_id": "oidc", "name": _env.oidc.name, "client_id": _env.oidc.client_id}
    _app |= {"secret": _env.oidc.client_secret, "settings": {"server_url": _env.oidc.url}}
    SOCIALACCOUNT_PROVIDERS["openid_connect"] = {"OAUTH_PKCE_ENABLED": True, "APPS": [_app]}

# Wrong passwords lock a name out where they come from, not elsewhere.
AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = timedelta(minutes=15)
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_LOCKOUT_CALLABLE = "reviewer.signing.lockout.respond"
AXES_USERNAME_CALLABLE = "reviewer.signing.lockout.name"
AXES_USERNAME_FORM_FIELD = "username"
AXES_CLIENT_IP_CALLABLE = "reviewer.signing.clients.address"
AXES_SENSITIVE_PARAMETERS = ["username", "next", "csrfmiddlewaretoken"]
AXES_RESET_ON_SUCCESS = True
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_DISABLE_ACCESS_LOG = True
AXES_ENABLE_ADMIN = False
AXES_VERBOSE = False

# Language and time
LANGUAGE_CODE = "en"
LANGUAGES = [
    ("en", "English"),
    ("de", "Deutsch"),
    ("es", "Español"),
    ("fr", "Français"),
    ("fi", "Suomi"),
    ("ru", "Русский"),
]
FORMAT_MODULE_PATH = "reviewer.formats"
LOCALE_PATHS = [BASE_DIR / "locale"]
TIME_ZONE = "UTC"
USE_TZ = True

# Static files: found where they lie while developing, hashed and compressed by `collectstatic` otherwise.
STATIC_URL = "static/"
STATIC_ROOT = BASE_DIR / "staticfiles"
STATICFILES_DIRS = [BASE_DIR / "static"]
WHITENOISE_USE_FINDERS = WHITENOISE_AUTOREFRESH = DEBUG
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "whitenoise.storage.CompressedManifestStaticFilesStorage"
    },
}

# Security
SECURE_CSP = {
    "default-src": [CSP.NONE],
    "script-src": [CSP.SELF],
    "style-src": [CSP.SELF],
    "img-src": [CSP.SELF],
    "font-src": [CSP.SELF],
    "connect-src": [CSP.SELF],
    "form-action": [CSP.SELF],
    "frame-ancestors": [CSP.NONE],
    "base-uri": [CSP.NONE],
}
SECURE_SSL_REDIRECT = SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = _env.is_https
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if _env.is_https else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = _env.is_https
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if _env.is_https else None
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^metrics$"]  # asked from inside, past the proxy
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "reviewer.views.wrong.forged"
CSRF_TRUSTED_ORIGINS = [*_env.trusted_origins]
DATA_UPLOAD_MAX_MEMORY_SIZE = 110 * 1024 * 1024  # 100 episodes of 1 MiB in one call

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"contentless": {"()": "reviewer.logs.Contentless"}},
    "formatters": {"plain": {"()": "reviewer.logs.Formatter"}},
    "handlers": {
        "stderr": {"class": "logging.StreamHandler", "formatter": "plain", "filters": ["contentless"]},
    },
    "root": {"handlers": ["stderr"], "level": "INFO"},
    "loggers": {
        "django": {"handlers": [], "level": "INFO", "propagate": True},
        "axes": {"level": "WARNING"},
        "httpx": {"level": "WARNING"},
        "mcp": {"level": "WARNING"},
        "openai": {"level": "WARNING"},
    },
}
