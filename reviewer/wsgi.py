"""What granian serves: `granian --interface wsgi reviewer.wsgi:application`."""

import os

from django.core.wsgi import get_wsgi_application

from reviewer import sharing

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "reviewer.settings")
# Threads serve the requests, so they share a pool of connections.
os.environ.setdefault("DATABASE_POOL", "8")
sharing.share()

application = get_wsgi_application()

from memory import llm  # noqa: E402 - needs Django set up
from reviewer import roles  # noqa: E402 - likewise

llm.from_environment(os.environ)  # what cannot work is said now, not at the first question
roles.refuse_privileged_login()
