import pytest
from pytest_django import Settings

from tests.faults.telling import START


@pytest.fixture(autouse=True)
def _clock(settings: Settings) -> None:
    """Stands at the first episode; whoever tells something moves it on."""
    settings.ASSAY_NOW = START
