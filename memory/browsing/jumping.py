"""Going straight to a person or a fact by a few words. Inside the staff's scope."""

from collections.abc import Sequence
from dataclasses import dataclass

from memory.browsing import people, searching
from memory.models import Fact, User

MOST = 6
SHORTEST = 2
"""Characters from which on facts are looked for: fewer stand in all of them."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a few words lead to."""

    people: Sequence[User] = ()
    facts: Sequence[Fact] = ()

    @property
    def owners(self) -> set[int]:
        """Whose content it shows."""
        return {user.pk for user in self.people} | {fact.user_id for fact in self.facts}


def find(words: str) -> Found:
    """The first few by name, and the newest few facts with the words."""
    if not words:
        return Found()
    facts = searching.newest(words, most=MOST) if len(words) >= SHORTEST else ()
    return Found(people.named(words, most=MOST), facts)
