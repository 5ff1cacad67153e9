"""The policy in force: the newest stored version, laid over the shipped one."""

from functools import lru_cache

from memory import policy
from memory.models import PolicyVersion
from memory.policy import Policy


def current() -> Policy:
    """One small query; the policy itself is built once a version and process."""
    newest = PolicyVersion.objects.order_by("-version").values_list("version", flat=True).first()
    return policy.default() if newest is None else _version(newest)


@lru_cache(maxsize=8)
def _version(version: int) -> Policy:
    row = PolicyVersion.objects.get(version=version)
    return policy.build(row.version, row.changes)
