"""`catalogues`: brings the words of members' pages into `locale/`, and compiles what is translated.

New sentences come in untranslated, those that stand nowhere any more go. For developers: needs polib.
"""

from importlib import import_module
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from reviewer import catalogues

PLURALS = {
    "de": "nplurals=2; plural=(n != 1);",
    "es": "nplurals=2; plural=(n != 1);",
    "fi": "nplurals=2; plural=(n != 1);",
    "fr": "nplurals=2; plural=(n > 1);",
    "ru": "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);",
}


class Command(BaseCommand):
    help = "Bring the words of members' pages into locale/, and compile what is translated."
    requires_system_checks = ()

    def handle(self, **_: Any) -> None:
        polib: Any = import_module("polib")
        found = catalogues.messages()
        for language in (code for code, _name in settings.LANGUAGES if code != settings.LANGUAGE_CODE):
            path = catalogues.catalogue(language)
            book = polib.pofile(str(path)) if path.exists() else _new(polib, path, language)
            self._fill(polib, book, found)
            book.save(str(path))
            book.save_as_mofile(str(path.with_suffix(".mo")))
            missing = len(book.untranslated_entries()) + len(book.fuzzy_entries())
            self.stdout.write(f"{language}: {len(book)} sentences, {missing} without a translation")

    def _fill(self, polib: Any, book: Any, found: dict[catalogues.Message, list[str]]) -> None:
        known = {(entry.msgid, entry.msgid_plural): entry for entry in book}
        forms = range(int(book.metadata["Plural-Forms"].split("nplurals=")[1][0]))
        book.clear()
        for (one, many), places in found.items():
            entry = known.get((one, many)) or polib.POEntry(msgid=one, msgid_plural=many)
            if many and not entry.msgstr_plural:
                entry.msgstr_plural = dict.fromkeys(forms, "")
            entry.flags = [flag for flag in entry.flags if flag != "python-format"] + ["python-format"] * ("%(" in one)
            entry.occurrences = [(place, "") for place in dict.fromkeys(places)]
            book.append(entry)


def _new(polib: Any, path: Path, language: str) -> Any:
    path.parent.mkdir(parents=True, exist_ok=True)
    book = polib.POFile(wrapwidth=110)
    book.metadata = {
        "Content-Type": "text/plain; charset=UTF-8",
        "Content-Transfer-Encoding": "8bit",
        "Language": language,
        "MIME-Version": "1.0",
        "Plural-Forms": PLURALS[language],
    }
    return book
