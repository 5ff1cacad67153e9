"""The policy in force: the newest stored version, laid over the shipped one."""

import copy
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from django.db import connection

from memory import policy, prepared
from memory.errors import InvalidPolicy, NotFound
from memory.models import PolicyVersion, User
from memory.policy import Policy


def current() -> Policy:
    """One small query; the policy itself is built once a version and process."""
    newest = prepared.rows(NEWEST, {})
    return _version(*newest[0]) if newest else policy.default()


NEWEST = "SELECT version, md5(changes::text) FROM memory_policyversion ORDER BY version DESC LIMIT 1"


@lru_cache(maxsize=8)
def _version(version: int, _content: str) -> Policy:
    """Kept by what it holds too: a database that was set back may number others the same."""
    row = PolicyVersion.objects.get(version=version)
    return policy.build(row.version, row.changes)


def numbered(version: int) -> Policy:
    """The policy of a version; 0 is as shipped. Raises NotFound."""
    if version == 0:
        return policy.default()
    row = PolicyVersion.objects.filter(version=version).first()
    if row is None:
        raise NotFound(f"There is no version {version} of the policy.")
    return policy.build(row.version, row.changes)


def change(changes: Mapping[str, Any], *, note: str = "", actor: User | None = None) -> Policy:
    """Stores a new version with `changes` laid over those in force; must run in the staff's scope.

    `changes` maps "ceiling" or "half_life_days.preference" and the like to values of the policy's own types,
    "cardinality.<predicate>" to one, many or reading, "markers.<reason>.<language>" to phrases and "examples" to
    these. Raises InvalidPolicy, and stores nothing, when a name does not exist or a value is out of range.
    """
    _take_turns()
    return adopt(propose(changes), note=note, actor=actor)


def propose(changes: Mapping[str, Any]) -> dict[str, Any]:
    """What a version with these changes would hold, over those in force; nothing is stored."""
    document = _merge(in_force()[1], changes)
    check(document)
    for name, phrases in changes.items():
        if name.startswith("markers.") and not all(map(policy.has_word, phrases)):
            raise InvalidPolicy(f"the policy was not changed: {name} needs phrases that each have a word in them")
    return document


def check(document: Mapping[str, Any]) -> None:
    """Raises InvalidPolicy unless a version can hold this."""
    _build(0, document)


def adopt(document: Mapping[str, Any], *, note: str = "", actor: User | None = None, over: int | None = None) -> Policy:
    """Stores a version that holds just this. With `over`, only if that is still the version in force.

    Raises InvalidPolicy.
    """
    _take_turns()
    newest, _ = in_force()
    if over not in (None, newest):
        raise InvalidPolicy(f"the policy was not changed: it was at version {over} then, and is at {newest} now")
    built = _build(newest + 1, document)
    PolicyVersion.objects.create(version=built.version, changes=document, note=note[:500], actor=actor)
    return built


def in_force() -> tuple[int, dict[str, Any]]:
    """The number of the version in force, and what it changes of the shipped one."""
    newest = PolicyVersion.objects.order_by("-version").first()
    return (newest.version, newest.changes) if newest else (0, {})


def _take_turns() -> None:
    """Until the transaction ends nobody else makes a version."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtext('assay.policy'))")


def _build(version: int, document: Mapping[str, Any]) -> Policy:
    try:
        return policy.build(version, document)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise InvalidPolicy(f"the policy was not changed: {error}") from error


def _merge(base: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    merged: dict[str, Any] = copy.deepcopy(dict(base))
    for key, value in changes.items():
        name, _, part = key.partition(".")
        if name == "cardinality":
            merged.setdefault("cardinality", {})[part] = value
            continue
        if name == "examples":
            merged["examples"] = value
            continue
        if name == "markers":
            reason, _, language = part.partition(".")
            merged.setdefault("markers", {}).setdefault(reason, {})[language] = value
            continue
        thresholds = merged.setdefault("thresholds", {})
        if part:
            whole = dict(getattr(policy.default().thresholds, name, {})) | thresholds.get(name, {})
            thresholds[name] = whole | {part: value}
        else:
            thresholds[name] = value
    return merged
