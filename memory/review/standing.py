"""Where memory stands to the bar."""

from enum import StrEnum


class Standing(StrEnum):
    ABOVE = "above"
    BELOW = "below"
    UNDECIDED = "undecided"
    INTERIM = "interim"
    """The sample is not complete yet: no verdict."""
    TARGETED = "targeted"
    """Drawn by risk and not by chance: counted apart, no verdict."""
