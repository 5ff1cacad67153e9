"""What people say, and what the patterns make of it: said on 10 March 2024, in UTC.

A claim is written "subject (note): predicate=object [speech] from … to … expires …", the
subject only if it is not the user, the rest only where it is not plain; "not" for a denial.
What the gate must refuse (maybes, moods, secrets …) is among them: it is proposed, so as to be seen.
"""

from tests.memory.extraction.spoken import de, en, es, fi, fr, ru

_ALL = (en, de, es, fr, fi, ru)
SAID = [row for language in _ALL for row in language.SAID]
NOTHING = [row for language in _ALL for row in language.NOTHING]
