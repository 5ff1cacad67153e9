"""The files of exports that commands make, beside the data: for their owner's eyes, for a day, and until their user is forgotten."""

import re
from datetime import datetime, timedelta
from pathlib import Path

from django.conf import settings

from memory.marks import mark_of_user

KEPT = timedelta(days=1)


def place(external_id: str, *, now: datetime) -> Path:
    """A name that tells people whose it is, and us by a mark, as two users may be written alike."""
    folder = _folder()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.chmod(0o700)
    name = re.sub(r"[^\w.-]", "_", external_id).strip(".")
    return folder / f"{name[:100]}-{now:%Y-%m-%d-%H%M%S}-{_mark(external_id)}.zip"


def is_here(path: Path) -> bool:
    return path.resolve().parent == _folder().resolve()


def remove(external_id: str) -> None:
    """All of a user's, half ones too."""
    for path in _folder().glob(f"*-{_mark(external_id)}.zip*"):
        path.unlink(missing_ok=True)


def sweep(*, now: datetime) -> None:
    """Those whose day is over, whatever their name."""
    for path in _folder().glob("*.zip*"):
        if path.stat().st_mtime < (now - KEPT).timestamp():
            path.unlink(missing_ok=True)


def _folder() -> Path:
    return Path(settings.DATA_DIR) / "exports"


def _mark(external_id: str) -> str:
    return mark_of_user(external_id)[:16]
