"""MCP beside the site: `granian --interface asgi reviewer.asgi:application`, or `manage.py mcp --http`."""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "reviewer.settings")
# Threads run the tools, so they share a pool of connections.
os.environ.setdefault("DATABASE_POOL", "8")
django.setup()

from reviewer import roles  # noqa: E402 - needs Django set up
from reviewer.api import streaming  # noqa: E402 - likewise

roles.refuse_privileged_login()
application = streaming.application()
