from django.apps import AppConfig
from django.core import checks


class ReviewerConfig(AppConfig):
    """The site; owns no tables."""

    name = "reviewer"

    def ready(self) -> None:
        """Makes Celery's app the current one wherever Django runs, and registers our check."""
        from reviewer import celery, roles  # noqa: F401, PLC0415 - not before the apps are there

        checks.register(roles.check_login, checks.Tags.database)
