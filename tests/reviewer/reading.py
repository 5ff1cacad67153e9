"""What a page says, as a reader takes it in."""

import re
from collections.abc import Callable
from html import unescape

from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext

type As = Callable[[str], Client]


def text(response: HttpResponse) -> str:
    """The words of a page, without markup, each run of space one."""
    body = re.sub(r"<(script|style).*?</\1>", " ", response.content.decode(), flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", body)).split())


def found(response: HttpResponse, pattern: str) -> list[str]:
    """All that a pattern finds in a page's markup, unescaped."""
    matches = re.findall(pattern, response.content.decode(), flags=re.DOTALL)
    return [unescape(" ".join(match.split())) for match in matches]


def sentences(response: HttpResponse) -> list[str]:
    """The sentences of the facts, or candidates, in the order in which they stand."""
    return found(response, r'<p class="sentence[^>]*>(.*?)</p>')


def links(response: HttpResponse, name: str) -> list[str]:
    """Where the links called `name` lead."""
    return found(response, rf'<a [^>]*?href="([^"]*)"[^>]*>\s*{name}\s*<')


def queries(client: Client, path: str) -> int:
    """How many statements a page takes."""
    with CaptureQueriesContext(connection) as captured:
        assert client.get(path).status_code == 200
    return len(captured)
