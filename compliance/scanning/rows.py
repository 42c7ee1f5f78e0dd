"""The base class of a row for the scan of one stored file. It is due while the file waits."""

from __future__ import annotations

import logging
from typing import IO

from django.db import models
from django.utils.timezone import now
from django.utils.translation import gettext_lazy as _

from compliance.scanning import scanner
from compliance.scanning.connection import ScannerError
from compliance.work.rows import Work, backoff

log = logging.getLogger(__name__)

TOO_LARGE = "not scanned: the file is larger than the scanner takes"


class Scan(Work):
    """The scan of one file. The file must not be opened before `is_open` is true."""

    class Status(models.TextChoices):
        WAITING = "waiting", _("Waits for the malware scanner")
        CLEAN = "clean", _("No malware found")
        QUARANTINED = "quarantined", _("In quarantine")
        RELEASED = "released", _("Released")
        REMOVED = "removed", _("Removed")

    FLOW = {
        Status.WAITING: {Status.CLEAN, Status.QUARANTINED, Status.RELEASED},
        Status.CLEAN: {Status.WAITING},  # it is scanned again, by newer signatures
        Status.QUARANTINED: {Status.RELEASED, Status.REMOVED},
    }

    status = models.CharField(
        max_length=16, choices=Status.choices, default=Status.WAITING
    )
    signature = models.CharField(
        max_length=200, blank=True, help_text="What the scanner found."
    )
    scanner = models.CharField(
        max_length=200, blank=True, help_text="Which scanner answered, by its own name."
    )
    scanned_at = models.DateTimeField(null=True)
    error = models.CharField(
        max_length=200, blank=True, help_text="Why the scanner gave no answer yet."
    )

    class Meta(Work.Meta):
        abstract = True

    @property
    def is_open(self) -> bool:
        """Whether the file may be opened."""
        return self.status in {self.Status.CLEAN, self.Status.RELEASED}

    def answer(self, file: IO[bytes]) -> str | None:
        """Scan the file, and store the result in this object, unsaved.

        Returns the name of the malware, or "" if none was found. Returns None without an answer:
        then the row is due again later.
        """
        try:
            signature = scanner.scan(file)
        except ScannerError as exc:
            if not exc.is_refusal:
                self._wait(str(exc))
                return None
            signature = TOO_LARGE
        self.signature = signature
        self.scanner = _version()
        self.scanned_at = now()
        return signature

    def _wait(self, reason: str) -> None:
        """Make the row due again: the file waits as long as the scanner is unavailable."""
        failures = self.failures + 1
        if failures == 1:
            log.warning("Files wait for the malware scanner: %s", reason)
        self.complete(due_at=backoff(failures), failures=failures, error=reason[:200])


def _version() -> str:
    """The scanner's name and version, which says with which signatures a file was compared."""
    try:
        return scanner.version()
    except ScannerError:
        return scanner.name()
