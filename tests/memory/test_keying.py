"""Predicates to their canonical names, objects to what is compared."""

from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory import keying, policy, text
from memory.types import Cardinality, Polarity

VOCABULARY = policy.default().vocabulary
AFFIRMS, DENIES = Polarity.AFFIRMS, Polarity.DENIES


@pytest.mark.parametrize(
    ("raw", "key"),
    [
        ("Lives in", "lives_in"),
        ("lives-in", "lives_in"),
        ("livesIn", "lives_in"),
        ("  LIVES   IN ", "lives_in"),
        ("doesn't eat", "doesnt_eat"),
        ("doesn\u2019t eat", "doesnt_eat"),
        ("wohnt in", "wohnt_in"),
        ("живёт в", "живёт_в"),
        ("ernährt sich", "ernährt_sich"),
        ("works_at!", "works_at"),
        ("", ""),
        ("…", ""),
    ],
)
def test_predicate_key_any_spelling_is_snake_case(raw: str, key: str) -> None:
    assert keying.predicate_key(raw) == key


@pytest.mark.parametrize(
    ("predicate", "name"),
    [
        ("resides in", "lives_in"),
        ("based_in", "lives_in"),
        ("is based in", "lives_in"),
        ("currently lives in", "lives_in"),
        ("employed by", "works_at"),
        ("job title", "works_as"),
        ("is allergic to", "allergic_to"),
        ("has allergy to", "allergic_to"),
        ("weighs", "weight"),
        ("deploy target", "deploys_to"),
        ("prefers", "likes"),
        ("favorite color", "favourite_color"),
        ("favorite_band", "favourite_band"),
        ("goal_weight", "target_weight"),
        ("wohnt in", "lives_in"),
        ("vive_en", "lives_in"),
        ("habite à", "lives_in"),
        ("asuu", "lives_in"),
        ("живёт в", "lives_in"),
        ("liebt", "likes"),
        ("current_city", "lives_in"),
        ("current_place_of_residence", "lives_in"),
        ("domicile", "lives_in"),
        ("current primary residence", "lives_in"),
        ("place of work", "works_at"),
        ("employer_name", "works_at"),
        ("due_date", "deadline"),
        ("dietary_preference", "diet"),
        ("medical_condition", "has_condition"),
        ("food_allergy", "allergic_to"),
        ("has_food_allergies", "allergic_to"),
        ("shellfish_allergy", "allergic_to"),
        ("wife_name", "married_to"),
        ("production_database", "database"),
        ("frobnicates", "frobnicates"),
    ],
)
def test_canonical_synonym_keeps_polarity(predicate: str, name: str) -> None:
    assert keying.canonical(predicate, AFFIRMS, VOCABULARY) == (name, AFFIRMS)
    assert keying.canonical(predicate, DENIES, VOCABULARY) == (name, DENIES)


@pytest.mark.parametrize(
    ("predicate", "name"),
    [
        ("hates", "likes"),
        ("can't stand", "likes"),
        ("is not a fan of", "likes"),
        ("ненавидит", "likes"),
        ("hasst", "likes"),
        ("divorced from", "married_to"),
        ("stopped using", "uses"),
        ("quit_smoking", "smokes"),
    ],
)
def test_canonical_antonym_turns_polarity_round(predicate: str, name: str) -> None:
    assert keying.canonical(predicate, AFFIRMS, VOCABULARY) == (name, DENIES)
    assert keying.canonical(predicate, DENIES, VOCABULARY) == (name, AFFIRMS)


@pytest.mark.parametrize("polarity", list(Polarity))
@pytest.mark.parametrize(
    ("predicate", "name"),
    [
        ("no longer uses", "uses"),
        ("does not eat", "eats"),
        ("doesn't like", "likes"),
        ("never drinks", "drinks"),
        ("has no allergy to", "allergic_to"),
        ("не любит", "likes"),
        ("is_no_longer_fond_of", "likes"),
        ("no longer fond of", "likes"),
        ("user is not currently living in", "lives_in"),
        ("does not currently have a pet", "has_pet"),
    ],
)
def test_canonical_negated_predicate_denies_once(predicate: str, name: str, polarity: Polarity) -> None:
    assert keying.canonical(predicate, polarity, VOCABULARY) == (name, DENIES)


@pytest.mark.parametrize("predicate", ["must_not", "do_not_disturb_hours", "not_before", "never_mind"])
def test_canonical_negation_of_nothing_known_stays(predicate: str) -> None:
    assert keying.canonical(predicate, AFFIRMS, VOCABULARY) == (predicate, AFFIRMS)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        (("is_vegetarian", "true"), ("diet", "vegetarian")),
        (("is_vegetarian", "yes"), ("diet", "vegetarian")),
        (("vegetarian", ""), ("diet", "vegetarian")),
        (("is", "vegetarian"), ("diet", "vegetarian")),
        (("is_a", "a vegan"), ("diet", "vegan")),
        (("ist", "Vegetarierin"), ("diet", "vegetarian")),
        (("dietary_preference", "vegetarian diet"), ("diet", "vegetarian")),
        (("condition", "penicillin allergy"), ("allergic_to", "penicillin")),
        (("has", "a peanut allergy"), ("allergic_to", "peanuts")),
        (("is", "allergic to penicillin"), ("allergic_to", "penicillin")),
        (("allergy", "peanut allergy"), ("allergic_to", "peanuts")),
        (("dietary_restriction", "nut allergy"), ("allergic_to", "nuts")),
        (("food_allergy", "shellfish"), ("allergic_to", "shellfish")),
        (("has_peanut_allergy", "true"), ("allergic_to", "peanuts")),
        (("penicillin_allergy", "severe"), ("allergic_to", "penicillin")),
        (("medical_condition", "lactose intolerance"), ("intolerant_to", "lactose")),
        (("is", "tired"), ("is", "tired")),
        (("has_condition", "asthma"), ("has_condition", "asthma")),
        (("likes", "vegetarian curry"), ("likes", "vegetarian curry")),
    ],
)
def test_keyed_where_the_object_tells_is_one_key(said: tuple[str, str], meant: tuple[str, str]) -> None:
    predicate, obj = said

    assert keying.keyed(predicate, obj, AFFIRMS, VOCABULARY) == (meant[0], AFFIRMS, meant[1])


