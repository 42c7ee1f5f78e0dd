"""Refuses to start web, workers and beat of an installation that has an error.

Commands of manage.py run the system checks by themselves; a server of WSGI and Celery do not. Nobody
checks the key of the database, which needs the database.
"""

from __future__ import annotations

import sys

from django.core import checks
from django.db import DatabaseError, connections

# The tag of the checks in compliance/operation/system_checks.py.
INSTALLATION = "installation"
WRONG_KEY = (
    "ENCRYPTION_KEY is not the one that this database was written with. Nothing was started:"
    " what is written with another key cannot be read with the right one."
)


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
    """End the process if ENCRYPTION_KEY is not the one that this database was written with.

    What it would write could not be read with the right key.
    """
    # Imported here: models are not loaded yet where Django's setup imports this module.
    from compliance.security import data_keys

    try:
        is_another = data_keys.are_of_another_installation()
    except DatabaseError:
        # It is away, or not migrated yet.
        return
    if is_another:
        sys.exit(WRONG_KEY)
