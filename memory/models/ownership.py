"""What every row of content has: one owner, and children that cannot hang on a stranger's parent."""

from typing import Any

from django.db import models


class Owned(models.Model):
    """A row that belongs to exactly one user; Postgres removes it with them."""

    user = models.ForeignKey("memory.User", on_delete=models.DB_CASCADE, db_index=False, related_name="+")

    class Meta:
        abstract = True


def belongs_to(model: str, **options: Any) -> Any:
    """A relation between two rows of one user.

    Its constraint is composite with the user and stands in the isolation migration:
    a plain foreign key bypasses row-level security, so that it could point at a stranger's row.
    Its index, led by the user, stands there too.
    """
    settings: dict[str, Any] = {
        "on_delete": models.DO_NOTHING,
        "db_constraint": False,
        "db_index": False,
        "related_name": "+",
    }
    return models.ForeignKey(model, **settings | options)


def choices(enum: Any) -> list[tuple[str, str]]:
    return [(member.value, member.value) for member in enum]


def one_of(field: str, enum: Any) -> models.Q:
    """For check constraints: the column holds one of the enum's values."""
    return models.Q(**{f"{field}__in": [member.value for member in enum]})
