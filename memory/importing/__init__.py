"""Files of conversations and memories as a stream of episodes. No database.

What one file may hold, in every format: records that cannot be read are reported with their
place and the rest goes in; of a file that is cut off, all before the cut goes in.
"""

from memory.importing.reading import FORMATS, Broken, Record, read

__all__ = ["FORMATS", "Broken", "Record", "read"]
