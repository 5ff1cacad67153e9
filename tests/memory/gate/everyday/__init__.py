"""What people say of themselves every day, and what is believed of it: said on 10 March 2024, in UTC.

In the notation of `hearing`. Nothing is made of a sentence whose list is empty.
"""

from tests.memory.gate.everyday import de, en, es, fi, fr, ru

EVERYDAY = {"en": en.SAID, "de": de.SAID, "es": es.SAID, "fr": fr.SAID, "fi": fi.SAID, "ru": ru.SAID}
