import logging
from collections.abc import Mapping

import pytest
from django.test import Client

from reviewer.logs import Contentless, Formatter


def test_format_of_an_exception_keeps_type_and_place_but_no_words() -> None:
    try:
        raise ValueError("Key (text)=(Ada is allergic to nuts) already exists")
    except ValueError as error:
        record = logging.makeLogRecord(
            {"name": "memory", "msg": "failed", "exc_info": (ValueError, error, error.__traceback__)}
        )

    line = Formatter().format(record)

    assert "nuts" not in line
    assert line.endswith("in test_format_of_an_exception_keeps_type_and_place_but_no_words\n  builtins.ValueError")


def test_format_of_a_chain_of_exceptions_keeps_no_words_of_either() -> None:
    try:
        try:
            raise ValueError("Ada is allergic to nuts")
        except ValueError as error:
            raise RuntimeError("and to shellfish") from error
    except RuntimeError as error:
        record = logging.makeLogRecord({"msg": "failed", "exc_info": (RuntimeError, error, error.__traceback__)})

    line = Formatter().format(record)

    assert [word for word in ("nuts", "shellfish") if word in line] == []


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("celery.app.trace", "Task work[7] raised unexpected: … …"),
        ("celery.worker.strategy", "Task work[7] raised unexpected: … …"),
        ("memory.tasks", "Task work[7] raised unexpected: nuts ('nuts',)"),
    ],
)
def test_filter_takes_error_text_and_arguments_out_of_what_celery_logs(name: str, shown: str) -> None:
    context: Mapping[str, object] = {"name": "work", "id": "7", "exc": "nuts", "args": "('nuts',)"}
    message = "Task %(name)s[%(id)s] raised unexpected: %(exc)s %(args)s"
    record = logging.LogRecord(name, logging.ERROR, "trace.py", 1, message, (context,), None)

    Contentless().filter(record)

    assert record.getMessage() == shown


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("path", "logged"),
    [
        ("/portal/s3cret", "/portal/…"),
        ("/invited/s3cret", "/invited/…"),
        ("/portal/s3cret/and/more", "/portal/…/and/more"),
        ("/mine/gone/s3cret/and/more", "/mine/gone/…/and/more"),
        ("/nowhere/else", "/nowhere/else"),
    ],
)
def test_address_that_lets_in_is_not_logged(path: str, logged: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.handler.addFilter(Contentless())

    Client(enforce_csrf_checks=True).post(path)

    caplog.handler.filters.clear()
    assert [record.getMessage().rpartition(": ")[2] for record in caplog.records] == [logged]
