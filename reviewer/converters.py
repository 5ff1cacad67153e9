"""How people are named in URLs."""

import re

_ESCAPED = re.compile("~([0-9A-F]{2})")


class PersonConverter:
    """An external id as one path segment, whatever agents put into it.

    A slash would end the segment, and browsers resolve "." and ".." even when percent-encoded:
    those are written with "~", as is "~" itself. Every id has exactly one spelling.
    """

    regex = "[^/]+"

    def to_python(self, value: str) -> str:
        external_id = _ESCAPED.sub(lambda match: chr(int(match[1], 16)), value)
        if "\x00" in external_id or self.to_url(external_id) != value:
            raise ValueError("no id, or not its spelling")
        return external_id

    def to_url(self, external_id: str) -> str:
        special = "[~/.]" if not external_id.strip(".") else "[~/]"
        return re.sub(special, lambda match: f"~{ord(match[0]):02X}", external_id)


class WhomConverter(PersonConverter):
    """The same in the addresses that agents write, who need not know of more than the slash: any other "~" is itself."""

    def to_python(self, value: str) -> str:
        external_id = re.sub("~(2F|2E|7E)", lambda match: chr(int(match[1], 16)), value)
        if "\x00" in external_id:
            raise ValueError("no id")
        return external_id
