"""The policy in force: the newest stored version, laid over the shipped one."""

import copy
from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any

from memory import policy, prepared
from memory.errors import InvalidPolicy
from memory.models import PolicyVersion, User
from memory.policy import Policy


def current() -> Policy:
    """One small query; the policy itself is built once a version and process."""
    newest = prepared.rows(NEWEST, {})
    return _version(*newest[0]) if newest else policy.default()


NEWEST = "SELECT version, created_at FROM memory_policyversion ORDER BY version DESC LIMIT 1"


@lru_cache(maxsize=8)
def _version(version: int, _made_at: datetime) -> Policy:
    """Kept by its time too: a database that was set back may number others the same."""
    row = PolicyVersion.objects.get(version=version)
    return policy.build(row.version, row.changes)


def change(changes: Mapping[str, Any], *, note: str = "", actor: User | None = None) -> Policy:
    """Stores a new version with `changes` laid over those in force; must run in the staff's scope.

    `changes` maps "ceiling" or "half_life_days.preference" and the like to values of the policy's own types,
    and "cardinality.<predicate>" to one, many or reading. Raises InvalidPolicy, and stores nothing, when a
    name does not exist or a value is out of range.
    """
    newest = PolicyVersion.objects.order_by("-version").first()
    merged = _merge(newest.changes if newest else {}, changes)
    version = newest.version + 1 if newest else 1
    try:
        built = policy.build(version, merged)
    except (TypeError, ValueError) as error:
        raise InvalidPolicy(f"the policy was not changed: {error}") from error
    PolicyVersion.objects.create(version=version, changes=merged, note=note, actor=actor)
    return built


def _merge(base: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    merged: dict[str, Any] = copy.deepcopy(dict(base))
    for key, value in changes.items():
        name, _, part = key.partition(".")
        if name == "cardinality":
            merged.setdefault("cardinality", {})[part] = value
            continue
        thresholds = merged.setdefault("thresholds", {})
        if part:
            whole = dict(getattr(policy.default().thresholds, name, {})) | thresholds.get(name, {})
            thresholds[name] = whole | {part: value}
        else:
            thresholds[name] = value
    return merged
