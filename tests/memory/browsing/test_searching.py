"""Facts found across people."""

import itertools
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import override_settings

from memory import scope
from memory.browsing import facts, searching
from memory.browsing.paging import FIRST, PAGE, Cursor
from memory.browsing.searching import Counted, Sought
from memory.models import Fact
from tests import factories
from tests.factories import WHEN

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _now() -> Iterator[None]:
    with override_settings(ASSAY_NOW=WHEN):
        yield


def texts(cursor: Cursor = FIRST, **sought: Any) -> list[str]:
    with scope.staff():
        wanted = Sought(**sought)
        return [shown.row.text for shown in searching.page(wanted, cursor, searching.hits(wanted)).rows]


def test_newest_fact_comes_first_whosever_it_is():
    factories.make_fact(factories.make_user(), "Lives in Oslo")
    factories.make_fact(factories.make_user(), "Lives in Bergen")

    assert texts() == ["Lives in Bergen", "Lives in Oslo"]


@pytest.mark.parametrize(
    ("text", "language", "words"),
    [
        ("She adopted two cats.", "en", "cat adopt"),
        ("Er hat zwei Häuser.", "de", "haus"),
        ("我住在东京", "en", "东京"),
        ("Works on zebra-7731 now", "en", "zebra-7731"),
        ("Says 100% of the time", "en", "100%"),
        (r"Keeps code in C:\repo|x", "en", r"C:\repo|x"),
    ],
)
def test_words_find_a_fact_however_they_are_written(text: str, language: str, words: str):
    user = factories.make_user(language=language)
    factories.make_fact(user, text, language=language)
    factories.make_fact(user, "Something else entirely", object="x")

    assert texts(words=words) == [text]


@pytest.mark.parametrize("words", ["%", "_", "'; --", "*:*", "<->", "\\", '"', "!("])
def test_signs_are_looked_for_as_they_stand(words: str):
    factories.make_fact(factories.make_user(), "Lives in Oslo")

    assert texts(words=words) == []


def test_misspelt_words_find_what_is_spelt_alike():
    factories.make_fact(factories.make_user(), "Plays the harpsichord")

    with scope.staff():
        found = [shown.row.text for shown in searching.alike("harpsicord")]

    assert found == ["Plays the harpsichord"]


@pytest.mark.parametrize(
    ("fields", "sought"),
    [
        ({"status": "lapsed"}, {"status": "lapsed"}),
        ({"kind": "goal"}, {"kind": "goal"}),
        ({"source": "tool:calendar"}, {"source": "tool"}),
        ({"basis": "inferred"}, {"basis": "inferred"}),
        ({"predicate": "plays"}, {"predicate": "plays"}),
        ({"language": "fi"}, {"language": "fi"}),
        ({"last_supported_at": WHEN - timedelta(days=400)}, {"age": "older"}),
        ({"confidence": 0.2, "kind": "identity"}, {"sureness": "faint"}),
        ({"is_unjudged": True}, {"flag": "unjudged"}),
        ({"is_pinned": True}, {"flag": "pinned"}),
    ],
)
def test_filter_leaves_what_it_names(fields: dict[str, Any], sought: dict[str, str]):
    user = factories.make_user()
    factories.make_fact(user, "Another")
    factories.make_fact(user, "Wanted", **fields)

    assert texts(**sought) == ["Wanted"]


@pytest.mark.parametrize(("age", "found"), [("week", ["Day 6"]), ("month", ["Day 29", "Day 6"])])
def test_age_counts_from_when_it_was_last_said(age: str, found: list[str]):
    user = factories.make_user()
    for days in (6, 29, 31):
        factories.make_fact(user, f"Day {days}", last_supported_at=WHEN - timedelta(days=days))

    assert texts(age=age) == found


@pytest.mark.parametrize("sureness", ["faint", "tentative", "firm"])
def test_sureness_is_what_is_left_by_now_of_every_kind_at_every_age(sureness: str):
    user = factories.make_user()
    many = itertools.product(["identity", "goal", "knowledge"], [0.1, 0.45, 0.66, 0.83, 0.99], [0, 60, 120, 900])
    for n, (kind, confidence, days) in enumerate(many):
        said = WHEN - timedelta(days=days)
        factories.make_fact(user, f"{n}", kind=kind, confidence=confidence, last_supported_at=said, object=f"{n}")

    found = texts(sureness=sureness) + texts(Cursor(is_last=True), sureness=sureness)

    with scope.staff():
        everything = facts.shown(Fact.objects.all(), most_quotes=0)
    assert set(found) == {shown.row.text for shown in everything if shown.sureness == sureness}


