"""The data directory: where the embedded servers and what is generated for them live."""

import os
import secrets
from dataclasses import dataclass
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

_CHECKOUT = Path(__file__).resolve().parent.parent.parent


@dataclass(frozen=True, slots=True)
class Home:
    """Paths below one data directory; whoever shares it shares the servers."""

    root: Path

    @property
    def postgres(self) -> Path:
        return self.root / "postgres"

    @property
    def valkey(self) -> Path:
        return self.root / "valkey"

    @property
    def lives(self) -> Path:
        """Locked, shared, by every process that uses the servers."""
        return self.root / "lives.lock"

    @property
    def start(self) -> Path:
        """Locked by the one process that is having the servers started."""
        return self.root / "start.lock"

    @property
    def keeper(self) -> Path:
        """Locked by the keeper as long as it runs."""
        return self.root / "keeper.lock"

    @property
    def ready(self) -> Path:
        """Where the servers listen; there only while they do."""
        return self.root / "ready.json"

    @property
    def keeper_log(self) -> Path:
        return self.root / "keeper.log"

    @property
    def clock(self) -> Path:
        """The day that a demo is looked at on, for all commands on this data; there only with a demo."""
        return self.root / "clock"

    def secret(self, name: str) -> str:
        """The secret of that name, generated (256 bits, mode 0600) by whoever asks first."""
        path = self.root / "secrets" / name
        if not path.exists():
            _create(path, secrets.token_urlsafe(32))
        return path.read_text(encoding="ascii")

    def prepare(self) -> None:
        """Make the directory, closed to other people but for the server's own account.

        Raises ImproperlyConfigured where that cannot be.
        """
        try:
            self.root.mkdir(parents=True, exist_ok=True)
            # Started by root, Postgres runs under an account of its own that must get past, not look around.
            self.root.chmod(0o711 if os.geteuid() == 0 else 0o700)
        except OSError as error:
            raise ImproperlyConfigured(
                f"ASSAY_DATA_DIR is {self.root}, which does not serve ({error.strerror}). Name a directory of your own."
            ) from error


def current() -> Home:
    """The data directory of this process: ASSAY_DATA_DIR, or `.data` in the checkout."""
    return Home((_CHECKOUT / (os.environ.get("ASSAY_DATA_DIR") or ".data")).resolve())


def _create(path: Path, value: str) -> None:
    """Write a file that appears whole or not at all; the first of several writers wins."""
    Home(path.parent.parent).prepare()
    path.parent.mkdir(mode=0o700, exist_ok=True)
    draft = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    draft.touch(mode=0o600, exist_ok=False)
    draft.write_text(value, encoding="ascii")
    try:
        path.hardlink_to(draft)
    except FileExistsError:
        return
    finally:
        draft.unlink()
