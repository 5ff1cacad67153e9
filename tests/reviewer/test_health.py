import pytest
from django.db import connection
from django.test import Client
from pytest_django import Settings

pytestmark = pytest.mark.django_db


def test_healthz_with_everything_there_is_ready(client: Client) -> None:
    response = client.get("/healthz")

    assert response.status_code == 200
    assert response.json() == {"live": True, "ready": True, "database": True, "broker": True}
    assert "no-store" in response["Cache-Control"]


def test_healthz_without_a_broker_is_ready_still(client: Client, settings: Settings) -> None:
    settings.CELERY_BROKER_URL = "redis://127.0.0.1:1/0"

    response = client.get("/healthz")

    assert (response.status_code, response.json()["ready"], response.json()["broker"]) == (200, True, False)


@pytest.mark.django_db(transaction=True)
def test_healthz_without_a_database_is_not_ready(client: Client) -> None:
    name = connection.settings_dict["NAME"]
    connection.close()
    connection.settings_dict["NAME"] = "nowhere"

    response = client.get("/healthz")
    connection.close()
    connection.settings_dict["NAME"] = name

    assert (response.status_code, response.json()["ready"]) == (503, False)


def test_healthz_takes_no_post(client: Client) -> None:
    assert client.post("/healthz").status_code == 405
