"""`manage.py work`: the worker of the embedded default."""

from __future__ import annotations

import signal
import threading
import time

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from compliance import startup
from compliance.db.connections import time_limits
from compliance.operation import heartbeats, supervisor
from compliance.work import isolation, worker

# Seconds. A server that needs longer has a fault, and work that needs no server goes on without it.
WAIT_LIMIT = 120.0
WAIT_PAUSE = 0.1


class Command(BaseCommand):
    requires_system_checks = [startup.INSTALLATION]
    help = "Do the work of all queues in this process: the embedded default's worker, without a broker."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--wait-for",
            metavar="HOST:PORT",
            default="",
            help="Begin when a server listens there, or after two minutes.",
        )

    def handle(self, *args: object, wait_for: str, **options: object) -> None:
        stopping = threading.Event()
        time_limits.limit_statements(settings.DATABASE_WORK_SECONDS)

        def stop(*_: object) -> None:
            stopping.set()
            isolation.stop()

        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, stop)
        if wait_for:
            _wait_for(wait_for, stopping)
        startup.refuse_another_key()
        heartbeat = heartbeats.of_this_process()
        beat = heartbeat.beat_if_due
        if settings.EMBEDDED:
            lock = settings.VAR_DIR / "worker.lock"
            with worker.single_instance(lock, stopping) as is_single:
                if is_single:
                    worker.run(stopping, is_single=True, beat=beat)
        else:
            worker.run(stopping, is_single=False, beat=beat)
        heartbeat.end()


def _wait_for(server: str, stopping: threading.Event) -> None:
    """Wait for the web process beside this one.

    A webhook or a document request that it cannot answer yet is repeated only after minutes.
    """
    host, _, port = server.rpartition(":")
    end = time.monotonic() + WAIT_LIMIT
    while time.monotonic() < end and not supervisor.listens((host, int(port))):
        if stopping.wait(WAIT_PAUSE):
            return
