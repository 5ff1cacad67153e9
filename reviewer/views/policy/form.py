"""The form in which a policy is proposed: every field holds the value in force until it is changed."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from memory.policy import LANGUAGES, LONGEST_EXAMPLE, MARKED, MOST_KEPT, MOST_REFUSED, Policy
from memory.review import versioning
from memory.types import Cardinality
from reviewer import terms, wording

MOST = 1e6
WHOLE = {"min_support", "ceiling", "batch_turns"}
MAY_BE_EMPTY = {"ceiling", "half_life_days"}
KEPT, REFUSED = "examples.kept", "examples.refused"
LINES = 12_000
"""Characters that a field of several lines takes."""


@dataclass(frozen=True, slots=True)
class Row:
    """A threshold of the form with its words, its shipped value and the version that changed it last."""

    name: str
    label: Any
    sentence: Any
    field: forms.BoundField
    shipped: str
    changed: versioning.Version | None


class PolicyForm(forms.Form):
    """What is left out stays as it is, so that a single value can be proposed, too."""

    use_required_attribute = False

    def __init__(self, given: Mapping[str, str] | None, *, policy: Policy) -> None:
        self.policy = policy
        self.present = versioning.thresholds(policy)
        for field, is_kept in ((KEPT, True), (REFUSED, False)):
            self.present[field] = "\n".join(each.text for each in policy.examples if each.is_kept is is_kept)
        shown = {name: _shown(value) for name, value in self.present.items()}
        super().__init__(None if given is None else {**shown, **given}, initial=shown)
        self.fields.update({name: _field(name, value) for name, value in versioning.thresholds(policy).items()})
        self.fields[KEPT] = _lines(gettext_lazy("To remember, one a line"))
        self.fields[REFUSED] = _lines(gettext_lazy("Never to remember, one a line"))
        self.fields.update(_vocabulary())

    @property
    def pair_of_predicate(self) -> list[forms.BoundField]:
        """How many values a predicate may have."""
        return [self["predicate"], self["cardinality"]]

    @property
    def trio_of_words(self) -> list[forms.BoundField]:
        """Words for which the gate refuses."""
        return [self["reason"], self["language"], self["phrases"]]

    @property
    def pair_of_examples(self) -> list[forms.BoundField]:
        """What is to be remembered, and what never."""
        return [self[KEPT], self[REFUSED]]

    def clean(self) -> dict[str, Any]:
        """Says what is missing where two fields belong together."""
        cleaned = super().clean() or {}
        for one, other in (("predicate", "cardinality"), ("phrases", "reason"), ("phrases", "language")):
            if cleaned.get(one) and not cleaned.get(other) and other not in self.errors:
                self.add_error(other, _("Choose one."))
        if cleaned.get("cardinality") and not cleaned.get("predicate") and "predicate" not in self.errors:
            self.add_error("predicate", _("Name the predicate."))
        self._count(KEPT, MOST_KEPT)
        self._count(REFUSED, MOST_REFUSED)
        return cleaned

    def _count(self, name: str, most: int) -> None:
        lines = _split(self.cleaned_data.get(name, ""))
        if len(lines) > most:
            self.add_error(name, _("Give at most %(n)s.") % {"n": most})
        if any(len(line) > LONGEST_EXAMPLE for line in lines):
            self.add_error(name, _("Each may have at most %(n)s characters.") % {"n": LONGEST_EXAMPLE})

    def changes(self) -> dict[str, Any]:
        """What differs from the policy in force, as `policies.propose` takes it; of a valid form."""
        given = self.cleaned_data
        changed: dict[str, Any] = {
            name: _typed(name, given[name], value)
            for name, value in versioning.thresholds(self.policy).items()
            if _typed(name, given[name], value) != value
        }
        if given["predicate"] and given["cardinality"]:
            changed[f"cardinality.{given['predicate']}"] = given["cardinality"]
        return changed | self._markers() | self._examples()

    def _markers(self) -> dict[str, Any]:
        changed = {}
        given, dropped = self.cleaned_data, self.cleaned_data["drop"].partition(":")
        if given["phrases"]:
            known = self.policy.markers.get(given["reason"], {}).get(given["language"], ())
            new = [each for each in _split(given["phrases"]) if each not in known]
            changed[f"markers.{given['reason']}.{given['language']}"] = [*known, *new]
        if dropped[2]:
            reason, _dot, language = dropped[0].partition(".")
            known = self.policy.markers.get(reason, {}).get(language, ())
            changed[f"markers.{reason}.{language}"] = [each for each in known if each != dropped[2]]
        return changed

    def _examples(self) -> dict[str, Any]:
        kept, refused = (_split(self.cleaned_data[name]) for name in (KEPT, REFUSED))
        known = [(each.text, each.is_kept) for each in self.policy.examples]
        given = [*((text, True) for text in kept), *((text, False) for text in refused)]
        return {} if given == known else {"examples": [{"text": text, "is_kept": kept} for text, kept in given]}

    def groups(self, versions: list[versioning.Version], shipped: Policy) -> list[tuple[Any, list[Row]]]:
        """The thresholds as the page shows them."""
        latest, default = versioning.latest(versions), versioning.thresholds(shipped)
        return [
            (title, [self._row(name, default, latest) for table in tables for name in self._of(table)])
            for title, tables in terms.GROUPS.items()
        ]

    def _of(self, table: str) -> list[str]:
        """A threshold by its name, or all parts of a table."""
        return [name for name in self.present if name.partition(".")[0] == table]

    def _row(self, name: str, default: Mapping[str, Any], latest: Mapping[str, versioning.Version]) -> Row:
        label, sentence = terms.meant(name)
        return Row(name, label, sentence, self[name], terms.valued(default.get(name)), latest.get(name))


def _shown(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _field(name: str, value: Any) -> forms.Field:
    label: Any = terms.meant(name)[0]
    if isinstance(value, bool):
        return forms.ChoiceField(label=label, choices=[("no", gettext_lazy("no")), ("yes", gettext_lazy("yes"))])
    kind: Any = forms.IntegerField if name in WHOLE else forms.FloatField
    table = name.partition(".")[0]
    found: forms.Field = kind(
        label=label,
        required=table not in MAY_BE_EMPTY,
        min_value=0,
        max_value=1 if terms.is_share(table) else MOST,
        widget=forms.NumberInput(attrs={"step": "1" if name in WHOLE else "any", "aria-describedby": f"of-{name}"}),
    )
    return found


def _lines(label: Any) -> forms.CharField:
    widget = forms.Textarea(attrs={"rows": 4, "dir": "auto"})
    return forms.CharField(label=label, required=False, max_length=LINES, widget=widget)


def _vocabulary() -> dict[str, forms.Field]:
    choose = ("", gettext_lazy("choose"))
    cardinalities = [(each.value, terms.CARDINALITIES[each]) for each in Cardinality]
    reasons = [(reason.value, wording.REASONS[reason][0]) for reason in MARKED]
    return {
        "predicate": forms.RegexField(
            r"^[^\W_][\w]*\*?$",
            label=gettext_lazy("Predicate"),
            required=False,
            max_length=200,
            error_messages={"invalid": gettext_lazy("Write it as stored: small letters, digits and underscores.")},
            widget=forms.TextInput(attrs={"list": "predicates", "autocomplete": "off", "spellcheck": "false"}),
        ),
        "cardinality": forms.ChoiceField(
            label=gettext_lazy("May have"), required=False, choices=[choose, *cardinalities]
        ),
        "reason": forms.ChoiceField(label=gettext_lazy("Refused as"), required=False, choices=[choose, *reasons]),
        "language": forms.ChoiceField(
            label=gettext_lazy("Language"), required=False, choices=[choose, *((each, each) for each in LANGUAGES)]
        ),
        "phrases": _lines(gettext_lazy("Phrases, one a line")),
        "drop": forms.CharField(required=False, max_length=200),
    }


def _typed(name: str, given: Any, value: Any) -> Any:
    """As the policy has it: a number of the type that it had."""
    if isinstance(value, bool):
        return bool(given == "yes")
    if name in WHOLE or given is None:
        return given
    return int(given) if float(given).is_integer() and isinstance(value, int) else float(given)


def _split(lines: str) -> list[str]:
    return list(dict.fromkeys(stripped for line in lines.splitlines() if (stripped := " ".join(line.split()))))
