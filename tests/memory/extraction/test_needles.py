"""What a form needs must stand in everything it matches."""

import pytest

from memory.extraction.patterns.book import LANGUAGES, book
from memory.extraction.patterns.needles import needles
from tests.memory.extraction.spoken import SAID


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<we>(?:live|reside) in <o>", {"live", "reside"}),
        ("i eat (?=vegan|keto)<o>", {"vegan", "keto"}),
        ("i eat (?!vegan)<o>", {"eat"}),
        ("colou?r", {"colo"}),
        ("(?:really )?(?:a|an) <o>", set()),
        ("(?:likes|<o>)", set()),
        ("born (?:in )?[a-z]+ \\bcity", {"born"}),
        ("живу (?:в|на) <o>", {"живу"}),
    ],
)
def test_needles_are_what_a_match_cannot_lack(source: str, expected: set[str]) -> None:
    assert needles(source) == expected


@pytest.mark.parametrize("language", LANGUAGES)
def test_needles_of_a_form_that_matches_stand_in_the_sentence(language: str) -> None:
    sentences = [sentence for spoken, sentence, _ in SAID if spoken == language]
    of = book(language)
    matching = [(form, of.needles_in(s.lower()), s) for s in sentences for form in of.forms if form.regex.search(s)]

    missed = [(form.source, sentence) for form, there, sentence in matching if not form.may_match(there)]

    assert matching != []
    assert missed == []