def test_what_is_little_sure_of_very_many_is_met_along_the_newest():
    factories.make_fact(factories.make_user(), "Lives in Oslo", confidence=0.2, kind="identity")
    sought = Sought(sureness="faint")

    with scope.staff():
        page = searching.page(sought, FIRST, searching.Hits((), is_all=False))

    assert [shown.row.text for shown in page.rows] == ["Lives in Oslo"]


def test_person_limits_to_their_facts():
    factories.make_fact(factories.make_user("maya"), "Hers")
    factories.make_fact(factories.make_user("jonas"), "His")

    assert texts(person="maya") == ["Hers"]
    assert texts(person="nobody") == []


def make_many(count: int) -> None:
    """Facts in bulk, without their claims."""
    user = factories.make_user()
    fact = factories.make_fact(user, "0")
    columns = ", ".join(
        f.column for f in Fact._meta.concrete_fields if f.name not in {"id", "text"} and not f.generated
    )
    with scope.user(user.pk), connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO memory_fact (text, {columns})"
            f" SELECT n::text AS words, {columns} FROM memory_fact, generate_series(1, %s) n WHERE id = %s ORDER BY n",
            [count - 1, fact.pk],
        )


def test_last_page_of_fifty_thousand_is_reached_and_leads_back():
    make_many(50_000)

    with scope.staff():
        last = searching.page(Sought(), Cursor(is_last=True), None)
        before = searching.page(Sought(), Cursor(before=last.before), None)

    assert [shown.row.text for shown in last.rows] == [str(n) for n in reversed(range(PAGE))]
    assert [shown.row.text for shown in before.rows] == [str(n) for n in reversed(range(PAGE, 2 * PAGE))]
    assert (last.after, before.after) == (None, before.rows[-1].row.pk)


def test_count_stops_where_nobody_counts_on():
    make_many(searching.MOST_COUNTED + 5)

    with scope.staff():
        found = searching.counted(Sought(), None)

    assert found == Counted(searching.MOST_COUNTED, is_more=True)


def test_page_after_a_row_that_is_gone_goes_on_where_it_stood():
    user = factories.make_user()
    first, second, third = (factories.make_fact(user, name) for name in ("First", "Second", "Third"))
    gone = second.pk
    with scope.user(user.pk):
        second.delete()

    assert texts(Cursor(after=gone)) == [first.text]
    assert texts(Cursor(before=gone)) == [third.text]


def test_recall_of_one_person_gives_what_an_agent_gets():
    user = factories.make_user("maya")
    factories.make_fact(user, "Lives in Oslo", object="Oslo", object_key="oslo")
    factories.make_fact(user, "Plays chess", object="chess", object_key="chess", predicate="plays")
    factories.make_fact(factories.make_user(), "Plays chess too", object="chess", object_key="chess")

    with scope.staff():
        found = [shown.row.text for shown in searching.recalled(user, "chess")]

    assert found == ["Plays chess", "Lives in Oslo"]


def test_every_match_is_exported_with_whose_it_is():
    factories.make_fact(factories.make_user("maya"), "Hers")
    factories.make_fact(factories.make_user("jonas"), "His")

    with scope.staff():
        rows = [(row["user__external_id"], row["text"]) for row in searching.each(Sought(), searching.owners(Sought()))]

    assert rows == [("jonas", "His"), ("maya", "Hers")]


def test_words_that_stand_everywhere_are_counted_as_far_as_they_were_looked_at():
    make_many(searching.MOST_COUNTED + 5)
    with scope.staff():
        Fact.objects.update(text="Plays chess")
        Fact.objects.filter(pk=Fact.objects.latest("pk").pk).update(status="lapsed")
        found = searching.hits(Sought(words="chess"))
        number = searching.counted(Sought(words="chess"), found)
        first = searching.page(Sought(words="chess"), FIRST, found)

    assert found is not None
    assert (found.is_all, number.is_more, len(first.rows)) == (False, True, PAGE)
