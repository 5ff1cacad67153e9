"""Keyset pages: every row once, forwards and backwards, whatever is tied."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory import scope
from memory.browsing.paging import FIRST, Cursor, Order, Page, turn
from memory.errors import NotFound
from memory.models import User
from tests import factories

ORDERS = st.sampled_from([("id",), ("-language", "id"), ("language", "-time_zone", "-id"), ("-language", "-id")])
ROWS = st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("xy")), max_size=70)


@pytest.mark.django_db
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=ROWS, fields=ORDERS)
def test_pages_hold_every_row_once_in_order_both_ways(rows: list[tuple[str, str]], fields: tuple[str, ...]):
    with scope.staff():
        User.objects.all().delete()
        people = [User(external_id=str(n), language=one, time_zone=two) for n, (one, two) in enumerate(rows)]
        User.objects.bulk_create(people)
        expected = list(User.objects.order_by(*fields).values_list("pk", flat=True))

        forwards, backwards = walk(Order(fields), "after", FIRST), walk(Order(fields), "before", Cursor(is_last=True))

    assert [pk for page in forwards for pk in page] == expected
    assert [pk for page in reversed(backwards) for pk in page] == expected


def walk(order: Order, way: str, cursor: Cursor) -> list[list[int]]:
    pages: list[list[int]] = []
    while True:
        page: Page[User] = turn(User.objects.all(), order, cursor, within=User.objects.all())
        pages.append([row.pk for row in page.rows])
        beside = getattr(page, way)
        if beside is None:
            return pages
        cursor = Cursor(**{way: beside})


@pytest.mark.django_db
def test_page_after_a_row_that_is_gone_is_not_found():
    gone = factories.make_user()
    with scope.staff():
        User.objects.filter(pk=gone.pk).delete()

        with pytest.raises(NotFound):
            turn(User.objects.all(), Order(("id",)), Cursor(after=gone.pk), within=User.objects.all())
