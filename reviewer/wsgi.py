"""What granian serves: `granian --interface wsgi reviewer.wsgi:application`."""

import os

from django.core.wsgi import get_wsgi_application

from reviewer import sharing

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "reviewer.settings")
# Threads serve the requests, so they share a pool of connections.
os.environ.setdefault("DATABASE_POOL", "8")
sharing.share()

application = get_wsgi_application()

from reviewer import roles  # noqa: E402 - needs Django set up

roles.refuse_privileged_login()
