"""Events of directories. The desk writes a line of its audit trail for each."""

from __future__ import annotations

import logging

from django.dispatch import Signal

from compliance.models import DirectoryToken

log = logging.getLogger(__name__)

# Sent with `what`, `token` and `data`.
directory_act = Signal()


def send(what: str, token: DirectoryToken, **data: object) -> None:
    log.info("A directory: %s, by %s.", what, token)
    directory_act.send(sender=DirectoryToken, what=what, token=token, data=data)
