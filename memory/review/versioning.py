"""The versions of the policy: what each changed, who made it, and since when a value is what it is."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

from memory import policies, policy
from memory.errors import NotFound
from memory.models import PolicyVersion
from memory.policy import Policy

MOST = 200
"""How many versions a list goes back."""


@dataclass(frozen=True, slots=True)
class Change:
    """A value by its dotted name: what it was and what it is. None: there was none, or it never ends."""

    name: str
    was: Any
    now: Any


@dataclass(frozen=True, slots=True)
class Version:
    """`by` is the name of whoever made it, "" for a command or for somebody who left."""

    version: int
    note: str
    by: str
    at: datetime | None
    changes: Sequence[Change]


def thresholds(of: Policy) -> dict[str, Any]:
    """Every threshold by its dotted name, in the order of `Thresholds`, parts of tables by their kind."""
    return dict(_dotted({each.name: getattr(of.thresholds, each.name) for each in fields(of.thresholds)}))


def flat(of: Policy) -> dict[str, Any]:
    """Everything that an operator can change, by its dotted name."""
    named = thresholds(of)
    named |= {f"cardinality.{name}": value.value for name, value in of.vocabulary.cardinality.items()}
    for reason, languages in of.markers.items():
        named |= {f"markers.{reason}.{language}": sorted(words) for language, words in languages.items()}
    for is_kept, name in ((True, "examples.kept"), (False, "examples.refused")):
        if texts := [example.text for example in of.examples if example.is_kept is is_kept]:
            named[name] = texts
    return named


def _dotted(values: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in values.items():
        if isinstance(value, Mapping):
            yield from ((f"{name}.{part}", number) for part, number in value.items())
        else:
            yield name, value


def differences(old: Policy, new: Policy) -> list[Change]:
    """What `new` says otherwise."""
    before, after = flat(old), flat(new)
    names = dict.fromkeys([*before, *after])
    return [Change(name, before.get(name), after.get(name)) for name in names if before.get(name) != after.get(name)]


def history() -> list[Version]:
    """The versions there are, the newest first, down to the one as shipped; inside the staff's scope."""
    rows = list(PolicyVersion.objects.select_related("actor").order_by("-version")[:MOST])
    built = {row.version: policy.build(row.version, row.changes) for row in rows}
    oldest = min(built, default=1) - 1
    built[oldest] = policy.default() if oldest == 0 else policies.numbered(oldest)
    found = [
        _version(row, differences(built.get(row.version - 1, policy.default()), built[row.version])) for row in rows
    ]
    return [*found, Version(0, "", "", None, ())]


def _version(row: PolicyVersion, changes: Sequence[Change]) -> Version:
    return Version(row.version, row.note, str(row.actor) if row.actor else "", row.created_at, changes)


def latest(versions: Sequence[Version]) -> dict[str, Version]:
    """Name → the version that changed it last."""
    return {change.name: version for version in reversed(versions) for change in version.changes}


def document(version: int) -> dict[str, Any]:
    """What a version holds beside the shipped one. Raises NotFound."""
    if version == 0:
        return {}
    found = PolicyVersion.objects.filter(version=version).values_list("changes", flat=True).first()
    if found is None:
        raise NotFound(f"There is no version {version} of the policy.")
    return dict(found)
