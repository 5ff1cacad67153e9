"""Django's Postgres backend, with one difference: connecting starts the embedded servers.

So whatever needs no database (`check`, `collectstatic`, `--help`) starts none. Django looks for
the class in a module of this name.
"""

from typing import Any

from django.db.backends.postgresql import base

from reviewer import embedded


class DatabaseWrapper(base.DatabaseWrapper):
    """Takes host, port and password from the embedded servers; name and login from the settings."""

    def get_connection_params(self) -> dict[str, Any]:
        if self.alias in self._connection_pools:  # type: ignore[attr-defined]
            return {}  # the pool was given them
        services = embedded.ensure()
        login = self.settings_dict["USER"]
        return {
            **super().get_connection_params(),
            "host": "127.0.0.1",
            "port": services.postgres_port,
            "password": services.home.secret(f"postgres_{login}"),
        }
