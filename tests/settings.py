"""Settings of the test run: the site's own, apart from the machine's configuration and data."""

import os

from reviewer import embedded

_FOREIGN = ("DATABASE_URL", "MIGRATION_DATABASE_URL", "CELERY_BROKER_URL", "SECRET_KEY", "ALLOWED_HOSTS", "HTTPS")

if "ASSAY_TEST_RUN" not in os.environ:  # xdist's workers inherit what their controller set
    for name in [*os.environ]:
        if name in _FOREIGN or name.startswith(("ASSAY_", "OPENAI_")):
            del os.environ[name]
    os.environ |= {
        "ASSAY_TEST_RUN": str(os.getpid()),
        "ASSAY_DATA_DIR": str(embedded.current().root / "test"),
        "ASSAY_EMBEDDING_MODEL": "none",
        "DEBUG": "1",
    }

from reviewer.settings import *  # noqa: E402, F403

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # fast
