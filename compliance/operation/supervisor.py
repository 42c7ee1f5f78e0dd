"""Keeps the web process and the worker running, and leaves none behind."""

from __future__ import annotations

import contextlib
import ctypes
import errno
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NoReturn

PR_SET_PDEATHSIG = 1
GRACE = 10.0  # seconds to end in peace
LOOK = 0.1  # seconds between two looks at the children
AWAITED = 20.0  # seconds for the first child to listen, before the others start all the same
ENDING = 3.0  # seconds for a predecessor to leave the port
PAUSE = (0.05, 5.0)  # seconds before a restart: at first, and at most
COMMANDS = "SUPERVISED_COMMANDS"


@dataclass
class Child:
    """One process under supervision, in a process group of its own."""

    name: str
    command: Sequence[str]
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    pause: float = PAUSE[0]
    due: float = field(default=0.0)

    def start(self, env: Mapping[str, str]) -> None:
        self.started = time.monotonic()
        self.process = subprocess.Popen(  # noqa: S603
            self.command,
            env=dict(env),
            start_new_session=True,
            preexec_fn=_die_with_parent,
        )

    def terminate(self) -> None:
        """Ask it to end. It ends its own children: one that dies before looks like one that crashed."""
        if self.process is not None:
            self.process.terminate()

    def kill(self) -> None:
        """Kill the whole group: a killed server leaves its own children on the port."""
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)

    def has_ended(self) -> bool:
        return self.process is not None and self.process.poll() is not None


def take_over(commands: Mapping[str, Sequence[str]], *, address: tuple[str, int]) -> NoReturn:
    """Make this process a supervisor and nothing else: the memory that starting took is freed.

    `address` is where the first of them listens: the others are started once it does.
    """
    os.environ[COMMANDS] = json.dumps({"commands": commands, "address": address})
    os.execv(sys.executable, [sys.executable, "-P", __file__])  # noqa: S606


def is_free(address: tuple[str, int]) -> bool:
    """Whether a server may listen there; waits a moment for one that is about to end.

    Asked because the web server would share the port with another installation's, and each would
    get a part of the requests.
    """
    family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
    end = time.monotonic() + ENDING
    while True:
        try:
            socket.create_server(address, family=family).close()
        except OSError as exc:
            if exc.errno != errno.EADDRINUSE or time.monotonic() > end:
                return exc.errno != errno.EADDRINUSE  # of anything else the server tells more
            time.sleep(LOOK)
        else:
            return True


def run(children: Sequence[Child], env: Mapping[str, str], address: tuple[str, int]) -> None:
    """Start the children, start again whichever ends, until SIGTERM or SIGINT."""
    stop: list[int] = []
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda got, _: stop.append(got))
    # A worker that calls a server which is not there yet would call again only minutes later.
    tended, end = children[:1], time.monotonic() + AWAITED
    while not stop:
        if tended is not children and (_listens(address) or time.monotonic() > end):
            tended = children
        for child in tended:
            _tend(child, env)
        time.sleep(LOOK)
    _end(children)


def _listens(address: tuple[str, int]) -> bool:
    with contextlib.suppress(OSError), socket.create_connection(address, timeout=1):
        return True
    return False


def _tend(child: Child, env: Mapping[str, str]) -> None:
    moment = time.monotonic()
    if child.has_ended() and child.process is not None:
        code = child.process.returncode
        sys.stderr.write(f"{child.name} ended ({code}); starting it again\n")
        child.kill()
        child.process = None
        # One that ends at once again and again must not burn the machine.
        long_lived = moment - child.started > 30
        child.pause = PAUSE[0] if long_lived else min(child.pause * 2, PAUSE[1])
        child.due = moment + child.pause
    if child.process is None and moment >= child.due:
        child.start(env)


def _end(children: Sequence[Child]) -> None:
    for child in children:
        child.terminate()
    end = time.monotonic() + GRACE
    for child in children:
        if child.process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                child.process.wait(max(0.1, end - time.monotonic()))
        child.kill()


def _die_with_parent() -> None:
    """Linux: a supervisor that is killed takes its children along."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


if __name__ == "__main__":
    given = json.loads(os.environ.pop(COMMANDS))
    commands: dict[str, list[str]] = given["commands"]
    host, port = given["address"]
    run([Child(name, command) for name, command in commands.items()], os.environ, (host, port))
