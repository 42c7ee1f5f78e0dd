from __future__ import annotations

import signal
import threading

from django.conf import settings
from django.core.management.base import BaseCommand

from compliance.db import connection_settings
from compliance.operation import heartbeats
from compliance.operation.system_checks import INSTALLATION
from compliance.work import isolation, worker


class Command(BaseCommand):
    requires_system_checks = [INSTALLATION]
    help = "Do the work of all queues in this process: the embedded default's worker, without a broker."

    def handle(self, *args: object, **options: object) -> None:
        stopping = threading.Event()
        connection_settings.limit_statements(settings.DATABASE_WORK_SECONDS)

        def stop(*_: object) -> None:
            stopping.set()
            isolation.stop()

        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, stop)
        heartbeat = heartbeats.of_this_process()
        beat = heartbeat.beat_if_due
        if settings.EMBEDDED:
            with worker.single_instance(settings.VAR_DIR / "worker.lock"):
                worker.run(stopping, is_single=True, beat=beat)
        else:
            worker.run(stopping, is_single=False, beat=beat)
        heartbeat.end()
