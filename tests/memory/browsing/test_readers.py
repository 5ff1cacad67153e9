"""Who looked at a memory, day by day."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.utils import timezone

from memory import keys, scope
from memory.browsing import readers
from memory.browsing.readers import How
from memory.models import Decided, Recalled, StaffRead, User
from tests import factories

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 3, 10, 12, tzinfo=UTC)


@pytest.fixture
def maya() -> User:
    return factories.make_user("maya")


@pytest.fixture
def rita() -> User:
    return factories.make_login("reviewer", "rita", display_name="Rita")


def look(reader: User | None, person: User, at: datetime = NOON, page: str = "person") -> None:
    with scope.staff():
        StaffRead.objects.create(reader=reader, user=person, page=page, at=at)


def recall(person: User, actor: str, at: datetime = NOON) -> None:
    with scope.user(person.pk):
        Recalled.objects.create(user=person, facts=[], actor=actor, at=at)


def told(days: readers.Days) -> list[tuple[date, list[tuple[str, str, str, int]]]]:
    return [(day.day, [(look.how, look.page, look.name, look.times) for look in day.looks]) for day in days.rows]


def test_nobody_looked_is_no_day(maya: User):
    assert readers.readers(maya.pk) == readers.Days([], None)


def test_looks_of_a_day_are_counted_by_reader_and_page(maya: User, rita: User):
    for _ in range(3):
        look(rita, maya)
    look(rita, maya, NOON + timedelta(minutes=1), "episode")

    days = readers.readers(maya.pk)

    assert told(days) == [(NOON.date(), [(How.PAGE, "episode", "Rita", 1), (How.PAGE, "person", "Rita", 3)])]
    assert days.rows[0].looks[0].access == "reviewer"


def test_agents_go_by_the_name_of_their_key(maya: User):
    key, _ = keys.create("Tutor", scopes=[keys.Scope.RECALL])
    recall(maya, f"key {key.prefix}")
    with scope.user(maya.pk):
        Decided.objects.create(
            user=maya, dimension="tone", value="warm", without="plain", because=[], actor=f"key {key.prefix}", at=NOON
        )

    days = readers.readers(maya.pk)

    assert sorted(told(days)[0][1]) == [(How.DECISION, "", "Tutor", 1), (How.RECALL, "", "Tutor", 1)]


@pytest.mark.parametrize("actor", ["command", "key 12345678", "key "])
def test_agent_without_a_key_has_no_name(actor: str, maya: User):
    recall(maya, actor)

    assert told(readers.readers(maya.pk)) == [(NOON.date(), [(How.RECALL, "", "", 1)])]


def test_reader_whose_login_is_gone_has_no_name(maya: User):
    look(None, maya)

    assert told(readers.readers(maya.pk)) == [(NOON.date(), [(How.PAGE, "person", "", 1)])]


def test_looks_at_others_are_not_among_them(maya: User, rita: User):
    other = factories.make_user()
    look(rita, other)
    recall(other, "command")

    assert readers.readers(maya.pk) == readers.Days([], None)


def test_day_is_one_of_the_readers_time_zone(maya: User, rita: User):
    look(rita, maya, datetime(2026, 3, 10, 23, 30, tzinfo=UTC))

    with timezone.override("Europe/Helsinki"):
        days = readers.readers(maya.pk)

    assert days.rows[0].day == date(2026, 3, 11)


def test_pages_hold_thirty_days_and_meet_without_gap_or_overlap(maya: User, rita: User):
    for n in range(65):
        look(rita, maya, NOON - timedelta(days=n))
    before, seen = None, []

    while True:
        days = readers.readers(maya.pk, before)
        seen.append([day.day for day in days.rows])
        before = days.before
        if before is None:
            break

    assert [len(page) for page in seen] == [30, 30, 5]
    assert [day for page in seen for day in page] == [(NOON - timedelta(days=n)).date() for n in range(65)]


def test_long_gap_is_skipped(maya: User, rita: User):
    look(rita, maya, NOON - timedelta(days=900))
    look(rita, maya)

    first = readers.readers(maya.pk)
    second = readers.readers(maya.pk, first.before)

    assert [[day.day for day in page.rows] for page in (first, second)] == [
        [NOON.date()],
        [(NOON - timedelta(days=900)).date()],
    ]
    assert second.before is None