@pytest.mark.parametrize(
    ("predicate", "obj", "meant"),
    [
        ("is_vegetarian", "false", ("diet", "vegetarian")),
        ("is_vegan", "no", ("diet", "vegan")),
        ("is_not", "vegetarian", ("diet", "vegetarian")),
        ("is_no_longer", "vegan", ("diet", "vegan")),
        ("peanut_allergy", "no", ("allergic_to", "peanuts")),
    ],
)
def test_keyed_untrue_turns_polarity_round(predicate: str, obj: str, meant: tuple[str, str]) -> None:
    assert keying.keyed(predicate, obj, AFFIRMS, VOCABULARY) == (meant[0], DENIES, meant[1])


@given(st.text(max_size=40), st.text(max_size=40), st.sampled_from(Polarity))
def test_keyed_names_what_canonical_leaves(predicate: str, obj: str, polarity: Polarity) -> None:
    found = keying.keyed(predicate, obj, polarity, VOCABULARY)

    assert keying.canonical(found.predicate, found.polarity, VOCABULARY) == found[:2]


@given(st.text(max_size=40), st.sampled_from(Polarity))
def test_canonical_again_changes_nothing(predicate: str, polarity: Polarity) -> None:
    once = keying.canonical(predicate, polarity, VOCABULARY)

    assert keying.canonical(*once, VOCABULARY) == once


def test_shipped_names_can_all_be_reached() -> None:
    names = [
        name.removesuffix("_*").removeprefix("*_")
        for name in (*VOCABULARY.synonyms, *VOCABULARY.antonyms, *VOCABULARY.cardinality)
    ]

    assert [name for name in names if keying.predicate_key(name) != name] == []


def test_shipped_names_mean_one_thing_each() -> None:
    tables = policy._read("predicates.toml")["predicates"]
    names = list(
        chain.from_iterable([name, *t.get("synonyms", ()), *t.get("antonyms", ())] for name, t in tables.items())
    )

    assert sorted(names) == sorted(set(names))


def test_shipped_object_synonyms_are_normalised() -> None:
    pairs = VOCABULARY.object_synonyms.items()

    assert [pair for pair in pairs if pair != (text.object_key(pair[0]), text.object_key(pair[1]))] == []
    assert [new for _, new in pairs if new in VOCABULARY.object_synonyms] == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("PostgreSQL", "postgres"),
        ("a dog", "Dog"),
        ("the piano", "piano"),
        ("NYC", "New York City"),
        ("VS Code", "vscode"),
        ("  Dark   Mode ", "dark mode"),
        ("le vélo", "vélo"),
        ("ＴＯＫＹＯ", "tokyo"),
    ],
)
def test_object_value_of_the_same_thing_is_equal(one: str, other: str) -> None:
    assert keying.object_value(one, VOCABULARY) == keying.object_value(other, VOCABULARY)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("C", "C++"),
        ("C++", "C#"),
        ("C", "C#"),
        ("1.5", "15"),
        ("1.5 mg", "15 mg"),
        ("−5", "5"),
        ("-5 °C", "5 °C"),
        ("15 October", "16 October"),
        ("Room 101", "Room 102"),
        ("The Who", "Who"),
        ("A Team", "Team"),
        ("Java", "JavaScript"),
        ("80 kg", "80 lb"),
    ],
)
def test_object_value_of_different_things_differs(one: str, other: str) -> None:
    assert keying.object_value(one, VOCABULARY) != keying.object_value(other, VOCABULARY)


@pytest.mark.parametrize(
    ("predicate", "cardinality"),
    [
        ("lives_in", Cardinality.ONE),
        ("deploys_to", Cardinality.ONE),
        ("speaks", Cardinality.MANY),
        ("likes", Cardinality.MANY),
        ("weight", Cardinality.READING),
        ("blood_pressure", Cardinality.READING),
        ("favourite_band", Cardinality.ONE),
        ("target_pace", Cardinality.ONE),
        ("favourite_", Cardinality.UNKNOWN),
        ("frobnicates", Cardinality.UNKNOWN),
        ("", Cardinality.UNKNOWN),
    ],
)
def test_cardinality_is_the_vocabularys(predicate: str, cardinality: Cardinality) -> None:
    assert keying.cardinality(predicate, VOCABULARY) == cardinality


def test_cardinality_changed_by_an_operator_wins_over_the_family() -> None:
    changed = policy.build(1, {"cardinality": {"favourite_band": "many", "works_at": "many"}}).vocabulary

    assert keying.cardinality("favourite_band", changed) == Cardinality.MANY
    assert keying.cardinality("works_at", changed) == Cardinality.MANY
    assert keying.cardinality("favourite_film", changed) == Cardinality.ONE


@pytest.mark.parametrize(
    "predicate", ["allergic_to", "born_in", "born_on", "blood_type", "has_condition", "name", "native_language"]
)
def test_never_fades_permanent_things(predicate: str) -> None:
    assert keying.never_fades(predicate, VOCABULARY) is True


@pytest.mark.parametrize("predicate", ["likes", "lives_in", "frobnicates", "favourite_film"])
def test_never_fades_not_what_may_change(predicate: str) -> None:
    assert keying.never_fades(predicate, VOCABULARY) is False
