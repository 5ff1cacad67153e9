"""Values made of signs and decimals are words like any other."""

import pytest

from memory.types import Judgement, Reason

from .judging import judge

SAID = [
    ("I program in C++.", "C++"),
    ("I program in C#.", "C#"),
    ("I program in F#.", "F#"),
    ("I program in C.", "C"),
    ("I program in .NET.", ".NET"),
    ("Ich programmiere in C++ und wohne in Bonn.", "C++"),
    ("Programo en C#.", "C#"),
    ("Je programme en C++.", "C++"),
    ("Ohjelmoin C++:lla.", "C++"),
    ("Я программирую на C#.", "C#"),
    ("Blood sugar was 5.6 today.", "5.6"),
    ("My budget is 1.5k.", "1.5k"),
    ("My lens has 1.5 dioptres.", "1.5"),
    ("My lens has 15 dioptres.", "15"),
    ("My freezer is set to −5.", "−5"),
    ("My freezer is set to −5.", "-5"),
    ("My freezer is set to minus 5.", "-5"),
    ("My fridge is set to 5.", "5"),
]
OTHER = [
    ("I program in C++.", "C"),
    ("I program in C.", "C++"),
    ("I program in C#.", "C++"),
    ("I program in C#.", "F#"),
    ("My lens has 1.5 dioptres.", "15"),
    ("My lens has 15 dioptres.", "1.5"),
    ("My freezer is set to −5.", "5"),
    ("My fridge is set to 5 degrees.", "-5 degrees"),
]


@pytest.mark.parametrize(("content", "obj"), SAID)
def test_value_of_signs_that_was_said_is_accepted(content: str, obj: str) -> None:
    judgement = judge(content, content.removesuffix("."), obj)

    assert judgement == Judgement(is_accepted=True, source="user")


@pytest.mark.parametrize(("content", "obj"), OTHER)
def test_value_that_differs_in_its_signs_is_refused_as_unsourced(content: str, obj: str) -> None:
    judgement = judge(content, content.removesuffix("."), obj)

    assert judgement.reason is Reason.UNSOURCED
