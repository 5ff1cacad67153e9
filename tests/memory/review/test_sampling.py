"""Drawing samples: exactly as many as asked for, the same again from the same seed, frozen word for word."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memory import scope
from memory.errors import InvalidSample
from memory.models import Correction, Fact, Sample, SampleItem, User
from memory.review import asked, drawing, gold, sampling
from memory.review.population import Filters
from memory.review.sampling import Plan
from memory.types import LabelVerdict, SampleSubject
from tests import factories
from tests.factories import WHEN

pytestmark = pytest.mark.django_db


@pytest.fixture
def maya() -> User:
    return factories.make_user("maya")


@pytest.fixture
def ada() -> User:
    return factories.make_login("admin", "ada")


def items(sample: Sample) -> list[SampleItem]:
    with scope.staff():
        return list(SampleItem.objects.filter(sample=sample).select_related("words").order_by("place"))


def texts(sample: Sample) -> list[str]:
    return [item.words.text for item in items(sample)]


def make_facts(user: User, count: int, **fields: object) -> list[Fact]:
    return [factories.make_fact(user, f"Fact {n} {fields}.", **fields) for n in range(count)]


def test_draw_takes_as_many_as_asked_each_once(maya: User, ada: User):
    make_facts(maya, 12)

    sample = sampling.draw(Plan("Weekly", 5), by=ada)

    drawn = items(sample)
    assert [item.place for item in drawn] == [1, 2, 3, 4, 5]
    assert len({item.fact_id for item in drawn}) == 5
    assert (sample.population, sample.size, sample.strata) == (12, 5, {"": [12, 5]})


def test_draw_of_more_than_there_is_takes_all(maya: User, ada: User):
    make_facts(maya, 3)

    sample = sampling.draw(Plan("Weekly", 30), by=ada)

    assert (sample.population, sample.size) == (3, 3)


def test_same_seed_draws_the_same_in_the_same_order(maya: User, ada: User):
    make_facts(maya, 20)

    first, again = (sampling.draw(Plan("Weekly", 8, seed=7), by=ada) for _ in range(2))

    assert texts(first) == texts(again)


def test_draw_is_the_same_where_chance_left_too_few_near(maya: User, ada: User, monkeypatch: pytest.MonkeyPatch):
    make_facts(maya, 20)
    first = sampling.draw(Plan("Weekly", 8, seed=7), by=ada)

    monkeypatch.setattr(drawing, "SLACK", -1)
    again = sampling.draw(Plan("Weekly", 8, seed=7), by=ada)

    assert sorted(texts(again)) == sorted(texts(first))


def test_another_seed_draws_others(maya: User, ada: User):
    make_facts(maya, 40)

    first, other = (sampling.draw(Plan("Weekly", 8, seed=seed), by=ada) for seed in (7, 8))

    assert texts(first) != texts(other)


def test_stratified_draw_gives_every_stratum_its_share(maya: User, ada: User):
    make_facts(maya, 12)
    make_facts(maya, 6, kind="goal")
    make_facts(maya, 2, kind="identity")

    sample = sampling.draw(Plan("By kind", 10, stratify_by="kind"), by=ada)

    assert sample.strata == {"goal": [6, 3], "identity": [2, 1], "knowledge": [12, 6]}
    assert sorted(item.stratum for item in items(sample)) == ["goal"] * 3 + ["identity"] + ["knowledge"] * 6


@pytest.mark.parametrize("column", ["kind", "source", "basis", "status", "band", "predicate", "language", "person"])
def test_facts_can_be_stratified_by(column: str, maya: User, ada: User):
    make_facts(maya, 3)

    sample = sampling.draw(Plan("Strata", 2, stratify_by=column), by=ada)

    assert [part for _, part in sample.strata.values()] == [2]


@pytest.mark.parametrize("column", ["extractor", "prompt_version", "policy_version"])
def test_facts_can_be_stratified_by_how_they_came_about(column: str, maya: User, ada: User):
    make_facts(maya, 3)

    sample = sampling.draw(Plan("Strata", 2, stratify_by=column), by=ada)

    assert sample.strata == {{"extractor": "patterns-1", "prompt_version": "", "policy_version": "0"}[column]: [3, 2]}


def test_items_keep_what_reports_slice_by(maya: User, ada: User):
    fact = factories.make_fact(
        maya, "Likes tea.", kind="preference", source="tool:ci", predicate="likes", language="fi"
    )

    [item] = items(sampling.draw(Plan("One", 1), by=ada))

    assert (item.kind, item.source, item.basis, item.predicate) == ("preference", "tool", "stated", "likes")
    assert (item.language, item.extractor, item.policy_version, item.owner) == ("fi", "patterns-1", 0, maya.pk)
    assert (item.said_at, item.fact_id, item.lacking) == (WHEN, fact.pk, 1)
    assert item.first_episode is not None
    assert item.confidence is not None
    assert 0 < item.confidence <= 0.9


@pytest.mark.parametrize("stratify_by", ["", "source", "predicate"])
def test_items_and_strata_name_nothing_of_their_persons_own(stratify_by: str, maya: User, ada: User):
    factories.make_fact(maya, "Has a mole.", source="imported:Diary of Maya.txt", predicate="mole_on_left_arm")

    sample = sampling.draw(Plan("One", 1, stratify_by=stratify_by), by=ada)

    [item] = items(sample)
    stratum = {"": "", "source": "imported", "predicate": ""}[stratify_by]
    assert (item.source, item.predicate, item.stratum, sample.strata) == ("imported", "", stratum, {stratum: [1, 1]})


def test_reviewer_is_shown_the_predicate_that_the_item_does_not_keep(maya: User, ada: User):
    factories.make_fact(maya, "Has a mole.", predicate="mole_on_left_arm")
    [item] = items(sampling.draw(Plan("One", 1), by=ada))

    with scope.staff():
        shown = asked.show(item.pk)

    assert shown is not None
    assert shown.predicate == "mole_on_left_arm"


def test_known_answer_keeps_nothing_of_its_persons_own(maya: User, ada: User):
    make_facts(maya, 1)
    sample = sampling.draw(Plan("One", 1), by=ada)
    fact = factories.make_fact(maya, "Has a mole.", source="imported:Diary of Maya.txt", predicate="mole_on_left_arm")

    item = gold.add(sample.pk, fact.pk, LabelVerdict.CORRECT)

    assert (item.source, item.predicate) == ("imported", "")


def test_frozen_words_stay_as_they_were_drawn(maya: User, ada: User):
    fact = factories.make_fact(maya, "Likes tea.")
    sample = sampling.draw(Plan("One", 1), by=ada)

    with scope.staff():
        Fact.objects.filter(pk=fact.pk).update(text="Likes coffee.")

    assert texts(sample) == ["Likes tea."]


@pytest.mark.parametrize(
    "filters",
    [
        {"kind": "goal"},
        {"source": "tool"},
        {"basis": "inferred"},
        {"predicate": "likes"},
        {"language": "fi"},
        {"policy_version": 3},
        {"status": "lapsed"},
        {"min_age": 300},
        {"max_confidence": 0.35},
    ],
)
def test_filter_limits_the_population_to_what_matches(filters: dict[str, object], maya: User, ada: User):
    make_facts(maya, 3)
    long_ago = WHEN - timedelta(days=2000)
    factories.make_fact(maya, "Goal.", kind="goal")
    factories.make_fact(maya, "Tool.", source="tool:ci")
    factories.make_fact(maya, "Inferred.", basis="inferred")
    factories.make_fact(maya, "Likes.", predicate="likes")
    factories.make_fact(maya, "Finnish.", language="fi")
    factories.make_fact(maya, "Policy.", policy_version=3)
    factories.make_fact(maya, "Lapsed.", status="lapsed", kind="identity")
    factories.make_fact(maya, "Old.", last_supported_at=long_ago, kind="identity")
    factories.make_fact(maya, "Faint.", confidence=0.31, kind="identity")
    name = next(iter(filters))
    expected = {"policy_version": "Policy.", "min_age": "Old.", "max_confidence": "Faint.", "status": "Lapsed."}
    expected |= {
        "kind": "Goal.",
        "source": "Tool.",
        "basis": "Inferred.",
        "predicate": "Likes.",
        "language": "Finnish.",
    }

    filters = {"max_age": 100_000} | filters
    sample = sampling.draw(Plan("Some", 30, filters=Filters(**{"kind": "", **filters})), by=ada)

    found = [item.words.text for item in items(sample) if name != "max_confidence" or item.kind == "identity"]
    assert found == [expected[name]]


def test_filter_by_person_and_extractor_takes_only_theirs(maya: User, ada: User):
    make_facts(maya, 2)
    jonas = factories.make_user("jonas")
    factories.make_fact(jonas, "Skis.")

    sample = sampling.draw(Plan("Jonas", 9, filters=Filters(person=jonas.pk, extractor="patterns-1")), by=ada)

    assert texts(sample) == ["Skis."]


def test_overlap_wants_two_labels_of_its_share_evenly(maya: User, ada: User):
    make_facts(maya, 10)

    sample = sampling.draw(Plan("Agreement", 10, overlap=0.3), by=ada)

    assert [item.wanted for item in items(sample)] == [2, 1, 1, 2, 1, 1, 2, 1, 1, 1]
    assert [item.lacking for item in items(sample)] == [item.wanted for item in items(sample)]


def test_targeted_draw_takes_complaints_then_contradictions_then_the_least_sure(maya: User, ada: User):
    factories.make_fact(maya, "Sure.", kind="identity")
    factories.make_fact(maya, "Faint.", confidence=0.35, kind="identity")
    factories.make_fact(maya, "Hedged.", confidence=0.6, kind="identity")
    factories.make_fact(maya, "Disputed.", status="conflicted", kind="identity")
    complained = factories.make_fact(maya, "Complained of.", status="retracted", kind="identity")
    with scope.staff():
        Correction.objects.create(user=maya, fact=complained, verdict="incorrect", at=WHEN)

    sample = sampling.draw(Plan("Risk", 9, is_random=False), by=ada)

    assert texts(sample) == ["Complained of.", "Disputed.", "Faint.", "Hedged."]
    assert sample.is_random is False


def test_refusals_are_drawn_with_their_reason_and_never_those_without_text(maya: User, ada: User):
    refusal = factories.make_refusal(maya, "Maybe tea.")
    factories.make_refusal(maya, reason="secret")

    sample = sampling.draw(Plan("Refused", 9, subject=SampleSubject.REFUSALS), by=ada)

    [item] = items(sample)
    assert (item.candidate_id, item.fact_id, item.outcome, item.confidence) == (refusal.pk, None, "hedged", None)
    assert (item.words.text, item.words.detail) == ("Maybe tea.", "maybe")


def test_resolutions_are_drawn_with_their_relation_and_reason(maya: User, ada: User):
    fact = factories.make_believed(maya)

    sample = sampling.draw(Plan("Resolved", 9, subject=SampleSubject.RESOLUTIONS, stratify_by="outcome"), by=ada)

    [item] = items(sample)
    assert (item.outcome, item.fact_id, item.words.text) == ("new", fact.pk, "Lives in Oslo")
    assert sample.strata == {"new": [1, 1]}


def test_extension_draws_others_and_counts_the_look(maya: User, ada: User):
    make_facts(maya, 10)
    sample = sampling.close(sampling.draw(Plan("Weekly", 4), by=ada).pk)

    more = sampling.extend(sample.pk, 3)

    drawn = items(more)
    assert (more.look, more.size, more.population, more.strata, more.closed_at) == (2, 7, 10, {"": [10, 7]}, None)
    assert [item.place for item in drawn] == [1, 2, 3, 4, 5, 6, 7]
    assert len({item.fact_id for item in drawn}) == 7


def test_extension_of_everything_is_refused(maya: User, ada: User):
    make_facts(maya, 2)
    sample = sampling.draw(Plan("All", 2), by=ada)

    with pytest.raises(InvalidSample, match="nothing more to draw"):
        sampling.extend(sample.pk, 3)


@pytest.mark.parametrize(
    ("plan", "message"),
    [
        (Plan(" ", 3), "name"),
        (Plan("x", 0), "size"),
        (Plan("x", 3, overlap=1.5), "overlap"),
        (Plan("x", 3, stratify_by="text"), "stratify_by"),
        (Plan("x", 3, is_random=False, subject=SampleSubject.REFUSALS), "risk"),
        (Plan("x", 3, filters=Filters(kind="goal")), "nothing to draw"),
        (Plan("x", 1, stratify_by="kind", at_least_one=True), "more items"),
        (Plan("x", 3, reviewers=(2**40,)), "reviewers"),
    ],
)
def test_sample_that_makes_no_sense_is_refused_and_not_stored(plan: Plan, message: str, maya: User, ada: User):
    factories.make_fact(maya)
    factories.make_fact(maya, kind="identity")

    with pytest.raises(InvalidSample, match=message):
        sampling.draw(plan, by=ada)

    with scope.staff():
        assert Sample.objects.count() == 0


def test_closed_once_however_often_asked(maya: User, ada: User):
    factories.make_fact(maya)
    sample = sampling.draw(Plan("One", 1), by=ada)

    first, second = (sampling.close(sample.pk).closed_at for _ in range(2))

    assert first == second


@pytest.mark.parametrize("size", [1, 30])
def test_draw_takes_the_same_statements_whatever_its_size(size: int, maya: User, ada: User):
    make_facts(maya, 30)

    with CaptureQueriesContext(connection) as captured:
        sampling.draw(Plan("Weekly", size), by=ada)

    assert len(captured) == 11
