"""The words of members' pages, and the catalogues that hold them in other languages.

Staff's pages are English alone; what is read by members is collected from the files named here. Needs no gettext
installed: templates are read by Django's own reader, code as a tree.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.utils.translation.template import templatize

type Message = tuple[str, str]
"""A sentence and its plural, "" where it has none."""

SOURCES = (
    "templates/mine",
    "templates/portal",
    "templates/shared/pages.html",
    "reviewer/views/mine",
    "reviewer/plain.py",
    "reviewer/templatetags/plainly.py",
)
_CALL = re.compile(r"\b(n?gettext)\((?=u?['\"])")
_NAMES = {"_", "gettext", "gettext_lazy", "ngettext"}


def messages(base: Path | None = None) -> dict[Message, list[str]]:
    """All of them, each with the files it stands in."""
    base = base or Path(settings.BASE_DIR)
    found: dict[Message, list[str]] = {}
    for file in files(base):
        for message in _told(file):
            found.setdefault(message, []).append(file.relative_to(base).as_posix())
    return found


def files(base: Path) -> Iterator[Path]:
    """Templates and modules whose words members read."""
    for source in SOURCES:
        path = base / source
        yield from [path] if path.is_file() else sorted([*path.rglob("*.html"), *path.rglob("*.py")])


def catalogue(language: str) -> Path:
    """Where the words of a language stand."""
    return Path(settings.LOCALE_PATHS[0]) / language / "LC_MESSAGES" / "django.po"


def _told(file: Path) -> Iterator[Message]:
    text = file.read_text(encoding="utf-8")
    code = _calls(templatize(text)) if file.suffix == ".html" else text
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _NAMES:
            words = [each.value for each in node.args if isinstance(each, ast.Constant) and isinstance(each.value, str)]
            if words:
                yield (words[0], words[1] if node.func.id == "ngettext" else "")


def _calls(templatized: str) -> str:
    """What is left of a template when all but its calls is blanked, a line each."""
    lines = []
    for match in _CALL.finditer(templatized):
        end = _end(templatized, match.end())
        lines.append(templatized[match.start() : end])
    return "\n".join(lines)


def _end(text: str, at: int) -> int:
    """Behind the bracket that closes the call whose arguments begin at `at`."""
    quote, depth = "", 1
    while depth:
        char = text[at]
        if quote:
            at += char == "\\"
            quote = "" if char == quote else quote
        elif char in "'\"":
            quote = char
        else:
            depth += {"(": 1, ")": -1}.get(char, 0)
        at += 1
    return at
