"""How many to draw from each stratum: shares by largest remainder, so that asking for thirty draws thirty."""

from collections.abc import Mapping

from memory.errors import InvalidSample


def allocate(size: int, strata: Mapping[str, int], *, at_least_one: bool = False) -> dict[str, int]:
    """Stratum → how many of its items to draw, in all `size`, or everything there is.

    With `at_least_one` no stratum goes empty; what that takes comes from those furthest above their share.
    Raises InvalidSample when there are more strata than items to draw.
    """
    there = {name: count for name, count in strata.items() if count}
    total = sum(there.values())
    size = min(size, total)
    if at_least_one and size < len(there):
        raise InvalidSample(f"{size} items cannot hold one of each of {len(there)} strata: ask for more items.")
    shares = _largest_remainders(size, there, total)
    return _none_empty(shares, there, size=size, total=total) if at_least_one else shares


def _largest_remainders(size: int, strata: Mapping[str, int], total: int) -> dict[str, int]:
    """In whole numbers throughout: a share of 30 × 6 of 18 is ten, not nine and a bit."""
    shares = {name: size * count // total for name, count in strata.items()}
    by_remainder = sorted(strata, key=lambda name: (-(size * strata[name] % total), -strata[name], name))
    for name in by_remainder[: size - sum(shares.values())]:
        shares[name] += 1
    return shares


def _none_empty(shares: dict[str, int], strata: Mapping[str, int], *, size: int, total: int) -> dict[str, int]:
    for name in [name for name, share in shares.items() if not share]:
        giving = (other for other in shares if shares[other] > 1)
        giver = max(giving, key=lambda other: (shares[other] * total - size * strata[other], strata[other], other))
        shares[giver] -= 1
        shares[name] = 1
    return shares
