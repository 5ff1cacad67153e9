"""What differs between sentences that say nearly the same."""

import pytest

from memory.browsing import differing


def _marks(*texts: str) -> list[list[str]]:
    return [[piece.text for piece in pieces if piece.is_different] for pieces in differing.marked(texts)]


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (("Lives in Oslo.", "Lives in Bergen."), [["Oslo"], ["Bergen"]]),
        (("Lives in Oslo.", "lives  in oslo."), [[], []]),
        (("Likes tea.", "Likes green tea."), [[], ["green"]]),
        (
            ("Works at Acme in Oslo", "Works at Acme in Bergen", "Works at Foo in Oslo"),
            [["Acme", "Oslo"], ["Acme", "Bergen"], ["Foo", "Oslo"]],
        ),
        (("Runs Postgres 16 on Neon", "Runs MySQL"), [["Postgres 16 on Neon"], ["MySQL"]]),
        (("住在奥斯陆", "住在卑尔根"), [["住在奥斯陆"], ["住在卑尔根"]]),
        (("alone",), [[]]),
    ],
)
def test_words_that_differ_are_marked(texts: tuple[str, ...], expected: list[list[str]]) -> None:
    assert _marks(*texts) == expected


@pytest.mark.parametrize("texts", [("Lives in  Oslo\n", "Bergen is home"), ("<b>a</b>", "<i>a</i>"), ("", "x")])
def test_pieces_make_up_the_whole_text(texts: tuple[str, ...]) -> None:
    assert ["".join(piece.text for piece in pieces) for pieces in differing.marked(texts)] == list(texts)


def test_long_texts_are_not_compared() -> None:
    long = "word " * 1000

    assert _marks(long, f"{long} more") == [[], []]
