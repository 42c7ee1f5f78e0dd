"""Works on rescreenings until none is due; prints the CPU seconds used as JSON."""

from __future__ import annotations

import json
import time

import django

from bench import load


def main() -> None:
    from django.db import connection

    from agenthub.tasks import RESCREENING

    began = time.process_time()
    while RESCREENING.drain():
        pass
    connection.ensure_connection()
    backend = connection.connection.info.backend_pid
    figures = {
        "worker": time.process_time() - began,
        "database": load.cpu_seconds([backend]),
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    django.setup()
    main()
