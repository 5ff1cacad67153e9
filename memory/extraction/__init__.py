"""From what was said to what might be believed: windows of turns, then proposals from a model or from patterns."""

from memory.extraction.extracting import Extracted, extract
from memory.extraction.judging import Opinion, judge
from memory.extraction.windows import Due, Place, Window, window

__all__ = ["Due", "Extracted", "Opinion", "Place", "Window", "extract", "judge", "window"]
