"""The form that a sample is drawn by."""

import secrets
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from memory import clock
from memory.browsing import samples
from memory.models import User
from memory.review.population import ALL, LIVE_ONES, STRATA, Filters
from memory.review.sampling import LONGEST_GUIDELINES, MOST, Plan
from memory.types import Basis, SampleSubject, Status
from reviewer import wording

ANY = ("", _("any"))
SOURCES = [
    ("user", _("said by the user")),
    ("tool", _("shown by a tool")),
    ("imported", _("imported")),
    ("inferred", _("inferred, not said")),
]
_SEEDS = 2**31


def _named(words: dict[Any, Any]) -> list[tuple[str, Any]]:
    return [(str(code), said[0] if isinstance(said, tuple) else said) for code, said in words.items()]


STAYS = _("It stays when a person is forgotten: name nobody here.")
"""Of what staff type in their own words: no erasure looks for people in it."""


class SampleForm(forms.Form):
    """Every field has a value that makes sense, so that a name alone is enough."""

    use_required_attribute = False

    name = forms.CharField(label=_("Name"), max_length=200, help_text=STAYS)
    subject = forms.ChoiceField(label=_("Draw from"), choices=_named(wording.SAMPLED), initial=SampleSubject.FACTS)
    size = forms.IntegerField(label=_("How many"), min_value=1, max_value=MOST, initial=30)
    choosing = forms.ChoiceField(label=_("Choose"), choices=_named(wording.CHOOSING), initial="random")
    stratify_by = forms.ChoiceField(
        label=_("A share from each"), required=False, choices=[("", _("not divided")), *_named(wording.SLICES)]
    )
    at_least_one = forms.BooleanField(label=_("at least one from each"), required=False)
    status = forms.ChoiceField(
        label=_("Status"),
        required=False,
        initial=LIVE_ONES,
        choices=[
            (code, said)
            for code, said in _named(wording.STATUSES)
            if code in {LIVE_ONES, ALL, *(status.value for status in Status)}
        ],
    )
    kind = forms.ChoiceField(label=_("Kind"), required=False, choices=[ANY, *_named(wording.KINDS)])
    source = forms.ChoiceField(label=_("Source"), required=False, choices=[ANY, *SOURCES])
    basis = forms.ChoiceField(
        label=_("Basis"),
        required=False,
        choices=[ANY, (Basis.STATED.value, _("stated")), (Basis.INFERRED.value, _("inferred"))],
    )
    reason = forms.ChoiceField(label=_("Reason refused"), required=False, choices=[ANY, *_named(wording.REASONS)])
    relation = forms.ChoiceField(label=_("Decided as"), required=False, choices=[ANY, *_named(wording.RELATIONS)])
    person = forms.CharField(label=_("Person (their id)"), required=False, max_length=200)
    predicate = forms.CharField(label=_("Predicate"), required=False, max_length=200, help_text=STAYS)
    language = forms.CharField(label=_("Language"), required=False, max_length=10)
    extractor = forms.CharField(label=_("Extractor or model"), required=False, max_length=100)
    prompt_version = forms.CharField(label=_("Prompt version"), required=False, max_length=50)
    policy_version = forms.IntegerField(label=_("Policy version"), required=False, min_value=0, max_value=2**31 - 1)
    min_age = forms.IntegerField(label=_("At least this old, in days"), required=False, min_value=0, max_value=100_000)
    max_age = forms.IntegerField(label=_("Younger than, in days"), required=False, min_value=0, max_value=100_000)
    min_confidence = forms.FloatField(label=_("Confidence from"), required=False, min_value=0, max_value=1)
    max_confidence = forms.FloatField(label=_("Confidence below"), required=False, min_value=0, max_value=1)
    overlap = forms.IntegerField(
        label=_("Labelled by two, in %"), required=False, min_value=0, max_value=100, initial=0
    )
    seed = forms.IntegerField(label=_("Seed"), required=False, min_value=0, max_value=2**62)
    reviewers = forms.MultipleChoiceField(
        label=_("Who labels"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Nobody chosen: anyone."),
    )
    guidelines = forms.CharField(
        label=_("Guidelines (Markdown)"),
        required=False,
        max_length=LONGEST_GUIDELINES,
        help_text=STAYS,
        widget=forms.Textarea(attrs={"rows": 5}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        reviewers = self.fields["reviewers"]
        assert isinstance(reviewers, forms.MultipleChoiceField)  # noqa: S101 - declared above
        reviewers.choices = [(str(user.pk), str(user)) for user in samples.reviewers()]

    def clean_person(self) -> int | None:
        """Their number: a sample remembers nobody's name."""
        given = self.cleaned_data["person"].strip()
        if not given:
            return None
        found = User.objects.filter(external_id=given).values_list("pk", flat=True).first()
        if found is None:
            raise forms.ValidationError(_("There is nobody by this id."))
        return found

    def clean(self) -> None:
        """What is chosen for one thing drawn means nothing for another."""
        data = self.cleaned_data
        subject = SampleSubject(data.get("subject", SampleSubject.FACTS))
        if data.get("stratify_by") and data["stratify_by"] not in STRATA[subject]:
            self.add_error("stratify_by", _("What you draw from cannot be told apart by this."))
        if data.get("choosing") == "risk" and subject is not SampleSubject.FACTS:
            self.add_error("choosing", _("Only facts can be drawn by what is at risk."))

    def plan(self) -> Plan:
        """What was asked for, once it is valid."""
        data = self.cleaned_data
        seed = data["seed"] if data["seed"] is not None else secrets.randbelow(_SEEDS)
        return Plan(
            name=data["name"],
            size=data["size"],
            subject=SampleSubject(data["subject"]),
            filters=self.filters(),
            is_random=data["choosing"] == "random",
            stratify_by=data["stratify_by"],
            at_least_one=data["at_least_one"],
            seed=seed,
            overlap=(data["overlap"] or 0) / 100,
            guidelines=data["guidelines"],
            reviewers=tuple(int(pk) for pk in data["reviewers"]),
        )

    def filters(self) -> Filters:
        data = self.cleaned_data
        is_facts = data["subject"] == SampleSubject.FACTS
        outcome = {SampleSubject.REFUSALS: "reason", SampleSubject.RESOLUTIONS: "relation"}.get(data["subject"])
        own = ("kind", "source", "basis", "person", "predicate", "language", "extractor", "prompt_version")
        return Filters(
            status=data["status"] if is_facts else "",
            outcome=data[outcome] if outcome else "",
            **{name: data[name] for name in (*own, "policy_version", "min_age", "max_age")},
            **({name: data[name] for name in ("min_confidence", "max_confidence")} if is_facts else {}),
        )


def beginning() -> dict[str, Any]:
    """What the form says before anybody has."""
    return {"name": _("Sample of %(day)s") % {"day": f"{clock.now():%Y-%m-%d}"}}


GROUPS = {
    "what": ("name", "subject", "choosing", "size"),
    "strata": ("stratify_by", "at_least_one"),
    "facts": ("status", "min_confidence", "max_confidence"),
    "refusals": ("reason",),
    "resolutions": ("relation",),
    "filters": (
        *("kind", "source", "basis", "person", "predicate", "language"),
        *("extractor", "prompt_version", "policy_version", "min_age", "max_age"),
    ),
    "labelling": ("overlap", "seed", "reviewers", "guidelines"),
}
"""The fields as they stand together on the page."""


def groups(form: SampleForm) -> dict[str, list[forms.BoundField]]:
    return {group: [form[name] for name in names] for group, names in GROUPS.items()}
