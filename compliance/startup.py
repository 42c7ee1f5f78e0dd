"""Refuses to start web, workers and beat of an installation that has an error.

Commands of manage.py run the system checks by themselves; a server of WSGI and Celery do not. Checks
that ask the database are run by `migrate` alone.
"""

from __future__ import annotations

import sys

from django.core import checks
from django.db import connections

# The tag of the checks in compliance/operation/system_checks.py.
INSTALLATION = "installation"


def refuse_faulty_installation() -> None:
    """End the process, with the reasons, if a check of this installation finds an error."""
    messages = checks.run_checks(tags=[INSTALLATION])
    faults = [str(message) for message in messages if message.is_serious()]
    if faults:
        sys.exit("\n".join(faults))
    refuse_another_key()
    # Celery forks its workers from this process: they must not share a connection.
    connections.close_all()


def refuse_another_key() -> None:
    """End the process if ENCRYPTION_KEY is not the one that this database was written with."""
    messages = checks.run_checks(tags=[checks.Tags.database], databases=["default"])
    faults = [str(message) for message in messages if message.is_serious()]
    if faults:
        sys.exit("\n".join(faults))
