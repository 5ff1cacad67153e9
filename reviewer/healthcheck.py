"""Asks the site on this machine whether it can serve, under a name it goes by: `python -m reviewer.healthcheck [PORT]`."""

import os
import sys
import urllib.request


def main() -> int:
    """0 if it is ready, else 1."""
    name = os.environ.get("ALLOWED_HOSTS", "").split(",")[0].strip().lstrip(".*") or "localhost"
    port = int(sys.argv[1]) if sys.argv[1:] else 8000
    request = urllib.request.Request(f"http://127.0.0.1:{port}/healthz", headers={"Host": name})
    try:
        urllib.request.urlopen(request, timeout=4).close()  # noqa: S310 - this machine
    except OSError:
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
