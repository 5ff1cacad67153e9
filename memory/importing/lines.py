"""JSON Lines as a stream of values; a bad line costs only itself."""

import io
import json
from collections.abc import Iterator
from typing import NoReturn

from memory.importing.values import Unusable

MAX_LINE = 64 << 20


def values(stream: io.BufferedReader) -> Iterator[tuple[str, object]]:
    """The value of each line with its place, as Unusable where it cannot be read."""
    offset = 0
    for number, (line, length) in enumerate(_bounded(stream), start=1):
        place = f"line {number} (byte {offset})"
        offset += length
        if length > MAX_LINE:
            yield place, Unusable(f"is over {MAX_LINE >> 20} MiB long")
        elif line.strip():
            yield place, parsed(line)


def parsed(line: bytes) -> object:
    """The value on a line, or Unusable."""
    try:
        return json.loads(line.decode(), parse_constant=_refuse)
    except UnicodeDecodeError as error:
        return Unusable(f"is not UTF-8 text (byte {error.start} of the line)")
    except json.JSONDecodeError as error:
        return Unusable(f"is not JSON ({error.msg}, character {error.pos})")
    except (ValueError, RecursionError) as error:
        return Unusable(f"is no JSON that can be used ({error})")


def _bounded(stream: io.BufferedReader) -> Iterator[tuple[bytes, int]]:
    """Lines with their lengths; one over the limit is read past without being held in memory."""
    while line := stream.readline(MAX_LINE + 1):
        length, end = len(line), line[-1:]
        while end != b"\n" and (more := stream.readline(MAX_LINE)):
            length, end = length + len(more), more[-1:]
        yield line, length


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not allowed")
