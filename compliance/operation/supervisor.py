"""A supervisor: keeps the web process and the worker running, and ends them with itself."""

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
from io import TextIOBase
from typing import NoReturn, TextIO

PR_SET_PDEATHSIG = 1  # from prctl(2)
# All times in seconds.
GRACE = 10.0  # for children to end on their own before they are killed
POLL = 0.1  # between two checks of the children
PORT_LIMIT = 3.0  # for a stopping server to release its port
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 5.0  # before a restart
STABLE = 30.0  # a child that ran this long is restarted with the first pause again
# The environment variable that passes the commands to the supervisor process.
COMMANDS = "SUPERVISED_COMMANDS"


@dataclass
class Child:
    """One supervised process, in its own process group."""

    name: str
    command: Sequence[str]
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    pause: float = FIRST_PAUSE
    due: float = field(default=0.0)

    def start(self, env: Mapping[str, str]) -> None:
        self.started = time.monotonic()
        self.process = subprocess.Popen(  # noqa: S603
            self.command,
            env=dict(env),
            start_new_session=True,
            preexec_fn=_die_with_parent,
        )

    def wait_for_restart(self, moment: float) -> None:
        """Set the time of the next start.

        The pause grows if the child ends soon after each start: restarts must not use all the CPU.
        """
        if moment - self.started > STABLE:
            self.pause = FIRST_PAUSE
        else:
            self.pause = min(self.pause * 2, LONGEST_PAUSE)
        self.due = moment + self.pause

    def terminate(self) -> None:
        """Ask it to stop.

        It stops its own children: if they were killed first, it would report a crash.
        """
        if self.process is not None:
            self.process.terminate()

    def kill(self) -> None:
        """Kill the whole group: the children of a killed server would keep its port."""
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)

    def has_ended(self) -> bool:
        return self.process is not None and self.process.poll() is not None


# The C library gives threads up to eight parts of the heap (arenas) for each processor, and each keeps
# what ended work has left in it. Web and worker have some 60 threads: docs/performance.md has figures.
ARENAS = ("MALLOC_ARENA_MAX", "2")


def take_over(commands: Mapping[str, Sequence[str]]) -> NoReturn:
    """Replace this process by a supervisor, which frees the memory that starting has used."""
    os.environ[COMMANDS] = json.dumps(commands)
    os.environ.setdefault(*ARENAS)
    os.execv(sys.executable, [sys.executable, "-P", __file__])  # noqa: S606


def is_free(address: tuple[str, int]) -> bool:
    """Whether a server can listen at this address. Waits a moment for a server that is stopping.

    The web server itself would share the port with another installation, and each would get a part
    of the requests.
    """
    family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
    end = time.monotonic() + PORT_LIMIT
    while True:
        try:
            socket.create_server(address, family=family).close()
        except OSError as exc:
            # The server's own message explains other errors better.
            if exc.errno != errno.EADDRINUSE:
                return True
            if time.monotonic() > end:
                return False
            time.sleep(POLL)
        else:
            return True


def run(children: Sequence[Child], env: Mapping[str, str]) -> None:
    """Start the children and restart any that ends, until SIGTERM or SIGINT."""
    stop: list[int] = []
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda caught, _: stop.append(caught))
    while not stop:
        for child in children:
            _keep_running(child, env)
        time.sleep(POLL)
    _end(children)


def say(text: str, stream: TextIO | TextIOBase) -> None:
    """Write a line. Where it goes to a file, the disk may be full: that must not end anything."""
    with contextlib.suppress(OSError):
        stream.write(f"{text}\n")
        stream.flush()


def listens(address: tuple[str, int]) -> bool:
    """Whether a server takes connections at this address."""
    with contextlib.suppress(OSError), socket.create_connection(address, timeout=1):
        return True
    return False


def _keep_running(child: Child, env: Mapping[str, str]) -> None:
    """Start the child, or restart it after a pause."""
    moment = time.monotonic()
    if child.has_ended() and child.process is not None:
        code = child.process.returncode
        say(f"{child.name} ended ({code}); starting it again", sys.stderr)
        # Its own children may still be running.
        child.kill()
        child.process = None
        child.wait_for_restart(moment)
    if child.process is None and moment >= child.due:
        try:
            child.start(env)
        except OSError as exc:
            # For example, no memory is left to fork. The other children must go on.
            say(f"{child.name} cannot be started: {exc}; trying again", sys.stderr)
            child.wait_for_restart(moment)


def _end(children: Sequence[Child]) -> None:
    """Stop all children, together within GRACE."""
    for child in children:
        child.terminate()
    end = time.monotonic() + GRACE
    for child in children:
        if child.process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                child.process.wait(max(0.1, end - time.monotonic()))
        child.kill()


def _die_with_parent() -> None:
    """On Linux, let the kernel stop the child if the supervisor is killed."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


if __name__ == "__main__":
    commands: dict[str, list[str]] = json.loads(os.environ.pop(COMMANDS))
    run([Child(name, command) for name, command in commands.items()], os.environ)
